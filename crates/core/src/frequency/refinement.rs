//! Classes that are split step by step: partition refinement.
//!
//! Each key of a low node carries the number of its class at a node above. Lowering one variable of the node above splits
//! its classes by the labels of that variable alone. One look-up for each key finds the new classes; nothing is hashed.
//! That is why `optimal` answers in a fraction of a second where rolling up every node takes many.
//!
//! Classes that become too small are *dropped*: every node further down only splits them further. Keys that no node of
//! interest can tell apart any more are merged by [`Refinement::merged`].
//!
//! Limit: fewer than 2³¹ records.
//! Source: Paige & Tarjan 1987.

use std::cell::RefCell;
use std::sync::Arc;

use super::grouping::Grouping;
use super::{FrequencySet, RollUp, Table, small};
use crate::lattice::Node;

/// Keys with the numbers of their classes at a node above.
#[derive(Debug, Clone)]
pub(crate) struct Refinement {
    /// The keys.
    pub keys: Arc<FrequencySet>,
    /// For each key the number of its class; 0 for keys that were dropped.
    class: Arc<Vec<u32>>,
    /// Numbers are below this.
    classes: u32,
    dropped: usize,
    /// The last low node at which keys were merged, or could have been.
    considered: Node,
}

/// One variable of the node above goes down to a level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lowering {
    pub variable: usize,
    pub level: u8,
    /// Classes of fewer people are dropped; of fewer records, where people are not counted.
    pub least: u64,
}

/// What a lowering drops.
#[derive(Debug, Clone)]
pub(crate) struct DroppedKeys {
    /// The keys; none where so many records may not be dropped.
    pub keys: Arc<[u32]>,
    /// Their records.
    pub records: u64,
}

thread_local! {
    /// Memory that the lowerings of a thread share; a search makes thousands.
    static SCRATCH: RefCell<LoweringScratch> = RefCell::default();
}

/// A slot for each class and label, all 0 between lowerings. A slot holds the people of a new class, and later
/// [`NUMBERED`] plus the number of that class.
#[derive(Debug, Default)]
struct LoweringScratch {
    slots: Vec<u32>,
    /// The slot of each key.
    slot_of: Vec<u32>,
    dropped: Vec<u32>,
}

/// The slots of a lowering.
struct LoweringSlots {
    /// How many there are.
    all: usize,
    /// How many of them, from the first on, hold keys that were dropped before.
    of_dropped: usize,
}

const NUMBERED: u32 = 1 << 31;

/// Slots that are set aside however few keys there are; so few in unit tests that some lowerings do without.
const SLOTS: usize = if cfg!(test) { 16 } else { 1 << 20 };

/// Keys are merged when so many labels make one.
const MERGED_LABELS: f64 = 8.0;

/// The most slots for so many keys. A slot has a number of 32 bits.
fn most_slots(keys: usize) -> usize {
    keys.saturating_mul(4).clamp(SLOTS, u32::MAX as usize)
}

impl Refinement {
    /// The classes of a node, made of the keys of a node below it, in nested ladders. Classes of fewer than `least` people
    /// are dropped.
    pub(crate) fn at(table: &Table, keys: &Arc<FrequencySet>, node: &Node, least: u64) -> Self {
        let RollUp { set, class_of, .. } = table.roll_up(keys, node);
        let mut sizes: Vec<u32> = set.people().iter().map(|&size| small(size)).collect();
        let (class, classes) = number(small(least), &mut sizes, &class_of);
        Self::new(keys, class, classes, &keys.node)
    }

    fn new(keys: &Arc<FrequencySet>, class: Vec<u32>, classes: u32, considered: &Node) -> Self {
        let dropped = class.iter().filter(|&&class| class == 0).count();
        Self { keys: Arc::clone(keys), class: Arc::new(class), classes, dropped, considered: considered.clone() }
    }

    /// Leaves the keys as they are at a low node: merging them there does not pay.
    pub(crate) fn left_at(self, low: &Node) -> Self {
        Self { considered: low.clone(), ..self }
    }

    /// How many keys there are, dropped ones included.
    pub(crate) fn len(&self) -> usize {
        self.class.len()
    }

    /// The keys that were dropped.
    pub(crate) fn dropped(&self) -> Vec<u32> {
        self.keys_where(|class| class == 0)
    }

    /// What a lowering would drop. The keys are listed where so many records are permitted.
    pub(crate) fn would_drop(
        &self,
        table: &Table,
        lowering: Lowering,
        permits: impl FnOnce(u64) -> bool,
    ) -> DroppedKeys {
        self.count(table, lowering, |LoweringScratch { slots, slot_of, dropped }, used| {
            let least = small(lowering.least);
            // Keys that were dropped before must not be dropped again: their slots are made to look large enough.
            slots[..used.of_dropped].fill(least);
            let records = too_few(least, &slots[..used.all], slot_of, &self.keys);
            let lists = permits(records) && records > 0;
            dropped.resize(slot_of.len() + 1, 0);
            let is_dropped = |&slot: &u32| slots[slot as usize] < least;
            let count = if lists { collect(slot_of.iter().map(is_dropped), dropped) } else { 0 };
            DroppedKeys { keys: Arc::from(&dropped[..count]), records }
        })
    }

