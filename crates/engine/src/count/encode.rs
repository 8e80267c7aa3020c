//! Values as codes while they are counted.
//!
//! Counting works on integers: a column's values get numbers in the order in which they are met, by whichever thread
//! meets them, so the numbers mean nothing outside the run. What an operator spills to disk is therefore free of values.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, StringArray};
use hashbrown::HashMap;

use crate::error::{Error, Result};
use crate::read::cells::{column_as, is_same, text};

/// The values of one column, numbered.
#[derive(Debug, Default)]
pub struct Dictionary {
    numbers: RwLock<HashMap<String, u32>>,
    values: AtomicUsize,
    bytes: AtomicUsize,
}

/// How often a value is in memory at once: counted, fitted to its ladder, labelled, rewritten.
const COPIES: usize = 4;
/// What it takes in memory besides its text.
const OVERHEAD: usize = 48;

impl Dictionary {
    /// The numbers of texts, put into `codes`; the missing value is the empty text.
    pub(crate) fn encode<'a>(&self, texts: impl Iterator<Item = &'a str>, codes: &mut Vec<u32>) -> Result<()> {
        codes.clear();
        let mut unknown = Vec::new();
        {
            let numbers = self.numbers.read().map_err(|_| poisoned())?;
            for (place, text) in texts.enumerate() {
                let code = numbers.get(text).copied();
                unknown.extend(code.is_none().then_some((place, text)));
                codes.push(code.unwrap_or_default());
            }
        }
        if !unknown.is_empty() {
            let mut numbers = self.numbers.write().map_err(|_| poisoned())?;
            for (place, text) in unknown {
                let next = u32::try_from(numbers.len())
                    .map_err(|_| Error::environment("a column has more than 2^32 distinct values"))?;
                codes[place] = *numbers.entry_ref(text).or_insert_with(|| {
                    self.bytes.fetch_add(COPIES * (text.len() + OVERHEAD), Ordering::Relaxed);
                    next
                });
            }
            self.values.store(numbers.len(), Ordering::Release);
        }
        Ok(())
    }

    /// How many values there are by now: more than any number that was given out.
    #[must_use]
    pub fn size(&self) -> usize {
        self.values.load(Ordering::Acquire)
    }

    /// About how much memory the values take in a run.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// All values, each at the place of its number.
    pub fn into_values(self) -> Result<Vec<String>> {
        let numbers = self.numbers.into_inner().map_err(|_| poisoned())?;
        let mut values = vec![String::new(); numbers.len()];
        for (value, number) in numbers {
            values[number as usize] = value;
        }
        Ok(values)
    }
}

/// Encodes one column of one part of a table: a dictionary that the file brings along is looked up once.
#[derive(Debug, Default)]
pub struct Coder {
    /// The dictionary met last, with the number of each of its texts.
    known: Option<(ArrayRef, Vec<u32>)>,
    missing: Vec<u32>,
}

impl Coder {
    /// The numbers of a column's values, put into `codes`.
    pub fn encode(&mut self, column: &ArrayRef, dictionary: &Dictionary, codes: &mut Vec<u32>) -> Result<()> {
        let Some(brought) = column.as_dictionary_opt::<Int32Type>() else {
            let values = column_as::<StringArray>(column)?;
            return dictionary.encode((0..values.len()).map(|record| text(values, record)), codes);
        };
        let texts = brought.values();
        if self.known.as_ref().is_none_or(|(met, _)| !is_same(met, texts)) {
            let values = column_as::<StringArray>(texts)?;
            let mut numbers = Vec::new();
            dictionary.encode((0..values.len()).map(|place| text(values, place)), &mut numbers)?;
            self.known = Some((Arc::clone(texts), numbers));
        }
        let numbers = self.known.as_ref().map_or(&[][..], |(_, numbers)| numbers);
        let keys = brought.keys();
        if keys.null_count() > 0 && self.missing.is_empty() {
            dictionary.encode(std::iter::once(""), &mut self.missing)?;
        }
        let missing = self.missing.first().copied().unwrap_or_default();
        let number =
            |&key: &i32| usize::try_from(key).ok().and_then(|key| numbers.get(key)).copied().unwrap_or(missing);
        codes.clear();
        codes.extend(keys.values().iter().map(number));
        if let Some(nulls) = keys.nulls().filter(|nulls| nulls.null_count() > 0) {
            for (code, valid) in codes.iter_mut().zip(nulls) {
                *code = if valid { *code } else { missing };
            }
        }
        Ok(())
    }
}

fn poisoned() -> Error {
    Error::environment("a reading thread failed")
}
