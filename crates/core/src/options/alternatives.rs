//! The best safe nodes in their order, and the best one for each level of each variable.
//!
//! The lattice is a box of nodes. Let b be its best node. For each variable v two boxes hold the nodes that agree with b in all
//! variables before v and stand lower, or higher, than b in v. These boxes do not meet, and together they are the lattice
//! without b. Each is searched in the same way. The best of their best nodes comes next, and its box is cut in turn. So each
//! node named is the best of all that were not, ties included, and the proof is that of the first one.
//!
//! What a level costs is the same question in a box where one variable has one level.
//!
//! Limit: a box is one exact search, and each node of the order needs up to two of them per variable.
//!
//! Source: Lawler 1972, Management Science 18(7), after Murty 1968: the k best of a set that an exact search can halve.

use crate::lattice::{Lattice, Node};
use crate::loss::CountedNode;
use crate::search::{Problem, SearchAnswer, SearchError, SearchMember, by_rank};

/// The best safe nodes, at most so many, from the best on; fewer where no more are safe. The search must be exact.
pub fn alternatives(
    problem: &Problem<'_>,
    search: &SearchMember,
    count: usize,
) -> Result<Vec<CountedNode>, SearchError> {
    ordered(problem, search, count).map(|(nodes, _)| nodes)
}

/// The safe node at a place of the order, the best being 1. The search must be exact.
pub fn choose(problem: &Problem<'_>, search: &SearchMember, place: usize) -> Result<SearchAnswer, SearchError> {
    let (mut nodes, evaluated) = ordered(problem, search, place)?;
    let bound = nodes.first().map_or(0, |best| best.summary.units);
    let safe = nodes.len();
    let chosen = if safe < place { None } else { nodes.pop() };
    chosen.map(|node| problem.answer(node, bound, evaluated)).ok_or(SearchError::FewerSafe { safe })
}

/// The first nodes of the order, and how many nodes were counted.
fn ordered(problem: &Problem<'_>, search: &SearchMember, count: usize) -> Result<(Vec<CountedNode>, u64), SearchError> {
    let whole = problem.lattice.clone();
    let first = within(problem, search, &whole)?;
    let mut evaluated = first.evaluated;
    let (mut open, mut nodes) = (vec![(first.best, whole)], Vec::new());
    while nodes.len() < count {
        let best = open.iter().enumerate().min_by(|(_, (one, _)), (_, (other, _))| by_rank(one, other));
        let Some(place) = best.map(|(place, _)| place) else { break };
        let (best, lattice) = open.swap_remove(place);
        let is_last = nodes.len() + 1 == count;
        for part in if is_last { Vec::new() } else { around(&lattice, &best.node) } {
            let Some(found) = if_safe(within(problem, search, &part))? else { continue };
            evaluated += found.evaluated;
            open.push((found.best, part));
        }
        nodes.push(best);
    }
    Ok((nodes, evaluated))
}

/// The best safe node with a variable at a level, or why there is none. The search must be exact.
pub fn at_level(
    problem: &Problem<'_>,
    search: &SearchMember,
    variable: usize,
    level: u8,
) -> Result<CountedNode, SearchError> {
    let Lattice { bottom, top } = &problem.lattice;
    let held = Lattice { bottom: bottom.with(variable, level), top: top.with(variable, level) };
    within(problem, search, &held).map(|found| found.best)
}

fn within(problem: &Problem<'_>, search: &SearchMember, lattice: &Lattice) -> Result<SearchAnswer, SearchError> {
    (search.run)(&Problem { lattice: lattice.clone(), stop: None, ..*problem })
}

