//! Tables with as many columns as one likes, which depend on each other.
//!
//! Each record belongs to one of a few profiles. In three columns of four it shows the value of its profile, in the others
//! any value, small ones more often. Independent columns would be harder than life and identical ones easier. A column has
//! 16 ordered values and a ladder of four levels: the values, pairs, fours, `*`.

use equanym_core::frequency::Table;
use equanym_core::hierarchy::Builder;

use crate::failure::Result;
use crate::table::{Encoder, tabulate};

/// The records of every table.
pub const RECORDS: usize = 20_000;

const VALUES: u64 = 16;
const PROFILES: u64 = 12;

/// A table of so many columns; the same number gives the same table.
pub fn table(columns: usize) -> Result<Table> {
    let mut draw = Draw(columns as u64);
    let profiles: Vec<Vec<u64>> = (0..PROFILES).map(|_| (0..columns).map(|_| draw.below(VALUES)).collect()).collect();
    let mut encoder = Encoder::new(columns);
    for _ in 0..RECORDS {
        let profile =
            profiles.iter().cycle().nth(usize::try_from(draw.below(PROFILES))?).map_or(&[][..], Vec::as_slice);
        let record: Vec<String> = profile.iter().map(|&value| label(draw.cell(value))).collect();
        encoder.push(&record);
    }
    let ladder = Builder::Order { values: (0..VALUES).map(label).collect(), sizes: vec![2, 4] };
    let names: Vec<String> = (1..=columns).map(|number| format!("column {number}")).collect();
    tabulate(&names, &vec![ladder; columns], &encoder.keys())
}

fn label(value: u64) -> String {
    format!("{value:02}")
}

/// Numbers by chance, the same on every machine. Source: Steele, Lea, Flood 2014 (`SplitMix64`).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a small limit; the tiny bias does not matter here.
    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// The profile's value or, in one case of four, any other, small ones more often.
    fn cell(&mut self, usual: u64) -> u64 {
        if self.below(4) > 0 { usual } else { self.below(VALUES).min(self.below(VALUES)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_the_same_each_time() {
        let (one, other) = (table(5).unwrap(), table(5).unwrap());
        assert_eq!(one.keys(), other.keys());
        assert_eq!((one.records, one.lattice().size()), (RECORDS as u64, 4_u128.pow(5)));
        assert!(one.first_unnested().is_none());
    }
}
