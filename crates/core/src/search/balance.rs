//! The balance of utility and privacy among safe nodes: best-first, in the order of what levels cost.
//!
//! Where a cost is a sum of costs of levels, or at least that, nodes can be listed from the cheapest on without listing
//! them all: each variable's levels are sorted by their cost, and each node leads to its next ones by moving one variable
//! to its next level. Let *bound* be the sum for a node and *cost* what the node really costs (the same, unless suppressed
//! records are charged): cost ≥ bound. Nodes come in the order of their bounds. When the next bound is above the cost of
//! the best safe node seen, every node that was not looked at costs more, so the answer is exact; nodes whose bound equals
//! that cost are still looked at, for ties. Nothing here needs nesting or monotony.
//!
//! Where ladders are nested and models monotone, two things are known without counting: if the highest node is not safe,
//! none is; and a node at or below one that was found unsafe is unsafe, too. From an unsafe node the search climbs,
//! halving the way, to the highest unsafe node between it and the top: a few counts that save many.
//!
//! How each node is met once: variables are taken in the order of the step from their best to their second-best level. A
//! node moves on by (a) its last moved variable one level further, (b) the next variable to its second-best level, (c) the
//! same while the last moved variable goes back from its second-best to its best; none of these makes it cheaper, and each
//! node has one predecessor. So a node has three successors and not as many as there are variables.
//!
//! A loss that is no such sum is left to `optimal`, and so is a lattice in which [`PATIENCE`] nodes were met without an
//! answer where it can prune: nothing is lost but time.
//!
//! Source: equanym; the order of nodes is that of E. Lawler, Management Science 18(7), 1972.
//! Spec: `specs/search/balance.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::evaluator::Evaluator;
use super::{Found, Member, Problem, SearchError, improve, optimal, rank, requires_room};
use crate::card::{Card, Promise};
use crate::lattice::{Lattice, Node};
use crate::loss::Counted;

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "balance",
        summary: "the safe node with the best balance of utility and privacy, by the preferences of the policy",
        about: "Price theory: users and intruders share 100 points each among the variables, alpha and beta weigh utility \
                against privacy, and each level of a variable is worth what it shows to the one and keeps from the other. \
                Of all safe nodes the one that satisfies most, or is nearest to the optimum, is found, and the report says \
                what the guarantee cost against the balance without it. The loss of the policy is measured but not \
                minimised. `equanym balance` shows prices, budget and optimum; docs/balance.md explains how to choose \
                points.",
        promises: &[
            Promise::Exact,
            Promise::InWords("needs no nesting and no monotone model, and is faster with both"),
            Promise::ProvesItsGap,
        ],
        parameters: &[],
        source: "equanym; the preferences are those of M. Zielinski, M. Olivier, On the use of economic price theory to \
                 find the optimum levels of privacy and information utility in non-perturbative microdata anonymisation, \
                 DKE 69(5), 2010",
    },
    anytime: true,
    by_preferences: true,
    run,
};

/// Nodes that are met before a search that can prune intervals takes over.
const PATIENCE: u64 = 1 << 20;

fn run(problem: &Problem<'_>) -> Result<Found, SearchError> {
    let Some(costs) = problem.loss.by_level() else { return optimal::run(problem) };
    let Some(order) = Order::of(&costs, &problem.lattice) else {
        let top = Evaluator::new(problem).count(&problem.lattice.top);
        return Err(problem.no_safe_node(&top));
    };
    let prunes = problem.table.first_unnested().is_none() && problem.guard.is_monotone();
    let mut search =
        BestFirst { problem, evaluator: Evaluator::new(problem), prunes, best: None, unsafe_: Vec::new(), met: 0 };
    search.run(&order)
}

struct BestFirst<'a> {
    problem: &'a Problem<'a>,
    evaluator: Evaluator<'a>,
    /// Whether unsafe nodes speak for those below them.
    prunes: bool,
    best: Option<Counted>,
    /// The highest nodes known to be unsafe.
    unsafe_: Vec<Node>,
    met: u64,
}

