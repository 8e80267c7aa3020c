//! A column on a line, exactly: whole numbers of its smallest unit.
//!
//! Distances are compared exactly. Rounding noise makes localities that are not there, and a false one of width 10⁻¹⁷
//! holds a walk in place. A column is read into positions ([`ColumnScale`]): whole numbers of 10^-places, where `places` is the
//! largest number of digits after the point; of days; or of places in an order. A missing value stays missing.

use super::scale::NumberWriting;
use super::{ColumnScale, WalkError};
use crate::hierarchy::decimal::Decimal;

/// Numbers must stay below this many units, so that sums and doubles are exact.
pub(super) const LIMIT: i128 = 1 << 100;

/// A column of positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkColumn {
    /// Its name.
    pub name: String,
    /// Its values in units of 10^-places; `None` where missing.
    pub values: Vec<Option<i128>>,
    /// Digits after the point.
    pub places: u32,
    /// What the positions mean.
    pub scale: ColumnScale,
    /// How its numbers are written.
    pub writing: NumberWriting,
    /// The bounds that the values must stay within, if any were given, in the same units.
    pub bounds: Option<(i128, i128)>,
    /// How far noise may move a value either way, if that was given, in the same units.
    pub interval: Option<i128>,
}

impl WalkColumn {
    /// Refuses an empty domain, and values outside of it.
    pub(crate) fn check_domain(&self) -> Result<(), WalkError> {
        let Some((low, high)) = self.bounds else { return Ok(()) };
        let column = self.name.clone();
        if low >= high {
            return Err(WalkError::EmptyDomain { column });
        }
        let outside = |value: &Option<i128>| value.is_some_and(|value| value < low || value > high);
        let count = self.values.iter().filter(|value| outside(value)).count();
        let first = self.values.iter().position(outside);
        first.map_or(Ok(()), |first| Err(WalkError::OutsideDomain { column, count, first: first + 1 }))
    }

    /// Reads the cells of a column of numbers; the empty text is the missing value.
    ///
    /// Bounds are taken as they are: they may have more digits than the values, which then get them, too.
    pub fn parse<'a>(
        name: &str,
        cells: impl IntoIterator<Item = &'a str> + Clone,
        bounds: Option<(Decimal, Decimal)>,
    ) -> Result<Self, WalkError> {
        Self::read(name, cells, ColumnScale::Numbers, ColumnLimits { bounds, interval: None })
    }

    /// Reads the cells of a column; the empty text is the missing value.
    pub fn read<'a>(
        name: &str,
        cells: impl IntoIterator<Item = &'a str> + Clone,
        scale: ColumnScale,
        limits: ColumnLimits,
    ) -> Result<Self, WalkError> {
        let mut bad = (0, None);
        let mut positions = Vec::new();
        for (record, cell) in (1..).zip(cells.clone()) {
            let position = if cell.is_empty() { None } else { scale.position(cell) };
            if position.is_none() && !cell.is_empty() {
                bad = (bad.0 + 1, bad.1.or(Some(record)));
            }
            positions.push(position);
        }
        if let (count, Some(first)) = bad {
            return Err(scale.complaint(name, count, first));
        }
        let given = limits.bounds.iter().flat_map(|(low, high)| [*low, *high]).chain(limits.interval);
        let places = positions.iter().flatten().copied().chain(given).map(Decimal::scale).max().unwrap_or(0);
        // Days and places in an order are whole.
        let places = if scale.has_zero() { places } else { 0 };
        let too_large = || WalkError::TooLarge { what: format!("the digits of `{name}`"), limit: 30 };
        let units = |number: Decimal| number.at(places).filter(|units| units.abs() < LIMIT).ok_or_else(too_large);
        let values = positions.into_iter().map(|position| position.map(units).transpose()).collect::<Result<_, _>>()?;
        let bounds = limits.bounds.map(|(low, high)| Ok((units(low)?, units(high)?))).transpose()?;
        let interval = limits.interval.map(units).transpose()?;
        let mut writing = NumberWriting::from_cells(cells.into_iter());
        writing.digits = writing.digits.filter(|digits| *digits >= places);
        Ok(Self { name: name.to_owned(), values, places, scale, writing, bounds, interval })
    }

    /// The position of a cell in units; `None` where it is missing or has none.
    #[must_use]
    pub fn position(&self, cell: &str) -> Option<i128> {
        self.scale.position(cell)?.at(self.places)
    }

    /// The text of a value, written as the column was; the empty text when it is missing.
    #[must_use]
    pub fn text(&self, value: Option<i128>) -> String {
        let Some(units) = value else { return String::new() };
        let number = || Decimal::new(units, self.places).map(|number| self.writing.write(number));
        self.scale.text(units).or_else(number).unwrap_or_default()
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

    /// The first and the last position that can be written.
    pub(super) fn ends(&self) -> Option<(i128, i128)> {
        self.scale.ends()
    }

    /// The nearest value that is within the bounds and can be written.
    #[must_use]
    pub fn nearest(&self, value: i128) -> i128 {
        let clamp = |value: i128, (low, high): (i128, i128)| value.clamp(low, high.max(low));
        let bounded = self.bounds.map_or(value, |bounds| clamp(value, bounds));
        self.ends().map_or(bounded, |ends| clamp(bounded, ends))
    }

    /// Whether the size of a value counts from zero.
    #[must_use]
    pub fn has_zero(&self) -> bool {
        self.scale.has_zero()
    }

    /// A value as a float, for measures that do not decide anything.
    #[must_use]
    pub fn float(&self, value: i128) -> f64 {
        value as f64 / 10_f64.powi(i32::try_from(self.places).unwrap_or(0))
    }
}

/// What new values of a column must heed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ColumnLimits {
    /// The bounds that they must stay within.
    pub bounds: Option<(Decimal, Decimal)>,
    /// How far noise may move one either way.
    pub interval: Option<Decimal>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> WalkColumn {
        WalkColumn::parse("x", cells.iter().copied(), None).unwrap()
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
            let error = WalkColumn::parse("x", ["1", cell, "2", cell], None).unwrap_err();
            assert_eq!(error, WalkError::NotNumeric { column: "x".into(), count: 2, first: 2 }, "{cell}");
            assert!(!error.to_string().contains(cell));
        }
    }

    #[test]
    fn dates_are_days_and_words_are_places() {
        let read = |cells: &[&str], scale: ColumnScale| {
            WalkColumn::read("x", cells.iter().copied(), scale, ColumnLimits::default())
        };
        let dates =
            read(&["1970-01-03", "", "1969-12-31"], ColumnScale::Dates(crate::hierarchy::DateFormat::Iso)).unwrap();
        assert_eq!(dates.values, [Some(2), None, Some(-1)]);
        assert_eq!((dates.text(Some(31)), dates.position("1970-02-01")), ("1970-02-01".into(), Some(31)));
        let order =
            || ColumnScale::Words(crate::walk::OrderedWords::new(["a", "b", "c"].map(String::from).into()).unwrap());
        assert_eq!(read(&["c", "a"], order()).unwrap().values, [Some(2), Some(0)]);
        let missed = WalkError::NotListed { column: "x".into(), count: 2, first: 2 };
        assert_eq!(read(&["c", "secret", "secret"], order()).unwrap_err(), missed);
        assert!(!missed.to_string().contains("secret"));
    }

    #[test]
    fn more_digits_than_are_exact_are_refused() {
        let error = WalkColumn::parse("x", ["1e30", "1e-8"], None).unwrap_err();
        assert!(matches!(error, WalkError::TooLarge { .. }));
    }
}
