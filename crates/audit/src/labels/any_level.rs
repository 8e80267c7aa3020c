//! Local recoding by a ladder: in each class a label of any level, from a list.

use super::{LabelMember, LabelRule, Place, listed};

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "any-level",
    keys: &["values"],
    rule: |claim| Ok(LabelRule::listed("of any level, listed", Place::Class, listed::values(claim)?)),
};
