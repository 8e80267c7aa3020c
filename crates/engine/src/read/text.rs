//! Typed columns as text: what each Arrow type is written as.
//!
//! | Type | Text |
//! |---|---|
//! | string, large string, string view, dictionary of a type in this table | as it is |
//! | boolean | `true`, `false` |
//! | integers, signed and unsigned, 8 to 64 bits | plain digits |
//! | float 32, 64 | shortest digits that give the number back: `1.5`, `100000`; exponents only from 1e21 on and below 1e-6; `-0` is `0`; `NaN`, `inf`, `-inf` |
//! | decimal 32, 64, 128, 256 | all digits of the scale: `1.50` |
//! | date 32, 64 | `YYYY-MM-DD` |
//! | timestamp | `YYYY-MM-DDTHH:MM:SS[.fff]`; with a time zone: in UTC with `Z` |
//! | time of day | `HH:MM:SS[.fff]` |
//! | UUID (where the schema says so) | `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` |
//! | null | missing |
//! | list, struct, map, union, binary, float 16, duration, interval, run-end encoded | refused |
//!
//! Refused columns may stand in a file as long as nobody reads them: an identifying column is never read.
//! Parquet's INT96 is read as a timestamp in microseconds, because nanoseconds would wrap outside 1677 to 2262.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{self, DecimalType};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, FixedSizeBinaryArray, PrimitiveArray, StringArray};
use arrow_schema::{DataType, TimeUnit};

use super::clean::{CellRefusal, Cleaner};
use super::date_text;

/// Why a cell has no text, and its place in the array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextRefusal {
    /// Counted from 0.
    pub(super) record: usize,
    /// In our words.
    pub(super) why: &'static str,
    /// What to do, where that is known.
    pub(super) hint: Option<&'static str>,
}

impl TextRefusal {
    /// Of a cell, in our words.
    pub(super) fn new(record: usize, why: &'static str) -> Self {
        Self { record, why, hint: None }
    }

    fn unfit(record: usize, unfit: CellRefusal) -> Self {
        Self { hint: Some(unfit.hint()), ..Self::new(record, unfit.why()) }
    }
}

type TextResult = Result<StringArray, TextRefusal>;

/// What a type is called when it cannot be read; `None` for those of the table above.
pub(super) fn refused(kind: &DataType, uuid: bool) -> Option<&'static str> {
    match kind {
        DataType::FixedSizeBinary(16) if uuid => None,
        DataType::Dictionary(_, values) => refused(values, false),
        DataType::List(_)
        | DataType::LargeList(_)
        | DataType::FixedSizeList(..)
        | DataType::ListView(_)
        | DataType::LargeListView(_) => Some("list"),
        DataType::Struct(_) => Some("struct"),
        DataType::Map(..) => Some("map"),
        DataType::Union(..) => Some("union"),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            Some("binary")
        }
        DataType::Float16 => Some("float 16"),
        DataType::Duration(_) => Some("duration"),
        DataType::Interval(_) => Some("interval"),
        DataType::RunEndEncoded(..) => Some("run-end encoded"),
        _ => None,
    }
}

/// The text of a column, cleaned; missing cells are null.
pub(super) fn write(array: &ArrayRef, uuid: bool, limit: usize, cleaner: &Cleaner) -> TextResult {
    match array.data_type() {
        DataType::Utf8 => strings(array.as_string::<i32>(), limit, cleaner),
        DataType::LargeUtf8 => {
            let cells = array.as_string::<i64>();
            texts(array, limit, cleaner, |record| cells.value(record))
        }
        DataType::Utf8View => {
            let cells = array.as_string_view();
            texts(array, limit, cleaner, |record| cells.value(record))
        }
        DataType::Dictionary(..) => dictionary(array, limit, cleaner),
        DataType::Null => Ok(StringArray::new_null(array.len())),
        DataType::FixedSizeBinary(16) if uuid => {
            let cells = array.as_fixed_size_binary();
            cells_of(array, cleaner, |record, text| write_uuid(text, cells, record))
        }
        DataType::Boolean => {
            let cells = array.as_boolean();
            cells_of(array, cleaner, |record, text| {
                text.push_str(if cells.value(record) { "true" } else { "false" });
                true
            })
        }
        _ => numbers(array, cleaner),
    }
}

