//! Values as codes while they are counted.
//!
//! Counting works on integers: a column's values get numbers in the order in which they are met, by whichever thread
//! meets them, so the numbers mean nothing outside the run. What an operator spills to disk is therefore free of values.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, Int32Array, StringArray};
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
    pub fn encode<'a>(&self, texts: impl Iterator<Item = &'a str>, codes: &mut Vec<u32>) -> Result<()> {
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

/// Encodes one column of one part of a table: each text of a dictionary that the file brings along is looked up once, when a record
/// has it. What no record has is no value of the table.
#[derive(Debug, Default)]
pub struct Coder {
    /// The dictionary met last, with the numbers of those of its texts that occurred.
    known: Option<(ArrayRef, Vec<Option<u32>>)>,
    missing: Vec<u32>,
}

impl Coder {
    /// The numbers of a column's values, put into `codes`.
    pub fn encode(&mut self, column: &ArrayRef, dictionary: &Dictionary, codes: &mut Vec<u32>) -> Result<()> {
        let Some(brought) = column.as_dictionary_opt::<Int32Type>() else {
            let values = column_as::<StringArray>(column)?;
            return dictionary.encode((0..values.len()).map(|record| text(values, record)), codes);
        };
        let keys = brought.keys();
        self.meet(brought.values(), keys, dictionary)?;
        let numbers = self.known.as_ref().map_or(&[][..], |(_, numbers)| numbers);
        if keys.null_count() > 0 && self.missing.is_empty() {
            dictionary.encode(std::iter::once(""), &mut self.missing)?;
        }
        let missing = self.missing.first().copied().unwrap_or_default();
        let number = |&key: &i32| place(key).and_then(|place| *numbers.get(place)?).unwrap_or(missing);
        codes.clear();
        codes.extend(keys.values().iter().map(number));
        if let Some(nulls) = keys.nulls().filter(|nulls| nulls.null_count() > 0) {
            for (code, valid) in codes.iter_mut().zip(nulls) {
                *code = if valid { *code } else { missing };
            }
        }
        Ok(())
    }

    /// Looks up those texts of a dictionary that occur here for the first time.
    fn meet(&mut self, texts: &ArrayRef, keys: &Int32Array, dictionary: &Dictionary) -> Result<()> {
        if self.known.as_ref().is_none_or(|(met, _)| !is_same(met, texts)) {
            self.known = Some((Arc::clone(texts), vec![None; texts.len()]));
        }
        let Some((_, numbers)) = &mut self.known else { return Ok(()) };
        let mut fresh = Vec::new();
        for place in keys.iter().flatten().filter_map(place) {
            if let Some(number @ None) = numbers.get_mut(place) {
                *number = Some(0);
                fresh.push(place);
            }
        }
        let (values, mut found) = (column_as::<StringArray>(texts)?, Vec::new());
        dictionary.encode(fresh.iter().map(|place| text(values, *place)), &mut found)?;
        for (place, number) in fresh.into_iter().zip(found) {
            numbers[place] = Some(number);
        }
        Ok(())
    }
}

fn place(key: i32) -> Option<usize> {
    usize::try_from(key).ok()
}

fn poisoned() -> Error {
    Error::environment("a reading thread failed")
}

#[cfg(test)]
mod tests {
    use arrow_array::DictionaryArray;

    use super::*;

    #[test]
    fn texts_that_no_record_has_are_no_values() {
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["unused", "x", "behind a null", "y"]));
        let column = |keys: Vec<i32>, valid: Vec<bool>| -> ArrayRef {
            let keys = Int32Array::new(keys.into(), Some(valid.into()));
            Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(&texts)).unwrap())
        };
        let (mut coder, dictionary, mut found) = (Coder::default(), Dictionary::default(), Vec::new());
        coder.encode(&column(vec![1, 2, 1], vec![true, false, true]), &dictionary, &mut found).unwrap();
        assert_eq!(found, [0, 1, 0]);
        coder.encode(&column(vec![3, 1], vec![true, true]), &dictionary, &mut found).unwrap();
        assert_eq!(found, [2, 0]);
        assert_eq!(dictionary.into_values().unwrap(), ["x", "", "y"]);
    }
}
