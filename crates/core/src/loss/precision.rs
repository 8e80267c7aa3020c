//! Precision (Prec): how far up their ladders the variables stand.
//!
//! The mean over the variables of level divided by highest level, or the weighted mean with `weights = "points"`. It looks
//! neither at the data nor at suppression.
//!
//! Source: Sweeney 2002; El Emam et al. 2009. Spec: `specs/loss/precision.md`.

use super::weights::{self, total, weights};
use super::{LossMember, PerCell, fixed};
use crate::card::{Card, Parameters, Promise};
use crate::frequency::Table;

pub(super) const MEMBER: LossMember = LossMember {
    card: Card {
        name: "precision",
        summary: "mean share of the ladder that the variables climb (Prec)",
        about: "Each variable pays its level divided by its highest level, whatever the data look like. Quick to \
                explain and blind to what a level does to the records; suppression is not charged.",
        promises: &[Promise::ChargesNoSuppression, Promise::InWords("depends on the node alone")],
        parameters: &[weights::PARAMETER],
        source: "L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, IJUFKS \
                 10(5), 2002",
    },
    build: |table, parameters| Box::new(precision(table, parameters)),
};

fn precision(table: &Table, parameters: &Parameters) -> PerCell {
    let weights = weights(table, parameters);
    let climbed = |height: u8, weight: f64| -> Vec<u128> {
        let share = |level: u8| f64::from(level) / f64::from(height.max(1));
        (0..=height).map(|level| u128::from(fixed(weight * share(level)))).collect()
    };
    let variables = table.variables.iter().zip(&weights);
    let cost = variables.map(|(variable, &weight)| climbed(variable.hierarchy.height(), weight)).collect();
    PerCell { cost, charge: Vec::new(), divisor: total(&weights) }
}
