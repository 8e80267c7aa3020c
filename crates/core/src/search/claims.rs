//! What trials say of an interval, all together.
//!
//! To *try* a variable is to count the highest node of the interval with that variable at the level of the lowest. The
//! variable *would drop* the rows that become too small: every node of the interval that has it at that level suppresses
//! them. A node of the interval has some variables, say `T`, at the level of the lowest node, and all other open ones at
//! least one level higher. It suppresses what the highest node does and what any variable of `T` would drop.
//!
//! Let `step` be what one level more of a variable costs the records that the highest node keeps. Let `slack` of a row
//! that a variable would drop be what its records are charged when suppressed beyond their cells at the lowest node with
//! every *other* open variable one level higher. A record that the node keeps pays its cells at the lowest node and the
//! steps of the variables outside `T`; one that a variable of `T` would drop pays at least as much and its slack. Let each
//! row be *claimed* by at most one of the variables that would drop it. Then the node loses at least
//!
//! > bound of the interval + Σ over the open variables of min(step, slack of what the variable claims),
//!
//! because each variable is either in `T`, and its claims are suppressed, or outside, and its step is paid. And no more
//! may be suppressed than is permitted: where the claims of all variables that had better be in `T` are more records than
//! that, some are outside and pay their steps. Which, is a knapsack problem; what its fractional solution forgoes is added
//! to the bound (Dantzig 1957).
//!
//! What a variable would drop it also drops where the highest node is lower, so trials are carried on to smaller
//! intervals and repeated there when more is wanted.
//!
//! Which rows a variable claims depends on their order, and with it how many nodes are counted; rows stand in the order of
//! their keys, so that depends on nothing but the table.
//!
//! Limit: 63 variables.
//!
//! Source: our own; the bound is a packing of disjoint conflicts, as in Li, Manyà & Planes 2007.

use std::sync::Arc;

use crate::frequency::{FrequencySet, LookUp, LookUpSum, Table};
use crate::hierarchy::Code;
use crate::lattice::Node;
use crate::loss::{Counted, PerCell};

/// An interval, the rows it carries, and what it takes to speak of them.
pub(super) struct Frame<'a> {
    pub table: &'a Table,
    pub loss: &'a PerCell,
    pub lowest: &'a Node,
    pub highest: &'a Counted,
    pub rows: &'a FrequencySet,
}

impl Frame<'_> {
    pub(super) fn is_open(&self, variable: usize) -> bool {
        self.lowest.0[variable] < self.highest.node.0[variable]
    }

    /// What a suppressed record with this value is charged beyond its cell at a level, 0 where suppression is free.
    fn charge(&self, variable: usize, level: u8, value: Code) -> u64 {
        let level = level.max(self.rows.node.0[variable]) as usize;
        self.loss.charge.get(variable).map_or(0, |levels| levels[level][value as usize])
    }

    /// What each record of a row is charged beyond its cells with every open variable one level higher.
    fn slack(&self) -> LookUpSum {
        let raised = |variable: usize| self.lowest.0[variable] + u8::from(self.is_open(variable));
        self.table.look_up_sum(self.rows, |variable, value| self.charge(variable, raised(variable), value))
    }

    /// What one level more of a variable adds to the cell of each record of a row.
    fn difference(&self, variable: usize) -> LookUp<'_> {
        let level = self.lowest.0[variable];
        let charge = |level, value| self.charge(variable, level, value);
        self.table.look_up(self.rows, variable, |value| charge(level, value).saturating_sub(charge(level + 1, value)))
    }
}

/// What trials said.
#[derive(Debug, Clone)]
pub(super) struct Claims {
    trials: Vec<Trial>,
    /// Rows that some open variable would drop: as many as it takes, and some more.
    endangered: Vec<Endangered>,
}

/// What it takes to add to claims. When they change in another way, or their interval does, it is made anew.
pub(super) struct Ledger {
    /// For each row its place among the endangered and 1, or 0.
    seats: Vec<u32>,
    /// What each record of a row is charged beyond its cells with every open variable one level higher.
    slack: LookUpSum,
}

