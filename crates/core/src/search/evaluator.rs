//! Counts the classes of nodes, each from the smallest finer set at hand.
//!
//! Nodes that are asked for together are counted side by side on all threads. Counted sets are kept as starting points
//! while their rows and their number fit a budget; those that served longest ago go first. What is kept depends on the
//! questions and their order alone, never on threads or time.
//!
//! Source: El Emam et al. 2009, appendix derivation 4.

use hashbrown::HashMap;
use rayon::prelude::*;

use super::{Problem, SearchError};
use crate::frequency::{FrequencySet, RollUp};
use crate::lattice::Node;
use crate::loss::{Count, Counted};

/// What may be kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Rows of all kept sets together, and entries of their spreads; 16 bytes each in most tables.
    pub rows: usize,
    /// Kept sets: each is looked at when a node is counted.
    pub sets: usize,
}

const BUDGET: Budget = Budget { rows: 16 << 20, sets: 8192 };

pub(super) struct Evaluator<'a> {
    problem: &'a Problem<'a>,
    nested: bool,
    budget: Budget,
    /// Smallest first.
    kept: Vec<Kept>,
    rows: usize,
    known: HashMap<Node, Counted>,
    evaluated: u64,
    asked: u64,
}

struct Kept {
    set: FrequencySet,
    /// When it was last of use.
    served: u64,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(problem: &'a Problem<'a>) -> Self {
        Self::with_budget(problem, BUDGET)
    }

    pub(super) fn with_budget(problem: &'a Problem<'a>, budget: Budget) -> Self {
        let nested = problem.table.first_unnested().is_none();
        Self { problem, nested, budget, kept: Vec::new(), rows: 0, known: HashMap::new(), evaluated: 0, asked: 0 }
    }

    /// Counts the top first: where it is not safe, nothing is.
    pub(super) fn from_the_top(problem: &'a Problem<'a>) -> Result<(Self, Counted), SearchError> {
        let mut evaluator = Self::new(problem);
        let top = evaluator.count(&problem.lattice.top);
        if problem.is_safe(&top) { Ok((evaluator, top)) } else { Err(problem.no_safe_node(&top)) }
    }

    /// How many nodes were counted.
    pub(super) fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Counts a node, or recalls it.
    pub(super) fn count(&mut self, node: &Node) -> Counted {
        self.count_all(std::slice::from_ref(node)).remove(0)
    }

    /// Counts nodes side by side, or recalls them.
    pub(super) fn count_all(&mut self, nodes: &[Node]) -> Vec<Counted> {
        let mut unknown: Vec<Node> = nodes.iter().filter(|node| !self.known.contains_key(*node)).cloned().collect();
        unknown.sort_unstable();
        unknown.dedup();
        if !unknown.is_empty() {
            let counts = self.count_afresh(&unknown);
            self.known.extend(unknown.into_iter().zip(counts));
        }
        nodes.iter().map(|node| self.known[node].clone()).collect()
    }

    /// Counts nodes side by side, without looking whether they are known and without remembering them: for a search that
    /// never asks twice.
    pub(super) fn count_afresh(&mut self, nodes: &[Node]) -> Vec<Counted> {
        let count = |node: &Node| {
            let place = self.finer(node);
            let finer = place.map_or(self.problem.table.keys(), |place| &self.kept[place].set);
            let RollUp { set, class_of, .. } = self.problem.table.roll_up(finer, node);
            let counted = judge(self.problem, &set, Some((finer, &class_of)));
            (place, set, counted)
        };
        let counts: Vec<_> = match nodes {
            [node] => vec![count(node)],
            _ => nodes.par_iter().with_max_len(1).map(count).collect(),
        };
        self.asked += 1;
        for place in counts.iter().filter_map(|(place, ..)| *place) {
            self.kept[place].served = self.asked;
        }
        self.evaluated += nodes.len() as u64;
        (self.problem.progress)(self.evaluated);
        counts.into_iter().map(|(_, set, counted)| self.keep(set, counted)).collect()
    }

