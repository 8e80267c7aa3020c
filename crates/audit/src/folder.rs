//! The folder: what lies in it, and how its files are opened and hashed.
//!
//! The names come from the manifest and are hostile: a name that is more than a plain file name, and an entry that is a
//! link or a device, is never opened.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::AuditError;

/// The entries of a folder, and whether each is a plain file.
pub(crate) struct Folder {
    path: PathBuf,
    pub entries: BTreeMap<OsString, bool>,
}

/// Size and hash of a file.
pub(crate) struct Digest {
    pub bytes: u64,
    pub sha256: String,
}

impl Folder {
    pub fn list(path: &Path) -> Result<Self, AuditError> {
        let listing = fs::read_dir(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => AuditError::NoFolder,
            kind => AuditError::Io { what: "the release folder", kind },
        })?;
        let entries =
            listing.map(|entry| entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?.is_file()))));
        let entries = entries.collect::<io::Result<_>>().map_err(AuditError::io("the release folder"))?;
        Ok(Self { path: path.to_owned(), entries })
    }

    pub fn has(&self, name: &str) -> bool {
        self.entries.contains_key(&OsString::from(name))
    }

    /// Where a file of the folder lies; nothing when it is absent, no plain file, or not named plainly.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let plain_file = self.entries.get(&OsString::from(name)).copied().unwrap_or(false);
        (plain_file && is_plain(name)).then(|| self.path.join(name))
    }
}

/// Whether a name stays within its folder on every system that may open it.
fn is_plain(name: &str) -> bool {
    let outside = |character: char| character.is_control() || matches!(character, '/' | '\\' | ':');
    !name.is_empty() && !name.chars().all(|character| character == '.') && !name.contains(outside)
}

/// Reads a file once for its size and hash.
pub(crate) fn digest(path: &Path) -> Result<Digest, AuditError> {
    let mut file = File::open(path).map_err(AuditError::io("a file of the release"))?;
    let mut hash = Sha256::new();
    let mut bytes = 0;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = file.read(&mut buffer).map_err(AuditError::io("a file of the release"))?;
        if count == 0 {
            return Ok(Digest { bytes, sha256: hex(hash) });
        }
        bytes += count as u64;
        hash.update(buffer.get(..count).unwrap_or_default());
    }
}

/// A finished hash as lower-case hexadecimal digits.
pub(crate) fn hex(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
