//! Incognito: all safe nodes, found by growing subsets of the quasi-identifiers.
//!
//! Over a subset of the variables the others are left out of the key, which is to say that they stand at their last
//! level. Three properties hold in nested ladders with monotone models:
//!
//! * *subset*: a node that is unsafe over a subset is unsafe over every larger one with the same levels, because its
//!   classes are merged from those of the larger one and suppress no more records;
//! * *generalisation*: what stands above a safe node of the same subset is safe;
//! * *roll-up*: the classes of a node come from those of any node below.
//!
//! So the nodes over one variable are searched first. Those over a larger subset are made of the safe ones over the
//! subsets with one variable less (all of these must be safe), and are visited in the order of their height: a node with
//! a safe node right below it is safe, any other is counted. Over all variables just the safe nodes remain.
//!
//! The paper returns them all and leaves the choice to the user; here the least loss decides. A second pass over the safe
//! nodes, upwards, carries along what the loss says of all nodes above (a bound) and counts those that could still be
//! best. Where nothing may be suppressed these are the k-minimal ones, which were counted anyway.
//!
//! Counts over subsets are included in the number of counted nodes, and a node is counted anew for each subset, as
//! published.
//!
//! Limit: the nodes of all subsets together may be ten million at most.
//!
//! Source: `LeFevre` et al. 2005, basic variant. Spec: `specs/search/incognito.md`.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};

use super::evaluator::Evaluator;
use super::{Problem, SearchAnswer, SearchError, SearchMember, below, improve, rank, requires_few};
use crate::card::{Card, Promise};
use crate::lattice::{Lattice, Node};
use crate::loss::CountedNode;

pub(super) const MEMBER: SearchMember = SearchMember {
    card: Card {
        name: "incognito",
        summary: "the best of all safe nodes, which it finds by growing subsets of the variables",
        about: "A published search that lists every safe node, pruned by what smaller subsets of the variables have \
                shown, and then takes the one of least loss. It needs nested ladders and models that survive merging; \
                work and memory double with every variable. Its number of counted nodes includes those over subsets.",
        promises: &[Promise::Exact, Promise::FindsMinimalNodes],
        parameters: &[],
        source: "K. LeFevre, D. DeWitt, R. Ramakrishnan, Incognito: efficient full-domain k-anonymity, SIGMOD 2005",
    },
    by_preferences: false,
    suits,
    run,
};

fn suits(problem: &Problem<'_>) -> Result<(), SearchError> {
    problem.requires_monotony(MEMBER.card.name)?;
    requires_few(MEMBER.card.name, nodes_of_all_subsets(&problem.lattice))
}

fn run(problem: &Problem<'_>) -> Result<SearchAnswer, SearchError> {
    suits(problem)?;
    let (evaluator, top) = Evaluator::from_the_top(problem)?;
    let left_out = problem.table.fully_generalised();
    let mut incognito = Incognito { problem, evaluator, left_out, top, met: 1 };
    let SubsetGraph { safe, mut minimal } = incognito.whole();
    minimal.sort_by(|one, other| one.node.cmp(&other.node));
    let best = incognito.choose(&safe, &minimal).unwrap_or_else(|| incognito.top.clone());
    let evaluated = incognito.evaluator.evaluated();
    let tagged = incognito.met.saturating_sub(evaluated);
    Ok(SearchAnswer { tagged, minimal, ..problem.answer(best, u128::MAX, evaluated) })
}

/// Each variable stands at one of its levels or is left out.
fn nodes_of_all_subsets(lattice: &Lattice) -> u128 {
    let choices = lattice.bottom.0.iter().zip(&lattice.top.0).map(|(&low, &high)| u128::from(high.abs_diff(low)) + 2);
    choices.fold(1, u128::saturating_mul)
}

/// A subset of the variables, one bit each: the limit on the nodes leaves no room for more than 23.
type VariableSubset = u32;

/// The nodes over one subset, as far as they are safe.
struct SubsetGraph {
    safe: HashSet<Node>,
    /// Those of them without a safe node below.
    minimal: Vec<CountedNode>,
}

struct Incognito<'a> {
    problem: &'a Problem<'a>,
    evaluator: Evaluator<'a>,
    /// The level at which a variable tells nothing.
    left_out: Node,
    top: CountedNode,
    /// How many nodes over subsets were met so far.
    met: u64,
}

