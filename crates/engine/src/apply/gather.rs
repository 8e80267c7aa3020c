//! Equal rows become one key that says how often it stands there.
//!
//! A release has many records that look alike: that is its purpose. Counting them while they are rewritten leaves few
//! keys to sort. Executors of a cluster count the keys of a table in the same way. The keys of a part of the table are gathered in a hash table of a limited size; when it is full, and at
//! the end, it is handed on and emptied. Where most rows differ, as with notes in free text, that happens often, and what
//! is handed on is as much as was read.

use std::sync::Arc;

use arrow::array::{BinaryBuilder, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use hashbrown::HashMap;

use crate::error::{Error, Result};
use crate::source::Batches;

/// The column of keys.
pub const KEY: &str = "key";
/// The column that says how often.
pub const TIMES: &str = "times";
/// Rows that are handed on at once, and about the bytes.
const ROWS: usize = 8192;
const BYTES: usize = 1 << 20;
/// What a key takes besides its bytes: its entry in the table, which may be half empty, and what memory is dealt out in.
const OVERHEAD: usize = 96;

/// Turns batches into keys.
pub trait Keyed: Send {
    /// Hands over the key of each row that counts.
    fn keys(&mut self, batch: &RecordBatch, take: impl FnMut(&[u8])) -> Result<()>;
}

/// Keys, and how often each stands there.
#[must_use]
pub fn schema() -> SchemaRef {
    let times = Field::new(TIMES, DataType::UInt64, false);
    Arc::new(Schema::new(vec![Field::new(KEY, DataType::Binary, false), times]))
}

/// Gathers the keys of batches, in about so many bytes.
#[must_use]
pub fn gathered(batches: Batches, keyed: impl Keyed + 'static, bytes: usize) -> Batches {
    let counts = HashMap::new();
    Box::new(Gatherer { batches: Some(batches), keyed, counts, used: 0, bytes, leaving: Vec::new() })
}

struct Gatherer<K> {
    batches: Option<Batches>,
    keyed: K,
    counts: HashMap<Vec<u8>, u64>,
    /// About the bytes in use.
    used: usize,
    bytes: usize,
    leaving: Vec<RecordBatch>,
}

impl<K: Keyed> Iterator for Gatherer<K> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.leaving.pop() {
                return Some(Ok(batch));
            }
            let outcome = match self.batches.as_mut()?.next() {
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

impl<K: Keyed> Gatherer<K> {
    fn gather(&mut self, batch: &RecordBatch) -> Result<()> {
        let (counts, used) = (&mut self.counts, &mut self.used);
        self.keyed.keys(batch, |key| {
            *counts.entry_ref(key).or_insert_with(|| {
                *used += key.len() + OVERHEAD;
                0
            }) += 1;
        })?;
        if self.used > self.bytes { self.hand_on() } else { Ok(()) }
    }

    /// Puts all keys on their way out.
    fn hand_on(&mut self) -> Result<()> {
        self.used = 0;
        let (mut keys, mut times, mut bytes) = (BinaryBuilder::new(), Vec::new(), 0);
        for (key, count) in self.counts.drain() {
            keys.append_value(&key);
            times.push(count);
            bytes += key.len();
            if times.len() == ROWS || bytes > BYTES {
                self.leaving.push(batch(&mut keys, &mut times)?);
                bytes = 0;
            }
        }
        if !times.is_empty() {
            self.leaving.push(batch(&mut keys, &mut times)?);
        }
        Ok(())
    }
}

/// A batch of what was gathered, which is taken.
pub(crate) fn batch(keys: &mut BinaryBuilder, times: &mut Vec<u64>) -> Result<RecordBatch> {
    let times = Arc::new(UInt64Array::from(std::mem::take(times)));
    RecordBatch::try_new(schema(), vec![Arc::new(keys.finish()), times])
        .map_err(|_| Error::environment("an internal step failed"))
}
