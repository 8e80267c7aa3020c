//! Counts nodes side by side until time is over.

use rayon::prelude::*;

use super::Projections;
use crate::lattice::Node;
use crate::loss::CountedNode;
use crate::stop::Stop;

/// Nodes that a search wants to know.
pub(crate) struct AwaitedNodes<'a> {
    pub nodes: &'a [Node],
    pub stop: Option<Stop<'a>>,
    /// Whether the search has an answer, so that it may stop.
    pub has_answer: bool,
}

impl AwaitedNodes<'_> {
    /// Counts the nodes from pairs of variables where these tell all, and the others as told; none of them once time is over. Says
    /// how many were counted from pairs.
    pub(crate) fn count(
        &self,
        pairs: Option<&Projections<'_>>,
        mut otherwise: impl FnMut(&[Node]) -> Vec<CountedNode>,
    ) -> (Vec<Option<CountedNode>>, u64) {
        let of_pairs = |node: &Node| pairs?.counted(node);
        let mut counts: Vec<Option<CountedNode>> = self.nodes.par_iter().with_max_len(1).map(of_pairs).collect();
        let counted = counts.iter().flatten().count() as u64;
        let others: Vec<usize> = (0..counts.len()).filter(|&place| counts[place].is_none()).collect();
        for some in others.chunks(Stop::at_once(self.stop, others.len())) {
            if self.stop.is_some_and(|stop| stop.is_late(self.has_answer)) {
                break;
            }
            let nodes: Vec<Node> = some.iter().map(|&place| self.nodes[place].clone()).collect();
            for (&place, count) in some.iter().zip(otherwise(&nodes)) {
                counts[place] = Some(count);
            }
        }
        (counts, counted)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::card::{Parameters, Value};
    use crate::contents::Distribution;
    use crate::frequency::Table;
    use crate::loss::{self, Loss};
    use crate::made_up;
    use crate::privacy::{self, Guard, SensitiveVariable};

    /// Three variables and a secret. The first has a rare value, the last has too many of them.
    fn table() -> Table {
        let record = |one: u32| {
            let first = if one < 4 { 11 } else { one % 4 };
            let last = if (4..20).contains(&one) { (one - 4) % 12 } else { one % 3 };
            [first, one / 4 % 4, last]
        };
        let records: Vec<[u32; 3]> = (0..200).map(record).collect();
        let columns: Vec<Vec<u32>> = (0..3).map(|place| records.iter().map(|record| record[place]).collect()).collect();
        let secrets = Distribution::from_lists((0..200).map(|one| vec![(one % 2, 1)]));
        let variables = made_up::table(&records, [&["2", "4"]; 3]).variables;
        Table::new(variables, &columns, vec![1; 200], vec![("secret".to_owned(), secrets)]).unwrap()
    }

    fn guard(table: &Table) -> Guard {
        let known = [SensitiveVariable { counts: table.spread_counts(0), ..SensitiveVariable::named("secret") }];
        let numbers = [("l", Value::Integer(2)), ("k", Value::Integer(5)), ("c", Value::Number(0.9))];
        let mut given: Parameters = numbers.map(|(name, value)| (name.to_owned(), value)).into();
        given.insert("variable".to_owned(), Value::Text("secret".to_owned()));
        Guard::new(vec![privacy::build("lkc", &given, &known).unwrap()])
    }

    fn entropy(table: &Table) -> Box<dyn Loss> {
        loss::find(loss::DEFAULT).unwrap().build(table, &Parameters::new()).unwrap()
    }

    /// What pairs say of all nodes, and the clock was asked so often.
    fn said(stop: impl Fn(u64) -> bool + Sync) -> (Node, u128, Option<CountedNode>, u64) {
        let table = table();
        let (guard, measure, asked) = (guard(&table), entropy(&table), AtomicU64::new(0));
        let clock = || stop(asked.fetch_add(1, Ordering::Relaxed));
        let clock = Some(Stop::by_clock(&clock));
        let pairs = Projections::new(&table, &guard, measure.as_ref(), 8, clock).unwrap();
        let crate::lattice::Lattice { bottom, top } = table.lattice();
        let highest = CountedNode {
            node: top.clone(),
            suppressed: 0,
            limited: 0,
            summary: loss::LossSummary { units: 0, parts: Vec::new() },
            forced: None,
        };
        let raised = pairs.raised(&bottom, &top);
        let said = (raised, pairs.bound(&bottom, &highest), pairs.counted(&top.with(0, 1).with(1, 1)));
        (said.0, said.1, said.2, asked.load(Ordering::Relaxed))
    }

    #[test]
    fn when_time_is_over_no_more_pairs_are_looked_at() {
        let bottom = table().lattice().bottom;
        let (raised, bound, counted, asked) = said(|_| false);
        assert!(raised != bottom && bound > 0 && counted.is_some() && asked > 20, "{raised:?} {bound} {asked}");
        let (_, lesser, left, at_once) = said(|_| true);
        assert!(lesser == 0 && left.is_none() && at_once < asked, "{lesser} {at_once}");
        // Wherever it is over: nothing is said of what was left.
        for moment in 0..asked {
            let (lower, lesser, left, _) = said(|asked| asked >= moment);
            assert!(lower.is_at_or_below(&raised) && (lesser == 0 || lesser == bound) && left.is_none(), "{moment}");
        }
    }

    #[test]
    fn nodes_that_are_not_reached_in_time_are_not_counted() {
        let table = table();
        let nodes = [vec![3, 3, 3], vec![3, 3, 2], vec![3, 2, 2], vec![2, 2, 2]].map(Node::from);
        let count = |nodes: &[Node]| -> Vec<CountedNode> {
            let problem = made_up::MadeUpProblem::new(made_up::table(&[[0; 3]], [&["2", "4"]; 3]), 2, loss::DEFAULT);
            nodes.iter().map(|node| crate::search::count_directly(&problem.problem(0), node)).collect()
        };
        assert!(nodes.iter().all(|node| node.is_at_or_below(&table.lattice().top)));
        let asked = AtomicU64::new(0);
        let second = || asked.fetch_add(1, Ordering::Relaxed) > 0;
        let counted = |stop, has_answer| {
            asked.store(0, Ordering::Relaxed);
            let (counts, of_pairs) = AwaitedNodes { nodes: &nodes, stop, has_answer }.count(None, count);
            assert_eq!(of_pairs, 0);
            counts.iter().flatten().count()
        };
        assert_eq!(counted(Some(Stop::by_clock(&second)), true), rayon::current_num_threads().min(4));
        // Without an answer it goes on, and a measure of work is not asked within a step.
        assert_eq!(counted(Some(Stop::by_clock(&second)), false), 4);
        assert_eq!(counted(Some(Stop::after_work(&second)), true), 4);
        assert_eq!(counted(None, true), 4);
    }
}
