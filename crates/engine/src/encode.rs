//! Values as codes while they are counted.
//!
//! Counting works on integers: a column's values get numbers in the order in which they are met, by whichever thread
//! meets them, so the numbers mean nothing outside the run. What an operator spills to disk is therefore free of values.

use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::{Array, StringArray, UInt32Array};
use hashbrown::HashMap;

use crate::error::{Error, Result};

/// The values of one column, numbered.
#[derive(Debug, Default)]
pub struct Dictionary {
    numbers: RwLock<HashMap<String, u32>>,
    bytes: AtomicUsize,
}

/// How often a value is in memory at once: counted, fitted to its ladder, labelled, rewritten.
const COPIES: usize = 4;
/// What it takes in memory besides its text.
const OVERHEAD: usize = 48;

impl Dictionary {
    /// The numbers of a column's values; the missing value is the empty text.
    pub fn encode(&self, values: &StringArray) -> Result<UInt32Array> {
        let mut codes = Vec::with_capacity(values.len());
        let mut unknown = Vec::new();
        {
            let numbers = self.numbers.read().map_err(|_| poisoned())?;
            for row in 0..values.len() {
                let code = numbers.get(text(values, row)).copied();
                unknown.extend(code.is_none().then_some(row));
                codes.push(code.unwrap_or_default());
            }
        }
        if !unknown.is_empty() {
            let mut numbers = self.numbers.write().map_err(|_| poisoned())?;
            for row in unknown {
                let next = u32::try_from(numbers.len())
                    .map_err(|_| Error::environment("a column has more than 2^32 distinct values"))?;
                let value = text(values, row);
                codes[row] = *numbers.entry_ref(value).or_insert_with(|| {
                    self.bytes.fetch_add(COPIES * (value.len() + OVERHEAD), Ordering::Relaxed);
                    next
                });
            }
        }
        Ok(UInt32Array::from(codes))
    }

    /// About how much memory the values take in a run.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The values, each at the place of its number.
    pub fn values(&self) -> Result<Vec<String>> {
        let numbers = self.numbers.read().map_err(|_| poisoned())?;
        let mut values = vec![String::new(); numbers.len()];
        for (value, &number) in numbers.iter() {
            values[number as usize].clone_from(value);
        }
        Ok(values)
    }
}

/// The value in a row; the missing value is the empty text.
#[must_use]
pub fn text(values: &StringArray, row: usize) -> &str {
    if values.is_null(row) { "" } else { values.value(row) }
}

fn poisoned() -> Error {
    Error::environment("a reading thread failed")
}
