//! What trials say of an interval, all together: a bound that needs no further count.
//!
//! **Trials.** To *try* a variable is to count the highest node of the interval with that variable at the level of the
//! lowest node. Keys in classes that become too small would be *dropped*. Every node of the interval with the variable at
//! that level suppresses them too, because it splits classes further.
//!
//! **The bound.** Take a node x of the interval. An open variable is *low* in x if it stands at the level of the lowest
//! node; otherwise it stands at least one level higher. For an open variable v let
//!
//! * step(v) be what one level more of v costs the records that the highest node keeps,
//! * claims(v) be some of the keys that v would drop, no key claimed twice,
//! * slack(k, v) be what the records of key k pay as suppressed, beyond their cells at the lowest node with every open
//!   variable but v one level higher.
//!
//! > loss(x) ≥ bound of the interval + Σ over the open v of min(step(v), Σ over k in claims(v) of slack(k, v)).
//!
//! A variable that is not low pays its step. A low one suppresses the keys that it claims, and these pay their slack. No key is
//! claimed twice, so nothing is counted twice.
//!
//! Where suppression is free, slack is 0. Nothing is claimed then, and the bound stays what the lowest node costs.
//!
//! **Smaller intervals.** What a variable would drop, it also drops where the highest node is lower. So trials are carried
//! on to smaller intervals, and repeated there when more is wanted. Which keys a variable claims follows from the order of
//! the table's keys alone.
//!
//! What it buys: intervals are ruled out that would otherwise be split, so lattices of millions of nodes are searched to
//! the end.
//!
//! Limit: 63 variables.
//!
//! Source: our own; the bound is a packing of disjoint conflicts, as in Li, Manyà & Planes 2007.

use std::sync::Arc;

use crate::frequency::{FrequencySet, LookUp, LookUpSum, Table, small};
use crate::hierarchy::Code;
use crate::lattice::Node;
use crate::loss::{CountedNode, PerCell};

/// An interval and the keys that it carries.
#[derive(Clone, Copy)]
pub(super) struct ClaimFrame<'a> {
    pub table: &'a Table,
    pub loss: &'a PerCell,
    pub lowest: &'a Node,
    pub highest: &'a CountedNode,
    pub keys: &'a FrequencySet,
    /// For each variable what one level more costs the records that the highest node keeps.
    pub steps: &'a [u128],
}

impl<'a> ClaimFrame<'a> {
    pub(super) fn is_open(&self, variable: usize) -> bool {
        self.lowest.0[variable] < self.highest.node.0[variable]
    }

    /// What a suppressed record with this value is charged beyond its cell at a level, 0 where suppression is free.
    fn charge(&self, variable: usize, level: u8, value: Code) -> u64 {
        let level = level.max(self.keys.node.0[variable]) as usize;
        self.loss.charge.get(variable).map_or(0, |levels| levels[level][value as usize])
    }

    /// What each record of a key is charged beyond its cells with every open variable one level higher.
    fn slack(&self) -> LookUpSum {
        let raised = |variable: usize| self.lowest.0[variable] + u8::from(self.is_open(variable));
        self.table.look_up_sum(self.keys, |variable, value| self.charge(variable, raised(variable), value))
    }

    /// What one level more of a variable adds to the cell of each record of a key.
    fn difference(&self, variable: usize) -> LookUp<'a> {
        let level = self.lowest.0[variable];
        let charge = |level, value| self.charge(variable, level, value);
        self.table.look_up(self.keys, variable, |value| charge(level, value).saturating_sub(charge(level + 1, value)))
    }
}

/// What trials said.
#[derive(Debug, Clone)]
pub(super) struct Claims {
    /// For each variable.
    tried: Vec<VariableTrial>,
    /// Keys that some open variable would drop: as many as it takes, and some more.
    endangered: Vec<EndangeredKey>,
}

/// What it takes to add to claims. When they change in another way, or their interval does, it is made anew.
pub(super) struct ClaimIndex {
    /// See [`Claims::place_of`].
    place_of: Vec<u32>,
    /// See [`ClaimFrame::slack`].
    slack: LookUpSum,
}

/// What is known of a variable at its level in the lowest node.
#[derive(Debug, Clone, Default)]
struct VariableTrial {
    /// Whether it was tried at the highest node itself, and not further up only.
    is_done: bool,
    /// The keys that it would drop, if it was.
    dropped: Arc<[u32]>,
    /// Their slack, roughly.
    drops: u128,
    /// The slack of those that it claims.
    claimed: u128,
}