impl Incognito<'_> {
    /// The graph over all variables.
    fn whole(&mut self) -> SubsetGraph {
        let nothing = SubsetGraph { safe: HashSet::from([self.left_out.clone()]), minimal: vec![self.top.clone()] };
        let mut graphs = BTreeMap::from([(0, nothing)]);
        for _ in 0..self.left_out.0.len() {
            graphs = self.grow(&graphs);
        }
        graphs.into_values().next().unwrap_or(SubsetGraph { safe: HashSet::new(), minimal: Vec::new() })
    }

    /// The graphs over the subsets with one variable more.
    fn grow(&mut self, smaller: &BTreeMap<VariableSubset, SubsetGraph>) -> BTreeMap<VariableSubset, SubsetGraph> {
        let mut larger = BTreeMap::new();
        for &subset in smaller.keys() {
            let beyond = (VariableSubset::BITS - subset.leading_zeros()) as usize;
            for added in beyond..self.left_out.0.len() {
                let candidates = self.candidates(smaller, subset, added);
                larger.insert(subset | 1 << added, self.search(candidates));
            }
        }
        larger
    }

    /// The nodes over `subset` and one more variable that are safe over every subset with one variable less.
    fn candidates(
        &mut self,
        smaller: &BTreeMap<VariableSubset, SubsetGraph>,
        subset: VariableSubset,
        added: usize,
    ) -> Vec<Node> {
        let lattice = &self.problem.lattice;
        let dropped: Vec<usize> = (0..added).filter(|&variable| subset & 1 << variable != 0).collect();
        let is_safe_without = |node: &Node, variable: usize| {
            let rest = (subset | 1 << added) & !(1 << variable);
            smaller.get(&rest).is_some_and(|graph| graph.safe.contains(&node.with(variable, self.left_out.0[variable])))
        };
        let mut candidates = Vec::new();
        for node in smaller.get(&subset).into_iter().flat_map(|graph| &graph.safe) {
            for level in lattice.bottom.0[added]..=lattice.top.0[added] {
                let joined = node.with(added, level);
                self.met += 1;
                if dropped.iter().all(|&variable| is_safe_without(&joined, variable)) {
                    candidates.push(joined);
                }
            }
        }
        candidates
    }

    /// Searches the nodes over a subset that may be safe.
    fn search(&mut self, mut candidates: Vec<Node>) -> SubsetGraph {
        upwards(&mut candidates);
        self.evaluator.forget();
        let mut graph = SubsetGraph { safe: HashSet::new(), minimal: Vec::new() };
        for node in candidates {
            if !below(&self.problem.lattice.bottom, &node).any(|below| graph.safe.contains(&below)) {
                let counted = self.evaluator.count(&node);
                if !self.problem.is_safe(&counted) {
                    continue;
                }
                graph.minimal.push(counted);
            }
            graph.safe.insert(node);
        }
        graph
    }

    /// The best of all safe nodes, given the minimal ones.
    fn choose(&mut self, safe: &HashSet<Node>, minimal: &[CountedNode]) -> Option<CountedNode> {
        let (loss, top) = (self.problem.loss, &self.top);
        let mut best = None;
        // For each node what it and all above it lose at least.
        let mut floors: HashMap<&Node, u128> = HashMap::with_capacity(safe.len());
        for counted in minimal {
            improve(&mut best, counted);
            floors.insert(&counted.node, loss.bound(&counted.node, Some(counted), Some(top)));
        }
        self.evaluator.forget();
        let mut others: Vec<&Node> = safe.iter().filter(|node| !floors.contains_key(node)).collect();
        upwards(&mut others);
        for node in others {
            let floors_below =
                below(&self.problem.lattice.bottom, node).filter_map(|below| floors.get(&below).copied());
            let mut floor = floors_below.fold(loss.bound(node, None, Some(top)), u128::max);
            if best.as_ref().is_none_or(|best| (floor, top.suppressed, node.height(), node) < rank(best)) {
                let counted = self.evaluator.count(node);
                improve(&mut best, &counted);
                floor = floor.max(loss.bound(node, Some(&counted), Some(top)));
            }
            floors.insert(node, floor);
        }
        best
    }
}

/// Sorts nodes so that each comes after all that are below it.
fn upwards<N: Borrow<Node> + Ord>(nodes: &mut [N]) {
    nodes.sort_unstable_by(|one, other| (one.borrow().height(), one).cmp(&(other.borrow().height(), other)));
}
