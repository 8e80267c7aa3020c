//! Weighted non-uniform entropy: withheld bits, counted where the recipient cares.
//!
//! Non-uniform entropy with each variable's bits multiplied by its weight: the recipient's user points divided by 100.
//! A variable without points costs nothing to generalise.
//!
//! Source: El Emam et al. 2009, appendix. Spec: `specs/loss/weighted-non-uniform-entropy.md`.

use super::{Member, non_uniform_entropy::entropy};
use crate::card::{Card, Promise};

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "weighted-non-uniform-entropy",
        summary: "bits withheld about the cells, weighted by the recipient's points",
        about: "Non-uniform entropy in which each variable counts as much as its user points say: 60 of 100 points \
                make its bits count 0.6 times. A suppressed record pays for all its cells as if they were fully \
                generalised.",
        promises: &[Promise::ChargesAsFullGeneralisation, Promise::InWords("half the weight is half the loss")],
        parameters: &[],
        source: "K. El Emam et al., A globally optimal k-anonymity method, JAMIA 16(5), 2009, appendix",
    },
    charges_suppression: true,
    weighs_variables: true,
    build: |table, _| Box::new(entropy(table, |variable| table.variables[variable].weight)),
};
