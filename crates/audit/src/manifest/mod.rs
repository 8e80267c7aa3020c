//! The claims: `manifest.json`, read as hostile input.
//!
//! What the checks rely on is typed, and a claim that is missing, repeated or of the wrong type is an error. A key that is
//! not known is a claim nobody judges, or a place to hide something, so it fails a check of its own.

mod claims;

use std::io::Read;

use serde_json::Value;

use crate::folder::Folder;
use crate::{AuditError, Check, labels, privacy, treatment};
pub(crate) use claims::{
    Claims, ClassSizes, Column, Data, LabelClaim, NewValues, PrivacyClaim, RecordCounts, ReportFile, TreatmentClaim,
};

/// The manifest's own file name.
pub(crate) const FILE: &str = "manifest.json";
/// Lists of labels can be long; beyond this it is no manifest.
const SIZE_LIMIT: u64 = 256 * 1024 * 1024;

/// The keys of format 1, by the place of what they are in. `[]` steps into a list. What a privacy model or a rule of
/// labels takes, its member says.
const KNOWN: [(&str, &str); 12] = [
    (
        "",
        "format program data reports records suppression_limit limit_unit columns classes privacy person guarantee \
         neutralised_cells method parameters search optimal by_preferences loss about",
    ),
    ("data", "file format sha256 bytes order delimiter encoding decimal"),
    ("reports[]", "file sha256"),
    ("records", "original released suppressed"),
    ("columns[]", "name role level levels labels number type new_values treatments"),
    (LABELS, "rule or_top"),
    ("columns[].new_values", "covered dates words"),
    (TREATMENTS, "treatment"),
    ("classes", "count min max"),
    (PRIVACY, "model unit checked"),
    ("loss", "name weights suppressed k target"),
    ("about", "title purpose recipient date version"),
];

const PRIVACY: &str = "privacy[]";
const LABELS: &str = "columns[].labels";
const TREATMENTS: &str = "columns[].treatments[]";

fn is_known(path: &str, key: &str) -> bool {
    let mut of_path = KNOWN.iter().filter(|(known, _)| *known == path).flat_map(|(_, keys)| keys.split(' '));
    let of_members = match path {
        PRIVACY => privacy::keys().any(|known| known == key),
        LABELS => labels::keys().any(|known| known == key),
        TREATMENTS => treatment::keys().any(|known| known == key),
        _ => false,
    };
    of_members || of_path.any(|known| known == key)
}

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
    match path {
        "parameters" => usize::from(!is_setting(key, inner)),
        _ if is_known(path, key) => unknown_keys(inner, &here),
        _ => 1,
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
