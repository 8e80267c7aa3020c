//! Optimal lattice anonymisation: binary search over the generalisation strategies.
//!
//! A node is *k-minimal* when it is safe and no node below it is. Starting from the interval of the whole lattice, the
//! nodes at its middle height are tested; a safe one closes the interval above itself, an unsafe one opens it from there
//! up, until intervals are one step high. In nested ladders with monotone models a safe node makes every node above it
//! safe and an unsafe one every node below it unsafe, so most tests are answered from earlier ones. Of the k-minimal
//! nodes the one of least loss is the answer.
//!
//! Predictive tags are kept as the lowest safe and the highest unsafe nodes counted, not as a mark on each node. No tag can
//! tell that a k-minimal node is safe, so all of them are counted: the lowest safe nodes are the k-minimal ones in the end.
//!
//! Limit: the answer is the best of *all* safe nodes when nothing may be suppressed or the loss does not charge
//! suppression, as DM*, precision and the entropies as printed (`suppressed = "free"`) do not: it never falls on the way up,
//! so nothing above a k-minimal node loses less. Where a level costs nothing, a node above may lose the same and suppress
//! fewer. With a charge, a node above a k-minimal one can be better (that is what `optimal` is for), and the result
//! carries the gap that is left. The published procedure tests the top first and is only sound then. The nodes of a middle
//! height are listed: at most ten million.
//!
//! Source: El Emam et al. 2009. Spec: `specs/search/ola.md`.

use hashbrown::HashSet;

use super::evaluator::Evaluator;
use super::{Problem, SearchAnswer, SearchError, SearchMember, by_rank, requires_few};
use crate::card::{Card, Promise};
use crate::lattice::{Lattice, Node};

pub(super) const MEMBER: SearchMember = SearchMember {
    card: Card {
        name: "ola",
        summary: "optimal lattice anonymisation: the best k-minimal node, by binary search",
        about: "The published method. It needs nested ladders and models that survive merging. With suppression and a \
                loss that charges it, the best k-minimal node need not be the best safe node; the gap says how far it \
                can be off at most.",
        promises: &[Promise::ExactWithoutCharge, Promise::FindsMinimalNodes],
        parameters: &[],
        source: "K. El Emam et al., A globally optimal k-anonymity method for the de-identification of health data, \
                 JAMIA 16(5), 2009",
    },
    by_preferences: false,
    suits,
    run,
};

fn suits(problem: &Problem<'_>) -> Result<(), SearchError> {
    problem.requires_monotony(MEMBER.card.name)?;
    requires_few(MEMBER.card.name, problem.lattice.width_at(problem.lattice.height() / 2))
}

fn run(problem: &Problem<'_>) -> Result<SearchAnswer, SearchError> {
    suits(problem)?;
    let (evaluator, top) = Evaluator::from_the_top(problem)?;
    let safe = vec![problem.lattice.top.clone()];
    let met = HashSet::from_iter(safe.clone());
    let mut kmin = Kmin { problem, evaluator, safe, unsafe_: Vec::new(), met, seen: HashSet::new() };
    kmin.search(&problem.lattice);
    let Kmin { mut evaluator, met, mut safe, .. } = kmin;
    safe.sort();
    let minimal = evaluator.count_all(&safe);
    let bound = problem.floor_above(minimal.iter(), &top);
    let best = minimal.iter().min_by(|one, other| by_rank(one, other)).cloned().unwrap_or(top);
    let tagged = (met.len() as u64).saturating_sub(evaluator.evaluated());
    let cost = Some(evaluator.cost());
    Ok(SearchAnswer { tagged, minimal, cost, ..problem.answer(best, bound, evaluator.evaluated()) })
}

struct Kmin<'a> {
    problem: &'a Problem<'a>,
    evaluator: Evaluator<'a>,
    /// The lowest nodes known to be safe: all above them are.
    safe: Vec<Node>,
    /// The highest nodes known to be unsafe: all below them are.
    unsafe_: Vec<Node>,
    /// The nodes that had to be decided, by counts or by tags.
    met: HashSet<Node>,
    seen: HashSet<Lattice>,
}

impl Kmin<'_> {
    /// Searches an interval whose top is safe.
    fn search(&mut self, interval: &Lattice) {
        if !self.seen.insert(interval.clone()) {
            return;
        }
        let height = interval.height();
        if height <= 1 {
            self.test(&interval.bottom);
            return;
        }
        for node in interval.nodes_at(height / 2) {
            if self.test(&node) {
                self.search(&Lattice { bottom: interval.bottom.clone(), top: node });
            } else {
                self.search(&Lattice { bottom: node, top: interval.top.clone() });
            }
        }
    }

    /// Whether a node is safe, from earlier tests where they tell.
    fn test(&mut self, node: &Node) -> bool {
        self.met.insert(node.clone());
        if self.safe.iter().any(|safe| safe.is_at_or_below(node)) {
            return true;
        }
        if self.unsafe_.iter().any(|failed| node.is_at_or_below(failed)) {
            return false;
        }
        let is_safe = self.problem.is_safe(&self.evaluator.count(node));
        if is_safe {
            self.safe.retain(|safe| !node.is_at_or_below(safe));
            self.safe.push(node.clone());
        } else {
            self.unsafe_.retain(|failed| !failed.is_at_or_below(node));
            self.unsafe_.push(node.clone());
        }
        is_safe
    }
}
