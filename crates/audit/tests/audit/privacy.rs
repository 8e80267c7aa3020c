//! Class sizes and diversity.

use serde_json::{Value, json};

use crate::release::{HEADER, Release, csv_bytes, only_failure, rows};

#[test]
fn a_class_of_one_record_too_few() {
    let mut release = Release::changed(|rows| drop(rows.remove(0)));
    release.claim("/records", json!({"original": 16, "released": 15, "suppressed": 1}));
    release.claim("/suppression_limit", json!(0.1));
    assert_eq!(release.failures(), ["classes", "k-anonymity"]);
    release.claim("/classes/min", json!(4));
    assert_eq!(release.failures(), ["k-anonymity"]);
    release.claim("/privacy/0/k", json!(4));
    assert_eq!(release.failures(), [""; 0]);
}

#[test]
fn a_kept_promise_tells_how_many_classes_keep_it() {
    let verdict = Release::honest().audit();
    let kept = verdict.checks.iter().filter(|check| ["k-anonymity", "l-diversity"].contains(&check.name));
    assert_eq!(kept.map(|check| check.found.as_str()).collect::<Vec<_>>(), ["all of 3 classes do"; 2]);
}

#[test]
fn a_larger_k_than_the_classes_have() {
    let mut release = Release::honest();
    release.claim("/privacy/0/k", json!(6));
    let verdict = release.audit();
    assert_eq!(crate::release::failures(&verdict), ["k-anonymity"]);
    assert!(verdict.failures().all(|check| check.found == "2 of 3 classes hold fewer, down to 5 records"));
}

#[test]
fn a_class_without_enough_diagnoses() {
    let change = |rows: &mut Vec<Vec<String>>| {
        rows[..5].iter_mut().filter(|row| row[6].is_empty()).for_each(|row| "I10".clone_into(&mut row[6]));
    };
    let mut release = Release::changed(change);
    assert_eq!(release.failures(), ["l-diversity"]);
    release.claim("/privacy/1/l", json!(2));
    assert_eq!(release.failures(), [""; 0]);
}

#[test]
fn a_larger_l_than_the_classes_have() {
    let mut release = Release::honest();
    release.claim("/privacy/1/l", json!(4));
    assert_eq!(release.failures(), ["l-diversity"]);
    release.manifest["privacy"][1].as_object_mut().unwrap().remove("kind");
    assert_eq!(release.failures(), ["l-diversity"], "distinct is the default");
}

#[test]
fn each_claim_counts_its_own_variable() {
    let mut release = Release::honest();
    release.claim("/columns/7/role", json!("sensitive"));
    let privacy = release.manifest["privacy"].as_array_mut().unwrap();
    privacy.insert(0, json!({"model": "l-diversity", "variable": "note", "l": 5, "checked": "release"}));
    assert_eq!(release.failures(), [""; 0]);
    release.manifest["privacy"].as_array_mut().unwrap().pop();
    release.claim("/privacy/0/variable", json!("diagnosis"));
    assert_eq!(release.failures(), ["l-diversity"]);
}

/// A claim that says that the release shows it.
fn shown(mut claim: Value) -> Value {
    claim["checked"] = json!("release");
    claim
}