    /// The smallest kept set that is at or below a node.
    fn finer(&self, node: &Node) -> Option<usize> {
        self.kept.iter().position(|kept| self.nested && kept.set.node.is_at_or_below(node))
    }

    fn keep(&mut self, set: FrequencySet, counted: Counted) -> Counted {
        self.rows += set.weight();
        let place = self.kept.partition_point(|kept| kept.set.len() < set.len());
        self.kept.insert(place, Kept { set, served: self.asked });
        if self.rows > self.budget.rows || self.kept.len() > self.budget.sets {
            self.evict();
        }
        counted
    }

    /// Drops the half of the kept sets that served longest ago, and more while the rows do not fit.
    fn evict(&mut self) {
        let mut served: Vec<u64> = self.kept.iter().map(|kept| kept.served).collect();
        served.sort_unstable();
        let median = served[served.len() / 2];
        self.kept.retain(|kept| kept.served > median);
        self.rows = self.kept.iter().map(|kept| kept.set.weight()).sum();
        while self.rows > self.budget.rows
            && let Some(largest) = self.kept.pop()
        {
            self.rows -= largest.set.weight();
        }
    }
}

/// Judges a counted set and takes its loss.
pub(super) fn judge(problem: &Problem<'_>, set: &FrequencySet, finer: Option<(&FrequencySet, &[u32])>) -> Counted {
    let verdict = problem.guard.judge(set);
    let summary = problem.loss.summarise(problem.table, &Count { set, verdict: &verdict, finer });
    Counted { node: set.node.clone(), suppressed: verdict.suppressed, summary }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{Parameters, Value};
    use crate::frequency::Table;
    use crate::hierarchy::Builder;
    use crate::loss;
    use crate::privacy::{self, Guard};
    use crate::variable::Variable;

    fn table() -> Table {
        let values: Vec<String> = (0..40).map(|value| value.to_string()).collect();
        let ladder = Builder::Intervals { widths: ["2", "4", "8", "16"].map(String::from).to_vec() };
        let variable = |name: &str| {
            let hierarchy = ladder.fit(&values).unwrap();
            Variable { name: name.to_owned(), max_level: hierarchy.height(), hierarchy, min_level: 0, weight: 1.0 }
        };
        let column = |step: u32| (0..600_u32).map(|row| (row * row * step + row) % 40).collect();
        Table::new(["a", "b", "c"].map(variable).to_vec(), &[column(3), column(7), column(1)], vec![1; 600], vec![])
            .unwrap()
    }

    #[test]
    fn eviction_keeps_the_budget_and_changes_no_count() {
        let table = table();
        let five = Parameters::from([("k".to_owned(), Value::Integer(5))]);
        let guard = Guard::new(vec![privacy::build("k-anonymity", &five, &[]).unwrap()]);
        let entropy = loss::find(loss::DEFAULT).unwrap();
        let prepared = entropy.build(&table, &Parameters::new()).unwrap();
        let problem = Problem {
            table: &table,
            guard: &guard,
            loss: prepared.as_ref(),
            budget: 0,
            lattice: table.lattice(),
            progress: &|_| {},
            stop: None,
        };
        let budget = Budget { rows: 500, sets: 6 };
        let mut evaluator = Evaluator::with_budget(&problem, budget);
        let lattice = table.lattice();
        let mut most = 0;
        for node in (0..=lattice.height()).flat_map(|steps| lattice.nodes_at(steps)) {
            let counted = evaluator.count(&node);
            let direct = judge(&problem, &table.roll_up(table.keys(), &node).set, None);
            assert_eq!((counted.suppressed, counted.summary.units), (direct.suppressed, direct.summary.units));
            let rows: usize = evaluator.kept.iter().map(|kept| kept.set.weight()).sum();
            assert!(rows <= budget.rows && evaluator.kept.len() <= budget.sets, "{rows} rows");
            assert_eq!(rows, evaluator.rows);
            most = most.max(rows);
        }
        assert!(most > 0 && u128::from(evaluator.evaluated()) == lattice.size());
    }
}
