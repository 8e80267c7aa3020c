//! Splits intervals along one variable, for losses that look at classes and models that look at more than sizes.
//!
//! The lowest node of an interval is counted first where that gives a sharper bound. Then the interval is split along the
//! variable with the largest product of three: what its next level costs, a power of the levels that it has room for, and a
//! power of how many labels become one on the way to `highest`. The powers were found by trying on adult; labels matter less
//! where cells pay by level. Where every merge costs, nothing above a safe node ranks before it:
//! a safe lowest node is all that an interval has to offer.
//!
//! Nodes are counted from sets at hand ([`Evaluator`]). Models that judge all classes together are asked only where it may
//! matter ([`Evaluator::narrow`]): a node that loses more than the best one, even if nothing is withheld, is never the answer, and one
//! that withholds too much is not either. What such nodes say of others does not come from these models' verdicts. With
//! population uniques, this saves more than half of the time.
//!
//! Source: our own.

use std::sync::Arc;

use super::branching::{IntervalBaggage, IntervalOpening, NodeInterval};
use crate::lattice::Node;
use crate::loss::{self, CountedNode};
use crate::projections::{AwaitedNodes, Projections};
use crate::search::Problem;
use crate::search::evaluator::Evaluator;

/// Splits intervals and counts their nodes from sets at hand.
pub(super) struct Splitting<'a> {
    problem: &'a Problem<'a>,
    evaluator: Evaluator<'a>,
    /// For each variable and level what all records together lose; found when it is needed.
    cost: Option<Vec<Vec<u128>>>,
    /// What pairs of variables say, where parts of keys are judged.
    projections: Option<Projections<'a>>,
}

/// Whether the lowest node was counted.
pub(super) struct CountMark(bool);

impl IntervalBaggage for CountMark {}

type IntervalPart = NodeInterval<CountMark>;

impl<'a> Splitting<'a> {
    pub(super) fn new(problem: &'a Problem<'a>, evaluator: Evaluator<'a>) -> Self {
        let Problem { table, guard, loss, allowance, stop, .. } = *problem;
        Self { problem, evaluator, cost: None, projections: Projections::new(table, guard, loss, allowance, stop) }
    }

    /// The interval from a node to a counted one, without levels that pairs of variables rule out; none where only the counted
    /// node is left.
    pub(super) fn interval(&self, lowest: Node, highest: Arc<CountedNode>, inherited: u128) -> Option<IntervalPart> {
        let raised = self.projections.as_ref().map(|pairs| pairs.raised(&lowest, &highest.node));
        let lowest = raised.unwrap_or(lowest);
        if lowest == highest.node {
            return None;
        }
        let of_pairs = self.projections.as_ref().map_or(0, |pairs| pairs.bound(&lowest, &highest));
        let bound = self.problem.loss.bound(&lowest, None, Some(&highest)).max(inherited).max(of_pairs);
        Some(NodeInterval { bound, lowest, highest, carried: CountMark(false) })
    }

    /// Opens intervals side by side; those that it does not come to in time stay as they are, where there is an answer.
    pub(super) fn open(
        &mut self,
        intervals: Vec<IntervalPart>,
        best: Option<&CountedNode>,
    ) -> Vec<IntervalOpening<CountMark>> {
        // The variable to split along; without one the lowest node is counted for a sharper bound.
        let variables: Vec<Option<usize>> = intervals.iter().map(|interval| self.variable(interval)).collect();
        let node = |(interval, variable): (&IntervalPart, &Option<usize>)| match *variable {
            Some(variable) => interval.highest.node.with(variable, interval.lowest.0[variable]),
            None => interval.lowest.clone(),
        };
        let nodes: Vec<Node> = intervals.iter().zip(&variables).map(node).collect();
        // Losses that look at classes take bounds from what a node withholds, so they want everything.
        if self.problem.loss.shape().per_cell().is_some() {
            self.evaluator.narrow(best);
        }
        let (counts, mut counted) = self.count_all(&nodes, best.is_some());
        let opened = intervals.into_iter().zip(variables).zip(counts).map(|((interval, variable), count)| {
            let Some(count) = count else { return IntervalOpening { best: None, left: vec![interval], counted: 0 } };
            let best = self.problem.is_safe(&count).then(|| count.clone());
            let left = match variable {
                Some(variable) => self.split(interval, variable, count),
                None => self.sharpened(interval, &count).into_iter().collect(),
            };
            IntervalOpening { best, left, counted: std::mem::take(&mut counted) }
        });
        opened.collect()
    }

    /// Counts nodes side by side, from pairs of variables where these tell all; says how many were counted.
    fn count_all(&mut self, nodes: &[Node], has_answer: bool) -> (Vec<Option<CountedNode>>, u64) {
        let Self { problem, evaluator, projections, .. } = self;
        let before = evaluator.evaluated();
        let asked = AwaitedNodes { nodes, stop: problem.stop, has_answer };
        let (counts, of_pairs) = asked.count(projections.as_ref(), |others| evaluator.count_all(others));
        (counts, of_pairs + evaluator.evaluated() - before)
    }

    fn variable(&mut self, interval: &IntervalPart) -> Option<usize> {
        let is_sharp = interval.carried.0 || !self.problem.loss.shape().needs_low();
        is_sharp.then(|| self.widest(interval))
    }

    fn split(&self, interval: IntervalPart, variable: usize, below: CountedNode) -> Vec<IntervalPart> {
        let NodeInterval { bound, lowest, highest, .. } = interval;
        let raised = lowest.with(variable, lowest.0[variable] + 1);
        let mut parts = Vec::with_capacity(2);
        if self.problem.may_be_safe(&below) {
            parts.extend(self.interval(lowest, Arc::new(below), bound));
        }
        parts.extend(self.interval(raised, highest, bound));
        parts
    }

    /// The interval with the sharper bound that its counted lowest node gives, if there is more to it than that node.
    fn sharpened(&self, mut interval: IntervalPart, low: &CountedNode) -> Option<IntervalPart> {
        let suppresses = self.problem.allowance > 0;
        // Fewer may be suppressed further up, although nothing merges, where a model looks at a population or at parts of keys.
        let looks_beyond =
            self.problem.table.keys().contents.has_population() || self.problem.guard.parts().next().is_some();
        let may_rescue = low.suppressed > 0 && looks_beyond;
        if self.problem.loss.shape().grows_with_merges(suppresses) && self.problem.is_safe(low) && !may_rescue {
            return None;
        }
        let bound = self.problem.loss.bound(&interval.lowest, Some(low), Some(&interval.highest));
        interval.bound = interval.bound.max(bound);
        interval.carried = CountMark(true);
        Some(interval)
    }

    /// The variable to split along.
    fn widest(&mut self, interval: &IntervalPart) -> usize {
        let Problem { table, loss, .. } = *self.problem;
        let cost = self.cost.get_or_insert_with(|| loss::cost_by_level(loss, table));
        let (by_levels, by_labels) = if loss.shape().per_cell().is_some() { (1.5, 0.1) } else { (1.0, 0.5) };
        let gain = |variable: usize| {
            let (low, high) = (interval.lowest.0[variable], interval.highest.node.0[variable]);
            let step = cost[variable][low as usize + 1].saturating_sub(cost[variable][low as usize]) as f64;
            let joined = table.labels_per_label(variable, low, high);
            step * f64::from(high - low).powf(by_levels) * joined.powf(by_labels)
        };
        // The first of several equals.
        let open = interval.lowest.variables_below(&interval.highest.node);
        open.rev().max_by(|&one, &other| gain(one).total_cmp(&gain(other))).unwrap_or_default()
    }
}
