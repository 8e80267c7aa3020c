//! The claimed files: all there, nothing else beside them, each with its hash.
//!
//! What is handed over is the whole folder, so anything beyond the manifest, the data and the listed reports fails. A
//! release knows the names of its files: one that calls itself otherwise may be anything.

use std::collections::BTreeSet;
use std::ffi::OsString;

use crate::folder::{Digest, Folder, digest};
use crate::manifest::{self, Data, Manifest, ReportFile};
use crate::{AuditError, Check};

/// The reports that a release comes with.
const REPORTS: [&str; 2] = ["report.json", "report.html"];

/// Whether the folder holds the claimed files and nothing else.
pub(crate) fn check(folder: &Folder<'_>, manifest: &Manifest) -> Check {
    let names: Vec<&str> = claimed(manifest).collect();
    let distinct: BTreeSet<OsString> = names.iter().map(OsString::from).collect();
    let absent = names.iter().filter(|name| folder.file(name).is_none()).count();
    let extra = folder.entries.keys().filter(|name| !distinct.contains(*name)).count();
    let repeated = names.len() - distinct.len();
    let unknown = unknown(manifest);
    let troubles = [
        (absent, "claimed files absent or not plain files"),
        (repeated, "claimed twice"),
        (extra, "more entries"),
        (unknown, "with a name that no release has"),
    ];
    let found: Vec<String> =
        troubles.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let text = if found.is_empty() { "they and nothing else".to_owned() } else { found.join(", ") };
    let claim = format!("{} plain files: the manifest, the data and {} reports", names.len(), names.len() - 2);
    Check::new("files", found.is_empty(), claim, text)
}

/// How many claimed files are called as no release calls its files.
fn unknown(manifest: &Manifest) -> usize {
    let Data { file, format, .. } = &manifest.claims.data;
    let other = manifest.claims.reports.iter().filter(|report| !REPORTS.contains(&report.file.as_str())).count();
    other + usize::from(*file != format!("data.{format}"))
}

/// Whether each report has the claimed hash. An absent report fails the check of the files.
pub(crate) fn report_check(folder: &Folder<'_>, manifest: &Manifest) -> Result<Check, AuditError> {
    let reports = &manifest.claims.reports;
    let mut wrong = 0_usize;
    for ReportFile { file, sha256 } in reports {
        if let Some(content) = folder.file(file) {
            wrong += usize::from(digest(&content)?.sha256 != *sha256);
        }
    }
    let claim = format!("a SHA-256 for each of {} reports", reports.len());
    Ok(Check::new("report-hashes", wrong == 0, claim, format!("{wrong} reports with another hash")))
}

/// Whether the data file has the claimed size and hash.
pub(crate) fn data_checks(found: &Digest, data: &Data) -> [Check; 2] {
    let same = found.sha256 == data.sha256;
    let words = if same { "the same hash" } else { "another hash" };
    let size = Check::new("data-size", found.bytes == data.bytes, bytes(data.bytes), bytes(found.bytes));
    [Check::new("data-hash", same, "the SHA-256 of the data file", words), size]
}

fn bytes(count: u64) -> String {
    format!("{count} bytes")
}

fn claimed(manifest: &Manifest) -> impl Iterator<Item = &str> {
    let reports = manifest.claims.reports.iter().map(|report| report.file.as_str());
    [manifest::FILE, manifest.claims.data.file.as_str()].into_iter().chain(reports)
}