fn numbers(array: &ArrayRef, cleaner: &Cleaner) -> TextResult {
    match array.data_type() {
        DataType::Int8 => plain::<types::Int8Type>(array, cleaner),
        DataType::Int16 => plain::<types::Int16Type>(array, cleaner),
        DataType::Int32 => plain::<types::Int32Type>(array, cleaner),
        DataType::Int64 => plain::<types::Int64Type>(array, cleaner),
        DataType::UInt8 => plain::<types::UInt8Type>(array, cleaner),
        DataType::UInt16 => plain::<types::UInt16Type>(array, cleaner),
        DataType::UInt32 => plain::<types::UInt32Type>(array, cleaner),
        DataType::UInt64 => plain::<types::UInt64Type>(array, cleaner),
        DataType::Float32 => {
            each::<types::Float32Type>(array, cleaner, |value, text| write_float(text, value, f64::from(value)))
        }
        DataType::Float64 => each::<types::Float64Type>(array, cleaner, |value, text| write_float(text, value, value)),
        DataType::Decimal32(..) => decimal::<types::Decimal32Type>(array, cleaner),
        DataType::Decimal64(..) => decimal::<types::Decimal64Type>(array, cleaner),
        DataType::Decimal128(..) => decimal::<types::Decimal128Type>(array, cleaner),
        DataType::Decimal256(..) => decimal::<types::Decimal256Type>(array, cleaner),
        _ => moments(array, cleaner),
    }
}

fn moments(array: &ArrayRef, cleaner: &Cleaner) -> TextResult {
    match array.data_type() {
        DataType::Date32 => each::<types::Date32Type>(array, cleaner, |days, text| {
            date_text::write_date(text, i64::from(days));
            true
        }),
        DataType::Date64 => each::<types::Date64Type>(array, cleaner, |millis, text| {
            date_text::write_date(text, millis.div_euclid(86_400_000));
            true
        }),
        DataType::Time32(TimeUnit::Second) => {
            each::<types::Time32SecondType>(array, cleaner, |v, text| date_text::write_time(text, i64::from(v), 1))
        }
        DataType::Time32(_) => each::<types::Time32MillisecondType>(array, cleaner, |v, text| {
            date_text::write_time(text, i64::from(v), 1_000)
        }),
        DataType::Time64(TimeUnit::Microsecond) => {
            each::<types::Time64MicrosecondType>(array, cleaner, |v, text| date_text::write_time(text, v, 1_000_000))
        }
        DataType::Time64(_) => {
            each::<types::Time64NanosecondType>(array, cleaner, |v, text| date_text::write_time(text, v, 1_000_000_000))
        }
        DataType::Timestamp(TimeUnit::Second, zone) => {
            instants::<types::TimestampSecondType>(array, cleaner, 1, zone.is_some())
        }
        DataType::Timestamp(TimeUnit::Millisecond, zone) => {
            instants::<types::TimestampMillisecondType>(array, cleaner, 1_000, zone.is_some())
        }
        DataType::Timestamp(TimeUnit::Microsecond, zone) => {
            instants::<types::TimestampMicrosecondType>(array, cleaner, 1_000_000, zone.is_some())
        }
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => {
            instants::<types::TimestampNanosecondType>(array, cleaner, 1_000_000_000, zone.is_some())
        }
        _ => Err(TextRefusal::new(0, "a type that cannot be written as text")),
    }
}

/// A column of strings passes as it is when no cell of it changes.
fn strings(cells: &StringArray, limit: usize, cleaner: &Cleaner) -> TextResult {
    let fine = |text: &str| cleaner.keeps(text) && is_sound(text, limit).is_ok();
    if cells.iter().flatten().all(fine) {
        return Ok(cells.clone());
    }
    texts(cells, limit, cleaner, |record| cells.value(record))
}

