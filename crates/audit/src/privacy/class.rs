//! What models see of a class: how many records, or people, it has, and how often each value of a variable occurs.
//!
//! Values are counted as a reader sees them: spellings of one value count once, and the missing value is one of them.
//! People are counted where the original is at hand: then a person counts once in a class, and once for each value.

use std::collections::{BTreeMap, HashMap};

use super::Promises;
use crate::spelling;

/// How often each value occurs, by the number that it has among all values of its variable.
pub(crate) type Counts = BTreeMap<u32, u64>;

/// The records, or people, that share a key.
pub(crate) struct Class {
    pub size: u64,
    /// For each watched variable.
    pub counts: Box<[Counts]>,
}

/// The values of a variable, each with a number.
#[derive(Default)]
pub(crate) struct Values {
    numbers: HashMap<Box<str>, u32>,
    seen: String,
}

impl Values {
    /// The number of the value that a reader sees in a cell; new ones are numbered as they come.
    pub fn number(&mut self, cell: &str) -> u32 {
        spelling::read(cell, &mut self.seen);
        if let Some(number) = self.numbers.get(self.seen.as_str()) {
            return *number;
        }
        // More than four thousand million values of one variable share the last number: they look alike, and fail.
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        self.numbers.insert(self.seen.as_str().into(), next);
        next
    }

    /// The number of a value that was seen before.
    pub fn known(&self, seen: &str) -> Option<u32> {
        self.numbers.get(seen).copied()
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

impl Class {
    pub fn empty(promises: &Promises) -> Self {
        Self { size: 0, counts: promises.variables.iter().map(|_| Counts::new()).collect() }
    }

    /// Counts values in, as often as they stand there; for each variable the number of its value.
    pub fn add(&mut self, promises: &Promises, values: impl Iterator<Item = u32>, times: u64) {
        self.size += times;
        for ((counts, variable), value) in self.counts.iter_mut().zip(&promises.variables).zip(values) {
            // Who only asks for a number of distinct values needs no more of them.
            let is_enough = variable.enough.is_some_and(|enough| counts.len() as u64 >= enough);
            if let Some(count) = counts.get_mut(&value) {
                *count += times;
            } else if !is_enough {
                counts.insert(value, times);
            }
        }
    }
}
