//! A fitted change to data: stored, reviewed, re-applied.
//!
//! A mask says for each column of the table whether it is dropped, kept or recoded, and which keys are withheld. Applying
//! it is a pure function of a record: nothing is counted, nothing is random. It holds values of the table it was fitted
//! to, so it belongs to the data owner.
//!
//! Some methods change a record by its place among the others, not by its values alone. A mask says which columns those
//! are ([`ColumnChange`]); what happened to each record is not part of it, and such a mask fits no other table.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::hierarchy::{LabelRule, MISSING, TOP};
use crate::treatment::Treatment;
use crate::variable::Role;

/// What happens to each column, and which keys are withheld.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mask {
    /// Every column of the table, in its order.
    pub columns: Vec<ColumnMask>,
    /// The keys, as labels of the recoded columns in their order, whose records are withheld.
    pub suppressed: BTreeSet<Vec<String>>,
}

/// What happens to one column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnMask {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Whether its values are numbers, written in one way only.
    #[serde(default)]
    pub number: bool,
    /// How it is recoded; only quasi-identifiers are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recoding: Option<Recoding>,
    /// How it is changed otherwise than value by value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<ColumnChange>,
    /// What happened to its cells before anything else, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub treatments: Vec<Treatment>,
}

/// How a column is changed otherwise than value by value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ColumnChange {
    /// Each class has a number or a range of numbers of its own.
    Range,
    /// Each class has a label of its own, of any level of the ladder.
    AnyLevel,
    /// Each record has a new value.
    NewValue,
}

/// How a column is recoded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recoding {
    /// The level.
    pub level: u8,
    /// The number of levels of the ladder, level 0 included.
    pub levels: u8,
    /// How the labels come about.
    pub rule: LabelRule,
    /// The label of each value that the ladder lists; a rule needs no list but for values it cannot read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

/// Stands for the label of a value that is withheld wherever it occurs. No label of a ladder holds this character.
pub const WITHHELD: &str = "\0";

/// A value that the mask cannot recode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnknownValue {
    /// The list of the ladder does not hold it.
    #[error("is not listed in the ladder")]
    Unlisted,
    /// The rule of the ladder cannot read it.
    #[error("cannot be read as the ladder asks")]
    Unreadable,
}

impl Mask {
    /// Whether the mask says all that happens to a record, so that it can be applied to other records.
    #[must_use]
    pub fn fits_other_tables(&self) -> bool {
        self.columns.iter().all(|column| column.change.is_none())
    }

    /// The released columns with their places in the table.
    pub fn released(&self) -> impl Iterator<Item = (usize, &ColumnMask)> {
        self.columns.iter().enumerate().filter(|(_, column)| column.role != Role::Identifying)
    }
}

impl Recoding {
    /// The label of a value.
    pub fn label(&self, value: &str) -> Result<String, UnknownValue> {
        if let Some(label) = self.labels.get(value) {
            return Ok(label.clone());
        }
        match self.rule.label(value) {
            Some(Ok(label)) => Ok(label),
            Some(Err(_)) => Err(UnknownValue::Unreadable),
            None if value.is_empty() => Ok(self.label_of_missing()),
            None => Err(UnknownValue::Unlisted),
        }
    }

    /// Whether a rule makes the labels and some values that it cannot read are at the top instead.
    #[must_use]
    pub fn has_strays_at_top(&self) -> bool {
        !matches!(self.rule, LabelRule::Listed | LabelRule::Top) && self.labels.values().any(|label| label == TOP)
    }

    /// The label of a missing value that no ladder lists: it stays missing until it meets all others at the top.
    fn label_of_missing(&self) -> String {
        let is_top = self.level + 1 == self.levels;
        let top = || self.labels.values().next().cloned().unwrap_or_else(|| TOP.to_owned());
        if is_top { top() } else { MISSING.to_owned() }
    }
}
