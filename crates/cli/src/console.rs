//! Where words go: results to standard output, everything else to standard error.
//!
//! With `--json` standard output carries exactly one JSON document. With `--quiet` it carries only what was asked for:
//! a list, a risk, a policy, but no story of a release that lies in its folder anyway. Colour codes are written freely
//! and leave the program only towards a terminal that wants them (`NO_COLOR` is respected).
//!
//! A reader that went away (`equanym list | head -1`) is no failure: the work goes on without words.

use std::io::{self, ErrorKind, Write};

use equanym_engine::error::{Error, Result};
use serde::Serialize;

/// Where words go.
#[derive(Debug, Clone, Copy)]
pub struct Console {
    /// Whether standard output carries one JSON document.
    pub json: bool,
    /// Whether only what was asked for is printed.
    pub quiet: bool,
}

impl Console {
    /// Prints the one result of a command: a document for programs, or text for people.
    pub fn result(self, document: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
        if self.json { self.document(document) } else { print(&text()) }
    }

    /// Prints a story that people may want to read beside the result; nothing with `--json` or `--quiet`.
    pub fn story(self, text: impl FnOnce() -> String) -> Result<()> {
        if self.json || self.quiet { Ok(()) } else { print(&text()) }
    }

    /// Prints the one JSON document; nothing without `--json`.
    pub fn document(self, document: &impl Serialize) -> Result<()> {
        if !self.json {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(document)
            .map_err(|_| Error::environment("the result cannot be written as JSON"))?;
        delivered(write(&mut io::stdout().lock(), &(text + "\n")))
    }
}

/// Prints text for people.
pub fn print(text: &str) -> Result<()> {
    delivered(write(&mut anstream::stdout().lock(), text))
}

/// Prints a message beside the result. There is nobody to tell when that fails.
pub fn message(text: &str) {
    let _ = write(&mut anstream::stderr().lock(), text);
}

fn write(to: &mut impl Write, text: &str) -> io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}

fn delivered(outcome: io::Result<()>) -> Result<()> {
    match outcome {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::environment(format!("standard output cannot be written: {}", error.kind())))
        }
        _ => Ok(()),
    }
}
