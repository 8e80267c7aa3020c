//! `draft`: a policy for an unknown table.

use super::stage::{SECRET, Stage};

#[test]
fn a_draft_is_a_policy_that_releases() {
    let stage = Stage::set();
    let drafted = stage.run(["draft", "people.csv"]).done();
    stage.write("drafted.toml", &drafted.stdout);
    assert!(drafted.stdout.contains("[variables.age]") && !drafted.stdout.contains(SECRET), "{}", drafted.stdout);
    stage.run(["release", "people.csv", "--policy", "drafted.toml", "--out", "out"]).done();
}

#[test]
fn a_draft_goes_to_a_file() {
    let stage = Stage::set();
    let printed = stage.run(["draft", "people.csv"]).done().stdout;
    let ran = stage.run(["draft", "people.csv", "--out", "new.toml"]).done();
    assert!(ran.stdout.contains("new.toml"), "{ran:?}");
    assert_eq!(stage.read("new.toml"), printed);
}

#[test]
fn a_draft_speaks_json() {
    let stage = Stage::set();
    let printed = stage.run(["draft", "people.csv"]).done().stdout;
    let document = stage.run(["draft", "people.csv", "--json"]).done().json();
    assert_eq!(document["policy"], printed);
    assert!(document["columns"].as_array().is_some_and(|columns| columns.len() == 5), "{document}");
}
