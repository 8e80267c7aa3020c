//! `risk`: a table as it is.

use super::stage::{SECRET, Stage, assert_keys};

#[test]
fn risk_speaks_json() {
    let stage = Stage::set();
    let document = stage.run(["risk", "people.csv", "--policy", "policy.toml", "--json"]).done().json();
    assert_keys(&document, &["records", "quasi_identifiers", "classes", "uniques", "risk"]);
    assert_keys(&document["risk"], &["prosecutor_max", "prosecutor_mean", "records_at_risk"]);
    assert_keys(&document["quasi_identifiers"][0], &["name", "distinct", "separation"]);
    let names: Vec<_> = document["quasi_identifiers"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["age", "zip"]);
    assert_eq!(document["records"], 120);
}

#[test]
fn risk_in_words_holds_no_value() {
    let stage = Stage::set();
    let ran = stage.run(["risk", "people.csv", "--policy", "policy.toml"]).done();
    for part in
        ["120 records, 2 quasi-identifiers", "distinct values", "pairs told apart", "highest risk", "class size"]
    {
        assert!(ran.stdout.contains(part), "no {part:?} in {}", ran.stdout);
    }
    assert!(!ran.stdout.contains(SECRET));
    assert_eq!(stage.run(["risk", "people.csv", "--policy", "policy.toml", "--quiet"]).done().stdout, ran.stdout);
}

#[test]
fn without_a_policy_the_draft_decides() {
    let stage = Stage::set();
    let ran = stage.run(["risk", "people.csv"]).done();
    assert!(ran.stdout.contains("as a draft would propose"), "{}", ran.stdout);
}

#[test]
fn a_column_that_the_policy_forgets_is_an_error() {
    let stage = Stage::set();
    stage.write("more.csv", "name,age,zip,illness,ward,extra\nx,1,2,3,4,5\n");
    let ran = stage.run(["risk", "more.csv", "--policy", "policy.toml", "--json"]).ended(2);
    assert_eq!(ran.error()["kind"], "input");
}
