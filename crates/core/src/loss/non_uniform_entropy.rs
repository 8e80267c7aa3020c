//! Non-uniform entropy: the bits that a release withholds about the cells.
//!
//! A cell that shows a label instead of its value withholds log₂(records with the label / records with the value) bits:
//! rare values hidden among many cost more than frequent ones. A suppressed record withholds log₂(records in the table /
//! records with the value) in each cell, as if fully generalised. With `suppressed = "free"` it withholds its cells at the
//! node and nothing more: that is what equation 2 prints, whose sum goes over all records and knows no suppression.
//!
//! Source: Gionis & Tassa 2009; El Emam et al. 2009, appendix. Spec: `specs/loss/non-uniform-entropy.md`.

use super::suppressed::{self, charges};
use super::{LossMember, PerCell};
use crate::card::{Card, Parameters, Promise};
use crate::entropy::{self, Coding};
use crate::frequency::Table;
use crate::hierarchy::Level;

pub(super) const MEMBER: LossMember = LossMember {
    card: Card {
        name: "non-uniform-entropy",
        summary: "bits withheld about the cells, given how often each value occurs",
        about: "Each cell pays the bits one would need to find its value among the records that show the same label. \
                It respects how the data are spread: joining two rare values costs little, hiding a value among many \
                frequent ones costs much. A suppressed record pays for all its cells as if they were fully generalised; \
                with suppressed = \"free\" it pays for them as they stand at the node, as El Emam et al. print it.",
        promises: &[
            Promise::ChargesAsFullGeneralisation,
            Promise::InWords("is a table look-up per variable where nothing is suppressed"),
        ],
        parameters: &[suppressed::PARAMETER],
        source: "A. Gionis, T. Tassa, k-Anonymization with minimal loss of information, TKDE 21(2), 2009; K. El Emam \
                 et al., JAMIA 16(5), 2009, appendix",
    },
    build: |table, parameters| Box::new(entropy(table, parameters, |_| 1.0)),
};

/// The entropy of each cell times the weight of its variable. Without a charge it is the same look-up without its charges.
pub(super) fn entropy(table: &Table, parameters: &Parameters, weight: impl Fn(usize) -> f64) -> PerCell {
    let mut loss = PerCell { divisor: 1.0, ..PerCell::default() };
    for (variable, described) in table.variables.iter().enumerate() {
        let codings = entropy::weighted(&described.hierarchy, table.value_counts(variable), weight(variable));
        let as_collected = codings.first().map_or(0, Coding::told_in_all);
        loss.cost.push(codings.iter().map(|coding| as_collected.saturating_sub(coding.told_in_all())).collect());
        if !charges(parameters) {
            continue;
        }
        let charge =
            |(level, coding): (&Level, &Coding)| level.of.iter().map(|&label| coding.told(label as usize)).collect();
        loss.charge.push(described.hierarchy.levels().iter().zip(&codings).map(charge).collect());
    }
    loss
}