fn texts<'a>(array: &dyn Array, limit: usize, cleaner: &Cleaner, cell: impl Fn(usize) -> &'a str) -> TextResult {
    let mut column = StringBuilder::with_capacity(array.len(), 0);
    for record in 0..array.len() {
        if array.is_null(record) {
            column.append_null();
            continue;
        }
        let text = cell(record);
        is_sound(text, limit).map_err(|why| TextRefusal::new(record, why))?;
        cleaner.push(&mut column, text).map_err(|unfit| TextRefusal::unfit(record, unfit))?;
    }
    Ok(column.finish())
}

fn is_sound(text: &str, limit: usize) -> Result<(), &'static str> {
    match text {
        _ if text.len() > limit => Err("longer than the field limit"),
        _ if text.as_bytes().contains(&0) => Err("the text holds a NUL byte"),
        _ => Ok(()),
    }
}

/// Writes each distinct value once; an unused one that cannot be written is an error too.
fn dictionary(array: &ArrayRef, limit: usize, cleaner: &Cleaner) -> TextResult {
    let dictionary = array.as_any_dictionary();
    let values: ArrayRef = Arc::new(write(dictionary.values(), false, limit, cleaner)?);
    let taken = arrow_select::take::take(&values, dictionary.keys(), None)
        .map_err(|_| TextRefusal::new(0, "a key outside its dictionary"))?;
    Ok(taken.as_string::<i32>().clone())
}

fn cells_of(array: &dyn Array, cleaner: &Cleaner, mut cell: impl FnMut(usize, &mut String) -> bool) -> TextResult {
    let mut column = StringBuilder::with_capacity(array.len(), array.len() * 8);
    let mut text = String::new();
    for record in 0..array.len() {
        if array.is_null(record) {
            column.append_null();
            continue;
        }
        text.clear();
        if !cell(record, &mut text) {
            return Err(TextRefusal::new(record, "the value is outside the range of its type"));
        }
        cleaner.push_typed(&mut column, &text).map_err(|unfit| TextRefusal::unfit(record, unfit))?;
    }
    Ok(column.finish())
}

fn each<T: ArrowPrimitiveType>(
    array: &ArrayRef,
    cleaner: &Cleaner,
    write: impl Fn(T::Native, &mut String) -> bool,
) -> TextResult {
    let cells: &PrimitiveArray<T> = array.as_primitive();
    cells_of(array, cleaner, |record, text| write(cells.value(record), text))
}

fn plain<T: ArrowPrimitiveType>(array: &ArrayRef, cleaner: &Cleaner) -> TextResult
where
    T::Native: std::fmt::Display,
{
    each::<T>(array, cleaner, |value, text| write!(text, "{value}").is_ok())
}

fn decimal<T: DecimalType + ArrowPrimitiveType>(array: &ArrayRef, cleaner: &Cleaner) -> TextResult {
    let cells: &PrimitiveArray<T> = array.as_primitive();
    cells_of(array, cleaner, |record, text| {
        text.push_str(&cells.value_as_string(record));
        true
    })
}

fn instants<T: ArrowPrimitiveType<Native = i64>>(
    array: &ArrayRef,
    cleaner: &Cleaner,
    per_second: i64,
    utc: bool,
) -> TextResult {
    each::<T>(array, cleaner, |value, text| {
        date_text::write_instant(text, value, per_second);
        if utc {
            text.push('Z');
        }
        true
    })
}

/// `shortest` is the number in its own width, so that 0.1 as 32 bits is `0.1`; `wide` only tells its size.
pub(super) fn write_float(text: &mut String, shortest: impl std::fmt::Display + std::fmt::LowerExp, wide: f64) -> bool {
    let size = wide.abs();
    if wide == 0.0 {
        text.push('0');
        true
    } else if size.is_finite() && !(1e-6..1e21).contains(&size) {
        write!(text, "{shortest:e}").is_ok()
    } else {
        write!(text, "{shortest}").is_ok()
    }
}

fn write_uuid(text: &mut String, cells: &FixedSizeBinaryArray, record: usize) -> bool {
    for (index, byte) in cells.value(record).iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        let _ = write!(text, "{byte:02x}");
    }
    true
}
