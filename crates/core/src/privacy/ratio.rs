//! A decimal number as a fraction of whole numbers, so that thresholds are compared exactly.
//!
//! `0.2` is one fifth here, although no binary number is. Digits beyond the ninth decimal are cut off. Products are taken in
//! 128 bits, which holds for tables of up to 2⁴⁰ records.

use crate::card::{Parameters, number};

/// Digits behind the point that are told apart.
const DIGITS: usize = 9;

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
        let written = number.clamp(0.0, MOST as f64).to_string();
        let (whole, digits) = written.split_once('.').unwrap_or((&written, ""));
        let digits: String = digits.chars().chain("0".repeat(DIGITS).chars()).take(DIGITS).collect();
        let read = |text: &str| text.parse::<u128>().unwrap_or(0);
        let denominator = 10_u128.pow(9);
        let (numerator, common) = (read(whole) * denominator + read(&digits), denominator);
        let divisor = greatest_common_divisor(numerator.max(1), common);
        if numerator == 0 {
            Self { numerator, denominator: 1 }
        } else {
            Self { numerator: numerator / divisor, denominator: denominator / divisor }
        }
    }
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