/// What is known of a variable at its level in the lowest node.
#[derive(Debug, Clone, Default)]
struct Trial {
    /// Whether it was tried at the highest node itself, and not further up only.
    is_done: bool,
    /// The rows that it would drop, if it was.
    dropped: Arc<[u32]>,
    /// Their slack, roughly.
    drops: u128,
    claimed: Claimed,
}

/// The rows that a variable claims, of those that it would drop.
#[derive(Debug, Clone, Copy, Default)]
struct Claimed {
    slack: u128,
    records: u64,
}

impl Claimed {
    fn add(&mut self, endangered: &Endangered, difference: u64) {
        self.slack += endangered.slack(difference);
        self.records += u64::from(endangered.records);
    }
}

/// A row that some open variable would drop.
#[derive(Debug, Clone, Copy)]
struct Endangered {
    row: u32,
    records: u32,
    /// What each of its records is charged beyond its cells with every open variable one level higher.
    slack: u64,
    /// The variables that would drop it, one bit each, and [`CLAIMED`].
    by: u64,
}

impl Endangered {
    /// Its slack for a variable that would drop it, given what one level more of that adds to the cell of each record.
    fn slack(&self, difference: u64) -> u128 {
        u128::from(self.slack.saturating_add(difference)) * u128::from(self.records)
    }

    fn is_claimed(&self) -> bool {
        self.by & CLAIMED != 0
    }
}

/// The number of no row.
const GONE: u32 = u32::MAX;

const CLAIMED: u64 = 1 << 63;

/// How many times its step a variable would like to have in rows that it would drop: others claim some, and slack shrinks.
const RESERVE: u128 = 2;

/// How many variables can be told apart.
pub(super) const VARIABLES: usize = 63;

/// The bit of a variable.
fn bit(variable: usize) -> u64 {
    1 << variable
}

impl Claims {
    pub(super) fn new(variables: usize) -> Self {
        Self { trials: vec![Trial::default(); variables], endangered: Vec::new() }
    }

    /// Whether a variable was tried at the highest node.
    pub(super) fn is_tried(&self, variable: usize) -> bool {
        self.trials[variable].is_done
    }

    /// The slack of the rows that a variable would drop.
    pub(super) fn drops(&self, variable: usize) -> u128 {
        self.trials[variable].drops
    }

    /// The rows that a variable, which was tried, would drop.
    pub(super) fn dropped_by(&self, variable: usize) -> &[u32] {
        &self.trials[variable].dropped
    }

    /// What every node of the interval loses beyond the bound of the interval, given the steps and how many records it may
    /// suppress besides those that the highest does.
    pub(super) fn paid(&self, steps: &[u128], room: u64) -> u128 {
        let claimed = || self.trials.iter().map(|trial| trial.claimed).zip(steps);
        let paid: u128 = claimed().map(|(claimed, &step)| step.min(claimed.slack)).sum();
        // What is saved by staying at the level of the lowest node, and the records that it takes.
        let saved = claimed().map(|(claimed, step)| (step.saturating_sub(claimed.slack), claimed.records));
        paid + forgone(saved.filter(|&(units, records)| units > 0 && records > 0).collect(), room)
    }

    /// What it takes to add to the claims.
    pub(super) fn ledger(&self, frame: &Frame<'_>) -> Ledger {
        Ledger { seats: self.seats(frame.rows.len()), slack: frame.slack() }
    }

    /// Where the endangered rows stand among all: for each row its place in the list and 1, or 0.
    fn seats(&self, rows: usize) -> Vec<u32> {
        let mut seats = vec![0; rows];
        for (place, endangered) in (1..).zip(&self.endangered) {
            seats[endangered.row as usize] = place;
        }
        seats
    }

