//! The published searches among each other and against the definition, on random tables.

use crate::questions::{counted, guard, run};
use crate::tables::{RandomTable, all_nodes, drawn, ladder, parameters, table, variable};
use equanym_core::card::Promise;
use equanym_core::frequency::Table;
use equanym_core::lattice::{Lattice, Node};
use equanym_core::loss;
use equanym_core::privacy::Guard;
use equanym_core::search::{self, Problem, SearchAnswer, SearchError};
use proptest::prelude::*;

/// Runs a check with the problem that a table poses under a loss.
fn pose<T>(
    table: &Table,
    guard: &Guard,
    loss: &loss::LossMember,
    allowance: u64,
    check: impl FnOnce(&Problem<'_>) -> T,
) -> T {
    let measure = loss.build(table, &parameters(&loss.card, 0)).unwrap();
    check(&Problem::new(table, guard, measure.as_ref(), allowance))
}

/// The same under each loss, where a share of the records in tenths may be suppressed.
fn pose_all(
    drawn: &RandomTable,
    guard: &Guard,
    share: u64,
    check: impl Fn(&Problem<'_>) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let table = drawn.table();
    loss::ALL.iter().try_for_each(|member| pose(&table, guard, member, table.records * share / 10, &check))
}

/// Every safe node, by definition.
fn safe_nodes(problem: &Problem<'_>) -> Vec<Node> {
    let most = problem.allowance.min(problem.table.records - 1);
    all_nodes(&problem.lattice).into_iter().filter(|node| counted(problem, node).suppressed <= most).collect()
}

/// The safe nodes without another one below, by definition.
fn minimal_nodes(problem: &Problem<'_>) -> Vec<Node> {
    let safe = safe_nodes(problem);
    let is_minimal = |node: &&Node| !safe.iter().any(|other| other != *node && other.is_at_or_below(node));
    let mut minimal: Vec<Node> = safe.iter().filter(is_minimal).cloned().collect();
    minimal.sort();
    minimal
}

type Answer<'a> = (u128, u64, u32, &'a Node);

/// What the house orders nodes by.
fn answer(found: &SearchAnswer) -> Answer<'_> {
    let best = &found.best;
    (best.summary.units, best.suppressed, best.node.height(), &best.node)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn answers_are_safe_and_tell_what_they_cost(drawn in drawn(), k in 2_i64..6, l in 1_i64..4, share in 0_u64..=10) {
        pose_all(&drawn, &guard(k, l), share, |problem| {
            for search in search::ALL {
                let Ok(found) = (search.run)(problem) else { continue };
                let again = counted(problem, &found.best.node);
                prop_assert!(again.suppressed <= problem.allowance, "{}", search.card.name);
                prop_assert_eq!((again.suppressed, again.summary.units), (found.best.suppressed, found.best.summary.units));
                prop_assert!(problem.lattice.bottom.is_at_or_below(&found.best.node));
                prop_assert!(found.best.node.is_at_or_below(&problem.lattice.top));
            }
            Ok(())
        })?;
    }

    #[test]
    fn who_promises_every_k_minimal_node_finds_them_all(drawn in drawn(), k in 2_i64..6, l in 1_i64..4, share in 0_u64..=10) {
        pose_all(&drawn, &guard(k, l), share, |problem| {
            let minimal = minimal_nodes(problem);
            for search in search::ALL.iter().filter(|search| search.card.keeps(Promise::FindsMinimalNodes)) {
                match (search.run)(problem) {
                    Ok(found) => {
                        let nodes: Vec<Node> = found.minimal.iter().map(|counted| counted.node.clone()).collect();
                        prop_assert_eq!(&nodes, &minimal, "{}", search.card.name);
                        for found in &found.minimal {
                            let again = counted(problem, &found.node);
                            prop_assert_eq!((again.suppressed, again.summary.units), (found.suppressed, found.summary.units));
                        }
                    }
                    Err(_) => prop_assert!(minimal.is_empty(), "{}", search.card.name),
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn without_charged_suppression_the_best_k_minimal_node_is_the_best(drawn in drawn(), k in 2_i64..6, l in 1_i64..4, share in 0_u64..=10) {
        let table = drawn.table();
        for member in loss::ALL {
            let allowance = if member.charges_suppression() { 0 } else { table.records * share / 10 };
            pose(&table, &guard(k, l), member, allowance, |problem| {
                let oracle = run("exhaustive", problem);
                for search in search::ALL.iter().filter(|search| search.card.keeps(Promise::ExactWithoutCharge)) {
                    let found = (search.run)(problem);
                    prop_assert_eq!(found.as_ref().map(answer), oracle.as_ref().map(answer), "{}", search.card.name);
                    prop_assert!(found.is_err() || found.is_ok_and(|found| found.is_optimal()), "{}", search.card.name);
                }
                Ok(())
            })?;
        }
    }

    #[test]
    fn flash_is_never_worse_than_the_best_k_minimal_node(drawn in drawn(), k in 2_i64..6, share in 0_u64..=10) {
        pose_all(&drawn, &guard(k, 1), share, |problem| {
            if let (Ok(flash), Ok(ola)) = (run("flash", problem), run("ola", problem)) {
                prop_assert!(answer(&flash) <= answer(&ola));
            }
            Ok(())
        })?;
    }

    #[test]
    fn who_promises_the_least_height_stands_there_and_is_the_best_there(drawn in drawn(), k in 2_i64..6, share in 0_u64..=10) {
        pose_all(&drawn, &guard(k, 1), share, |problem| {
            let safe = safe_nodes(problem);
            let least = safe.iter().map(Node::height).min();
            for search in search::ALL.iter().filter(|search| search.card.keeps(Promise::LeastHeight)) {
                let Ok(found) = (search.run)(problem) else {
                    prop_assert!(safe.is_empty());
                    continue;
                };
                prop_assert_eq!(Some(found.best.node.height()), least);
                for node in safe.iter().filter(|node| Some(node.height()) == least) {
                    prop_assert!(found.best.summary.units <= counted(problem, node).summary.units);
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn counters_add_up(drawn in drawn(), k in 2_i64..6, share in 0_u64..=10) {
        pose_all(&drawn, &guard(k, 1), share, |problem| {
            let size = problem.lattice.size();
            for search in search::ALL {
                let Ok(found) = (search.run)(problem) else { continue };
                let name = search.card.name;
                // Incognito also meets the nodes of the subsets: each variable at one of its levels, or left out.
                let room = if name == "incognito" { size_with_subsets(&problem.lattice) } else { size };
                prop_assert!(u128::from(found.evaluated) + u128::from(found.tagged) <= room, "{name}: {found:?}");
                prop_assert!(found.evaluated >= 1);
                if search.card.keeps(Promise::OneNodePerHeight) {
                    prop_assert!(found.evaluated <= u64::from(problem.lattice.height()) + 1, "{name}: {found:?}");
                }
            }
            if let Ok(flash) = run("flash", problem) {
                prop_assert_eq!(u128::from(flash.evaluated + flash.tagged), size, "flash decides every node");
            }
            Ok(())
        })?;
    }
}

fn size_with_subsets(lattice: &Lattice) -> u128 {
    lattice.bottom.0.iter().zip(&lattice.top.0).map(|(low, high)| u128::from(high - low) + 2).product()
}

/// Two variables: the first has four values on a fine ladder, the second two.
fn uneven() -> Table {
    let fine = variable("fine", 1.0, ladder("a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n"));
    let coarse = variable("coarse", 1.0, ladder("x;*\ny;*\n"));
    let records = [[0, 0], [1, 0], [2, 1], [3, 1], [0, 1], [1, 1], [2, 0], [3, 0]];
    table(vec![fine, coarse], &records.map(|record| record.to_vec()), None)
}

#[test]
fn datafly_raises_the_most_varied_variable_first() {
    // Four labels against two: the fine variable goes up once and is safe; it is not raised again on a tie.
    let answer = |k| {
        pose(&uneven(), &guard(k, 1), &loss::ALL[0], 0, |problem| {
            let found = run("datafly", problem).unwrap();
            (found.best.node, found.evaluated)
        })
    };
    assert_eq!(answer(2), (vec![1, 0].into(), 2));
    assert_eq!(answer(4), (vec![2, 0].into(), 3));
}

#[test]
fn levels_that_a_policy_forbids_are_not_used() {
    let mut variables = uneven().variables;
    variables[0].max_level = 1;
    variables[1].min_level = 1;
    let records: Vec<Vec<u32>> = [[0, 0], [1, 0], [2, 1], [3, 1]].map(|record| record.to_vec()).to_vec();
    let bounded = table(variables, &records, None);
    for search in search::ALL {
        let node = pose(&bounded, &guard(2, 1), &loss::ALL[0], 0, |problem| (search.run)(problem).unwrap().best.node);
        assert_eq!(node, vec![1, 1].into(), "{}", search.card.name);
        let refusal = pose(&bounded, &guard(3, 1), &loss::ALL[0], 0, |problem| (search.run)(problem).unwrap_err());
        assert_eq!(refusal, SearchError::NoSafeNode { failing: 4, records: 4 }, "{}", search.card.name);
    }
}

#[test]
fn who_prunes_refuses_ladders_that_are_not_nested() {
    let crossing = variable("v", 1.0, ladder("a;x;p;*\nb;x;q;*\nc;y;q;*\nd;y;q;*\n"));
    let table = table(vec![crossing], &[vec![0], vec![0], vec![1], vec![2], vec![3]], None);
    pose(&table, &guard(2, 1), &loss::ALL[0], 0, |problem| {
        for search in ["ola", "flash", "incognito", "samarati"] {
            let refusal = run(search, problem).unwrap_err().to_string();
            let expected = format!("the search `{search}` needs nested ladders, and that of `v` is not nested");
            assert_eq!(refusal, expected);
        }
        let exhaustive = run("exhaustive", problem);
        assert_eq!(run("datafly", problem).unwrap().best.node, exhaustive.as_ref().unwrap().best.node);
        assert_eq!(run("optimal", problem), exhaustive);
    });
}

#[test]
fn who_lists_nodes_refuses_too_many() {
    let many: Vec<_> = (0..40).map(|place| variable(&format!("v{place}"), 1.0, ladder("a;*\nb;*\n"))).collect();
    let table = table(many, &[vec![0; 40], vec![1; 40]], None);
    pose(&table, &guard(2, 1), &loss::ALL[0], 0, |problem| {
        for search in ["ola", "flash", "incognito", "samarati", "exhaustive"] {
            let refusal = run(search, problem);
            assert!(matches!(refusal, Err(SearchError::TooLarge { limit: 10_000_000, .. })), "{search}");
        }
        assert_eq!(run("datafly", problem).unwrap().best.node, vec![1; 40].into());
    });
}
