//! Discreet: a choice that tells nothing which the release does not tell.
//!
//! A search that looks at sensitive values says something by its choice: finer levels that keep k and were not taken must have been
//! refused for their sensitive values ([`crate::minimality`]). This one goes down from the highest levels, one step at a time,
//! and looks at no value that it does not release.
//!
//! Let C be a class one step below the node x that was reached, and D the class of x that it is a part of. The step is taken if
//!
//! 1. the models allow every class of the lower node as far as keys alone decide ([`Guard::of_keys`](crate::privacy::Guard::of_keys)), and
//! 2. for every such C the models allow *every* group of |C| people of D, whichever they are
//!    ([`Guard::allows_any`](crate::privacy::Guard::allows_any)).
//!
//! Of the steps that may be taken, the one to the least cost of levels is; where none may be taken, x is the answer.
//!
//! **Why it tells nothing.** Let R be the release of node x, and w any table with the same keys and with sensitive values such
//! that x shows R. Every node x₀ = top, x₁, …, x of the way is at or above x and nobody is withheld, so
//!
//! > R and the keys determine how values spread in the classes of each xᵢ.
//!
//! Steps 1 and 2 look at these spreads and at keys, and at nothing else. So each decision is the same in w, and
//!
//! > the release of w is R, for every w that shows R: whoever runs the search learns nothing by doing so.
//!
//! **Why it goes far.** Let y be one step below x. A rule of this kind that always answers must release y for all tables that
//! show the same at x, or for none of them. If a group as in 2 is refused, one of these tables is not safe at y. So no such rule
//! goes on where this one stops.
//!
//! Where models compare classes with the table, its shares count as known. Where people are counted, whose records are whose at which key
//! counts as known, and spreads are those of records. What is claimed without a proof of the least loss is claimed from keys
//! alone ([`LossShape::per_cell`](crate::loss::LossShape::per_cell)).
//!
//! Limits: greedy, and dear. A class may be split only where even its most alike people would differ enough, so
//! frequent sensitive values keep classes large. It withholds nobody, whatever the limit permits. LKC-privacy with a share and
//! Grassberger's estimator permit no step.
//!
//! Source: equanym; decisions that follow from what is told are those of Kenthapadi, Mishra & Nissim, Simulatable auditing, PODS
//! 2005; the attack is that of Wong, Fu, Wang & Pei, VLDB 2007. Spec: `specs/search/discreet.md`.

use super::evaluator::count_directly;
use super::{Problem, SearchAnswer, SearchError, SearchMember};
use crate::card::{Card, Promise};
use crate::frequency::{FrequencySet, RollUp};
use crate::lattice::Node;
use crate::loss::cost_by_level;
use crate::privacy::Guard;

pub(super) const MEMBER: SearchMember = SearchMember {
    card: Card {
        name: "discreet",
        summary: "goes down from the highest levels as far as what it releases permits, so that its choice tells nothing more",
        about: "Whoever knows everybody's quasi-identifiers and the policy can run any search. Levels that keep k and lose less \
                were not taken: then sensitive values forbid them, and that may single people out (minimality attack). This \
                search rests on quasi-identifiers and on what it releases alone, so running it again teaches nothing. It withholds \
                nobody, and it is dear: a class is split only where even its most alike people would be diverse enough. The \
                report has the price.",
        promises: &[Promise::TellsNothing, Promise::InWords("needs nested ladders; withholds nobody")],
        parameters: &[],
        source: "equanym; after K. Kenthapadi, N. Mishra, K. Nissim, Simulatable auditing, PODS 2005, against the attack of R. \
                 Wong, A. Fu, K. Wang, J. Pei, Minimality attack in privacy preserving data publishing, VLDB 2007",
    },
    by_preferences: false,
    suits,
    run,
};

/// Ladders must be nested, and nobody withheld at the top.
fn suits(problem: &Problem<'_>) -> Result<(), SearchError> {
    if let Some(variable) = problem.table.first_unnested() {
        return Err(SearchError::NotNested { search: MEMBER.card.name, variable: variable.name.clone() });
    }
    let descent = Descent::new(problem);
    let top = descent.classes(&problem.lattice.top);
    match descent.failing(&top, &RollUp::unmoved(&top)) {
        0 => Ok(()),
        failing => Err(refusal(problem, failing)),
    }
}

fn run(problem: &Problem<'_>) -> Result<SearchAnswer, SearchError> {
    suits(problem)?;
    let descent = Descent::new(problem);
    let mut node = problem.lattice.top.clone();
    let mut evaluated = 1;
    while let Some(lower) = descent.step(&node, &mut evaluated) {
        node = lower;
    }
    // Nothing that is claimed of the answer may rest on values that are not released.
    let bottom = &problem.lattice.bottom;
    let bound = problem.loss.shape().per_cell().map_or(0, |_| problem.loss.bound(bottom, None, None));
    let counted = count_directly(problem, &node);
    if counted.suppressed > 0 {
        return Err(problem.no_safe_node(&counted));
    }
    Ok(problem.answer(counted, bound, evaluated))
}

/// Why there is no way down: nothing is safe at all, or somebody would have to be withheld at the top.
fn refusal(problem: &Problem<'_>, failing: u64) -> SearchError {
    let (top, records) = (count_directly(problem, &problem.lattice.top), problem.table.records);
    if problem.is_monotone() && !problem.is_safe(&top) {
        return problem.no_safe_node(&top);
    }
    SearchError::WithholdsNobody { search: MEMBER.card.name, failing, records }
}

struct Descent<'a> {
    problem: &'a Problem<'a>,
    /// What the models ask of keys.
    keys: Guard,
    /// What each level of each variable costs, whatever the sensitive values are.
    cost: Vec<Vec<u128>>,
}

impl<'a> Descent<'a> {
    fn new(problem: &'a Problem<'a>) -> Self {
        Self { problem, keys: problem.guard.of_keys(), cost: cost_by_level(problem.loss, problem.table) }
    }

    fn classes(&self, node: &Node) -> FrequencySet {
        self.problem.table.roll_up(self.problem.table.keys(), node).set
    }

    /// The cheapest node one step below that may be reached.
    fn step(&self, node: &Node, evaluated: &mut u64) -> Option<Node> {
        let mut below: Vec<Node> = super::below(&self.problem.lattice.bottom, node).collect();
        below.sort_by_cached_key(|node| self.cost_of(node));
        below.into_iter().find(|lower| {
            *evaluated += 1;
            (self.problem.progress)(*evaluated);
            let finer = self.classes(lower);
            self.failing(&finer, &self.problem.table.roll_up(&finer, node)) == 0
        })
    }

    fn cost_of(&self, node: &Node) -> u128 {
        let of_level = |(costs, level): (&Vec<u128>, &u8)| costs.get(usize::from(*level)).copied().unwrap_or(u128::MAX);
        self.cost.iter().zip(&node.0).map(of_level).fold(0, u128::saturating_add)
    }

    /// The records of classes that keys refuse, or that models could refuse if people of the coarser class changed places.
    fn failing(&self, set: &FrequencySet, coarser: &RollUp) -> u64 {
        let verdict = self.keys.judge(set);
        let may_stand = |class: usize| {
            let above = coarser.class_of[class] as usize;
            verdict.kept[class] && self.problem.guard.allows_any(&coarser.set, above, set.people()[class])
        };
        (0..set.len()).filter(|&class| !may_stand(class)).map(|class| set.sizes[class]).sum()
    }
}
