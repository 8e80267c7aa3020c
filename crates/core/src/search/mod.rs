//! Finds the node of a release: the family of searches.
//!
//! A node is *safe* when the records in classes that the guard refuses are at most [`Problem::allowance`], and not all of
//! them. Each search returns a safe node; those that promise it return the best of all, with ties broken the same way
//! everywhere: less loss, then fewer suppressed records, then lower height, then lexicographic order of the levels, the
//! variables taken in the order of the data. The answer is therefore unique.

mod balance;
mod datafly;
mod discreet;
mod evaluator;
mod exhaustive;
mod flash;
mod incognito;
mod ola;
mod optimal;
mod samarati;

use std::cmp::Ordering;

use crate::card::{Card, Promise};
use crate::frequency::Table;
use crate::lattice::{Lattice, Node};
use crate::loss::{CountedNode, Loss};
use crate::privacy::{Closure, Guard};
use crate::stop::Stop;

pub use evaluator::CountingCost;
pub(crate) use evaluator::count_directly;

/// What a search is asked.
pub struct Problem<'a> {
    /// The counted table.
    pub table: &'a Table,
    /// The privacy models.
    pub guard: &'a Guard,
    /// What to minimise.
    pub loss: &'a dyn Loss,
    /// How many records may be suppressed; or people, if that is what the guard limits.
    pub allowance: u64,
    /// The nodes to choose from.
    pub lattice: Lattice,
    /// Hears now and then how many nodes were counted.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// Says when to stop, if it shall not search to the end; a search that cannot answer early does not ask.
    pub stop: Option<Stop<'a>>,
}

impl<'a> Problem<'a> {
    /// All nodes of a table, searched to the end in silence.
    #[must_use]
    pub fn new(table: &'a Table, guard: &'a Guard, loss: &'a dyn Loss, allowance: u64) -> Self {
        Self { table, guard, loss, allowance, lattice: table.lattice(), progress: &|_| {}, stop: None }
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchAnswer {
    /// The node, its suppression and its loss.
    pub best: CountedNode,
    /// How many nodes had their classes counted.
    pub evaluated: u64,
    /// How many more nodes the search met and decided from the counts of others.
    pub tagged: u64,
    /// Every safe node that has no safe node below it, in lexicographic order; empty where the search does not look for
    /// them.
    pub minimal: Vec<CountedNode>,
    /// What counting took, where the search keeps count of it.
    pub cost: Option<CountingCost>,
    /// No safe node loses less than this.
    pub bound: u128,
    /// How much of the loss might be avoidable, as a share: 0 when the node is optimal. There is none where the loss is a
    /// score whose ratios mean nothing.
    pub gap: Option<f64>,
}

impl SearchAnswer {
    /// Whether no safe node loses less.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.bound >= self.best.summary.units
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// Not even the highest node is safe.
    #[error("no safe node: {failing} of {records} records fail even at the top of the lattice")]
    NoSafeNode {
        /// The records that would have to be suppressed there.
        failing: u64,
        /// All records.
        records: u64,
    },
    /// Some nodes are safe, and what is minimised forbids each of them.
    #[error("no safe node meets the rations")]
    Forbidden,
    /// A node was asked for by its place among the safe ones, and there are not so many.
    #[error("only {safe} node(s) are safe")]
    FewerSafe {
        /// How many there are.
        safe: usize,
    },
    /// The search withholds nobody, and some would have to be at the highest levels.
    #[error(
        "the search `{search}` withholds nobody, and {failing} of {records} records fail at the top of the lattice, or could"
    )]
    WithholdsNobody {
        /// The search.
        search: &'static str,
        /// The records in classes that are refused there, or could be if values changed places.
        failing: u64,
        /// All records.
        records: u64,
    },
    /// The search prunes on nested ladders, and this one is not.
    #[error("the search `{search}` needs nested ladders, and that of `{variable}` is not nested")]
    NotNested {
        /// The search.
        search: &'static str,
        /// The variable.
        variable: String,
    },
    /// The search prunes on models that survive merging, and one does not where records may be suppressed.
    #[error(
        "the search `{search}` needs every node above a safe one to be safe, and with this privacy model and suppression limit it need not be"
    )]
    NotMonotone {
        /// The search.
        search: &'static str,
    },
    /// The search would look at every node, and there are too many.
    #[error("the search `{search}` would look at each of {nodes} nodes, more than {limit}")]
    TooLarge {
        /// The search.
        search: &'static str,
        /// The nodes.
        nodes: u128,
        /// The limit.
        limit: u128,
    },
}

