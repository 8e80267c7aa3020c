//! The top: one label for all, missing values too.

use super::{LabelMember, LabelRule, Meaning, Place, TOP};

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "top",
    keys: &[],
    rule: |_| {
        let rule = LabelRule::new("top", Place::Top, |cell| cell == TOP, |_| Some(TOP.to_owned()));
        Ok(LabelRule { means: Box::new(|_| Meaning::All), ..rule })
    },
};
