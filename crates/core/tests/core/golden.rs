//! The numbers that must come out: the appendix of the lattice paper, and cases that were worked out by hand.

use crate::questions::{self, classes, guard};
use crate::tables::{ladder, parameters, table, variable};
use equanym_core::frequency::Table;
use equanym_core::lattice::Node;
use equanym_core::loss::Loss;
use equanym_core::search::{Problem, SearchAnswer, SearchError};
use equanym_core::{loss, search};

fn measure(table: &Table, name: &str) -> Box<dyn Loss> {
    let member = loss::find(name).unwrap();
    member.build(table, &parameters(&member.card, 0)).unwrap()
}

fn units(table: &Table, loss_name: &str, k: i64, node: &[u8]) -> f64 {
    let measure = measure(table, loss_name);
    let set = classes(table, &Node::from(node.to_vec()));
    let units = questions::units(table, measure.as_ref(), &set, &guard(k, 1).judge(&set));
    loss::as_number(measure.as_ref(), units)
}

fn run(table: &Table, search_name: &str, loss_name: &str, k: i64, allowance: u64) -> Result<SearchAnswer, SearchError> {
    let measure = measure(table, loss_name);
    questions::run(search_name, &Problem::new(table, &guard(k, 1), measure.as_ref(), allowance))
}

/// Ten records of gender and age band, as the third figure of the paper can be filled.
fn figure_3(weight: f64) -> Table {
    let gender = variable("gender", weight, ladder("M;*\nF;*\n"));
    let age = variable("age", 0.0, ladder("20-29;*\n30-39;*\n40-49;*\n50-59;*\n"));
    let records = [[0, 0], [0, 0], [1, 0], [1, 0], [0, 1], [0, 1], [0, 2], [1, 2], [0, 3], [1, 3]];
    table(vec![gender, age], &records.map(|record| record.to_vec()), None)
}

#[test]
fn generalising_gender_raises_dm_star_and_lowers_dm() {
    let table = figure_3(1.0);
    let at = |name, node: [u8; 2]| units(&table, name, 2, &node);
    assert_eq!((at("discernibility-star", [0, 0]), at("discernibility-star", [1, 0])), (16.0, 28.0));
    assert_eq!((at("discernibility", [0, 0]), at("discernibility", [1, 0])), (52.0, 28.0));
    assert_eq!((at("precision", [0, 0]), at("precision", [1, 0]), at("precision", [1, 1])), (0.0, 0.5, 1.0));
}

#[test]
fn generalising_gender_withholds_the_bits_of_gender() {
    // Nobody is suppressed at [1, 0]; at [0, 0] four records are, and the loss charges them.
    let plain = |weight| units(&figure_3(weight), "non-uniform-entropy", 2, &[1, 0]);
    let weighted = |weight| units(&figure_3(weight), "weighted-non-uniform-entropy", 2, &[1, 0]);
    assert!((plain(0.0) - 9.709_505_945).abs() < 1e-8);
    assert!((weighted(1.0) - 9.709_505_945).abs() < 1e-8);
    assert!((weighted(0.5) - 4.854_752_972).abs() < 1e-8);
}

/// Records 0, 1, 2, 2 of one variable whose first two values merge first.
fn counterexample() -> Table {
    let only = variable("v", 1.0, ladder("a;ab;*\nb;ab;*\nc;c;*\n"));
    table(vec![only], &[vec![0], vec![1], vec![2], vec![2]], Some(&[0, 1, 0, 0]))
}

#[test]
fn the_best_k_minimal_node_need_not_be_the_best_safe_node() {
    let table = counterexample();
    for (name, minimal, best) in [("discernibility", 12.0, 8.0), ("non-uniform-entropy", 4.0, 2.0)] {
        let measure = measure(&table, name);
        let value = |found: &SearchAnswer| loss::as_number(measure.as_ref(), found.best.summary.units);
        let ola = run(&table, "ola", name, 2, 2).unwrap();
        assert_eq!((value(&ola), ola.best.node.clone(), ola.best.suppressed), (minimal, vec![0].into(), 2));
        assert!(!ola.is_optimal() && ola.gap.is_some_and(|gap| gap > 0.0));
        for exact in ["optimal", "exhaustive"] {
            let found = run(&table, exact, name, 2, 2).unwrap();
            assert_eq!((value(&found), found.best.node.clone(), found.best.suppressed), (best, vec![1].into(), 0));
            assert!(found.is_optimal());
        }
    }
}

#[test]
fn without_suppression_all_searches_agree() {
    let table = counterexample();
    for name in loss::ALL.iter().map(|member| member.card.name) {
        let nodes: Vec<_> =
            search::ALL.iter().map(|one| run(&table, one.card.name, name, 2, 0).unwrap().best.node).collect();
        assert!(nodes.windows(2).all(|pair| pair[0] == pair[1]), "{name}: {nodes:?}");
    }
}

#[test]
fn nothing_safe_is_an_error_that_counts() {
    let table = counterexample();
    for one in search::ALL {
        let error = run(&table, one.card.name, loss::DEFAULT, 5, 3).unwrap_err();
        assert_eq!(error, SearchError::NoSafeNode { failing: 4, records: 4 }, "{}", one.card.name);
    }
}
