//! Every word with which a release says how it was made is one that the audit knows.

use std::collections::BTreeMap;

use equanym_audit::{Options, audit_in_memory};
use equanym_core::card::{Card, Kind};
use equanym_core::{loss, method, search};
use serde_json::{Map, Value, json};

/// Whether the audit takes what a manifest claims of method, search and loss.
fn is_taken(course: &Value) -> bool {
    let values = course["parameters"].is_object();
    let work = method::find(course["method"].as_str().unwrap()).unwrap();
    let note = match work.values() {
        Some(_) => json!({"name": "note", "role": "quasi-identifying", "new_values": {"covered": false}}),
        None => json!({"name": "note", "role": "insensitive"}),
    };
    assert_eq!(values, work.values().is_some(), "only new values are told with what");
    let mut manifest = json!({
        "format": 1, "program": "equanym 0.1.0",
        "data": {"file": "data.csv", "format": "csv", "order": "canonical", "sha256": "", "bytes": 0},
        "reports": [], "records": {"original": 1, "released": 1, "suppressed": 0}, "suppression_limit": 0.0,
        "columns": [note, {"name": "target", "role": "sensitive"}],
        "classes": {"count": 1, "min": 1, "max": 1}, "privacy": [], "guarantee": "none", "neutralised_cells": 0
    });
    manifest.as_object_mut().unwrap().extend(course.as_object().unwrap().clone());
    let text = serde_json::to_string_pretty(&manifest).unwrap() + "\n";
    let files = BTreeMap::from([("manifest.json".to_owned(), text.into_bytes().into())]);
    let verdict = audit_in_memory(&files, &Options::default()).unwrap();
    ["manifest-keys", "claims", "plain-manifest"]
        .iter()
        .all(|name| verdict.checks.iter().any(|check| check.name == *name && check.passed))
}

/// Values that a parameter takes, its bounds among them.
fn values(kind: &Kind) -> Vec<Value> {
    match kind {
        Kind::Choice(words) => words.iter().map(|word| json!(word)).collect(),
        Kind::Share => vec![json!(0.0), json!(0.29), json!(1.0)],
        Kind::ShareOr(word) => vec![json!(word), json!(0.29), json!(1.0)],
        Kind::UpTo(most) => vec![json!(0.0), json!(0.1), json!(most)],
        Kind::Integer { min } => vec![json!(min), json!(min + 100)],
        Kind::CountOr(word) => vec![json!(word), json!(1), json!(40_000)],
        Kind::Flag => vec![json!(true), json!(false)],
        Kind::UnrecodedVariable => vec![json!("target")],
        other => panic!("the audit has no such setting: {other:?}"),
    }
}

/// All parameters of a card, each value once; the others have their first one.
fn settings(card: &Card) -> Vec<Map<String, Value>> {
    let usual = || card.parameters.iter().map(|one| (one.name.to_owned(), values(&one.kind)[0].clone()));
    let mut all = vec![usual().collect()];
    for parameter in card.parameters {
        all.extend(values(&parameter.kind).into_iter().map(|value| {
            let mut settings: Map<String, Value> = usual().collect();
            settings.insert(parameter.name.to_owned(), value);
            settings
        }));
    }
    all
}

#[test]
fn the_audit_knows_every_method_search_and_loss_with_all_they_take() {
    let mut taken = 0;
    for member in method::ALL {
        for parameters in settings(&member.card) {
            let mut course = json!({"method": member.card.name});
            if member.values().is_some() {
                course["parameters"] = parameters.into();
            }
            assert!(is_taken(&course), "{course}");
            taken += 1;
        }
    }
    for member in loss::ALL {
        for mut parameters in settings(&member.card) {
            parameters.insert("name".to_owned(), json!(member.card.name));
            for search in search::ALL {
                let name = search.card.name;
                let course = json!({"method": method::DEFAULT, "search": name, "optimal": true, "loss": parameters});
                assert!(is_taken(&course), "{course}");
                taken += 1;
            }
        }
    }
    assert!(taken > 100, "{taken}");
    let unknown =
        json!({"method": method::DEFAULT, "search": "any-text", "optimal": true, "loss": {"name": loss::DEFAULT}});
    assert!(!is_taken(&unknown));
}
