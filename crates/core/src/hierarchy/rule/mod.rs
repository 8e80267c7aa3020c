//! How the labels of a level come about.
//!
//! A rule travels with a release: it gives labels to values that the ladder never saw, and it lets a stranger check
//! each released label without the original values. A list has no rule: its labels must be looked up.

mod calendar;
pub mod date;
pub mod interval;
pub mod prefix;

use serde::{Deserialize, Serialize};

use super::{MISSING, TOP};
pub use date::{Date, DateFormat, Grain};

/// How the labels of a level come about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub enum Rule {
    /// The value as collected.
    AsCollected,
    /// A list that somebody wrote: the label of a value must be looked up.
    Listed,
    /// Bands of equal width, `[low, high[`, one of which starts at zero.
    Interval {
        /// The width as a decimal number.
        width: String,
    },
    /// The first characters, the others replaced by `*`.
    Prefix {
        /// How many characters stay.
        keep: usize,
    },
    /// A date without its details.
    Date {
        /// What stays of it.
        grain: Grain,
        /// How the collected date is written.
        format: DateFormat,
    },
    /// The single label `*`.
    Top,
}

/// A value that a rule cannot read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not {wanted}")]
pub struct Unreadable {
    /// What the rule reads, in words.
    pub wanted: &'static str,
}

impl Rule {
    /// The label of a value, seen or not; `None` for a list.
    ///
    /// The missing value stays missing under every rule but the top.
    #[must_use]
    pub fn label(&self, value: &str) -> Option<Result<String, Unreadable>> {
        Some(match self {
            Self::Listed => return None,
            Self::Top => Ok(TOP.to_owned()),
            _ if value == MISSING => Ok(String::new()),
            Self::AsCollected => Ok(value.to_owned()),
            Self::Interval { width } => interval::label(value, width),
            Self::Prefix { keep } => Ok(prefix::label(value, *keep)),
            Self::Date { grain, format } => date::label(value, *grain, *format),
        })
    }

    /// The label of a value that was found readable before.
    pub(super) fn label_or_missing(&self, value: &str) -> String {
        self.label(value).and_then(Result::ok).unwrap_or_default()
    }

    /// Whether this rule makes labels that are functions of the labels of the rule below, for all values;
    /// `None` when that depends on a list.
    pub(super) fn joins(&self, below: &Self) -> Option<bool> {
        match (below, self) {
            (Self::AsCollected, _) | (_, Self::Top) => Some(true),
            (Self::Interval { width: narrow }, Self::Interval { width: wide }) => Some(interval::divides(narrow, wide)),
            (Self::Prefix { keep: long }, Self::Prefix { keep: short }) => Some(short <= long),
            (Self::Date { grain: fine, .. }, Self::Date { grain: coarse, .. }) => Some(fine.is_part_of(*coarse)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> [Rule; 5] {
        [
            Rule::AsCollected,
            Rule::Interval { width: "2.5".into() },
            Rule::Prefix { keep: 2 },
            Rule::Date { grain: Grain::Month, format: DateFormat::default() },
            Rule::Top,
        ]
    }

    #[test]
    fn unseen_values_get_labels() {
        let labels = rules().map(|rule| rule.label("20260329").unwrap().ok());
        let expected = [Some("20260329"), Some("[20260327.5, 20260330["), Some("20******"), None, Some("*")];
        assert_eq!(labels, expected.map(|label| label.map(String::from)));
        assert_eq!(Rule::Listed.label("x"), None);
    }

    #[test]
    fn the_missing_value_stays_missing_below_the_top() {
        let labels = rules().map(|rule| rule.label("").unwrap().unwrap());
        assert_eq!(labels, ["", "", "", "", "*"]);
    }

    #[test]
    fn an_unfit_width_reads_nothing() {
        for width in ["", "0", "-1", "x", "1e99"] {
            assert!(Rule::Interval { width: width.into() }.label("5").unwrap().is_err(), "{width}");
        }
    }

    #[test]
    fn weeks_join_nothing_but_the_top() {
        let date = |grain| Rule::Date { grain, format: DateFormat::default() };
        assert_eq!(date(Grain::Week).joins(&date(Grain::Day)), Some(true));
        assert_eq!(date(Grain::Year).joins(&date(Grain::Week)), Some(false));
        assert_eq!(Rule::Top.joins(&date(Grain::Week)), Some(true));
        assert_eq!(Rule::Listed.joins(&Rule::Listed), None);
    }
}
