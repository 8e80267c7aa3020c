//! Counts of few people, and the numbers that would tell them.
//!
//! A public report shows no count below the `k` that the release promises, or below 11 where it promises none (the cell
//! size rule of the US Centers for Medicare & Medicaid Services). Zero is no count of people and is shown. Where a count
//! is hidden, so is each number that it can be computed from: a risk is one through a class size, a share times the
//! records is a count, and what is left of the records is one, too.
//!
//! Limit: the number of records and of withheld ones is always shown. The release is judged by them, and whoever counts
//! its records knows the rest by subtracting.

use equanym_core::risk::{ClassTotals, Risk};
use serde::{Deserialize, Serialize};

use crate::count::sketch::{few, greatest_k};
use crate::write::manifest::Manifest;

/// What happens to counts of few people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Small {
    /// They are shown: the reader owns the data.
    Shown,
    /// Those below this number are hidden.
    HiddenBelow(u64),
}

/// The classes of a release, small counts hidden.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ShownClasses {
    /// How many there are.
    pub count: u64,
    /// The smallest.
    pub min: Option<u64>,
    /// The mean size.
    pub mean: Option<f64>,
    /// The largest.
    pub max: Option<u64>,
}

/// The risk of a release, without what tells a small count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ShownRisk {
    /// The highest probability of recognition.
    pub prosecutor_max: Option<f64>,
    /// The mean over the records.
    pub prosecutor_mean: Option<f64>,
    /// The share of records at risk.
    pub records_at_risk: Option<f64>,
}

/// The class size that a release promises, if it promises one.
pub(super) fn promised_k(manifest: &Manifest) -> Option<u64> {
    greatest_k(manifest.privacy.iter().map(|claim| &claim.parameters))
}

impl Small {
    /// What the promises of a release ask for.
    #[must_use]
    pub fn promised(manifest: &Manifest) -> Self {
        Self::HiddenBelow(few(manifest.privacy.iter().map(|claim| &claim.parameters)))
    }

    /// The smallest count that is shown, if any is hidden.
    pub(super) fn threshold(self) -> Option<u64> {
        match self {
            Self::Shown => None,
            Self::HiddenBelow(threshold) => Some(threshold),
        }
    }

    /// The count, unless it is small.
    pub(super) fn shown(self, count: u64) -> Option<u64> {
        let is_small = self.threshold().is_some_and(|threshold| (1..threshold).contains(&count));
        (!is_small).then_some(count)
    }

    /// A share of a whole, unless it tells a small part or a small rest.
    fn shown_share(self, share: f64, whole: f64) -> Option<f64> {
        let part = (share * whole).round();
        let is_small =
            |count: f64| count >= 0.5 && self.threshold().is_some_and(|threshold| count < threshold as f64 - 0.5);
        (!is_small(part) && !is_small(whole - part)).then_some(share)
    }
}

impl ShownClasses {
    pub(super) fn new(classes: ClassTotals, small: Small) -> Self {
        let ClassTotals { count, min, mean, max } = classes;
        let max = small.shown(max);
        Self { count, min: small.shown(min), mean: max.map(|_| mean), max }
    }
}

impl ShownRisk {
    pub(super) fn new(risk: Risk, classes: ClassTotals, small: Small) -> Self {
        let Risk { prosecutor_max, prosecutor_mean, records_at_risk } = risk;
        let records = classes.mean * classes.count as f64;
        Self {
            prosecutor_max: small.shown(classes.min).map(|_| prosecutor_max),
            prosecutor_mean: small.shown(classes.max).map(|_| prosecutor_mean),
            records_at_risk: small.shown_share(records_at_risk, records),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use equanym_core::risk::{classes, prosecutor};

    #[test]
    fn nothing_is_no_small_count() {
        assert_eq!([0, 1, 10, 11].map(|count| Small::HiddenBelow(11).shown(count)), [Some(0), None, None, Some(11)]);
        assert_eq!(Small::Shown.shown(1), Some(1));
    }

    #[test]
    fn what_tells_a_small_count_is_hidden_with_it() {
        let sizes = [3, 400];
        let small = Small::HiddenBelow(11);
        let risk = ShownRisk::new(prosecutor(&sizes), classes(&sizes), small);
        assert_eq!((risk.prosecutor_max, risk.records_at_risk), (None, None));
        assert_eq!(ShownClasses::new(classes(&sizes), small).min, None);
        // All but three are at risk: the rest is as small.
        let sizes = [[4; 100].as_slice(), &[5]].concat();
        assert_eq!(ShownRisk::new(prosecutor(&sizes), classes(&sizes), small).records_at_risk, None);
    }
}
