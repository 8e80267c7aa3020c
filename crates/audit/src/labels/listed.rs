//! Listed labels: the manifest names those that occur, sorted, and no others.
//!
//! A label in the list that no record carries would say something about a record that was withheld.

use std::collections::HashMap;

use super::{LabelMember, LabelRule, Place};
use crate::manifest::LabelClaim;

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "listed",
    keys: &["values"],
    rule: |claim| Ok(LabelRule::listed("listed", Place::Between, values(claim)?)),
};

/// The list of a claim.
pub(super) fn values(claim: &LabelClaim) -> Result<&[String], &'static str> {
    claim.values.as_deref().ok_or("its list is absent")
}

/// The list and which of it was met.
pub(super) struct LabelList<'a> {
    places: HashMap<&'a str, bool>,
    sorted: bool,
}

impl<'a> LabelList<'a> {
    pub fn new(values: &'a [String]) -> Self {
        let sorted = values.iter().zip(values.iter().skip(1)).all(|(before, after)| before < after);
        // The missing value needs no entry, and none says that it occurs.
        Self { places: values.iter().map(|value| (value.as_str(), value.is_empty())).collect(), sorted }
    }

    /// Whether the label is in the list; remembers that it occurs.
    pub fn meets(&mut self, label: &str) -> bool {
        self.places.get_mut(label).map(|met| *met = true).is_some()
    }

    /// How many labels it has besides the one that stands for everything.
    pub fn own_labels(&self) -> usize {
        self.places.keys().filter(|label| **label != super::TOP).count()
    }

    /// What is wrong with the list itself.
    pub fn trouble(&self) -> Option<String> {
        let unmet = self.places.values().filter(|met| !**met).count();
        match (self.sorted, unmet) {
            (false, _) => Some("its list is not sorted or repeats a label".to_owned()),
            (true, 0) => None,
            (true, unmet) => Some(format!("{unmet} labels of its list occur in no record")),
        }
    }
}
