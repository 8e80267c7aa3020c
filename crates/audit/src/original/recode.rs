//! What the claimed rule of a column makes of a collected value: the audit's own recoding.
//!
//! Limits: the labels of a list need the mask. What local recoding and new values made of a cell cannot be told from the
//! cell. Without the mask nobody knows which columns are numbers, so numbers are then compared by what they are worth.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::mask::StoredMask;
use crate::decimal::Decimal;
use crate::labels::{LabelRule, TOP};
use crate::manifest::Column;

/// The label of a value that no release can hold. No label has this character.
const NOWHERE: &str = "\0";

/// What happens to the cells of a column.
pub(crate) struct Recoder<'a> {
    /// Nothing where values stay as they are.
    rule: Option<LabelRule<'a>>,
    /// Whether its values are numbers, written in one way; `None` where nobody says.
    number: Option<bool>,
    /// The labels of listed values, and of those that the rule cannot read.
    labels: Option<&'a BTreeMap<String, String>>,
    or_top: bool,
    at_top: bool,
}

impl<'a> Recoder<'a> {
    /// The recoding of a column; nothing where what became of a cell cannot be told.
    pub fn new(column: &'a Column, mask: Option<&'a StoredMask>) -> Option<Self> {
        let masked = mask.and_then(|mask| mask.column(&column.name));
        let labels = masked.and_then(|masked| masked.labels());
        let rule = match &column.labels {
            _ if column.new_values.is_some() => return None,
            None => None,
            Some(claimed) => Some(LabelRule::read(claimed).ok()?).filter(|rule| !rule.is_as_collected()),
        };
        if rule.as_ref().is_some_and(|rule| !rule.is_of_values() || (rule.is_listed() && labels.is_none())) {
            return None;
        }
        Some(Self {
            rule,
            number: masked.map(|masked| masked.number),
            labels,
            or_top: column.or_top(),
            at_top: column.is_at_top(),
        })
    }

    /// What a collected value becomes.
    pub fn label<'c>(&self, collected: &'c str) -> Cow<'c, str> {
        let value = if self.number == Some(true) { canonical(collected) } else { collected.into() };
        if let Some(label) = self.labels.and_then(|labels| labels.get(value.as_ref())) {
            return label.clone().into();
        }
        let label = match &self.rule {
            Some(rule) if rule.is_listed() && value.is_empty() => Some(self.missing()),
            None => Some(self.comparable(value)),
            Some(rule) => rule.label(&value).map(Cow::from),
        };
        label.unwrap_or(if self.or_top { TOP.into() } else { NOWHERE.into() })
    }

    /// A released cell, as it is compared with a label.
    pub fn released<'c>(&self, cell: &'c str) -> Cow<'c, str> {
        if self.rule.is_none() { self.comparable(cell.into()) } else { cell.into() }
    }

    /// Where nobody says which columns are numbers, a cell that reads as one is compared as one.
    fn comparable<'c>(&self, cell: Cow<'c, str>) -> Cow<'c, str> {
        if self.number.is_some() {
            cell
        } else {
            Decimal::collected(&cell).map_or(cell, |number| number.to_string().into())
        }
    }

    /// A missing value that no list names stays missing below the top.
    fn missing<'c>(&self) -> Cow<'c, str> {
        let root = || self.labels.and_then(|labels| labels.values().next()).map_or(TOP, String::as_str).to_owned();
        if self.at_top { root().into() } else { Cow::default() }
    }
}

/// The one way to write a number; what is none stays as it is.
fn canonical(text: &str) -> Cow<'_, str> {
    Decimal::collected(text).map_or(text.into(), |number| number.to_string().into())
}
