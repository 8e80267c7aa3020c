//! Which ladder a column gets: one that lies beside the data, one that its values suggest, or groups of rare values.
//!
//! A ladder that keeps something beats `*`. What somebody wrote for this column beats what can be guessed from its values.

use std::iter;
use std::path::Path;

use equanym_core::hierarchy::{Builder, OTHER, auto};

use super::shelf::{Shelf, Volume};
use super::values::ValueCounts;

/// Values in fewer records than this are rare at the first step; at each further step four times as many.
const RAREST: u64 = 5;

/// The most steps from rare values to `*`.
const MOST_STEPS: usize = 4;

/// A ladder for the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnLadder {
    pub(super) builder: Builder,
    /// Its last level.
    pub(super) top: u64,
    /// The file that it was read from, as the policy names it.
    pub(super) file: Option<String>,
    /// A file of that name that cannot be used, and why.
    pub(super) unfit: Option<UnusedFile>,
}

/// Why a ladder beside the data is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UnusedFile {
    pub(super) file: String,
    pub(super) why: String,
}

impl ColumnLadder {
    /// A ladder of this builder with so many levels above the values.
    pub(super) fn new(builder: Builder, top: u64) -> Self {
        Self { builder, top, file: None, unfit: None }
    }

    /// From the values to `*`.
    pub(super) fn none() -> Self {
        Self::new(Builder::None, 1)
    }

    /// A ladder that the values suggest; where nothing joins them, groups of the rare ones.
    pub(super) fn proposed(values: &ValueCounts) -> Self {
        let sorted = values.counts.values();
        match auto::propose(&sorted) {
            Builder::None => Self::rare(&values.counts.frequencies()),
            builder => Self::fitted(builder, &sorted).unwrap_or_else(Self::none),
        }
    }

    /// Groups of rare values, by how many records each value has. Each step joins more values than the one before, and
    /// leaves one that is not rare.
    fn rare(frequencies: &[u64]) -> Self {
        let below = |least: u64| frequencies.iter().filter(|records| **records < least).count();
        let mut joined = 1;
        let is_step = |least: &u64| {
            let rare = below(*least);
            let is_new = rare > joined && rare < frequencies.len();
            joined = if is_new { rare } else { joined };
            is_new
        };
        let steps = iter::successors(Some(RAREST), |least| least.checked_mul(4));
        let most = frequencies.first().copied().unwrap_or(0);
        let below: Vec<u64> = steps.take_while(|least| *least <= most).filter(is_step).collect();
        // The coarsest steps say the most about what the table can bear.
        let below = below.split_at(below.len().saturating_sub(MOST_STEPS)).1.to_vec();
        let top = below.len() as u64 + 1;
        match top {
            1 => Self::none(),
            _ => Self::new(Builder::Rare { below, label: OTHER.to_owned() }, top),
        }
    }

    /// The best ladder for a column.
    pub(super) fn best(column: &str, values: &ValueCounts, shelf: &Shelf, policy_folder: &Path) -> Self {
        let proposed = Self::proposed(values);
        match shelf.take(column, &values.counts.values(), policy_folder) {
            None => proposed,
            Some(Volume { file, ladder: Ok((builder, top)) }) => Self { builder, top, file: Some(file), unfit: None },
            Some(Volume { file, ladder: Err(why) }) => Self { unfit: Some(UnusedFile { file, why }), ..proposed },
        }
    }

    fn fitted(builder: Builder, values: &[String]) -> Option<Self> {
        let top = builder.fit(values).ok()?.height();
        Some(Self::new(builder, top.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_values_are_joined_step_by_step() {
        let below = |frequencies: &[u64]| match ColumnLadder::rare(frequencies).builder {
            Builder::Rare { below, .. } => below,
            _ => Vec::new(),
        };
        assert_eq!(below(&[900, 60, 30, 4, 3, 1]), [5, 80]);
        assert_eq!(below(&[900, 400, 30, 4]), [80], "one value alone is not joined");
        assert_eq!(below(&[10_000, 4_000, 900, 300, 70, 18, 3, 2]), [80, 320, 1_280, 5_120]);
        for nothing_to_join in [&[][..], &[1], &[4, 4, 4], &[900, 1], &[500, 500, 500]] {
            assert_eq!(ColumnLadder::rare(nothing_to_join), ColumnLadder::none(), "{nothing_to_join:?}");
        }
    }
}
