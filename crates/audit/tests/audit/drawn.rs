//! Releases that were drawn at random: what they claim must follow from what they claim, and nothing else may be told.

use serde_json::{Value, json};

use crate::release::{HEADER, Release, Rows};

/// ε = 1 and δ = 0.01: classes of 21 records or more.
fn claim() -> Value {
    json!({"model": "differential-privacy", "checked": "release", "epsilon": 1.0, "delta": 0.01, "beta": 0.632_120_558_828_557_6, "k": 21})
}

/// Two classes of 21 and 30 records; every column is recoded.
fn drawn() -> Release {
    let keys =
        [(21, ["", "", "123*", "2026-02", "Higher", "*"]), (30, ["[25, 30[", "f", "123*", "2026-03", "Higher", "*"])];
    let rows = keys.iter().flat_map(|(times, key)| {
        let row: Vec<String> = key.iter().chain(&["*", "*"]).map(ToString::to_string).collect();
        std::iter::repeat_n(row, *times)
    });
    let mut release = Release::of(&rows.collect::<Rows>());
    for (place, name) in HEADER.iter().enumerate().skip(6) {
        let column =
            json!({"name": name, "role": "quasi-identifying", "level": 1, "levels": 2, "labels": {"rule": "top"}});
        release.claim(&format!("/columns/{place}"), column);
    }
    release.claim("/columns/4/labels/values", json!(["Higher"]));
    release.claim("/classes", json!({"count": 2, "min": 21, "max": 30}));
    release.claim("/privacy", json!([claim()]));
    release.claim("/records", json!({"released": 51}));
    release.claim("/suppression_limit", json!(1.0));
    release.manifest.as_object_mut().unwrap().retain(|key, _| !["search", "optimal", "loss"].contains(&key.as_str()));
    release
}

fn fails(change: impl FnOnce(&mut Release), check: &str) {
    let mut release = drawn();
    change(&mut release);
    let failures = release.failures();
    assert!(failures.contains(&check), "{check} is not among {failures:?}");
}

#[test]
fn an_honest_draw_passes_and_says_what_it_promises() {
    let release = drawn();
    assert_eq!(release.failures(), [""; 0]);
    let claimed = release.audit().claimed;
    let words = "differential privacy with epsilon = 1 and delta = 0.01, by a sample with beta = 0.632121 and k = 21";
    assert!(claimed.contains(words) && !claimed.contains("void"), "{claimed}");
    let mut seeded = drawn();
    seeded.manifest["privacy"][0]["seeded"] = json!(true);
    assert_eq!(seeded.failures(), [""; 0]);
    assert!(seeded.audit().claimed.contains("void because a seed was given"));
    let mut searched = drawn();
    searched.manifest["privacy"][0]["epsilon_search"] = json!(0.5);
    assert!(searched.audit().claimed.contains("epsilon = 1.5"));
}

#[test]
fn numbers_that_do_not_follow_from_each_other_fail() {
    for (key, value) in [
        ("k", json!(20)),
        ("k", json!(2)),
        ("k", json!(21.5)),
        ("beta", json!(0.64)),
        ("beta", json!(0)),
        ("delta", json!(0.005)),
        ("delta", json!(1)),
        ("delta", json!(0)),
        ("epsilon", json!(0.9)),
        ("epsilon", json!(0)),
        ("epsilon", json!(1e9)),
        ("epsilon_search", json!(-1)),
        ("variable", json!("age")),
        ("kind", json!("pure")),
        ("t", json!(0.1)),
    ] {
        fails(|release| release.manifest["privacy"][0][key] = value.clone(), "privacy-model");
    }
    fails(|release| release.manifest["privacy"][0]["beta"] = Value::Null, "privacy-model");
    fails(|release| release.manifest["privacy"][0]["k"] = json!(22), "differential-privacy");
}

#[test]
fn what_is_told_besides_fails() {
    fails(|release| release.claim("/records", json!({"original": 80, "released": 51, "suppressed": 29})), "drawn");
    fails(|release| release.claim("/records", json!({"released": 51, "suppressed": 29})), "drawn");
    fails(|release| release.claim("/columns/7", json!({"name": HEADER[7], "role": "insensitive"})), "drawn");
    fails(|release| release.claim("/data/order", json!("input")), "drawn");
    fails(|release| release.claim("/records", json!({"released": 50})), "records");
}

#[test]
fn only_a_draw_may_be_silent_about_its_records() {
    assert_eq!(Release::claiming("/records", json!({"released": 16})).failures(), ["records"]);
}
