//! What the positions of a column mean: amounts, days, or places in a list of words.
//!
//! A walk knows positions only, whole numbers on a line. A number is its own position; a date is its day, counted from
//! 1970-01-01; a word is its place in an order that the policy gives. New positions are written as the column was: numbers
//! with the digits and the leading zeros that all of them have, dates in their format, words as listed.
//!
//! Limit: a date with a time of day is no day. Exponents and plus signs are not written again.

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::WalkError;
use crate::hierarchy::decimal::Decimal;
use crate::hierarchy::{Date, DateFormat};

/// What the positions of a column mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ColumnScale {
    /// Decimal numbers.
    #[default]
    Numbers,
    /// Days of the calendar.
    Dates(DateFormat),
    /// Words in an order.
    Words(OrderedWords),
}

/// Words in an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct OrderedWords {
    list: Vec<String>,
    places: HashMap<String, usize>,
}

impl OrderedWords {
    /// The words in this order.
    pub fn new(list: Vec<String>) -> Result<Self, &'static str> {
        let places: HashMap<String, usize> = list.iter().cloned().zip(0..).collect();
        match () {
            () if places.contains_key("") => {
                Err("one of them is empty, and the missing value has no place in an order")
            }
            () if places.len() < list.len() => Err("one of them stands there twice"),
            () => Ok(Self { list, places }),
        }
    }

    /// The words, from the lowest on.
    #[must_use]
    pub fn list(&self) -> &[String] {
        &self.list
    }
}

impl TryFrom<Vec<String>> for OrderedWords {
    type Error = &'static str;

    fn try_from(list: Vec<String>) -> Result<Self, Self::Error> {
        Self::new(list)
    }
}

impl From<OrderedWords> for Vec<String> {
    fn from(words: OrderedWords) -> Self {
        words.list
    }
}

impl ColumnScale {
    /// The position of a cell; `None` where it has none.
    #[must_use]
    pub fn position(&self, cell: &str) -> Option<Decimal> {
        match self {
            Self::Numbers => Decimal::parse(cell),
            Self::Dates(format) => Decimal::new(i128::from(format.read_day(cell)?.days()), 0),
            Self::Words(words) => Decimal::new(i128::try_from(*words.places.get(cell)?).ok()?, 0),
        }
    }

    /// The first and the last position that can be written.
    pub(super) fn ends(&self) -> Option<(i128, i128)> {
        match self {
            Self::Numbers => None,
            Self::Dates(_) => Some((i128::from(Date::FIRST.days()), i128::from(Date::LAST.days()))),
            Self::Words(words) => Some((0, i128::try_from(words.list.len()).unwrap_or(1) - 1)),
        }
    }

    /// Whether the size of a position counts from zero.
    #[must_use]
    pub fn has_zero(&self) -> bool {
        *self == Self::Numbers
    }

    /// What a position that is a whole number is written as, if this is no scale of numbers.
    pub(super) fn text(&self, position: i128) -> Option<String> {
        match self {
            Self::Numbers => None,
            Self::Dates(format) => {
                let date = i64::try_from(position).ok().and_then(Date::of_days);
                Some(date.map_or_else(String::new, |date| format.write(date)))
            }
            Self::Words(words) => {
                let word = usize::try_from(position).ok().and_then(|place| words.list.get(place));
                Some(word.cloned().unwrap_or_default())
            }
        }
    }

    /// What is wrong with cells that have no position.
    pub(super) fn complaint(&self, column: &str, count: usize, first: usize) -> WalkError {
        let column = column.to_owned();
        match self {
            Self::Numbers => WalkError::NotNumeric { column, count, first },
            Self::Dates(format) => WalkError::NotDates { column, count, first, format: format.name() },
            Self::Words(_) => WalkError::NotListed { column, count, first },
        }
    }
}

/// How all numbers of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NumberWriting {
    /// The digits after the point, zeros included; `None` where they differ.
    pub digits: Option<u32>,
    /// The digits before the point where zeros fill them up to one width; 0 where they do not.
    pub width: usize,
}

