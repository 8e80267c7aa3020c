//! A numeric column, exactly: whole numbers of its smallest unit.
//!
//! Distances are compared exactly. Rounding noise makes localities that are not there, and a false one of width 10⁻¹⁷
//! holds a walk in place. A column is read from decimal text into whole numbers of
//! 10^-places, where `places` is the largest number of digits after the point. A missing value stays missing.

use super::WalkError;
use crate::hierarchy::decimal::Decimal;

/// Numbers must stay below this many units, so that sums and doubles are exact.
pub(super) const LIMIT: i128 = 1 << 100;

/// A numeric column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values in units of 10^-places; `None` where missing.
    pub values: Vec<Option<i128>>,
    /// Digits after the point.
    pub places: u32,
    /// How many digits after the point every number is written with, zeros included; `None` where they differ.
    pub written: Option<u32>,
    /// The bounds that the values must stay within, if any were given, in the same units.
    pub bounds: Option<(i128, i128)>,
}

impl Column {
    /// Reads the cells of a column; the empty text is the missing value.
    ///
    /// Bounds are taken as they are: they may have more digits than the values, which then get them, too.
    pub fn parse<'a>(
        name: &str,
        cells: impl IntoIterator<Item = &'a str>,
        bounds: Option<(Decimal, Decimal)>,
    ) -> Result<Self, WalkError> {
        let mut reader = NumberReader::default();
        let numbers: Vec<Option<Decimal>> = cells.into_iter().map(|cell| reader.read(cell)).collect();
        if let Some(first) = reader.first_bad {
            return Err(WalkError::NotNumeric { column: name.to_owned(), count: reader.bad, first });
        }
        let ends = bounds.iter().flat_map(|(low, high)| [*low, *high]);
        let places = numbers.iter().flatten().copied().chain(ends).map(Decimal::scale).max().unwrap_or(0);
        let too_large = || WalkError::TooLarge { what: format!("the digits of `{name}`"), limit: 30 };
        let units = |number: Decimal| number.at(places).filter(|units| units.abs() < LIMIT).ok_or_else(too_large);
        let values = numbers.into_iter().map(|number| number.map(units).transpose()).collect::<Result<_, _>>()?;
        let bounds = bounds.map(|(low, high)| Ok((units(low)?, units(high)?))).transpose()?;
        let written = reader.written.all().filter(|digits| *digits >= places);
        Ok(Self { name: name.to_owned(), values, places, written, bounds })
    }

    /// The text of a value in this column's digits; the empty text when it is missing.
    #[must_use]
    pub fn text(&self, value: Option<i128>) -> String {
        let Some(units) = value else { return String::new() };
        let Some(number) = Decimal::new(units, self.places) else { return String::new() };
        let zeros = self.written.map_or(0, |digits| digits.saturating_sub(number.scale())) as usize;
        let point = if zeros > 0 && number.scale() == 0 { "." } else { "" };
        format!("{number}{point}{}", "0".repeat(zeros))
    }

    /// The smallest and the largest value.
    #[must_use]
    pub fn extremes(&self) -> Option<(i128, i128)> {
        let present = || self.values.iter().flatten().copied();
        present().min().zip(present().max())
    }

    /// How many different values there are.
    #[must_use]
    pub fn distinct(&self) -> usize {
        let mut present: Vec<i128> = self.values.iter().flatten().copied().collect();
        present.sort_unstable();
        present.dedup();
        present.len()
    }

    /// A value as a float, for measures that do not decide anything.
    #[must_use]
    pub fn float(&self, value: i128) -> f64 {
        value as f64 / 10_f64.powi(i32::try_from(self.places).unwrap_or(0))
    }
}

/// Reads cells and remembers what was wrong and how numbers were written.
#[derive(Default)]
struct NumberReader {
    seen: usize,
    bad: usize,
    first_bad: Option<usize>,
    /// The digits after the point that every number so far has.
    written: Digits,
}

impl NumberReader {
    fn read(&mut self, cell: &str) -> Option<Decimal> {
        self.seen += 1;
        if cell.is_empty() {
            return None;
        }
        let number = Decimal::parse(cell);
        if number.is_none() {
            self.bad += 1;
            self.first_bad.get_or_insert(self.seen);
        }
        self.written.see(digits_after_point(cell));
        number
    }
}

/// How many digits after the point numbers are written with.
#[derive(Default)]
enum Digits {
    #[default]
    Unseen,
    Same(u32),
    Different,
}

impl Digits {
    fn see(&mut self, digits: Option<u32>) {
        *self = match (&*self, digits) {
            (Self::Unseen, Some(digits)) => Self::Same(digits),
            (Self::Same(before), Some(digits)) if *before == digits => Self::Same(digits),
            _ => Self::Different,
        };
    }

    fn all(&self) -> Option<u32> {
        if let Self::Same(digits) = self { Some(*digits) } else { None }
    }
}

/// How many digits stand after the point; `None` with an exponent, which says nothing about digits.
fn digits_after_point(cell: &str) -> Option<u32> {
    if cell.contains(['e', 'E']) {
        return None;
    }
    u32::try_from(cell.split_once('.').map_or(0, |(_, digits)| digits.len())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> Column {
        Column::parse("x", cells.iter().copied(), None).unwrap()
    }

    #[test]
    fn decimals_become_whole_numbers() {
        let read = column(&["1.5", "", "-0.25", "3"]);
        assert_eq!((read.places, read.values.as_slice()), (2, [Some(150), None, Some(-25), Some(300)].as_slice()));
        assert_eq!([Some(150), None, Some(-25)].map(|value| read.text(value)), ["1.5", "", "-0.25"]);
    }

    #[test]
    fn digits_that_every_number_has_are_kept() {
        let read = column(&["1.50", "12.00"]);
        assert_eq!(read.places, 1);
        assert_eq!([Some(-150), Some(5), Some(1200)].map(|value| read.text(value)), ["-15.00", "0.50", "120.00"]);
        assert_eq!(column(&["7", "30"]).text(Some(70)), "70");
    }

    #[test]
    fn what_is_no_number_is_counted_and_not_repeated() {
        for cell in ["NaN", "inf", "-inf", "1,5", "secret", "1e999"] {
            let error = Column::parse("x", ["1", cell, "2", cell], None).unwrap_err();
            assert_eq!(error, WalkError::NotNumeric { column: "x".into(), count: 2, first: 2 }, "{cell}");
            assert!(!error.to_string().contains(cell));
        }
    }

    #[test]
    fn more_digits_than_are_exact_are_refused() {
        let error = Column::parse("x", ["1e30", "1e-8"], None).unwrap_err();
        assert!(matches!(error, WalkError::TooLarge { .. }));
    }
}
