//! About how many distinct values a column has, and how many of them repeat, in little memory.
//!
//! Of the hashes of all values the smallest are kept, with how often each occurred: a sample of the distinct values that
//! does not depend on the order of records and can be put together from parts. Up to [`SIZE`] distinct values everything
//! is exact; beyond, a share is off by about a hundredth.
//!
//! Source: Bar-Yossef et al. 2002, Counting distinct elements in a data stream.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, StringArray};

use crate::error::Result;
use crate::read::Source;
use crate::read::cells::{column_as, is_same, text};

/// How many hashes are kept.
const SIZE: usize = 8192;

/// How many records are looked at where that is all a column is read for.
const MOST_RECORDS: usize = 200_000;

/// What is known of a column.
#[derive(Debug, Clone, Default)]
pub struct Sketch {
    kept: BTreeMap<u64, u64>,
    /// Records whose value is not missing.
    pub present: u64,
}

impl Sketch {
    /// How many distinct values there are, about.
    #[must_use]
    pub fn distinct(&self) -> f64 {
        match self.kept.last_key_value() {
            Some((last, _)) if self.kept.len() == SIZE => (SIZE - 1) as f64 / (*last as f64 / u64::MAX as f64),
            _ => self.kept.len() as f64,
        }
    }

    /// The share of the distinct values that occur more than once.
    #[must_use]
    pub fn repeating(&self) -> f64 {
        let repeating = self.kept.values().filter(|times| **times > 1).count();
        if self.kept.is_empty() { 0.0 } else { repeating as f64 / self.kept.len() as f64 }
    }

    /// Adds what is known of another part of the column.
    pub(super) fn add_part(&mut self, part: &Self) {
        self.present += part.present;
        part.kept.iter().for_each(|(&hash, &times)| self.add_hash(hash, times));
    }

    fn add_hash(&mut self, hash: u64, times: u64) {
        if times == 0 || (self.kept.len() == SIZE && self.kept.last_key_value().is_some_and(|(last, _)| hash > *last)) {
            return;
        }
        *self.kept.entry(hash).or_default() += times;
        if self.kept.len() > SIZE {
            self.kept.pop_last();
        }
    }
}

/// Looks at the first records of columns that nothing else reads. What cannot be read there is nobody's concern: then
/// nothing is known.
pub(crate) fn look(source: &Source, columns: &[usize]) -> Option<Vec<Sketch>> {
    let mut lookers: Vec<Looker> = columns.iter().map(|_| Looker::default()).collect();
    let mut records = 0;
    let batches = (0..source.parts()).flat_map(|part| match source.read_dictionaries(part, columns) {
        Ok(batches) => batches,
        Err(error) => Box::new(std::iter::once(Err(error))),
    });
    for batch in batches {
        let batch = batch.ok()?;
        lookers.iter_mut().zip(batch.columns()).try_for_each(|(looker, column)| looker.look(column)).ok()?;
        records += batch.num_rows();
        if records >= MOST_RECORDS {
            break;
        }
    }
    lookers.into_iter().map(|looker| looker.finish().ok()).collect()
}

/// Looks at one column of one part of a table. A dictionary that the file brings along is hashed once, when it ends.
#[derive(Debug, Default)]
pub(super) struct Looker {
    pub sketch: Sketch,
    /// The dictionary met last, and how often each of its texts occurred.
    met: Option<(ArrayRef, Vec<u64>)>,
}

impl Looker {
    pub(super) fn look(&mut self, column: &ArrayRef) -> Result<()> {
        let Some(brought) = column.as_dictionary_opt::<Int32Type>() else {
            let values = column_as::<StringArray>(column)?;
            (0..values.len()).for_each(|record| self.add(text(values, record), 1));
            return Ok(());
        };
        if self.met.as_ref().is_none_or(|(met, _)| !is_same(met, brought.values())) {
            self.end_dictionary()?;
            self.met = Some((ArrayRef::clone(brought.values()), vec![0; brought.values().len()]));
        }
        let Some((_, times)) = &mut self.met else { return Ok(()) };
        for place in brought.keys().iter().flatten().filter_map(|key| usize::try_from(key).ok()) {
            times.get_mut(place).into_iter().for_each(|times| *times += 1);
        }
        Ok(())
    }

    /// What is known when the part ends.
    pub(super) fn finish(mut self) -> Result<Sketch> {
        self.end_dictionary()?;
        Ok(self.sketch)
    }

    fn end_dictionary(&mut self) -> Result<()> {
        let Some((values, times)) = self.met.take() else { return Ok(()) };
        let values = column_as::<StringArray>(&values)?;
        times.into_iter().enumerate().for_each(|(place, times)| self.add(text(values, place), times));
        Ok(())
    }

    fn add(&mut self, value: &str, times: u64) {
        if value.is_empty() {
            return;
        }
        self.sketch.present += times;
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        self.sketch.add_hash(hasher.finish(), times);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(values: impl Iterator<Item = u64>) -> Sketch {
        let mut looker = Looker::default();
        values.for_each(|value| looker.add(&value.to_string(), 1));
        looker.finish().unwrap()
    }

    #[test]
    fn few_values_are_counted() {
        let found = sketch((0..1000).chain(0..100));
        assert_eq!((found.present, found.distinct(), found.repeating()), (1100, 1000.0, 0.1));
    }

    #[test]
    fn many_values_are_estimated() {
        let found = sketch((0..200_000).chain(0..50_000));
        assert!((found.distinct() / 200_000.0 - 1.0).abs() < 0.05, "{}", found.distinct());
        assert!((found.repeating() - 0.25).abs() < 0.03, "{}", found.repeating());
    }

    #[test]
    fn parts_and_order_do_not_matter() {
        let whole = sketch(0..50_000);
        let mut parts = sketch((25_000..50_000).rev());
        parts.add_part(&sketch(0..25_000));
        assert_eq!(whole.kept, parts.kept);
    }
}
