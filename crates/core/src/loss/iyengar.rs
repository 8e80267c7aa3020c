//! Iyengar's loss metric (LM): how much of its domain a cell's label covers.
//!
//! A cell loses (size of its label − 1) / (size of the domain − 1), where sizes count the values that the ladder lists,
//! those that do not occur in the table included: 0 as collected, 1 fully generalised. A suppressed cell loses 1. The
//! loss is the mean over the cells, or the weighted mean with `weights = "points"`. A variable whose domain is one value
//! tells nothing and loses nothing.
//!
//! It is separable: a look-up per variable, with the bound of [`PerCell`](super::PerCell).
//!
//! Source: Iyengar 2002. Spec: `specs/loss/iyengar.md`.

use super::label_size::by_label_size;
use super::weights::{self, total, weights};
use super::{LossMember, PerCell};
use crate::card::{Card, Parameters, Promise};
use crate::frequency::Table;

pub(super) const MEMBER: LossMember = LossMember {
    card: Card {
        name: "iyengar",
        summary: "mean share of its domain that a cell's label covers (LM)",
        about: "Each cell pays the share of the other values of its domain that its label could stand for: 0 as \
                collected, 1 fully generalised or suppressed. The domain is every value that the ladder lists, so the \
                number does not depend on which of them occur; how often they occur is not asked. Easy to explain and \
                comparable across tables with the same ladders.",
        promises: &[
            Promise::ChargesAsFullGeneralisation,
            Promise::ZeroToOne,
            Promise::InWords("is a table look-up per variable where nothing is suppressed"),
        ],
        parameters: &[weights::PARAMETER],
        source: "V. Iyengar, Transforming data to satisfy privacy constraints, KDD 2002",
    },
    build: |table, parameters| Box::new(iyengar(table, parameters)),
};

fn iyengar(table: &Table, parameters: &Parameters) -> PerCell {
    let weights = weights(table, parameters);
    let divisor = table.records.max(1) as f64 * total(&weights);
    by_label_size(table, &weights, divisor, |size, domain| (size - 1.0).max(0.0) / (domain - 1.0).max(1.0))
}
