//! Policies that ask for much; what a policy may say wrongly is in `refusals`.

use std::fmt::Write;

use serde_json::Value;

use super::run::{CANARY, IDENTIFYING, PAIRS, QUASI, SENSITIVE, Stage, people, people_policy, policy};

/// The policy of people with one part replaced.
fn with(old: &str, new: &str) -> Stage {
    let text = people_policy();
    assert!(text.contains(old), "no {old:?} in the policy");
    Stage::with(people(120), &text.replacen(old, new, 1))
}

/// So many variables of four levels each, over few records.
fn wide(variables: usize) -> Stage {
    let names: Vec<String> = (0..variables).map(|number| format!("v{number}")).collect();
    let ladder = format!("{QUASI}\nhierarchy = {{ prefix = [2, 1] }}");
    let columns: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), ladder.as_str())).collect();
    let mut table = format!("{}\n", names.join(","));
    let mut chance = 1_u64;
    for _ in 0..40 {
        let cells = names.iter().map(|_| {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digit = |shift: u32| chance >> shift & 3;
            format!("{}{}{}", digit(60), digit(50), digit(40))
        });
        writeln!(table, "{}", cells.collect::<Vec<_>>().join(",")).unwrap();
    }
    Stage::with(table, &policy(&columns, PAIRS))
}

/// The size as it was printed: readers of JSON may keep no more than 64 bits of it.
fn printed_size(document: &str) -> &str {
    let (_, rest) = document.split_once("\"lattice\": ").unwrap();
    rest.split_once(',').unwrap().0
}

#[test]
fn lattice_of_10_to_the_12_nodes() {
    let release = wide(24).release("data.csv", &[]).released();
    assert_eq!(release.document["lattice"], Value::from(4_u64.pow(24)));
    assert_eq!((&release.document["optimal"], &release.document["search"]), (&true.into(), &"optimal".into()));
}

#[test]
fn lattice_whose_size_overflows() {
    let ran = wide(36).release("data.csv", &[]);
    assert_eq!(printed_size(&ran.stdout), 4_u128.pow(36).to_string());
    ran.released();
    let ran = wide(70).release("data.csv", &[]);
    assert_eq!(printed_size(&ran.stdout), u128::MAX.to_string());
    ran.released();
}

#[test]
fn lattice_too_large_for_the_search_that_is_demanded() {
    let stage = wide(24);
    let text = std::fs::read_to_string(stage.path("policy.toml")).unwrap();
    stage.write("policy.toml", text + "[method]\nsearch = \"exhaustive\"\n");
    stage.release("data.csv", &[]).refused(2);
}

#[test]
fn sensitive_column_follows_from_a_quasi_identifier() {
    let mut table = "name,ward,illness\n".to_owned();
    for number in 0..12 {
        let (ward, illness) = [("eyes", "cataract"), ("bones", "fracture")][number % 2];
        writeln!(table, "{CANARY},{ward},{illness}").unwrap();
    }
    let rest = format!("{PAIRS}[[privacy]]\nmodel = \"l-diversity\"\nvariable = \"illness\"\nl = 2\n");
    let text = policy(&[("name", IDENTIFYING), ("ward", QUASI), ("illness", SENSITIVE)], &rest);
    let release = Stage::with(table, &text).release("data.csv", &[]).released();
    release.warned(&["`illness` follows from `ward`"]);
}

#[test]
fn nothing_satisfies() {
    let bounded = with("hierarchy = { prefix = [3, 2] }", "hierarchy = { prefix = [3, 2] }\nlevels = { max = 0 }");
    let text = std::fs::read_to_string(bounded.path("policy.toml")).unwrap();
    // All zip codes stay as they are: of 120 people, 60 share theirs with two others.
    // The others share theirs with one.
    bounded.release("data.csv", &[]).refused(1);
    bounded.write("policy.toml", text.replace("suppression_limit = 0.1", "suppression_limit = 0.5"));
    let release = bounded.release("data.csv", &[]).released();
    assert_eq!(release.document["suppressed"], 60);
}

#[test]
fn policy_above_1_mib() {
    let stage = Stage::of_people();
    let comment = format!("#{}\n", "x".repeat(1023));
    stage.write("policy.toml", people_policy() + &comment.repeat(1000));
    stage.release("data.csv", &[]).released();
    std::fs::remove_dir_all(stage.path("out")).unwrap();
    // A file with a hole: what is read whole does not fit in memory.
    std::fs::File::create(stage.path("policy.toml")).unwrap().set_len(200 << 20).unwrap();
    stage.release_within(100, "data.csv", &[]).refused(2);
}
