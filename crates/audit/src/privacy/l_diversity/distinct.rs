//! Distinct l-diversity: `distinct values(class) ≥ l`.
//!
//! One value tells what everybody in the class has, so l begins with 2.

use crate::privacy::{LeastCounts, Measure, Member, Model};

pub(in crate::privacy) const MEMBER: Member = Member {
    name: "l-diversity",
    reads: |given| !given.has("kind") || given.word("kind") == Some("distinct"),
    keys: &["variable", "kind", "l"],
    takes: "l-diversity takes a variable and l, a whole number from 2, and nothing else",
    sentence: "l-diversity of {variable} with l = {l}",
    claim: "every class holds {l} distinct values of {variable} or more",
    model: |given| {
        let l = given.several("l")?;
        let model = Model::of_class(move |class, _| class.distinct() >= l);
        Some(Model { measure: Measure::Values, least: LeastCounts::values(l), ..model })
    },
};
