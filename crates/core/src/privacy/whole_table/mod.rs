//! Models that judge the whole table: what they ask of all kept classes together.
//!
//! First each class-wise model withholds the classes that it refuses. If a condition fails on what is left, the smallest
//! classes are withheld next, until all conditions hold together or nothing is left. Of equal classes the first in the order of
//! their keys goes. So the order of models in a policy does not matter. The size of a class is its people, or its
//! records where people are not counted. A person in several classes counts in each of them.
//!
//! **How many are withheld.** Halving finds a number h of classes such that
//!
//! > the conditions hold without the h smallest classes, and fail without the h − 1 smallest.
//!
//! Where withholding a smallest class never breaks a condition that holds ([`TableModel::closure`] is not `None`), h is the
//! least such number. A search that permits `most` suppressed people stops the halving early: once a number of classes with more
//! people than `most` is known to fail, h is larger still.
//!
//! **What a search may prune.** A record that is kept at one node may be withheld at a higher one, so nothing is promised of
//! single classes. A model may say how many records every node below withholds at least: [`TableModel::forced`]. With
//! nothing withheld, and counts that add up, a node above a safe one is safe where [`TableModel::closure`] says so.
//!
//! Limit: the smallest classes go first. That need not lose least.

mod at_risk;
mod sizes;

use std::cmp::Ordering;

use super::{ClassView, Closure, NearestParameter, PrivacyModel};
use crate::card::Promise;
use crate::frequency::FrequencySet;

pub(super) use at_risk::AtRisk;
pub use sizes::SizedClasses;

/// What most of these models promise.
pub(super) const PROMISES: &[Promise] = &[
    Promise::MergesKeepTheTable,
    Promise::InWords("says how many records every finer node withholds: exact searches leave out what cannot win"),
];

/// A condition on all kept classes together.
pub trait TableModel: Send + Sync {
    /// The name on its card.
    fn name(&self) -> &'static str;

    /// Whether it holds of kept classes of these sizes. It is not asked where nothing is kept.
    fn holds(&self, kept: &SizedClasses) -> bool;

    /// Whether it cannot say anything of kept classes of these sizes; then it does not hold.
    fn is_silent(&self, _kept: &SizedClasses) -> bool {
        false
    }

    /// `Union` where merges of classes keep it, and so does withholding a smallest class; otherwise `None`.
    fn closure(&self) -> Closure;

    /// How many records are withheld at least by every node below one with these classes.
    fn forced(&self, _classes: &BoundedClasses<'_>) -> u64 {
        0
    }

    /// What kept classes of these sizes attain, if they do not keep it. None where no parameter would help.
    fn nearest(&self, kept: &SizedClasses) -> Option<NearestParameter>;
}

/// Classes of a node, and how many of the records of each are withheld by every node below it anyway.
pub struct BoundedClasses<'a> {
    /// The people of each class; its records, where people are not counted.
    pub people: &'a [u64],
    /// The records of each class.
    pub records: &'a [u64],
    /// Those of them that no node below keeps.
    pub forced: &'a [u64],
}

impl BoundedClasses<'_> {
    /// For each class its people, and the records that a node below may keep.
    pub(super) fn classes(&self) -> impl Iterator<Item = (u64, u64)> {
        let left = self.records.iter().zip(self.forced).map(|(records, forced)| records.saturating_sub(*forced));
        self.people.iter().copied().zip(left)
    }

    /// The records that are withheld anyway.
    fn all_forced(&self) -> u64 {
        self.forced.iter().sum()
    }
}

/// A condition on the whole table as a privacy model: it allows every class.
pub(super) struct WholeTableModel<T>(pub T);

impl<T: TableModel> PrivacyModel for WholeTableModel<T> {
    fn allows(&self, _: &ClassView<'_>) -> bool {
        true
    }

    fn closure(&self) -> Closure {
        self.0.closure()
    }

    fn over_table(&self) -> Option<&dyn TableModel> {
        Some(&self.0)
    }
}

/// The kept classes, smallest first, those of one size in the order of their keys.
pub(super) fn smallest_first(set: &FrequencySet, kept: &[bool]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).zip(kept).filter(|(_, kept)| **kept).map(|(class, _)| class).collect();
    order.sort_unstable_by(|&one, &other| by_size(set, one, other));
    order
}

fn by_size(set: &FrequencySet, one: u32, other: u32) -> Ordering {
    let size = |class: u32| set.people()[class as usize];
    size(one).cmp(&size(other)).then_with(|| by_key(set, one as usize, other as usize))
}

/// The order of the keys of two classes, which depends on nothing but what they are. Without keys it is that of their places.
fn by_key(set: &FrequencySet, one: usize, other: usize) -> Ordering {
    let words = set.packed.iter().map(|word| word[one].cmp(&word[other]));
    words.fold(Ordering::Equal, Ordering::then).then(one.cmp(&other))
}

/// Withholds smallest classes until all conditions hold; whether there were any. Once it is clear that more people than `most`
/// must go, as many go as are known to be enough.
pub(super) fn withhold(models: &[&dyn TableModel], set: &FrequencySet, kept: &mut [bool], most: u64) -> bool {
    if models.is_empty() {
        return false;
    }
    let sizes = SizedClasses::kept(set, kept);
    let count = too_many(models, &sizes, most);
    if count == 0 {
        return false;
    }
    // All that are smaller go, and of those of the same size the first.
    let (size, count) = sizes.place(count);
    let is_next = |class: u32| kept[class as usize] && set.people()[class as usize] == size;
    let mut next: Vec<u32> = (0..).zip(&set.sizes).map(|(class, _)| class).filter(|&class| is_next(class)).collect();
    if count < next.len() {
        next.select_nth_unstable_by(count, |&one, &other| by_size(set, one, other));
        next.truncate(count);
    }
    for (kept, people) in kept.iter_mut().zip(set.people()) {
        *kept &= *people >= size;
    }
    for class in next {
        kept[class as usize] = false;
    }
    true
}

/// How many of the smallest classes must go. Where these are more people than `most`, it may be a larger number.
fn too_many(models: &[&dyn TableModel], sizes: &SizedClasses, most: u64) -> u64 {
    let holds = |sizes: &SizedClasses| models.iter().all(|model| model.holds(sizes));
    if sizes.classes() == 0 || holds(sizes) {
        return 0;
    }
    // It fails for the lower and holds for the higher number; where nothing is left there is nothing to hold.
    let (mut low, mut high, mut gone) = (0, sizes.classes(), 0);
    while high - low > 1 && gone <= most {
        let middle = low.midpoint(high);
        let rest = sizes.without_smallest(middle);
        if holds(&rest) { high = middle } else { (low, gone) = (middle, sizes.people() - rest.people()) }
    }
    high
}
