//! Top and bottom coding: numbers beyond an end share one label.
//!
//! From `top` on a number is `90+`, below `bottom` it is `under 15`, at every level from 0 on: very old and very young
//! people are few, and their age tells who they are. Numbers between the ends stay as they were collected.
//!
//! Source: common practice of statistical offices; 45 CFR 164.514(b)(2)(i)(C) asks for it at the age of 90.

use serde::{Deserialize, Serialize};

use super::UnreadableValue;
use super::interval::WANTED;
use crate::hierarchy::HierarchyError;
use crate::hierarchy::decimal::{Decimal, canonical};

/// Where numbers end that are told apart, as decimal numbers; either may be absent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NumberEnds {
    /// The first number that is `90+`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<String>,
    /// The first number that is not `under 15`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bottom: Option<String>,
}

impl NumberEnds {
    /// Whether there are none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.top.is_none() && self.bottom.is_none()
    }

    /// The same ends, each in its one writing; refuses what is no number, and ends that leave nothing between them.
    pub(super) fn checked(&self) -> Result<Self, HierarchyError> {
        let unfit = |problem: &str| HierarchyError::unfit("intervals", problem);
        let read = |end: &Option<String>, problem| end.as_deref().map(|end| canonical(end).ok_or(problem)).transpose();
        let top = read(&self.top, "`top` is not a decimal number").map_err(unfit)?;
        let bottom = read(&self.bottom, "`bottom` is not a decimal number").map_err(unfit)?;
        let ends = Self { top, bottom };
        match (ends.first_above(), ends.first_within()) {
            (Some(top), Some(bottom)) if bottom >= top => Err(unfit("`bottom` is not below `top`")),
            _ => Ok(ends),
        }
    }

    /// The top as a number.
    pub(super) fn first_above(&self) -> Option<Decimal> {
        Decimal::parse(self.top.as_deref()?)
    }

    /// The bottom as a number.
    pub(super) fn first_within(&self) -> Option<Decimal> {
        Decimal::parse(self.bottom.as_deref()?)
    }

    /// The label of a number beyond an end.
    pub(super) fn beyond(&self, number: Decimal) -> Option<String> {
        let over = self.first_above().filter(|top| number >= *top).map(|top| format!("{top}+"));
        over.or_else(|| self.first_within().filter(|bottom| number < *bottom).map(|bottom| format!("under {bottom}")))
    }

    /// The label of a value: itself unless it is beyond an end.
    pub(super) fn label(&self, value: &str) -> Result<String, UnreadableValue> {
        let number = Decimal::parse(value).ok_or(UnreadableValue { wanted: WANTED })?;
        Ok(self.beyond(number).unwrap_or_else(|| value.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(top: Option<&str>, bottom: Option<&str>) -> NumberEnds {
        NumberEnds { top: top.map(String::from), bottom: bottom.map(String::from) }
    }

    #[test]
    fn numbers_beyond_an_end_share_a_label() {
        let check = |value: &str, ends: &NumberEnds, expected: &str| assert_eq!(ends.label(value).unwrap(), expected);
        let both = ends(Some("90"), Some("15"));
        for (value, expected) in
            [("90", "90+"), ("103.5", "90+"), ("89.9", "89.9"), ("15", "15"), ("14.99", "under 15"), ("-3", "under 15")]
        {
            check(value, &both, expected);
        }
        check("-3", &ends(Some("90"), None), "-3");
        check("1e3", &ends(None, Some("-0.5")), "1e3");
        check("-1", &ends(None, Some("-0.5")), "under -0.5");
        assert!(both.label("old").is_err());
    }

    #[test]
    fn ends_are_written_in_one_way() {
        assert_eq!(ends(Some("90.0"), Some("1e1")).checked(), Ok(ends(Some("90"), Some("10"))));
        for (top, bottom, problem) in [
            (Some("old"), None, "`top` is not a decimal number"),
            (Some("9"), Some(""), "`bottom` is not a decimal number"),
            (Some("15"), Some("15.0"), "`bottom` is not below `top`"),
        ] {
            assert_eq!(ends(top, bottom).checked().unwrap_err().to_string(), format!("intervals: {problem}"));
        }
    }
}
