//! Counts the classes of nodes, each from the smallest finer set at hand.
//!
//! Nodes that are asked for together are counted side by side on all threads. Counted sets are kept as starting points
//! while their classes and their number fit the limits; those that served longest ago go first. What is kept depends on
//! the questions and their order alone, never on threads or time.
//!
//! **What it saves.** To count a node from a set of N classes, J' variables are mapped to other labels, the N' classes of
//! the node are sorted, and one pass finds those that are too small:
//!
//! > J' × N + N' × log₂ N' + N'
//!
//! operations (equation 3). The last two terms belong to the node. The first one is smaller the fewer classes the finer set
//! has and the fewer variables change, so the smallest finer set is taken. Here classes are hashed and not sorted, which
//! costs about N instead of N' × log₂ N'; the expression is kept as printed, because it is what can be compared. [`CountingCost`]
//! adds it up for the sets that were taken, and for the table's keys in their place; `benches/REPRODUCE_OLA.md` has both.
//!
//! **What it leaves out.** Judging all classes together takes longer than counting them. So a search says what its best
//! node loses ([`Evaluator::narrow`]). A node x is not judged where either holds:
//!
//! > bound of the levels of x > loss of the best node, or suppressed(x) > permitted.
//!
//! In the first case x is neither better nor a tie, whatever it withholds; in the second it is not safe. What x says of other
//! nodes stays as it is: what is forced below it follows from single classes
//! ([`Guard::forced`](crate::privacy::Guard::forced)), and where that is told, the bounds of losses ask which classes are in the
//! node and not which of them are kept.
//!
//! Source: El Emam et al. 2009, appendix derivation 4.

use hashbrown::HashMap;
use rayon::prelude::*;

use super::{Problem, SearchError};
use crate::frequency::{FrequencySet, RollUp};
use crate::lattice::Node;
use crate::loss::{CountedNode, FORBIDDEN, FinerClasses, ForcedSuppression, JudgedClasses, LossSummary};
use crate::privacy::Unit;

/// What may be kept.
#[derive(Debug, Clone, Copy)]
struct KeepingLimits {
    /// Classes of all kept sets together, and entries of their distributions; 16 bytes each in most tables.
    weight: usize,
    /// Kept sets: each is looked at when a node is counted.
    sets: usize,
    /// Nodes whose counts are remembered.
    nodes: usize,
}

/// What counting nodes takes, in operations of equation 3.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CountingCost {
    /// Each node from the smallest finer set at hand.
    pub shared: f64,
    /// Each node from the keys of the table.
    pub alone: f64,
}

impl CountingCost {
    /// Adds what the classes of a node took: from a finer set, and from the keys.
    fn add(&mut self, finer: &FrequencySet, keys: &FrequencySet, set: &FrequencySet) {
        self.shared += operations(finer, set);
        self.alone += operations(keys, set);
    }
}

/// Equation 3: labels that are mapped, classes that are sorted, and one pass.
fn operations(finer: &FrequencySet, set: &FrequencySet) -> f64 {
    let changed = finer.node.variables_below(&set.node).count() as f64;
    let classes = set.len() as f64;
    changed * finer.len() as f64 + classes * classes.max(1.0).log2() + classes
}

const LIMITS: KeepingLimits = KeepingLimits { weight: 16 << 20, sets: 8192, nodes: 1 << 17 };

pub(super) struct Evaluator<'a> {
    problem: &'a Problem<'a>,
    nested: bool,
    limits: KeepingLimits,
    /// Smallest first. There are thousands, and one is put between others with every count.
    #[allow(clippy::vec_box)]
    kept: Vec<Box<KeptSet>>,
    weight: usize,
    known: HashMap<Node, CountedNode>,
    evaluated: u64,
    cost: CountingCost,
    asked: u64,
    /// Of nodes that lose more than this, or withhold too much, it says only that and what they say of others.
    most_units: Option<u128>,
}

struct KeptSet {
    set: FrequencySet,
    /// When it was last of use.
    served: u64,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(problem: &'a Problem<'a>) -> Self {
        Self::within(problem, LIMITS)
    }

    fn within(problem: &'a Problem<'a>, limits: KeepingLimits) -> Self {
        let nested = problem.table.first_unnested().is_none();
        Self {
            problem,
            nested,
            limits,
            kept: Vec::new(),
            weight: 0,
            known: HashMap::new(),
            evaluated: 0,
            cost: CountingCost::default(),
            asked: 0,
            most_units: None,
        }
    }

    /// From now on only nodes matter that are safe and lose no more than the best one. It only narrows: what is recalled was
    /// counted with an earlier one in mind.
    pub(super) fn narrow(&mut self, best: Option<&CountedNode>) {
        self.most_units = Some(best.map_or(u128::MAX, |best| best.summary.units));
    }

