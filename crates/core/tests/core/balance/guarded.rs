//! The balance under guarantees: the best of all safe nodes, as brute force finds it, and the bridge to the losses.

use equanym_core::balance::{Amount, Balance, Imbalance, Market, Offer, Points, Preferences, distance, target};
use equanym_core::card::Parameters;
use equanym_core::entropy::{Coding, codings};
use equanym_core::frequency::Table;
use equanym_core::hierarchy::Builder;
use equanym_core::lattice::Node;
use equanym_core::loss::{self, Loss};
use equanym_core::privacy::{self, Guard};
use equanym_core::search::{Problem, SearchAnswer, SearchError};
use equanym_core::variable::Variable;
use proptest::prelude::*;

use crate::questions::{self, classes, guard, units};
use crate::tables::{RandomTable, all_nodes, drawn, ladder, table, variable};

/// A market of a table's variables, with points that are drawn with it.
pub fn market(table: &Table, seeds: &[u8], alpha: f64) -> Market {
    let share = |place: usize, turn: usize| 1.0 + f64::from(seeds[(place + turn) % seeds.len()]);
    let total = |turn: usize| (0..table.variables.len()).map(|place| share(place, turn)).sum::<f64>();
    let offer = |place: usize| {
        let entropies = codings(&table.variables[place].hierarchy, table.value_counts(place));
        let points = Points { user: 100.0 * share(place, 0) / total(0), intruder: 100.0 * share(place, 1) / total(1) };
        let Variable { min_level, max_level, .. } = table.variables[place];
        let entropies = entropies.iter().map(Coding::entropy).collect();
        Offer {
            min_level: min_level.into(),
            max_level: max_level.into(),
            ..Offer::new(format!("v{place}"), entropies, points)
        }
    };
    Market::new(alpha, 1.0 - alpha, (0..table.variables.len()).map(offer).collect()).unwrap()
}

pub fn run(
    name: &str,
    table: &Table,
    guard: &Guard,
    loss: &dyn Loss,
    allowance: u64,
) -> Result<SearchAnswer, SearchError> {
    questions::run(name, &Problem::new(table, guard, loss, allowance))
}

/// The best of all safe nodes by definition: every node counted from the records, none from another.
fn brute_force(table: &Table, guard: &Guard, loss: &dyn Loss, allowance: u64) -> Option<(u128, u64, u32, Node)> {
    let rank = |node: Node| {
        let set = classes(table, &node);
        let verdict = guard.judge(&set);
        let units = units(table, loss, &set, &verdict);
        let is_safe = verdict.suppressed <= allowance && verdict.suppressed < table.records && units < u128::MAX;
        is_safe.then(|| (units, verdict.suppressed, node.height(), node))
    };
    all_nodes(&table.lattice()).into_iter().filter_map(rank).min()
}

pub fn agree(table: &Table, guard: &Guard, loss: &dyn Loss, allowance: u64) -> Result<(), TestCaseError> {
    let found = run("balance", table, guard, loss, allowance);
    match (found, brute_force(table, guard, loss, allowance)) {
        (Ok(found), Some((units, suppressed, _, node))) => {
            prop_assert_eq!(&found.best.node, &node);
            prop_assert_eq!((found.best.summary.units, found.best.suppressed), (units, suppressed));
            prop_assert!(found.is_optimal() && u128::from(found.evaluated) <= table.lattice().size());
        }
        (Err(SearchError::NoSafeNode { .. } | SearchError::Forbidden), None) => {}
        (found, expected) => prop_assert!(false, "{found:?} instead of {expected:?}"),
    }
    Ok(())
}