/// A member of the family.
pub struct SearchMember {
    /// How it introduces itself.
    pub card: Card,
    /// Whether what it minimises are the preferences of the policy, as an [`Imbalance`](crate::balance::Imbalance), and
    /// not the policy's loss.
    pub by_preferences: bool,
    /// Refuses a problem that it cannot solve, before anything is searched.
    pub suits: fn(&Problem<'_>) -> Result<(), SearchError>,
    /// Searches.
    pub run: fn(&Problem<'_>) -> Result<SearchAnswer, SearchError>,
}

/// For a search that tries every problem.
const SUITS_ALL: fn(&Problem<'_>) -> Result<(), SearchError> = |_| Ok(());

impl SearchMember {
    /// Whether it asks [`Problem::stop`] and then answers with a proven gap.
    #[must_use]
    pub fn is_anytime(&self) -> bool {
        self.card.keeps(Promise::ProvesItsGap)
    }

    /// Whether its choice says nothing about sensitive values that the release does not.
    #[must_use]
    pub fn tells_nothing(&self) -> bool {
        self.card.keeps(Promise::TellsNothing)
    }
}

/// Every search.
pub const ALL: &[SearchMember] = &[
    optimal::MEMBER,
    ola::MEMBER,
    flash::MEMBER,
    incognito::MEMBER,
    samarati::MEMBER,
    datafly::MEMBER,
    balance::MEMBER,
    discreet::MEMBER,
    exhaustive::MEMBER,
];

/// The search of a policy that names none.
pub const DEFAULT: &str = "optimal";

/// The member of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static SearchMember> {
    ALL.iter().find(|member| member.card.name == name)
}

/// Orders nodes from best to worst.
type NodeRank<'a> = (u128, u64, u32, &'a Node);

fn rank(counted: &CountedNode) -> NodeRank<'_> {
    (counted.summary.units, counted.suppressed, counted.node.height(), &counted.node)
}

pub(crate) fn by_rank(one: &CountedNode, other: &CountedNode) -> Ordering {
    rank(one).cmp(&rank(other))
}

/// Keeps the better of two.
fn improve(best: &mut Option<CountedNode>, candidate: &CountedNode) {
    if best.as_ref().is_none_or(|best| rank(candidate) < rank(best)) {
        *best = Some(candidate.clone());
    }
}

/// The nodes one step below `node`, none of them below `bottom`.
pub(crate) fn below<'a>(bottom: &'a Node, node: &'a Node) -> impl Iterator<Item = Node> + 'a {
    bottom.variables_below(node).map(|variable| node.with(variable, node.0[variable] - 1))
}

/// Searches that list nodes list at most this many.
const LIMIT: u128 = 10_000_000;

/// Refuses to list too many nodes.
fn requires_few(search: &'static str, nodes: u128) -> Result<(), SearchError> {
    if nodes > LIMIT { Err(SearchError::TooLarge { search, nodes, limit: LIMIT }) } else { Ok(()) }
}

impl Problem<'_> {
    /// Whether every node above a safe one is safe, in nested ladders: allowed classes stay allowed under every merge, or no
    /// class may be refused and allowed ones stay allowed together. They do where counts add up.
    pub(crate) fn is_monotone(&self) -> bool {
        let adds_up = || self.allowance == 0 && self.table.keys().is_additive();
        self.guard.closure() == Closure::Any || self.guard.closure() == Closure::Union && adds_up()
    }

    /// Refuses ladders that are not nested and models that are not monotone, for a search that prunes on both.
    fn requires_monotony(&self, search: &'static str) -> Result<(), SearchError> {
        if let Some(variable) = self.table.first_unnested() {
            return Err(SearchError::NotNested { search, variable: variable.name.clone() });
        }
        if self.is_monotone() { Ok(()) } else { Err(SearchError::NotMonotone { search }) }
    }

    /// An answer: no safe node loses less than `bound` or than the best. Nothing is tagged, and no minimal nodes are told.
    pub(crate) fn answer(&self, best: CountedNode, bound: u128, evaluated: u64) -> SearchAnswer {
        let units = best.summary.units;
        let bound = bound.min(units);
        let gap = if bound == units {
            Some(0.0)
        } else {
            self.loss.shape().has_ratios().then(|| (units - bound) as f64 / units as f64)
        };
        SearchAnswer { best, evaluated, tagged: 0, minimal: Vec::new(), cost: None, bound, gap }
    }

    /// What a safe node loses at least, given every k-minimal node and the top: each safe node is above one of them and
    /// suppresses what the top does.
    fn floor_above<'a>(&self, minimal: impl Iterator<Item = &'a CountedNode>, top: &CountedNode) -> u128 {
        minimal.map(|lowest| self.loss.bound(&lowest.node, Some(lowest), Some(top))).min().unwrap_or(0)
    }

    /// Whether it is time to stop, given whether there is an answer.
    fn is_over(&self, has_answer: bool) -> bool {
        self.stop.is_some_and(|stop| stop.is_over(has_answer))
    }

    /// Whether a node may be released: few enough records are suppressed, and some are left.
    pub(crate) fn is_safe(&self, counted: &CountedNode) -> bool {
        counted.limited <= self.allowance && counted.suppressed < self.table.records
    }

    /// Whether so many records may be suppressed, where records are limited.
    fn permits(&self, suppressed: u64) -> bool {
        suppressed <= self.allowance && suppressed < self.table.records
    }

    /// Whether some node that suppresses no more than this may be released.
    fn may_be_safe(&self, forced: &CountedNode) -> bool {
        forced.forced_limited() <= self.allowance && forced.forced_records() < self.table.records
    }

    fn no_safe_node(&self, top: &CountedNode) -> SearchError {
        SearchError::NoSafeNode { failing: top.suppressed, records: self.table.records }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_may_be_listed() {
        assert_eq!([LIMIT, LIMIT + 1].map(|nodes| requires_few("flash", nodes).is_ok()), [true, false]);
    }
}
