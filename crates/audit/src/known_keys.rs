//! The keys of the manifest: each is one that a check judges.
//!
//! A key that is not known is a claim nobody judges, or a place to hide something.

use serde_json::Value;

use crate::manifest::Manifest;
use crate::{AuditError, Check, labels, privacy, treatment};

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

/// Whether each key of the manifest is one that this audit knows.
pub(crate) fn check(manifest: &Manifest) -> Result<Check, AuditError> {
    let unknown = unknown_keys(&manifest.content()?, "");
    let found = format!("{unknown} keys not known to this audit");
    Ok(Check::new("manifest-keys", unknown == 0, "the manifest holds the keys of format 1 only", found))
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
