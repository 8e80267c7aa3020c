//! Why there is nothing to judge.
//!
//! A false claim is a failed check, not an error. An error means that the folder holds no manifest this audit can read, or
//! that the environment failed. Like every text here, it names places and counts, never contents.

use std::io;

/// Why no verdict could be given.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditError {
    /// The folder is absent or is not a folder.
    #[error("the release folder was not found\nhint: give the `public` folder of a release")]
    NoFolder,
    /// The folder has no manifest.
    #[error("the folder has no manifest.json\nhint: give the `public` folder of a release")]
    NoManifest,
    /// The manifest is a link, a folder or something else that is no plain file.
    #[error("manifest.json is not a plain file")]
    ManifestKind,
    /// The manifest is too large to be one.
    #[error("manifest.json is larger than {limit} bytes")]
    ManifestSize {
        /// The largest manifest that is read.
        limit: u64,
    },
    /// The manifest is not JSON.
    #[error("manifest.json is not well-formed JSON: line {line}, column {column}")]
    Malformed {
        /// Line in the manifest.
        line: usize,
        /// Column in the manifest.
        column: usize,
    },
    /// The manifest is JSON, but a claim is missing or has the wrong type.
    #[error("manifest.json does not hold the expected claims: {what}, line {line}, column {column}")]
    Shape {
        /// What is wrong, in terms of the manifest's own keys.
        what: String,
        /// Line in the manifest.
        line: usize,
        /// Column in the manifest.
        column: usize,
    },
    /// The manifest says that it has another format.
    #[error("manifest.json has a format that this audit does not know; it knows format 1")]
    Format,
    /// The data has a format that this audit cannot read.
    #[error("the manifest names a data format that this audit does not know; it knows csv and parquet")]
    DataFormat,
    /// The original cannot be compared.
    #[error("the original cannot be compared: {what}")]
    Original {
        /// What is wrong.
        what: String,
    },
    /// The mask cannot be used.
    #[error("the mask cannot be used: {what}\nhint: give the `private/mask.json` of the release")]
    Mask {
        /// What is wrong.
        what: String,
    },
    /// The key cannot be used.
    #[error("the key cannot be used: {what}\nhint: give the `private/key` of the release, or the file of its --key")]
    Key {
        /// What is wrong.
        what: &'static str,
    },
    /// An earlier release cannot be compared.
    #[error("an earlier release cannot be compared: {what}\nhint: give the `public` folder of an earlier release")]
    Earlier {
        /// What is wrong.
        what: &'static str,
    },
    /// Reading failed for a reason that lies outside the release.
    #[error("{what} could not be read: {kind}")]
    Io {
        /// What was being read.
        what: &'static str,
        /// What the system said.
        kind: io::ErrorKind,
    },
}

impl AuditError {
    /// The exit code for a program: 2 for wrong use or input, 3 for the environment.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Io { .. }) { 3 } else { 2 }
    }

    pub(crate) fn io(what: &'static str) -> impl Fn(io::Error) -> Self {
        move |error| Self::Io { what, kind: error.kind() }
    }
}
