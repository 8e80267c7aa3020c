//! The folder: what lies in it, under which names, with which hashes.
//!
//! What is handed over is the whole folder, so anything beyond the manifest, the data and the listed reports fails. The
//! names come from the manifest and are hostile: a name that is more than a plain file name, and an entry that is a link
//! or a device, is never opened.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::manifest::{self, Data, Manifest, ReportFile};
use crate::{AuditError, Check};

/// The entries of a folder, and whether each is a plain file.
pub(crate) struct Folder {
    path: PathBuf,
    entries: BTreeMap<OsString, bool>,
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

    /// Whether the folder holds the claimed files and nothing else.
    pub fn check(&self, manifest: &Manifest) -> Check {
        let names: Vec<&str> = claimed(manifest).collect();
        let distinct: BTreeSet<OsString> = names.iter().map(OsString::from).collect();
        let absent = names.iter().filter(|name| self.path(name).is_none()).count();
        let extra = self.entries.keys().filter(|name| !distinct.contains(*name)).count();
        let repeated = names.len() - distinct.len();
        Check::new(
            "files",
            absent == 0 && extra == 0 && repeated == 0,
            format!("{} plain files: the manifest, the data and {} reports", names.len(), names.len() - 2),
            format!("{absent} claimed files absent or not plain files, {repeated} claimed twice, {extra} more entries"),
        )
    }

    /// Whether each report has the claimed hash. An absent report fails the check of the files.
    pub fn report_check(&self, manifest: &Manifest) -> Result<Check, AuditError> {
        let reports = &manifest.claims.reports;
        let mut wrong = 0_usize;
        for ReportFile { file, sha256 } in reports {
            if let Some(path) = self.path(file) {
                wrong += usize::from(!digest(&path)?.sha256.eq_ignore_ascii_case(sha256));
            }
        }
        let claim = format!("a SHA-256 for each of {} reports", reports.len());
        Ok(Check::new("report-hashes", wrong == 0, claim, format!("{wrong} reports with another hash")))
    }
}

impl Digest {
    /// Whether the data file has the claimed size and hash.
    pub fn checks(&self, data: &Data) -> [Check; 2] {
        let same = self.sha256.eq_ignore_ascii_case(&data.sha256);
        let found = if same { "the same hash" } else { "another hash" };
        let size = Check::new("data-size", self.bytes == data.bytes, bytes(data.bytes), bytes(self.bytes));
        [Check::new("data-hash", same, "the SHA-256 of the data file", found), size]
    }
}

fn bytes(count: u64) -> String {
    format!("{count} bytes")
}

fn claimed(manifest: &Manifest) -> impl Iterator<Item = &str> {
    let reports = manifest.claims.reports.iter().map(|report| report.file.as_str());
    [manifest::FILE, manifest.claims.data.file.as_str()].into_iter().chain(reports)
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
