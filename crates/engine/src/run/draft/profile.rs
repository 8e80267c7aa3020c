//! What a column holds: one pass over the table, each column on its own.
//!
//! Distinct values are kept up to a limit of number and memory. A column beyond it is taken for near-unique; its values
//! are forgotten at once, since no useful ladder could be built on so many and counting them would not fit either.

use arrow_array::{Array, StringArray};
use equanym_core::hierarchy::decimal::{self, Decimal};
use equanym_core::hierarchy::{Builder, MISSING, auto};
use hashbrown::HashSet;
use serde::Serialize;

use crate::error::Result;
use crate::progress::{Progress, Step};
use crate::read::Source;
use crate::read::cells::{column_as, text};
use crate::read::missing::means_missing;

/// The most distinct values of a column that are kept.
const MOST_VALUES: usize = 1_000_000;

/// What a kept value costs besides its characters.
const OVERHEAD: usize = 48;

/// What the values of a column look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnKind {
    /// Decimal numbers.
    Number,
    /// Dates in one format.
    Date,
    /// Codes that say the general first, such as postal codes.
    Code,
    /// Anything else.
    Text,
}

impl ColumnKind {
    /// The word used in comments.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Code => "code",
            Self::Text => "text",
        }
    }
}

/// What a column holds.
#[derive(Debug, Clone)]
pub(super) struct Profile {
    /// All records of the table.
    pub(super) records: u64,
    /// Records without a value.
    pub(super) missing: u64,
    /// Distinct values; the missing value counts as one.
    pub(super) distinct: u64,
    /// Whether there are more: counting stopped there.
    pub(super) capped: bool,
    /// What the values look like.
    pub(super) kind: ColumnKind,
    /// A ladder that fits all of them.
    pub(super) ladder: Builder,
    /// Whether they are long texts.
    pub(super) is_prose: bool,
    /// Whether they number the records without a gap.
    pub(super) is_serial: bool,
    /// How many of them are words that commonly mean missing.
    pub(super) missing_words: usize,
}

impl Profile {
    /// Whether nearly every record that has a value has its own.
    pub(super) fn is_near_unique(&self) -> bool {
        let present = self.records - self.missing;
        let distinct = self.distinct - u64::from(self.missing > 0);
        self.capped || (distinct >= 2 && u128::from(distinct) * 10 > u128::from(present) * 9)
    }

    /// Whether all records are alike in this column.
    pub(super) fn is_constant(&self) -> bool {
        self.distinct <= 1
    }

    /// Whether each record has its own value and no ladder joins any: a release refuses such a quasi-identifier.
    pub(super) fn is_beyond_joining(&self) -> bool {
        self.ladder == Builder::None && (self.capped || self.distinct >= self.records)
    }
}

/// Profiles each column of a table.
pub(super) fn profiles(source: &Source, memory: usize, progress: &dyn Progress) -> Result<Vec<Profile>> {
    let columns = source.columns().len();
    let places: Vec<usize> = (0..columns).collect();
    let limit = memory / 4 / columns.max(1);
    let mut found: Vec<ColumnValues> = places.iter().map(|_| ColumnValues::default()).collect();
    let mut records = 0;
    for part in 0..source.parts() {
        for batch in source.read(part, &places)? {
            let batch = batch?;
            for (values, column) in found.iter_mut().zip(batch.columns()) {
                values.take(column_as::<StringArray>(column)?, limit);
            }
            records += batch.num_rows() as u64;
            progress.at(Step::Count, records);
        }
    }
    Ok(found.into_iter().map(|values| values.profile(records)).collect())
}

/// The distinct values of a column, as far as they are kept.
#[derive(Default)]
struct ColumnValues {
    missing: u64,
    distinct: HashSet<String>,
    bytes: usize,
    /// The number of distinct values at which counting stopped, and what they looked like.
    stopped: Option<(u64, ColumnKind)>,
}

impl ColumnValues {
    fn take(&mut self, column: &StringArray, limit: usize) {
        for record in 0..column.len() {
            let value = text(column, record);
            if value == MISSING {
                self.missing += 1;
            } else if self.stopped.is_none() && !self.distinct.contains(value) {
                self.keep(value, limit);
            }
        }
    }

    fn keep(&mut self, value: &str, limit: usize) {
        self.bytes += value.len() + OVERHEAD;
        self.distinct.insert(value.to_owned());
        if self.distinct.len() > MOST_VALUES || self.bytes > limit {
            let sample = std::mem::take(&mut self.distinct);
            self.stopped = Some((sample.len() as u64, kind(&auto::propose(&sorted(&sample)), &sample)));
        }
    }

