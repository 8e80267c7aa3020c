//! `demo`: the first thing that a new user runs.

use super::stage::{Stage, assert_keys};

#[test]
fn the_demo_tells_its_story_and_can_be_repeated_by_hand() {
    let stage = Stage::empty();
    let ran = stage.run(["demo"]).done();
    let told = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts =
        ["holds 2,000 admissions", "Nobody in it exists", "a patient stands alone", "no other of", "checks passed"];
    for part in parts {
        assert!(told.contains(part), "no {part:?} in {told}");
    }
    assert_eq!(stage.files(), ["equanym-demo"]);
    for file in ["admissions.csv", "policy.toml", "hierarchies/education.csv", "release/public/data.csv"] {
        assert!(stage.path("equanym-demo").join(file).is_file(), "{file}");
    }
    let typed = ran.stdout.lines().filter_map(|line| line.trim().strip_prefix("$ equanym "));
    let typed: Vec<Vec<&str>> = typed.map(|line| line.split(' ').collect()).collect();
    let names: Vec<&str> = typed.iter().map(|words| words[0]).collect();
    assert_eq!(names, ["risk", "release", "audit"]);
    let again = |words: &Vec<&str>| {
        let words = words.iter().map(|word| if word.ends_with("/release") { "by-hand" } else { word });
        stage.run(words).done();
    };
    typed.iter().for_each(again);
    assert_eq!(stage.read("by-hand/public/data.csv"), stage.read("equanym-demo/release/public/data.csv"));
}

#[test]
fn a_second_demo_leaves_the_first_alone() {
    let stage = Stage::empty();
    stage.run(["demo", "--records", "700", "--quiet"]).done();
    let before = stage.read("equanym-demo/admissions.csv");
    let document = stage.run(["demo", "--records", "600", "--seed", "7", "--json"]).done().json();
    assert_keys(&document, &["folder", "risk", "release", "audit"]);
    assert_eq!(document["folder"], "equanym-demo-2");
    assert_eq!((&document["release"]["records"], &document["audit"]["passed"]), (&600.into(), &true.into()));
    assert_eq!(stage.read("equanym-demo/admissions.csv"), before);
    assert_eq!(stage.files(), ["equanym-demo", "equanym-demo-2"]);
}

#[test]
fn the_seed_decides() {
    let stage = Stage::empty();
    for (out, seed) in [("a", "1"), ("b", "1"), ("c", "2")] {
        stage.run(["demo", "--out", out, "--records", "800", "--seed", seed, "--quiet"]).done();
    }
    assert_eq!(stage.read("a/release/public/data.csv"), stage.read("b/release/public/data.csv"));
    assert_ne!(stage.read("a/admissions.csv"), stage.read("c/admissions.csv"));
}
