//! Every privacy model, on random tables, against its definition; and what shows that it holds.

mod naive;
mod people;
mod population;
mod shown;
mod table;
mod tokens;

use serde_json::{Value, json};

pub use table::Dice;
use table::Table;

/// A claim of every model, with parameters that are often met exactly.
fn claims(dice: &mut Dice) -> Vec<Value> {
    let t = |dice: &mut Dice| dice.one_of(&[0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5, 1.0]);
    vec![
        json!({"model": "k-anonymity", "k": 2 + dice.below(5)}),
        json!({"model": "l-diversity", "kind": "distinct", "l": 2 + dice.below(3)}),
        json!({"model": "l-diversity", "kind": "entropy", "l": dice.one_of(&[1.5, 2.0, 2.5, 3.0])}),
        json!({"model": "l-diversity", "kind": "entropy", "estimator": "grassberger", "l": dice.one_of(&[1.5, 2.0, 3.0])}),
        json!({"model": "l-diversity", "kind": "recursive", "l": 2 + dice.below(2), "c": dice.one_of(&[0.5, 1.0, 1.5, 2.0, 3.0])}),
        json!({"model": "t-closeness", "distance": "equal", "t": t(dice)}),
        json!({"model": "t-closeness", "distance": "ordered", "t": t(dice)}),
        json!({"model": "t-closeness", "distance": "hierarchical", "t": t(dice)}),
        json!({"model": "delta-disclosure", "delta": dice.one_of(&[0.5, 1.0, 2.0]), "absent": "violates"}),
        json!({"model": "delta-disclosure", "delta": dice.one_of(&[0.5, 1.0, 2.0]), "absent": "ignored"}),
        json!({"model": "beta-likeness", "beta": dice.one_of(&[0.25, 0.5, 1.0, 2.0]), "kind": "basic"}),
        json!({"model": "beta-likeness", "beta": dice.one_of(&[0.5, 1.0, 2.0]), "kind": "enhanced"}),
        json!({"model": "alpha-k", "alpha": dice.one_of(&[0.25, 0.4, 0.5, 0.6, 0.75]), "k": 2 + dice.below(4)}),
    ]
}

/// How often each verdict was given, for each model.
#[derive(Default)]
struct VerdictCounts {
    kept: [u32; 13],
    broken: [u32; 13],
    equal: [u32; 13],
}

/// Audits many tables and compares each verdict with the definition.
fn attack(start: u64, withheld: bool, has_person: bool) -> VerdictCounts {
    let mut seen = VerdictCounts::default();
    for round in 0..60 {
        let mut dice = Dice::new(start * 1000 + round);
        let withheld = if withheld { 1 + dice.below(2) } else { 0 };
        let table = Table::random(&mut dice, withheld, has_person);
        for (place, claim) in claims(&mut dice).iter().enumerate() {
            let (is_kept, is_equal) = naive::holds(claim, &table);
            let release = table.release(std::slice::from_ref(claim));
            let verdict = table.audit(&release).unwrap();
            let others = verdict.failures().filter(|check| check.name != claim["model"]).count();
            assert_eq!(others, 0, "{claim} {table:?} {:?}", verdict.checks);
            assert_eq!(verdict.passed(), is_kept, "{claim} {table:?} {:?}", verdict.checks);
            let counted = if is_kept { &mut seen.kept } else { &mut seen.broken };
            counted[place] += 1;
            seen.equal[place] += u32::from(is_equal);
        }
    }
    seen
}

/// Each verdict was given, and thresholds were met exactly, wherever that is possible.
#[track_caller]
fn all_seen(seen: &VerdictCounts) {
    assert!(seen.kept.iter().chain(&seen.broken).all(|times| *times > 0), "{:?} {:?}", seen.kept, seen.broken);
    // By Grassberger's estimator no threshold is.
    let equal = seen.equal.iter().enumerate().filter(|(place, times)| *place != 3 && **times == 0);
    assert_eq!(equal.map(|(place, _)| place).collect::<Vec<_>>(), [0; 0], "{:?}", seen.equal);
}

#[test]
fn the_bytes_show_every_model_where_nothing_is_withheld() {
    all_seen(&attack(1, false, false));
}

#[test]
fn the_original_shows_every_model_where_records_are_withheld() {
    all_seen(&attack(2, true, false));
}

#[test]
fn people_are_counted_in_the_original() {
    all_seen(&attack(3, false, true));
}

#[test]
fn people_are_counted_where_records_are_withheld() {
    all_seen(&attack(4, true, true));
}
