//! How a ladder is made.
//!
//! A builder only stores what a policy says; [`Builder::fit`] checks it and applies it to the values of one column.
//! Adding a way to make ladders means one file beside this one, one variant and one line here.

use super::csv::HierarchyFile;
use super::library::Library;
use super::{DateFormat, DateGrain, GroupLevel, Hierarchy, HierarchyError, NumberEnds};
use super::{date, groups, interval, order, prefix, rare};

/// How a ladder is made; what a policy says after `hierarchy =`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Builder {
    /// The values as collected, then `*`.
    #[default]
    None,
    /// A hierarchy file.
    File(HierarchyFile),
    /// Numbers in bands of growing width, between ends.
    Intervals {
        /// The widths as decimal numbers, growing.
        widths: Vec<String>,
        /// Where top and bottom coding start.
        ends: NumberEnds,
    },
    /// Codes that lose their last characters.
    Prefix {
        /// How many characters stay, shrinking.
        keep: Vec<usize>,
    },
    /// Dates that lose their details.
    Date {
        /// What stays, coarsening.
        grains: Vec<DateGrain>,
        /// How the collected dates are written.
        format: DateFormat,
    },
    /// Runs of neighbours in an ordered list.
    Order {
        /// All values in order.
        values: Vec<String>,
        /// How many neighbours a run joins, growing.
        sizes: Vec<usize>,
    },
    /// Groups that somebody wrote; a value in no group stays as it is.
    Groups {
        /// For each level its labels with their members: values, or labels of the level below.
        levels: Vec<GroupLevel>,
    },
    /// Rare values under one label.
    Rare {
        /// Below how many records a value is rare, growing.
        below: Vec<u64>,
        /// The label.
        label: String,
    },
    /// A ladder of the library.
    Library(&'static Library),
}

impl Builder {
    /// Numbers in bands of these widths, without ends.
    #[must_use]
    pub fn intervals(widths: Vec<String>) -> Self {
        Self::Intervals { widths, ends: NumberEnds::default() }
    }

    /// The ladder for a column with these distinct values, among which may be the missing value.
    ///
    /// A ladder that goes by frequency needs [`Builder::fit_counted`].
    pub fn fit(&self, values: &[String]) -> Result<Hierarchy, HierarchyError> {
        self.fit_counted(values, &[])
    }

    /// Whether the ladder depends on how often each value occurs.
    #[must_use]
    pub fn goes_by_frequency(&self) -> bool {
        matches!(self, Self::Rare { .. })
    }

    /// What a ladder must be fitted to, beside the values of a column, so that it does not depend on which of them occur: all
    /// values that it lists, and the missing one.
    #[must_use]
    pub fn domain(&self) -> Vec<String> {
        self.fit(&[super::MISSING.to_owned()]).map(|ladder| ladder.values().to_vec()).unwrap_or_default()
    }

    /// Whether values of level 0 may differ from those that were collected.
    #[must_use]
    pub fn codes_ends(&self) -> bool {
        match self {
            Self::Intervals { ends, .. } => !ends.is_none(),
            Self::Library(library) => library.codes_ends(),
            _ => false,
        }
    }

    /// The ladder for a column in which each value occurs in so many records.
    pub fn fit_counted(&self, values: &[String], counts: &[u64]) -> Result<Hierarchy, HierarchyError> {
        match self {
            Self::None => Hierarchy::by_rules(values, Vec::new()),
            Self::File(file) => file.fit(values),
            Self::Intervals { widths, ends } => interval::fit(values, widths, ends),
            Self::Prefix { keep } => prefix::fit(values, keep),
            Self::Date { grains, format } => date::fit(values, grains, *format),
            Self::Order { values: ordered, sizes } => order::fit(values, ordered, sizes),
            Self::Groups { levels } => groups::fit(values, levels),
            Self::Rare { below, label } => rare::fit(values, counts, below, label),
            Self::Library(library) => library.fit(values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_ladder_the_top_follows_the_values() {
        let ladder = Builder::default().fit(&[String::new(), "a".into(), "b".into()]).unwrap();
        assert_eq!(ladder.to_csv(), ";*\na;*\nb;*\n");
        assert!(ladder.is_nested());
    }

    #[test]
    fn unlisted_values_are_counted_but_never_the_missing_one() {
        let values = ["", "a", "b", "c"].map(String::from);
        let found = super::super::all_listed(&values, |value| value == "b");
        assert_eq!(found, Err(HierarchyError::Unlisted { count: 2, positions: vec![1, 3] }));
    }
}
