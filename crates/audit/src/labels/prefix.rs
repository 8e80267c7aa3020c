//! Prefixes: the start of a code and a star for its rest; a code that is shorter stays.

use super::{LabelMember, LabelRule, Meaning, Place};

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "prefix",
    keys: &["keep"],
    rule: |claim| {
        let keep =
            claim.parameters.natural("keep").and_then(|keep| usize::try_from(keep).ok()).filter(|keep| *keep > 0);
        keep.map(rule).ok_or("it does not say how many characters are kept")
    },
};

pub(crate) fn rule<'a>(keep: usize) -> LabelRule<'a> {
    // A label is what the rule makes of it: its start is that of its values.
    let is_label = move |label: &str| label == start(label, keep);
    let rule = LabelRule::new("prefix", Place::Between, is_label, move |value| Some(start(value, keep)));
    LabelRule {
        means: Box::new(move |label| meant(label, keep)),
        joins: Box::new(move |other| joined(other, keep)),
        ..rule
    }
}

/// A label with a star is a start; a code that is shorter is itself.
fn meant(label: &str, keep: usize) -> Meaning {
    match label.strip_suffix('*') {
        Some(start) if start.chars().count() == keep => Meaning::Start(start.to_owned()),
        _ => Meaning::value(label),
    }
}

/// The label of all codes that start so, if they have one.
fn joined(other: &Meaning, keep: usize) -> Option<Vec<String>> {
    match other {
        Meaning::Start(longer) if longer.chars().count() >= keep => Some(vec![start(longer, keep)]),
        _ => None,
    }
}

fn start(value: &str, keep: usize) -> String {
    let start: String = value.chars().take(keep).collect();
    if start.chars().count() < keep { start } else { start + "*" }
}
