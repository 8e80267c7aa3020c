//! Prefixes: the start of a code and a star for its rest; a code that is shorter stays.

use super::{Coarsening, LabelMember, LabelRule, Place};
use crate::manifest::LabelClaim;

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "prefix",
    keys: &["keep"],
    rule: |claim| {
        let keep =
            claim.parameters.natural("keep").and_then(|keep| usize::try_from(keep).ok()).filter(|keep| *keep > 0);
        keep.map(rule).ok_or("it does not say how many characters are kept")
    },
};

/// The coarser level of two.
pub(super) fn meet(new: &LabelClaim, old: &LabelClaim) -> Option<Coarsening> {
    let keep = new.parameters.natural("keep")?.min(old.parameters.natural("keep")?);
    let keep = usize::try_from(keep).ok()?;
    Some(Box::new(move |label| Some(label.chars().take(keep).collect())))
}

pub(crate) fn rule<'a>(keep: usize) -> LabelRule<'a> {
    // A label is what the rule makes of it: its start is that of its values.
    LabelRule::new(
        "prefix",
        Place::Between,
        move |label| label == start(label, keep),
        move |value| Some(start(value, keep)),
    )
}

fn start(value: &str, keep: usize) -> String {
    let start: String = value.chars().take(keep).collect();
    if start.chars().count() < keep { start } else { start + "*" }
}