    /// A variable was tried and would drop these rows: it claims of them what it needs and nobody else has.
    pub(super) fn add(
        &mut self,
        frame: &Frame<'_>,
        (variable, step): (usize, u128),
        dropped: Arc<[u32]>,
        Ledger { seats, slack }: &mut Ledger,
    ) {
        let mut claimed = self.trials[variable].claimed;
        let difference = frame.difference(variable);
        let (mut taken, mut taken_records, mut records) = (0, 0_u64, 0_u64);
        for &row in &*dropped {
            let seat = &mut seats[row as usize];
            let size = frame.rows.sizes[row as usize];
            records += size;
            if *seat == 0 {
                if taken >= RESERVE * step {
                    continue;
                }
                self.endangered.push(Endangered { row, records: small(size), slack: slack.of(frame.rows, row), by: 0 });
                *seat = small(self.endangered.len() as u64);
            }
            let endangered = &mut self.endangered[*seat as usize - 1];
            endangered.by |= bit(variable);
            taken += endangered.slack(0);
            taken_records += size;
            if !endangered.is_claimed() && claimed.slack < step {
                claimed.add(endangered, difference.of(row));
                endangered.by |= CLAIMED;
            }
        }
        let drops = taken * u128::from(records) / u128::from(taken_records.max(1));
        self.trials[variable] = Trial { is_done: true, dropped, drops, claimed };
    }

    /// The lowest node is raised by a level in a variable.
    pub(super) fn raised(&self, frame: &Frame<'_>, variable: usize, steps: &[u128]) -> Self {
        let mut trials = self.trials.clone();
        trials[variable] = Trial::default();
        let difference = frame.is_open(variable).then(|| frame.difference(variable));
        self.carried(frame, trials, steps, |_, endangered| {
            endangered.by &= !bit(variable);
            let less = difference.as_ref().map_or(0, |difference| difference.of(endangered.row));
            endangered.slack = endangered.slack.saturating_sub(less);
        })
    }

    /// The highest node is lowered in a variable to the level of the lowest: what the variable would drop is gone.
    pub(super) fn lowered(&self, before: &Frame<'_>, variable: usize, ledger: &Ledger, steps: &[u128]) -> Self {
        let untried = |trial: &Trial| Trial { is_done: false, dropped: Arc::default(), ..trial.clone() };
        let mut trials: Vec<Trial> = self.trials.iter().map(untried).collect();
        trials[variable] = Trial::default();
        let mut is_gone = vec![false; self.endangered.len()];
        for seat in self.dropped_by(variable).iter().filter_map(|&row| ledger.seats[row as usize].checked_sub(1)) {
            is_gone[seat as usize] = true;
        }
        let difference = before.difference(variable);
        self.carried(before, trials, steps, |place, endangered| {
            endangered.by &= if is_gone[place] { 0 } else { !bit(variable) };
            endangered.slack = endangered.slack.saturating_add(difference.of(endangered.row));
        })
    }

    /// The rows that are still endangered after a change, claimed anew.
    fn carried(
        &self,
        frame: &Frame<'_>,
        mut trials: Vec<Trial>,
        steps: &[u128],
        change: impl Fn(usize, &mut Endangered),
    ) -> Self {
        let mut claimants = Claimants::new(frame, &trials, steps);
        let mut carried = Vec::with_capacity(self.endangered.len());
        for (place, mut endangered) in self.endangered.iter().copied().enumerate() {
            change(place, &mut endangered);
            if claimants.offer(&mut endangered) {
                carried.push(endangered);
            }
        }
        claimants.settle(&mut trials);
        Self { trials, endangered: carried }
    }

    /// So many rows were merged, each of those that are left made of one of these and its like.
    pub(super) fn merged(&mut self, frame: &Frame<'_>, (rows, made_of): (usize, &[u32]), steps: &[u128]) {
        let seats = self.seats(rows);
        let mut claimants = Claimants::new(frame, &self.trials, steps);
        // Rows that are one now are endangered alike; the first of them stands for all.
        let merged = (0..).zip(made_of).filter_map(|(row, &first)| {
            let known = self.endangered[seats[first as usize].checked_sub(1)? as usize];
            let mut endangered = Endangered { row, records: small(frame.rows.sizes[row as usize]), ..known };
            claimants.offer(&mut endangered);
            Some(endangered)
        });
        self.endangered = merged.collect();
        claimants.settle(&mut self.trials);
        let mut became = vec![GONE; rows];
        (0..).zip(made_of).for_each(|(row, &first)| became[first as usize] = row);
        for trial in self.trials.iter_mut().filter(|trial| !trial.dropped.is_empty()) {
            let left = trial.dropped.iter().map(|&row| became[row as usize]);
            trial.dropped = left.filter(|&row| row != GONE).collect();
        }
    }
}

