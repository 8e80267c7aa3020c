//! Ranges of local recoding: as many original values lie in each as records carry it.
//!
//! Which record became which range cannot be told. But whoever carries a range had a value in it, so no range has more
//! records than the original has values there; `*` fits every value, missing ones too.
//!
//! Limit: columns are looked at one by one.

use std::collections::HashMap;

use crate::Check;
use crate::decimal::{Decimal, NumberPlace};
use crate::labels::{TOP, range_ends};
use crate::manifest::Column;

/// The values of a column and the ranges that its records carry.
#[derive(Default)]
pub(super) struct Ranges {
    values: HashMap<Box<str>, u64>,
    labels: HashMap<Box<str>, u64>,
}

impl Ranges {
    /// For a column whose labels are ranges.
    pub fn new(column: &Column) -> Option<Self> {
        (column.label_rule() == Some("range")).then(Self::default)
    }

    pub fn collected(&mut self, value: &str) {
        count(&mut self.values, value);
    }

    pub fn released(&mut self, label: &str) {
        count(&mut self.labels, label);
    }

    pub fn judge(&self, name: &str) -> Check {
        let numbers = Numbers::sort(&self.values);
        let wrong = self.labels.iter().filter(|(label, times)| self.held(label, &numbers) < **times).count();
        let found = if wrong == 0 { "they do".to_owned() } else { format!("{wrong} ranges do not") };
        let claim = format!("the ranges of column {name:?} hold as many original values as records");
        Check::new("original-ranges", wrong == 0, claim, found)
    }

    /// How many original values a label fits.
    fn held(&self, label: &str, numbers: &Numbers) -> u64 {
        match label {
            TOP => self.values.values().sum(),
            "" => self.values.get("").copied().unwrap_or(0),
            _ => {
                let ends = range_ends(label).and_then(|(low, high)| low.place().zip(high.place()));
                ends.map_or(0, |(low, high)| numbers.between(low, high))
            }
        }
    }
}

/// Numbers in their order, each with how many there are up to it.
struct Numbers(Vec<(NumberPlace, u64)>);

impl Numbers {
    fn sort(values: &HashMap<Box<str>, u64>) -> Self {
        let numbers = values.iter().filter_map(|(value, times)| Some((Decimal::collected(value)?.place()?, *times)));
        let mut numbers: Vec<(NumberPlace, u64)> = numbers.collect();
        numbers.sort_unstable();
        let mut sum = 0;
        for (_, times) in &mut numbers {
            sum += *times;
            *times = sum;
        }
        Self(numbers)
    }

    fn between(&self, low: NumberPlace, high: NumberPlace) -> u64 {
        let before = |count: usize| count.checked_sub(1).and_then(|last| self.0.get(last)).map_or(0, |(_, sum)| *sum);
        let below = before(self.0.partition_point(|(place, _)| *place < low));
        before(self.0.partition_point(|(place, _)| *place <= high)).saturating_sub(below)
    }
}

fn count(times: &mut HashMap<Box<str>, u64>, text: &str) {
    if let Some(known) = times.get_mut(text) {
        *known += 1;
    } else {
        times.insert(text.into(), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_no_more_records_than_values() {
        let judge = |values: &[&str], labels: &[&str]| {
            let mut ranges = Ranges::default();
            for value in values {
                ranges.collected(value);
            }
            for label in labels {
                ranges.released(label);
            }
            ranges.judge("x").passed
        };
        let values = ["1", "2.50", "2.5", "-7", "1e1", ""];
        for fits in [&["[1, 2.5]"; 3][..], &["2.5", "2.5", "10"], &["*"; 6], &["-7", "[1, 10]", ""], &["[-10, 3]"; 4]] {
            assert!(judge(&values, fits), "{fits:?}");
        }
        for strange in [&["[1, 2.5]"; 4][..], &["3"], &["*"; 7], &["", ""], &["[3, 9]"], &["x"]] {
            assert!(!judge(&values, strange), "{strange:?}");
        }
    }
}
