//! The balance of utility and privacy among safe nodes: best-first, in the order of what levels cost.
//!
//! Let bound(x) be the sum of the costs of the levels of a node x, and cost(x) what x really costs. They differ only where
//! suppressed records are charged, and cost(x) ≥ bound(x). Nodes are listed in the order of their bounds, without listing all
//! ([`crate::cheapest`]). Let x be the best safe node seen, and y the next one:
//!
//! > bound(y) > cost(x) ⇒ every node that was not looked at costs more than x.
//!
//! So x is the answer. Nodes with bound(y) = cost(x) are still looked at, for ties. Nothing here needs nesting or monotony.
//!
//! Where ladders are nested and models monotone, two things are known without counting: if the highest node is not safe,
//! none is; and a node at or below one that was found unsafe is unsafe, too. From an unsafe node the search climbs,
//! halving the way, to the highest unsafe node between it and the top: a few counts that save many.
//!
//! A loss may rule a node out before it is counted, and forbid one that was: rations over all variables together, and over
//! what suppression leaves. Such nodes are passed over; where every safe node is forbidden there is no answer.
//!
//! A loss that is no such sum is left to `optimal`, and so is a lattice in which [`PATIENCE`] nodes were met without an
//! answer where it can prune: nothing is lost but time. Stopped early, a search of scores has a bound but no gap.
//!
//! Source: equanym.
//! Spec: `specs/search/balance.md`.

use super::evaluator::Evaluator;
use super::{Problem, SearchAnswer, SearchError, SearchMember, improve, optimal, rank, requires_few};
use crate::card::{Card, Promise};
use crate::cheapest::{CheapestLevels, OpenNodes};
use crate::lattice::Node;
use crate::loss::{CountedNode, LossShape};

pub(super) const MEMBER: SearchMember = SearchMember {
    card: Card {
        name: "balance",
        summary: "the safe node with the best balance of utility and privacy, by the preferences of the policy",
        about: "Price theory: users and intruders share 100 points each among the variables, alpha and beta weigh utility \
                against privacy, and each level of a variable is worth what it shows to the one and keeps from the other. \
                Of all safe nodes the one that satisfies most, or is nearest to the optimum, is found, and the report says \
                what the guarantee cost against the balance without it. Without a privacy model it releases the balance \
                itself, if the policy says guarantee = \"none\". The loss of the policy is measured but not minimised. `equanym balance` shows prices, budget and optimum; docs/balance.md explains how to choose \
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
    by_preferences: true,
    suits: super::SUITS_ALL,
    run,
};

/// Nodes that are met before a search that can prune intervals takes over.
const PATIENCE: u64 = 1 << 20;

fn run(problem: &Problem<'_>) -> Result<SearchAnswer, SearchError> {
    search(problem, PATIENCE)
}

fn search(problem: &Problem<'_>, patience: u64) -> Result<SearchAnswer, SearchError> {
    let usable = |costs: &Vec<u128>| costs.iter().copied().map(Some).collect();
    let costs: Vec<Vec<Option<u128>>> = match problem.loss.shape() {
        LossShape::ByCell(loss) => loss.cost.iter().map(usable).collect(),
        LossShape::ByLevel(costs) => costs.to_vec(),
        LossShape::ByClass(_) => return optimal::run(problem),
    };
    let mut evaluator = Evaluator::new(problem);
    let Some(choices) = CheapestLevels::new(&costs, &problem.lattice) else {
        return Err(problem.no_safe_node(&evaluator.count(&problem.lattice.top)));
    };
    let prunes = problem.table.first_unnested().is_none() && problem.is_monotone();
    let top = evaluator.count(&choices.highest());
    let is_safe = problem.is_safe(&top);
    if prunes && !is_safe {
        return Err(problem.no_safe_node(&top));
    }
    let best = (is_safe && top.summary.is_usable()).then(|| top.clone());
    BestFirst { problem, evaluator, prunes, patience, top, best, forbidden: false, unsafe_: Vec::new(), met: 0 }
        .run(&choices)
}

struct BestFirst<'a> {
    problem: &'a Problem<'a>,
    evaluator: Evaluator<'a>,
    /// Whether unsafe nodes speak for those below them.
    prunes: bool,
    /// How many nodes are met before another search takes over.
    patience: u64,
    /// The node of the highest levels that may be used.
    top: CountedNode,
    best: Option<CountedNode>,
    /// Whether a node was passed over that is safe, or may be, because the loss forbids it.
    forbidden: bool,
    /// The highest nodes known to be unsafe.
    unsafe_: Vec<Node>,
    met: u64,
}

