//! Canonical order: records sorted by all columns from left to right, as bytes, missing first.
//!
//! The order of the original may say who was admitted first; a sorted table says nothing.

use std::cmp::Ordering;

use crate::Check;
use crate::observer::{Observer, Record};

/// Finds records that stand before the one they should follow.
pub(crate) struct OrderObserver<'a> {
    claimed: &'a str,
    misplaced: u64,
    first: Option<u64>,
}

impl<'a> OrderObserver<'a> {
    pub fn new(claimed: &'a str) -> Self {
        Self { claimed, misplaced: 0, first: None }
    }
}

impl Observer for OrderObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        let order = record.previous.map_or(Ordering::Less, |previous| previous.iter().cmp(record.cells.iter()));
        if order == Ordering::Greater {
            self.misplaced += 1;
            self.first.get_or_insert(record.number);
        }
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        let found = match self.first {
            Some(record) => format!("{} records out of order, the first is record {record}", self.misplaced),
            None => "sorted".to_owned(),
        };
        vec![match self.claimed {
            "canonical" => Check::new("order", self.misplaced == 0, "canonical order", found),
            "input" => Check::new("order", true, "the order of the input, which is handed over", "not judged"),
            _ => Check::new("order", false, "an order not known to this audit", found),
        }]
    }
}