    /// Counts the top first: where it is not safe, nothing is.
    pub(super) fn from_the_top(problem: &'a Problem<'a>) -> Result<(Self, CountedNode), SearchError> {
        let mut evaluator = Self::new(problem);
        let top = evaluator.count(&problem.lattice.top);
        if problem.is_safe(&top) { Ok((evaluator, top)) } else { Err(problem.no_safe_node(&top)) }
    }

    /// Forgets all nodes and sets, so that nodes are counted anew.
    pub(super) fn forget(&mut self) {
        self.known.clear();
        self.kept.clear();
        self.weight = 0;
    }

    /// How many nodes were counted.
    pub(super) fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// What counting them took.
    pub(super) fn cost(&self) -> CountingCost {
        self.cost
    }

    /// Counts a node, or recalls it.
    pub(super) fn count(&mut self, node: &Node) -> CountedNode {
        self.count_all(std::slice::from_ref(node)).remove(0)
    }

    /// Counts nodes side by side, or recalls them.
    pub(super) fn count_all(&mut self, nodes: &[Node]) -> Vec<CountedNode> {
        if self.known.len() + nodes.len() > self.limits.nodes {
            self.known.clear();
        }
        let mut unknown: Vec<Node> = nodes.iter().filter(|node| !self.known.contains_key(*node)).cloned().collect();
        unknown.sort_unstable();
        unknown.dedup();
        if !unknown.is_empty() {
            let counts = self.count_afresh(&unknown);
            self.known.extend(unknown.into_iter().zip(counts));
        }
        nodes.iter().map(|node| self.known[node].clone()).collect()
    }

