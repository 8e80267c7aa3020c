//! The share of each value in a class beside its share of the whole table, for β-likeness and δ-disclosure.

use super::{ValueCounts, WholeTable};

/// What rounding may add where logarithms are compared: more than two ways to round may differ by.
pub(super) const ROUNDED: f64 = 4e-12;

/// A value: its share of a class and of the whole, in parts of the product of both sizes.
pub(super) struct SharePair {
    pub here: u128,
    pub there: u128,
    /// Its share of the whole.
    pub of_whole: f64,
}

impl SharePair {
    pub fn ratio(&self) -> f64 {
        self.here as f64 / self.there as f64
    }
}

/// Whether every value of the whole table keeps this, and the class has no value besides.
pub(super) fn all_keep(class: &ValueCounts, whole: &WholeTable, keeps: impl Fn(&SharePair) -> bool) -> bool {
    let (size, total) = (class.values().sum::<u64>(), whole.total());
    let values = (0_u32..).zip(&whole.counts).filter(|(_, there)| **there > 0);
    let mut pairs = values.map(|(value, there)| SharePair {
        here: u128::from(class.get(&value).copied().unwrap_or(0)) * u128::from(total),
        there: u128::from(*there) * u128::from(size),
        of_whole: *there as f64 / total as f64,
    });
    class.keys().all(|value| whole.times(*value) > 0) && pairs.all(|pair| keeps(&pair))
}
