//! Columns of Parquet that are no text: whole numbers, numbers, truths and days, read as the text that stands for them.
//!
//! A column has such a type where the manifest claims it and the file has it; anything else is no column of a release. What a
//! cell says is judged as text, as everywhere, and the column is written again in its type.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, StringArray};
use arrow_schema::DataType;

use super::ReadFailure;
use crate::calendar::Day;
use crate::decimal::Decimal;
use crate::manifest::Claims;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    Text,
    Integer,
    Number,
    Boolean,
    Date,
}

impl ColumnType {
    /// The claimed types.
    pub fn all(claims: &Claims) -> Result<Vec<Self>, ReadFailure> {
        let unknown = ReadFailure::Content { what: "a type of a column not known to this audit", record: None };
        let kinds = claims.columns.iter().map(|column| Self::claimed(column.kept_type.as_deref()));
        kinds.collect::<Option<Vec<Self>>>().ok_or(unknown)
    }

    fn claimed(claimed: Option<&str>) -> Option<Self> {
        Some(match claimed {
            None => Self::Text,
            Some("integer") => Self::Integer,
            Some("number") => Self::Number,
            Some("boolean") => Self::Boolean,
            Some("date") => Self::Date,
            Some(_) => return None,
        })
    }

    /// What the column is in the file.
    pub fn data_type(self) -> DataType {
        match self {
            Self::Text => DataType::Utf8,
            Self::Integer => DataType::Int64,
            Self::Number => DataType::Float64,
            Self::Boolean => DataType::Boolean,
            Self::Date => DataType::Date32,
        }
    }

    /// The cells as text.
    pub fn texts(self, column: &ArrayRef) -> Option<StringArray> {
        Some(match self {
            Self::Text => column.as_string_opt::<i32>()?.clone(),
            Self::Integer => written(column.as_primitive_opt::<Int64Type>()?, |number| number.to_string()),
            Self::Number => written(column.as_primitive_opt::<Float64Type>()?, number),
            Self::Boolean => {
                column.as_boolean_opt()?.iter().map(|truth| truth.map(|truth| truth.to_string())).collect()
            }
            Self::Date => written(column.as_primitive_opt::<Date32Type>()?, day),
        })
    }

    /// The same cells; where none is null, nothing says which are: the library cuts pages by that.
    pub fn without_idle_nulls(self, column: &ArrayRef) -> Option<ArrayRef> {
        let nulls = column.nulls().filter(|nulls| nulls.null_count() > 0).cloned();
        Some(match self {
            Self::Text => {
                let (offsets, texts, _) = column.as_string_opt::<i32>()?.clone().into_parts();
                Arc::new(StringArray::try_new(offsets, texts, nulls).ok()?)
            }
            Self::Boolean => Arc::new(BooleanArray::new(column.as_boolean_opt()?.values().clone(), nulls)),
            Self::Integer => {
                Arc::new(PrimitiveArray::<Int64Type>::try_new(values::<Int64Type>(column)?.into(), nulls).ok()?)
            }
            Self::Number => {
                Arc::new(PrimitiveArray::<Float64Type>::try_new(values::<Float64Type>(column)?.into(), nulls).ok()?)
            }
            Self::Date => {
                Arc::new(PrimitiveArray::<Date32Type>::try_new(values::<Date32Type>(column)?.into(), nulls).ok()?)
            }
        })
    }
}

/// The numbers of a column, zero where a cell is null: what is behind a null is no cell.
fn values<T: ArrowPrimitiveType>(column: &ArrayRef) -> Option<Vec<T::Native>> {
    let column = column.as_primitive_opt::<T>()?;
    Some(column.iter().map(Option::unwrap_or_default).collect())
}

fn written<T: ArrowPrimitiveType>(column: &PrimitiveArray<T>, text: impl Fn(T::Native) -> String) -> StringArray {
    column.iter().map(|value| value.map(&text)).collect()
}

/// A number as releases write it: a plain decimal where all its digits can be compared, otherwise with an exponent.
fn number(number: f64) -> String {
    let plain = if number == 0.0 { "0".to_owned() } else { number.to_string() };
    if !number.is_finite() || Decimal::collected(&plain).is_some() { plain } else { format!("{number:e}") }
}

fn day(days: i32) -> String {
    Day::after_1970(days.into()).written("YYYY-MM-DD")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written() {
        for (value, text) in [
            (1.5, "1.5"),
            (-0.0, "0"),
            (100_000.0, "100000"),
            (1e-7, "0.0000001"),
            (1e300, "1e300"),
            (1e-300, "1e-300"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(number(f64::NAN), "NaN");
    }
}
