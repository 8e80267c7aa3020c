//! The rules of levels: what each makes of a value, written for this crate anew.

use std::borrow::Cow;

use crate::day::Day;
use crate::decimal::Decimal;
use crate::labels::TOP;
use crate::labels::date::Grain;
use crate::labels::ends::Ends;
use crate::library::Library;
use crate::manifest::LabelClaim;

/// A rule of a level.
pub(super) enum Rule<'a> {
    Keep,
    Top,
    Ends(Ends),
    Interval { width: Decimal, ends: Ends },
    Prefix { keep: usize },
    Date { grain: Grain, format: &'a str },
    Library { library: Library, step: u64 },
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
            Self::Ends(ends) => {
                let label = ends.beyond(Decimal::collected(value)?);
                Some(label.map_or_else(|| value.into(), Cow::from))
            }
            Self::Interval { width, ends } => band(*width, *ends, value).map(Cow::from),
            Self::Library { library, step } => library.label(*step, value).map(Cow::from),
            Self::Prefix { keep } => Some(prefix(value, *keep).into()),
            Self::Date { grain, format } => {
                Day::collected(value, format).and_then(|day| day.label(*grain)).map(Cow::from)
            }
        }
    }

    /// The rule that a claim stands for; nothing where what became of a value cannot be told.
    pub fn of(labels: &'a LabelClaim, is_listed: bool) -> Option<Self> {
        Some(match labels.rule.as_str() {
            "as-collected" => Self::Keep,
            "top" => Self::Top,
            "ends" => Self::Ends(Ends::of(labels)?),
            "interval" => Self::Interval { width: Decimal::parse(labels.width.as_deref()?)?, ends: Ends::of(labels)? },
            "library" => Self::Library { library: Library::named(labels.library.as_deref()?)?, step: labels.step? },
            "prefix" => Self::Prefix { keep: usize::try_from(labels.keep?).ok()? },
            "date" => Self::Date { grain: Grain::named(labels.grain.as_deref()?)?, format: labels.format.as_deref()? },
            "listed" if is_listed => Self::Listed,
            _ => return None,
        })
    }
}

fn band(width: Decimal, ends: Ends, value: &str) -> Option<String> {
    let number = Decimal::collected(value)?;
    let label = ends.beyond(number);
    if label.is_some() {
        return label;
    }
    let (low, high) = ends.cut(width.band_of(number)?);
    Some(format!("[{low}, {high}["))
}

/// The start of a code and a star for its rest; a code that is shorter stays.
fn prefix(value: &str, keep: usize) -> String {
    let start: String = value.chars().take(keep).collect();
    if start.chars().count() < keep { start } else { start + "*" }
}
