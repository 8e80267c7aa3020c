//! Datafly: raise the variable with the most distinct values until few enough records stand out.
//!
//! Starting from the bottom, the records in refused classes are counted; while there are too many, the variable that shows
//! the most distinct labels at present goes up one level (the first in the order of the data when several do). What is
//! left over is suppressed. The published procedure stops when fewer records stand out than `k`; here the policy says how
//! many may, as for every other search.
//!
//! It tests only the nodes on its way, so it needs neither nested ladders nor monotone models.
//!
//! Limit: greedy. The node is safe, but need not be k-minimal, and its loss plays no part in the way. With a model that is
//! not monotone it can walk past a safe node; where it finds none it says that there may be one.
//!
//! Source: Sweeney 1997, 2002. Spec: `specs/search/datafly.md`.

use std::cmp::Reverse;

use super::evaluator::Evaluator;
use super::{Problem, SearchAnswer, SearchError, SearchMember};
use crate::card::{Card, Promise};
use crate::lattice::Node;
use crate::loss::CountedNode;

pub(super) const MEMBER: SearchMember = SearchMember {
    card: Card {
        name: "datafly",
        summary: "greedy: raises the variable with the most distinct values until the node is safe",
        about: "The oldest published search. It counts at most one node per step of the ladders, and often generalises \
                far more than needed, because it looks neither at the loss nor back. For comparison.",
        promises: &[
            Promise::InWords("needs no nesting; without a monotone model it may find nothing, and says so"),
            Promise::OneNodePerHeight,
        ],
        parameters: &[],
        source: "L. Sweeney, Guaranteeing anonymity when sharing medical data, the Datafly system, AMIA 1997; L. \
                 Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, IJUFKS 10(5), \
                 2002",
    },
    by_preferences: false,
    suits: super::SUITS_ALL,
    run,
};

fn run(problem: &Problem<'_>) -> Result<SearchAnswer, SearchError> {
    let mut evaluator = Evaluator::new(problem);
    let bottom = evaluator.count(&problem.lattice.bottom);
    let mut reached = bottom.clone();
    while !problem.is_safe(&reached) {
        let Some(node) = next(problem, &reached.node) else { return Err(nothing(problem, &reached)) };
        reached = evaluator.count(&node);
    }
    // Where ladders are not nested, a higher node can lose less than the bottom, and nothing is known.
    let nested = problem.table.first_unnested().is_none();
    let bound = if nested { problem.loss.bound(&bottom.node, Some(&bottom), None) } else { 0 };
    Ok(problem.answer(reached, bound, evaluator.evaluated()))
}

/// Why the way led to no safe node: there is none, or it may have walked past one.
fn nothing(problem: &Problem<'_>, top: &CountedNode) -> SearchError {
    if problem.is_monotone() {
        problem.no_safe_node(top)
    } else {
        SearchError::NotMonotone { search: MEMBER.card.name }
    }
}

/// The node with the most varied variable one level up, unless all are as high as they may go.
fn next(problem: &Problem<'_>, node: &Node) -> Option<Node> {
    let open = (0..node.0.len()).filter(|&variable| node.0[variable] < problem.lattice.top.0[variable]);
    let most = open.max_by_key(|&variable| (problem.table.labels_at(variable, node.0[variable]), Reverse(variable)))?;
    Some(node.with(most, node.0[most] + 1))
}
