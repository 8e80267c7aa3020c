//! The reports: nothing in them but what the manifest and the released classes tell.
//!
//! **Consistency, not independence.** Every other check has code of its own. This one calls the writer of the program: it shows that the
//! reports are what the program makes of this manifest and these classes, not that the program writes the truth. The numbers in them
//! come from the claims, which the other checks judge.
//!
//! A report is text that people trust and nobody recounts, so it is a place to hide anything: a script, other numbers,
//! cells of the original. Whoever runs the audit therefore gives it a writer, a function of the manifest and of the class
//! sizes and labels that the audit counted, and each report must be what that writer writes, to the last byte. A report that cannot
//! be written again is not known to be harmless, and that is no pass.

use std::io::{self, Read};

use crate::Check;
use crate::folder::Folder;
use crate::manifest::Manifest;

/// Writes the reports of a release from the bytes of its manifest and what was counted in the data: file names and texts,
/// or none where the manifest is of another version.
pub type ReportWriter = fn(manifest: &[u8], counted: &ReleaseCounts) -> Option<Vec<(&'static str, String)>>;

/// What the audit counted in the released data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReleaseCounts {
    /// The sizes of the classes, in no order.
    pub class_sizes: Vec<u64>,
    /// For each recoded column, in the order of the file, its name and how many records have each label, in no order.
    pub label_counts: Vec<(String, Vec<u64>)>,
}

/// The reports of a release, and what can write them again.
#[derive(Clone, Copy)]
pub(crate) struct Reports<'a> {
    pub folder: &'a Folder<'a>,
    pub manifest: &'a Manifest,
    pub writer: Option<ReportWriter>,
}

impl Reports<'_> {
    /// Whether each report is what the writer writes.
    pub fn check(&self, counted: &ReleaseCounts) -> Check {
        let listed = self.manifest.claims.reports.len();
        let check = |passed, found: String| {
            Check::new("reports", passed, format!("{listed} reports tell what manifest and classes tell"), found)
        };
        let Some(writer) = self.writer else {
            return check(listed == 0, "not compared: there is no writer".to_owned());
        };
        let Some(written) = writer(&self.manifest.bytes, counted) else {
            return check(false, "not compared: this version does not write such reports".to_owned());
        };
        let other = written.iter().filter(|(file, text)| !self.is_same(file, text.as_bytes())).count();
        check(
            other == 0 && listed == written.len(),
            format!("{other} of {} reports differ from those written again", written.len()),
        )
    }

    fn is_same(&self, file: &str, text: &[u8]) -> bool {
        let is_listed = self.manifest.claims.reports.iter().any(|report| report.file == file);
        let Some(content) = self.folder.file(file).filter(|_| is_listed) else { return false };
        let read = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            content.open()?.take(text.len() as u64 + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().is_ok_and(|bytes| bytes == text)
    }
}
