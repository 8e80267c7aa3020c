//! Opens intervals by trying every variable first, for losses that charge each cell by its level and models that look at
//! the size of classes only, in records or in people who have a key each.
//!
//! An interval carries its keys with their classes at its highest node. To *try* a variable is to count the highest node
//! with that variable at the level of the lowest: classes are split by one variable, and nothing is hashed
//! ([`Refinement`]). Where that suppresses more than is allowed, the lowest node is raised. Otherwise the keys that it
//! would drop sharpen the bound ([`Claims`]), until the interval is refuted or every variable was tried.
//!
//! Then the interval is split along the variable with the largest step and drop together, each up to what separates the
//! interval from the best node. Steps count more where there are more levels to go.
//!
//! What it buys: many times fewer nodes are counted than by a rule that guesses the variable from its labels, on tables
//! such as cup and on lattices of millions of nodes.
//!
//! Limit: fewer than 2³¹ records, up to 63 variables.
//!
//! Source: our own; Achterberg et al. 2005 for trying before branching.

use std::sync::Arc;

use rayon::prelude::*;

use super::branching::{IntervalBaggage, IntervalOpening, NodeInterval, rank_of_interval};
use super::claims::{ClaimFrame, ClaimIndex, Claims, VARIABLES};
use crate::frequency::{DroppedKeys, FrequencySet, Lowering, Refinement};
use crate::lattice::Node;
use crate::loss::{CountedNode, Loss, PerCell, SuppressedClasses};
use crate::privacy::Unit;
use crate::search::{NodeRank, Problem, SearchError, by_rank, rank};

/// Fewer intervals than these are few for several threads.
const FEW: usize = 4;

/// Keys that were forgotten and are found again are merged where that makes so many times fewer. Merging in vain would take
/// much of the time where most intervals forget.
const MUCH_FEWER: usize = 2;

pub(super) struct Probing<'a> {
    problem: &'a Problem<'a>,
    loss: &'a PerCell,
    /// Classes of fewer people are suppressed.
    least: u64,
    /// Those of the lowest node.
    keys: Arc<FrequencySet>,
}

/// The keys of an interval.
pub(super) enum IntervalKeys {
    /// With the classes of the highest node, and what trials said of them.
    Known { classes: Refinement, claims: Claims },
    /// There were so many when it let go of them.
    Forgotten(usize),
}

impl IntervalBaggage for IntervalKeys {
    fn keys(&self) -> usize {
        match self {
            Self::Known { classes, .. } => classes.len(),
            Self::Forgotten(_) => 0,
        }
    }

    fn forget(&mut self) {
        if let Self::Known { classes, .. } = self {
            *self = Self::Forgotten(classes.len());
        }
    }
}

impl<'a> Probing<'a> {
    /// For problems that it can count for, and everything from `lowest` on.
    pub(super) fn new(problem: &'a Problem<'a>, lowest: &Node) -> Option<Self> {
        let records = u64::from(i32::try_from(problem.table.records).ok()?.unsigned_abs());
        let least = problem.guard.least_size()?.min(records + 1);
        let adds_up = problem.table.keys().is_additive() && problem.guard.limits() == Unit::Records;
        if problem.table.variables.len() > VARIABLES || !adds_up {
            return None;
        }
        let loss = problem.loss.shape().per_cell()?;
        let keys = Arc::new(problem.table.roll_up(problem.table.keys(), lowest).set);
        Some(Self { problem, loss, least, keys })
    }

    /// The top and the interval of everything below it: where the top is not safe, nothing is.
    pub(super) fn first(&self) -> Result<(CountedNode, NodeInterval<IntervalKeys>), SearchError> {
        let Problem { table, lattice, .. } = self.problem;
        let lowest = self.keys.node.clone();
        let classes = Refinement::at(table, &self.keys, &lattice.top, self.least);
        let top =
            self.counted(&lattice.top, &SuppressedClasses { set: &classes.keys, classes: &classes.dropped() }, None);
        if !self.problem.is_safe(&top) {
            return Err(self.problem.no_safe_node(&top));
        }
        let carried = IntervalKeys::Known { classes, claims: Claims::new(lowest.0.len()) };
        let (bound, highest) = (self.loss.bound(&lowest, None, Some(&top)), Arc::new(top.clone()));
        Ok((top, NodeInterval { bound, lowest, highest, carried }))
    }