/// The same table with a ladder whose second level tears labels of the first apart.
fn crossing(drawn: &RandomTable) -> Table {
    let torn = "a;x;p;*\nb;x;q;*\nc;y;q;*\nd;y;q;*\n";
    let count = drawn.ladders.len();
    let mut variables: Vec<_> = drawn.table().variables;
    variables[0] = variable("torn", 0.5, ladder(torn));
    let records: Vec<Vec<u32>> = drawn
        .records
        .iter()
        .map(|record| (0..count).map(|place| if place == 0 { record[0] % 4 } else { record[place] }).collect())
        .collect();
    table(variables, &records, Some(&drawn.secrets))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_search_is_exact(drawn in drawn(), k in 2_i64..6, share in 0_u64..=10, alpha in 0.05_f64..0.95) {
        for table in [drawn.table(), crossing(&drawn)] {
            let allowance = table.records * share / 10;
            for target in target::ALL {
                let preferences = Preferences { target, ..Preferences::default() };
                let balance = Balance::solve(market(&table, &drawn.weights, alpha), preferences).unwrap();
                agree(&table, &guard(k, 1), &Imbalance::new(&balance), allowance)?;
            }
        }
    }

    #[test]
    fn the_search_is_exact_where_suppression_is_charged(drawn in drawn(), k in 2_i64..6, share in 0_u64..=10, alpha in 0.05_f64..0.95) {
        for table in [drawn.table(), crossing(&drawn)] {
            let allowance = table.records * share / 10;
            let all = target::ALL.iter().flat_map(|target| distance::ALL.iter().map(move |distance| (target, distance)));
            for (target, distance) in all {
                let preferences = Preferences { target, distance, ..Preferences::default() };
                let balance = Balance::solve(market(&table, &drawn.weights, alpha), preferences).unwrap();
                agree(&table, &guard(k, 1), &Imbalance::charging(&balance, &table, allowance, 1.0).unwrap(), allowance)?;
            }
        }
    }

    #[test]
    fn the_search_keeps_to_the_rations(drawn in drawn(), k in 2_i64..6, share in 0_u64..=10, level in 0_u8..2) {
        let table = drawn.table();
        let allowance = table.records * share / 10;
        let mut offers = market(&table, &drawn.weights, 0.5).offers().to_vec();
        offers[0].ration.min_utility = Some(Amount::Level(level.max(table.variables[0].min_level)));
        let market = Market::new(0.5, 0.5, offers).unwrap();
        let balance = Balance::solve(market, Preferences::default()).unwrap();
        for loss in [Imbalance::new(&balance), Imbalance::charging(&balance, &table, allowance, 1.0).unwrap()] {
            agree(&table, &guard(k, 1), &loss, allowance)?;
            if let Ok(found) = run("balance", &table, &guard(k, 1), &loss, allowance) {
                prop_assert!(balance.is_allowed(0, usize::from(found.best.node.0[0])));
            }
        }
    }

    #[test]
    fn other_exact_searches_give_the_same_answer(drawn in drawn(), k in 2_i64..6, share in 0_u64..=10, alpha in 0.05_f64..0.95) {
        let table = drawn.table();
        let allowance = table.records * share / 10;
        let balance = Balance::solve(market(&table, &drawn.weights, alpha), Preferences::default()).unwrap();
        for loss in [Imbalance::new(&balance), Imbalance::charging(&balance, &table, allowance, 1.0).unwrap()] {
            let answer = |name: &str| run(name, &table, &guard(k, 1), &loss, allowance).map(|found| found.best);
            prop_assert_eq!(answer("balance"), answer("optimal"));
            prop_assert_eq!(answer("balance"), answer("exhaustive"));
        }
    }

    #[test]
    fn without_a_guarantee_every_variable_has_its_way(drawn in drawn(), alpha in 0.05_f64..0.95) {
        // The market of this test offers all levels, whatever a policy permits.
        let drawn = drawn.with_all_levels();
        let table = drawn.table();
        let preferences = Preferences::default();
        let balance = Balance::solve(market(&table, &drawn.weights, alpha), preferences).unwrap();
        let found = run("balance", &table, &Guard::new(Vec::new()), &Imbalance::new(&balance), 0).unwrap();
        let levels: Vec<usize> = found.best.node.0.iter().map(|&level| usize::from(level)).collect();
        prop_assert_eq!(levels, balance.node());
        prop_assert!(found.evaluated <= 2, "the top and the answer");
    }

    /// Weighted non-uniform entropy with weights r/100 is n/100 times the protection of all variables, in bits.
    #[test]
    fn protection_is_weighted_non_uniform_entropy(drawn in drawn()) {
        let mut table = drawn.table();
        let market = market(&table, &drawn.weights, 0.5);
        for (variable, offer) in table.variables.iter_mut().zip(market.offers()) {
            variable.weight = offer.points.intruder / 100.0;
        }
        let weighted = loss::find("weighted-non-uniform-entropy").unwrap().build(&table, &Parameters::new()).unwrap();
        for node in all_nodes(&table.lattice()) {
            let set = classes(&table, &node);
            let verdict = privacy::Verdict::keeping(vec![true; set.len()], &set);
            let units = units(&table, weighted.as_ref(), &set, &verdict);
            let protection: f64 =
                market.offers().iter().zip(&node.0).map(|(offer, &level)| offer.goods(usize::from(level)).protection).sum();
            let bits = loss::as_number(weighted.as_ref(), units);
            prop_assert!((bits - table.records as f64 / 100.0 * protection).abs() < 1e-6, "{node:?}");
        }
    }
}

#[test]
fn far_from_the_preferences_another_search_takes_over_and_finds_the_same() {
    // Ten million nodes, of which only the highest is safe; the preferences begin at the other end.
    let values: Vec<String> = (0..512).map(|value| value.to_string()).collect();
    let widths = ["2", "4", "8", "16", "32", "64", "128", "256"].map(String::from).to_vec();
    let ladder = Builder::intervals(widths).fit(&values).unwrap();
    let variables = (0..7).map(|place| variable(&format!("v{place}"), 0.0, ladder.clone())).collect();
    let records: Vec<Vec<u32>> =
        (0..40).map(|row| (0..7).map(|place| (row * (37 + 2 * place) + place) * 61 % 512).collect()).collect();
    let table = table(variables, &records, None);
    assert_eq!(table.lattice().size(), 10_000_000);
    let balance = Balance::solve(market(&table, &[3, 1, 2], 0.95), Preferences::default()).unwrap();
    let found = run("balance", &table, &guard(40, 1), &Imbalance::new(&balance), 0).unwrap();
    assert_eq!(found.best.node, table.lattice().top);
    assert!(found.is_optimal() && found.evaluated < 1000, "{} counted", found.evaluated);
}
