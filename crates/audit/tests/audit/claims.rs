//! Claims that are complete, agree with each other, and are told in one sentence.

use serde_json::json;

use crate::release::{Release, only_failure};

#[track_caller]
fn disagrees(change: impl FnOnce(&mut Release), expected: &[&str], why: &str) {
    let mut release = Release::honest();
    change(&mut release);
    let verdict = release.audit();
    let failed: Vec<_> = verdict.failures().map(|check| check.name).collect();
    assert_eq!(failed, expected, "{why}");
    assert!(verdict.failures().any(|check| check.found.contains(why)), "{:?}", verdict.failures().collect::<Vec<_>>());
}

#[test]
fn a_level_for_a_column_that_no_model_guards() {
    let why = "a column that is not quasi-identifying has a level or labels";
    for (key, value) in [("level", json!(0)), ("levels", json!(2)), ("labels", json!({"rule": "as-collected"}))] {
        for column in [6, 7] {
            let mut release = Release::honest();
            release.manifest["columns"][column][key] = value.clone();
            let verdict = release.audit();
            assert!(verdict.failures().any(|check| check.name == "claims" && check.found == why), "{key} {column}");
        }
    }
}

#[test]
fn no_privacy_model_must_be_said() {
    let why = "no privacy model, or a claim that there is none, needs the other one";
    disagrees(|release| release.claim("/privacy", json!([])), &["claims"], why);
    disagrees(|release| release.manifest["guarantee"] = json!("none"), &["claims"], why);
    disagrees(|release| release.manifest["guarantee"] = json!("k-anonymity"), &["claims"], why);
    let mut release = Release::honest();
    release.claim("/privacy", json!([]));
    release.manifest["guarantee"] = json!("none");
    let verdict = release.audit();
    assert!(verdict.passed());
    assert_eq!(verdict.guarantee, Some("none"));
    assert!(
        verdict.claimed.starts_with("Claimed is no privacy model, so nothing is guaranteed; quasi-identifying: "),
        "{}",
        verdict.claimed
    );
}

#[test]
fn a_model_stands_once_for_a_variable() {
    let twice = |release: &mut Release| {
        let models = release.manifest["privacy"].as_array_mut().unwrap();
        models.push(json!({"model": "k-anonymity", "k": 2, "checked": "release"}));
    };
    disagrees(twice, &["claims"], "a privacy model is claimed twice");
}

#[test]
fn a_method_leaves_its_own_columns() {
    let why = "the method has settings that it does not take, or leaves other columns";
    for method in ["mondrian", "random-walk", "perturbation", "magic", ""] {
        let mut release = Release::honest();
        release.claim("/method", json!(method));
        let verdict = release.audit();
        assert!(verdict.failures().any(|check| check.name == "claims" && check.found.contains(why)), "{method}");
    }
}

#[test]
fn search_and_loss_come_together_in_plain_words() {
    let why = "search and loss are not claimed as a search leaves them";
    for (key, value) in [
        ("search", json!("jane-doe")),
        ("loss", json!({"name": "jane-doe"})),
        ("loss", json!({"name": "discernibility", "suppressed": "free"})),
        ("loss", json!({"name": "classification", "target": "withheld"})),
        ("loss", json!({"name": "classification", "target": "age"})),
        ("loss", json!({"name": "precision", "weights": ["equal"]})),
        ("loss", json!({"name": "non-uniform-entropy", "suppressed": "withheld"})),
        ("loss", json!({"name": "average-class-size", "k": 0})),
    ] {
        disagrees(|release| release.manifest[key] = value, &["claims"], why);
    }
    for key in ["search", "loss", "optimal"] {
        disagrees(|release| drop(release.manifest.as_object_mut().unwrap().remove(key)), &["claims"], why);
    }
    for loss in [
        json!({"name": "non-uniform-entropy", "suppressed": "free"}),
        json!({"name": "classification", "target": "note"}),
        json!({"name": "iyengar", "weights": "given"}),
        json!({"name": "average-class-size", "k": 5}),
    ] {
        let mut release = Release::honest();
        release.claim("/loss", loss.clone());
        assert_eq!(release.failures(), [""; 0], "{loss}");
    }
    let mut release = Release::honest();
    release.manifest.as_object_mut().unwrap().retain(|key, _| !["search", "optimal", "loss"].contains(&key.as_str()));
    assert_eq!(release.failures(), [""; 0], "a mask that was applied again searches nothing");
}

#[test]
fn the_program_names_itself() {
    disagrees(
        |release| release.claim("/program", json!("equanym 0.1.0 withheld")),
        &["claims"],
        "the program is not named as it names itself",
    );
}

#[test]
fn the_verdict_says_what_is_claimed() {
    let verdict = Release::honest().audit();
    assert_eq!(
        verdict.claimed,
        "Claimed is k-anonymity with k = 5 and l-diversity of \"diagnosis\" with l = 3; quasi-identifying: \"age\", \
         \"sex\", \"zip\", \"admitted\", \"education\", \"race\"; sensitive: \"diagnosis\"; insensitive, released as \
         collected: \"note\"."
    );
}

#[test]
fn a_manifest_that_claims_less_is_seen() {
    let mut release = Release::honest();
    release.manifest["columns"][0] = json!({"name": "age", "role": "insensitive"});
    release.claim("/privacy/0/k", json!(2));
    let claimed = release.audit().claimed;
    assert!(claimed.contains("k = 2") && claimed.contains("as collected: \"age\", \"note\""), "{claimed}");
}

#[test]
fn nobody_is_no_release() {
    let mut release = Release::of(&Vec::new());
    release.claim("/records", json!({"original": 17, "released": 0, "suppressed": 17}));
    release.claim("/suppression_limit", json!(1.0));
    release.claim("/classes", json!({"count": 0, "min": 0, "max": 0}));
    release.claim("/columns/4/labels/values", json!([]));
    assert_eq!(only_failure(&release), "0 released records, and nothing is no release");
}