    /// A node at which these keys are suppressed, besides those that are suppressed at `above`.
    fn counted(&self, node: &Node, suppressed: &SuppressedClasses<'_>, above: Option<&CountedNode>) -> CountedNode {
        let mut charges = self.loss.charges(self.problem.table, suppressed);
        let mut records = suppressed.classes.iter().map(|&key| suppressed.set.sizes[key as usize]).sum();
        if let Some(above) = above {
            charges.iter_mut().zip(&above.summary.parts).for_each(|(charge, above)| *charge += above);
            records += above.suppressed;
        }
        let summary = self.loss.summary(node, charges);
        CountedNode { node: node.clone(), suppressed: records, limited: records, summary, forced: None }
    }

    /// Opens intervals side by side.
    pub(super) fn open(
        &self,
        intervals: Vec<NodeInterval<IntervalKeys>>,
        best: &CountedNode,
    ) -> Vec<IntervalOpening<IntervalKeys>> {
        // Where there are few, their variables are tried side by side, too.
        let at_once = if intervals.len() < FEW { 2 } else { 1 };
        intervals.into_par_iter().with_max_len(1).map(|interval| self.open_one(interval, best, at_once)).collect()
    }

    fn open_one(
        &self,
        interval: NodeInterval<IntervalKeys>,
        best: &CountedNode,
        at_once: usize,
    ) -> IntervalOpening<IntervalKeys> {
        let mut opened = IntervalOpening { best: None, left: Vec::new(), counted: 0 };
        let mut open = OpenInterval::new(self, interval);
        loop {
            let trials = open.tried(at_once, opened.best.as_ref().unwrap_or(best));
            if trials.is_empty() {
                break;
            }
            opened.counted += trials.len() as u64;
            for Trial { variable, dropped, better } in trials {
                opened.best = better.into_iter().chain(opened.best).min_by(by_rank);
                open.learn(variable, dropped);
                if open.known.rank() >= rank(opened.best.as_ref().unwrap_or(best)) {
                    return opened;
                }
            }
        }
        if open.known.lowest != open.known.highest.node {
            opened.left = open.split(opened.best.as_ref().unwrap_or(best));
        }
        opened
    }
}

/// What trying a variable says.
struct Trial {
    variable: usize,
    dropped: DroppedKeys,
    /// The node that was counted, if it is better than the best one.
    better: Option<CountedNode>,
}

/// An interval that is being opened.
struct OpenInterval<'a> {
    probing: &'a Probing<'a>,
    classes: Refinement,
    known: IntervalFacts,
    index: ClaimIndex,
}

/// What is known of an interval.
struct IntervalFacts {
    lowest: Node,
    highest: Arc<CountedNode>,
    /// What one level more of each variable costs the records that the highest node keeps.
    steps: Vec<u128>,
    claims: Claims,
    bound: u128,
}

impl IntervalFacts {
    fn rank(&self) -> NodeRank<'_> {
        rank_of_interval(self.bound, &self.lowest, &self.highest)
    }

    fn sharpen(&mut self, probing: &Probing<'_>) {
        let base = probing.loss.bound(&self.lowest, None, Some(&self.highest));
        self.bound = self.bound.max(base + self.claims.paid(&self.steps));
    }

    /// The interval, unless no node but the highest one can be better than `best`.
    fn interval(self, best: &CountedNode, classes: impl FnOnce() -> Refinement) -> Option<NodeInterval<IntervalKeys>> {
        if self.rank() >= rank(best) || self.lowest == self.highest.node {
            return None;
        }
        let carried = IntervalKeys::Known { classes: classes(), claims: self.claims };
        Some(NodeInterval { bound: self.bound, lowest: self.lowest, highest: self.highest, carried })
    }
}

impl<'a> OpenInterval<'a> {
    fn new(probing: &'a Probing<'a>, interval: NodeInterval<IntervalKeys>) -> Self {
        let NodeInterval { bound, lowest, highest, carried } = interval;
        let Problem { table, .. } = *probing.problem;
        let (mut classes, mut claims) = match carried {
            IntervalKeys::Known { classes, claims } => (classes, claims),
            IntervalKeys::Forgotten(count) => {
                let classes = Refinement::at(table, &probing.keys, &highest.node, probing.least);
                let were_much_fewer = MUCH_FEWER * count <= classes.len();
                let classes = if were_much_fewer { classes } else { classes.left_at(&lowest) };
                (classes, Claims::new(lowest.0.len()))
            }
        };
        let steps = probing.loss.steps(&lowest, &highest);
        let merged = classes.merged(table, &lowest);
        let merged = merged.map(|(merged, made_of)| (std::mem::replace(&mut classes, merged).len(), made_of));
        let frame = ClaimFrame {
            table,
            loss: probing.loss,
            lowest: &lowest,
            highest: &highest,
            keys: &classes.keys,
            steps: &steps,
        };
        if let Some((before, made_of)) = merged {
            claims.merged(&frame, before, &made_of);
        }
        let index = claims.index(&frame);
        Self { probing, classes, known: IntervalFacts { lowest, highest, steps, claims, bound }, index }
    }