/// That no node of a box is safe says nothing about the others.
fn if_safe(found: Result<SearchAnswer, SearchError>) -> Result<Option<SearchAnswer>, SearchError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(SearchError::NoSafeNode { .. } | SearchError::Forbidden) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A box without one of its nodes, in parts that do not meet.
fn around(lattice: &Lattice, node: &Node) -> Vec<Lattice> {
    let mut parts = Vec::new();
    let Lattice { mut bottom, mut top } = lattice.clone();
    for (variable, &level) in node.0.iter().enumerate() {
        if bottom.0[variable] < level {
            parts.push(Lattice { bottom: bottom.clone(), top: top.with(variable, level - 1) });
        }
        if level < top.0[variable] {
            parts.push(Lattice { bottom: bottom.with(variable, level + 1), top: top.clone() });
        }
        bottom = bottom.with(variable, level);
        top = top.with(variable, level);
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::card::Card;
    use crate::loss;
    use crate::made_up::{self, MadeUpProblem};
    use crate::search::{DEFAULT, count_directly, find};

    fn nodes(lattice: &Lattice) -> Vec<Node> {
        (0..=lattice.height()).flat_map(|steps| lattice.nodes_at(steps)).collect()
    }

    #[test]
    fn the_parts_hold_every_other_node_once() {
        let lattice = Lattice { bottom: vec![0, 1, 0].into(), top: vec![2, 3, 0].into() };
        for node in nodes(&lattice) {
            let held: Vec<Node> = around(&lattice, &node).iter().flat_map(nodes).collect();
            let others: BTreeSet<Node> = nodes(&lattice).into_iter().filter(|other| *other != node).collect();
            assert_eq!((held.len(), held.into_iter().collect::<BTreeSet<_>>()), (others.len(), others));
        }
    }

    fn attack(posed: &MadeUpProblem, allowance: u64) {
        let problem = posed.problem(allowance);
        let search = find(DEFAULT).unwrap();
        let every = nodes(&problem.lattice).into_iter().map(|node| count_directly(&problem, &node));
        let mut safe: Vec<CountedNode> = every.filter(|counted| problem.is_safe(counted)).collect();
        safe.sort_by(by_rank);
        let rank = |counted: &CountedNode| (counted.node.clone(), counted.suppressed, counted.summary.units);
        let sorted: Vec<_> = safe.iter().map(rank).collect();
        match alternatives(&problem, search, usize::MAX) {
            Ok(found) => assert_eq!(found.iter().map(rank).collect::<Vec<_>>(), sorted),
            Err(error) => assert!(matches!(error, SearchError::NoSafeNode { .. }) && safe.is_empty(), "{error}"),
        }
        for (variable, (low, high)) in problem.lattice.bottom.0.iter().zip(&problem.lattice.top.0).enumerate() {
            for level in *low..=*high {
                let best = safe.iter().find(|counted| counted.node.0[variable] == level).map(rank);
                assert_eq!(at_level(&problem, search, variable, level).ok().as_ref().map(rank), best);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn the_order_is_that_of_all_safe_nodes(
            records in prop::collection::vec(prop::array::uniform3(0_u32..12), 1..60),
            k in 2_i64..6,
            share in 0_u64..4,
        ) {
            let is_whole = |card: &Card| card.parameters.iter().all(|parameter| parameter.default.is_some());
            for card in loss::ALL.iter().map(|member| &member.card).filter(|card| is_whole(card)) {
                let table = made_up::table(&records, [&["2", "4"], &["3"], &["2", "4", "8"]]);
                attack(&MadeUpProblem::new(table, k, card.name), share * records.len() as u64 / 4);
            }
        }
    }

    #[test]
    fn a_count_ends_the_order() {
        let records: Vec<[u32; 2]> = (0..80).map(|one| [one % 12, one * one % 12]).collect();
        let posed = MadeUpProblem::new(made_up::table(&records, [&["2", "4"]; 2]), 3, loss::DEFAULT);
        let problem = posed.problem(8);
        let search = find(DEFAULT).unwrap();
        let all = alternatives(&problem, search, usize::MAX).unwrap();
        for count in 0..=all.len() {
            assert_eq!(alternatives(&problem, search, count).unwrap(), all[..count]);
        }
        for (place, node) in (1..).zip(&all) {
            let found = choose(&problem, search, place).unwrap();
            assert_eq!((&found.best, found.bound), (node, all[0].summary.units));
            assert_eq!(found.is_optimal(), node.summary.units == all[0].summary.units);
        }
        let beyond = choose(&problem, search, all.len() + 1);
        assert_eq!(beyond, Err(SearchError::FewerSafe { safe: all.len() }));
    }
}
