//! A decimal number as a fraction of whole numbers, so that thresholds are compared exactly.
//!
//! `0.2` is one fifth here, although no binary number is. Digits beyond the ninth decimal are cut off. Products are taken in
//! 128 bits, which holds for tables of up to 2⁴⁰ records.

use crate::card::{Parameters, number};

/// Digits behind the point that are told apart.
const DIGITS: u32 = 9;

/// Numbers beyond this are taken for it.
const MOST: u64 = 1_000_000;

/// A number of at least 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ratio {
    pub numerator: u128,
    pub denominator: u128,
}

impl Ratio {
    /// A parameter that was checked against a card.
    pub(super) fn read(parameters: &Parameters, name: &str) -> Self {
        Self::from(number(parameters, name))
    }

    /// One more.
    pub(super) fn plus_one(self) -> Self {
        Self { numerator: self.numerator + self.denominator, denominator: self.denominator }
    }
}

impl From<f64> for Ratio {
    fn from(number: f64) -> Self {
        let denominator = 10_u128.pow(DIGITS);
        match in_units(number.clamp(0.0, MOST as f64)).0 {
            0 => Self { numerator: 0, denominator: 1 },
            numerator => {
                let divisor = greatest_common_divisor(numerator, denominator);
                Self { numerator: numerator / divisor, denominator: denominator / divisor }
            }
        }
    }
}

/// A number of at least 0 in units of the last digit that is told apart, and whether digits beyond it were cut off.
pub(super) fn in_units(number: f64) -> (u128, bool) {
    let written = number.max(0.0).to_string();
    let (whole, digits) = written.split_once('.').unwrap_or((&written, ""));
    let told: String = digits.chars().chain("0".repeat(DIGITS as usize).chars()).take(DIGITS as usize).collect();
    let read = |text: &str| text.parse::<u128>().unwrap_or(0);
    (read(whole) * 10_u128.pow(DIGITS) + read(&told), digits.len() > DIGITS as usize)
}

fn greatest_common_divisor(one: u128, other: u128) -> u128 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let ratio = |number: f64| (Ratio::from(number).numerator, Ratio::from(number).denominator);
        assert_eq!([0.2, 4.0, 0.0, 1.0, 2.5].map(ratio), [(1, 5), (4, 1), (0, 1), (1, 1), (5, 2)]);
        assert_eq!(ratio(1e-12), (0, 1));
        assert_eq!(ratio(1e12), (1_000_000, 1));
        assert_eq!(Ratio::from(0.5).plus_one(), Ratio { numerator: 3, denominator: 2 });
    }
}
