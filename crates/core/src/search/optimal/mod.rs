//! The best of all safe nodes, by branch and bound over intervals of the lattice.
//!
//! An interval holds the nodes from `lowest` to `highest`, of which the highest was counted. Let F be the records that are
//! suppressed at every node of it ([`crate::privacy::Guard::forced`]); with monotone models these are all that `highest`
//! suppresses. In nested ladders every node x of the interval satisfies
//!
//! > suppressed(x) ≥ F, loss(x) ≥ bound ([`crate::loss::Loss::bound`]), height(x) ≥ height(lowest), x ≥ lowest.
//!
//! Therefore
//!
//! * F > permitted ⇒ no node of the interval is safe, and
//! * (bound, F, height(lowest), lowest) ≤ (loss(x), suppressed(x), height(x), x): no node of the interval ranks before that.
//!
//! The first interval leaves out levels at which one variable alone suppresses too much: further labels only split its
//! classes.
//!
//! An interval is split along one variable. The upper part raises `lowest` by one level and keeps `highest`. The lower
//! part holds the variable at the level of `lowest`, and its new highest node is counted. The two parts are the interval, and
//! each is smaller, so nothing is lost and the search ends (`branching`). It goes down from the top because the highest node
//! has few classes, is cheap to count, and bounds suppression and charge for the whole interval.
//!
//! There are two ways to open an interval. Where the loss charges each cell by its level and the models look at sizes
//! only, every variable is tried before the interval is split, which tells more and costs little (`probing`, with the
//! bound of `claims`). All others are split at once (`splitting`). A search that may be stopped also looks near its best
//! node (`neighbourhood`).
//!
//! Where ladders are not nested nothing can be pruned, and every node is looked at.
//!
//! Source: our own, after the exact repair of the k-minimal rule; Land & Doig 1960 for the principle.
//! Spec: `specs/search/optimal.md`.

mod branching;
mod claims;
mod neighbourhood;
mod probing;
mod splitting;

use std::sync::Arc;

use super::evaluator::Evaluator;
use super::{Problem, SearchAnswer, SearchError, SearchMember, exhaustive};
use crate::card::{Card, Promise};
use crate::lattice::Node;
use crate::loss::CountedNode;
use crate::privacy::Unit;

use branching::Branching;
use neighbourhood::Neighbourhoods;
use probing::Probing;
use splitting::Splitting;

pub(super) const MEMBER: SearchMember = SearchMember {
    card: Card {
        name: "optimal",
        summary: "the best of all safe nodes, proved, for every loss and suppression limit",
        about: "Branch and bound over intervals of the lattice, pruned by what the highest node of an interval must \
                suppress and what its lowest node must lose. With ladders that are not nested it looks at every node.",
        promises: &[
            Promise::Exact,
            Promise::InWords("same answer as exhaustive, ties included"),
            Promise::ProvesItsGap,
        ],
        parameters: &[],
        source: "equanym; the principle is that of A. Land, A. Doig, Econometrica 28(3), 1960",
    },
    by_preferences: false,
    suits: super::SUITS_ALL,
    run,
};

pub(super) fn run(problem: &Problem<'_>) -> Result<SearchAnswer, SearchError> {
    if problem.table.first_unnested().is_some() {
        return exhaustive::until_stopped(problem);
    }
    // On a thread of the pool, so that no round waits for one to wake.
    rayon::scope(|_| branch_and_bound(problem, ROOM))
}

/// Keys that intervals may carry together, roughly.
const ROOM: usize = 8 << 20;

fn branch_and_bound(problem: &Problem<'_>, room: usize) -> Result<SearchAnswer, SearchError> {
    let (lowest, neighbourhoods) = (lowest(problem), Neighbourhoods::new(problem, run));
    if let Some(probing) = Probing::new(problem, &lowest) {
        let (top, first) = probing.first()?;
        let branching = Branching::new(problem, 32, room, neighbourhoods);
        let open = |parts, best: Option<&CountedNode>| best.map_or_else(Vec::new, |best| probing.open(parts, best));
        return branching.search(&top, Some(first), open).ok_or_else(|| problem.no_safe_node(&top));
    }
    let mut evaluator = Evaluator::new(problem);
    let top = evaluator.count(&problem.lattice.top);
    if !problem.may_be_safe(&top) {
        return Err(problem.no_safe_node(&top));
    }
    let mut splitting = Splitting::new(problem, evaluator);
    let first = splitting.interval(lowest, Arc::new(top.clone()), 0);
    let branching = Branching::new(problem, 8, room, neighbourhoods);
    branching.search(&top, first, |parts, best| splitting.open(parts, best)).ok_or_else(|| problem.no_safe_node(&top))
}

/// The bottom, without levels at which one variable alone, whatever the others tell, suppresses more than is permitted.
fn lowest(problem: &Problem<'_>) -> Node {
    let (bottom, top) = (&problem.lattice.bottom, &problem.lattice.top);
    let least = problem.guard.necessary_size();
    if problem.allowance >= problem.table.records || problem.guard.limits() == Unit::People {
        return bottom.clone();
    }
    let level = |variable: usize| {
        let counts = problem.table.value_counts(variable);
        let levels = problem.table.variables[variable].hierarchy.levels();
        let sizes = |level: u8| levels[level as usize].counts(counts).into_iter();
        let suppressed = |level: u8| sizes(level).filter(|&size| size < least).sum();
        let mut below_top = bottom.0[variable]..top.0[variable];
        below_top.find(|&level| problem.permits(suppressed(level))).unwrap_or(top.0[variable])
    };
    (0..bottom.0.len()).map(level).collect::<Vec<_>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss;
    use crate::made_up::{self, MadeUpProblem};

    /// Three variables with ladders to climb, and others that are told at their last level but one.
    fn posed<const N: usize>() -> MadeUpProblem {
        let record =
            |one: u32| std::array::from_fn(|place| (one * one * [3, 7, 1].get(place).unwrap_or(&0) + one / 3) % 12);
        let records: Vec<[u32; N]> = (0..400).map(record).collect();
        let mut table = made_up::table(&records, [&["2", "4"]; N]);
        for variable in table.variables.iter_mut().skip(3) {
            (variable.min_level, variable.max_level) = (2, 2);
        }
        MadeUpProblem::new(table, 3, loss::DEFAULT)
    }

    /// Compares what the search finds with every node, for several allowances; `room` is how many keys intervals may carry.
    fn attack(posed: &MadeUpProblem, room: usize) {
        for allowance in [0, 20, 400] {
            let problem = posed.problem(allowance);
            let may_stop = Problem { stop: Some(crate::search::Stop::by_clock(&|| false)), ..posed.problem(allowance) };
            let every = exhaustive::run(&problem).unwrap();
            for found in [&problem, &may_stop].map(|problem| branch_and_bound(problem, room).unwrap()) {
                assert_eq!((&found.best, found.bound), (&every.best, every.bound), "{allowance} may be suppressed");
            }
        }
    }

    #[test]
    fn little_room_changes_the_order_and_not_the_answer() {
        attack(&posed::<3>(), ROOM);
        attack(&posed::<3>(), 0);
    }

    #[test]
    fn more_variables_than_trials_can_tell_apart_are_searched_without() {
        attack(&posed::<{ claims::VARIABLES + 1 }>(), ROOM);
    }
}