impl NumberWriting {
    /// The way in which all of these numbers are written.
    pub(super) fn from_cells<'a>(cells: impl Iterator<Item = &'a str>) -> Self {
        let (mut digits, mut width) = (CommonNumber::Unseen, CommonNumber::Unseen);
        let mut is_filled = false;
        for cell in cells.filter(|cell| !cell.is_empty()) {
            let (whole, fraction) = cell.split_once('.').unwrap_or((cell, ""));
            let whole = whole.trim_start_matches(['-', '+']);
            is_filled |= whole.len() > 1 && whole.starts_with('0');
            let has_exponent = cell.contains(['e', 'E']);
            digits.see((!has_exponent).then_some(fraction.len()));
            width.see((!has_exponent).then_some(whole.len()));
        }
        Self {
            digits: digits.all().and_then(|digits| u32::try_from(digits).ok()),
            width: width.all().filter(|_| is_filled).unwrap_or(0),
        }
    }

    /// A number, written so.
    pub(super) fn write(self, number: Decimal) -> String {
        let text = number.to_string();
        let (sign, bare) = text.strip_prefix('-').map_or(("", text.as_str()), |bare| ("-", bare));
        let (whole, fraction) = bare.split_once('.').unwrap_or((bare, ""));
        let digits = self.digits.map_or(0, |digits| digits as usize).max(fraction.len());
        let point = if digits > 0 { "." } else { "" };
        format!("{sign}{whole:0>width$}{point}{fraction:0<digits$}", width = self.width)
    }
}

/// A number that all have in common.
enum CommonNumber {
    Unseen,
    Same(usize),
    Different,
}

impl CommonNumber {
    fn see(&mut self, number: Option<usize>) {
        *self = match (&*self, number) {
            (Self::Unseen, Some(number)) => Self::Same(number),
            (Self::Same(before), Some(number)) if *before == number => Self::Same(number),
            _ => Self::Different,
        };
    }

    fn all(&self) -> Option<usize> {
        if let Self::Same(number) = self { Some(*number) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(list: &[&str]) -> Result<OrderedWords, &'static str> {
        OrderedWords::new(list.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn orders_are_checked() {
        assert!(words(&["low", "medium", "high"]).is_ok());
        for bad in [&["a", "b", "a"][..], &["a", "", "b"]] {
            assert!(words(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn positions_are_written_as_they_were_read() {
        let order = ColumnScale::Words(words(&["low", "medium", "high"]).unwrap());
        let formats = DateFormat::ALL.map(ColumnScale::Dates);
        let dates = ["2024-02-29", "29.02.2024", "29/02/2024", "02/29/2024", "20240229"];
        let cells = formats.iter().zip(dates).chain([(&order, "low"), (&order, "high")]);
        for (scale, cell) in cells {
            let position = scale.position(cell).unwrap();
            assert_eq!(scale.text(position.mantissa()).as_deref(), Some(cell));
        }
        for (scale, cell) in [(&order, "higher"), (&formats[0], "2024-02-30"), (&formats[0], "2024-02-29T10:00")] {
            assert_eq!(scale.position(cell), None, "{cell}");
        }
    }

    #[test]
    fn positions_beyond_the_ends_cannot_be_written() {
        let order = ColumnScale::Words(words(&["low", "medium", "high"]).unwrap());
        assert_eq!((order.ends(), order.text(3).as_deref()), (Some((0, 2)), Some("")));
        let (first, last) = ColumnScale::Dates(DateFormat::Iso).ends().unwrap();
        let text = |position: i128| ColumnScale::Dates(DateFormat::Iso).text(position).unwrap();
        assert_eq!((text(first), text(last)), ("1583-01-01".into(), "9999-12-31".into()));
        assert_eq!((text(first - 1), text(last + 1)), (String::new(), String::new()));
    }

    #[test]
    fn leading_zeros_are_kept_where_all_numbers_have_one_width() {
        let write = |cells: &[&str], number: &str| {
            NumberWriting::from_cells(cells.iter().copied()).write(Decimal::parse(number).unwrap())
        };
        assert_eq!(write(&["007", "123", ""], "45"), "045");
        assert_eq!(write(&["07", "123"], "45"), "45");
        assert_eq!(write(&["12", "34"], "5"), "5");
        assert_eq!(write(&["00.50", "12.25"], "-3.5"), "-03.50");
        assert_eq!(write(&["1e2", "05"], "5"), "5");
    }
}
