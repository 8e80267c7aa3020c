//! What watches the records go by. Each observer holds one thought (an order, a count, a grouping) and judges at the end.

use csv::StringRecord;

use crate::Check;

/// A record on the way, with the one before it. Records that stand behind each other and are alike are seen as one.
pub(crate) struct Record<'a> {
    /// Counts from 1; the header is no record. Of alike ones that of the first.
    pub number: u64,
    /// How many there are of it.
    pub times: u64,
    /// Its numbers are plain decimals.
    pub cells: &'a StringRecord,
    /// As it stands in the file.
    pub written: &'a StringRecord,
    pub previous: Option<&'a StringRecord>,
}

impl Record<'_> {
    /// A cell; the reader gives every record as many cells as the header, so an absent one cannot occur and reads as missing.
    pub fn cell(&self, column: usize) -> &str {
        self.cells.get(column).unwrap_or_default()
    }
}

/// Records that break a rule: how many, and the first of them.
#[derive(Default)]
pub(crate) struct Faults {
    count: u64,
    first: u64,
}

impl Faults {
    pub fn add(&mut self, record: &Record<'_>) {
        if self.count == 0 {
            self.first = record.number;
        }
        self.count += record.times;
    }

    /// `3 cells are wrong, the first in record 7`; nothing where there is none.
    pub fn tell(&self, what: &str) -> Option<String> {
        (self.count > 0).then(|| format!("{} {what} record {}", self.count, self.first))
    }
}

/// Sees every record, then judges.
pub(crate) trait Observer {
    fn see(&mut self, record: &Record<'_>);
    fn judge(self: Box<Self>) -> Vec<Check>;
}
