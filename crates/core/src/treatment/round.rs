//! Rounding: the nearest multiple, ties to the even one.
//!
//! Exact in decimal. Ties that always went up would make sums grow. Limit: rounding hides digits, not large numbers; a
//! top does that.

use super::UntreatedCell;
use crate::card::{Card, Kind, Parameter, Promise};
use crate::hierarchy::decimal::Decimal;

pub(super) static CARD: Card = Card {
    name: "round",
    summary: "numbers become the nearest multiple",
    about: "Write `round = 100` beside a column of numbers that is sensitive or insensitive. A number half-way between two \
            multiples goes to the even one. Models that look at a sensitive column see the rounded numbers. A \
            quasi-identifying column has a ladder instead: `hierarchy = { intervals = [100] }`.",
    promises: &[Promise::InWords(
        "each released number is a multiple, at most half of one away from the collected number",
    )],
    parameters: &[Parameter::required("round", Kind::Above(0), "numbers become multiples of this one")],
    source: "IEEE 754-2019, rounding to nearest, ties to even",
};

/// The nearest multiple.
pub(super) fn nearest(number: Decimal, width: Decimal) -> Result<Decimal, UntreatedCell> {
    let rounded = || {
        let low = number.floor_to(width)?;
        let rest = number.minus(low)?;
        let is_even = || Some(low.floor_to(width.plus(width)?)? == low);
        let up = match rest.plus(rest)?.cmp(&width) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => !is_even()?,
            std::cmp::Ordering::Greater => true,
        };
        if up { low.plus(width) } else { Some(low) }
    };
    rounded().ok_or(UntreatedCell::Unreadable)
}
