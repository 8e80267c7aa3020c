//! How the cells of a batch are looked at.
//!
//! A column of a batch is text; the missing value is null there and the empty text here.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};

use crate::error::{Error, Result};

/// A column as the array that it must be.
pub fn column_as<T: Array + 'static>(column: &ArrayRef) -> Result<&T> {
    column.as_any().downcast_ref().ok_or_else(|| Error::environment("an internal step met a column of another type"))
}

/// The value of a record; the missing value is the empty text.
#[must_use]
pub fn text(values: &StringArray, record: usize) -> &str {
    if values.is_null(record) { "" } else { values.value(record) }
}

/// Whether two arrays of text are the same bytes in memory. One of them is held, so its place cannot be another's.
pub fn is_same(left: &ArrayRef, right: &ArrayRef) -> bool {
    match (left.as_string_opt::<i32>(), right.as_string_opt::<i32>()) {
        (Some(left), Some(right)) => {
            left.len() == right.len()
                && left.value_data().as_ptr() == right.value_data().as_ptr()
                && left.value_offsets().as_ptr() == right.value_offsets().as_ptr()
        }
        _ => false,
    }
}
