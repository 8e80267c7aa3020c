//! The best of all safe nodes, by branch and bound over intervals of the lattice.
//!
//! An interval holds the nodes from `lowest` to `highest`, of which the highest was counted. In nested ladders with
//! monotone models every node of the interval suppresses at least the records that `highest` does. Therefore
//!
//! * if `highest` suppresses more than is permitted, no node of the interval is safe, and
//! * no node of it ranks before (bound, suppressed at `highest`, height of `lowest`, `lowest`), where the bound is what
//!   the loss says of the interval ([`crate::loss::Loss::bound`]): each of the four components is at most that of the
//!   node, and the last compares correctly because a node of the interval is nowhere below `lowest`.
//!
//! The interval of least rank is split along one variable: the upper part raises `lowest` by one level and keeps
//! `highest`; the lower part holds the variable at the level of `lowest`, and its new highest node is counted. Both parts
//! together are the interval, so nothing is lost; each split shrinks, so it ends. When the least rank is not before that
//! of the best safe node seen, no node anywhere is better: the answer is exact, ties included.
//!
//! The variable to split is the one whose next level withholds most bits: the upper part then gets out of the way.
//!
//! Where ladders are not nested or a model is not monotone nothing can be pruned, and the exhaustive search answers.
//!
//! Source: our own, after the exact repair of the k-minimal rule; Land & Doig 1960 for the principle.
//! Spec: `specs/search/optimal.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::evaluator::Evaluator;
use super::{Found, Member, Problem, SearchError, exhaustive, improve, rank};
use crate::card::Card;
use crate::lattice::Node;
use crate::loss::{self, Counted};

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "optimal",
        summary: "the best of all safe nodes, proved, for every loss and suppression limit",
        about: "Branch and bound over intervals of the lattice, pruned by what the highest node of an interval must \
                suppress and what its lowest node must lose. With ladders that are not nested it looks at every node.",
        promises: &["exact", "same answer as exhaustive, ties included"],
        parameters: &[],
        source: "equanym; the principle is that of A. Land, A. Doig, Econometrica 28(3), 1960",
    },
    run,
};

fn run(problem: &Problem<'_>) -> Result<Found, SearchError> {
    if problem.table.first_unnested().is_some() || !problem.guard.is_monotone() {
        return exhaustive::run(problem);
    }
    let mut evaluator = Evaluator::new(problem);
    let top = evaluator.count(&problem.lattice.top);
    if !problem.is_safe(&top) {
        return Err(problem.no_safe_node(&top));
    }
    let mut search = Branching {
        problem,
        evaluator,
        steps: loss::entropy_steps(problem.table),
        best: Some(top.clone()),
        open: BinaryHeap::new(),
    };
    search.push(problem.lattice.bottom.clone(), Arc::new(top.clone()), 0);
    while let Some(Reverse(interval)) = search.open.pop() {
        if search.best.as_ref().is_some_and(|best| interval.rank() >= rank(best)) {
            break;
        }
        search.branch(interval);
    }
    let best = search.best.unwrap_or(top);
    Ok(Found { bound: best.summary.units, evaluated: search.evaluator.evaluated(), best })
}

struct Branching<'a> {
    problem: &'a Problem<'a>,
    evaluator: Evaluator<'a>,
    steps: Vec<Vec<u128>>,
    best: Option<Counted>,
    open: BinaryHeap<Reverse<Interval>>,
}

#[derive(PartialEq, Eq)]
struct Interval {
    bound: u128,
    lowest: Node,
    highest: Arc<Counted>,
    low_counted: bool,
}

impl Interval {
    fn rank(&self) -> super::Rank<'_> {
        (self.bound, self.highest.suppressed, self.lowest.height(), &self.lowest)
    }
}

impl Ord for Interval {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank()).then_with(|| self.highest.node.cmp(&other.highest.node))
    }
}

impl PartialOrd for Interval {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Branching<'_> {
    fn push(&mut self, lowest: Node, highest: Arc<Counted>, inherited: u128) {
        let bound = self.problem.loss.bound(&lowest, None, Some(&highest)).max(inherited);
        self.open.push(Reverse(Interval { bound, lowest, highest, low_counted: false }));
    }

    fn branch(&mut self, interval: Interval) {
        if interval.lowest == interval.highest.node {
            return;
        }
        if self.problem.loss.needs_low() && !interval.low_counted {
            self.sharpen(interval);
            return;
        }
        let variable = self.widest(&interval);
        let level = interval.lowest.0[variable];
        let highest = interval.highest.node.with(variable, level);
        if let Some(bound) = self.foresee(&interval.lowest, &highest) {
            let below = self.count(&highest);
            if self.problem.is_safe(&below) {
                self.push(interval.lowest.clone(), Arc::new(below), interval.bound.max(bound));
            }
        }
        self.push(interval.lowest.with(variable, level + 1), interval.highest, interval.bound);
    }

    /// Counts the lowest node for a bound that needs it, and puts the interval back.
    fn sharpen(&mut self, mut interval: Interval) {
        let low = self.count(&interval.lowest);
        let bound = self.problem.loss.bound(&interval.lowest, Some(&low), Some(&interval.highest));
        interval.bound = interval.bound.max(bound);
        interval.low_counted = true;
        self.open.push(Reverse(interval));
    }

    fn count(&mut self, node: &Node) -> Counted {
        let counted = self.evaluator.count(node);
        if self.problem.is_safe(&counted) {
            improve(&mut self.best, &counted);
        }
        counted
    }

    fn foresee(&self, lowest: &Node, highest: &Node) -> Option<u128> {
        let mut bound = 0;
        for above in self.evaluator.above(highest) {
            if !self.problem.is_safe(above) {
                return None;
            }
            bound = bound.max(self.problem.loss.bound(lowest, None, Some(above)));
        }
        match &self.best {
            Some(best) if bound > best.summary.units => None,
            _ => Some(bound),
        }
    }

    /// The variable that still has room and whose next level withholds most.
    fn widest(&self, interval: &Interval) -> usize {
        let gain = |variable: usize| {
            let (low, high) = (interval.lowest.0[variable], interval.highest.node.0[variable]);
            let room = u128::from(high - low);
            self.steps[variable][low as usize] * room * room
        };
        let open = (0..interval.lowest.0.len())
            .filter(|&variable| interval.lowest.0[variable] < interval.highest.node.0[variable]);
        open.max_by_key(|&variable| (gain(variable), Reverse(variable))).unwrap_or_default()
    }
}
