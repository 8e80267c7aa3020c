//! How likely somebody in a table is recognised.
//!
//! The prosecutor model: the intruder knows that a person is in the table, knows their quasi-identifiers, and picks one of
//! the records that fit. A record in a class of size f is then recognised with probability 1/f.
//!
//! Source: El Emam & Dankar 2008; the share of separated pairs is the separation of Motwani & Xu 2007.

pub mod linkage;
mod nearest;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Records whose probability of recognition is above this are at risk; 0.2 is the highest risk commonly accepted.
pub const THRESHOLD: f64 = 0.2;

/// Prosecutor risk of a table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Risk {
    /// The highest probability of recognition.
    pub prosecutor_max: f64,
    /// The mean over the records: the share of records an intruder would get right.
    pub prosecutor_mean: f64,
    /// The share of records above [`THRESHOLD`].
    pub records_at_risk: f64,
}

/// The classes of a table in four numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClassTotals {
    /// How many there are.
    pub count: u64,
    /// The smallest.
    pub min: u64,
    /// The mean size.
    pub mean: f64,
    /// The largest.
    pub max: u64,
}

/// Measures the classes of the given sizes.
#[must_use]
pub fn classes(sizes: &[u64]) -> ClassTotals {
    let count = sizes.len() as u64;
    let records: u64 = sizes.iter().sum();
    ClassTotals {
        count,
        min: sizes.iter().copied().min().unwrap_or(0),
        mean: share(records, count),
        max: sizes.iter().copied().max().unwrap_or(0),
    }
}

/// How many classes have each size, in the order of the sizes.
#[must_use]
pub fn sizes(sizes: &[u64]) -> Vec<(u64, u64)> {
    let mut classes: BTreeMap<u64, u64> = BTreeMap::new();
    for size in sizes {
        *classes.entry(*size).or_default() += 1;
    }
    classes.into_iter().collect()
}

/// Measures the risk of a table with classes of the given sizes; a table without records has none.
#[must_use]
pub fn prosecutor(sizes: &[u64]) -> Risk {
    let records: u64 = sizes.iter().sum();
    let at_risk: u64 = sizes.iter().filter(|&&size| share(1, size) > THRESHOLD).sum();
    Risk {
        prosecutor_max: sizes.iter().min().map_or(0.0, |&smallest| share(1, smallest)),
        prosecutor_mean: share(sizes.len() as u64, records),
        records_at_risk: share(at_risk, records),
    }
}

/// The share of pairs of records that a variable tells apart, given how often each of its values occurs.
#[must_use]
pub fn separation(counts: &[u64]) -> f64 {
    let pairs = |count: u64| u128::from(count) * u128::from(count.saturating_sub(1));
    let all = pairs(counts.iter().sum());
    let alike: u128 = counts.iter().map(|&count| pairs(count)).sum();
    if all == 0 { 0.0 } else { (all - alike) as f64 / all as f64 }
}

fn share(count: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { count as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_five_is_not_at_risk_and_one_of_four_is() {
        let risk = prosecutor(&[5, 4, 1]);
        assert_eq!(risk, Risk { prosecutor_max: 1.0, prosecutor_mean: 0.3, records_at_risk: 0.5 });
        assert!(prosecutor(&[5, 5]).records_at_risk <= 0.0);
    }

    #[test]
    fn a_table_without_records_has_no_risk() {
        assert_eq!(prosecutor(&[]), Risk { prosecutor_max: 0.0, prosecutor_mean: 0.0, records_at_risk: 0.0 });
        assert_eq!(classes(&[]), ClassTotals { count: 0, min: 0, mean: 0.0, max: 0 });
    }

    #[test]
    fn classes_of_a_size_are_counted() {
        assert_eq!(sizes(&[5, 1, 5, 2]), [(1, 1), (2, 1), (5, 2)]);
        assert_eq!(sizes(&[]), []);
    }

    #[test]
    fn separation_counts_pairs() {
        assert!((separation(&[1, 1, 1]) - 1.0).abs() < 1e-12);
        assert!(separation(&[3]).abs() < 1e-12);
        assert!((separation(&[2, 1]) - 2.0 / 3.0).abs() < 1e-12);
    }
}
