//! Records at risk: few are in classes that are too small.
//!
//! A record of a class of n has the risk 1/n. Of n people in all let x be in classes with 1/n > `highest`. The condition is
//!
//! > x ≤ `share` · n, compared in whole numbers.
//!
//! A share of 0 is k-anonymity with k = ⌈1 / `highest`⌉. What is withheld, and how much must be below a node: [`AtRisk`].
//!
//! Source: El Emam 2013 (the proportion of records at risk). Spec: `specs/privacy/records-at-risk.md`.

use super::ratio::Ratio;
use super::whole_table::{AtRisk, PROMISES, WholeTableModel};
use super::{ModelMember, ModelNeeds};
use crate::card::{Card, Kind, Parameter};

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "records-at-risk",
        summary: "at most a share of the released records has a risk above highest",
        about: "A record in a class of n people has the risk 1/n. It is judged over all released classes together: where too \
                many records are at risk, smallest classes are withheld until few enough are left. Those that are left are as \
                exposed as they were.",
        promises: PROMISES,
        parameters: &[
            Parameter::required(
                "highest",
                Kind::PositiveShare,
                "the risk from which on a record is not at risk; 0.2 is that of a class of 5",
            ),
            Parameter::required("share", Kind::Share, "the share of released records that may be at risk"),
        ],
        source: "K. El Emam, Guide to the de-identification of personal health information, CRC Press 2013",
    },
    needs: |_| ModelNeeds::Classes,
    build: |parameters, _| {
        let [highest, share] = ["highest", "share"].map(|name| Ratio::read(parameters, name));
        Ok(Box::new(WholeTableModel(AtRisk { name: MEMBER.card.name, parameter: "share", highest, share })))
    },
};
