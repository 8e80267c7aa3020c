//! Policies.
//!
//! | Input | Test | |
//! |---|---|---|
//! | t < 0, t > 1, c ≤ 0, δ ≤ 0, β ≤ 0, α outside (0, 1] | `parameters_of_models_out_of_range` | the line, what fits, nothing written |
//! | max, share, fraction outside 0 to 1, amounts below 0 or no numbers | `parameters_of_whole_table_models_out_of_range` | the same |
//! | an order that lacks a value, or none | `values_without_a_place_in_an_order` | the column and how many, no value |

use std::fmt::Write;

use serde_json::Value;

use super::run::{CANARY, IDENTIFYING, PAIRS, QUASI, SENSITIVE, Stage, people, people_policy, policy};

/// The policy of people with one part replaced.
fn with(old: &str, new: &str) -> Stage {
    let text = people_policy();
    assert!(text.contains(old), "no {old:?} in the policy");
    Stage::with(people(120), &text.replacen(old, new, 1))
}

/// The line of the policy on which a text stands.
fn line_of(text: &str, part: &str, occurrence: usize) -> String {
    let (at, _) = text.match_indices(part).nth(occurrence).unwrap();
    format!("line {}", text[..at].matches('\n').count() + 1)
}

#[test]
fn k_out_of_range() {
    for (k, found) in [("0", "found 0"), ("-1", "found -1"), ("1", "found 1"), ("2.5", "2.5"), ("\"5\"", "quotes")] {
        let wanted = ["policy line", "`k`", "whole number of at least 2", found];
        with("k = 3", &format!("k = {k}")).release("data.csv", &[]).refused(2, &wanted);
    }
}

#[test]
fn l_beyond_the_distinct_values() {
    with("l = 2", "l = 4")
        .release("data.csv", &[])
        .refused(1, &["no safe node", "120 of 120", "l-diversity holds at most with l = 3"]);
}

const DIVERSITY: &str = "model = \"l-diversity\"\nvariable = \"illness\"\nl = 2";

#[test]
fn parameters_of_models_out_of_range() {
    for (model, keys, words) in [
        ("t-closeness", "t = -0.1", "must be a number from 0 to 1; found -0.1"),
        ("t-closeness", "t = 1.1", "must be a number from 0 to 1; found 1.1"),
        ("l-diversity", "l = 2\nkind = \"recursive\"\nc = 0", "must be a number above 0; found 0"),
        ("l-diversity", "l = 2\nkind = \"recursive\"\nc = -1", "must be a number above 0; found -1"),
        ("l-diversity", "l = 2\nc = 2", "it goes with kind = \"recursive\" only"),
        ("l-diversity", "l = 1.5", "only with kind = \"entropy\""),
        ("delta-disclosure", "delta = 0", "must be a number above 0; found 0"),
        ("beta-likeness", "beta = 0.0", "must be a number above 0; found 0"),
        ("alpha-k", "k = 3\nalpha = 0", "must be a number above 0 and up to 1; found 0"),
        ("alpha-k", "k = 3\nalpha = 1.5", "must be a number above 0 and up to 1; found 1.5"),
        ("lkc", "l = 0\nk = 3\nc = 0.5", "must be a whole number from 1 to 4; found 0"),
        ("lkc", "l = 5\nk = 3\nc = 0.5", "must be a whole number from 1 to 4; found 5"),
        ("lkc", "l = 2\nk = 1\nc = 0.5", "must be a whole number of at least 2; found 1"),
        ("lkc", "l = 2\nk = 3\nc = 0", "must be a number above 0 and up to 1; found 0"),
        ("lkc", "l = 2\nk = 3\nc = 1.5", "must be a number above 0 and up to 1; found 1.5"),
        ("lkc", "l = 2\nk = 3", "needs `c`"),
        ("t-closeness", "t = 0.2\ndistance = \"hierarchical\"", "needs a hierarchy of `illness`"),
    ] {
        with(DIVERSITY, &format!("model = \"{model}\"\nvariable = \"illness\"\n{keys}"))
            .release("data.csv", &[])
            .refused(2, &["policy line", words]);
    }
}

