//! How the labels of a level come about.
//!
//! A rule travels with a release: it gives labels to values that the ladder never saw, and it lets a stranger check
//! each released label without the original values. A list has no rule: its labels must be looked up.

mod calendar;
pub mod date;
mod ends;
pub mod interval;
pub mod prefix;

use serde::{Deserialize, Serialize};

use super::library;
use super::{MISSING, TOP};
pub use date::{Date, DateFormat, DateGrain};
pub use ends::NumberEnds;

/// How the labels of a level come about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub enum LabelRule {
    /// The value as collected.
    AsCollected,
    /// A list that somebody wrote: the label of a value must be looked up.
    Listed,
    /// The number as collected, unless it is beyond an end: `90+`, `under 15`.
    Ends(NumberEnds),
    /// Bands of equal width, `[low, high[`, one of which starts at zero; beyond an end as above.
    Interval {
        /// The width as a decimal number.
        width: String,
        /// Where the bands end.
        #[serde(flatten)]
        ends: NumberEnds,
    },
    /// The first characters and a `*` for the rest.
    Prefix {
        /// How many characters stay.
        keep: usize,
    },
    /// A date without its details.
    Date {
        /// What stays of it.
        grain: DateGrain,
        /// How the collected date is written.
        format: DateFormat,
    },
    /// A step of a ladder of the library.
    Library {
        /// The ladder.
        library: String,
        /// The step, counted from 1.
        step: usize,
    },
    /// The single label `*`.
    Top,
}

/// A value that a rule cannot read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not {wanted}")]
pub struct UnreadableValue {
    /// What the rule reads, in words.
    pub wanted: &'static str,
}

impl LabelRule {
    /// The label of a value, seen or not; `None` for a list.
    ///
    /// The missing value stays missing under every rule but the top.
    #[must_use]
    pub fn label(&self, value: &str) -> Option<Result<String, UnreadableValue>> {
        Some(match self {
            Self::Listed => return None,
            Self::Top => Ok(TOP.to_owned()),
            _ if value == MISSING => Ok(String::new()),
            Self::AsCollected => Ok(value.to_owned()),
            Self::Ends(ends) => ends.label(value),
            Self::Interval { width, ends } => interval::label(value, width, ends),
            Self::Prefix { keep } => Ok(prefix::label(value, *keep)),
            Self::Date { grain, format } => date::label(value, *grain, *format),
            Self::Library { library, step } => library::find(library)
                .map_or(Err(UnreadableValue { wanted: library::KNOWN }), |library| library.label(value, *step)),
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
            (Self::Ends(below), Self::Interval { ends, .. }) if below == ends => Some(true),
            (Self::Interval { width: narrow, ends: below }, Self::Interval { width: wide, ends }) if below == ends => {
                Some(interval::fills(narrow, wide, ends))
            }
            (Self::Prefix { keep: long }, Self::Prefix { keep: short }) => Some(short <= long),
            (Self::Date { grain: fine, .. }, Self::Date { grain: coarse, .. }) => Some(fine.is_part_of(*coarse)),
            (Self::Library { library: below, step: fine }, Self::Library { library, step }) if below == library => {
                Some(fine <= step)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> [LabelRule; 7] {
        [
            LabelRule::AsCollected,
            LabelRule::Ends(NumberEnds { top: Some("90".into()), bottom: None }),
            LabelRule::Interval { width: "2.5".into(), ends: NumberEnds::default() },
            LabelRule::Prefix { keep: 2 },
            LabelRule::Date { grain: DateGrain::Month, format: DateFormat::default() },
            LabelRule::Library { library: "icd-10".into(), step: 2 },
            LabelRule::Top,
        ]
    }

    #[test]
    fn unseen_values_get_labels() {
        let labels = rules().map(|rule| rule.label("20260329").unwrap().ok());
        let expected =
            [Some("20260329"), Some("90+"), Some("[20260327.5, 20260330["), Some("20*"), None, None, Some("*")];
        assert_eq!(labels, expected.map(|label| label.map(String::from)));
        assert_eq!(LabelRule::Listed.label("x"), None);
    }

    #[test]
    fn the_missing_value_stays_missing_below_the_top() {
        let labels = rules().map(|rule| rule.label("").unwrap().unwrap());
        assert_eq!(labels, ["", "", "", "", "", "", "*"]);
    }

    #[test]
    fn an_unfit_width_reads_nothing() {
        for width in ["", "0", "-1", "x", "1e99"] {
            assert!(
                LabelRule::Interval { width: width.into(), ends: NumberEnds::default() }.label("5").unwrap().is_err(),
                "{width}"
            );
        }
    }

    #[test]
    fn a_ladder_that_the_library_does_not_hold_reads_nothing() {
        for (library, step) in [("icd-9", 1), ("icd-10", 0), ("icd-10", 5)] {
            assert!(
                LabelRule::Library { library: library.into(), step }.label("I50").unwrap().is_err(),
                "{library} {step}"
            );
        }
    }

    #[test]
    fn weeks_join_nothing_but_the_top() {
        let date = |grain| LabelRule::Date { grain, format: DateFormat::default() };
        assert_eq!(date(DateGrain::Week).joins(&date(DateGrain::Day)), Some(true));
        assert_eq!(date(DateGrain::Year).joins(&date(DateGrain::Week)), Some(false));
        assert_eq!(LabelRule::Top.joins(&date(DateGrain::Week)), Some(true));
        assert_eq!(LabelRule::Listed.joins(&LabelRule::Listed), None);
    }
}