/// What is forgone at least of things that take more records together than there is room for, given what each saves and
/// takes: those that alone take too many, and then those that save least for a record, the last one in part. Products fit: a
/// cell costs less than 2⁶⁰ units, and there are fewer than 2³¹ records.
fn forgone(mut saved: Vec<(u128, u64)>, room: u64) -> u128 {
    let mut forgone = 0;
    saved.retain(|&(units, records)| {
        forgone += if records > room { units } else { 0 };
        records <= room
    });
    let taken: u64 = saved.iter().map(|(_, records)| records).sum();
    let mut excess = taken.saturating_sub(room);
    if excess > 0 {
        saved.sort_unstable_by(|one, other| (one.0 * u128::from(other.1)).cmp(&(other.0 * u128::from(one.1))));
    }
    for (units, records) in saved {
        let given_up = excess.min(records);
        forgone += units * u128::from(given_up) / u128::from(records);
        excess -= given_up;
    }
    forgone
}

/// Variables that claim rows, each until its step is reached.
struct Claimants<'a> {
    of_variable: Vec<Option<Claimant<'a>>>,
    /// The bits of those that want more.
    open: u64,
}

struct Claimant<'a> {
    difference: LookUp<'a>,
    claimed: Claimed,
    step: u128,
}

impl<'a> Claimants<'a> {
    fn new(frame: &'a Frame<'_>, trials: &[Trial], steps: &[u128]) -> Self {
        let claimant = |(variable, (trial, &step)): (usize, (&Trial, &u128))| {
            let wants = trial.drops > 0 && step > 0;
            wants.then(|| Claimant { difference: frame.difference(variable), claimed: Claimed::default(), step })
        };
        let of_variable: Vec<Option<Claimant<'a>>> = trials.iter().zip(steps).enumerate().map(claimant).collect();
        let wanting = (0..trials.len()).filter(|&variable| of_variable[variable].is_some());
        let open = wanting.map(bit).sum();
        Self { of_variable, open }
    }

    /// Offers a row to the variables that would drop it, and says whether there are any.
    #[inline] // called for every row of every part
    fn offer(&mut self, endangered: &mut Endangered) -> bool {
        let by = endangered.by & !CLAIMED;
        let wanting = by & self.open;
        let claimant = self.of_variable.get_mut(wanting.trailing_zeros() as usize).and_then(Option::as_mut);
        endangered.by = if claimant.is_some() { by | CLAIMED } else { by };
        if let Some(claimant) = claimant {
            claimant.claimed.add(endangered, claimant.difference.of(endangered.row));
            if claimant.claimed.slack >= claimant.step {
                self.open &= !(wanting & wanting.wrapping_neg());
            }
        }
        by != 0
    }

    fn settle(self, trials: &mut [Trial]) {
        for (trial, claimant) in trials.iter_mut().zip(self.of_variable) {
            trial.claimed = claimant.map_or_else(Claimed::default, |claimant| claimant.claimed);
        }
    }
}

/// A number of rows or records, which is less than 2³¹.
#[allow(clippy::cast_possible_truncation)]
fn small(number: u64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The least that is forgone by any choice that there is room for.
    fn least_forgone(saved: &[(u128, u64)], room: u64) -> u128 {
        let choice = |taken: u32| {
            let (kept, left): (Vec<_>, Vec<_>) =
                (0..).zip(saved).partition(|&(place, _): &(u32, _)| taken >> place & 1 == 1);
            let records: u64 = kept.iter().map(|(_, saved)| saved.1).sum();
            (records <= room).then(|| left.iter().map(|(_, saved)| saved.0).sum())
        };
        (0..1 << saved.len()).filter_map(choice).min().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn no_choice_forgoes_less(saved in prop::collection::vec((1_u128..50, 1_u64..20), 0..8), room in 0_u64..80) {
            let (bound, least) = (forgone(saved.clone(), room), least_forgone(&saved, room));
            prop_assert!(bound <= least, "{} of {}", bound, least);
            // Only a part of one thing separates them.
            let largest = saved.iter().map(|saved| saved.0).max().unwrap_or(0);
            prop_assert!(least <= bound + largest + 1, "{} of {}", bound, least);
        }
    }
}