impl BestFirst<'_> {
    fn run(&mut self, order: &Order) -> Result<Found, SearchError> {
        let top = self.evaluator.count(&order.highest());
        if self.problem.is_safe(&top) {
            improve(&mut self.best, &top);
        } else if self.prunes {
            return Err(self.problem.no_safe_node(&top));
        }
        let mut bound = None;
        let mut open = Open::new(order);
        while let Some((least, node)) = open.next() {
            if self.best.as_ref().is_some_and(|best| least > best.summary.units) {
                break;
            }
            if self.best.is_some() && self.problem.is_over() {
                bound = Some(least);
                break;
            }
            self.met += 1;
            if self.met > PATIENCE && self.prunes {
                return self.hand_over(&top);
            }
            requires_room(MEMBER.card.name, self.met.into())?;
            self.look_at(least, &node, &top.node);
        }
        let Some(best) = self.best.take() else { return Err(self.problem.no_safe_node(&top)) };
        let bound = bound.map_or(best.summary.units, |bound| bound.min(best.summary.units));
        let evaluated = self.evaluator.evaluated();
        // Nodes on a way up are counted whether they were met or not, so this is at least how many were not.
        let tagged = self.met.saturating_sub(evaluated);
        Ok(Found { bound, evaluated, tagged, minimal: Vec::new(), best })
    }

    /// Counts a node unless it is known to be unsafe or no better than the best.
    fn look_at(&mut self, least: u128, node: &Node, top: &Node) {
        let loses = |best: &Counted| (least, 0, node.height(), node) >= rank(best);
        if self.best.as_ref().is_some_and(loses) || self.is_known_unsafe(node) {
            return;
        }
        let counted = self.evaluator.count(node);
        if self.problem.is_safe(&counted) {
            improve(&mut self.best, &counted);
        } else if self.prunes {
            self.climb(node, top);
        }
    }

    fn is_known_unsafe(&self, node: &Node) -> bool {
        self.unsafe_.iter().any(|high| node.is_at_or_below(high))
    }

    /// Remembers the highest unsafe node on a way from an unsafe node to the safe top.
    fn climb(&mut self, node: &Node, top: &Node) {
        let way = way(node, top);
        // Between two places of the way: unsafe at the first, safe at the second.
        let (mut low, mut high) = (0, way.len() - 1);
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            let is_safe = {
                let counted = self.evaluator.count(&way[middle]);
                self.problem.is_safe(&counted)
            };
            if is_safe { high = middle } else { low = middle }
        }
        let highest = &way[low];
        self.unsafe_.retain(|other| !other.is_at_or_below(highest));
        self.unsafe_.push(highest.clone());
    }

    /// Lets the search answer that can prune intervals. To it a level that may not be used is the dearest of all.
    fn hand_over(&self, top: &Counted) -> Result<Found, SearchError> {
        let before = self.evaluator.evaluated();
        let found = optimal::run(self.problem)?;
        let is_usable = found.best.summary.units < u128::MAX;
        if is_usable {
            Ok(Found { evaluated: found.evaluated + before, ..found })
        } else {
            Err(self.problem.no_safe_node(top))
        }
    }
}

/// The nodes on a way up, one step at a time, taking turns between the variables so that all rise together.
fn way(from: &Node, to: &Node) -> Vec<Node> {
    let mut way = vec![from.clone()];
    let mut node = from.clone();
    while node != *to {
        for variable in 0..node.0.len() {
            if node.0[variable] < to.0[variable] {
                node = node.with(variable, node.0[variable] + 1);
                way.push(node.clone());
            }
        }
    }
    way
}

/// The levels of the variables, the cheapest first.
struct Order {
    /// For each variable that has a choice: its place, and its levels with their costs.
    choices: Vec<(usize, Vec<(u128, u8)>)>,
    /// The cheapest node and its cost.
    cheapest: Node,
    least: u128,
}

impl Order {
    /// Nothing if a variable has no level that may be used.
    fn of(costs: &[Vec<Option<u128>>], lattice: &Lattice) -> Option<Self> {
        let (mut choices, mut cheapest, mut least) = (Vec::new(), lattice.bottom.clone(), 0_u128);
        for (variable, costs) in costs.iter().enumerate() {
            let between = lattice.bottom.0[variable]..=lattice.top.0[variable];
            let mut levels: Vec<(u128, u8)> =
                between.filter_map(|level| Some(((*costs.get(usize::from(level))?)?, level))).collect();
            levels.sort_unstable();
            let &(cost, level) = levels.first()?;
            cheapest = cheapest.with(variable, level);
            least = least.saturating_add(cost);
            if levels.len() > 1 {
                choices.push((variable, levels));
            }
        }
        choices.sort_by_key(|(variable, levels)| (levels[1].0 - levels[0].0, *variable));
        Some(Self { choices, cheapest, least })
    }

