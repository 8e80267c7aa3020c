//! The top: one label for all, missing values too.

use super::{LabelMember, LabelRule, Place, TOP};

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "top",
    keys: &[],
    rule: |_| Ok(LabelRule::new("top", Place::Top, |cell| cell == TOP, |_| Some(TOP.to_owned()))),
};
