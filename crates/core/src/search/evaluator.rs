//! Counts the classes of nodes, each from the smallest finer set at hand.
//!
//! Counted sets are kept as long as their rows fit a budget; when they do not, the largest go first, because the small
//! ones are the cheap starting points. Nothing that is returned depends on what was kept.
//!
//! Source: El Emam et al. 2009, appendix derivation 4.

use hashbrown::HashMap;

use super::Problem;
use crate::frequency::{FrequencySet, RollUp, Scratch};
use crate::lattice::Node;
use crate::loss::{Count, Counted};

/// Rows of all kept sets together; about 12 bytes each, more with sensitive variables.
const KEPT_ROWS: usize = 32 << 20;

pub(super) struct Evaluator<'a> {
    problem: &'a Problem<'a>,
    nested: bool,
    /// Kept sets, smallest first.
    kept: Vec<FrequencySet>,
    rows: usize,
    counted: HashMap<Node, Counted>,
    scratch: Scratch,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(problem: &'a Problem<'a>) -> Self {
        let nested = problem.table.first_unnested().is_none();
        Self { problem, nested, kept: Vec::new(), rows: 0, counted: HashMap::new(), scratch: Scratch::default() }
    }

    /// How many nodes were counted.
    pub(super) fn evaluated(&self) -> u64 {
        self.counted.len() as u64
    }

    /// Counts a node, or recalls it.
    pub(super) fn count(&mut self, node: &Node) -> Counted {
        if let Some(counted) = self.counted.get(node) {
            return counted.clone();
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let finer = self.finer(node);
        let RollUp { set, class_of } = self.problem.table.roll_up_with(finer, node, &mut scratch);
        let counted = judge(self.problem, &set, Some((finer, &class_of)));
        self.counted.insert(node.clone(), counted.clone());
        self.scratch = scratch;
        self.keep(set);
        (self.problem.progress)(self.evaluated());
        counted
    }

    /// The counted nodes at or above a node.
    pub(super) fn above<'s>(&'s self, node: &'s Node) -> impl Iterator<Item = &'s Counted> {
        self.counted.values().filter(|counted| node.is_at_or_below(&counted.node))
    }

    fn finer(&self, node: &Node) -> &FrequencySet {
        let fits = |set: &&FrequencySet| self.nested && set.node.is_at_or_below(node);
        self.kept.iter().find(fits).unwrap_or_else(|| self.problem.table.keys())
    }

    fn keep(&mut self, set: FrequencySet) {
        self.rows += set.len();
        let place = self.kept.partition_point(|other| other.len() < set.len());
        self.kept.insert(place, set);
        while self.rows > KEPT_ROWS
            && let Some(largest) = self.kept.pop()
        {
            self.rows -= largest.len();
        }
    }
}

/// Judges a counted set and takes its loss.
pub(super) fn judge(problem: &Problem<'_>, set: &FrequencySet, finer: Option<(&FrequencySet, &[u32])>) -> Counted {
    let verdict = problem.guard.judge(set);
    let summary = problem.loss.summarise(problem.table, &Count { set, verdict: &verdict, finer });
    Counted { node: set.node.clone(), suppressed: verdict.suppressed, summary }
}
