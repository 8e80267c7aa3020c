//! As collected: every value is its own label.

use super::{LabelMember, LabelRule, Place};

pub(super) const NAME: &str = "as collected";

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "as-collected",
    keys: &[],
    rule: |_| Ok(LabelRule::new(NAME, Place::Bottom, |_| true, |value| Some(value.to_owned()))),
};
