//! How often each value of a column occurs, each column by itself.
//!
//! Whoever wants to know the values of columns and not their keys counts here: drafts, hierarchies and balances. Columns that
//! are counted together are counted by [`count`](super::count), and columns that are only looked at by a
//! [`Sketch`](super::Sketch), which keeps no values.

use arrow_array::{Array, StringArray};
use hashbrown::HashMap;

use super::beyond_memory;
use crate::error::Result;
use crate::progress::{Progress, Step};
use crate::read::Source;
use crate::read::cells::{column_as, text};

/// What a kept value costs besides its characters.
pub(crate) const OVERHEAD: usize = 48;

/// The distinct values of a column, and how many records have each; the missing value is the empty text.
#[derive(Debug, Default)]
pub(crate) struct ValueTally {
    records: HashMap<String, u64>,
    bytes: usize,
}

impl ValueTally {
    /// Counts a value; says whether it is new.
    pub(crate) fn add(&mut self, value: &str) -> bool {
        let mut is_new = false;
        *self.records.entry_ref(value).or_insert_with(|| {
            is_new = true;
            0
        }) += 1;
        self.bytes += if is_new { value.len() + OVERHEAD } else { 0 };
        is_new
    }

    /// Counts the cells of a batch.
    pub(crate) fn add_cells(&mut self, cells: &StringArray) {
        for record in 0..cells.len() {
            self.add(text(cells, record));
        }
    }

    /// How many distinct values there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// About how much memory they take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The values in their order.
    pub(crate) fn values(&self) -> Vec<String> {
        let mut values: Vec<String> = self.records.keys().cloned().collect();
        values.sort_unstable();
        values
    }

    /// The values in their order, with their records.
    pub(crate) fn sorted(self) -> Vec<(String, u64)> {
        let mut values: Vec<(String, u64)> = self.records.into_iter().collect();
        values.sort_unstable();
        values
    }

    /// How many records have each value, the most frequent first.
    pub(crate) fn frequencies(&self) -> Vec<u64> {
        let mut counts: Vec<u64> = self.records.values().copied().collect();
        counts.sort_unstable_by(|one, other| other.cmp(one));
        counts
    }
}

/// Reads the columns at these places once, and hands over the cells of each, batch by batch, with the column's place among
/// them; the number of records.
pub(crate) fn read_columns(
    source: &Source,
    places: &[usize],
    progress: &dyn Progress,
    mut take: impl FnMut(usize, &StringArray) -> Result<()>,
) -> Result<u64> {
    let mut records = 0;
    for part in 0..source.parts() {
        for batch in source.read(part, places)? {
            let batch = batch?;
            for (column, cells) in batch.columns().iter().enumerate() {
                take(column, column_as::<StringArray>(cells)?)?;
            }
            records += batch.num_rows() as u64;
            progress.at(Step::Count, records);
        }
    }
    Ok(records)
}

/// How often each value of some columns occurs.
pub(crate) struct Marginals {
    pub records: u64,
    /// The distinct values of each column, in their order.
    pub values: Vec<Vec<String>>,
    /// How many records have each of them.
    pub occurrences: Vec<Vec<u64>>,
}

/// Counts the values of the columns at these places in so much memory.
pub(crate) fn marginals(
    source: &Source,
    places: &[usize],
    memory: usize,
    progress: &dyn Progress,
) -> Result<Marginals> {
    let mut columns: Vec<ValueTally> = places.iter().map(|_| ValueTally::default()).collect();
    let records = read_columns(source, places, progress, |column, cells| {
        columns[column].add_cells(cells);
        let bytes: usize = columns.iter().map(ValueTally::bytes).sum();
        if bytes > memory { Err(beyond_memory("the distinct values do")) } else { Ok(()) }
    })?;
    let (values, occurrences) = columns.into_iter().map(|column| column.sorted().into_iter().unzip()).unzip();
    Ok(Marginals { records, values, occurrences })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_with_their_bytes() {
        let mut counts = ValueTally::default();
        counts.add_cells(&StringArray::from(vec![Some("b"), None, Some("aa"), Some("b")]));
        assert_eq!((counts.len(), counts.bytes(), counts.add("b")), (3, 3 + 3 * OVERHEAD, false));
        assert_eq!(
            (counts.values(), counts.frequencies()),
            (vec![String::new(), "aa".into(), "b".into()], vec![3, 1, 1])
        );
        assert_eq!(counts.sorted(), [(String::new(), 1), ("aa".to_owned(), 1), ("b".to_owned(), 3)]);
    }
}
