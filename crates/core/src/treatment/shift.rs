//! Dates that move: one offset for each person, so that times between their dates stay.
//!
//! The offset is uniform among all whole days from `-days` to `days`, zero included: leaving it out would tell which date
//! it is not. It comes from a keyed hash of the person's id, so all dates of a person move alike, in every column that
//! moves by the same id and in every release with the same key. A draw that would favour some offsets is thrown away and
//! the next one is taken.
//!
//! A time of day after a date stays. A date whose record has no id cannot move with the others and must not stay:
//! it becomes missing. So does one that would leave the calendar.
//!
//! Limit: whoever knows one true date of a person knows the offset, and so all others. Seasons and weekdays are lost, and
//! an offset of few days keeps much of both. Source: Hripcsak et al. 2016.

use serde::{Deserialize, Serialize};

use super::{Cell, KeyedFunction, UntreatedCell};
use crate::card::{Card, Kind, Parameter, Promise};
use crate::hierarchy::{Date, DateFormat, date};

/// The most days that a date moves.
pub const MOST_DAYS: u32 = 36_500;

pub(super) static CARD: Card = Card {
    name: "shift",
    summary: "dates move by a keyed number of days, all dates of a person alike",
    about: "Write `shift = { days = 180, by = \"patient_id\" }` beside a column of dates that is quasi-identifying, sensitive or \
            insensitive. Each person has one offset, uniform from -180 to 180 days, from the key and the id in the other \
            column, which need not be released. Times between dates of a person stay, also between columns that move by the \
            same id; they must move by the same `days`. Dates move before any ladder looks at them. Where the id is \
            missing, the date becomes missing. Whoever knows one true date of a person knows the offset and with it all \
            other dates of that person: it hides dates from those who know none.",
    promises: &[
        Promise::InWords("times between dates of one person stay"),
        Promise::InWords("each offset is equally likely"),
    ],
    parameters: &[
        Parameter::required(
            "days",
            Kind::Integer { min: 1 },
            "a date moves by at most so many days, back or forth; at most 36500",
        ),
        Parameter::required("by", Kind::Column, "the column whose value says which dates move alike: the person"),
        Parameter::defaulting(
            "format",
            Kind::Choice(&DateFormat::NAMES),
            "YYYY-MM-DD",
            "how dates are written, where no ladder of dates says so",
        ),
    ],
    source: "Hripcsak, Mirhaji, Low & Malin 2016, Preserving temporal relations in clinical data while maintaining privacy",
};

/// How the dates of a column move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DateShift {
    /// The most days, back or forth.
    pub days: u32,
    /// The column of the person.
    pub by: String,
    /// How dates are written.
    pub format: DateFormat,
}

impl DateShift {
    /// The date after its move.
    pub(super) fn moved(&self, cell: Cell<'_>, key: &dyn KeyedFunction) -> Result<String, UntreatedCell> {
        let (date, time) = date::split(cell.text, self.format).ok_or(UntreatedCell::Unreadable)?;
        if cell.other.is_empty() {
            return Err(UntreatedCell::Lost);
        }
        let moved = Date::of_days(date.days() + self.offset(cell.other, key)).ok_or(UntreatedCell::Lost)?;
        Ok(self.format.write(moved) + time)
    }

    /// The days by which the dates of a person move.
    #[must_use]
    pub fn offset(&self, id: &str, key: &dyn KeyedFunction) -> i64 {
        let days = i64::from(self.days);
        let offsets = 2 * u64::from(self.days) + 1;
        // Words from here on would favour the first offsets.
        let end = (1_u128 << 64) / u128::from(offsets) * u128::from(offsets);
        let mut words = (0_u64..).flat_map(|draw| {
            let bytes = key.bytes(&["shift", &self.by, &self.days.to_string(), id, &draw.to_string()]);
            bytes.as_chunks::<8>().0.iter().map(|word| u64::from_be_bytes(*word)).collect::<Vec<_>>()
        });
        let word = words.find(|word| u128::from(*word) < end).unwrap_or_default();
        i64::try_from(word % offsets).unwrap_or_default() - days
    }
}
