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
//! node leads to three others: its last moved variable goes one level further; the next variable goes to its second-best
//! level; or that, while the last moved one goes back from its second-best to its best. None of these is cheaper, and each
//! node has one predecessor. So the list stays short, however many variables there are.
//!
//! A loss that is no such sum is left to `optimal`, and so is a lattice in which [`PATIENCE`] nodes were met without an
//! answer where it can prune: nothing is lost but time. Stopped early, a search of scores has a bound but no gap.
//!
//! Source: equanym; the order of nodes is that of E. Lawler, Management Science 18(7), 1972.
//! Spec: `specs/search/balance.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::evaluator::Evaluator;
use super::{Found, Member, Problem, SearchError, improve, optimal, rank, requires_few};
use crate::card::{Card, Promise};
use crate::lattice::{Lattice, Node};
use crate::loss::{Counted, Shape};

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
    search(problem, PATIENCE)
}

fn search(problem: &Problem<'_>, patience: u64) -> Result<Found, SearchError> {
    let usable = |costs: &Vec<u128>| costs.iter().copied().map(Some).collect();
    let costs: Vec<Vec<Option<u128>>> = match problem.loss.shape() {
        Shape::ByCell(loss) => loss.cost.iter().map(usable).collect(),
        Shape::ByLevel(costs) => costs.to_vec(),
        Shape::ByClass(_) => return optimal::run(problem),
    };
    let mut evaluator = Evaluator::new(problem);
    let Some(choices) = Choices::of(&costs, &problem.lattice) else {
        return Err(problem.no_safe_node(&evaluator.count(&problem.lattice.top)));
    };
    let prunes = problem.table.first_unnested().is_none() && problem.guard.is_monotone();
    let top = evaluator.count(&choices.highest());
    let best = problem.is_safe(&top).then(|| top.clone());
    if prunes && best.is_none() {
        return Err(problem.no_safe_node(&top));
    }
    BestFirst { problem, evaluator, prunes, patience, top, best, unsafe_: Vec::new(), met: 0 }.run(&choices)
}

struct BestFirst<'a> {
    problem: &'a Problem<'a>,
    evaluator: Evaluator<'a>,
    /// Whether unsafe nodes speak for those below them.
    prunes: bool,
    /// How many nodes are met before another search takes over.
    patience: u64,
    /// The node of the highest levels that may be used.
    top: Counted,
    best: Option<Counted>,
    /// The highest nodes known to be unsafe.
    unsafe_: Vec<Node>,
    met: u64,
}

