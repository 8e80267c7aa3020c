//! `equanym sql`: the statements on standard output or in a file, and what is refused.

use super::stage::{SECRET, Stage, assert_keys};

const ASK: [&str; 4] = ["sql", "people.csv", "--policy", "policy.toml"];

fn ask<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ASK.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn the_script_goes_where_it_is_asked_to() {
    let stage = Stage::set();
    let ran = stage.run(ask(&["--dialect", "postgres"])).done();
    assert!(ran.stdout.contains("CREATE TABLE \"people_release\" AS") && ran.stdout.contains("FROM \"people\" AS t"));
    assert!(!ran.stdout.contains(SECRET), "identifying columns are not even read");
    let more =
        ["--dialect", "bigquery", "--table", "clinic.people", "--name", "clinic.open", "--view", "--out", "a.sql"];
    stage.run(ask(&more)).done();
    let text = stage.read("a.sql");
    assert!(text.contains("CREATE VIEW `clinic`.`open` AS") && text.contains("FROM `clinic`.`people` AS t"), "{text}");
}

#[test]
fn programs_get_both_statements() {
    let stage = Stage::set();
    let document = stage.run(ask(&["--dialect", "duckdb", "--json"])).json();
    assert_keys(&document, &["dialect", "release", "check", "node", "privacy"]);
}