    fn count_afresh(&mut self, nodes: &[Node]) -> Vec<CountedNode> {
        let count = |node: &Node| {
            let place = self.finer(node);
            let finer = place.map_or(self.problem.table.keys(), |place| &self.kept[place].set);
            let RollUp { set, class_of, .. } = self.problem.table.roll_up(finer, node);
            let counted =
                judge(self.problem, &set, Some(FinerClasses { set: finer, class_of: &class_of }), self.most_units);
            (place, set, counted)
        };
        let counts: Vec<_> = match nodes {
            [node] => vec![count(node)],
            _ => nodes.par_iter().with_max_len(1).map(count).collect(),
        };
        let keys = self.problem.table.keys();
        for (place, set, _) in &counts {
            self.cost.add(place.map_or(keys, |place| &self.kept[place].set), keys, set);
        }
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

    fn keep(&mut self, set: FrequencySet, counted: CountedNode) -> CountedNode {
        self.weight += set.weight();
        let place = self.kept.partition_point(|kept| kept.set.len() < set.len());
        self.kept.insert(place, Box::new(KeptSet { set, served: self.asked }));
        if self.weight > self.limits.weight || self.kept.len() > self.limits.sets {
            self.evict();
        }
        counted
    }

    /// Drops the half of the kept sets that served longest ago, and the largest while the rest is too much.
    fn evict(&mut self) {
        let mut served: Vec<u64> = self.kept.iter().map(|kept| kept.served).collect();
        served.sort_unstable();
        let median = served[served.len() / 2];
        self.kept.retain(|kept| kept.served > median);
        self.weight = self.kept.iter().map(|kept| kept.set.weight()).sum();
        while self.weight > self.limits.weight
            && let Some(largest) = self.kept.pop()
        {
            self.weight -= largest.set.weight();
        }
    }
}

/// Counts a node straight from the table.
pub(crate) fn count_directly(problem: &Problem<'_>, node: &Node) -> CountedNode {
    judge(problem, &problem.table.roll_up(problem.table.keys(), node).set, None, None)
}

/// Judges a counted set and takes its loss; given what a node may lose, not more than then matters.
pub(super) fn judge(
    problem: &Problem,
    set: &FrequencySet,
    finer: Option<FinerClasses>,
    most_units: Option<u128>,
) -> CountedNode {
    let Problem { guard, loss, allowance, .. } = *problem;
    let unit = guard.limits();
    let is_beside = guard.judges_sizes() && most_units.is_some_and(|most| loss.bound(&set.node, None, None) > most);
    let withheld = if most_units.is_some() && unit == Unit::Records { allowance } else { u64::MAX };
    let verdict = if is_beside { guard.judge_classes(set) } else { guard.judge_within(set, withheld) };
    let count = JudgedClasses { set, verdict: &verdict, finer };
    let forced = guard.forced(set, &verdict).map(|forced| {
        let records = guard.forced_records(set, &forced);
        // People whose records are suppressed: nobody knows whose they are, unless they are all of a class.
        let people = || set.people_in(|class| forced[class] == set.sizes[class]);
        let limited = if unit == Unit::Records { records } else { people() };
        ForcedSuppression { records, limited, parts: loss.forced_parts(problem.table, &count, &forced) }
    });
    let nothing = LossSummary { units: FORBIDDEN, parts: Vec::new() };
    // What was not judged is not safe.
    let limited = if is_beside { u64::MAX } else { verdict.limited(unit) };
    let suppressed = verdict.suppressed;
    let mut counted = CountedNode { node: set.node.clone(), suppressed, limited, summary: nothing, forced };
    // Of a node that may not be released, nobody asks what a loss by cells would be, unless for bounds.
    let is_asked = counted.forced.is_none() || loss.shape().per_cell().is_none() || problem.is_safe(&counted);
    if is_asked {
        counted.summary = loss.summarise(problem.table, &count);
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up;

    /// Three variables of 12 values; raising one after the other from the keys, then both from what is at hand.
    #[test]
    fn the_cost_is_that_of_equation_3() {
        let records: Vec<[u32; 3]> = (0..12).flat_map(|one| (0..12).map(move |other| [one, other, 0])).collect();
        let posed = made_up::MadeUpProblem::new(made_up::table(&records, [&["4"]; 3]), 2, "non-uniform-entropy");
        let problem = posed.problem(0);
        let mut evaluator = Evaluator::new(&problem);
        let sorted = |classes: f64| classes * classes.log2() + classes;
        evaluator.count(&vec![1, 0, 0].into());
        let first = 144.0 + sorted(36.0);
        assert_eq!(evaluator.cost(), CountingCost { shared: first, alone: first });
        // From 36 classes one variable changes, from the 144 keys two do.
        evaluator.count(&vec![1, 1, 0].into());
        let (shared, alone) = (36.0 + sorted(9.0), 2.0 * 144.0 + sorted(9.0));
        assert_eq!(evaluator.cost(), CountingCost { shared: first + shared, alone: first + alone });
        // What is recalled costs nothing, and one class needs no sorting.
        evaluator.count(&vec![1, 1, 0].into());
        evaluator.count(&vec![2, 2, 0].into());
        let last = CountingCost { shared: first + shared + 2.0 * 9.0 + 1.0, alone: first + alone + 2.0 * 144.0 + 1.0 };
        assert_eq!(evaluator.cost(), last);
    }

    #[test]
    fn what_is_kept_stays_within_the_limits_and_changes_no_count() {
        let records: Vec<[u32; 3]> =
            (0..600_u32).map(|one| [3, 7, 1].map(|step| (one * one * step + one) % 12)).collect();
        let posed =
            made_up::MadeUpProblem::new(made_up::table(&records, [&["2", "4", "8"]; 3]), 5, "non-uniform-entropy");
        let problem = posed.problem(0);
        let limits = KeepingLimits { weight: 500, sets: 6, nodes: 9 };
        let mut evaluator = Evaluator::within(&problem, limits);
        let mut most = 0;
        for node in (0..=problem.lattice.height()).flat_map(|steps| problem.lattice.nodes_at(steps)) {
            let counted = evaluator.count(&node);
            let direct = count_directly(&problem, &node);
            assert_eq!((counted.suppressed, counted.summary.units), (direct.suppressed, direct.summary.units));
            let weight: usize = evaluator.kept.iter().map(|kept| kept.set.weight()).sum();
            assert!(weight <= limits.weight && evaluator.kept.len() <= limits.sets, "{weight}");
            assert_eq!(weight, evaluator.weight);
            assert!((1..=limits.nodes).contains(&evaluator.known.len()));
            most = most.max(weight);
        }
        assert!(most > 0 && u128::from(evaluator.evaluated()) == problem.lattice.size());
    }

    #[test]
    fn nodes_that_are_asked_for_twice_are_counted_once() {
        let posed = made_up::MadeUpProblem::new(made_up::table(&[[0], [1], [2]], [&["2"]]), 2, "discernibility");
        let problem = posed.problem(0);
        let mut evaluator = Evaluator::new(&problem);
        let nodes = [1, 0, 1, 2].map(|level| Node::from(vec![level]));
        let counted: Vec<u64> = evaluator.count_all(&nodes).iter().map(|counted| counted.suppressed).collect();
        assert_eq!((counted, evaluator.evaluated()), (vec![1, 3, 1, 0], 3));
        assert_eq!((evaluator.count(&nodes[0]).suppressed, evaluator.evaluated()), (1, 3));
    }
}
