//! A fixed release, and the manifests that it can honestly have.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The columns of the data.
pub const COLUMNS: [&str; 7] = ["id", "age", "zip", "day", "job", "dose", "diagnosis"];

/// The reports, which are always the same.
pub const REPORTS: [(&str, &str); 2] = [("report.json", "{}"), ("report.html", "<p>")];

const DIAGNOSES: [&str; 3] = ["", "I10", "J45"];

/// Two classes of six records; each record has a person of its own.
pub fn records() -> Vec<[String; 7]> {
    let keys = [["[20, 25[", "123*", "2026-02", "clerk"], ["[25, 30[", "12", "2026-03", "nurse"]];
    let record = |number: usize| {
        let [age, zip, day, job] = keys[number % 2].map(str::to_owned);
        let (dose, diagnosis) = ((number / 2 * 5).to_string(), DIAGNOSES[number / 2 % 3].to_owned());
        [format!("p{number:032x}"), age, zip, day, job, dose, diagnosis]
    };
    (0..12).map(record).collect()
}

/// The data file.
pub fn data() -> String {
    let lines = records().into_iter().map(|record| {
        record.map(|cell| if cell.contains(',') { format!("\"{cell}\"") } else { cell }).join(",") + "\n"
    });
    std::iter::once(COLUMNS.join(",") + "\n").chain(lines).collect()
}

/// A hash as manifests have it.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A manifest as a release writes it.
pub fn written(manifest: &Value) -> String {
    format!("{manifest:#}\n")
}

/// Manifests that say the truth: one of each kind of release.
pub fn manifests() -> Vec<Value> {
    vec![recoded(), of_people(), local(), renewed(), unguarded()]
}

fn recoded() -> Value {
    let data = data();
    json!({
        "format": 1,
        "program": "equanym 0.1.0",
        "data": {"file": "data.csv", "format": "csv", "order": "canonical", "sha256": hash(data.as_bytes()), "bytes": data.len()},
        "reports": REPORTS.map(|(file, text)| json!({"file": file, "sha256": hash(text.as_bytes())})),
        "records": {"original": 13, "released": 12, "suppressed": 1},
        "suppression_limit": 0.1,
        "columns": [
            {"name": "id", "role": "pseudonym", "treatments": [{"treatment": "pseudonym"}]},
            {"name": "age", "role": "quasi-identifying", "level": 1, "levels": 6, "labels": {"rule": "interval", "width": "5"}},
            {"name": "zip", "role": "quasi-identifying", "level": 2, "levels": 5, "labels": {"rule": "prefix", "keep": 3}},
            {"name": "day", "role": "quasi-identifying", "level": 1, "levels": 5,
             "labels": {"rule": "date", "grain": "month", "format": "YYYY-MM-DD"}},
            {"name": "job", "role": "quasi-identifying", "level": 1, "levels": 4,
             "labels": {"rule": "listed", "values": ["clerk", "nurse"], "or_top": true}},
            {"name": "dose", "role": "insensitive", "treatments": [{"treatment": "round", "to": "5"}, {"treatment": "top", "at": "90"}]},
            {"name": "diagnosis", "role": "sensitive"}],
        "classes": {"count": 2, "min": 6, "max": 6},
        "privacy": [
            {"model": "k-anonymity", "k": 5, "checked": "release"},
            {"model": "l-diversity", "kind": "entropy", "variable": "diagnosis", "l": 2.5, "estimator": "shannon", "checked": "release"},
            {"model": "lkc", "l": 2, "k": 3, "c": 0.5, "variable": "diagnosis", "checked": "release"},
            {"model": "t-closeness", "t": 0.25, "distance": "equal", "variable": "diagnosis", "checked": "original"},
            {"model": "average-risk", "max": 0.2, "checked": "release"}],
        "neutralised_cells": 0,
        "method": "global-recoding", "search": "optimal", "optimal": true, "by_preferences": true,
        "loss": {"name": "weighted-non-uniform-entropy", "weights": "preferences", "suppressed": "charged"},
        "about": {"title": "Stays", "purpose": "Beds", "recipient": "A ministry", "date": "2026-02-01", "version": "1"}
    })
}

fn of_people() -> Value {
    let mut manifest = recoded();
    manifest["person"] = json!("id");
    manifest["limit_unit"] = json!("persons");
    manifest["loss"] = json!({"name": "classification", "target": "diagnosis"});
    for claim in manifest["privacy"].as_array_mut().into_iter().flatten() {
        claim["unit"] = json!("people");
        claim["checked"] = json!("original");
    }
    manifest
}

/// Labels of any level in each class.
fn local() -> Value {
    let mut manifest = recoded();
    manifest["method"] = json!("mondrian");
    let occurring = [["[20, 25[", "[25, 30["], ["12", "123*"], ["2026-02", "2026-03"], ["clerk", "nurse"]];
    for (place, values) in occurring.into_iter().enumerate() {
        let name = COLUMNS[place + 1];
        manifest["columns"][place + 1] =
            json!({"name": name, "role": "quasi-identifying", "labels": {"rule": "any-level", "values": values}});
    }
    remove(&mut manifest, &["search", "optimal", "by_preferences", "loss"]);
    manifest
}

/// The doses are new numbers.
fn renewed() -> Value {
    let mut manifest = recoded();
    manifest["method"] = json!("perturbation");
    manifest["parameters"] = json!({"noise": "normal", "distortion": 0.1, "tolerance": 0.05});
    manifest["columns"][5] = json!({"name": "dose", "role": "quasi-identifying", "new_values": {"covered": false}});
    manifest
}

/// Nothing is promised.
fn unguarded() -> Value {
    let mut manifest = recoded();
    manifest["privacy"] = json!([]);
    manifest["guarantee"] = json!("none");
    remove(&mut manifest, &["search", "optimal", "by_preferences", "loss", "about"]);
    manifest
}

fn remove(manifest: &mut Value, keys: &[&str]) {
    if let Some(entries) = manifest.as_object_mut() {
        entries.retain(|key, _| !keys.contains(&key.as_str()));
    }
}
