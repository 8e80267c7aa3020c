//! Precision (Prec): how far up their ladders the variables stand.
//!
//! The mean over the variables of level divided by highest level. It looks neither at the data nor at suppression.
//!
//! Source: Sweeney 2002; El Emam et al. 2009. Spec: `specs/loss/precision.md`.

use super::{Member, PerCell, fixed};
use crate::card::Card;
use crate::frequency::Table;

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "precision",
        summary: "mean share of the ladder that the variables climb (Prec)",
        about: "Each variable pays its level divided by its highest level, whatever the data look like. Quick to \
                explain and blind to what a level does to the records; suppression is not charged.",
        promises: &["does not charge suppression", "depends on the node alone"],
        parameters: &[],
        source: "L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, IJUFKS \
                 10(5), 2002",
    },
    charges_suppression: false,
    weighs_variables: false,
    build: |table| Box::new(precision(table)),
};

fn precision(table: &Table) -> PerCell {
    let climbed = |height: u8| -> Vec<u128> {
        (0..=height).map(|level| u128::from(fixed(f64::from(level) / f64::from(height.max(1))))).collect()
    };
    let cost = table.variables.iter().map(|variable| climbed(variable.hierarchy.height())).collect();
    PerCell { cost, charge: Vec::new(), cells: table.variables.len().max(1) as f64 }
}
