//! `attack`: what is told of a release, and what is refused.

use super::stage::{SECRET, Stage, assert_keys};

#[test]
fn a_release_is_attacked_and_no_value_is_shown() {
    let stage = Stage::set();
    stage.run(["release", "people.csv", "--policy", "policy.toml", "--out", "out"]).done();
    let ask = ["attack", "out/public", "--original", "people.csv"];
    let document = stage.run(ask.iter().chain(&["--control", "people.csv", "--json"])).done().json();
    assert_keys(&document, &["records", "knowledge", "secrets", "left_out", "attacks"]);
    for found in document["attacks"].as_array().unwrap() {
        assert_keys(found, &["attack", "original", "risk"]);
        // The same people serve as control: nothing goes beyond them.
        if found["attack"] != "singling-out" {
            assert_eq!(found["original"], found["control"], "{found}");
            assert_eq!(found["risk"], 0.0);
        }
    }
    let text = stage.run(ask).done().stdout;
    for word in ["membership", "linkage", "singling-out", "95% interval"] {
        assert!(text.contains(word), "{text}");
    }
    assert!(!text.contains(SECRET) && !document.to_string().contains(SECRET));
}
