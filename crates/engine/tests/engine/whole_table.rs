//! Models that judge all released classes together: their estimates beside those of the audit, masks that are applied again,
//! what is refused by name, claims that are not kept, and the same bytes at any number of threads.

use std::collections::BTreeMap;
use std::fmt::Write;

use equanym_audit::Verdict;
use equanym_core::privacy::{SizedClasses, UniquesEstimator, estimate};
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::run::audit::{AuditRequest, audit};
use equanym_engine::run::sql::sql;

use crate::releasing::{contents, policy};
use crate::requests;
use crate::stage::Stage;

/// People of many towns and trades, most of them common and some rare.
fn people(count: usize) -> String {
    let mut text = "town,trade,illness\n".to_owned();
    for person in 0..count {
        let number = person * 7919 % 1009;
        let town = if number % 11 == 0 { number % 40 } else { number % 6 };
        let trade = if number % 13 == 0 { number % 50 } else { person % 5 };
        writeln!(text, "t{town},w{trade},{}", ["flu", "gout", "mumps"][person % 3]).unwrap();
    }
    text
}

fn asked(models: &str, method: &str) -> Policy {
    policy(&format!(
        "[variables.town]\nrole = \"quasi-identifying\"\n[variables.trade]\nrole = \"quasi-identifying\"\n\
         [variables.illness]\nrole = \"sensitive\"\n{models}\n[method]\n{method}\n"
    ))
}

fn model(keys: &str) -> String {
    format!("[[privacy]]\n{keys}\n")
}

fn stage() -> Stage {
    Stage::with(people(900))
}

fn audited(stage: &Stage) -> Verdict {
    audit(&AuditRequest { reading: &asked("", "").data, ..requests::audit(&stage.path("out/public")) }).unwrap()
}

fn class_sizes(released: &str) -> Vec<u64> {
    let mut classes: BTreeMap<String, u64> = BTreeMap::new();
    for line in released.lines().skip(1) {
        *classes.entry(line.rsplit_once(',').unwrap().0.to_owned()).or_default() += 1;
    }
    classes.into_values().collect()
}

/// What the audit says of the model.
fn found(verdict: &Verdict, name: &str) -> String {
    verdict.checks.iter().find(|check| check.name == name).map(|check| check.found.clone()).unwrap()
}

#[test]
fn both_find_the_same_estimates() {
    for (count, fraction) in [(120, 0.03), (900, 0.02), (900, 0.3), (400, 0.7), (900, 0.000_01)] {
        for estimator in UniquesEstimator::ALL {
            let stage = Stage::with(people(count));
            let keys = format!(
                "model = \"population-uniques\"\nmax = 1\nfraction = {fraction}\nestimator = \"{}\"",
                estimator.name()
            );
            let policy = asked(&model(&keys), "suppression_limit = 0.9");
            stage.release(&policy, "out").unwrap();
            let sizes = class_sizes(&stage.released("out"));
            let people = sizes.iter().sum::<u64>() as f64;
            let population = (people / fraction).round();
            let size = format!("{population}").parse().unwrap();
            let ours = estimate(estimator, &SizedClasses::new(sizes), size).unwrap();
            let expected = format!("by estimate {ours:.1} of {population}, a share of {:.6}", ours / population);
            assert_eq!(found(&audited(&stage), "population-uniques"), expected, "{keys}");
        }
    }
}

const EVERY: [&str; 5] = [
    "model = \"average-risk\"\nmax = 0.05",
    "model = \"records-at-risk\"\nhighest = 0.2\nshare = 0.05",
    "model = \"sample-uniques\"\nmax = 0.01",
    "model = \"population-uniques\"\nmax = 0.002\nfraction = 0.3",
    "model = \"population-uniques\"\nmax = 0.002\nfraction = 0.05\nestimator = \"pitman\"",
];

