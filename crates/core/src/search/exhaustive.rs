//! Exhaustive search: the oracle.
//!
//! Counts every node of the lattice and keeps the best safe one. It trusts neither nesting nor monotony, so it is right
//! for every model, ladder and loss, and the other searches are tested against it. Nodes are visited along a tree in
//! which each one is reached once, from a node one step below it; in nested ladders its classes roll up from there.
//!
//! Limit: lattices of up to ten million nodes. Spec: `specs/search/exhaustive.md`.

use super::evaluator::judge;
use super::{Found, Member, Problem, SearchError, improve, requires_room};
use crate::card::{Card, Promise};
use crate::frequency::FrequencySet;
use crate::lattice::Node;
use crate::loss::Counted;

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "exhaustive",
        summary: "counts every node; slow, and right whatever the models, ladders and loss",
        about: "The oracle that the other searches are tested against. Use it on small lattices, with ladders that are \
                not nested, or to confirm an answer.",
        promises: &[Promise::Exact, Promise::InWords("needs no nesting and no monotone model")],
        parameters: &[],
        source: "by definition",
    },
    anytime: false,
    by_preferences: false,
    run,
};

pub(super) fn run(problem: &Problem<'_>) -> Result<Found, SearchError> {
    requires_room(MEMBER.card.name, problem.lattice.size())?;
    let nested = problem.table.first_unnested().is_none();
    let mut walk = Walk { problem, nested, best: None, evaluated: 0 };
    let bottom = problem.table.roll_up(problem.table.keys(), &problem.lattice.bottom).set;
    walk.visit(&bottom, 0);
    let evaluated = walk.evaluated;
    if let Some(best) = walk.best {
        return Ok(Found { bound: best.summary.units, best, evaluated, tagged: 0, minimal: Vec::new() });
    }
    let top = problem.table.roll_up(problem.table.keys(), &problem.lattice.top).set;
    Err(problem.no_safe_node(&judge(problem, &top, None)))
}

struct Walk<'a> {
    problem: &'a Problem<'a>,
    nested: bool,
    best: Option<Counted>,
    evaluated: u64,
}

impl Walk<'_> {
    /// Visits a node and all that are reached from it by raising variables from `first` on.
    fn visit(&mut self, set: &FrequencySet, first: usize) {
        let counted = judge(self.problem, set, None);
        self.evaluated += 1;
        (self.problem.progress)(self.evaluated);
        if self.problem.is_safe(&counted) {
            improve(&mut self.best, &counted);
        }
        for variable in first..set.node.0.len() {
            if set.node.0[variable] < self.problem.lattice.top.0[variable] {
                let above = self.count(set, &set.node.with(variable, set.node.0[variable] + 1));
                self.visit(&above, variable);
            }
        }
    }

    fn count(&self, below: &FrequencySet, node: &Node) -> FrequencySet {
        let from = if self.nested { below } else { self.problem.table.keys() };
        self.problem.table.roll_up(from, node).set
    }
}
