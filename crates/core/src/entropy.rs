//! The entropy of a column at each level of its ladder: one routine for losses and for the balance.
//!
//! A label that c of n records share tells log₂(n/c) bits about each of them; the entropy of a level is the mean over
//! the records. Logarithms are rounded once, to 2⁻⁴⁰, so sums are whole numbers that depend on no order. The
//! non-uniform entropy of a level is exactly n times the entropy that it has lost. What a search loses is thus what the
//! price theory calls protection.
//!
//! Source: Shannon 1948; El Emam et al. 2009, appendix; Zielinski & Olivier 2010.

use crate::hierarchy::{Hierarchy, Level};

/// How many units make one, for numbers that are not counts.
pub(crate) const FIXED_POINT: f64 = (1_u64 << 40) as f64;

/// A number of at least 0 and below 2²⁰ in fixed point.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn fixed(number: f64) -> u64 {
    (number * FIXED_POINT).round() as u64
}

/// The logarithm of a number in 2⁻¹⁰ bits, roughly: straight lines between the powers of two.
pub(crate) fn bits(number: u128) -> u32 {
    let whole = number.max(1).ilog2();
    let beyond = if whole < 10 { number << (10 - whole) } else { number >> (whole - 10) };
    (whole << 10) + u32::try_from(beyond & 0x3FF).unwrap_or(0)
}

/// How the records of a column share the labels of a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coding {
    /// The records with each label.
    pub counts: Vec<u64>,
    /// The logarithm of each count, in units.
    bits: Vec<u64>,
    records: u64,
    bits_of_all: u64,
}

impl Coding {
    /// The records with each label of a level, given the records with each value.
    fn new(level: &Level, value_counts: &[u64], weight: f64) -> Self {
        let counts = level.counts(value_counts);
        let bits = |records: u64| fixed(weight * (records.max(1) as f64).log2());
        let records = value_counts.iter().sum();
        Self { bits: counts.iter().map(|&count| bits(count)).collect(), counts, records, bits_of_all: bits(records) }
    }

    /// The information of a label about a record that has it, in units.
    #[must_use]
    pub fn told(&self, label: usize) -> u64 {
        self.bits_of_all.saturating_sub(self.bits[label])
    }

    /// The information of the labels about all records, in units: the entropy times the number of records.
    #[must_use]
    pub fn told_in_all(&self) -> u128 {
        let told = |(label, &count): (usize, &u64)| u128::from(count) * u128::from(self.told(label));
        self.counts.iter().enumerate().map(told).sum()
    }

    /// The same for the `records` most informative records only, in units.
    #[must_use]
    pub fn told_at_most(&self, records: u64) -> u128 {
        let mut labels: Vec<(u64, u64)> =
            self.counts.iter().enumerate().map(|(label, &count)| (self.told(label), count)).collect();
        labels.sort_unstable_by(|one, other| other.cmp(one));
        let mut left = records;
        let take = |(told, count): (u64, u64)| {
            let taken = count.min(left);
            left -= taken;
            u128::from(told) * u128::from(taken)
        };
        labels.into_iter().map(take).sum()
    }

    /// The entropy that is left without the withheld information, in bits.
    #[must_use]
    pub fn entropy_without(&self, withheld: u128) -> f64 {
        let told = self.told_in_all().saturating_sub(withheld);
        if told == 0 { 0.0 } else { told as f64 / self.records as f64 / FIXED_POINT }
    }

    /// The entropy, in bits.
    #[must_use]
    pub fn entropy(&self) -> f64 {
        self.entropy_without(0)
    }
}

/// The coding of each level, given the records with each value of the ladder.
#[must_use]
pub fn codings(hierarchy: &Hierarchy, value_counts: &[u64]) -> Vec<Coding> {
    weighted(hierarchy, value_counts, 1.0)
}

/// The same with every bit multiplied by a weight.
pub(crate) fn weighted(hierarchy: &Hierarchy, value_counts: &[u64], weight: f64) -> Vec<Coding> {
    hierarchy.levels().iter().map(|level| Coding::new(level, value_counts, weight)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Builder;

    fn codings_of(counts: &[u64], width: &str) -> Vec<Coding> {
        let values: Vec<String> = (0..counts.len()).map(|value| value.to_string()).collect();
        codings(&Builder::intervals(vec![width.to_owned()]).fit(&values).unwrap(), counts)
    }

    #[test]
    fn entropy_is_that_of_the_textbook() {
        let [raw, pairs, top] = codings_of(&[1, 1, 2, 4], "2").try_into().unwrap();
        assert!((raw.entropy() - 1.75).abs() < 1e-11);
        assert!((pairs.entropy() - (2.0 - 0.75 * 3_f64.log2())).abs() < 1e-11);
        assert!(top.entropy().abs() < f64::EPSILON);
    }

    #[test]
    fn the_most_that_some_records_tell_is_told_by_rare_labels() {
        let raw = &codings_of(&[1, 1, 2, 4], "2")[0];
        let bit = 1_u128 << 40;
        assert_eq!([0, 1, 2, 3, 4, 8, 99].map(|records| raw.told_at_most(records) / bit), [0, 3, 6, 8, 10, 14, 14]);
        assert!((raw.entropy_without(raw.told_at_most(1)) - 11.0 / 8.0).abs() < 1e-11);
    }

    #[test]
    fn an_empty_column_tells_nothing() {
        let empty = &codings_of(&[0, 0], "2")[0];
        assert_eq!((empty.told_in_all(), empty.entropy().to_bits()), (0, 0.0_f64.to_bits()));
    }
}
