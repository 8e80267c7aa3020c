//! Weighted non-uniform entropy: withheld bits, counted where the recipient cares.
//!
//! Non-uniform entropy with each variable's bits multiplied by its weight: the recipient's user points divided by 100, or
//! with `weights = "given"` the weight from 0 to 1 that stands beside each variable, as equation 4 prints it. A variable
//! without weight costs nothing to generalise. `suppressed = "free"` charges no suppression, as printed.
//!
//! Source: El Emam et al. 2009, appendix. Spec: `specs/loss/weighted-non-uniform-entropy.md`.

use super::{LossMember, non_uniform_entropy::entropy, suppressed, weights};
use crate::card::{Card, Promise};

pub(super) const MEMBER: LossMember = LossMember {
    card: Card {
        name: "weighted-non-uniform-entropy",
        summary: "bits withheld about the cells, weighted by the recipient's points",
        about: "Non-uniform entropy in which each variable counts as much as its user points say: 60 of 100 points \
                make its bits count 0.6 times. With weights = \"given\" the weight of each variable, 0 to 1, is read \
                instead. A suppressed record pays for all its cells as if they were fully generalised; with suppressed \
                = \"free\" it pays for them as they stand at the node.",
        promises: &[Promise::ChargesAsFullGeneralisation, Promise::InWords("half the weight is half the loss")],
        parameters: &[weights::ALWAYS, suppressed::PARAMETER],
        source: "K. El Emam et al., A globally optimal k-anonymity method, JAMIA 16(5), 2009, appendix",
    },
    build: |table, parameters| Box::new(entropy(table, parameters, |variable| table.variables[variable].weight)),
};
