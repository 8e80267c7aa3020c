//! Treatments: cells that do not come of them, and claims that nobody can keep.

use serde_json::{Value, json};

use crate::release::{NOTE, Release, only_failure};

/// A release whose notes are these cells, in turn, and claimed to come of these treatments.
fn treated(role: &str, treatments: Value, cells: &[&str]) -> Release {
    let mut release = Release::changed(|rows| {
        rows.iter_mut().zip(cells.iter().cycle()).for_each(|(row, cell)| row[NOTE] = (*cell).to_owned());
    });
    let column = &mut release.manifest["columns"][NOTE];
    (column["role"], column["treatments"]) = (json!(role), treatments);
    release
}

/// The same where tokens are those of something else than people.
fn released(role: &str, treatments: Value, cells: &[&str]) -> Release {
    let release = treated(role, treatments, cells);
    if role == "pseudonym" { release.of_people() } else { release }
}

const TOKENS: [&str; 2] = ["p00ed83724c2b596b4bfcb66456a2afbf", "p028ddffad6aa24405d5c441e6cba64a4"];

#[test]
fn treated_cells_pass() {
    for (role, treatments, cells) in [
        ("pseudonym", json!([{"treatment": "pseudonym"}]), TOKENS),
        ("insensitive", json!([{"treatment": "round", "to": "100"}, {"treatment": "top", "at": "500"}]), ["0", "500"]),
        ("insensitive", json!([{"treatment": "bottom", "at": "-3"}]), ["", "17.5"]),
        (
            "insensitive",
            json!([{"treatment": "shift", "days": 180, "by": "patient", "format": "YYYY-MM-DD"}]),
            ["2024-02-29", "2024-02-29T10:30"],
        ),
        (
            "insensitive",
            json!([{"treatment": "derive", "at": "admitted", "at_format": "YYYY-MM-DD", "format": "DD.MM.YYYY", "top": 90}]),
            ["0", "90"],
        ),
    ] {
        let verdict = released(role, treatments, &cells).audit();
        assert!(verdict.passed(), "{:?}", verdict.failures().collect::<Vec<_>>());
        assert!(verdict.checks.iter().any(|check| check.name == "treatment" && check.claim.contains("\"note\"")));
    }
}

#[test]
fn a_cell_that_does_not_come_of_its_treatment_is_found() {
    for (role, treatments, cells) in [
        ("pseudonym", json!([{"treatment": "pseudonym"}]), [TOKENS[0], "P0007"]),
        ("insensitive", json!([{"treatment": "round", "to": "100"}]), ["100", "150"]),
        (
            "insensitive",
            json!([{"treatment": "round", "to": "100"}, {"treatment": "top", "at": "500"}]),
            ["100", "600"],
        ),
        ("insensitive", json!([{"treatment": "bottom", "at": "15"}]), ["15", "14"]),
        (
            "insensitive",
            json!([{"treatment": "shift", "days": 180, "by": "patient", "format": "YYYY-MM-DD"}]),
            ["2024-02-29", "29.02.2024"],
        ),
        (
            "insensitive",
            json!([{"treatment": "derive", "day": "2026-01-01", "format": "YYYY-MM-DD"}]),
            ["17", "2009-01-01"],
        ),
    ] {
        let found = only_failure(&released(role, treatments, &cells));
        assert!(found.contains("8 cells do not come of that, the first in record "), "{found}");
    }
}

#[test]
fn claims_that_cannot_be_kept_fail() {
    let pseudonym = json!([{"treatment": "pseudonym"}]);
    for (role, treatments) in [
        ("pseudonym", json!([])),
        ("pseudonym", json!([{"treatment": "top", "at": "5"}])),
        ("insensitive", pseudonym.clone()),
        ("insensitive", json!([{"treatment": "round", "to": "5"}, {"treatment": "round", "to": "5"}])),
        ("insensitive", json!([{"treatment": "round"}])),
        ("insensitive", json!([{"treatment": "hash"}])),
    ] {
        let found = only_failure(&released(role, treatments, &TOKENS));
        assert!(found.ends_with("is claimed"), "{found}");
    }
    // Rounding a column that has a ladder.
    let mut release = Release::honest();
    release.manifest["columns"][0]["treatments"] = json!([{"treatment": "round", "to": "5"}]);
    assert!(only_failure(&release).contains("no column of its role"));
    // A key that nobody knows hides nothing.
    let hidden = released("pseudonym", json!([{"treatment": "pseudonym", "salt": "x"}]), &TOKENS);
    assert_eq!(hidden.failures(), ["manifest-keys", "treatment"]);
}

#[test]
fn people_may_be_counted_by_tokens_and_by_no_other_released_column() {
    let person = |role: &str, treatments: Value| {
        let tokens: Vec<String> = (0..16).map(|number| format!("p{number:032x}")).collect();
        let mut release = treated(role, treatments, &tokens.iter().map(String::as_str).collect::<Vec<_>>()).of_people();
        release.claim("/person", json!("note"));
        release.failures()
    };
    assert_eq!(person("pseudonym", json!([{"treatment": "pseudonym"}])), [""; 0]);
    assert_eq!(person("insensitive", json!([])), ["claims"]);
}

#[test]
fn tokens_of_nobody_link_records_that_count() {
    let mut release = treated("pseudonym", json!([{"treatment": "pseudonym"}]), &TOKENS);
    assert_eq!(only_failure(&release), "tokens link records, and no column of people is claimed");
    release.manifest["person"] = json!("patient");
    for claim in release.manifest["privacy"].as_array_mut().unwrap() {
        (claim["unit"], claim["checked"]) = (json!("people"), json!("original"));
    }
    assert_eq!(release.failures(), [""; 0], "they are of something else");
}
