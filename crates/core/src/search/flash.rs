//! Flash: greedy chains through the lattice, each searched by bisection.
//!
//! From a node that is not decided yet a chain leads upwards, always to the first undecided neighbour, until there is
//! none. Bisection finds the lowest safe node of the chain. Each node it counts decides others: all above a safe node are
//! safe, all below an unsafe one unsafe (predictive tags). The unsafe nodes it counted go on a queue, and chains from
//! their upper neighbours are searched next, before the scan over the lattice goes on from the bottom height to the top.
//!
//! What comes first is settled by three criteria: low height, then a small mean share of the ladders climbed, then many
//! distinct labels left; the lexicographic order settles the rest, so that the search is stable.
//!
//! Every k-minimal node is counted, because no other count can decide it: the nodes below it are unsafe and those above
//! it safe. It is then the lowest safe node of its chain. The answer is the best of the lowest safe nodes of all chains.
//!
//! Limit: as for `ola`. The answer is the best of all safe nodes when nothing may be suppressed or the loss does not
//! charge suppression; otherwise it is no worse than the best k-minimal node, and the result carries the gap that is left.
//! Marks are kept for each node, hence lattices of up to ten million nodes.
//!
//! Source: Kohlmayer et al. 2012. Spec: `specs/search/flash.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::evaluator::Evaluator;
use super::{Problem, SearchAnswer, SearchError, SearchMember, below, by_rank, requires_few};
use crate::card::{Card, Promise};
use crate::lattice::{Lattice, Node};
use crate::loss::CountedNode;

pub(super) const MEMBER: SearchMember = SearchMember {
    card: Card {
        name: "flash",
        summary: "the best of the lowest safe nodes on greedy chains, each searched by bisection",
        about: "A published search that is fast and whose cost varies little. It needs nested ladders and models that \
                survive merging. With suppression and a loss that charges it, a node above the ones it stops at can \
                be better; the gap says how far the answer can be off at most.",
        promises: &[Promise::ExactWithoutCharge, Promise::FindsMinimalNodes],
        parameters: &[],
        source: "F. Kohlmayer et al., Flash: efficient, stable and optimal k-anonymity, PASSAT 2012",
    },
    by_preferences: false,
    suits,
    run,
};

fn suits(problem: &Problem<'_>) -> Result<(), SearchError> {
    problem.requires_monotony(MEMBER.card.name)?;
    requires_few(MEMBER.card.name, problem.lattice.size())
}

fn run(problem: &Problem<'_>) -> Result<SearchAnswer, SearchError> {
    suits(problem)?;
    let (evaluator, top) = Evaluator::from_the_top(problem)?;
    let shares = CriteriaShares::new(problem);
    let mut flash = Flash { problem, evaluator, shares, marks: NodeMarks::new(&problem.lattice), lowest: Vec::new() };
    flash.scan();
    let evaluated = flash.evaluator.evaluated();
    let tagged = (flash.marks.marked.len() as u64).saturating_sub(evaluated);
    let minimal = minimal_of(&flash.lowest);
    let bound = problem.floor_above(minimal.iter().copied(), &top);
    let minimal = minimal.into_iter().cloned().collect();
    let best = flash.lowest.into_iter().min_by(by_rank).unwrap_or(top);
    Ok(SearchAnswer { tagged, minimal, ..problem.answer(best, bound, evaluated) })
}

/// Those of the nodes that have no other below them.
fn minimal_of(nodes: &[CountedNode]) -> Vec<&CountedNode> {
    let is_above =
        |one: &CountedNode, other: &CountedNode| other.node.is_at_or_below(&one.node) && one.node != other.node;
    let mut minimal: Vec<&CountedNode> =
        nodes.iter().filter(|one| !nodes.iter().any(|other| is_above(one, other))).collect();
    minimal.sort_by(|one, other| one.node.cmp(&other.node));
    minimal
}

struct Flash<'a> {
    problem: &'a Problem<'a>,
    evaluator: Evaluator<'a>,
    shares: CriteriaShares,
    marks: NodeMarks<'a>,
    /// The lowest safe node of each chain that has one.
    lowest: Vec<CountedNode>,
}

/// Unsafe nodes from which chains go on, the first in order on top.
type UnsafeNodes = BinaryHeap<Reverse<(FlashCriteria, Node)>>;

