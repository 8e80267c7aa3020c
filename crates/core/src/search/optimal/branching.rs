//! Branch and bound, best first: the loop that both ways to open an interval share.
//!
//! rank(interval) ≤ rank(x) for each of its nodes x. Intervals of the lowest rank are opened first. Opening one counts some of
//! its nodes and leaves smaller intervals. Once
//!
//! > rank(best safe node) ≤ rank(interval) for every interval that is left,
//!
//! that node is the answer, ties included. A search that is told to stop takes the least bound of what is left: no node loses
//! less, so the gap is proven.
//!
//! Several intervals are opened at once. How many depends only on how many were opened before, so the number of threads
//! changes the time and nothing else.
//!
//! Intervals may carry keys, and memory has room for some number of them. When it is full, a search to the end opens the
//! least promising intervals, which are soon done with. A search that may be stopped goes on with the most promising ones,
//! because it is the gap that counts, and the least promising ones forget their keys.
//!
//! Source: Land & Doig 1960.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::neighbourhood::Neighbourhoods;
use crate::lattice::Node;
use crate::loss::CountedNode;
use crate::search::{NodeRank, Problem, SearchAnswer, improve, rank};

/// The nodes between two, all of which lose at least `bound`; no two intervals share a node.
pub(super) struct NodeInterval<C> {
    pub bound: u128,
    pub lowest: Node,
    pub highest: Arc<CountedNode>,
    pub carried: C,
}

/// What an interval carries along.
pub(super) trait IntervalBaggage {
    /// How many keys.
    fn keys(&self) -> usize {
        0
    }

    /// Lets go of them.
    fn forget(&mut self) {}
}

impl<C> NodeInterval<C> {
    /// No node of the interval ranks before this.
    pub(super) fn rank(&self) -> NodeRank<'_> {
        rank_of_interval(self.bound, &self.lowest, &self.highest)
    }
}

/// What no node between `lowest` and the counted node `highest` ranks before, where all lose at least `bound`.
pub(super) fn rank_of_interval<'a>(bound: u128, lowest: &'a Node, highest: &CountedNode) -> NodeRank<'a> {
    (bound, highest.forced_records(), lowest.height(), lowest)
}

/// What opening an interval gave.
pub(super) struct IntervalOpening<C> {
    /// The best safe node that was counted, if any.
    pub best: Option<CountedNode>,
    /// What is left of the interval.
    pub left: Vec<NodeInterval<C>>,
    /// How many nodes were counted.
    pub counted: u64,
}

/// How a lattice is searched, and what is left to search.
pub(super) struct Branching<'a, C> {
    problem: &'a Problem<'a>,
    /// Intervals that are opened at once, at most.
    at_once: usize,
    /// Keys that intervals may carry together, roughly.
    room: usize,
    /// Where better nodes are looked for between rounds.
    neighbourhoods: Option<Neighbourhoods>,
    /// After their ranks.
    intervals: BTreeMap<(u128, u64, u32, Node), NodeInterval<C>>,
    /// How many keys they carry.
    keys: usize,
    /// How many intervals were taken so far.
    taken: usize,
}

impl<'a, C: IntervalBaggage> Branching<'a, C> {
    /// Nothing to search yet.
    pub(super) fn new(problem: &'a Problem<'a>, at_once: usize, room: usize, near: Option<Neighbourhoods>) -> Self {
        Self { problem, at_once, room, neighbourhoods: near, intervals: BTreeMap::new(), keys: 0, taken: 0 }
    }

    /// Searches everything in `first`, given the counted top; there is none where the top is all there is. Nothing is found
    /// where no node is safe.
    pub(super) fn search(
        mut self,
        top: &CountedNode,
        first: Option<NodeInterval<C>>,
        mut open: impl FnMut(Vec<NodeInterval<C>>, Option<&CountedNode>) -> Vec<IntervalOpening<C>>,
    ) -> Option<SearchAnswer> {
        let problem = self.problem;
        let (mut best, mut evaluated, mut bound) = (problem.is_safe(top).then(|| top.clone()), 1, u128::MAX);
        if let Some(first) = first {
            self.put(first, best.as_ref());
        }
        loop {
            let intervals = self.take(best.as_ref());
            if intervals.is_empty() {
                break;
            }
            if problem.is_over(best.is_some()) {
                let left = intervals.iter().chain(self.intervals.values());
                bound = left.map(|interval| interval.bound).fold(bound, u128::min);
                break;
            }
            for opened in open(intervals, best.as_ref()) {
                opened.best.iter().for_each(|better| improve(&mut best, better));
                evaluated += opened.counted;
                opened.left.into_iter().for_each(|interval| self.put(interval, best.as_ref()));
            }
            if let (Some(neighbourhoods), Some(best)) = (&mut self.neighbourhoods, &mut best) {
                evaluated += neighbourhoods.improve(problem, best, self.taken);
            }
            (problem.progress)(evaluated);
        }
        Some(problem.answer(best?, bound, evaluated))
    }

    fn put(&mut self, interval: NodeInterval<C>, best: Option<&CountedNode>) {
        let (bound, suppressed, height, lowest) = interval.rank();
        if best.is_none_or(|best| (bound, suppressed, height, lowest) < rank(best)) {
            self.keys += interval.carried.keys();
            self.intervals.insert((bound, suppressed, height, lowest.clone()), interval);
        }
    }

    /// Takes the most promising intervals that may hold something better than `best`.
    fn take(&mut self, best: Option<&CountedNode>) -> Vec<NodeInterval<C>> {
        let takes_last = self.keys > self.room && self.problem.stop.is_none();
        if self.keys > self.room && !takes_last {
            self.forget();
        }
        // Few at first: what is opened beside the most promising interval may be opened in vain.
        let at_once = (self.taken / 8).clamp(2, self.at_once);
        let (mut taken, mut keys) = (Vec::with_capacity(at_once), 0);
        while taken.len() < at_once
            && keys <= self.room
            && let Some((_, interval)) = if takes_last { self.intervals.pop_last() } else { self.intervals.pop_first() }
        {
            self.keys -= interval.carried.keys();
            if best.is_none_or(|best| interval.rank() < rank(best)) {
                keys += interval.carried.keys();
                taken.push(interval);
            }
        }
        self.taken += taken.len();
        taken
    }

    /// Lets the less promising intervals forget their keys, until half the room is free.
    fn forget(&mut self) {
        for NodeInterval { carried, .. } in self.intervals.values_mut().rev() {
            if 2 * self.keys <= self.room {
                break;
            }
            self.keys -= carried.keys();
            carried.forget();
        }
    }
}
