//! The rules of levels: what each makes of a value, written for this crate anew.

use std::borrow::Cow;

use crate::day::Day;
use crate::decimal::Decimal;
use crate::labels::TOP;
use crate::labels::date::Grain;
use crate::manifest::Labels;

/// A rule of a level.
pub(super) enum Rule<'a> {
    Keep,
    Top,
    Interval { width: Decimal },
    Prefix { keep: usize },
    Date { grain: Grain, format: &'a str },
    Listed,
}

impl<'a> Rule<'a> {
    /// What it makes of a value; nothing where the value cannot be read. A missing one stays missing below the top.
    pub fn label<'c>(&self, value: &'c str) -> Option<Cow<'c, str>> {
        match self {
            Self::Top => Some(TOP.into()),
            Self::Keep => Some(value.into()),
            Self::Listed => None,
            _ if value.is_empty() => Some(Cow::default()),
            Self::Interval { width } => band(*width, value).map(Cow::from),
            Self::Prefix { keep } => Some(prefix(value, *keep).into()),
            Self::Date { grain, format } => {
                Day::collected(value, format).and_then(|day| day.label(*grain)).map(Cow::from)
            }
        }
    }

    /// The rule that a claim stands for; nothing where what became of a value cannot be told.
    pub fn of(labels: &'a Labels, is_listed: bool) -> Option<Self> {
        Some(match labels.rule.as_str() {
            "as-collected" => Self::Keep,
            "top" => Self::Top,
            "interval" => Self::Interval { width: Decimal::parse(labels.width.as_deref()?)? },
            "prefix" => Self::Prefix { keep: usize::try_from(labels.keep?).ok()? },
            "date" => Self::Date { grain: Grain::named(labels.grain.as_deref()?)?, format: labels.format.as_deref()? },
            "listed" if is_listed => Self::Listed,
            _ => return None,
        })
    }
}

fn band(width: Decimal, value: &str) -> Option<String> {
    let (low, high) = width.band_of(Decimal::collected(value)?)?;
    Some(format!("[{low}, {high}["))
}

fn prefix(value: &str, keep: usize) -> String {
    value.chars().enumerate().map(|(place, letter)| if place < keep { letter } else { '*' }).collect()
}
