//! Populations and presets as users meet them: flags, summaries and refusals.

use super::stage::{POLICY, RunResult, Stage};

const RELEASE: [&str; 6] = ["release", "people.csv", "--policy", "policy.toml", "--out", "out"];

/// A folder with a table, its population (everybody thrice) and a policy that looks at it.
fn stage(model: &str) -> Stage {
    let stage = Stage::set();
    let people = stage.read("people.csv");
    let (header, rows) = people.split_once('\n').unwrap();
    stage.write("everybody.csv", &format!("{header}\n{rows}{rows}{rows}"));
    stage.write("policy.toml", &POLICY.replace("model = \"k-anonymity\"\nk = 3", model));
    stage
}

fn k_map() -> Stage {
    stage("model = \"k-map\"\nk = 9\npopulation = \"everybody.csv\"")
}

fn audit(stage: &Stage, more: &[&str]) -> RunResult {
    stage.run(["audit", "out/public", "--json"].iter().chain(more))
}

#[test]
fn a_population_is_named_by_the_policy_and_given_to_audit_and_apply() {
    let stage = k_map();
    let document = stage.run(RELEASE.iter().chain(&["--json"])).done().json();
    assert_eq!(document["privacy"][0]["checked"], "population");
    assert_eq!(document["population"]["records"], 360);
    assert_eq!(audit(&stage, &[]).done().json()["privacy"][0]["checked"], "needs --population");
    let mask = ["--population", "everybody.csv", "--mask", "out/private/mask.json"];
    assert_eq!(audit(&stage, &mask).done().json()["privacy"][0]["checked"], "population");
    // Everybody once is a third of what is promised.
    let verdict = audit(&stage, &["--population", "people.csv", "--mask", "out/private/mask.json"]).ended(1).json();
    assert_eq!(verdict["passed"], false);
    assert!(audit(&stage, &["--mask", "out/private/mask.json"]).ended(2).stderr.contains("--population"));
    let apply = ["apply", "people.csv", "--mask", "out/private/mask.json", "--out", "again"];
    let refused = stage.run(apply).ended(2).stderr;
    assert!(refused.contains("--population"), "{refused}");
    stage.run(apply.iter().chain(&["--population", "everybody.csv"])).done();
    assert_eq!(stage.read("out/public/data.csv"), stage.read("again/public/data.csv"));
}

#[test]
fn presets_are_explained_in_full() {
    let stage = Stage::empty();
    for (name, words) in [
        ("ema-0.09", "[[privacy]] model = \"k-anonymity\", k = 12"),
        ("cms-11", "[[privacy]] model = \"k-anonymity\", k = 11"),
        ("hipaa-safe-harbor", "dates: the year, or coarser (C)"),
    ] {
        let text = stage.run(["explain", name]).done().stdout;
        assert!(text.contains(words) && text.contains("Source"), "{text}");
        assert!(stage.run(["list", "preset"]).done().stdout.contains(name));
        assert!(stage.run(["explain", name, "--json"]).done().json()["asks"][0].is_string());
    }
}

#[test]
fn a_preset_asks_for_a_model() {
    let stage = Stage::set();
    let preset = POLICY.replace("model = \"k-anonymity\"\nk = 3", "preset = \"cms-11\"");
    stage.write("policy.toml", &preset);
    let document = stage.run(RELEASE.iter().chain(&["--json"])).done().json();
    assert_eq!((&document["privacy"][0]["model"], &document["privacy"][0]["k"]), (&"k-anonymity".into(), &11.into()));
}
