//! The claims: `manifest.json`, read as hostile input.
//!
//! What the checks rely on is typed, and a claim that is missing, repeated or of the wrong type is an error. Keys that nobody
//! knows fail a check of their own: see [`crate::known_keys`].

mod claims;
mod tree;

use std::io::Read;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::AuditError;
use crate::folder::Folder;
pub(crate) use claims::{
    Claims, ClassSizes, Column, Data, LabelClaim, NewValues, PrivacyClaim, RecordCounts, ReportFile, TreatmentClaim,
};
pub(crate) use tree::ManifestTree;

/// The manifest's own file name.
pub(crate) const FILE: &str = "manifest.json";
/// Lists of labels can be long; beyond this it is no manifest.
const SIZE_LIMIT: u64 = 256 * 1024 * 1024;

/// The manifest: its claims, and the file that makes them.
pub(crate) struct Manifest {
    pub claims: Claims,
    /// The file as it was read.
    pub bytes: Vec<u8>,
}

impl Manifest {
    /// Everything that the file holds, known or not.
    pub fn content(&self) -> Result<ManifestTree, AuditError> {
        parse(&self.bytes)
    }
}

/// Reads the manifest of a folder.
pub(crate) fn read(folder: &Folder<'_>) -> Result<Manifest, AuditError> {
    let bytes = bytes(folder)?;
    let content: Value = parse(&bytes)?;
    if content.get("format").and_then(Value::as_u64) != Some(1) {
        return Err(AuditError::Format);
    }
    let claims: Claims = parse(&bytes)?;
    if !matches!(claims.data.format.as_str(), "csv" | "parquet") {
        return Err(AuditError::DataFormat);
    }
    Ok(Manifest { claims, bytes })
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, AuditError> {
    serde_json::from_slice(bytes).map_err(|error| describe(&error))
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
