//! Samarati's search: bisection on the height of the lattice.
//!
//! In nested ladders with monotone models, where a height holds a safe node so does every greater one. The lowest such
//! height is found by bisection; at a height in question nodes are counted until one is safe. All nodes of the lowest
//! height are then counted, and of the safe ones that of least loss is the answer (the paper leaves that choice to the
//! user).
//!
//! Every safe node stands at or above some node of that height, all of which were counted: what the loss says of each of
//! them bounds what any safe node loses.
//!
//! Limit: few steps up a coarse ladder can cost more than many up fine ones, so the least height need not be the least
//! loss; the gap says how far off it can be at most. Lattices of up to ten million nodes, since the nodes of a height are
//! listed.
//!
//! Source: Samarati 2001. Spec: `specs/search/samarati.md`.

use super::evaluator::Evaluator;
use super::{Problem, SearchAnswer, SearchError, SearchMember, improve, requires_few};
use crate::card::{Card, Promise};

pub(super) const MEMBER: SearchMember = SearchMember {
    card: Card {
        name: "samarati",
        summary: "the best node of the lowest height that holds a safe one, by bisection on height",
        about: "A published search that minimises the number of generalisation steps instead of the loss: one step \
                counts as much as any other, whichever ladder it is on. It needs nested ladders and models that \
                survive merging. For comparison.",
        promises: &[Promise::LeastHeight],
        parameters: &[],
        source: "P. Samarati, Protecting respondents' identities in microdata release, TKDE 13(6), 2001",
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
    let (mut evaluator, top) = Evaluator::from_the_top(problem)?;
    let height = lowest_safe_height(problem, &mut evaluator);
    let (mut best, mut bound) = (None, u128::MAX);
    for node in problem.lattice.nodes_at(height) {
        let counted = evaluator.count(&node);
        bound = bound.min(problem.loss.bound(&node, Some(&counted), Some(&top)));
        if problem.is_safe(&counted) {
            improve(&mut best, &counted);
        }
    }
    Ok(problem.answer(best.unwrap_or(top), bound, evaluator.evaluated()))
}

/// How many steps above the bottom the lowest safe nodes stand, given that the top is safe.
fn lowest_safe_height(problem: &Problem<'_>, evaluator: &mut Evaluator<'_>) -> u32 {
    let (mut low, mut high) = (0, problem.lattice.height());
    while low < high {
        let middle = low.midpoint(high);
        if problem.lattice.nodes_at(middle).iter().any(|node| problem.is_safe(&evaluator.count(node))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