#[test]
fn parameters_of_whole_table_models_out_of_range() {
    for (keys, words) in [
        ("model = \"average-risk\"\nmax = 0", "must be a number above 0 and up to 1; found 0"),
        ("model = \"average-risk\"\nmax = 1.2", "must be a number above 0 and up to 1; found 1.2"),
        ("model = \"average-risk\"", "`average-risk` needs `max`"),
        ("model = \"sample-uniques\"\nmax = -0.1", "must be a number from 0 to 1; found -0.1"),
        ("model = \"sample-uniques\"\nmax = nan", "max"),
        ("model = \"records-at-risk\"\nhighest = 0\nshare = 0.1", "must be a number above 0 and up to 1; found 0"),
        ("model = \"records-at-risk\"\nhighest = 0.2\nshare = 2", "must be a number from 0 to 1; found 2"),
        ("model = \"population-uniques\"\nmax = 0.1", "`population-uniques` needs `fraction`"),
        ("model = \"population-uniques\"\nmax = 0.1\nfraction = 0", "must be a number above 0 and up to 1; found 0"),
        (
            "model = \"population-uniques\"\nmax = 0.1\nfraction = 1.1",
            "must be a number above 0 and up to 1; found 1.1",
        ),
        ("model = \"population-uniques\"\nmax = 0.1\nfraction = 1e-12", "a fraction below 0.000000001"),
        ("model = \"population-uniques\"\nmax = 3\nfraction = 0.1", "must be a number from 0 to 1; found 3"),
        ("model = \"population-uniques\"\nmax = 0.1\nfraction = 0.1\nestimator = \"chao\"", "one of: dankar, pitman"),
        (
            "model = \"population-uniques\"\nmax = 0.1\nfraction = 0.1\npopulation_size = 9",
            "it goes with known = \"population\" only",
        ),
        (
            "model = \"population-uniques\"\nmax = 0.1\nknown = \"population\"\npopulation_size = 0",
            "must be a whole number of at least 1; found 0",
        ),
        ("model = \"cost-benefit\"\nbenefit = 1\nloss = 1\ngain = 1\ncost = -2", "must be a number from 0"),
        ("model = \"cost-benefit\"\nbenefit = 1\nloss = 1\ngain = nan\ncost = 2", "gain"),
        ("model = \"cost-benefit\"\nbenefit = inf\nloss = 1\ngain = 1\ncost = 2", "benefit"),
        ("model = \"cost-benefit\"\nbenefit = 0\nloss = 1\ngain = 1\ncost = 2", "must be above 0"),
        ("model = \"cost-benefit\"\ngain = 1", "`cost-benefit` needs `cost`"),
    ] {
        with(DIVERSITY, keys).release("data.csv", &[]).refused(2, &["policy line", words]);
    }
}

#[test]
fn values_without_a_place_in_an_order() {
    let ordered = "model = \"t-closeness\"\nvariable = \"illness\"\nt = 0.2\ndistance = \"ordered\"";
    with(DIVERSITY, ordered)
        .release("data.csv", &[])
        .refused(2, &["column `illness`: 3 distinct values have no place in an order", "values = ["]);
    let text = people_policy().replacen(DIVERSITY, ordered, 1);
    let text = text.replacen(SENSITIVE, &format!("{SENSITIVE}\nvalues = [\"one\", \"two\"]"), 1);
    Stage::with(people(120), &text)
        .release("data.csv", &[])
        .refused(2, &["column `illness`: 3 distinct values have no place in the order that the policy gives"]);
}

