//! A step of a ladder of the [library](crate::library).

use super::{LabelMember, LabelRule, Meaning, Place};
use crate::library::Library;

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "library",
    keys: &["library", "step"],
    rule: |claim| {
        let library = claim.parameters.word("library").and_then(Library::named);
        let library = library.ok_or("its ladder is not in the library of this audit")?;
        let step = claim.parameters.natural("step").filter(|step| (1..=library.steps()).contains(step));
        step.map(|step| rule(library, step)).ok_or("its ladder has no such step")
    },
};

pub(crate) fn rule<'a>(library: Library, step: u64) -> LabelRule<'a> {
    let is_label = move |label: &str| library.is_label(step, label);
    let make = move |value: &str| library.label(step, value);
    let means = move |label: &str| Meaning::Code(library, step, label.to_owned());
    let rule = LabelRule::new("library", Place::Step(step), is_label, make);
    LabelRule {
        may_miss: true,
        means: Box::new(means),
        joins: Box::new(move |other| joined(other, library, step)),
        ..rule
    }
}

/// The label of this step that has what a finer step joins.
fn joined(other: &Meaning, library: Library, step: u64) -> Option<Vec<String>> {
    match other {
        Meaning::Code(same, finer, label) if *same == library && *finer <= step => {
            Some(library.above(*finer, label, step).into_iter().collect())
        }
        _ => None,
    }
}
