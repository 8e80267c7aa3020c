//! Which ladder a column gets: one that lies beside the data, one that its values suggest, or groups of rare values.
//!
//! A ladder that keeps something beats `*`. What somebody wrote for this column beats what can be guessed from its values.

use std::path::Path;

use equanym_core::hierarchy::{Builder, auto};

use super::shelf::{Shelf, Volume};
use super::values::ColumnValues;

/// A ladder for the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ladder {
    pub(super) builder: Builder,
    /// Its last level.
    pub(super) top: u64,
    /// The file that it was read from, as the policy names it.
    pub(super) file: Option<String>,
    /// A file of that name that cannot be used, and why.
    pub(super) unfit: Option<Unfit>,
}

/// Why a ladder beside the data is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unfit {
    pub(super) file: String,
    pub(super) why: String,
}

impl Ladder {
    /// A ladder of this builder with so many levels above the values.
    pub(super) fn new(builder: Builder, top: u64) -> Self {
        Self { builder, top, file: None, unfit: None }
    }

    /// From the values to `*`.
    pub(super) fn none() -> Self {
        Self::new(Builder::None, 1)
    }

    /// A ladder that the values suggest.
    pub(super) fn proposed(values: &ColumnValues) -> Self {
        let sorted = values.sorted();
        let builder = auto::propose(&sorted);
        Self::fitted(builder, &sorted).unwrap_or_else(Self::none)
    }

    /// The best ladder for a column.
    pub(super) fn of(column: &str, values: &ColumnValues, shelf: &Shelf, policy_folder: &Path) -> Self {
        let proposed = Self::proposed(values);
        match shelf.take(column, &values.sorted(), policy_folder) {
            None => proposed,
            Some(Volume { file, ladder: Ok((builder, top)) }) => Self { builder, top, file: Some(file), unfit: None },
            Some(Volume { file, ladder: Err(why) }) => Self { unfit: Some(Unfit { file, why }), ..proposed },
        }
    }

    fn fitted(builder: Builder, values: &[String]) -> Option<Self> {
        let top = builder.fit(values).ok()?.height();
        Some(Self::new(builder, top.into()))
    }
}
