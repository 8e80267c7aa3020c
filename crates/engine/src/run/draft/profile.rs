//! What a column holds, as far as its role depends on it.

use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::hierarchy::{Builder, auto};
use hashbrown::HashSet;

use super::ladder::ColumnLadder;
use super::values::{ColumnKind, ValueCounts, kind};
use crate::read::missing::means_missing;

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
    pub(super) ladder: ColumnLadder,
    /// Whether they are sentences.
    pub(super) is_prose: bool,
    /// Whether they number the records without a gap.
    pub(super) is_serial: bool,
    /// How many of them are words that commonly mean missing.
    pub(super) missing_words: usize,
    /// How many records have each value, missing ones too; none where counting stopped.
    pub(super) counts: Vec<u64>,
}

impl Profile {
    /// What values are in a table of so many records, on this ladder.
    pub(super) fn new(column: &ValueCounts, records: u64, ladder: ColumnLadder) -> Self {
        let has_missing = u64::from(column.missing > 0);
        let values = column.counts.values();
        let (distinct, kind) =
            column.stopped.unwrap_or_else(|| (values.len() as u64, kind(&auto::propose(&values), &values)));
        Self {
            records,
            missing: column.missing,
            distinct: distinct + has_missing,
            capped: column.stopped.is_some(),
            kind,
            ladder,
            is_prose: is_prose(&values),
            is_serial: column.missing == 0 && records == distinct && is_serial(&values),
            missing_words: values.iter().filter(|value| means_missing(value)).count(),
            counts: column
                .counts
                .frequencies()
                .into_iter()
                .chain((column.missing > 0).then_some(column.missing))
                .collect(),
        }
    }

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
        self.ladder.builder == Builder::None && (self.capped || self.distinct >= self.records)
    }
}

/// Sentences: 40 characters or five words in the mean, or one value in ten has 60 characters or eight words.
fn is_prose(values: &[String]) -> bool {
    let length = |value: &String| value.chars().count();
    let words = |value: &String| value.split_whitespace().count();
    let sum = |measure: &dyn Fn(&String) -> usize| values.iter().map(measure).sum::<usize>();
    let long = values.iter().filter(|value| length(value) >= 60 || words(value) >= 8).count();
    let count = values.len().max(1);
    sum(&length) >= 40 * count || sum(&words) >= 5 * count || (long > 0 && long * 10 >= count)
}

/// The fewest records for which a sequence of whole numbers is no coincidence.
const FEWEST_SERIAL: usize = 20;

/// Whole numbers without a gap.
fn is_serial(values: &[String]) -> bool {
    let whole = |value: &String| Decimal::parse(value)?.at(0);
    let numbers: Option<HashSet<i128>> = values.iter().map(whole).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() == values.len()) else { return false };
    let range = numbers.iter().max().zip(numbers.iter().min()).and_then(|(last, first)| last.checked_sub(*first));
    numbers.len() >= FEWEST_SERIAL && range.and_then(|range| usize::try_from(range).ok()) == Some(numbers.len() - 1)
}

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;

    use super::*;
    use crate::count::values::OVERHEAD;

    fn profile(cells: &[&str], limit: usize) -> Profile {
        let mut values = ValueCounts::default();
        values.take(&StringArray::from(cells.to_vec()), limit);
        let ladder = ColumnLadder::proposed(&values);
        Profile::new(&values, cells.len() as u64, ladder)
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
    fn sentences_are_told_from_words() {
        let is_prose = |cells: &[&str]| profile(cells, usize::MAX).is_prose;
        assert!(!is_prose(&["married", "never married", "widowed"]) && !is_prose(&[]));
        assert!(is_prose(&["fell down the stairs on Tuesday", "came with her daughter, who lives next door"]));
        // Most are short, and some are not.
        assert!(is_prose(&["ok", "none", "fine", "asks to call Mr Briarstone at home after six in the evening"]));
    }

    #[test]
    fn records_of_each_value_are_counted() {
        assert_eq!(profile(&["a", "b", "a", "", "a", "b"], usize::MAX).counts, [3, 2, 1]);
    }

    #[test]
    fn values_beyond_the_limit_are_forgotten() {
        let found = profile(&["1", "2", "3", "4", "5"], 3 * OVERHEAD);
        assert!(found.capped && found.is_near_unique() && found.is_beyond_joining());
        assert_eq!((found.kind, found.distinct, found.ladder.builder), (ColumnKind::Number, 3, Builder::None));
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
