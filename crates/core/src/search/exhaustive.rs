//! Exhaustive search: the oracle.
//!
//! Counts every node of the lattice and keeps the best safe one. It trusts neither nesting nor monotony, so it is right
//! for every model, ladder and loss, and the other searches are tested against it. Nodes are visited along a tree in
//! which each one is reached once, from a node one step below it; in nested ladders its classes roll up from there.
//!
//! Limit: lattices of up to ten million nodes. Spec: `specs/search/exhaustive.md`.

use super::evaluator::{count_directly, judge};
use super::{Problem, SearchAnswer, SearchError, SearchMember, improve, requires_few};
use crate::card::{Card, Promise};
use crate::frequency::FrequencySet;
use crate::loss::CountedNode;

pub(super) const MEMBER: SearchMember = SearchMember {
    card: Card {
        name: "exhaustive",
        summary: "counts every node; slow, and right whatever the models, ladders and loss",
        about: "The oracle that the other searches are tested against. Use it on small lattices, with ladders that are \
                not nested, or to confirm an answer.",
        promises: &[Promise::Exact, Promise::InWords("needs no nesting and no monotone model")],
        parameters: &[],
        source: "by definition",
    },
    by_preferences: false,
    suits: super::SUITS_ALL,
    run,
};

pub(super) fn run(problem: &Problem<'_>) -> Result<SearchAnswer, SearchError> {
    until_stopped(&Problem { stop: None, lattice: problem.lattice.clone(), ..*problem })
}

/// Looks at every node, or at those that come before it is told to stop, and then on until one is safe. Of the others it
/// knows what the loss says of all nodes from the bottom on, and nothing where ladders are not nested.
pub(super) fn until_stopped(problem: &Problem<'_>) -> Result<SearchAnswer, SearchError> {
    requires_few(MEMBER.card.name, problem.lattice.size())?;
    let nested = problem.table.first_unnested().is_none();
    let mut visit = NodeVisit { problem, nested, best: None, evaluated: 0 };
    let bottom = &problem.lattice.bottom;
    let is_whole = visit.from(&problem.table.roll_up(problem.table.keys(), bottom).set, 0);
    let Some(best) = visit.best else {
        return Err(problem.no_safe_node(&count_directly(problem, &problem.lattice.top)));
    };
    let bound = match is_whole {
        true => best.summary.units,
        false if nested => problem.loss.bound(bottom, None, None),
        false => 0,
    };
    Ok(problem.answer(best, bound, visit.evaluated))
}

struct NodeVisit<'a> {
    problem: &'a Problem<'a>,
    nested: bool,
    best: Option<CountedNode>,
    evaluated: u64,
}

impl NodeVisit<'_> {
    /// Visits a node and all that are reached from it by raising variables from `first` on; says whether it came to the end.
    fn from(&mut self, set: &FrequencySet, first: usize) -> bool {
        if self.problem.is_over(self.best.is_some()) {
            return false;
        }
        let counted = judge(self.problem, set, None, None);
        self.evaluated += 1;
        (self.problem.progress)(self.evaluated);
        if self.problem.is_safe(&counted) {
            improve(&mut self.best, &counted);
        }
        let (node, top) = (&set.node, &self.problem.lattice.top);
        let mut open = (first..node.0.len()).filter(|&variable| node.0[variable] < top.0[variable]);
        let below = if self.nested { set } else { self.problem.table.keys() };
        open.all(|variable| {
            let above = self.problem.table.roll_up(below, &node.with(variable, node.0[variable] + 1)).set;
            self.from(&above, variable)
        })
    }
}
