//! Sample uniques: few records are alone in their class.
//!
//! Let x of n released records be alone in their class. The condition is
//!
//! > x ≤ `max` · n, compared in whole numbers.
//!
//! It is about the table at hand. Whether somebody who is alone here is alone in the population is another question:
//! population uniques ask it. What is withheld, and how much must be below a node: [`AtRisk`].
//!
//! Source: Skinner & Elliot 2002 for the measure. Spec: `specs/privacy/sample-uniques.md`.

use super::ratio::Ratio;
use super::whole_table::{AtRisk, PROMISES, WholeTableModel};
use super::{ModelMember, ModelNeeds};
use crate::card::{Card, Kind, Parameter};

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "sample-uniques",
        summary: "at most a share of the released records is alone in its class",
        about: "It is judged over all released classes together: where too many records are unique, unique ones are withheld \
                until few enough are left. Any k-anonymity leaves none.",
        promises: PROMISES,
        parameters: &[Parameter::required("max", Kind::Share, "the share of released records that may be unique")],
        source: "C. Skinner, M. Elliot, A measure of disclosure risk for microdata, JRSS B 64(4), 2002",
    },
    needs: |_| ModelNeeds::Classes,
    build: |parameters, _| {
        // One in two is the risk from which on nobody is alone.
        let (highest, share) = (Ratio { numerator: 1, denominator: 2 }, Ratio::read(parameters, "max"));
        Ok(Box::new(WholeTableModel(AtRisk { name: MEMBER.card.name, parameter: "max", highest, share })))
    },
};
