//! Losses that may leave suppression uncharged, as the paper on optimal lattice anonymisation prints them.

use crate::questions::{self, classes, given, guard, run, word};
use crate::tables::{RandomTable, all_nodes, drawn};
use equanym_core::frequency::Table;
use equanym_core::loss::{self, Loss};
use equanym_core::privacy::Guard;
use equanym_core::search::Problem;
use proptest::prelude::*;

/// The entropies of the paper.
const ENTROPIES: [&str; 2] = ["non-uniform-entropy", "weighted-non-uniform-entropy"];

/// Shares of records that may be suppressed, in hundredths.
const LIMITS: [u64; 4] = [0, 5, 30, 100];

fn measure(table: &Table, name: &str, suppressed: &str) -> Box<dyn Loss> {
    loss::find(name).unwrap().build(table, &given(&[("suppressed", word(suppressed))])).unwrap()
}

/// Runs a check with each entropy, free and charged, and each limit.
fn each(
    drawn: &RandomTable,
    guard: &Guard,
    check: impl Fn(&str, &str, &Problem<'_>) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let table = drawn.table();
    for (name, suppressed) in ENTROPIES.iter().flat_map(|name| [(*name, "free"), (*name, "charged")]) {
        let measure = measure(&table, name, suppressed);
        for limit in LIMITS {
            let problem = Problem::new(&table, guard, measure.as_ref(), table.records * limit / 100);
            check(name, suppressed, &problem)?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn the_exact_search_finds_what_every_node_shows(drawn in drawn(), k in 2_i64..6, l in 1_i64..4) {
        each(&drawn, &guard(k, l), |name, suppressed, problem| {
            match (run("optimal", problem), run("exhaustive", problem)) {
                (Ok(found), Ok(oracle)) => {
                    prop_assert_eq!(&found.best.node, &oracle.best.node, "{} {}", name, suppressed);
                    prop_assert_eq!(found.best.summary.units, oracle.best.summary.units);
                    prop_assert!(found.is_optimal() && oracle.is_optimal());
                }
                (found, oracle) => prop_assert_eq!(found.err(), oracle.err(), "{} {}", name, suppressed),
            }
            Ok(())
        })?;
    }

    /// Where suppression is free, the best k-minimal node loses as little as any safe node: the claim of the paper.
    #[test]
    fn without_a_charge_the_published_search_is_exact(drawn in drawn(), k in 2_i64..6, l in 1_i64..4) {
        each(&drawn, &guard(k, l), |name, suppressed, problem| {
            let (Ok(found), Ok(oracle)) = (run("ola", problem), run("exhaustive", problem)) else { return Ok(()) };
            if suppressed == "free" {
                prop_assert_eq!(found.best.summary.units, oracle.best.summary.units, "{}", name);
                prop_assert!(found.is_optimal());
            }
            Ok(())
        })?;
    }

    /// Free, a node loses the same whether its records are withheld or not, never less than a node below it, and never
    /// more than charged.
    #[test]
    fn free_is_the_charged_loss_without_the_charge(drawn in drawn(), k in 2_i64..6, l in 1_i64..4) {
        let (table, guard) = (drawn.table(), guard(k, l));
        for name in ENTROPIES {
            let [free, charged] = ["free", "charged"].map(|suppressed| measure(&table, name, suppressed));
            let nodes = all_nodes(&table.lattice());
            let units = |loss: &dyn Loss, guard: &Guard| -> Vec<u128> {
                let of_node = |node| {
                    let set = classes(&table, node);
                    let verdict = guard.judge(&set);
                    questions::units(&table, loss, &set, &verdict)
                };
                nodes.iter().map(of_node).collect()
            };
            let nothing_withheld = units(charged.as_ref(), &Guard::new(Vec::new()));
            let found = units(free.as_ref(), &guard);
            prop_assert_eq!(&found, &nothing_withheld);
            prop_assert!(found.iter().zip(units(charged.as_ref(), &guard)).all(|(free, charged)| *free <= charged));
            for ((low, less), (high, more)) in nodes.iter().zip(&found).flat_map(|one| nodes.iter().zip(&found).map(move |other| (one, other))) {
                prop_assert!(!low.is_at_or_below(high) || less <= more, "{low:?} {high:?}");
            }
        }
    }
}

/// Four records a, b, c, c, of which the ladder joins a and b first; classes of two, and two records may be withheld.
/// Charged, it is better to join a and b than to withhold them. Free, the table is released as it was collected.
#[test]
fn what_is_free_is_withheld_rather_than_generalised() {
    let drawn = RandomTable {
        ladders: vec!["a;ab;*\nb;ab;*\nc;c;*\n".to_owned()],
        weights: vec![50],
        levels: vec![(0, u8::MAX)],
        records: vec![vec![0], vec![1], vec![2], vec![2]],
        secrets: vec![0, 1, 0, 1],
        persons: None,
        others: None,
    };
    let table = drawn.table();
    let guard = guard(2, 1);
    let best = |name: &str, suppressed: &str| {
        let loss = measure(&table, name, suppressed);
        let problem = Problem::new(&table, &guard, loss.as_ref(), 2);
        let found = run("optimal", &problem).unwrap().best;
        (found.node.0[0], found.suppressed, loss::as_number(loss.as_ref(), found.summary.units))
    };
    assert_eq!(best("non-uniform-entropy", "charged"), (1, 0, 2.0));
    assert_eq!(best("non-uniform-entropy", "free"), (0, 2, 0.0));
    assert_eq!(best("weighted-non-uniform-entropy", "charged"), (1, 0, 1.0));
}

#[test]
fn weights_are_those_of_the_variables_wherever_they_come_from() {
    let drawn = RandomTable {
        ladders: vec!["a;*\nb;*\n".to_owned(), "x;*\ny;*\n".to_owned()],
        weights: vec![100, 30],
        levels: vec![(0, u8::MAX); 2],
        records: vec![vec![0, 0], vec![1, 1]],
        secrets: vec![0, 1],
        persons: None,
        others: None,
    };
    let table = drawn.table();
    for (name, words, expected) in [
        ("weighted-non-uniform-entropy", vec!["points", "given"], 2.0 + 0.6),
        ("precision", vec!["points", "given"], 1.0),
        ("iyengar", vec!["points", "given"], 1.0),
        ("ambiguity", vec!["points", "given"], 2.0 + 0.6),
        ("ambiguity", vec!["equal"], 4.0),
    ] {
        for weights in words {
            let member = loss::find(name).unwrap();
            let loss = member.build(&table, &given(&[("weights", word(weights))])).unwrap();
            let units = loss::units_of_full_generalisation(loss.as_ref(), &table);
            assert!((loss::as_number(loss.as_ref(), units) - expected).abs() < 1e-9, "{name} {weights}");
        }
    }
}
