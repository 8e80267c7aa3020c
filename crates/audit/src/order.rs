//! Canonical order: records sorted by all columns from left to right, as bytes, missing first.
//!
//! The order of the original may say who was admitted first; a sorted table says nothing.

use std::cmp::Ordering;

use crate::Check;
use crate::observer::{Faults, Observer, Record};

/// Finds records that stand before the one they should follow.
pub(crate) struct OrderObserver<'a> {
    claimed: &'a str,
    misplaced: Faults,
}

impl<'a> OrderObserver<'a> {
    pub fn new(claimed: &'a str) -> Self {
        Self { claimed, misplaced: Faults::default() }
    }
}

impl Observer for OrderObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        let order = record.previous.map_or(Ordering::Less, |previous| previous.iter().cmp(record.cells.iter()));
        if order == Ordering::Greater {
            self.misplaced.add(record);
        }
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        let misplaced = self.misplaced.tell("records out of order, the first is");
        let is_sorted = misplaced.is_none();
        let found = misplaced.unwrap_or_else(|| "sorted".to_owned());
        vec![match self.claimed {
            "canonical" => Check::new("order", is_sorted, "canonical order", found),
            "input" => Check::new("order", true, "the order of the input, which is handed over", "not judged"),
            _ => Check::new("order", false, "an order not known to this audit", found),
        }]
    }
}
