//! Columns of Parquet that keep the type of their input.
//!
//! A release is text from its first cell to its last, because the same table shall give the same bytes from every format; that is why
//! `types = "text"` is the default. Who asks for `types = "kept"` gets columns that are released as collected in the type that the
//! input had: whole numbers, numbers, truths and days. Their texts are read back into it here, when everything else is done.
//!
//! Limits: recoded columns, codes with a `width`, moments, decimals of a fixed scale and whole numbers beyond 63 bits are text.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, StringArray};
use arrow_schema::DataType;
use equanym_core::hierarchy::{DateFormat, LabelRule};
use equanym_core::mask::{ColumnMask, Mask};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::read::Source;

/// The type of a column that was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeptType {
    /// Whole numbers of 64 bits.
    Integer,
    /// Numbers of double precision.
    Number,
    /// True or false.
    Boolean,
    /// Days.
    Date,
}

impl KeptType {
    /// That of each released column, where it is one as collected.
    pub(crate) fn all(mask: &Mask, source: &Source) -> Vec<Option<Self>> {
        mask.released().map(|(place, column)| Self::kept(column, source.column_type(place)?)).collect()
    }

    fn kept(column: &ColumnMask, collected: &DataType) -> Option<Self> {
        let is_collected = column.change.is_none()
            && column.treatments.is_empty()
            && column
                .recoding
                .as_ref()
                .is_none_or(|one| one.rule == LabelRule::AsCollected && !one.has_strays_at_top());
        let kind = match collected {
            DataType::Int8
            | DataType::Int16
            | DataType::Int32
            | DataType::Int64
            | DataType::UInt8
            | DataType::UInt16
            | DataType::UInt32 => Self::Integer,
            // Numbers must be written in one way; of a recoded column only the policy says so.
            DataType::Float32 | DataType::Float64 if column.number || column.recoding.is_none() => Self::Number,
            DataType::Boolean => Self::Boolean,
            DataType::Date32 => Self::Date,
            _ => return None,
        };
        is_collected.then_some(kind)
    }

    /// The type in the file.
    pub(super) fn data_type(self) -> DataType {
        match self {
            Self::Integer => DataType::Int64,
            Self::Number => DataType::Float64,
            Self::Boolean => DataType::Boolean,
            Self::Date => DataType::Date32,
        }
    }

    /// The cells in their type.
    pub(super) fn read(self, cells: &StringArray) -> Result<ArrayRef> {
        Ok(match self {
            Self::Integer => {
                Arc::new(each(cells, |text| text.parse::<i64>().ok())?.into_iter().collect::<Int64Array>())
            }
            Self::Number => {
                Arc::new(each(cells, |text| text.parse::<f64>().ok())?.into_iter().collect::<Float64Array>())
            }
            Self::Boolean => Arc::new(each(cells, truth)?.into_iter().collect::<BooleanArray>()),
            Self::Date => Arc::new(each(cells, day)?.into_iter().collect::<Date32Array>()),
        })
    }
}

fn each<T>(cells: &StringArray, read: impl Fn(&str) -> Option<T>) -> Result<Vec<Option<T>>> {
    let cell = |text: Option<&str>| text.map(|text| read(text).ok_or_else(unfit)).transpose();
    cells.iter().map(cell).collect()
}

fn unfit() -> Error {
    Error::input("a released cell is not of the type that its column had").hint("write types = \"text\" in [output]")
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn day(text: &str) -> Option<i32> {
    DateFormat::Iso.read_day(text).filter(|_| text.len() == 10).and_then(|date| date.days().try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_back_into_their_type() {
        let cells = |cells: &[Option<&str>]| cells.iter().copied().collect::<StringArray>();
        let integers = KeptType::Integer.read(&cells(&[Some("-5"), None])).unwrap();
        assert_eq!(*integers, *(Arc::new(Int64Array::from(vec![Some(-5), None])) as ArrayRef));
        let days = KeptType::Date.read(&cells(&[Some("1970-01-02")])).unwrap();
        assert_eq!(*days, *(Arc::new(Date32Array::from(vec![1])) as ArrayRef));
        for (kind, text) in
            [(KeptType::Integer, "1.5"), (KeptType::Date, "1970-01-02T00:00:00"), (KeptType::Boolean, "1")]
        {
            assert!(kind.read(&cells(&[Some(text)])).is_err(), "{text}");
        }
    }
}