#[test]
fn a_claim_that_is_not_kept_fails() {
    for (keys, parameter, stricter) in [
        (EVERY[0], "max", "0.0001"),
        (EVERY[1], "highest", "0.0001"),
        (EVERY[2], "max", "0"),
        (EVERY[3], "max", "0"),
        ("model = \"cost-benefit\"\nattack = \"none\"\ngain = 10\ncost = 4", "cost", "0.001"),
    ] {
        let stage = stage();
        stage.release(&asked(&model(keys), "suppression_limit = 0.2"), "out").unwrap();
        assert_eq!(audited(&stage).failures().count(), 0, "{keys}");
        let mut manifest = stage.json("out/public/manifest.json");
        let name = manifest["privacy"][0]["model"].as_str().unwrap().to_owned();
        manifest["privacy"][0][parameter] = serde_json::from_str(stricter).unwrap();
        stage.write("out/public/manifest.json", manifest.to_string());
        let verdict = audited(&stage);
        assert!(verdict.failures().any(|check| check.name == name), "{keys}: {:?}", verdict.checks);
    }
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    let stage = stage();
    let mut withheld = 0;
    for (place, keys) in EVERY.iter().enumerate() {
        let out = |threads: usize| format!("{place}-{threads}");
        for threads in [1, 2, 5] {
            let policy = asked(&model(keys), "suppression_limit = 0.1");
            let released = stage.release_on(threads, &policy, &out(threads)).unwrap();
            withheld += released.report.suppressed;
        }
        let public = |threads: usize| contents(&stage.path(out(threads)).join("public"));
        assert!(public(1) == public(2) && public(1) == public(5), "{keys}");
    }
    assert!(withheld > 0);
}

fn apply_to(stage: &Stage, csv: &str, out: &str) -> Result<u64> {
    stage.write("next.csv", csv);
    stage.apply("out", "next.csv", out).map(|released| released.report.suppressed)
}

/// Records with unknown values are withheld before all classes are judged together: without them the others are fewer.
#[test]
fn a_mask_is_judged_on_what_it_leaves_of_other_data() {
    let rows = |towns: &[(&str, usize)]| -> String {
        let lines = towns.iter().flat_map(|(town, count)| vec![format!("{town},w,flu\n"); *count]);
        std::iter::once("town,trade,illness\n".to_owned()).chain(lines).collect()
    };
    let stage = Stage::with(rows(&[("a", 18), ("b", 1), ("c", 1)]));
    let policy = policy(
        "[variables.town]\nrole = \"quasi-identifying\"\nlevels = { min = 1 }\n\
         hierarchy = { groups = [{ A = [\"a\"], B = [\"b\"], C = [\"c\"] }] }\n\
         [variables.trade]\nrole = \"insensitive\"\n[variables.illness]\nrole = \"sensitive\"\n\
         [[privacy]]\nmodel = \"sample-uniques\"\nmax = 0.1\n\
         [method]\nsuppression_limit = 0.6\nnew_values = \"suppress\"\n",
    );
    let released = stage.release(&policy, "out").unwrap();
    assert_eq!(released.report.suppressed, 0);
    assert_eq!(apply_to(&stage, &rows(&[("a", 18), ("b", 1), ("c", 1)]), "again").unwrap(), 0);
    // Of 21 two may be alone. Ten of them are from a town that nobody knows; of the other eleven two may not, of ten one may.
    assert_eq!(apply_to(&stage, &rows(&[("a", 9), ("b", 1), ("c", 1), ("z", 10)]), "fewer").unwrap(), 11);
    stage.refused(apply_to(&stage, &rows(&[("b", 1), ("c", 1)]), "alone"));
}

#[test]
fn what_judges_classes_one_by_one_refuses_by_name() {
    let stage = stage();
    let data = stage.data();
    for keys in EVERY {
        stage.refusal(&asked(&model(keys), "name = \"mondrian\""));
        let asked_for = asked(&model(keys), "suppression_limit = 0.1");
        stage.refused(sql(&requests::sql(&data, &asked_for, "duckdb")));
        stage.refusal(&asked(&model(keys), "search = \"ola\"\nsuppression_limit = 0.1"));
    }
}

#[test]
fn an_estimator_without_an_estimate_is_told() {
    let alone: String = (0..12).map(|one| ["t", &one.to_string(), ",w,flu\n"].concat()).collect();
    let text = format!("town,trade,illness\n{alone}{}", "a,w,flu\n".repeat(40));
    let stage = Stage::with(text);
    let snb = "model = \"population-uniques\"\nmax = 0.5\nfraction = 0.1\nestimator = \"snb\"";
    let policy = asked(&model(snb), "suppression_limit = 0.5");
    let report = stage.release(&policy, "out").unwrap().report;
    let told = report.checklist.lines().iter().any(|line| line.message.contains("finds no estimate"));
    let sizes = SizedClasses::new([vec![1; 12], vec![40]].concat());
    assert_eq!(told, estimate(UniquesEstimator::Snb, &sizes, 520).is_none() && report.node.0[0].1 == 0);
}