impl BestFirst<'_> {
    fn run(mut self, choices: &CheapestLevels) -> Result<SearchAnswer, SearchError> {
        let mut bound = u128::MAX;
        let mut open = OpenNodes::new(choices);
        while let Some((least, node)) = open.next() {
            if self.best.as_ref().is_some_and(|best| least > best.summary.units) {
                break;
            }
            if self.problem.is_over(self.best.is_some()) {
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
        let Some(best) = self.best else { return Err(self.no_answer()) };
        let evaluated = self.evaluator.evaluated();
        // Nodes on a way up are counted whether they were met or not, so this is at least how many were not.
        let tagged = self.met.saturating_sub(evaluated);
        Ok(SearchAnswer { tagged, ..self.problem.answer(best, bound, evaluated) })
    }

    /// Counts a node unless it is known to be unsafe or no better than the best.
    fn look_at(&mut self, least: u128, node: &Node) {
        let loses = |best: &CountedNode| (least, 0, node.height(), node) >= rank(best);
        if self.best.as_ref().is_some_and(loses) || self.is_known_unsafe(node) {
            return;
        }
        if self.problem.loss.rules_out(node) {
            self.forbidden = true;
            return;
        }
        let counted = self.evaluator.count(node);
        if self.problem.is_safe(&counted) {
            self.take(&counted);
        } else if self.prunes {
            self.climb(node);
        }
    }

    /// Keeps a safe node if it is better and not forbidden.
    fn take(&mut self, safe: &CountedNode) {
        if safe.summary.is_usable() {
            improve(&mut self.best, safe);
        } else {
            self.forbidden = true;
        }
    }

    fn no_answer(&self) -> SearchError {
        if self.forbidden { SearchError::Forbidden } else { self.problem.no_safe_node(&self.top) }
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
    fn hand_over(mut self, least: u128) -> Result<SearchAnswer, SearchError> {
        let found = optimal::run(self.problem)?;
        self.take(&found.best);
        let Some(best) = self.best else { return Err(self.no_answer()) };
        let evaluated = found.evaluated + self.evaluator.evaluated();
        Ok(SearchAnswer { tagged: found.tagged, ..self.problem.answer(best, found.bound.max(least), evaluated) })
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::balance::{Balance, Imbalance, Market, Offer, Points, Preferences};
    use crate::{made_up, made_up::MadeUpProblem, stop::Stop};

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
        let mut posed = MadeUpProblem::new(table, 3, "height");
        posed.loss = Box::new(Imbalance::new(&Balance::solve(market, Preferences::default()).unwrap()));
        let exact = search(&posed.problem(0), u64::MAX).unwrap();
        assert_eq!((exact.best.node.clone(), exact.gap), (vec![2, 0].into(), Some(0.0)));
        let found = search(&posed.problem(0), 1).unwrap();
        assert_eq!((&found.best, found.bound), (&exact.best, exact.bound));
        // Stopped when the other search has only seen the top, which may not be used.
        let asked = AtomicU64::new(0);
        let impatient = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
        let found = search(&Problem { stop: Some(Stop::after_work(&impatient)), ..posed.problem(0) }, 1).unwrap();
        assert_eq!((found.best.node, found.gap), (vec![2, 2].into(), None));
        assert!(found.bound <= exact.bound);
    }
}
