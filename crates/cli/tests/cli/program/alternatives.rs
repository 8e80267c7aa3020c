//! `alternatives` and `release --choose`: the order, the prices, and every way to ask for what is not there.

use super::stage::{POLICY, SECRET, Stage, assert_keys};

const ASK: [&str; 4] = ["alternatives", "people.csv", "--policy", "policy.toml"];

fn release<'a>(flags: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    ["release", "people.csv", "--policy", "policy.toml"].into_iter().chain(flags.iter().copied())
}

#[test]
fn each_alternative_is_the_release_of_its_place() {
    let stage = Stage::set();
    let document = stage.run(ASK.iter().chain(&["--count", "4", "--json"])).done().json();
    assert_keys(&document, &["records", "minimised", "lattice", "alternatives", "variables"]);
    let nodes = document["alternatives"].as_array().unwrap();
    assert_eq!(nodes.len(), 4);
    for (place, node) in (1..).zip(nodes) {
        assert_keys(node, &["node", "loss", "of_best", "suppressed", "classes", "risk"]);
        let (place, out) = (place.to_string(), format!("out{place}"));
        let released = stage.run(release(&["--choose", &place, "--out", &out, "--json"])).done().json();
        for key in ["node", "suppressed", "classes", "risk"] {
            assert_eq!(node[key], released[key], "{place} {key}");
        }
        assert_eq!(node["loss"], released["loss"]["value"]);
        assert_eq!(released["optimal"], node["loss"] == nodes[0]["loss"], "{place}");
        stage.run(["audit", &format!("{out}/public")]).done();
    }
    let losses: Vec<f64> = nodes.iter().map(|node| node["loss"].as_f64().unwrap()).collect();
    assert!(losses.is_sorted() && losses[0] < losses[3], "{losses:?}");
}

#[test]
fn each_level_has_its_price_or_its_reason() {
    let stage = Stage::set();
    let document = stage.run(ASK.iter().chain(&["--count", "1000", "--json"])).done().json();
    let nodes = document["alternatives"].as_array().unwrap();
    for variable in document["variables"].as_array().unwrap() {
        let name = variable["name"].as_str().unwrap();
        for level in variable["levels"].as_array().unwrap() {
            // All safe nodes are in the order, so the first that stands there has the price.
            let best = nodes.iter().find(|node| node["node"][name] == level["level"]);
            assert_eq!(best.map(|best| &best["node"]), level.get("best").map(|best| &best["node"]), "{level}");
            assert_eq!(best.is_none(), level.get("why_not").is_some(), "{level}");
        }
    }
}

#[test]
fn levels_in_the_policy_take_one() {
    let stage = Stage::set();
    let document = stage.run(ASK.iter().chain(&["--count", "3", "--json"])).done().json();
    for (place, node) in document["alternatives"].as_array().unwrap().iter().enumerate() {
        let held = |name: &str| format!("levels = {{ min = {0}, max = {0} }}\n[variables.{name}]", node["node"][name]);
        // What stands before a table belongs to the one above it: `zip` holds age, `illness` holds zip.
        let policy = POLICY.replace("[variables.zip]", &held("age").replace("[variables.age]", "[variables.zip]"));
        let policy =
            policy.replace("[variables.illness]", &held("zip").replace("[variables.zip]", "[variables.illness]"));
        stage.write("held.toml", &policy);
        let out = format!("out{place}");
        let released = stage.run(["release", "people.csv", "--policy", "held.toml", "--out", &out, "--json"]);
        let released = released.done().json();
        for key in ["node", "suppressed", "classes", "risk"] {
            assert_eq!(node[key], released[key], "{place} {key}");
        }
        assert_eq!((&node["loss"], &released["lattice"]), (&released["loss"]["value"], &serde_json::Value::from(1)));
    }
}

#[test]
fn people_read_it_and_no_value_is_told() {
    let stage = Stage::set();
    let ran = stage.run(ASK.iter().chain(&["--count", "3"])).done();
    for words in ["The 3 best safe ones of", "What each level costs", "bands of width 5", "--choose 2"] {
        assert!(ran.stdout.contains(words), "{words}: {ran:?}");
    }
    assert!(!ran.stdout.contains(SECRET) && !ran.stderr.contains(SECRET));
    let chosen = stage.run(release(&["--choose", "2", "--out", "out"])).done();
    assert!(chosen.stdout.contains("number 2 of the safe nodes, as chosen; the best loses"), "{chosen:?}");
}
