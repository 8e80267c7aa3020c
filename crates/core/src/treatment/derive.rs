//! An age in place of a date: whole years at another date.
//!
//! A birth date names people; the age at admission is what most analyses ask for. The date itself is not released. Who is
//! born on a 29 February grows older on 1 March where there is none.
//!
//! Where the other date is missing, or earlier, nobody knows the age: it becomes missing. Limit: ages at many dates of one
//! person, each with its date, narrow the birthday down.
//! Source: 45 CFR 164.514(b)(2)(i)(C), which joins all ages from 90 on.

use serde::{Deserialize, Serialize};

use super::{Cell, UntreatedCell};
use crate::card::{Card, Kind, Parameter, Promise};
use crate::hierarchy::{Date, DateFormat, date};

pub(super) static CARD: Card = Card {
    name: "derive",
    summary: "a date becomes an age in whole years",
    about: "Write `derive = { age_at = \"admitted\", top = 90 }` beside a column of birth dates. The column then holds the age at the \
            date in the other column, or at a fixed day: `age_at = \"2026-01-01\"`. The birth date is not released, and the other \
            column need not be. The age is a number like any other and may have a ladder: `hierarchy = { intervals = [5, 10] }`. \
            With `top = 90`, 90 means 90 or more. The other date is read as collected, also where it moves in the release. \
            Where it is missing or earlier than birth, the age is missing.",
    promises: &[Promise::InWords("no date leaves the column; no age is above the top")],
    parameters: &[
        Parameter::required("age_at", Kind::ColumnOrDate, "the column with the other date, or a day"),
        Parameter::defaulting("top", Kind::Integer { min: 1 }, "none", "higher ages become this one"),
        Parameter::defaulting(
            "format",
            Kind::Choice(&DateFormat::NAMES),
            "YYYY-MM-DD",
            "how dates are written; the other column's too, unless its own ladder or treatment says otherwise",
        ),
    ],
    source: "45 CFR 164.514(b)(2)(i)(C), which joins all ages from 90 on",
};

/// How a date becomes an age.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Age {
    /// When.
    #[serde(flatten)]
    pub at: AgeDay,
    /// How the date of birth is written.
    pub format: DateFormat,
    /// The highest age that is released.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<u16>,
}

/// The day at which an age is counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AgeDay {
    /// The date in another column.
    Column {
        /// Its name.
        at: String,
        /// How its dates are written.
        at_format: DateFormat,
    },
    /// The same day for all, as ISO 8601 writes it.
    Day {
        /// The day.
        day: String,
    },
}

impl AgeDay {
    /// The other column.
    #[must_use]
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Column { at, .. } => Some(at),
            Self::Day { .. } => None,
        }
    }

    fn date(&self, other: &str) -> Result<Date, UntreatedCell> {
        match self {
            Self::Column { .. } if other.is_empty() => Err(UntreatedCell::Lost),
            Self::Column { at_format, .. } => date::parse(other, *at_format).ok_or(UntreatedCell::Unreadable),
            Self::Day { day } => date::parse(day, DateFormat::Iso).ok_or(UntreatedCell::Unreadable),
        }
    }
}

impl Age {
    /// The age of a record.
    pub(super) fn years(&self, cell: Cell<'_>) -> Result<String, UntreatedCell> {
        let born = date::parse(cell.text, self.format).ok_or(UntreatedCell::Unreadable)?;
        let years = years(born, self.at.date(cell.other)?).ok_or(UntreatedCell::Lost)?;
        Ok(self.top.map_or(years, |top| years.min(top)).to_string())
    }

    pub(super) fn words(&self) -> String {
        let at = match &self.at {
            AgeDay::Column { at, .. } => format!("the date in `{at}`"),
            AgeDay::Day { day } => day.clone(),
        };
        let top = self.top.map(|top| format!("; {top} stands for {top} or more"));
        format!("the age in whole years at {at}{}", top.unwrap_or_default())
    }
}

/// Whole years from one day to another; nothing if it comes before.
fn years(from: Date, to: Date) -> Option<u16> {
    let is_before_birthday = (to.month(), to.day()) < (from.month(), from.day());
    to.year().checked_sub(from.year())?.checked_sub(u16::from(is_before_birthday))
}