    /// The node of the highest levels that may be used.
    fn highest(&self) -> Node {
        let raise = |node: Node, (variable, levels): &(usize, Vec<(u128, u8)>)| {
            node.with(*variable, levels.iter().map(|(_, level)| *level).max().unwrap_or_default())
        };
        self.choices.iter().fold(self.cheapest.clone(), raise)
    }
}

/// Nodes in the order of their bounds.
struct Open<'a> {
    order: &'a Order,
    heap: BinaryHeap<Reverse<State>>,
}

/// A node on the list: which variables have moved is known from its last moved one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct State {
    bound: u128,
    node: Node,
    /// The place of the last moved variable among the choices, and of its level among its levels.
    last: Option<(usize, usize)>,
}

impl<'a> Open<'a> {
    fn new(order: &'a Order) -> Self {
        let first = State { bound: order.least, node: order.cheapest.clone(), last: None };
        Self { order, heap: BinaryHeap::from([Reverse(first)]) }
    }

    fn next(&mut self) -> Option<(u128, Node)> {
        let Reverse(state) = self.heap.pop()?;
        let Some((choice, place)) = state.last else {
            self.push(&state, &[(0, 0, 1)]);
            return Some((state.bound, state.node));
        };
        self.push(&state, &[(choice, place, place + 1)]);
        self.push(&state, &[(choice + 1, 0, 1)]);
        if place == 1 {
            self.push(&state, &[(choice, 1, 0), (choice + 1, 0, 1)]);
        }
        Some((state.bound, state.node))
    }

    /// Puts a node on the list that differs by these moves: of which choice, from which place among its levels to which.
    fn push(&mut self, state: &State, moves: &[(usize, usize, usize)]) {
        let (mut bound, mut node) = (state.bound, state.node.clone());
        for &(choice, from, to) in moves {
            let Some((variable, levels)) = self.order.choices.get(choice) else { return };
            let Some(&(cost, level)) = levels.get(to) else { return };
            bound = bound - levels[from].0 + cost;
            node = node.with(*variable, level);
        }
        let last = moves.last().map(|&(choice, _, to)| (choice, to));
        self.heap.push(Reverse(State { bound, node, last }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_comes_once_and_none_before_a_cheaper_one() {
        let costs = [vec![5, 0, 9], vec![2, 2], vec![7], vec![1, 30, 4, 4]];
        let costs: Vec<Vec<Option<u128>>> = costs.map(|levels| levels.into_iter().map(Some).collect()).to_vec();
        let lattice = Lattice { bottom: vec![0; 4].into(), top: vec![2, 1, 0, 3].into() };
        let order = Order::of(&costs, &lattice).unwrap();
        let mut open = Open::new(&order);
        let listed: Vec<(u128, Node)> = std::iter::from_fn(|| open.next()).collect();
        assert_eq!(listed.len() as u128, lattice.size());
        assert!(listed.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        for (bound, node) in &listed {
            let sum: u128 = costs.iter().zip(&node.0).map(|(levels, &level)| levels[level as usize].unwrap()).sum();
            assert_eq!(*bound, sum);
        }
        let mut nodes: Vec<&Node> = listed.iter().map(|(_, node)| node).collect();
        nodes.sort();
        nodes.dedup();
        assert_eq!((nodes.len(), order.highest()), (listed.len(), lattice.top.clone()));
    }

    #[test]
    fn levels_that_may_not_be_used_are_left_out() {
        let costs = [vec![Some(5), None, Some(1)], vec![None, Some(2)]];
        let lattice = Lattice { bottom: vec![0, 0].into(), top: vec![2, 1].into() };
        let order = Order::of(&costs, &lattice).unwrap();
        let mut open = Open::new(&order);
        let listed: Vec<Node> = std::iter::from_fn(|| open.next()).map(|(_, node)| node).collect();
        assert_eq!(listed, [vec![2, 1].into(), vec![0, 1].into()]);
        assert!(Order::of(&[vec![None], vec![Some(1)]], &lattice).is_none());
    }

    #[test]
    fn a_way_leads_up_step_by_step() {
        let way = way(&vec![0, 1].into(), &vec![2, 2].into());
        let expected: Vec<Node> = [[0, 1], [1, 1], [1, 2], [2, 2]].map(|levels| levels.to_vec().into()).to_vec();
        assert_eq!(way, expected);
    }
}