#[test]
fn a_promise_that_cannot_be_judged() {
    let (unknown, kind) = ("not known to this audit", "this kind of l-diversity is not known to this audit");
    let (absent, l) =
        ("its variable is not in the release", "l-diversity takes a variable and l, a whole number from 2,");
    let (k, entropy, recursive) =
        ("k-anonymity takes k, a whole", "entropy l-diversity takes", "recursive l-diversity");
    let (t, delta, beta, alpha) =
        ("t-closeness takes", "delta-disclosure takes", "beta-likeness takes", "alpha-k takes");
    let of = |mut claim: Value| {
        claim["variable"] = json!("diagnosis");
        claim
    };
    for (claim, why) in [
        (json!({"model": "magic"}), unknown),
        (json!({"model": ""}), unknown),
        (of(json!({"model": "l-diversity", "kind": "magic", "l": 3})), kind),
        (json!({"model": "l-diversity", "variable": "name", "l": 3}), absent),
        (json!({"model": "l-diversity", "l": 3}), absent),
        (of(json!({"model": "l-diversity", "l": 2.5})), l),
        (of(json!({"model": "l-diversity", "l": 0})), l),
        (of(json!({"model": "l-diversity", "l": 1})), l),
        (of(json!({"model": "l-diversity", "l": 3, "c": 2})), l),
        (of(json!({"model": "l-diversity", "l": 3, "estimator": "shannon"})), l),
        (json!({"model": "l-diversity", "variable": "note", "l": 2}), "its variable is not sensitive"),
        (json!({"model": "k-anonymity"}), k),
        (json!({"model": "k-anonymity", "k": 0}), k),
        (json!({"model": "k-anonymity", "k": 1}), k),
        (json!({"model": "k-anonymity", "k": -5}), k),
        (json!({"model": "k-anonymity", "k": 5, "variable": "age"}), k),
        (json!({"model": "k-anonymity", "k": 5, "kind": "distinct"}), k),
        (of(json!({"model": "l-diversity", "kind": "entropy", "l": 1})), entropy),
        (of(json!({"model": "l-diversity", "kind": "entropy", "l": 2, "estimator": "miller"})), entropy),
        (of(json!({"model": "l-diversity", "kind": "entropy", "l": 2, "c": 2})), entropy),
        (of(json!({"model": "l-diversity", "kind": "recursive", "l": 2})), recursive),
        (of(json!({"model": "l-diversity", "kind": "recursive", "l": 2.5, "c": 2})), recursive),
        (of(json!({"model": "l-diversity", "kind": "recursive", "l": 2, "c": 0})), recursive),
        (of(json!({"model": "t-closeness"})), t),
        (of(json!({"model": "t-closeness", "t": -0.1})), t),
        (of(json!({"model": "t-closeness", "t": 1.1})), t),
        (of(json!({"model": "t-closeness", "t": 0.5, "distance": "near"})), t),
        (of(json!({"model": "t-closeness", "t": 0.5, "k": 3})), t),
        (json!({"model": "t-closeness", "t": 0.5}), absent),
        (of(json!({"model": "delta-disclosure", "delta": 0})), delta),
        (of(json!({"model": "delta-disclosure", "delta": 1, "absent": "welcome"})), delta),
        (of(json!({"model": "beta-likeness", "beta": 0})), beta),
        (of(json!({"model": "beta-likeness", "beta": 1, "kind": "better"})), beta),
        (of(json!({"model": "alpha-k", "alpha": 1.5, "k": 2})), alpha),
        (of(json!({"model": "alpha-k", "alpha": 0.5, "k": 1})), alpha),
        (of(json!({"model": "alpha-k", "alpha": 0.5})), alpha),
        (of(json!({"model": "lkc", "l": 0, "k": 2, "c": 1})), "lkc takes"),
        (of(json!({"model": "lkc", "l": 5, "k": 2, "c": 1})), "lkc takes"),
        (of(json!({"model": "lkc", "l": 1.5, "k": 2, "c": 1})), "lkc takes"),
        (of(json!({"model": "lkc", "l": 2, "k": 1, "c": 1})), "lkc takes"),
        (of(json!({"model": "lkc", "l": 2, "k": 2, "c": 0})), "lkc takes"),
        (of(json!({"model": "lkc", "l": 2, "k": 2, "c": 1.1})), "lkc takes"),
        (of(json!({"model": "lkc", "l": 2, "k": 2})), "lkc takes"),
        (json!({"model": "lkc", "l": 2, "k": 2, "c": 1}), absent),
    ] {
        let mut release = Release::honest();
        release.claim("/privacy", json!([shown(claim.clone())]));
        assert_eq!(release.failures(), ["privacy-model"], "{claim}");
        let found = only_failure(&release);
        assert!(found.starts_with(why), "{claim}: {found}");
    }
}

#[test]
fn a_promise_says_what_shows_it() {
    let why = "it does not say whether the release, the original or the population shows that it holds";
    for checked in [json!(""), json!("nobody")] {
        assert_eq!(only_failure(&Release::claiming("/privacy/0/checked", checked)), why);
    }
    let mut release = Release::honest();
    release.manifest["privacy"][0]["unit"] = json!("households");
    assert_eq!(only_failure(&release), "what it counts is not known to this audit");
}

#[test]
fn keys_that_read_alike_when_joined_stay_apart() {
    let mut rows = rows();
    for (place, row) in rows[..5].iter_mut().enumerate() {
        row[1] = if place < 2 { "a" } else { "a2" }.to_owned();
        row[2] = if place < 2 { "22*" } else { "2*" }.to_owned();
    }
    rows.sort();
    let mut release = Release::honest();
    release.set_data(&csv_bytes(&HEADER, &rows));
    release.claim("/columns/2/labels/keep", json!(2));
    release.claim("/classes", json!({"count": 4, "min": 2, "max": 6}));
    let failures = release.failures();
    assert!(!failures.contains(&"classes") && failures.contains(&"k-anonymity"), "{failures:?}");
}

#[test]
fn a_promise_about_no_column_is_none() {
    let mut release = Release::honest();
    for (column, name) in HEADER.into_iter().enumerate().take(6) {
        release.manifest["columns"][column] = json!({"name": name, "role": "insensitive"});
    }
    release.claim("/classes", json!({"count": 1, "min": 16, "max": 16}));
    assert_eq!(release.failures(), ["privacy-model"]);
    assert_eq!(only_failure(&release), "no quasi-identifying column is recoded");
}

#[test]
fn the_guard_of_a_csv_is_no_part_of_a_value() {
    // A tab and an apostrophe: with its guard the one reads as the other.
    let change = |rows: &mut Vec<Vec<String>>| {
        for (row, value) in rows[..5].iter_mut().zip(["'\t", "'", "x", "x", "x"]) {
            value.clone_into(&mut row[6]);
        }
    };
    let mut release = Release::changed(change);
    release.claim("/neutralised_cells", json!(1));
    assert_eq!(release.failures(), [""; 0]);
}
