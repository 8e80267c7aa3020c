//! Equal rewritten rows become one row that says how often it stands there.
//!
//! A release has many records that look alike: that is its purpose. Counting them while they are rewritten leaves few
//! rows to sort. The rows of a part of the table are gathered in a hash table of a limited size; when it is full, and at
//! the end, it is handed on and emptied. Where most rows differ, as with notes in free text, gathering stops and rows are
//! handed on as they are.

use std::hash::BuildHasher;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, StringArray, StringBuilder, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use crate::count::typed;
use crate::encode::text;
use crate::error::{Error, Result};
use crate::source::Batches;

/// The column that says how often a row stands there.
pub const TIMES: &str = "times";
/// Rows that are handed on at once.
const BATCH: usize = 8192;
/// After so many rows it is clear whether gathering helps.
const TRIAL: u64 = 1 << 16;

/// The same columns and how often each row stands there.
#[must_use]
pub fn counted_schema(schema: &SchemaRef) -> SchemaRef {
    let times = Arc::new(Field::new(TIMES, DataType::UInt64, false));
    Arc::new(Schema::new(schema.fields().iter().cloned().chain([times]).collect::<Vec<_>>()))
}

/// Gathers the rows of batches of words and texts, in about so many bytes.
#[must_use]
pub fn gathered(batches: Batches, schema: &SchemaRef, bytes: usize) -> Batches {
    let columns = schema.fields().iter().map(|field| match field.data_type() {
        DataType::UInt64 => None,
        _ => Some(Texts::default()),
    });
    Box::new(Gatherer {
        batches: Some(batches),
        schema: counted_schema(schema),
        texts: columns.collect(),
        rows: schema.fields().iter().map(|_| Vec::new()).collect(),
        times: Vec::new(),
        places: HashTable::new(),
        hasher: DefaultHashBuilder::default(),
        bytes,
        seen: 0,
        passes: false,
        leaving: Vec::new(),
    })
}

/// Texts of a column, numbered.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, u64>,
    bytes: usize,
}

impl Texts {
    fn number(&mut self, text: &str) -> u64 {
        let next = self.numbers.len() as u64;
        *self.numbers.entry_ref(text).or_insert_with(|| {
            self.bytes += text.len() + 64;
            next
        })
    }

    /// The texts by number; none are left.
    fn take(&mut self) -> Vec<String> {
        let mut texts = vec![String::new(); self.numbers.len()];
        for (text, number) in self.numbers.drain() {
            if let Some(slot) = usize::try_from(number).ok().and_then(|number| texts.get_mut(number)) {
                *slot = text;
            }
        }
        self.bytes = 0;
        texts
    }
}

struct Gatherer {
    batches: Option<Batches>,
    schema: SchemaRef,
    /// For each column that is text its texts.
    texts: Vec<Option<Texts>>,
    /// The distinct rows, column by column: words, or numbers of texts.
    rows: Vec<Vec<u64>>,
    times: Vec<u64>,
    /// Where the rows are, by hash.
    places: HashTable<u32>,
    hasher: DefaultHashBuilder,
    bytes: usize,
    seen: u64,
    /// Whether rows are handed on as they are.
    passes: bool,
    leaving: Vec<RecordBatch>,
}

impl Iterator for Gatherer {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.leaving.pop() {
                return Some(Ok(batch));
            }
            let outcome = match self.batches.as_mut()?.next() {
                Some(Ok(batch)) if self.passes => return Some(self.pass(&batch)),
                Some(Ok(batch)) => self.gather(&batch),
                Some(Err(error)) => Err(error),
                None => {
                    self.batches = None;
                    self.hand_on()
                }
            };
            if let Err(error) = outcome {
                self.batches = None;
                return Some(Err(error));
            }
        }
    }
}

impl Gatherer {
    fn gather(&mut self, batch: &RecordBatch) -> Result<()> {
        let mut columns: Vec<Vec<u64>> = Vec::with_capacity(self.rows.len());
        for (column, texts) in batch.columns().iter().zip(&mut self.texts) {
            columns.push(match texts {
                None => typed::<UInt64Array>(column)?.values().to_vec(),
                Some(texts) => {
                    let values = typed::<StringArray>(column)?;
                    (0..values.len()).map(|row| texts.number(text(values, row))).collect()
                }
            });
        }
        for row in 0..batch.num_rows() {
            self.add(&columns, row)?;
        }
        self.seen += batch.num_rows() as u64;
        let distinct = self.times.len() as u64;
        self.passes = self.seen >= TRIAL && self.seen < 2 * TRIAL && distinct > self.seen / 2;
        if self.passes || self.size() > self.bytes { self.hand_on() } else { Ok(()) }
    }

