//! Branch and bound, best first: parts of the lattice are opened in the order of what they may hold.
//!
//! A part promises that none of its nodes ranks before it. The most promising parts are opened, several at once; opening
//! one counts some of its nodes and leaves smaller parts. When no part ranks before the best safe node seen, no node
//! anywhere is better: the answer is exact, ties included. When it is told to stop, the least bound of the parts that are
//! left is what every node that was not looked at loses at least: the answer comes with a proven gap.
//!
//! How many parts are opened at once depends on how many were opened before and on nothing else, so that the course of
//! the search does not depend on the number of threads.
//!
//! Parts may carry rows. When they carry too many, a search to the end takes the least promising parts, which are soon
//! done with; one that may be stopped goes on raising the bound, and the least promising half forgets its rows.
//!
//! One that may be stopped also looks for better nodes near the best one (`neighbourhood`).
//!
//! Source: Land & Doig 1960.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::neighbourhood::Neighbourhoods;
use super::{Found, Problem, Rank, rank};
use crate::lattice::Node;
use crate::loss::Counted;

/// A part of the lattice; no two of them share a node.
pub(super) trait Part {
    /// No node of the part ranks before this; the last component is one of its nodes.
    fn rank(&self) -> Rank<'_>;

    /// The rows that it carries.
    fn rows(&self) -> usize {
        0
    }

    /// Lets go of them.
    fn forget(&mut self) {}
}

/// What no node between `lowest` and the counted node `highest` ranks before, where all lose at least `bound`.
pub(super) fn rank_of_interval<'a>(bound: u128, lowest: &'a Node, highest: &Counted) -> Rank<'a> {
    (bound, highest.suppressed, lowest.height(), lowest)
}

/// What opening a part gave.
pub(super) struct Opened<P> {
    /// The best safe node that was counted, if any.
    pub best: Option<Counted>,
    /// What is left of the part.
    pub parts: Vec<P>,
    /// How many nodes were counted.
    pub counted: u64,
}

/// How much is done at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    /// Parts that are opened at once, at most.
    pub parts: usize,
    /// Rows that parts may carry together, roughly.
    pub rows: usize,
}

/// Searches everything in `first`, given the counted top; there is none where the top is all there is.
pub(super) fn search<P: Part>(
    problem: &Problem<'_>,
    measure: Measure,
    top: Counted,
    first: Option<P>,
    mut open: impl FnMut(Vec<P>, &Counted) -> Vec<Opened<P>>,
) -> Found {
    let mut queue = Queue { parts: BTreeSet::new(), rows: 0, measure, taken: 0, may_stop: problem.stop.is_some() };
    let (mut best, mut evaluated) = (top, 1);
    let mut neighbourhoods = Neighbourhoods::new(problem);
    if let Some(first) = first {
        queue.put(first, &best);
    }
    let mut bound = None;
    loop {
        let parts = queue.take(&best);
        if parts.is_empty() {
            break;
        }
        if problem.is_over() {
            let left = parts.iter().chain(queue.parts.iter().map(|Ranked(part)| part));
            bound = left.map(|part| part.rank().0).min();
            break;
        }
        for opened in open(parts, &best) {
            if let Some(better) = opened.best.filter(|found| rank(found) < rank(&best)) {
                best = better;
            }
            evaluated += opened.counted;
            opened.parts.into_iter().for_each(|part| queue.put(part, &best));
        }
        if let Some(neighbourhoods) = &mut neighbourhoods {
            evaluated += neighbourhoods.improve(problem, &mut best, queue.taken);
        }
        (problem.progress)(evaluated);
    }
    let bound = bound.map_or(best.summary.units, |bound| bound.min(best.summary.units));
    Found { bound, evaluated, tagged: 0, minimal: Vec::new(), best }
}

struct Queue<P> {
    parts: BTreeSet<Ranked<P>>,
    rows: usize,
    measure: Measure,
    /// The parts that were taken so far.
    taken: usize,
    may_stop: bool,
}

impl<P: Part> Queue<P> {
    fn put(&mut self, part: P, best: &Counted) {
        if part.rank() < rank(best) {
            self.rows += part.rows();
            self.parts.insert(Ranked(part));
        }
    }

    /// Takes the most promising parts that may hold something better than `best`.
    fn take(&mut self, best: &Counted) -> Vec<P> {
        let is_full = self.rows > self.measure.rows;
        if is_full && self.may_stop {
            self.forget();
        }
        let takes_last = is_full && !self.may_stop;
        // Few at first: what is opened beside the most promising part may be opened in vain.
        let at_once = (self.taken / 8).clamp(2, self.measure.parts);
        let (mut parts, mut rows) = (Vec::with_capacity(at_once), 0);
        while parts.len() < at_once
            && rows <= self.measure.rows
            && let Some(Ranked(part)) = if takes_last { self.parts.pop_last() } else { self.parts.pop_first() }
        {
            self.rows -= part.rows();
            if part.rank() < rank(best) {
                rows += part.rows();
                parts.push(part);
            }
        }
        self.taken += parts.len();
        parts
    }

    /// Lets the less promising part of what carries rows forget them, until half the room is free.
    fn forget(&mut self) {
        let mut kept = BTreeSet::new();
        while let Some(Ranked(mut part)) = self.parts.pop_last() {
            if 2 * self.rows > self.measure.rows {
                self.rows -= part.rows();
                part.forget();
            }
            kept.insert(Ranked(part));
        }
        self.parts = kept;
    }
}

/// A part in order of its rank.
struct Ranked<P>(P);

impl<P: Part> Ord for Ranked<P> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.rank().cmp(&other.0.rank())
    }
}

impl<P: Part> PartialOrd for Ranked<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P: Part> PartialEq for Ranked<P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<P: Part> Eq for Ranked<P> {}
