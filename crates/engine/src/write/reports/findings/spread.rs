//! How the records of a release spread over classes and labels: what pictures are drawn from.
//!
//! Everything is a count of released records, so whoever holds the release can count it again, and the audit does. Labels
//! are counted and never named.

use equanym_core::report::{LabelCounts, PublicCounts};
use serde::Serialize;

use crate::write::reports::small::Small;

/// How the records of a column spread over its labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LabelSpread {
    /// The column.
    pub column: String,
    /// How many labels occur.
    pub labels: usize,
    /// The records with the most frequent labels, the largest count first.
    pub most_frequent: Vec<u64>,
    /// The records with all other labels.
    pub others: u64,
}

/// The most labels that are counted by themselves.
const MOST: usize = 7;

impl LabelSpread {
    /// The columns of a release; labels of few records are taken together.
    pub(super) fn all(told: &PublicCounts, small: Small) -> Vec<Self> {
        told.labels.iter().map(|column| Self::new(column, small)).collect()
    }

    fn new(column: &LabelCounts, small: Small) -> Self {
        let counts = &column.counts;
        let is_shown = |count: &&u64| small.shown(**count).is_some();
        let mut most_frequent: Vec<u64> = counts.iter().take_while(is_shown).take(MOST).copied().collect();
        // One label more takes no more room than a row for the others.
        if counts.len() == MOST + 1 && counts.last().is_some_and(|last| small.shown(*last).is_some()) {
            most_frequent.clone_from(counts);
        }
        let mut others: u64 = counts.iter().skip(most_frequent.len()).sum();
        while small.shown(others).is_none() {
            let Some(last) = most_frequent.pop() else { break };
            others += last;
        }
        Self { column: column.column.clone(), labels: counts.len(), most_frequent, others }
    }

    /// How many labels are among the others.
    #[must_use]
    pub fn other_labels(&self) -> usize {
        self.labels.saturating_sub(self.most_frequent.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(counts: &[u64], small: Small) -> (Vec<u64>, u64) {
        let found = LabelSpread::new(&LabelCounts::new("a", counts.iter().copied()), small);
        assert_eq!(found.most_frequent.iter().sum::<u64>() + found.others, counts.iter().sum::<u64>());
        (found.most_frequent, found.others)
    }

    #[test]
    fn few_records_are_not_told() {
        let small = Small::HiddenBelow(11);
        assert_eq!(spread(&[100, 50, 6, 6], small), (vec![100, 50], 12));
        assert_eq!(spread(&[100, 50, 6], small), (vec![100], 56));
        assert_eq!(spread(&[3], small), (vec![], 3));
        assert_eq!(spread(&[3], Small::Shown), (vec![3], 0));
        assert_eq!(spread(&[9, 8, 7, 6, 5, 4, 3, 2], Small::Shown).1, 0);
        assert_eq!(spread(&[9, 8, 7, 6, 5, 4, 3, 2, 1], Small::Shown), (vec![9, 8, 7, 6, 5, 4, 3], 3));
    }
}
