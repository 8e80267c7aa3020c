//! Promises about a population, on random tables, against their definitions; and what shows them.

use std::collections::BTreeSet;

use equanym_audit::{Evidence, Options, Verdict};
use serde_json::{Value, json};

use super::table::{Dice, Line, Table};
use crate::release::{Release, failures, only_failure, options};
use crate::source::Source;

/// Further people of some classes, and of some that the table does not have.
fn population(dice: &mut Dice, table: &Table) -> Vec<Line> {
    let classes = table.lines.iter().map(|line| line.class).max().unwrap_or(0) + 1 + dice.below(2);
    let more = dice.below(25);
    let line = |_| Line { class: dice.below(classes), person: dice.below(9) + 3, value: 1 };
    table.lines.iter().cloned().chain((0..more).map(line)).collect::<Vec<_>>()
}

fn source(lines: &[Line]) -> Source {
    Table { lines: lines.to_vec(), released: 0, has_person: true, has_tokens: false }.source()
}

fn claims(dice: &mut Dice) -> Vec<Value> {
    let max = dice.one_of(&[0.25, 0.5, 0.75, 1.0]);
    let min = dice.one_of(&[0.0, 0.0, 0.2, 0.25]);
    vec![
        json!({"model": "delta-presence", "min": min, "max": max, "checked": "population"}),
        json!({"model": "k-map", "k": 2 + dice.below(12), "checked": "population"}),
    ]
}

/// How many of some records, or people, are in a class.
fn count(table: &Table, lines: &[Line], class: usize) -> u64 {
    let of: Vec<&Line> = lines.iter().filter(|line| line.class == class).collect();
    if !table.has_person {
        return of.len() as u64;
    }
    of.iter().map(|line| line.person).collect::<BTreeSet<_>>().len() as u64
}

/// Whether a promise is kept, by its definition.
fn is_kept(table: &Table, everybody: &[Line], claim: &Value) -> bool {
    let classes: BTreeSet<usize> = everybody.iter().map(|line| line.class).collect();
    let holds = |class: usize| {
        let (here, there) = (count(table, &table.lines, class) as f64, count(table, everybody, class) as f64);
        match claim["k"].as_f64() {
            Some(k) => there >= k,
            None => (claim["min"].as_f64().unwrap()..=claim["max"].as_f64().unwrap()).contains(&(here / there)),
        }
    };
    let is_absent = |class: &usize| table.lines.iter().all(|line| line.class != *class);
    let tells_absence = claim["min"].as_f64().is_some_and(|min| min > 0.0) && classes.iter().any(is_absent);
    (0..table.released).all(holds) && !tells_absence
}

fn audited(table: &Table, release: &Release, everybody: &[Line]) -> Verdict {
    let (original, population) = (table.source(), source(everybody));
    release.audit_with(&Options { original: Some(&original), population: Some(&population), ..options() }).unwrap()
}

#[test]
fn promises_about_a_population_are_judged_by_their_definition() {
    let mut seen = [[0; 2]; 2];
    for seed in 0..200 {
        let dice = &mut Dice::new(seed);
        let withheld = dice.below(2);
        let table = Table::random(dice, withheld, seed % 2 == 0);
        let everybody = population(dice, &table);
        for (model, claim) in claims(dice).iter().enumerate() {
            let release = table.release(std::slice::from_ref(claim));
            let verdict = audited(&table, &release, &everybody);
            let expected = is_kept(&table, &everybody, claim);
            assert_eq!(verdict.passed(), expected, "{claim} {table:?} {everybody:?} {:?}", failures(&verdict));
            assert_eq!(verdict.privacy[0].checked, Evidence::Population);
            seen[model][usize::from(expected)] += 1;
            // Without the original nothing is refused that is kept.
            let population = source(&everybody);
            let alone = release.audit_with(&Options { population: Some(&population), ..options() }).unwrap();
            assert!(alone.passed() || !expected, "{claim} {table:?} {:?}", failures(&alone));
            let by_people = if table.has_person { Evidence::NeedsOriginal } else { Evidence::Population };
            assert_eq!(alone.privacy[0].checked, by_people);
        }
    }
    assert!(seen.iter().flatten().all(|times| *times > 10), "{seen:?}");
}

fn table() -> Table {
    let line = |place: usize| Line { class: place / 4, person: place, value: 1 + place % 2 };
    Table { lines: (0..8).map(line).collect(), released: 2, has_person: false, has_tokens: false }
}

fn presence() -> Value {
    json!({"model": "delta-presence", "min": 0.0, "max": 0.5, "checked": "population"})
}

#[test]
fn what_was_not_checked_is_said() {
    let verdict = table().release(&[presence()]).audit();
    assert_eq!((failures(&verdict), verdict.privacy[0].checked), (vec![], Evidence::NeedsPopulation));
    let words = "Not checked: delta-presence with min = 0 and max = 0.5 (needs --population).";
    assert!(verdict.claimed.ends_with(words), "{}", verdict.claimed);
    let verdict = table().audit(&table().release(&[presence()])).unwrap();
    assert_eq!((failures(&verdict), verdict.privacy[0].checked), (vec![], Evidence::NeedsPopulation));
}

#[test]
fn a_claim_that_says_something_else_fails() {
    let wrong = "a privacy model does not say rightly whether records or people, and what shows that it holds";
    for checked in ["release", "original"] {
        let mut claim = presence();
        claim["checked"] = json!(checked);
        assert!(only_failure(&table().release(&[claim])).contains(wrong));
    }
    let by_population = json!({"model": "k-anonymity", "k": 2, "checked": "population"});
    assert!(only_failure(&table().release(&[by_population])).contains(wrong));
    for (key, value) in [
        ("min", json!(0.6)),
        ("max", json!(1.5)),
        ("min", json!(-1)),
        ("k", json!(3)),
        ("fraction", json!(0.5)),
        ("checked", json!("register")),
    ] {
        let mut claim = presence();
        claim[key] = value;
        assert!(!table().release(&[claim.clone()]).audit().passed(), "{claim}");
    }
}

#[test]
fn an_estimate_is_a_size() {
    let claim = |k: u64, more: Value| {
        let mut claim =
            json!({"model": "k-map", "k": k, "fraction": 0.1, "estimator": "poisson", "significance": 0.05});
        claim.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        table().release(&[claim])
    };
    // Four records in each class: k′ is 4 for k = 5, and 5 for k = 12, where λ = 1.2.
    assert!(claim(5, json!({})).audit().passed());
    assert_eq!(failures(&claim(12, json!({})).audit()), ["k-map"]);
    assert!(claim(12, json!({"estimator": "zero-truncated-poisson"})).audit().passed());
    for more in
        [json!({"fraction": 0}), json!({"fraction": 2}), json!({"estimator": "guess"}), json!({"significance": 0})]
    {
        assert!(!claim(5, more.clone()).audit().passed(), "{more}");
    }
}
