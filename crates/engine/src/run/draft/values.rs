//! The values of a table: one pass, each column on its own.
//!
//! Distinct values are counted up to a limit of number and memory. A column beyond it is taken for near-unique; its values
//! are forgotten at once, since no useful ladder could be built on so many and counting them would not fit either.

use arrow_array::{Array, StringArray};
use equanym_core::hierarchy::{Builder, MISSING, auto, decimal};
use serde::Serialize;

use crate::count::values::{ValueTally, read_columns};
use crate::error::Result;
use crate::progress::Progress;
use crate::read::Source;
use crate::read::cells::text;

/// The most distinct values of a column that are kept.
const MOST_VALUES: usize = 1_000_000;

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
    let mut columns: Vec<ValueCounts> = places.iter().map(|_| ValueCounts::default()).collect();
    let records = read_columns(source, &places, progress, |column, cells| {
        columns[column].take(cells, limit);
        Ok(())
    })?;
    Ok(TableValues { records, columns })
}

/// The distinct values of a column with their records, as far as they are kept.
#[derive(Default)]
pub(super) struct ValueCounts {
    pub(super) missing: u64,
    /// Those that are kept.
    pub(super) counts: ValueTally,
    /// The number of distinct values at which counting stopped, and what they looked like.
    pub(super) stopped: Option<(u64, ColumnKind)>,
}

impl ValueCounts {
    pub(super) fn take(&mut self, column: &StringArray, limit: usize) {
        for record in 0..column.len() {
            let value = text(column, record);
            if value == MISSING {
                self.missing += 1;
            } else if self.stopped.is_none() && self.counts.add(value) {
                self.stop_beyond(limit);
            }
        }
    }

    /// Forgets the values where there are too many of them.
    fn stop_beyond(&mut self, limit: usize) {
        if self.counts.len() > MOST_VALUES || self.counts.bytes() > limit {
            let sample = std::mem::take(&mut self.counts).values();
            self.stopped = Some((sample.len() as u64, kind(&auto::propose(&sample), &sample)));
        }
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
