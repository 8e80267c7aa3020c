//! The keys of the manifest: each is one that a check judges, stands once, and says something.
//!
//! A key that is not known is a claim nobody judges, or a place to hide something. So are a key that stands twice, of which readers
//! take one or the other, a `null`, and blanks or spellings that JSON permits and nobody needs.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::manifest::{Manifest, ManifestTree};
use crate::{AuditError, Check, course, labels, privacy, treatment};

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
    (LOSS, "name"),
    ("about", "title purpose recipient date version"),
];

const PRIVACY: &str = "privacy[]";
const LABELS: &str = "columns[].labels";
const TREATMENTS: &str = "columns[].treatments[]";
const PARAMETERS: &str = "parameters";
const LOSS: &str = "loss";

fn is_known(path: &str, key: &str) -> bool {
    let mut of_path = KNOWN.iter().filter(|(known, _)| *known == path).flat_map(|(_, keys)| keys.split(' '));
    let of_members = match path {
        PRIVACY => privacy::keys().any(|known| known == key),
        LABELS => labels::keys().any(|known| known == key),
        TREATMENTS => treatment::keys().any(|known| known == key),
        PARAMETERS => course::method_keys().any(|known| known == key),
        LOSS => course::loss_keys().any(|known| known == key),
        _ => false,
    };
    of_members || of_path.any(|known| known == key)
}

/// Whether each key of the manifest is one that this audit knows, and the manifest is written as format 1 is.
pub(crate) fn checks(manifest: &Manifest) -> Result<[Check; 2], AuditError> {
    let content = manifest.content()?;
    let unknown = unknown_keys(&content, "");
    let found = format!("{unknown} keys that this audit does not know, that stand twice, or that say nothing");
    let keys = "the manifest holds the keys of format 1 only, each once and with a value";
    let is_plain = content.written().is_some_and(|text| text.as_bytes() == manifest.bytes);
    let written = if is_plain { "the same bytes" } else { "other bytes, in which something may hide" };
    Ok([
        Check::new("manifest-keys", unknown == 0, keys, found),
        Check::new("plain-manifest", is_plain, "what the manifest says, written again, is the whole file", written),
    ])
}

fn unknown_keys(value: &ManifestTree, path: &str) -> usize {
    match value {
        ManifestTree::Object(entries) if entries.is_empty() => 1,
        ManifestTree::Object(entries) => {
            let keys: BTreeSet<&String> = entries.iter().map(|(key, _)| key).collect();
            let repeated = entries.len() - keys.len();
            repeated + entries.iter().map(|(key, inner)| unknown_key(key, inner, path)).sum::<usize>()
        }
        ManifestTree::List(items) => items.iter().map(|item| unknown_keys(item, &format!("{path}[]"))).sum(),
        ManifestTree::Leaf(value) => usize::from(*value == Value::Null),
    }
}

fn unknown_key(key: &str, inner: &ManifestTree, path: &str) -> usize {
    let here = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    if is_known(path, key) { unknown_keys(inner, &here) } else { 1 }
}