/// A key that some open variable would drop.
#[derive(Debug, Clone, Copy)]
struct EndangeredKey {
    key: u32,
    records: u32,
    /// That of each of its records ([`ClaimFrame::slack`]).
    slack: u64,
    /// The variables that would drop it, one bit each, and [`CLAIMED`].
    by: u64,
}

impl EndangeredKey {
    /// Its slack for a variable that would drop it, given what one level more of that adds to the cell of each record.
    fn slack(&self, difference: u64) -> u128 {
        u128::from(self.slack.saturating_add(difference)) * u128::from(self.records)
    }
}

/// The place of no key.
const GONE: u32 = u32::MAX;

const CLAIMED: u64 = 1 << 63;

/// How many times its step a variable wants in keys that it would drop: others claim some, and slack shrinks.
const RESERVE: u128 = 2;

/// How many variables can be told apart.
pub(super) const VARIABLES: usize = 63;

/// The bit of a variable.
fn bit(variable: usize) -> u64 {
    1 << variable
}

impl Claims {
    pub(super) fn new(variables: usize) -> Self {
        Self { tried: vec![VariableTrial::default(); variables], endangered: Vec::new() }
    }

    /// Whether a variable was tried at the highest node.
    pub(super) fn is_tried(&self, variable: usize) -> bool {
        self.tried[variable].is_done
    }

    /// The slack of the keys that a variable would drop.
    pub(super) fn drops(&self, variable: usize) -> u128 {
        self.tried[variable].drops
    }

    /// The keys that a variable, which was tried, would drop.
    pub(super) fn dropped_by(&self, variable: usize) -> &[u32] {
        &self.tried[variable].dropped
    }

    /// What every node of the interval loses beyond the bound of the interval.
    pub(super) fn paid(&self, steps: &[u128]) -> u128 {
        self.tried.iter().zip(steps).map(|(tried, &step)| step.min(tried.claimed)).sum()
    }

    /// What it takes to add to the claims.
    pub(super) fn index(&self, frame: &ClaimFrame<'_>) -> ClaimIndex {
        ClaimIndex { place_of: self.place_of(frame.keys.len()), slack: frame.slack() }
    }

    /// For each of so many keys its place among the endangered, counted from 1, or 0.
    fn place_of(&self, keys: usize) -> Vec<u32> {
        let mut place_of = vec![0; keys];
        for (place, endangered) in (1..).zip(&self.endangered) {
            place_of[endangered.key as usize] = place;
        }
        place_of
    }

    /// A variable was tried and would drop these keys: it claims of them what it needs and nobody else has.
    pub(super) fn add(&mut self, frame: &ClaimFrame<'_>, variable: usize, dropped: Arc<[u32]>, index: &mut ClaimIndex) {
        let (step, difference) = (frame.steps[variable], frame.difference(variable));
        let mut claimed = self.tried[variable].claimed;
        let (mut taken, mut taken_records, mut records) = (0, 0_u64, 0_u64);
        for &key in &*dropped {
            let place = &mut index.place_of[key as usize];
            let size = frame.keys.sizes[key as usize];
            records += size;
            if *place == 0 {
                if taken >= RESERVE * step {
                    continue;
                }
                let slack = index.slack.number(frame.keys, key);
                self.endangered.push(EndangeredKey { key, records: small(size), slack, by: 0 });
                *place = small(self.endangered.len() as u64);
            }
            let endangered = &mut self.endangered[*place as usize - 1];
            endangered.by |= bit(variable);
            taken += endangered.slack(0);
            taken_records += size;
            if endangered.by & CLAIMED == 0 && claimed < step {
                claimed += endangered.slack(difference.number(key));
                endangered.by |= CLAIMED;
            }
        }
        let drops = taken * u128::from(records) / u128::from(taken_records.max(1));
        self.tried[variable] = VariableTrial { is_done: true, dropped, drops, claimed };
    }

    /// The claims after the lowest node was raised by a level in a variable, to that of the frame.
    pub(super) fn raised(&self, frame: &ClaimFrame<'_>, variable: usize) -> Self {
        let mut tried = self.tried.clone();
        tried[variable] = VariableTrial::default();
        let difference = frame.is_open(variable).then(|| frame.difference(variable));
        self.carried(frame, tried, |_, endangered| {
            endangered.by &= !bit(variable);
            let less = difference.as_ref().map_or(0, |difference| difference.number(endangered.key));
            endangered.slack = endangered.slack.saturating_sub(less);
        })
    }

