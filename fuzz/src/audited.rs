//! Folders in memory, audited.

use std::collections::BTreeMap;

use bytes::Bytes;
use equanym_audit::{AuditError, Options, Original, ReleaseCounts, Verdict, audit_in_memory};
use serde_json::json;

use crate::release::{REPORTS, data, hash, written};

#[allow(clippy::unnecessary_wraps, reason = "a writer may know no reports")]
fn same_reports(_: &[u8], _: &ReleaseCounts) -> Option<Vec<(&'static str, String)>> {
    Some(REPORTS.map(|(file, text)| (file, text.to_owned())).to_vec())
}

/// The verdict on the fixed release with this manifest.
pub fn manifest(bytes: &[u8]) -> Option<Verdict> {
    let files = REPORTS.map(|(file, text)| (file, text.to_owned().into_bytes()));
    let files = files.into_iter().chain([("data.csv", data().into_bytes()), ("manifest.json", bytes.to_vec())]);
    audit(files, &Options::default())
}

/// How many records the audit reads of a Parquet file whose columns are text and have these names; nothing where it refuses it.
pub fn parquet(bytes: &[u8], columns: &[String]) -> Option<u64> {
    let table = Sightless(columns);
    let claims: Vec<_> = columns.iter().map(|name| json!({"name": name, "role": "insensitive"})).collect();
    let manifest = |records: u64| {
        json!({
            "format": 1, "program": "equanym 0.1.0",
            "data": {"file": "data.parquet", "format": "parquet", "order": "input", "sha256": hash(bytes), "bytes": bytes.len()},
            "reports": [], "records": {"original": records, "released": records, "suppressed": 0}, "suppression_limit": 0,
            "columns": claims, "classes": {"count": 1, "min": records, "max": records}, "privacy": [], "guarantee": "none",
            "neutralised_cells": 0, "method": "global-recoding"
        })
    };
    let files = [("data.parquet", bytes.to_vec()), ("manifest.json", written(&manifest(0)).into_bytes())];
    let verdict = audit(files.into_iter(), &Options { original: Some(&table), ..Options::default() })?;
    let passed = |name: &str| verdict.checks.iter().any(|check| check.name == name && check.passed);
    // What it found is told in words: "3 released records, …".
    let records = verdict.checks.iter().find(|check| check.name == "records")?;
    records.found.split(' ').next().filter(|_| passed("rows"))?.parse().ok()
}

fn audit(files: impl Iterator<Item = (&'static str, Vec<u8>)>, options: &Options<'_>) -> Option<Verdict> {
    let files: BTreeMap<String, Bytes> = files.map(|(name, bytes)| (name.to_owned(), bytes.into())).collect();
    match audit_in_memory(&files, &Options { reports: Some(same_reports), ..*options }) {
        Ok(verdict) => Some(verdict),
        Err(error) => {
            assert_eq!(error.exit_code(), 2, "{error}");
            None
        }
    }
}

/// An original without records.
struct Sightless<'a>(&'a [String]);

impl Original for Sightless<'_> {
    fn columns(&self) -> &[String] {
        self.0
    }

    fn read(&self, _: &mut dyn FnMut(&[&str])) -> Result<(), AuditError> {
        Ok(())
    }
}
