//! The values of a table: one pass, each column on its own.
//!
//! Distinct values are counted up to a limit of number and memory. A column beyond it is taken for near-unique; its values
//! are forgotten at once, since no useful ladder could be built on so many and counting them would not fit either.

use arrow_array::{Array, StringArray};
use equanym_core::hierarchy::{Builder, MISSING, auto, decimal};
use hashbrown::HashMap;
use serde::Serialize;

use crate::error::Result;
use crate::progress::{Progress, Step};
use crate::read::Source;
use crate::read::cells::{column_as, text};

/// The most distinct values of a column that are kept.
const MOST_VALUES: usize = 1_000_000;

/// What a kept value costs besides its characters.
pub(super) const OVERHEAD: usize = 48;

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

/// What was seen of a table.
pub(super) struct TableValues {
    pub(super) records: u64,
    /// For each column its values.
    pub(super) columns: Vec<ValueCounts>,
}

/// Looks at each column of a table.
pub(super) fn look(source: &Source, memory: usize, progress: &dyn Progress) -> Result<TableValues> {
    let columns = source.columns().len();
    let places: Vec<usize> = (0..columns).collect();
    let limit = memory / 4 / columns.max(1);
    let mut found: Vec<ValueCounts> = places.iter().map(|_| ValueCounts::default()).collect();
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
    Ok(TableValues { records, columns: found })
}

/// The distinct values of a column with their records, as far as they are kept.
#[derive(Default)]
pub(super) struct ValueCounts {
    pub(super) missing: u64,
    counts: HashMap<String, u64>,
    bytes: usize,
    /// The number of distinct values at which counting stopped, and what they looked like.
    pub(super) stopped: Option<(u64, ColumnKind)>,
}

impl ValueCounts {
    pub(super) fn take(&mut self, column: &StringArray, limit: usize) {
        for record in 0..column.len() {
            let value = text(column, record);
            if value == MISSING {
                self.missing += 1;
            } else if let Some(count) = self.counts.get_mut(value) {
                *count += 1;
            } else if self.stopped.is_none() {
                self.keep(value, limit);
            }
        }
    }

    fn keep(&mut self, value: &str, limit: usize) {
        self.bytes += value.len() + OVERHEAD;
        self.counts.insert(value.to_owned(), 1);
        if self.counts.len() > MOST_VALUES || self.bytes > limit {
            let sample = self.sorted();
            self.counts = HashMap::new();
            self.stopped = Some((sample.len() as u64, kind(&auto::propose(&sample), &sample)));
        }
    }

    /// The values that are kept.
    pub(super) fn sorted(&self) -> Vec<String> {
        let mut values: Vec<String> = self.counts.keys().cloned().collect();
        values.sort_unstable();
        values
    }

    /// The values that are kept, in their order, with their records.
    pub(super) fn counted(self) -> Vec<(String, u64)> {
        let mut values: Vec<(String, u64)> = self.counts.into_iter().collect();
        values.sort_unstable();
        values
    }

    /// How many records have each value, the most frequent first.
    pub(super) fn frequencies(&self) -> Vec<u64> {
        let mut counts: Vec<u64> = self.counts.values().copied().collect();
        counts.sort_unstable_by(|one, other| other.cmp(one));
        counts
    }
}

/// What values look like that this ladder was proposed for.
pub(super) fn kind(ladder: &Builder, values: &[String]) -> ColumnKind {
    let all_numbers = || !values.is_empty() && values.iter().all(|value| decimal::canonical(value).is_some());
    match ladder {
        Builder::Intervals { .. } => ColumnKind::Number,
        Builder::Date { .. } => ColumnKind::Date,
        Builder::Prefix { .. } | Builder::Library(_) => ColumnKind::Code,
        _ if all_numbers() => ColumnKind::Number,
        _ => ColumnKind::Text,
    }
}