impl Flash<'_> {
    fn scan(&mut self) {
        let lattice = &self.problem.lattice;
        for height in 0..=lattice.height() {
            for node in self.shares.sorted(lattice.nodes_at(height)) {
                self.search_from(&node);
            }
        }
    }

    /// Searches the chain that starts here, and those that start above the unsafe nodes met on the way.
    fn search_from(&mut self, node: &Node) {
        let mut queue = UnsafeNodes::new();
        self.search_chain(node, &mut queue);
        while let Some(Reverse((_, failed))) = queue.pop() {
            for above in self.shares.sorted(self.problem.lattice.above(&failed)) {
                self.search_chain(&above, &mut queue);
            }
        }
    }

    fn search_chain(&mut self, start: &Node, queue: &mut UnsafeNodes) {
        if self.marks.has(start) {
            return;
        }
        let chain = self.chain(start);
        let (mut low, mut high) = (0, chain.len());
        let mut lowest = None;
        while low < high {
            let middle = low.midpoint(high - 1);
            let node = &chain[middle];
            let counted = self.evaluator.count(node);
            if self.problem.is_safe(&counted) {
                self.marks.mark(node, true);
                lowest = Some(counted);
                high = middle;
            } else {
                self.marks.mark(node, false);
                queue.push(Reverse((self.shares.criteria(node), node.clone())));
                low = middle + 1;
            }
        }
        self.lowest.extend(lowest);
    }

    /// The undecided nodes from `start` upwards, each the first undecided neighbour of the one before.
    fn chain(&self, start: &Node) -> Vec<Node> {
        let mut chain = vec![start.clone()];
        while let Some(next) = chain.last().and_then(|last| self.next(last)) {
            chain.push(next);
        }
        chain
    }

    fn next(&self, node: &Node) -> Option<Node> {
        let undecided = self.problem.lattice.above(node).filter(|above| !self.marks.has(above));
        undecided.min_by_key(|above| (self.shares.criteria(above), above.clone()))
    }
}

/// Height, share of the ladders climbed, share of the distinct labels left; the shares as sums over the variables.
type FlashCriteria = (u32, u64, Reverse<u64>);

/// For each variable and level what it adds to the criteria.
struct CriteriaShares {
    climbed: Vec<Vec<u64>>,
    left: Vec<Vec<u64>>,
}

impl CriteriaShares {
    fn new(problem: &Problem<'_>) -> Self {
        let share = |part: u64, whole: u64| (part << 32) / whole.max(1);
        let climbed = |&height: &u8| (0..=height).map(|level| share(u64::from(level), u64::from(height))).collect();
        let labels = |variable: usize, level: u8| problem.table.labels_at(variable, level) as u64;
        let left = |(variable, &height): (usize, &u8)| {
            (0..=height).map(|level| share(labels(variable, level), labels(variable, 0))).collect()
        };
        Self {
            climbed: problem.lattice.top.0.iter().map(climbed).collect(),
            left: problem.lattice.top.0.iter().enumerate().map(left).collect(),
        }
    }

    fn criteria(&self, node: &Node) -> FlashCriteria {
        let sum = |shares: &[Vec<u64>]| -> u64 {
            shares.iter().zip(&node.0).map(|(levels, &level)| levels[usize::from(level)]).sum()
        };
        (node.height(), sum(&self.climbed), Reverse(sum(&self.left)))
    }

    fn sorted(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<Node> {
        let mut nodes: Vec<Node> = nodes.into_iter().collect();
        nodes.sort_by_cached_key(|node| (self.criteria(node), node.clone()));
        nodes
    }
}

/// Which nodes are decided. Marks spread to all nodes above, or to all below, so a marked node ends the way: marking costs
/// a few steps per node of the lattice in all.
struct NodeMarks<'a> {
    lattice: &'a Lattice,
    marked: Vec<bool>,
}

impl<'a> NodeMarks<'a> {
    fn new(lattice: &'a Lattice) -> Self {
        Self { lattice, marked: vec![false; usize::try_from(lattice.size()).unwrap_or_default()] }
    }

    fn place(&self, node: &Node) -> usize {
        let bounds = self.lattice.bottom.0.iter().zip(&self.lattice.top.0);
        node.0.iter().zip(bounds).fold(0, |place, (&level, (&low, &high))| {
            place * (usize::from(high.saturating_sub(low)) + 1) + usize::from(level - low)
        })
    }

    fn has(&self, node: &Node) -> bool {
        self.marked[self.place(node)]
    }

    /// Marks a node and all above it, or all below it.
    fn mark(&mut self, node: &Node, above: bool) {
        let mut open = vec![node.clone()];
        while let Some(node) = open.pop() {
            let place = self.place(&node);
            match std::mem::replace(&mut self.marked[place], true) {
                true => {}
                false if above => open.extend(self.lattice.above(&node)),
                false => open.extend(below(&self.lattice.bottom, &node)),
            }
        }
    }
}