    fn add(&mut self, columns: &[Vec<u64>], row: usize) -> Result<()> {
        let cell = |column: &Vec<u64>| column.get(row).copied().unwrap_or(0);
        let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hash = self.hasher.hash_one(columns.iter().map(cell).fold(0, mix));
        let (rows, hasher) = (&self.rows, &self.hasher);
        let is_same = |place: &u32| {
            rows.iter().zip(columns).all(|(known, column)| known.get(*place as usize).copied() == Some(cell(column)))
        };
        let hash_of = |place: &u32| {
            hasher.hash_one(rows.iter().map(|known| known.get(*place as usize).copied().unwrap_or(0)).fold(0, mix))
        };
        let next = u32::try_from(self.times.len()).map_err(|_| Error::environment("more than 2^32 distinct rows"))?;
        match self.places.entry(hash, is_same, hash_of) {
            hashbrown::hash_table::Entry::Occupied(known) => {
                if let Some(times) = self.times.get_mut(*known.get() as usize) {
                    *times += 1;
                }
            }
            hashbrown::hash_table::Entry::Vacant(free) => {
                free.insert(next);
                self.times.push(1);
                for (known, column) in self.rows.iter_mut().zip(columns) {
                    known.push(cell(column));
                }
            }
        }
        Ok(())
    }

    /// About the bytes it takes: vectors and tables may be half empty.
    fn size(&self) -> usize {
        let texts: usize = self.texts.iter().flatten().map(|texts| texts.bytes).sum();
        2 * (texts + self.times.len() * (8 * (self.rows.len() + 1) + 5))
    }

    /// Puts all rows on their way out.
    fn hand_on(&mut self) -> Result<()> {
        self.places.clear();
        let times = std::mem::take(&mut self.times);
        let rows: Vec<Vec<u64>> = self.rows.iter_mut().map(std::mem::take).collect();
        let texts: Vec<Option<Vec<String>>> =
            self.texts.iter_mut().map(|texts| texts.as_mut().map(Texts::take)).collect();
        for start in (0..times.len()).step_by(BATCH) {
            let end = times.len().min(start + BATCH);
            let column = |(row, texts): (&Vec<u64>, &Option<Vec<String>>)| -> ArrayRef {
                let row = row.get(start..end).unwrap_or_default();
                match texts {
                    None => Arc::new(UInt64Array::from(row.to_vec())),
                    Some(texts) => Arc::new(written(row, texts)),
                }
            };
            let mut arrays: Vec<ArrayRef> = rows.iter().zip(&texts).map(column).collect();
            arrays.push(Arc::new(UInt64Array::from(times.get(start..end).unwrap_or_default().to_vec())));
            let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays);
            self.leaving.push(batch.map_err(|_| Error::environment("an internal step failed"))?);
        }
        Ok(())
    }

    /// Rows as they are, each once.
    fn pass(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let mut arrays = batch.columns().to_vec();
        arrays.push(Arc::new(UInt64Array::from(vec![1; batch.num_rows()])));
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
            .map_err(|_| Error::environment("an internal step failed"))
    }
}

fn written(numbers: &[u64], texts: &[String]) -> StringArray {
    let mut builder = StringBuilder::new();
    for number in numbers {
        let text = usize::try_from(*number).ok().and_then(|number| texts.get(number));
        builder.append_option(text.filter(|text| !text.is_empty()));
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(words: &[u64], texts: &[Option<&str>]) -> RecordBatch {
        let schema = Schema::new(vec![Field::new("0", DataType::UInt64, false), Field::new("1", DataType::Utf8, true)]);
        let words: ArrayRef = Arc::new(UInt64Array::from(words.to_vec()));
        let texts: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        RecordBatch::try_new(Arc::new(schema), vec![words, texts]).unwrap()
    }

    /// All rows with how often they stand there.
    fn rows(batches: Vec<RecordBatch>, bytes: usize) -> Vec<(u64, String, u64)> {
        let schema = batches[0].schema();
        let mut rows = Vec::new();
        for batch in gathered(Box::new(batches.into_iter().map(Ok)), &schema, bytes) {
            let batch = batch.unwrap();
            let (words, times) =
                (typed::<UInt64Array>(batch.column(0)).unwrap(), typed::<UInt64Array>(batch.column(2)).unwrap());
            let texts = typed::<StringArray>(batch.column(1)).unwrap();
            rows.extend(
                (0..batch.num_rows()).map(|row| (words.value(row), text(texts, row).to_owned(), times.value(row))),
            );
        }
        rows
    }

    #[test]
    fn equal_rows_become_one() {
        let batches = || vec![batch(&[1, 1, 2], &[Some("a"), Some("a"), None]), batch(&[2, 1], &[None, Some("b")])];
        let mut found = rows(batches(), 1 << 20);
        found.sort();
        let row = |word, text: &str, times| (word, text.to_owned(), times);
        assert_eq!(found, [row(1, "a", 2), row(1, "b", 1), row(2, "", 2)]);
        // With no room every batch is handed on for itself.
        assert_eq!(rows(batches(), 0).iter().map(|(.., times)| times).sum::<u64>(), 5);
    }

    #[test]
    fn rows_that_differ_pass() {
        let many = |from: u64| batch(&(from..from + 50_000).collect::<Vec<_>>(), &vec![Some("x"); 50_000]);
        let found = rows(vec![many(0), many(50_000), many(100_000)], 1 << 30);
        assert_eq!((found.len(), found.iter().all(|(.., times)| *times == 1)), (150_000, true));
    }
}