impl BestFirst<'_> {
    fn run(mut self, choices: &Choices) -> Result<Found, SearchError> {
        let mut bound = u128::MAX;
        let mut open = Open::new(choices);
        while let Some((least, node)) = open.next() {
            if self.best.as_ref().is_some_and(|best| least > best.summary.units) {
                break;
            }
            if self.best.is_some() && self.problem.is_over() {
                bound = least;
                break;
            }
            self.met += 1;
            if self.met > self.patience && self.prunes {
                return self.hand_over(least);
            }
            requires_few(MEMBER.card.name, self.met.into())?;
            self.look_at(least, &node);
        }
        let Some(best) = self.best else { return Err(self.problem.no_safe_node(&self.top)) };
        let evaluated = self.evaluator.evaluated();
        // Nodes on a way up are counted whether they were met or not, so this is at least how many were not.
        let tagged = self.met.saturating_sub(evaluated);
        Ok(Found { tagged, ..self.problem.answer(best, bound, evaluated) })
    }

    /// Counts a node unless it is known to be unsafe or no better than the best.
    fn look_at(&mut self, least: u128, node: &Node) {
        let loses = |best: &Counted| (least, 0, node.height(), node) >= rank(best);
        if self.best.as_ref().is_some_and(loses) || self.is_known_unsafe(node) {
            return;
        }
        let counted = self.evaluator.count(node);
        if self.problem.is_safe(&counted) {
            improve(&mut self.best, &counted);
        } else if self.prunes {
            self.climb(node);
        }
    }

    fn is_known_unsafe(&self, node: &Node) -> bool {
        self.unsafe_.iter().any(|high| node.is_at_or_below(high))
    }

    /// Remembers the highest unsafe node on a way from an unsafe node to the safe top.
    fn climb(&mut self, node: &Node) {
        let way = way(node, &self.top.node);
        // Between two places of the way: unsafe at the first, safe at the second.
        let (mut low, mut high) = (0, way.len() - 1);
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            let counted = self.evaluator.count(&way[middle]);
            if self.problem.is_safe(&counted) { high = middle } else { low = middle }
        }
        let highest = &way[low];
        self.unsafe_.retain(|other| !other.is_at_or_below(highest));
        self.unsafe_.push(highest.clone());
    }

    /// Lets the search answer that can prune intervals, and takes the better of what both have found. Nodes that were not
    /// met cost at least `least`. To the other search a level that may not be used is the dearest of all.
    fn hand_over(mut self, least: u128) -> Result<Found, SearchError> {
        let found = optimal::run(self.problem)?;
        if found.best.summary.units < u128::MAX {
            improve(&mut self.best, &found.best);
        }
        let Some(best) = self.best else { return Err(self.problem.no_safe_node(&self.top)) };
        let evaluated = found.evaluated + self.evaluator.evaluated();
        Ok(Found { tagged: found.tagged, ..self.problem.answer(best, found.bound.max(least), evaluated) })
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
struct Choices {
    /// The variables that have a choice.
    of: Vec<Choice>,
    /// The cheapest node and its cost.
    cheapest: Node,
    least: u128,
}

/// A variable, and its levels after their costs.
struct Choice {
    variable: usize,
    levels: Vec<(u128, u8)>,
}

impl Choices {
    /// Nothing if a variable has no level that may be used.
    fn of(costs: &[Vec<Option<u128>>], lattice: &Lattice) -> Option<Self> {
        let (mut of, mut cheapest, mut least) = (Vec::new(), lattice.bottom.clone(), 0_u128);
        for (variable, costs) in costs.iter().enumerate() {
            let between = lattice.bottom.0[variable]..=lattice.top.0[variable];
            let mut levels: Vec<(u128, u8)> =
                between.filter_map(|level| Some(((*costs.get(usize::from(level))?)?, level))).collect();
            levels.sort_unstable();
            let &(cost, level) = levels.first()?;
            cheapest = cheapest.with(variable, level);
            least = least.saturating_add(cost);
            if levels.len() > 1 {
                of.push(Choice { variable, levels });
            }
        }
        of.sort_by_key(|Choice { variable, levels }| (levels[1].0 - levels[0].0, *variable));
        Some(Self { of, cheapest, least })
    }

    /// The node of the highest levels that may be used.
    fn highest(&self) -> Node {
        let raise = |node: Node, Choice { variable, levels }: &Choice| {
            node.with(*variable, levels.iter().map(|(_, level)| *level).max().unwrap_or_default())
        };
        self.of.iter().fold(self.cheapest.clone(), raise)
    }
}

/// Nodes in the order of their bounds.
struct Open<'a> {
    choices: &'a Choices,
    heap: BinaryHeap<Reverse<State>>,
}

/// A node on the list: which variables have moved is known from its last moved one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct State {
    bound: u128,
    node: Node,
    last: Option<Moved>,
}

/// A choice that is not at its cheapest level: its place among the choices, and that of its level among its levels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Moved {
    choice: usize,
    level: usize,
}

impl<'a> Open<'a> {
    fn new(choices: &'a Choices) -> Self {
        let first = State { bound: choices.least, node: choices.cheapest.clone(), last: None };
        Self { choices, heap: BinaryHeap::from([Reverse(first)]) }
    }

    fn next(&mut self) -> Option<(u128, Node)> {
        let Reverse(state) = self.heap.pop()?;
        let following = Moved { choice: state.last.map_or(0, |last| last.choice + 1), level: 1 };
        self.push(&state, None, following);
        if let Some(last @ Moved { choice, level }) = state.last {
            self.push(&state, Some(last), Moved { choice, level: level + 1 });
            if level == 1 {
                self.push(&state, Some(last), following);
            }
        }
        Some((state.bound, state.node))
    }

