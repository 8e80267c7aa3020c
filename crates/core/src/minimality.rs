//! What the choice of a node tells about sensitive values (minimality attack).
//!
//! Somebody knows everybody's keys, the models, the limit, the loss and that the search is exact. So they can run it but for the
//! sensitive values, and a finer node that keeps k and was not taken must have been refused for those.
//!
//! Let x be the released node, W the assignments of sensitive values to people that show the same release, and E those of them for which
//! the search takes x. Let a node y be *passed over* if keys alone allow it and it ranks before x by what it withholds for its keys
//! ([`Guard::of_keys`]). Withholding more costs no less, so
//!
//! > E = { w ∈ W : every y that is passed over is refused in w, or loses more than x }.
//!
//! **Nobody is told anything** where no node is passed over and x withholds nobody for sensitive values: then E = W.
//!
//! **Who may be told something.** W is the product, over the released classes D, of all ways to distribute the values of D among
//! its people, and all are equally likely. If the models allow every group of D that could be a class of a node that is passed over,
//! E does not depend on how D is distributed, so
//!
//! > P(r has s | E) = P(r has s | W) = the share of s in D, for every person r of D and every value s.
//!
//! All others are counted in [`Minimality::people`]. Classes of nodes below x are parts of a D. Where nobody may be withheld, models are
//! monotone and every step down loses less, each node below x that is passed over is at or below one that is one step below x, and to
//! say that the higher one is refused says that of the lower one as well. Otherwise a part is taken for as small as keys permit. Classes of other nodes cross the D, so
//! where one of those is passed over, everybody counts.
//!
//! **Who is singled out.** Let a class C of a node y be a *reason* if keys allow it and the models do not allow every group of its size
//! of the people that it may be taken from. y is refused only if more than `slack` records of reasons are refused, `slack` being what the
//! limit leaves. So
//!
//! > the other reasons together have at most `slack` records ⇒ C is refused in every w ∈ E.
//!
//! The same is known of a class of x that is withheld and that keys allow.
//!
//! There may be more who are: that one class is refused can force another to be, and several nodes tell more than each. They are in
//! `people`, too.
//!
//! Limits: where withheld records are charged, a node may also be passed over because it lost more, so that a class is called singled
//! out although another one could be the reason. Under t-closeness some classes count as reasons that are none. A search that gave no
//! proof, a loss that looks at values, ladders that are not nested and lattices that take too long to search give everybody.
//!
//! Source: Wong, Fu, Wang & Pei, Minimality attack in privacy preserving data publishing, VLDB 2007.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::frequency::{FrequencySet, RollUp};
use crate::lattice::{Lattice, Node};
use crate::loss::{CountedNode, PerCell};
use crate::privacy::{Guard, Unit, Verdict};
use crate::search::{self, Problem, SearchError, by_rank, count_directly};
use crate::stop::Stop;

/// What the choice of a node tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Minimality {
    /// Nodes that are known to be passed over; there may be more.
    pub nodes: u64,
    /// Whether the search told nothing that could be looked at: then everybody counts.
    pub is_unknown: bool,
    /// People about whom something may be told; of records, where people are not counted.
    pub people: u64,
    /// Those of them in a class that is known to be refused.
    pub singled_out: u64,
    /// Those of them who are withheld for sensitive values.
    pub withheld: u64,
}

/// The classes that all searches together may visit.
const CLASSES: u64 = 40_000_000;

/// What a node takes besides its classes, in classes.
const NODE: u64 = 2_000;

/// What it tells that `best` was taken; `is_best` says that no safe node ranks before it.
#[must_use]
pub fn minimality(problem: &Problem<'_>, best: &CountedNode, is_best: bool) -> Minimality {
    if !problem.guard.looks_at_values() {
        return Minimality::default();
    }
    let mut intruder = Intruder::new(problem, best);
    let withheld = intruder.note_withheld();
    let is_unknown = !(is_best && intruder.looks_around());
    if is_unknown {
        intruder.concerned.fill(true);
    }
    let Intruder { concerned, told, passed_over, .. } = &intruder;
    let keys = problem.table.keys();
    Minimality {
        nodes: passed_over.len() as u64,
        is_unknown,
        people: keys.people_in(|key| concerned[key] || told[key]),
        singled_out: keys.people_in(|key| told[key]),
        withheld,
    }
}

/// A search that was not proved to its end.
struct Unproven;

