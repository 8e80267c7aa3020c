//! The records and classes of the original and of the release, counted side by side.
//!
//! A record stands there as sixteen bytes of its hash, so memory grows with the distinct records and not with their cells.

use std::collections::HashMap;

use crate::cells::{CellHash, Stamp};

/// How often something is in the original and in the release.
#[derive(Clone, Copy, Default)]
struct Times {
    original: u64,
    released: u64,
}

/// What is counted on which side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Original,
    Released,
}

/// The counts.
#[derive(Default)]
pub(super) struct Tally {
    records: HashMap<Stamp, Times>,
    classes: HashMap<Stamp, Times>,
    cells: CellHash,
    key: CellHash,
}

impl Tally {
    /// Takes a cell of the record at hand; `in_key` says whether it tells classes apart.
    pub fn cell(&mut self, text: &str, in_key: bool) {
        self.cells.push(text);
        if in_key {
            self.key.push(text);
        }
    }

    /// The record at hand is complete; its class.
    pub fn end(&mut self, side: Side) -> Stamp {
        let (record, class) = (self.cells.stamp(), self.key.stamp());
        self.records.entry(record).or_default().count(side);
        self.classes.entry(class).or_default().count(side);
        class
    }

    /// Takes a cell that tells released classes apart, although what it was made of cannot be told.
    pub fn released_label(&mut self, text: &str) {
        self.key.push(text);
    }

    pub fn is_released(&self, class: &Stamp) -> bool {
        self.classes.get(class).is_some_and(|times| times.released > 0)
    }

    /// How many released records the original does not have.
    pub fn strangers(&self) -> u64 {
        self.records.values().map(|times| times.released.saturating_sub(times.original)).sum()
    }

    /// How many original records are not released.
    pub fn withheld(&self) -> u64 {
        self.records.values().map(|times| times.original.saturating_sub(times.released)).sum()
    }

    /// How many classes are released in part: neither wholly nor not at all.
    pub fn parted(&self) -> usize {
        self.classes.values().filter(|times| times.released > 0 && times.released != times.original).count()
    }
}

impl Times {
    fn count(&mut self, side: Side) {
        match side {
            Side::Original => self.original += 1,
            Side::Released => self.released += 1,
        }
    }
}