    /// The claims after the highest node is lowered in a variable to the level of the lowest: what the variable would drop
    /// is gone. The frame is that of before, with the steps of after.
    pub(super) fn lowered(&self, frame: &ClaimFrame<'_>, variable: usize, index: &ClaimIndex) -> Self {
        let untried =
            |tried: &VariableTrial| VariableTrial { is_done: false, dropped: Arc::default(), ..tried.clone() };
        let mut tried: Vec<VariableTrial> = self.tried.iter().map(untried).collect();
        tried[variable] = VariableTrial::default();
        let mut is_gone = vec![false; self.endangered.len()];
        for place in self.dropped_by(variable).iter().filter_map(|&key| index.place_of[key as usize].checked_sub(1)) {
            is_gone[place as usize] = true;
        }
        let difference = frame.difference(variable);
        self.carried(frame, tried, |place, endangered| {
            endangered.by &= if is_gone[place] { 0 } else { !bit(variable) };
            endangered.slack = endangered.slack.saturating_add(difference.number(endangered.key));
        })
    }

    /// The keys that are still endangered after a change, claimed anew.
    fn carried(
        &self,
        frame: &ClaimFrame<'_>,
        mut tried: Vec<VariableTrial>,
        change: impl Fn(usize, &mut EndangeredKey),
    ) -> Self {
        let mut claimants = Claimants::new(frame, &tried);
        let mut carried = Vec::with_capacity(self.endangered.len());
        for (place, mut endangered) in self.endangered.iter().copied().enumerate() {
            change(place, &mut endangered);
            if claimants.offer(&mut endangered) {
                carried.push(endangered);
            }
        }
        claimants.settle(&mut tried);
        Self { tried, endangered: carried }
    }

    /// Keys were merged to those of the frame: there were so many before, and `made_of` names one for each that is left.
    pub(super) fn merged(&mut self, frame: &ClaimFrame<'_>, before: usize, made_of: &[u32]) {
        let place_of = self.place_of(before);
        let mut claimants = Claimants::new(frame, &self.tried);
        // Keys that are one now are endangered alike; the first of them stands for all.
        let merged = (0..).zip(made_of).filter_map(|(key, &first)| {
            let known = self.endangered[place_of[first as usize].checked_sub(1)? as usize];
            let mut endangered = EndangeredKey { key, records: small(frame.keys.sizes[key as usize]), ..known };
            claimants.offer(&mut endangered);
            Some(endangered)
        });
        self.endangered = merged.collect();
        claimants.settle(&mut self.tried);
        let mut became = vec![GONE; before];
        (0..).zip(made_of).for_each(|(key, &first)| became[first as usize] = key);
        for tried in self.tried.iter_mut().filter(|tried| !tried.dropped.is_empty()) {
            let left = tried.dropped.iter().map(|&key| became[key as usize]);
            tried.dropped = left.filter(|&key| key != GONE).collect();
        }
    }
}

/// Variables that claim keys, each until its step is reached.
struct Claimants<'a> {
    of_variable: Vec<Option<Claimant<'a>>>,
    /// The bits of those that want more.
    open: u64,
}

struct Claimant<'a> {
    difference: LookUp<'a>,
    claimed: u128,
    step: u128,
}

impl<'a> Claimants<'a> {
    fn new(frame: &ClaimFrame<'a>, tried: &[VariableTrial]) -> Self {
        let claimant = |(variable, (tried, &step)): (usize, (&VariableTrial, &u128))| {
            let wants = tried.drops > 0 && step > 0;
            wants.then(|| Claimant { difference: frame.difference(variable), claimed: 0, step })
        };
        let of_variable: Vec<Option<Claimant<'a>>> = tried.iter().zip(frame.steps).enumerate().map(claimant).collect();
        let wanting = (0..tried.len()).filter(|&variable| of_variable[variable].is_some());
        let open = wanting.map(bit).sum();
        Self { of_variable, open }
    }

    /// Offers a key to the variables that would drop it, and says whether there are any.
    #[inline] // called for every key of every part
    fn offer(&mut self, endangered: &mut EndangeredKey) -> bool {
        let by = endangered.by & !CLAIMED;
        let wanting = by & self.open;
        let claimant = self.of_variable.get_mut(wanting.trailing_zeros() as usize).and_then(Option::as_mut);
        endangered.by = if claimant.is_some() { by | CLAIMED } else { by };
        if let Some(claimant) = claimant {
            claimant.claimed += endangered.slack(claimant.difference.number(endangered.key));
            if claimant.claimed >= claimant.step {
                self.open &= !(wanting & wanting.wrapping_neg());
            }
        }
        by != 0
    }

    fn settle(self, tried: &mut [VariableTrial]) {
        for (tried, claimant) in tried.iter_mut().zip(self.of_variable) {
            tried.claimed = claimant.map_or(0, |claimant| claimant.claimed);
        }
    }
}
