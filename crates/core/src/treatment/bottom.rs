//! Bottom coding: small numbers become the smallest that is released.
//!
//! The mirror of [`top`](super::top), with the same limits.

use crate::card::{Card, Kind, Parameter, Promise};

pub(super) static CARD: Card = Card {
    name: "bottom",
    summary: "numbers below a limit become the limit",
    about: "Write `bottom = 15` beside a column of numbers that is sensitive or insensitive. 15 in the release then means 15 or \
            less. It stands beside `round` and `top` as well; beside `round` it must be a multiple. A quasi-identifying column \
            has a ladder instead.",
    promises: &[Promise::InWords("no released number is smaller")],
    parameters: &[Parameter::required("bottom", Kind::Number, "the smallest number that is released")],
    source: "Hundepool et al. 2012, Statistical Disclosure Control: top and bottom coding",
};