    /// The classes after a lowering.
    pub(crate) fn lowered(&self, table: &Table, lowering: Lowering) -> Self {
        self.count(table, lowering, |LoweringScratch { slots, slot_of, .. }, used| {
            // Keys that were dropped before stay dropped: their slots are too small for a number.
            slots[..used.of_dropped].fill(0);
            let (class, classes) = number(small(lowering.least), slots, slot_of);
            Self::new(&self.keys, class, classes, &self.considered)
        })
    }

    /// Counts the slots of a lowering, shows them, and clears them.
    fn count<T>(
        &self,
        table: &Table,
        lowering: Lowering,
        show: impl FnOnce(&mut LoweringScratch, &LoweringSlots) -> T,
    ) -> T {
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.slot_of.resize(self.len(), 0);
            let used = self.fill(table, lowering, scratch);
            let shown = show(scratch, &used);
            clear(&mut scratch.slots[..used.all], &scratch.slot_of);
            scratch.slots[..used.of_dropped].fill(0);
            shown
        })
    }

    /// Finds the slot of each key and adds up the people of each slot.
    fn fill(&self, table: &Table, lowering: Lowering, scratch: &mut LoweringScratch) -> LoweringSlots {
        let LoweringScratch { slots, slot_of, .. } = scratch;
        let Lowering { variable, level, .. } = lowering;
        let codes = table.packing.codes(variable, self.keys.node.0[variable], level);
        let span = table.labels_at(variable, level);
        let wanted = (self.classes as usize).saturating_mul(span);
        let keys = self.class.iter().zip(&self.keys.packed[codes.word]);
        if wanted > most_slots(self.len()) {
            let tags = keys.map(|(&class, &key)| u64::from(class) << 32 | codes.sum(key)).collect();
            return self.fill_by_hash(tags, scratch);
        }
        slots.resize(slots.len().max(wanted), 0);
        let span = small(span as u64);
        // Two simple loops are faster than one.
        for (slot, (&class, &key)) in slot_of.iter_mut().zip(keys) {
            *slot = class * span + small(codes.sum(key));
        }
        add_people(&mut slots[..wanted], slot_of, self.keys.people());
        LoweringSlots { all: wanted, of_dropped: span as usize }
    }

    fn fill_by_hash(
        &self,
        tags: Vec<u64>,
        LoweringScratch { slots, slot_of, .. }: &mut LoweringScratch,
    ) -> LoweringSlots {
        let class_of = Grouping::new(&[tags], &self.keys.sizes).class_of;
        let all = self.len() + 1;
        slots.resize(slots.len().max(all), 0);
        for (slot, (number, &class)) in slot_of.iter_mut().zip(class_of.iter().zip(&*self.class)) {
            *slot = if class == 0 { 0 } else { number + 1 };
        }
        add_people(slots, slot_of, self.keys.people());
        LoweringSlots { all, of_dropped: 1 }
    }

    /// The same classes of keys that are merged at `low`, or at least without the dropped ones, if that is likely to pay;
    /// and for each key one that it was made of.
    pub(crate) fn merged(&self, table: &Table, low: &Node) -> Option<(Self, Vec<u32>)> {
        let is_mergeable = self.labels_per_label(table, low) >= MERGED_LABELS;
        if !is_mergeable && 2 * self.dropped <= self.len() {
            return None;
        }
        if self.dropped == 0 {
            return Some(self.rolled_up(table, low));
        }
        let left = self.keys_where(|class| class != 0);
        let kept = self.pick(&left, Arc::new(self.keys.pick(&left)));
        if !is_mergeable {
            return Some((kept, left));
        }
        let (merged, firsts) = kept.rolled_up(table, low);
        Some((merged, firsts.into_iter().map(|key| left[key as usize]).collect()))
    }

    /// The same classes of keys that are merged at `low`, and for each key the first that it was made of.
    fn rolled_up(&self, table: &Table, low: &Node) -> (Self, Vec<u32>) {
        let RollUp { set, firsts, .. } = table.roll_up(&self.keys, low);
        (self.pick(&firsts, Arc::new(set)).left_at(low), firsts)
    }

    /// The classes of some keys, none of them dropped, which are `keys` from now on.
    fn pick(&self, kept: &[u32], keys: Arc<FrequencySet>) -> Self {
        let class: Vec<u32> = kept.iter().map(|&key| self.class[key as usize]).collect();
        Self { keys, class: Arc::new(class), classes: self.classes, dropped: 0, considered: self.considered.clone() }
    }

    /// How many labels, over all variables that change, make one on the way to a low node.
    fn labels_per_label(&self, table: &Table, low: &Node) -> f64 {
        let changes = self.considered.0.iter().zip(&low.0).enumerate().filter(|(_, (from, to))| from != to);
        changes.map(|(variable, (&from, &to))| table.labels_per_label(variable, from, to)).product()
    }

    fn keys_where(&self, is_wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut keys = vec![0; self.len() + 1];
        let count = collect(self.class.iter().map(|&class| is_wanted(class)), &mut keys);
        keys.truncate(count);
        keys
    }
}

