//! The claims: `manifest.json`, read as hostile input.
//!
//! What the checks rely on is typed, and a claim that is missing, repeated or of the wrong type is an error. A key that is
//! not known is a claim nobody judges, or a place to hide something, so it fails a check of its own.

mod claims;

use std::io::Read;

use serde_json::Value;

use crate::folder::Folder;
use crate::{AuditError, Check};
pub(crate) use claims::{Claims, ClassSizes, Column, Data, Labels, NewValues, Privacy, Records, ReportFile, Treatment};

/// The manifest's own file name.
pub(crate) const FILE: &str = "manifest.json";
/// Lists of labels can be long; beyond this it is no manifest.
const SIZE_LIMIT: u64 = 256 * 1024 * 1024;

/// Every key of format 1, with its path. `[]` steps into a list.
const KNOWN: &[&str] = &[
    "format",
    "program",
    "data",
    "data.file",
    "data.format",
    "data.sha256",
    "data.bytes",
    "data.order",
    "data.delimiter",
    "data.encoding",
    "data.decimal",
    "reports",
    "reports[].file",
    "reports[].sha256",
    "records",
    "records.original",
    "records.released",
    "records.suppressed",
    "suppression_limit",
    "limit_unit",
    "columns",
    "columns[].name",
    "columns[].role",
    "columns[].level",
    "columns[].levels",
    "columns[].labels",
    "columns[].labels.rule",
    "columns[].labels.width",
    "columns[].labels.keep",
    "columns[].labels.grain",
    "columns[].labels.top",
    "columns[].labels.bottom",
    "columns[].labels.library",
    "columns[].labels.step",
    "columns[].labels.format",
    "columns[].labels.values",
    "columns[].number",
    "columns[].type",
    "columns[].new_values",
    "columns[].new_values.covered",
    "columns[].new_values.dates",
    "columns[].new_values.words",
    "columns[].labels.or_top",
    "columns[].treatments",
    "columns[].treatments[].treatment",
    "columns[].treatments[].days",
    "columns[].treatments[].by",
    "columns[].treatments[].format",
    "columns[].treatments[].to",
    "columns[].treatments[].at",
    "columns[].treatments[].at_format",
    "columns[].treatments[].day",
    "columns[].treatments[].top",
    "classes",
    "classes.count",
    "classes.min",
    "classes.max",
    "privacy",
    "privacy[].model",
    "privacy[].variable",
    "privacy[].k",
    "privacy[].l",
    "privacy[].kind",
    "privacy[].c",
    "privacy[].estimator",
    "privacy[].t",
    "privacy[].distance",
    "privacy[].delta",
    "privacy[].absent",
    "privacy[].beta",
    "privacy[].epsilon",
    "privacy[].epsilon_search",
    "privacy[].seeded",
    "privacy[].alpha",
    "privacy[].max",
    "privacy[].highest",
    "privacy[].share",
    "privacy[].fraction",
    "privacy[].population_size",
    "privacy[].known",
    "privacy[].benefit",
    "privacy[].loss",
    "privacy[].gain",
    "privacy[].cost",
    "privacy[].attack",
    "privacy[].min",
    "privacy[].significance",
    "privacy[].unit",
    "privacy[].checked",
    "person",
    "guarantee",
    "neutralised_cells",
    "method",
    "parameters",
    "search",
    "optimal",
    "by_preferences",
    "loss",
    "loss.name",
    "loss.weights",
    "loss.suppressed",
    "loss.k",
    "loss.target",
    "about",
    "about.title",
    "about.purpose",
    "about.recipient",
    "about.date",
    "about.version",
];

/// The manifest: its claims, and how many of its keys nobody knows.
pub(crate) struct Manifest {
    pub claims: Claims,
    /// The file as it was read.
    pub bytes: Vec<u8>,
    unknown_keys: usize,
}

impl Manifest {
    /// Whether each key is one that this audit knows.
    pub fn keys_check(&self) -> Check {
        let found = format!("{} keys not known to this audit", self.unknown_keys);
        Check::new("manifest-keys", self.unknown_keys == 0, "the manifest holds the keys of format 1 only", found)
    }
}

/// Reads the manifest of a folder.
pub(crate) fn read(folder: &Folder<'_>) -> Result<Manifest, AuditError> {
    let bytes = bytes(folder)?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|error| describe(&error))?;
    if value.get("format").and_then(Value::as_u64) != Some(1) {
        return Err(AuditError::Format);
    }
    let claims: Claims = serde_json::from_slice(&bytes).map_err(|error| describe(&error))?;
    if !matches!(claims.data.format.as_str(), "csv" | "parquet") {
        return Err(AuditError::DataFormat);
    }
    let unknown_keys = unknown_keys(&value, "");
    Ok(Manifest { claims, bytes, unknown_keys })
}

fn bytes(folder: &Folder<'_>) -> Result<Vec<u8>, AuditError> {
    if !folder.has(FILE) {
        return Err(AuditError::NoManifest);
    }
    let content = folder.file(FILE).ok_or(AuditError::ManifestKind)?;
    let file = content.open().map_err(AuditError::io("manifest.json"))?;
    let mut bytes = Vec::new();
    file.take(SIZE_LIMIT + 1).read_to_end(&mut bytes).map_err(AuditError::io("manifest.json"))?;
    if bytes.len() as u64 > SIZE_LIMIT { Err(AuditError::ManifestSize { limit: SIZE_LIMIT }) } else { Ok(bytes) }
}

/// The parser's own message may quote the manifest; only what it says about our keys is passed on.
fn describe(error: &serde_json::Error) -> AuditError {
    let (line, column) = (error.line(), error.column());
    if error.classify() != serde_json::error::Category::Data {
        return AuditError::Malformed { line, column };
    }
    let text = error.to_string();
    let about_keys = text.starts_with("missing field") || text.starts_with("duplicate field");
    let what = text.split(" at line").next().filter(|_| about_keys).unwrap_or("a claim has the wrong type");
    AuditError::Shape { what: what.to_owned(), line, column }
}

fn unknown_keys(value: &Value, path: &str) -> usize {
    match value {
        Value::Object(entries) => entries.iter().map(|(key, inner)| unknown_key(key, inner, path)).sum(),
        Value::Array(items) => items.iter().map(|item| unknown_keys(item, &format!("{path}[]"))).sum(),
        _ => 0,
    }
}

fn unknown_key(key: &str, inner: &Value, path: &str) -> usize {
    let here = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match () {
        () if KNOWN.contains(&here.as_str()) => unknown_keys(inner, &here),
        () if path == "parameters" => usize::from(!is_setting(key, inner)),
        () => 1,
    }
}

/// Whether this can be what a policy tells a method: a short word, and a number or another word.
fn is_setting(key: &str, value: &Value) -> bool {
    let is_word = |text: &str| {
        text.len() <= 32 && text.bytes().all(|letter| letter.is_ascii_lowercase() || b"-_".contains(&letter))
    };
    is_word(key)
        && match value {
            Value::Number(_) | Value::Bool(_) => true,
            Value::String(text) => is_word(text),
            _ => false,
        }
}
