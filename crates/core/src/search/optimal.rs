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
//! The variable to split is the one whose next level withholds most bits, times the square of the levels it still has
//! room for: the upper part then gets out of the way, and the lower part holds much at once. (Measured on the benchmark
//! data: fewer nodes are counted than with either alone.)
//!
//! When it is told to stop, the least bound of the open intervals is what every node that was not looked at loses at
//! least: the answer comes with a proven gap.
//!
//! Where ladders are not nested or a model is not monotone nothing can be pruned, and the exhaustive search answers.
//!
//! Source: our own, after the exact repair of the k-minimal rule; Land & Doig 1960 for the principle.
//! Spec: `specs/search/optimal.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::evaluator::Evaluator;
use super::{Found, Member, Problem, SearchError, exhaustive, rank};
use crate::card::Card;
use crate::lattice::Node;
use crate::loss::{self, Counted};

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "optimal",
        summary: "the best of all safe nodes, proved, for every loss and suppression limit",
        about: "Branch and bound over intervals of the lattice, pruned by what the highest node of an interval must \
                suppress and what its lowest node must lose. With ladders that are not nested it looks at every node.",
        promises: &["exact", "same answer as exhaustive, ties included", "stops at a time limit with a proven gap"],
        parameters: &[],
        source: "equanym; the principle is that of A. Land, A. Doig, Econometrica 28(3), 1960",
    },
    anytime: true,
    by_preferences: false,
    run,
};

pub(super) fn run(problem: &Problem<'_>) -> Result<Found, SearchError> {
    if problem.table.first_unnested().is_some() || !problem.guard.is_monotone() {
        return exhaustive::run(problem);
    }
    let (evaluator, top) = Evaluator::from_the_top(problem)?;
    let mut search = Branching {
        problem,
        evaluator,
        steps: loss::entropy_steps(problem.table),
        best: top.clone(),
        open: BinaryHeap::new(),
    };
    search.push(problem.lattice.bottom.clone(), Arc::new(top), 0);
    let mut bound = None;
    loop {
        let tasks = search.next_tasks();
        if tasks.is_empty() {
            break;
        }
        if (problem.stop)() {
            bound = tasks.iter().map(|task| task.interval.bound).min();
            break;
        }
        search.branch(tasks);
    }
    let best = search.best;
    let bound = bound.map_or(best.summary.units, |bound| bound.min(best.summary.units));
    Ok(Found { bound, evaluated: search.evaluator.evaluated(), tagged: 0, minimal: Vec::new(), best })
}

/// Intervals that are split at once.
const AT_ONCE: usize = 8;

struct Branching<'a> {
    problem: &'a Problem<'a>,
    evaluator: Evaluator<'a>,
    steps: Vec<Vec<u128>>,
    best: Counted,
    open: BinaryHeap<Reverse<Interval>>,
}

/// An interval and the node to count next for it.
struct Task {
    interval: Interval,
    /// The variable to split along; without one the lowest node is counted for a sharper bound.
    variable: Option<usize>,
    node: Node,
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

    /// Takes the most promising intervals, as long as they may hold something better than the best node seen. How many are
    /// taken at once is fixed, so that the course of the search does not depend on the number of threads.
    fn next_tasks(&mut self) -> Vec<Task> {
        let mut tasks = Vec::with_capacity(AT_ONCE);
        while tasks.len() < AT_ONCE
            && let Some(Reverse(interval)) = self.open.pop()
        {
            if interval.rank() >= rank(&self.best) {
                self.open.clear();
                break;
            }
            if interval.lowest != interval.highest.node {
                tasks.push(self.task(interval));
            }
        }
        tasks
    }

    fn task(&self, interval: Interval) -> Task {
        if self.problem.loss.needs_low() && !interval.low_counted {
            return Task { node: interval.lowest.clone(), variable: None, interval };
        }
        let variable = self.widest(&interval);
        let node = interval.highest.node.with(variable, interval.lowest.0[variable]);
        Task { node, variable: Some(variable), interval }
    }

    fn branch(&mut self, tasks: Vec<Task>) {
        let counts = self.count(&tasks);
        for (Task { interval, variable, .. }, counted) in tasks.into_iter().zip(counts) {
            if self.problem.is_safe(&counted) && rank(&counted) < rank(&self.best) {
                self.best = counted.clone();
            }
            match variable {
                Some(variable) => self.split(interval, variable, counted),
                None => self.sharpen(interval, &counted),
            }
        }
    }

    /// Where bounds need the lowest node, it may be the highest of another interval, and is recalled.
    fn count(&mut self, tasks: &[Task]) -> Vec<Counted> {
        if self.problem.loss.needs_low() {
            return tasks.iter().map(|task| self.evaluator.count(&task.node)).collect();
        }
        let nodes: Vec<Node> = tasks.iter().map(|task| task.node.clone()).collect();
        self.evaluator.count_afresh(&nodes)
    }

    fn split(&mut self, interval: Interval, variable: usize, below: Counted) {
        if self.problem.is_safe(&below) {
            self.push(interval.lowest.clone(), Arc::new(below), interval.bound);
        }
        let raised = interval.lowest.with(variable, interval.lowest.0[variable] + 1);
        self.push(raised, interval.highest, interval.bound);
    }

    /// Takes the sharper bound that the counted lowest node gives, and puts the interval back.
    fn sharpen(&mut self, mut interval: Interval, low: &Counted) {
        let bound = self.problem.loss.bound(&interval.lowest, Some(low), Some(&interval.highest));
        interval.bound = interval.bound.max(bound);
        interval.low_counted = true;
        self.open.push(Reverse(interval));
    }

    /// The variable to split along.
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
