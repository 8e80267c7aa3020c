//! Height: how many steps up the lattice a node stands.
//!
//! The sum of the levels. It looks neither at the data nor at suppression, nor at what a level does: on ladders of
//! different lengths a step of the short one hides more. It never falls on the way up, so the lowest node bounds an
//! interval.
//!
//! Source: Samarati 2001. Spec: `specs/loss/height.md`.

use super::{LossMember, PerCell, fixed};
use crate::card::{Card, Promise};
use crate::frequency::Table;

pub(super) const MEMBER: LossMember = LossMember {
    card: Card {
        name: "height",
        summary: "sum of the levels",
        about: "Counts the steps of generalisation, whatever the data and the ladders look like; suppression is not \
                charged. The oldest of the losses: use it to compare with publications, or where each step was made \
                to weigh the same.",
        promises: &[Promise::ChargesNoSuppression, Promise::InWords("depends on the node alone")],
        parameters: &[],
        source: "P. Samarati, Protecting respondents' identities in microdata release, TKDE 13(6), 2001",
    },
    build: |table, _| Box::new(height(table)),
};

fn height(table: &Table) -> PerCell {
    let steps = |top: u8| (0..=top).map(|level| u128::from(fixed(f64::from(level)))).collect();
    let cost = table.variables.iter().map(|variable| steps(variable.hierarchy.height())).collect();
    PerCell { cost, charge: Vec::new(), divisor: 1.0 }
}