    /// How many distinct values there are, which ladder fits them, and what they look like.
    fn look(&self) -> (u64, Builder, ColumnKind) {
        if let Some((distinct, kind)) = self.stopped {
            return (distinct, Builder::None, kind);
        }
        let ladder = auto::propose(&sorted(&self.distinct));
        let kind = kind(&ladder, &self.distinct);
        (self.distinct.len() as u64, ladder, kind)
    }

    fn profile(self, records: u64) -> Profile {
        let has_missing = u64::from(self.missing > 0);
        let (distinct, ladder, kind) = self.look();
        Profile {
            records,
            missing: self.missing,
            distinct: distinct + has_missing,
            capped: self.stopped.is_some(),
            kind,
            ladder,
            is_prose: is_prose(&self.distinct),
            is_serial: self.missing == 0 && records == distinct && is_serial(&self.distinct),
            missing_words: self.distinct.iter().filter(|value| means_missing(value)).count(),
        }
    }
}

fn sorted(values: &HashSet<String>) -> Vec<String> {
    let mut values: Vec<String> = values.iter().cloned().collect();
    values.sort_unstable();
    values
}

fn kind(ladder: &Builder, values: &HashSet<String>) -> ColumnKind {
    let all_numbers = || !values.is_empty() && values.iter().all(|value| decimal::canonical(value).is_some());
    match ladder {
        Builder::Intervals { .. } => ColumnKind::Number,
        Builder::Date { .. } => ColumnKind::Date,
        Builder::Prefix { .. } => ColumnKind::Code,
        _ if all_numbers() => ColumnKind::Number,
        _ => ColumnKind::Text,
    }
}

/// Long texts: 40 characters or five words, in the mean.
fn is_prose(values: &HashSet<String>) -> bool {
    let mean =
        |measure: fn(&str) -> usize| values.iter().map(|value| measure(value)).sum::<usize>() / values.len().max(1);
    mean(|value| value.chars().count()) >= 40 || mean(|value| value.split_whitespace().count()) >= 5
}

/// The fewest records for which a sequence of whole numbers is no coincidence.
const FEWEST_SERIAL: usize = 20;

/// Whole numbers without a gap.
fn is_serial(values: &HashSet<String>) -> bool {
    let whole = |value: &String| Decimal::parse(value)?.at(0);
    let numbers: Option<HashSet<i128>> = values.iter().map(whole).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() == values.len()) else { return false };
    let range = numbers.iter().max().zip(numbers.iter().min()).and_then(|(last, first)| last.checked_sub(*first));
    numbers.len() >= FEWEST_SERIAL && range.and_then(|range| usize::try_from(range).ok()) == Some(numbers.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(cells: &[&str], limit: usize) -> Profile {
        let mut values = ColumnValues::default();
        values.take(&StringArray::from(cells.to_vec()), limit);
        values.profile(cells.len() as u64)
    }

    #[test]
    fn the_missing_value_counts_as_one() {
        let found = profile(&["a", "", "b", "a", ""], usize::MAX);
        assert_eq!((found.records, found.missing, found.distinct, found.capped), (5, 2, 3, false));
        assert!(!found.is_near_unique() && !found.is_constant());
        assert!(profile(&["", ""], usize::MAX).is_constant());
        assert!(profile(&["x", "", "y"], usize::MAX).is_near_unique());
        assert!(!profile(&["x", ""], usize::MAX).is_near_unique());
    }

    #[test]
    fn kinds_are_told_apart() {
        let kind = |cells: &[&str]| profile(cells, usize::MAX).kind;
        assert_eq!(kind(&["1", "2.5", "30", ""]), ColumnKind::Number);
        assert_eq!(kind(&["0", "1"]), ColumnKind::Number);
        assert_eq!(kind(&["2026-03-29", "2025-01-01"]), ColumnKind::Date);
        assert_eq!(kind(&["69115", "01067"]), ColumnKind::Code);
        assert_eq!(kind(&["1,000", "2", "3"]), ColumnKind::Text);
        assert_eq!(kind(&["", ""]), ColumnKind::Text);
    }

    #[test]
    fn values_beyond_the_limit_are_forgotten() {
        let found = profile(&["1", "2", "3", "4", "5"], 3 * OVERHEAD);
        assert!(found.capped && found.is_near_unique() && found.is_beyond_joining());
        assert_eq!((found.kind, found.distinct, found.ladder), (ColumnKind::Number, 3, Builder::None));
    }

    #[test]
    fn numbered_records_are_noticed() {
        let numbers: Vec<String> = (100..130).map(|number| number.to_string()).collect();
        let cells: Vec<&str> = numbers.iter().map(String::as_str).collect();
        assert!(profile(&cells, usize::MAX).is_serial);
        assert!(!profile(&cells[..5], usize::MAX).is_serial);
        assert!(!profile(&[&cells[..25], &["7"]].concat(), usize::MAX).is_serial);
        assert!(!profile(&[&cells[..], &["100"]].concat(), usize::MAX).is_serial);
    }
}
