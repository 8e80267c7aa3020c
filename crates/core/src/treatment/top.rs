//! Top coding: large numbers become the largest that is released.
//!
//! The few with the highest cost, income or age are known by it. The released number then means "this or more", and the
//! manifest says so. Limit: means and sums shrink.

use crate::card::{Card, Kind, Parameter, Promise};

pub(super) static CARD: Card = Card {
    name: "top",
    summary: "numbers above a limit become the limit",
    about: "Write `top = 5000` beside a column of numbers that is sensitive or insensitive. 5000 in the release then means 5000 or \
            more. It stands beside `round` and `bottom` as well; beside `round` it must be a multiple. A quasi-identifying \
            column has a ladder instead.",
    promises: &[Promise::InWords("no released number is larger")],
    parameters: &[Parameter::required("top", Kind::Number, "the largest number that is released")],
    source: "Hundepool et al. 2012, Statistical Disclosure Control: top and bottom coding",
};
