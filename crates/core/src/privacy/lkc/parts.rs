//! What parts of keys must keep, and which records are withheld until they do. See [`super`].

use super::groups::{GroupFault, KeptClasses};
use crate::frequency::FrequencySet;
use crate::privacy::ratio::Ratio;

/// A rule about every part of at most so many variables.
#[derive(Debug, Clone, Copy)]
pub struct PartsRule {
    /// The place of the sensitive variable.
    pub(crate) variable: usize,
    /// How many variables are known.
    pub(crate) known: usize,
    /// The fewest people who share a part; records, where people are not counted.
    pub(crate) least: u64,
    /// The largest share of a value among them.
    pub(super) share: Ratio,
}

impl PartsRule {
    /// Whether a share may be too large.
    pub(crate) fn has_shares(&self) -> bool {
        self.share.numerator < self.share.denominator
    }

    /// Withholds classes until the rule holds for those that are kept; whether there were any. Nothing is known of classes
    /// without keys: none of them is kept.
    pub(in crate::privacy) fn withhold(&self, set: &FrequencySet, kept: &mut [bool]) -> bool {
        let before = count(kept);
        let Some(mut view) = KeptClasses::new(self, set, kept) else {
            kept.fill(false);
            return before > 0;
        };
        loop {
            view.settle(GroupFault::Few);
            if !self.has_shares() || !view.withhold_likely() {
                break;
            }
        }
        view.show(kept);
        count(kept) < before
    }

    /// Forces out all records of classes of which no finer node keeps anything, given how many are forced out otherwise.
    pub(in crate::privacy) fn force(&self, set: &FrequencySet, forced: &mut [u64]) {
        let mut left: Vec<bool> = forced.iter().zip(&set.sizes).map(|(forced, size)| forced < size).collect();
        self.hopeless(set, &mut left);
        for ((forced, size), _) in forced.iter_mut().zip(&set.sizes).zip(left).filter(|(_, left)| !left) {
            *forced = *size;
        }
    }

    /// Leaves out classes of which no finer node keeps anything, given classes of which it may.
    fn hopeless(&self, set: &FrequencySet, left: &mut [bool]) {
        let Some(mut view) = KeptClasses::new(self, set, left) else { return };
        let fault = if self.has_shares() && view.adds_up_below() { GroupFault::Hopeless } else { GroupFault::Few };
        view.settle(fault);
        view.show(left);
    }
}

fn count(kept: &[bool]) -> usize {
    kept.iter().filter(|kept| **kept).count()
}
