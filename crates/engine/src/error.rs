//! What went wrong, whose turn it is, and what to do next.
//!
//! Three kinds, because a script acts on the exit code: no safe release exists or a check failed (1), the use, the
//! policy or the input is wrong (2), the environment failed (3). Messages carry names, places and counts, never cell
//! values: they end up in logs.

use std::{fmt, io};

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// No safe release exists, or a check of one failed.
    Unsafe,
    /// The use, the policy or the input is wrong.
    Input,
    /// The machine failed: disk, memory, permissions.
    Environment,
}

/// A failure with its next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// Whose turn it is.
    pub kind: Kind,
    /// What happened, and where.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

/// The result of anything the engine does.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// No safe release exists, or a check failed.
    pub(crate) fn unsafe_release(message: impl Into<String>) -> Self {
        Self { kind: Kind::Unsafe, message: message.into(), hint: None }
    }

    /// The use, the policy or the input is wrong.
    pub fn input(message: impl Into<String>) -> Self {
        Self { kind: Kind::Input, message: message.into(), hint: None }
    }

    /// The machine failed.
    pub fn environment(message: impl Into<String>) -> Self {
        Self { kind: Kind::Environment, message: message.into(), hint: None }
    }

    /// The disk refuses what is written on the way to a release.
    #[must_use]
    pub fn disk(error: &io::Error) -> Self {
        let reason = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full".to_owned(),
            io::ErrorKind::FileTooLarge => "the file would be larger than allowed".to_owned(),
            // What the system says knows no cells; a library's words might.
            kind => error.raw_os_error().map_or_else(|| kind.to_string(), |_| error.to_string()),
        };
        Self::environment(format!("the release cannot be written: {reason}"))
            .hint("nothing was released; mend it and run again")
    }

    /// A step of ours found what cannot be.
    #[must_use]
    pub fn internal() -> Self {
        Self::environment("an internal step failed")
            .hint("please report this as a bug, with the policy and without the data")
    }

    /// Adds the next step.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The exit code of a program that ends with this error.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Unsafe => 1,
            Kind::Input => 2,
            Kind::Environment => 3,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
