//! A numeric column, exact and in record order.
//!
//! Methods that give new values need every record, not counts: the values of a column as whole numbers of its last decimal
//! place, so that equal values are equal and nothing is rounded on the way in. A missing value stays missing.
//!
//! Limit: numbers of up to 2⁵³ units, which `f64` holds exactly; others are refused, never rounded.

use crate::hierarchy::decimal::Decimal;

/// The largest whole number up to which every whole number is an `f64`.
const LARGEST: i128 = 1 << 53;

/// A numeric column in record order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numeric {
    /// The column's name.
    pub name: String,
    /// How many digits stand after the point.
    pub places: u32,
    /// For each record its value in units of the last place; `None` is missing.
    pub values: Vec<Option<i64>>,
    /// The bounds that new values keep, in units; `None` where the policy gives none.
    pub domain: Option<(i64, i64)>,
}

/// Why texts are no numeric column. Records count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumericError {
    /// Some texts are no numbers.
    #[error("{count} of the values are no finite decimal numbers, the first in record {first}")]
    NotNumbers {
        /// How many.
        count: u64,
        /// The record of the first one.
        first: u64,
    },
    /// More digits than arithmetic keeps exactly.
    #[error("the number in record {record} has too many digits for exact arithmetic")]
    TooManyDigits {
        /// The record.
        record: u64,
    },
}

impl Numeric {
    /// Reads a column; the empty text is the missing value.
    pub fn read<'a>(name: &str, texts: impl Iterator<Item = &'a str>) -> Result<Self, NumericError> {
        let (mut numbers, mut places, mut wrong, mut first) = (Vec::new(), 0, 0, 0);
        for (record, text) in (1..).zip(texts) {
            let number = Decimal::parse(text);
            if number.is_none() && !text.is_empty() {
                wrong += 1;
                first = if wrong == 1 { record } else { first };
            }
            places = places.max(number.map_or(0, |number| written_places(text, number)));
            numbers.push(number);
        }
        if wrong > 0 {
            return Err(NumericError::NotNumbers { count: wrong, first });
        }
        let units = |(record, number): (u64, Option<Decimal>)| {
            number.map(|number| units(number, places).ok_or(NumericError::TooManyDigits { record })).transpose()
        };
        let values = (1..).zip(numbers).map(units).collect::<Result<_, _>>()?;
        Ok(Self { name: name.to_owned(), places, values, domain: None })
    }

    /// The values as floats, in units; a missing value is not a number.
    #[must_use]
    pub fn floats(&self) -> Vec<f64> {
        floats(&self.values)
    }

    /// How many different values there are, missing ones apart.
    #[must_use]
    pub fn distinct(&self) -> usize {
        let mut present: Vec<i64> = self.values.iter().flatten().copied().collect();
        present.sort_unstable();
        present.dedup();
        present.len()
    }

    /// The smallest and the largest value.
    #[must_use]
    pub fn extremes(&self) -> Option<(i64, i64)> {
        let present = || self.values.iter().flatten().copied();
        present().min().zip(present().max())
    }

    /// A number as units of this column: `None` when it needs more places or digits.
    #[must_use]
    pub fn units(&self, number: Decimal) -> Option<i64> {
        units(number, self.places)
    }

    /// A value as it is written, with all places of the column.
    #[must_use]
    pub fn text(&self, units: i64) -> String {
        let (sign, magnitude) = (if units < 0 { "-" } else { "" }, units.unsigned_abs());
        let Some(one) = 10_u64.checked_pow(self.places).filter(|_| self.places > 0) else {
            // Beyond 19 places, a number of up to 2⁵³ units has only zeros before them.
            let digits = if self.places > 0 {
                format!("0.{magnitude:0>width$}", width = self.places as usize)
            } else {
                magnitude.to_string()
            };
            return format!("{sign}{digits}");
        };
        format!("{sign}{}.{:0width$}", magnitude / one, magnitude % one, width = self.places as usize)
    }
}

/// Values as floats; a missing one is not a number.
#[must_use]
pub fn floats(values: &[Option<i64>]) -> Vec<f64> {
    values.iter().map(|value| value.map_or(f64::NAN, |units| units as f64)).collect()
}

fn units(number: Decimal, places: u32) -> Option<i64> {
    let units = number.at(places).filter(|units| units.abs() <= LARGEST)?;
    i64::try_from(units).ok()
}

/// Digits after the point as somebody wrote them: `12.50` has two.
fn written_places(text: &str, number: Decimal) -> u32 {
    let plain = text.split_once('.').filter(|_| !text.contains(['e', 'E']));
    plain.and_then(|(_, fraction)| u32::try_from(fraction.len()).ok()).unwrap_or(0).min(38).max(number.scale())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[&str]) -> Result<Numeric, NumericError> {
        Numeric::read("x", texts.iter().copied())
    }

    #[test]
    fn numbers_are_whole_units_of_the_last_place() {
        let column = read(&["12.50", "", "-3", "1e-1"]).unwrap();
        assert_eq!((column.places, column.values.as_slice()), (2, &[Some(1250), None, Some(-300), Some(10)][..]));
        assert_eq!([1250, -300, 10, -5].map(|units| column.text(units)), ["12.50", "-3.00", "0.10", "-0.05"]);
        assert_eq!((column.distinct(), column.extremes()), (3, Some((-300, 1250))));
        assert_eq!(read(&["7"]).unwrap().text(-7), "-7");
    }

    #[test]
    fn many_places_are_written_out() {
        let column = read(&["0.00000000000000000000001"]).unwrap();
        assert_eq!(column.text(12), "0.00000000000000000000012");
    }

    #[test]
    fn what_is_no_number_is_counted_and_not_shown() {
        let wrong = read(&["1", "x", "NaN", "inf"]).unwrap_err();
        assert_eq!(wrong, NumericError::NotNumbers { count: 3, first: 2 });
        assert_eq!(read(&["1", "9007199254740993"]).unwrap_err(), NumericError::TooManyDigits { record: 2 });
        assert_eq!(read(&["1e15", "0.001"]).unwrap_err(), NumericError::TooManyDigits { record: 1 });
    }
}
