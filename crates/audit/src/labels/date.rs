//! Dates: the [grain](Grain) of a day.

use super::{Coarsening, LabelMember, LabelRule, Place};
use crate::calendar::{Day, Grain, date_format};
use crate::manifest::LabelClaim;

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "date",
    keys: &["grain", "format"],
    rule: |claim| {
        let grain = grain(claim).ok_or("its grain is not known to this audit")?;
        let format = claim.parameters.word("format").and_then(date_format);
        format.map(|format| rule(grain, format)).ok_or("how its dates were collected is not known to this audit")
    },
};

/// The coarser level of two.
pub(super) fn meet(new: &LabelClaim, old: &LabelClaim) -> Option<Coarsening> {
    let length = shared_length(grain(new)?)?.min(shared_length(grain(old)?)?);
    Some(Box::new(move |label| label.get(..length).map(str::to_owned)))
}

fn grain(claim: &LabelClaim) -> Option<Grain> {
    Grain::named(claim.parameters.word("grain")?)
}

pub(crate) fn rule(grain: Grain, format: &str) -> LabelRule<'_> {
    let label = move |value: &str| Day::collected(value, format)?.label(grain);
    LabelRule { may_miss: true, ..LabelRule::new("date", Place::Between, move |label| grain.is_label(label), label) }
}

/// How many letters of a date tell its month, year or decade. Quarters meet others at the year, weeks nowhere.
fn shared_length(grain: Grain) -> Option<usize> {
    match grain {
        Grain::Day | Grain::Month => Some(7),
        Grain::Quarter | Grain::Year => Some(4),
        Grain::Decade => Some(3),
        Grain::Week | Grain::FiveYears => None,
    }
}