#[test]
fn suppression_out_of_range() {
    for (limit, more) in [("-0.1", "found -0.1"), ("5", "5% is 0.05"), ("1.5", "found 1.5"), ("nan", "finite")] {
        with("suppression_limit = 0.1", &format!("suppression_limit = {limit}"))
            .release("data.csv", &[])
            .refused(2, &["policy line", "`suppression_limit`", more]);
    }
}

#[test]
fn unknown_column() {
    with("[variables.\"ward\"]", "[variables.\"wart\"]")
        .release("data.csv", &[])
        .refused(2, &["policy line", "no column `wart`", "did you mean `ward`?"]);
}

#[test]
fn misspelt_key() {
    with("suppression_limit", "supression_limit")
        .release("data.csv", &[])
        .refused(2, &["policy line", "unknown key `supression_limit`", "did you mean `suppression_limit`?"]);
    with("[method]", "[methods]").release("data.csv", &[]).refused(2, &["`methods`", "did you mean `method`?"]);
}

#[test]
fn column_used_twice() {
    let text = people_policy() + "[variables.\"age\"]\nrole = \"insensitive\"\n";
    let lines = [line_of(&text, "[variables.\"age\"]", 0), line_of(&text, "[variables.\"age\"]", 1)];
    Stage::with(people(120), &text).release("data.csv", &[]).refused(2, &["`age` stands twice", &lines[0], &lines[1]]);
}

#[test]
fn conflicting_roles() {
    let text = people_policy().replacen("role = \"sensitive\"", "role = \"sensitive\"\nrole = \"insensitive\"", 1);
    let lines = [line_of(&text, "role = \"sensitive\"", 0), line_of(&text, "role = \"insensitive\"", 0)];
    Stage::with(people(120), &text).release("data.csv", &[]).refused(2, &["`role` stands twice", &lines[0], &lines[1]]);
    let text = people_policy().replacen("variable = \"illness\"", "variable = \"age\"", 1);
    let lines = [line_of(&text, "variable = \"age\"", 0), line_of(&text, "[variables.\"age\"]", 0)];
    Stage::with(people(120), &text)
        .release("data.csv", &[])
        .refused(2, &["sensitive", "`age` is quasi-identifying", &lines[0], &lines[1]]);
}

#[test]
fn column_in_data_but_not_in_policy() {
    with("[variables.\"ward\"]\nrole = \"insensitive\"\n", "")
        .release("data.csv", &[])
        .refused(2, &["does not list", "`ward`", "never released by default"]);
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
    stage.release("data.csv", &[]).refused(2, &["281474976710656", "optimal"]);
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
    with("k = 3", "k = 121")
        .release("data.csv", &[])
        .refused(1, &["no safe node", "120 of 120 records", "k-anonymity holds at most with k = 120"]);
    let bounded = with("hierarchy = { prefix = [3, 2] }", "hierarchy = { prefix = [3, 2] }\nlevels = { max = 0 }");
    let text = std::fs::read_to_string(bounded.path("policy.toml")).unwrap();
    // All zip codes stay as they are: of 120 people, 60 share theirs with two others.
    // The others share theirs with one.
    let hints = ["k-anonymity holds at most with k = 2", "a suppression_limit of 0.5 would do"];
    bounded.release("data.csv", &[]).refused(1, &["60 of 120 records", hints[0], hints[1]]);
    bounded.write("policy.toml", text.replace("suppression_limit = 0.1", "suppression_limit = 0.5"));
    let release = bounded.release("data.csv", &[]).released();
    assert_eq!(release.document["suppressed"], 60);
    let strict = Stage::with(people(120), &text.replace("k = 3", "k = 60"));
    strict.release("data.csv", &[]).refused(1, &["120 of 120 records", "raise the level bounds"]);
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
    let ran = stage.release("data.csv", &[]).refused(2, &["policy.toml", "larger than 1 MiB"]);
    assert!(ran.peak < 100 << 20, "{} bytes in memory", ran.peak);
}
