//! Each claim, spoilt in several ways.

use serde_json::{Value, json};

use super::Mutant;
use crate::release::Release;

/// The change of the manifest that nobody can see in the bytes.
const UNSEEN: &str = "/optimal another";

/// Whether a change says the same: what does not say what shows it is shown by the release.
fn is_same(name: &str, manifest: &Value) -> bool {
    name.strip_suffix(" absent")
        .filter(|pointer| pointer.ends_with("/checked"))
        .is_some_and(|pointer| manifest.pointer(pointer).is_some_and(|checked| checked == "release"))
}

/// One mutant for each way to spoil each claim.
pub fn mutants(honest: impl Fn() -> Release) -> Vec<Mutant> {
    let manifest = honest().manifest;
    let mut changes: Vec<(String, Value)> = Vec::new();
    for pointer in pointers(&manifest, "") {
        let here = manifest.pointer(&pointer).unwrap();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let mut absent = manifest.clone();
        match absent.pointer_mut(parent).unwrap() {
            Value::Object(entries) => drop(entries.remove(key)),
            Value::Array(items) => drop(items.remove(key.parse().unwrap())),
            _ => unreachable!(),
        }
        changes.push((format!("{pointer} absent"), absent));
        for (what, value) in spoilt(here) {
            let mut other = manifest.clone();
            *other.pointer_mut(&pointer).unwrap() = value;
            changes.push((format!("{pointer} {what}"), other));
        }
    }
    changes.retain(|(name, _)| name != UNSEEN && !is_same(name, &manifest));
    let mutant = |(name, manifest)| {
        let mut release = honest();
        release.manifest = manifest;
        (name, release)
    };
    changes.into_iter().map(mutant).collect()
}

/// The places of all values of a manifest.
fn pointers(value: &Value, here: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(entries) => entries.iter().map(|(key, inner)| (format!("{here}/{key}"), inner)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(key, inner)| (format!("{here}/{key}"), inner)).collect(),
        _ => Vec::new(),
    };
    below.into_iter().flat_map(|(path, inner)| [vec![path.clone()], pointers(inner, &path)].concat()).collect()
}

/// A value, spoilt in several ways.
fn spoilt(value: &Value) -> Vec<(&'static str, Value)> {
    match value {
        Value::String(text) => vec![
            ("with an x", json!(format!("{text}x"))),
            ("empty", json!("")),
            ("the other", json!(if text == "original" { "release" } else { "original" })),
            ("a number", json!(7)),
            ("a list", json!([text])),
        ],
        Value::Number(number) if number.is_u64() => {
            let number = number.as_u64().unwrap();
            let less = number.checked_sub(1).map(|less| ("- 1", json!(less)));
            [("+ 1", json!(number + 1)), ("a text", json!(number.to_string())), ("negative", json!(-1))]
                .into_iter()
                .chain(less)
                .collect()
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            vec![("+ 1", json!(number + 1.0)), ("- 1", json!(number - 1.0)), ("a text", json!("0"))]
        }
        Value::Object(entries) => {
            let mut more = entries.clone();
            more.insert("remark".to_owned(), json!("withheld"));
            vec![("with a remark", Value::Object(more)), ("a text", json!("x"))]
        }
        Value::Array(items) => {
            let mut twice = items.clone();
            twice.extend(items.first().cloned());
            vec![("longer", Value::Array(twice)), ("a text", json!("x"))]
        }
        Value::Bool(flag) => vec![("another", json!(!flag)), ("a number", json!(1))],
        Value::Null => Vec::new(),
    }
}
