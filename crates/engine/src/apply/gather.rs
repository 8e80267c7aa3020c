//! Equal rewritten rows become one key that says how often it stands there.
//!
//! A release has many records that look alike: that is its purpose. Counting them while they are rewritten leaves few
//! keys to sort. The keys of a part of the table are gathered in a hash table of a limited size; when it is full, and at
//! the end, it is handed on and emptied. Where most rows differ, as with notes in free text, that happens often, and what
//! is handed on is as much as was read.

use std::sync::Arc;

use arrow::array::{BinaryBuilder, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use hashbrown::HashMap;

use super::coded::{Coded, Memory};
use crate::error::{Error, Result};
use crate::source::Batches;

/// The column of keys.
pub const KEY: &str = "key";
/// Rows that are handed on at once, and about the bytes.
const ROWS: usize = 8192;
const BYTES: usize = 1 << 20;
/// What a key takes besides its bytes: its entry in the table, which may be half empty, and what memory is dealt out in.
const OVERHEAD: usize = 96;

/// Keys, and how often each stands there.
#[must_use]
pub fn schema() -> SchemaRef {
    let times = Field::new("times", DataType::UInt64, false);
    Arc::new(Schema::new(vec![Field::new(KEY, DataType::Binary, false), times]))
}

/// Rewrites batches and gathers their keys, in about so many bytes.
#[must_use]
pub fn gathered(batches: Batches, coded: Arc<Coded>, bytes: usize) -> Batches {
    let (memory, counts) = (Memory::default(), HashMap::new());
    Box::new(Gatherer { batches: Some(batches), coded, memory, counts, used: 0, bytes, leaving: Vec::new() })
}

struct Gatherer {
    batches: Option<Batches>,
    coded: Arc<Coded>,
    memory: Memory,
    counts: HashMap<Vec<u8>, u64>,
    /// About the bytes in use.
    used: usize,
    bytes: usize,
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
        let (counts, used) = (&mut self.counts, &mut self.used);
        self.coded.rewrite(batch, &mut self.memory, |key| {
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

fn batch(keys: &mut BinaryBuilder, times: &mut Vec<u64>) -> Result<RecordBatch> {
    let times = Arc::new(UInt64Array::from(std::mem::take(times)));
    RecordBatch::try_new(schema(), vec![Arc::new(keys.finish()), times])
        .map_err(|_| Error::environment("an internal step failed"))
}