/// Who knows the keys and the policy.
struct Intruder<'a> {
    problem: &'a Problem<'a>,
    best: &'a CountedNode,
    /// What the models ask of keys.
    guard: Guard,
    /// The released node, and where each key went.
    released: RollUp,
    verdict: Verdict,
    passed_over: Vec<CountedNode>,
    /// For each key of the table whether something may be told of its people.
    concerned: Vec<bool>,
    /// For each key whether it is in a class that is known to be refused.
    told: Vec<bool>,
}

impl<'a> Intruder<'a> {
    fn new(problem: &'a Problem<'a>, best: &'a CountedNode) -> Self {
        let keys = problem.table.keys();
        let released = problem.table.roll_up(keys, &best.node);
        let verdict = problem.guard.judge(&released.set);
        let none = vec![false; keys.len()];
        Self {
            problem,
            best,
            guard: problem.guard.of_keys(),
            released,
            verdict,
            passed_over: Vec::new(),
            concerned: none.clone(),
            told: none,
        }
    }

    /// The problem, as far as keys pose it.
    fn by_keys(&self) -> Problem<'_> {
        Problem { guard: &self.guard, lattice: self.problem.lattice.clone(), stop: None, ..*self.problem }
    }

    /// Notes classes that are withheld for their sensitive values, and counts their people.
    fn note_withheld(&mut self) -> u64 {
        let refused = self.problem.guard.refused_for_values(&self.released.set, &self.verdict);
        for (told, &class) in self.told.iter_mut().zip(&self.released.class_of) {
            *told = refused[class as usize];
        }
        self.released.set.people_in(|class| refused[class])
    }

    /// Looks for nodes that are passed over and notes whom they tell of; false where that cannot be known.
    fn looks_around(&mut self) -> bool {
        if self.problem.loss.looks_at_values() || self.problem.table.first_unnested().is_some() {
            return false;
        }
        let whole = self.problem.lattice.clone();
        let Ok(first) = self.best_by_keys(whole, 1) else { return false };
        let is_same = first.as_ref().is_some_and(|first| first.node == self.best.node);
        if is_same && first.is_some_and(|first| by_rank(&first, self.best).is_eq()) {
            return true;
        }
        let Ok(above) = self.beside() else { return false };
        let below = self.one_step_below();
        if !above.is_empty() {
            self.concerned.fill(true);
        } else if self.is_told_one_step_below() {
            for node in &below {
                self.note_parts(&node.node);
            }
        } else {
            self.note_small_parts();
        }
        self.passed_over = below.into_iter().chain(above).collect();
        for place in 0..self.passed_over.len() {
            self.single_out(&self.passed_over[place].node.clone());
        }
        true
    }

    /// Whether nodes further below tell nothing more than those one step below: nobody may be withheld, what keys allow and what models
    /// allow is allowed further up, and every step down loses less.
    fn is_told_one_step_below(&self) -> bool {
        let shape = self.problem.loss.shape();
        let is_rising = |loss: &PerCell| loss.cost.iter().all(|costs| costs.is_sorted());
        let loses_less = shape.per_cell().map_or(shape.grows_with_merges(false), is_rising);
        let is_monotone = self.problem.is_monotone() && self.by_keys().is_monotone();
        self.problem.allowance == 0 && is_monotone && loses_less
    }

    /// Whether a node is passed over, given what keys make of it.
    fn is_passed_over(&self, node: &CountedNode) -> bool {
        node.node != self.best.node && self.by_keys().is_safe(node) && by_rank(node, self.best).is_lt()
    }

    /// The best node of a lattice by keys, if there is one; one of `parts` equal parts of the work must be enough to prove it.
    fn best_by_keys(&self, lattice: Lattice, parts: u64) -> Result<Option<CountedNode>, Unproven> {
        let most = CLASSES / parts.max(1) / (NODE + self.problem.table.keys().weight() as u64);
        let evaluated = AtomicU64::new(0);
        let is_over = || evaluated.load(Ordering::Relaxed) >= most;
        let progress = |count| {
            evaluated.store(count, Ordering::Relaxed);
            (self.problem.progress)(count);
        };
        let problem =
            Problem { lattice, progress: &progress, stop: Some(Stop::after_work(&is_over)), ..self.by_keys() };
        match (search::find(search::DEFAULT).ok_or(Unproven)?.run)(&problem) {
            Ok(found) if found.is_optimal() => Ok(Some(found.best)),
            Err(SearchError::NoSafeNode { .. } | SearchError::Forbidden) => Ok(None),
            Ok(_) | Err(_) => Err(Unproven),
        }
    }

    /// For each variable the best node by keys in which it is coarser, if that one is passed over.
    fn beside(&self) -> Result<Vec<CountedNode>, Unproven> {
        let Lattice { bottom, top } = &self.problem.lattice;
        let coarser: Vec<usize> = self.best.node.variables_below(top).collect();
        let mut found = Vec::new();
        for &variable in &coarser {
            let bottom = bottom.with(variable, self.best.node.0[variable] + 1);
            if self.problem.loss.bound(&bottom, None, None) > self.best.summary.units {
                continue;
            }
            let lattice = Lattice { bottom, top: top.clone() };
            let first = self.best_by_keys(lattice, coarser.len() as u64)?;
            found.extend(first.filter(|node| self.is_passed_over(node)));
        }
        found.sort_by(by_rank);
        found.dedup_by(|one, other| one.node == other.node);
        Ok(found)
    }

    /// The nodes one step below that are passed over.
    fn one_step_below(&self) -> Vec<CountedNode> {
        let by_keys = self.by_keys();
        let below = search::below(&self.problem.lattice.bottom, &self.best.node);
        below.map(|node| count_directly(&by_keys, &node)).filter(|node| self.is_passed_over(node)).collect()
    }

    /// Notes the released classes of which a class of a lower node may be the reason.
    fn note_parts(&mut self, node: &Node) {
        let finer = self.classes(node).set;
        let RollUp { set, class_of, .. } = self.problem.table.roll_up(&finer, &self.best.node);
        let kept = self.guard.judge(&finer).kept;
        let mut is_concerned = vec![false; set.len()];
        for (class, &whole) in class_of.iter().enumerate() {
            is_concerned[whole as usize] |=
                kept[class] && !self.problem.guard.allows_any(&set, whole as usize, finer.people()[class]);
        }
        self.note(|class| is_concerned[class]);
    }

    /// Notes the released classes of which the smallest part that keys permit may be a reason.
    fn note_small_parts(&mut self) {
        let adds_up = self.problem.table.persons().is_none();
        let least = self.guard.necessary_people().max(if adds_up { self.guard.necessary_size() } else { 1 });
        let set = &self.released.set;
        let is_concerned: Vec<bool> =
            (0..set.len()).map(|class| !self.problem.guard.allows_any(set, class, least)).collect();
        self.note(|class| is_concerned[class]);
    }

    /// Notes released classes that are kept.
    fn note(&mut self, is_meant: impl Fn(usize) -> bool) {
        for (concerned, &class) in self.concerned.iter_mut().zip(&self.released.class_of) {
            *concerned |= self.verdict.kept[class as usize] && is_meant(class as usize);
        }
    }

    fn classes(&self, node: &Node) -> RollUp {
        self.problem.table.roll_up(self.problem.table.keys(), node)
    }

    /// Notes the classes of a node that is passed over without which it would not be refused.
    fn single_out(&mut self, node: &Node) {
        let RollUp { set, class_of, .. } = self.classes(node);
        let by_keys = self.guard.judge(&set);
        let reasons = self.reasons(&set, &class_of, &by_keys);
        let unit = self.problem.guard.limits();
        let slack = self.problem.allowance.saturating_sub(by_keys.limited(unit));
        let sizes = if unit == Unit::People { set.people() } else { &set.sizes };
        let all: u64 = reasons.iter().zip(sizes).filter(|(is_reason, _)| **is_reason).map(|(_, size)| size).sum();
        for (told, &class) in self.told.iter_mut().zip(&class_of) {
            let class = class as usize;
            *told |= reasons[class] && all - sizes[class] <= slack;
        }
    }

    /// For each class of a node whether it may be why the node is refused. Its people are taken from those who share a label where
    /// both nodes are as coarse as the coarser one; nothing is known of values that are withheld.
    fn reasons(&self, set: &FrequencySet, class_of: &[u32], by_keys: &Verdict) -> Vec<bool> {
        let joined = set.node.0.iter().zip(&self.best.node.0).map(|(one, other)| *one.max(other));
        let joined: Node = joined.collect::<Vec<u8>>().into();
        let whole = self.problem.table.roll_up(set, &joined);
        let mut is_hidden = vec![false; set.len()];
        for (&class, &released) in class_of.iter().zip(&self.released.class_of) {
            is_hidden[class as usize] |= !self.verdict.kept[released as usize];
        }
        let may_be_refused = |class: usize| {
            let around = whole.class_of[class] as usize;
            is_hidden[class] || !self.problem.guard.allows_any(&whole.set, around, set.people()[class])
        };
        (0..set.len()).map(|class| by_keys.kept[class] && may_be_refused(class)).collect()
    }
}