    /// The interval with another lowest node and its steps.
    fn frame<'b>(&'b self, lowest: &'b Node, steps: &'b [u128]) -> ClaimFrame<'b> {
        let Probing { problem, loss, .. } = *self.probing;
        ClaimFrame { table: problem.table, loss, lowest, highest: &self.known.highest, keys: &self.classes.keys, steps }
    }

    /// A variable at its lowest level.
    fn lowering(&self, variable: usize) -> Lowering {
        Lowering { variable, level: self.known.lowest.0[variable], least: self.probing.least }
    }

    fn open_variables(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.known.lowest.variables_below(&self.known.highest.node)
    }

    /// The levels that a variable has to go.
    fn levels_to_go(&self, variable: usize) -> f64 {
        f64::from(self.known.highest.node.0[variable] - self.known.lowest.0[variable])
    }

    /// Tries one or two variables more: those that are most likely to drop much.
    fn tried(&self, count: usize, best: &CountedNode) -> Vec<Trial> {
        let gain = |variable: usize| {
            let (low, high) = (self.known.lowest.0[variable], self.known.highest.node.0[variable]);
            let joined = self.probing.problem.table.labels_per_label(variable, low, high);
            self.known.steps[variable] as f64 * self.levels_to_go(variable) * joined.sqrt()
        };
        let untried = self.open_variables().filter(|&variable| !self.known.claims.is_tried(variable));
        let mut untried: Vec<(usize, f64)> = untried.map(|variable| (variable, gain(variable))).collect();
        untried.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        untried.truncate(count);
        untried.into_par_iter().with_max_len(1).map(|(variable, _)| self.trial(variable, best)).collect()
    }

    /// Counts the highest node with a variable at its lowest level.
    fn trial(&self, variable: usize, best: &CountedNode) -> Trial {
        let Probing { problem, loss, .. } = *self.probing;
        let node = self.known.highest.node.with(variable, self.known.lowest.0[variable]);
        let dropped = self.classes.would_drop(problem.table, self.lowering(variable), |records| self.permits(records));
        let is_near = loss.bound(&node, None, Some(&self.known.highest)) <= best.summary.units;
        let counted = (is_near && self.permits(dropped.records)).then(|| self.count(&node, &dropped.keys));
        Trial { variable, dropped, better: counted.filter(|counted| rank(counted) < rank(best)) }
    }

    /// Whether so many records may be suppressed besides those that the highest node suppresses.
    fn permits(&self, records: u64) -> bool {
        self.probing.problem.permits(self.known.highest.suppressed + records)
    }

    /// Takes what trying a variable says of the interval.
    fn learn(&mut self, variable: usize, dropped: DroppedKeys) {
        if self.permits(dropped.records) {
            let IntervalFacts { lowest, highest, steps, claims, .. } = &mut self.known;
            let Probing { problem: Problem { table, .. }, loss, .. } = *self.probing;
            let keys = &*self.classes.keys;
            claims.add(
                &ClaimFrame { table, loss, lowest, highest, keys, steps },
                variable,
                dropped.keys,
                &mut self.index,
            );
            self.known.sharpen(self.probing);
        } else {
            self.known = self.raised(variable);
            self.index = self.known.claims.index(&self.frame(&self.known.lowest, &self.known.steps));
        }
    }

    /// The node at which these keys are dropped besides those that `highest` drops.
    fn count(&self, node: &Node, dropped: &[u32]) -> CountedNode {
        let suppressed = SuppressedClasses { set: &self.classes.keys, classes: dropped };
        self.probing.counted(node, &suppressed, Some(&self.known.highest))
    }

    /// What is known with a variable above its lowest level.
    fn raised(&self, variable: usize) -> IntervalFacts {
        let lowest = self.known.lowest.with(variable, self.known.lowest.0[variable] + 1);
        let highest = Arc::clone(&self.known.highest);
        self.part(lowest, highest, |frame| self.known.claims.raised(frame, variable))
    }

    /// What is known with a variable, which was tried, at its lowest level.
    fn lowered(&self, variable: usize) -> IntervalFacts {
        let IntervalFacts { lowest, highest, claims, .. } = &self.known;
        let highest = self.count(&highest.node.with(variable, lowest.0[variable]), claims.dropped_by(variable));
        self.part(lowest.clone(), Arc::new(highest), |frame| claims.lowered(frame, variable, &self.index))
    }

    /// What is known of a part, given what claims become there.
    fn part(
        &self,
        lowest: Node,
        highest: Arc<CountedNode>,
        claims: impl FnOnce(&ClaimFrame<'_>) -> Claims,
    ) -> IntervalFacts {
        let steps = self.probing.loss.steps(&lowest, &highest);
        let claims = claims(&self.frame(&lowest, &steps));
        let mut known = IntervalFacts { lowest, highest, steps, claims, bound: self.known.bound };
        known.sharpen(self.probing);
        known
    }

    /// Both parts of a split, as far as they may hold something better than `best`.
    fn split(&self, best: &CountedNode) -> Vec<NodeInterval<IntervalKeys>> {
        let (variable, table) = (self.variable(best), self.probing.problem.table);
        let classes_below = || self.classes.lowered(table, self.lowering(variable));
        let lower = || self.lowered(variable).interval(best, classes_below);
        let upper = || self.raised(variable).interval(best, || self.classes.clone());
        let (lower, upper) = rayon::join(lower, upper);
        lower.into_iter().chain(upper).collect()
    }

    /// The variable to split along.
    fn variable(&self, best: &CountedNode) -> usize {
        let base = self.probing.loss.bound(&self.known.lowest, None, Some(&self.known.highest));
        let gap = best.summary.units.saturating_sub(base);
        let gain = |variable: usize| {
            let step = self.known.steps[variable].min(gap) as f64;
            self.known.claims.drops(variable).min(gap) as f64 + step * self.levels_to_go(variable).sqrt()
        };
        // The first of several equals.
        self.open_variables().rev().max_by(|&one, &other| gain(one).total_cmp(&gain(other))).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::made_up::{self, MadeUpProblem};
    use crate::search::evaluator::count_directly;

    /// Every node of the lattice, counted by itself.
    fn every_node(problem: &Problem<'_>) -> Vec<CountedNode> {
        let nodes = (0..=problem.lattice.height()).flat_map(|steps| problem.lattice.nodes_at(steps));
        nodes.map(|node| count_directly(problem, &node)).collect()
    }

    fn holds(interval: &NodeInterval<IntervalKeys>, node: &Node) -> bool {
        interval.lowest.is_at_or_below(node) && node.is_at_or_below(&interval.highest.node)
    }

    proptest! {
        // Records crowd together, so that some classes are large and others are dropped at any level.
        #[test]
        fn a_part_keeps_its_promise_and_no_better_node_is_lost(
            records in prop::collection::vec([0_u32..3, 0..12, 0..5, 0..12], 20..160),
            k in 2_i64..6,
            tenths in prop::sample::select(vec![0_u64, 1, 4, 10]),
            name in prop::sample::select(vec!["non-uniform-entropy", "iyengar", "precision"]),
        ) {
            let posed = MadeUpProblem::new(made_up::table(&records, [&["2", "4"], &["3"], &["2", "4"], &["3"]]), k, name);
            let problem = posed.problem(posed.table.records * tenths / 10);
            let every = every_node(&problem);
            let probing = Probing::new(&problem, &problem.lattice.bottom).unwrap();
            let Ok((mut best, first)) = probing.first() else { return Ok(()) };
            let mut parts = vec![first];
            while !parts.is_empty() {
                for node in every.iter().filter(|counted| problem.is_safe(counted)) {
                    let holding = parts.iter().filter(|part| holds(part, &node.node));
                    let ranks: Vec<_> = holding.map(NodeInterval::rank).collect();
                    prop_assert!(ranks.iter().all(|promised| *promised <= rank(node)), "{ranks:?} holds {node:?}");
                    prop_assert!(!ranks.is_empty() || rank(&best) <= rank(node), "{node:?} is lost");
                }
                for opened in probing.open(std::mem::take(&mut parts), &best.clone()) {
                    best = opened.best.into_iter().chain([best]).min_by(by_rank).unwrap();
                    parts.extend(opened.left);
                }
            }
        }
    }
}
