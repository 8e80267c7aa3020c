//! Batches of keys and how often each stands there: what rewriting hands to whoever writes, here and on a cluster.

use std::sync::Arc;

use arrow_array::builder::BinaryBuilder;
use arrow_array::{RecordBatch, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::error::{Error, Result};

/// The column of keys.
pub const KEY: &str = "key";
/// The column that says how often.
pub const TIMES: &str = "times";
/// Keys that are handed on at once, and about the bytes.
const KEYS: usize = 8192;
const BYTES: usize = 1 << 20;

/// Keys, and how often each stands there.
#[must_use]
pub fn schema() -> SchemaRef {
    let times = Field::new(TIMES, DataType::UInt64, false);
    Arc::new(Schema::new(vec![Field::new(KEY, DataType::Binary, false), times]))
}

/// A batch in the making.
#[derive(Default)]
pub struct KeyBatch {
    keys: BinaryBuilder,
    times: Vec<u64>,
    bytes: usize,
}

impl KeyBatch {
    /// Puts a key behind the others.
    pub fn push(&mut self, key: &[u8], times: u64) {
        self.keys.append_value(key);
        self.times.push(times);
        self.bytes += key.len();
    }

    /// Whether it is large enough to be handed on.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.times.len() >= KEYS || self.bytes > BYTES
    }

    /// Whether it has no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The batch; the next one begins.
    pub fn take(&mut self) -> Result<RecordBatch> {
        self.bytes = 0;
        let times = Arc::new(UInt64Array::from(std::mem::take(&mut self.times)));
        RecordBatch::try_new(schema(), vec![Arc::new(self.keys.finish()), times]).map_err(|_| Error::internal())
    }
}
