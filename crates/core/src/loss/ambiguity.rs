//! Ambiguity: the bits one would need to name the values behind the labels.
//!
//! A label that stands for `s` values of the domain leaves log₂ s bits open, if nothing is known about how often the
//! values occur; a suppressed cell leaves open log₂ of the size of the whole domain. The loss is the sum over the cells,
//! each times the weight of its variable with `weights = "points"`.
//!
//! The ambiguity of a generalised record was proposed as the number of original records it could stand for: the product
//! of its label sizes. Averages of products are ruled by the few largest and do not split into variables. The logarithm
//! of the product is the sum of the logarithms, so this loss divided by the number of records is log₂ of the geometric
//! mean of that ambiguity: the same idea, separable, a look-up per variable with the bound of
//! [`PerCell`](super::PerCell).
//!
//! Source: Nergiz & Clifton 2007; Goldberger & Tassa 2010; Hartley 1928 for the measure. Spec: `specs/loss/ambiguity.md`.

use super::LossMember;
use super::label_size::by_label_size;
use super::weights::{self, weights};
use crate::card::{Card, Promise};

pub(super) const MEMBER: LossMember = LossMember {
    card: Card {
        name: "ambiguity",
        summary: "bits needed to name the values behind the labels, all values of a domain alike",
        about: "Each cell pays log2 of the number of values that its label could stand for, a suppressed cell log2 of \
                the size of the whole domain. The domain is every value that the ladder lists. Unlike non-uniform \
                entropy it does not ask how often values occur: use it when the recipient should not be assumed to \
                know that.",
        promises: &[
            Promise::ChargesAsFullGeneralisation,
            Promise::InWords("is a table look-up per variable where nothing is suppressed"),
        ],
        parameters: &[weights::PARAMETER],
        source: "M. Nergiz, C. Clifton, Thoughts on k-anonymization, DKE 63(3), 2007; J. Goldberger, T. Tassa, Efficient \
                 anonymizations with enhanced utility, TDP 3(2), 2010; R. Hartley, BSTJ 7(3), 1928",
    },
    build: |table, parameters| {
        Box::new(by_label_size(table, &weights(table, parameters), 1.0, |size, _| size.max(1.0).log2()))
    },
};
