//! As collected: every value is its own label.

use super::{LabelMember, LabelRule, Meaning, Place};

pub(super) const NAME: &str = "as collected";

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "as-collected",
    keys: &[],
    rule: |_| {
        let rule = LabelRule::new(NAME, Place::Bottom, |_| true, |value| Some(value.to_owned()));
        Ok(LabelRule { means: Box::new(Meaning::value), ..rule })
    },
};