    /// Puts a node on the list: `back` returns to its cheapest level, then `to` is moved.
    fn push(&mut self, state: &State, back: Option<Moved>, to: Moved) {
        let choices = &self.choices.of;
        if choices.get(to.choice).is_none_or(|choice| to.level >= choice.levels.len()) {
            return;
        }
        let (mut bound, mut node) = (state.bound, state.node.clone());
        let back = back.map(|last| (last, Moved { level: 0, ..last }));
        for (from, to) in back.into_iter().chain([(Moved { level: 0, ..to }, to)]) {
            let Choice { variable, levels } = &choices[to.choice];
            bound = bound - levels[from.level].0 + levels[to.level].0;
            node = node.with(*variable, levels[to.level].1);
        }
        self.heap.push(Reverse(State { bound, node, last: Some(to) }));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::balance::{Balance, Imbalance, Market, Offer, Points, Preferences};
    use crate::made_up::{self, Posed};

    #[test]
    fn every_node_comes_once_and_none_before_a_cheaper_one() {
        let costs = [vec![5, 0, 9], vec![2, 2], vec![7], vec![1, 30, 4, 4]];
        let costs: Vec<Vec<Option<u128>>> = costs.map(|levels| levels.into_iter().map(Some).collect()).to_vec();
        let lattice = Lattice { bottom: vec![0; 4].into(), top: vec![2, 1, 0, 3].into() };
        let choices = Choices::of(&costs, &lattice).unwrap();
        let mut open = Open::new(&choices);
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
        assert_eq!((nodes.len(), choices.highest()), (listed.len(), lattice.top.clone()));
    }

    #[test]
    fn levels_that_may_not_be_used_are_left_out() {
        let costs = [vec![Some(5), None, Some(1)], vec![None, Some(2)]];
        let lattice = Lattice { bottom: vec![0, 0].into(), top: vec![2, 1].into() };
        let choices = Choices::of(&costs, &lattice).unwrap();
        let mut open = Open::new(&choices);
        let listed: Vec<Node> = std::iter::from_fn(|| open.next()).map(|(_, node)| node).collect();
        assert_eq!(listed, [vec![2, 1].into(), vec![0, 1].into()]);
        assert!(Choices::of(&[vec![None], vec![Some(1)]], &lattice).is_none());
    }

    #[test]
    fn a_way_leads_up_step_by_step() {
        let way = way(&vec![0, 1].into(), &vec![2, 2].into());
        let expected: Vec<Node> = [[0, 1], [1, 1], [1, 2], [2, 2]].map(|levels| levels.to_vec().into()).to_vec();
        assert_eq!(way, expected);
    }

    #[test]
    fn a_search_that_hands_over_and_is_stopped_keeps_its_best_node() {
        let table = made_up::table(&[[0, 0], [1, 0], [2, 0], [4, 1], [5, 1], [6, 1]], [&["2", "4"], &["6"]]);
        let points = Points { user: 50.0, intruder: 50.0 };
        // The last level of the first variable may not be used.
        let offer = Offer { max_level: 2, ..Offer::new("0", vec![3.0, 2.0, 1.0, 0.0], points) };
        let market = Market::new(1.0, 0.0, vec![offer, Offer::new("1", vec![1.0, 0.5, 0.0], points)]).unwrap();
        let mut posed = Posed::new(table, 3, "height");
        posed.loss = Box::new(Imbalance::new(&Balance::solve(market, Preferences::default()).unwrap()));
        let exact = search(&posed.problem(0), u64::MAX).unwrap();
        assert_eq!((exact.best.node.clone(), exact.gap), (vec![2, 0].into(), Some(0.0)));
        let found = search(&posed.problem(0), 1).unwrap();
        assert_eq!((&found.best, found.bound), (&exact.best, exact.bound));
        // Stopped when the other search has only seen the top, which may not be used.
        let asked = AtomicU64::new(0);
        let impatient = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
        let found = search(&Problem { stop: Some(&impatient), ..posed.problem(0) }, 1).unwrap();
        assert_eq!((found.best.node, found.gap), (vec![2, 2].into(), None));
        assert!(found.bound <= exact.bound);
    }
}
