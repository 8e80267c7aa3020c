//! What models see of a class: how many records, or people, it has, and how often each value of a variable occurs.
//!
//! Values are counted as a reader sees them: spellings of one value count once, and the missing value is one of them.
//! People are counted where the original is at hand: then a person counts once in a class, and once for each value.

use std::collections::{BTreeMap, HashMap};

use super::{Promises, Variable};
use crate::spelling;

/// How often each value occurs, by the number that it has among all values of its variable.
pub(crate) type ValueCounts = BTreeMap<u32, u64>;

/// The records, or people, that share a key.
pub(crate) struct Class {
    pub size: u64,
    /// For each watched variable.
    pub counts: Box<[ValueCounts]>,
}

/// A class, as models see it.
#[derive(Clone, Copy)]
pub(crate) struct ClassView<'a> {
    pub size: u64,
    /// How often each value of the model's variable occurs.
    pub values: &'a ValueCounts,
}

impl ClassView<'_> {
    pub fn distinct(self) -> u64 {
        self.values.len() as u64
    }
}

/// The values of a variable, each with a number.
#[derive(Default)]
pub(crate) struct ValueNumbers {
    numbers: HashMap<Box<str>, u32>,
    /// The same by cells as they are written: most are read once.
    written: HashMap<Box<str>, u32>,
    seen: String,
}

impl ValueNumbers {
    /// The number of the value that a reader sees in a cell; new ones are numbered as they come.
    pub fn number(&mut self, cell: &str) -> u32 {
        if let Some(number) = self.written.get(cell) {
            return *number;
        }
        spelling::read(cell, &mut self.seen);
        // More than four thousand million values of one variable share the last number: they look alike, and fail.
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(self.seen.as_str().into()).or_insert(next);
        self.written.insert(cell.into(), number);
        number
    }

    /// The values in the order of their numbers.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts = vec![""; self.numbers.len()];
        for (text, number) in &self.numbers {
            if let Some(place) = texts.get_mut(*number as usize) {
                *place = text;
            }
        }
        texts
    }
}

/// What a class has of a variable that nobody watches.
static NO_VALUES: ValueCounts = ValueCounts::new();

impl Class {
    /// The class as a model sees it; `variable` is the place of its variable among those that are watched.
    pub fn view(&self, variable: Option<usize>) -> ClassView<'_> {
        let values = variable.and_then(|place| self.counts.get(place)).unwrap_or(&NO_VALUES);
        ClassView { size: self.size, values }
    }

    pub fn empty(promises: &Promises) -> Self {
        Self { size: 0, counts: promises.variables.iter().map(|_| ValueCounts::new()).collect() }
    }

    /// Counts a record in, as often as it stands there; `value` gives the number of its value of a variable.
    pub fn add(&mut self, promises: &Promises, times: u64, mut value: impl FnMut(usize, &Variable) -> u32) {
        self.size += times;
        for (place, (counts, variable)) in self.counts.iter_mut().zip(&promises.variables).enumerate() {
            // Who only asks for a number of distinct values needs no more of them.
            if variable.enough.is_none_or(|enough| (counts.len() as u64) < enough) {
                *counts.entry(value(place, variable)).or_default() += times;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_remembers_no_more_values_than_its_promises_ask_for() {
        let variable = |enough| Variable { column: 0, enough };
        let promises = Promises { models: Vec::new(), variables: vec![variable(Some(2)), variable(None)] };
        let (mut class, mut values) = (Class::empty(&promises), ValueNumbers::default());
        for cell in ["a", "a", "b", "C", "c", "d"] {
            class.add(&promises, 1, |_, _| values.number(cell));
        }
        assert_eq!((class.size, class.counts[0].len(), class.counts[1].len()), (6, 2, 4));
        assert_eq!(values.texts(), ["a", "b", "c", "d"]);
    }
}
