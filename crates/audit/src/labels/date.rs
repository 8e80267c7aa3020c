//! Dates: the [grain](Grain) of a day.

use super::{LabelMember, LabelRule, Meaning, Place};
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

fn grain(claim: &LabelClaim) -> Option<Grain> {
    Grain::named(claim.parameters.word("grain")?)
}

pub(crate) fn rule(grain: Grain, format: &str) -> LabelRule<'_> {
    let label = move |value: &str| Day::collected(value, format)?.label(grain);
    let means = move |label: &str| grain.days(label).map_or(Meaning::Unknown, |days| Meaning::Days(grain, days));
    let rule = LabelRule::new("date", Place::Between, move |label| grain.is_label(label), label);
    LabelRule { may_miss: true, means: Box::new(means), joins: Box::new(move |other| joined(other, grain)), ..rule }
}

/// The labels of this grain that have days of a finer one.
fn joined(other: &Meaning, grain: Grain) -> Option<Vec<String>> {
    match other {
        Meaning::Days(finer, days) if *finer <= grain => Some(days.iter().filter_map(|day| day.label(grain)).collect()),
        _ => None,
    }
}