/// Adds the people of keys to their slots.
fn add_people(slots: &mut [u32], slot_of: &[u32], people: &[u64]) {
    for (&slot, &people) in slot_of.iter().zip(people) {
        slots[slot as usize] += small(people);
    }
}

/// The records of classes that are too small, from their slots or from the keys, whichever are fewer. Slots know them where
/// records are counted.
fn too_few(least: u32, slots: &[u32], slot_of: &[u32], keys: &FrequencySet) -> u64 {
    if slots.len() <= 4 * slot_of.len() && keys.contents.people().is_none() {
        return slots.iter().map(|&records| u64::from(if records < least { records } else { 0 })).sum();
    }
    let of_key = |(&slot, &records): (&u32, &u64)| if slots[slot as usize] < least { records } else { 0 };
    slot_of.iter().zip(&keys.sizes).map(of_key).sum()
}

/// Sets the slots of keys to 0.
fn clear(slots: &mut [u32], slot_of: &[u32]) {
    if slots.len() <= 2 * slot_of.len() {
        slots.fill(0);
        return;
    }
    for &slot in slot_of {
        slots[slot as usize] = 0;
    }
}

/// Lists the keys that are wanted, and says how many there are.
fn collect(wanted: impl Iterator<Item = bool>, keys: &mut [u32]) -> usize {
    let mut count = 0;
    // Without a branch: which keys are is hard to foretell.
    for (key, is_wanted) in (0..).zip(wanted) {
        keys[count] = key;
        count += usize::from(is_wanted);
    }
    count
}

/// Numbers the classes of at least `least` people in the order of their first keys, from 1 on; the others get 0. Says
/// also below what the numbers are.
fn number(least: u32, slots: &mut [u32], slot_of: &[u32]) -> (Vec<u32>, u32) {
    let mut class = vec![0; slot_of.len()];
    let mut next = NUMBERED + 1;
    for (class, &slot) in class.iter_mut().zip(slot_of) {
        let slot = &mut slots[slot as usize];
        let (is_new, is_kept) = (*slot < NUMBERED, *slot >= least);
        let first = if is_kept { next } else { NUMBERED };
        *slot = if is_new { first } else { *slot };
        next += u32::from(is_new & is_kept);
        *class = *slot & !NUMBERED;
    }
    (class, next & !NUMBERED)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::made_up;

    #[test]
    fn a_slot_has_a_number_of_32_bits() {
        assert_eq!(
            [0, 4, 100, 1 << 31, usize::MAX].map(most_slots),
            [16, 16, 400, u32::MAX as usize, u32::MAX as usize]
        );
    }

    /// The sizes of the classes that are left.
    fn classes(refinement: &Refinement) -> Vec<u64> {
        let mut sizes = BTreeMap::new();
        for (&class, &size) in refinement.class.iter().zip(&refinement.keys.sizes) {
            *sizes.entry(class).or_insert(0) += size;
        }
        sizes.remove(&0);
        sorted(sizes.into_values())
    }

    /// The same, straight from the keys.
    fn expected(table: &Table, node: &Node, least: u64) -> Vec<u64> {
        sorted(table.roll_up(table.keys(), node).set.sizes.into_iter().filter(|&size| size >= least))
    }

    fn sorted(sizes: impl Iterator<Item = u64>) -> Vec<u64> {
        let mut sizes: Vec<u64> = sizes.collect();
        sizes.sort_unstable();
        sizes
    }

    proptest! {
        #[test]
        fn lowerings_and_merges_find_the_classes_that_counting_finds(
            records in prop::collection::vec([0_u32..12, 0..12, 0..12], 1..120),
            changes in prop::collection::vec((0_usize..3, 0_u8..5, any::<bool>()), 1..8),
            least in 1_u64..6,
        ) {
            let table = made_up::table(&records, [&["2", "4", "8"]; 3]);
            let (mut low, mut high) = (table.lattice().bottom, table.lattice().top);
            let mut refinement = Refinement::at(&table, &Arc::new(table.keys().clone()), &high, least);
            for (variable, level, lowers) in changes {
                let level = level.clamp(low.0[variable], high.0[variable]);
                if lowers {
                    high = high.with(variable, level);
                    let before: u64 = classes(&refinement).iter().sum();
                    let lowering = Lowering { variable, level, least };
                    let DroppedKeys { keys, records } = refinement.would_drop(&table, lowering, |_| true);
                    prop_assert_eq!(records, keys.iter().map(|&key| refinement.keys.sizes[key as usize]).sum::<u64>());
                    refinement = refinement.lowered(&table, lowering);
                    prop_assert_eq!(before - records, classes(&refinement).iter().sum::<u64>());
                } else {
                    low = low.with(variable, level);
                    refinement = refinement.merged(&table, &low).map_or(refinement, |(merged, _)| merged);
                }
                prop_assert_eq!(&classes(&refinement), &expected(&table, &high, least));
            }
        }
    }
}
