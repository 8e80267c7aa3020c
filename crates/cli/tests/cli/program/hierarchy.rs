//! `hierarchy build|lint|show`: ladders as files.

use super::stage::{Stage, assert_keys};

fn build<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["hierarchy", "build", "people.csv"].iter().chain(more).copied().collect()
}

#[test]
fn ladders_are_built_from_a_column() {
    let stage = Stage::set();
    let printed = |more: &[&str]| stage.run(build(more)).done().stdout;
    let intervals = printed(&["--column", "age", "--kind", "intervals", "--steps", "5,10"]);
    assert_eq!(intervals.lines().next(), Some("20;[20, 25[;[20, 30[;*"));
    let prefix = printed(&["--column", "zip", "--kind", "prefix", "--steps", "3,2"]);
    assert_eq!(prefix.lines().next(), Some("1000;100*;10*;*"));
    let order = printed(&["--column", "illness", "--kind", "order", "--steps", "2"]);
    assert_eq!(order.lines().count(), 4);
    let auto = printed(&["--column", "ward"]);
    assert_eq!(auto, "east;*\nwest;*\n");
}

#[test]
fn dates_are_built_in_their_format() {
    let stage = Stage::set();
    stage.write("days.csv", "day,x\n29.03.2026,1\n01.04.2026,2\n");
    let call = ["hierarchy", "build", "days.csv", "--column", "day", "--kind", "date", "--steps", "month,year"];
    let ran = stage.run(call.iter().chain(&["--format", "DD.MM.YYYY"])).done();
    assert_eq!(ran.stdout, "01.04.2026;2026-04;2026;*\n29.03.2026;2026-03;2026;*\n");
}

#[test]
fn rare_values_and_libraries_make_ladders() {
    let stage = Stage::set();
    stage.write("codes.csv", "icd,job\nI50.14,cook\nNA,cook\nI50,smith\n");
    let printed = |more: &[&str]| stage.run(["hierarchy", "build", "codes.csv"].iter().chain(more)).done().stdout;
    let icd = printed(&["--column", "icd", "--library", "icd-10", "--missing", "NA"]);
    assert_eq!(icd, ";;;;;*\nI50;I50;I50;I30-I52;I00-I99;*\nI50.14;I50.1;I50;I30-I52;I00-I99;*\n");
    let rare = printed(&["--column", "job", "--kind", "rare", "--steps", "2", "--label", "sonstige"]);
    assert_eq!(rare, "cook;cook;*\nsmith;sonstige;*\n");
}

#[test]
fn a_value_is_shown_on_its_ladder() {
    let stage = Stage::set();
    let call = ["hierarchy", "show", "--library", "icd-10", "I50.14"];
    let text = stage.run(call).done().stdout;
    let places: Vec<Option<usize>> =
        ["I50.14", "I50.1\n", "I50\n", "I30-I52", "I00-I99", "*"].iter().map(|label| text.find(label)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
    let document = stage.run(call.iter().chain(&["--json"])).done().json();
    assert_keys(&document, &["library", "summary", "levels"]);
}

#[test]
fn a_ladder_goes_to_a_file() {
    let stage = Stage::set();
    let call = build(&["--column", "ward", "--out", "ward.csv"]);
    let ran = stage.run(&call).done();
    assert!(ran.stdout.contains("Built ward.csv from 2 values"), "{ran:?}");
    let document = stage.run(build(&["--column", "ward", "--json"])).done().json();
    assert_keys(&document, &["column", "values", "hierarchy", "file"]);
}

#[test]
fn lint_finds_errors_with_their_lines() {
    let stage = Stage::empty();
    stage.write("good.csv", "a;x;*\nb;x;*\nc;y;*\n");
    assert_eq!(stage.run(["hierarchy", "lint", "good.csv"]).done().stdout, "No findings.\n");
    stage.write("bad.csv", "a;x;*\nb;x;*\na;y;*\n");
    let ran = stage.run(["hierarchy", "lint", "bad.csv"]).ended(1);
    assert!(ran.stdout.contains("two-parents") && ran.stdout.contains("1, 3"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("1 error, 0 warnings\n"), "{}", ran.stdout);
    let document = stage.run(["hierarchy", "lint", "bad.csv", "--json"]).ended(1).json();
    assert_eq!((&document["passed"], &document["findings"][0]["code"]), (&false.into(), &"two-parents".into()));
}

#[test]
fn lint_looks_for_unlisted_values() {
    let stage = Stage::set();
    stage.write("ward.csv", "east;*\n");
    let call = ["hierarchy", "lint", "ward.csv", "--data", "people.csv", "--column", "ward"];
    let ran = stage.run(call).ended(1);
    assert!(ran.stdout.contains("unlisted") && !ran.stdout.contains("west"), "{}", ran.stdout);
    stage.write("ward.csv", "east;*\nwest;*\n");
    stage.run(call).done();
}

#[test]
fn show_counts_labels_and_hides_values() {
    let stage = Stage::empty();
    stage.write("ladder.csv", "secret;[0, 5[;*\nhidden;[0, 5[;*\nc;[5, 9[;*\n");
    let ran = stage.run(["hierarchy", "show", "ladder.csv"]).done();
    assert!(ran.stdout.contains("3 values, 3 levels") && ran.stdout.contains("[0, 5[, [5, 9["), "{}", ran.stdout);
    assert!(!ran.stdout.contains("secret") && !ran.stdout.contains("hidden"));
    let document = stage.run(["hierarchy", "show", "ladder.csv", "--json"]).done().json();
    assert_keys(&document, &["separator", "values", "nested", "levels"]);
}
