//! Released cells in the types that their columns had in memory.
//!
//! A release is text. Whoever handed over batches gets batches back: a column that is released as collected, or with new values, is
//! read back into the type it had, provided that each of its cells can be; all others are text. Dictionaries stay such, and hold
//! what is released and nothing else, sorted: neither unused values nor an order of the original is told. All buffers are new.
//!
//! Limit: decimals of other than 128 bits, UUIDs and dictionaries of other than these types come back as text.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, LargeStringArray, PrimitiveArray, RecordBatch, StringArray,
    StringViewArray,
};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use equanym_core::hierarchy::{Date, DateFormat, LabelRule};
use equanym_core::mask::ColumnMask;

use crate::error::{Error, Result};
use crate::read::Batches;

/// The type that a released column has, if its cells fit it.
#[derive(Debug, Clone)]
pub(crate) struct FrameType {
    /// That of the original; `None` where it was text.
    collected: Option<DataType>,
    /// Whether its cells are of that type still.
    is_kept: bool,
}

impl FrameType {
    /// Of a column that had this type.
    pub(crate) fn new(column: &ColumnMask, collected: Option<&DataType>) -> Self {
        let is_kept = column.treatments.is_empty()
            && column
                .recoding
                .as_ref()
                .is_none_or(|one| one.rule == LabelRule::AsCollected && !one.has_strays_at_top());
        Self { collected: collected.cloned(), is_kept }
    }

    /// The same column as text.
    pub(crate) fn give_up(&mut self) {
        self.is_kept = false;
    }

    /// A chunk in its type; nothing if a cell does not fit. Dictionaries are made when all is there.
    fn chunk(&self, cells: &StringArray) -> Option<ArrayRef> {
        match &self.collected {
            Some(kind) if self.is_kept || is_text(kind) => {
                if matches!(kind, DataType::Dictionary(..)) {
                    Some(Arc::new(cells.clone()))
                } else {
                    read(cells, kind)
                }
            }
            _ => Some(Arc::new(cells.clone())),
        }
    }

    /// Makes dictionaries of the chunks of a column that was one.
    fn finish(&self, chunks: &mut Vec<ArrayRef>) {
        if let Some(DataType::Dictionary(keys, values)) = &self.collected {
            let cells: Vec<StringArray> = chunks.iter().filter_map(|one| one.as_string_opt::<i32>().cloned()).collect();
            *chunks = dictionaries(&cells, keys, values, self.is_kept);
        }
    }
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Batches of text in their types, or the first column with a cell that does not fit.
pub(crate) enum TypedBatches {
    /// All of them.
    Batches(Vec<RecordBatch>),
    /// The place of a column that must be text.
    Misfit(usize),
}

/// The cells of batches of text in their types. Another thread reads ahead.
pub(crate) fn typed(batches: Batches, types: &[FrameType]) -> Result<TypedBatches> {
    let (sender, receiver) = sync_channel(AHEAD);
    thread::scope(|scope| {
        let reading = move || batches.into_iter().try_for_each(|batch| sender.send(batch));
        thread::Builder::new().spawn_scoped(scope, reading).map_err(|_| no_thread())?;
        let mut names = None;
        let mut columns: Vec<Vec<ArrayRef>> = vec![Vec::new(); types.len()];
        for batch in receiver {
            let batch = batch?;
            for (place, (kind, chunks)) in types.iter().zip(&mut columns).enumerate() {
                let cells = batch.columns().get(place).and_then(|column| column.as_string_opt::<i32>());
                match kind.chunk(cells.ok_or_else(Error::internal)?) {
                    Some(chunk) => chunks.push(chunk),
                    None => return Ok(TypedBatches::Misfit(place)),
                }
            }
            names.get_or_insert_with(|| batch.schema());
        }
        let Some(names) = names else { return Ok(TypedBatches::Batches(Vec::new())) };
        for (kind, chunks) in types.iter().zip(&mut columns) {
            kind.finish(chunks);
        }
        let whole = (0..columns.first().map_or(0, Vec::len)).map(|number| batch(&names, &columns, number));
        whole.collect::<Result<_>>().map(TypedBatches::Batches)
    })
}

/// Batches that are read ahead.
const AHEAD: usize = 4;

fn no_thread() -> Error {
    Error::environment("the system refuses to start another thread").hint("raise its limits")
}

fn batch(names: &Schema, columns: &[Vec<ArrayRef>], number: usize) -> Result<RecordBatch> {
    let arrays: Vec<ArrayRef> = columns.iter().filter_map(|chunks| chunks.get(number).cloned()).collect();
    let fields = names.fields().iter().zip(&arrays);
    let fields = fields.map(|(field, array)| Field::new(field.name(), array.data_type().clone(), true));
    RecordBatch::try_new(Arc::new(Schema::new(fields.collect::<Vec<_>>())), arrays).map_err(|_| Error::internal())
}

/// Dictionaries of what is there, the same for all chunks.
fn dictionaries(cells: &[StringArray], keys: &DataType, values: &DataType, is_kept: bool) -> Vec<ArrayRef> {
    let texts: BTreeSet<&str> = cells.iter().flat_map(|chunk| chunk.iter()).flatten().collect();
    let texts: Vec<&str> = texts.into_iter().collect();
    let plain = StringArray::from_iter_values(&texts);
    let values = if is_kept || is_text(values) { read(&plain, values) } else { None };
    let values = values.unwrap_or_else(|| Arc::new(plain));
    let codes = |chunk: &StringArray| -> PrimitiveArray<Int32Type> {
        let code = |text: &str| texts.binary_search(&text).ok().and_then(|code| i32::try_from(code).ok());
        chunk.iter().map(|cell| cell.and_then(code)).collect()
    };
    let made = cells.iter().map(|chunk| with_keys(&codes(chunk), keys, &values));
    // More values than codes there are: then it is no dictionary.
    made.collect::<Option<_>>().unwrap_or_else(|| cells.iter().map(|chunk| Arc::new(chunk.clone()) as _).collect())
}

fn with_keys(codes: &PrimitiveArray<Int32Type>, keys: &DataType, values: &ArrayRef) -> Option<ArrayRef> {
    fn dictionary<K>(codes: &PrimitiveArray<Int32Type>, values: &ArrayRef) -> Option<ArrayRef>
    where
        K: arrow_array::types::ArrowDictionaryKeyType,
        K::Native: TryFrom<i32>,
    {
        let keys = codes.iter().map(|code| code.map(|code| K::Native::try_from(code).ok()));
        let keys = keys.map(|key| key.map_or(Some(None), |key| key.map(Some))).collect::<Option<Vec<_>>>()?;
        let keys: PrimitiveArray<K> = keys.into_iter().collect();
        Some(Arc::new(DictionaryArray::try_new(keys, Arc::clone(values)).ok()?))
    }
    match keys {
        DataType::Int8 => dictionary::<Int8Type>(codes, values),
        DataType::Int16 => dictionary::<Int16Type>(codes, values),
        DataType::UInt8 => dictionary::<UInt8Type>(codes, values),
        DataType::UInt16 => dictionary::<UInt16Type>(codes, values),
        DataType::UInt32 => dictionary::<UInt32Type>(codes, values),
        _ => dictionary::<Int32Type>(codes, values),
    }
}

/// Cells read into a type; nothing if one of them does not fit.
fn read(cells: &StringArray, kind: &DataType) -> Option<ArrayRef> {
    Some(match kind {
        DataType::Utf8 => Arc::new(cells.clone()),
        DataType::LargeUtf8 => Arc::new(cells.iter().collect::<LargeStringArray>()),
        DataType::Utf8View => Arc::new(cells.iter().collect::<StringViewArray>()),
        DataType::Boolean => {
            let truth = |text: &str| text.parse::<bool>().ok();
            let cells = cells.iter().map(|cell| cell.map_or(Some(None), |text| truth(text).map(Some)));
            Arc::new(cells.collect::<Option<BooleanArray>>()?)
        }
        DataType::Int8 => parsed::<Int8Type>(cells)?,
        DataType::Int16 => parsed::<Int16Type>(cells)?,
        DataType::Int32 => parsed::<Int32Type>(cells)?,
        DataType::Int64 => parsed::<Int64Type>(cells)?,
        DataType::UInt8 => parsed::<UInt8Type>(cells)?,
        DataType::UInt16 => parsed::<UInt16Type>(cells)?,
        DataType::UInt32 => parsed::<UInt32Type>(cells)?,
        DataType::UInt64 => parsed::<UInt64Type>(cells)?,
        DataType::Float32 => parsed::<Float32Type>(cells)?,
        DataType::Float64 => parsed::<Float64Type>(cells)?,
        DataType::Decimal128(precision, scale) => {
            let scale = usize::try_from(*scale).ok()?;
            let cells = each::<Decimal128Type>(cells, |text| decimal(text, scale))?;
            Arc::new(cells.with_precision_and_scale(*precision, i8::try_from(scale).ok()?).ok()?)
        }
        DataType::Date32 => Arc::new(each::<Date32Type>(cells, |text| day(text)?.try_into().ok())?),
        DataType::Date64 => Arc::new(each::<Date64Type>(cells, |text| day(text)?.checked_mul(86_400_000))?),
        DataType::Time32(TimeUnit::Second) => Arc::new(each::<Time32SecondType>(cells, |text| time32(text, 1))?),
        DataType::Time32(_) => Arc::new(each::<Time32MillisecondType>(cells, |text| time32(text, 1_000))?),
        DataType::Time64(TimeUnit::Microsecond) => {
            Arc::new(each::<Time64MicrosecondType>(cells, |text| time(text, 1_000_000))?)
        }
        DataType::Time64(_) => Arc::new(each::<Time64NanosecondType>(cells, |text| time(text, 1_000_000_000))?),
        DataType::Timestamp(unit, zone) => moments(cells, *unit, zone.as_ref())?,
        _ => return None,
    })
}

fn moments(cells: &StringArray, unit: TimeUnit, zone: Option<&Arc<str>>) -> Option<ArrayRef> {
    fn zoned<T: arrow_array::types::ArrowTimestampType>(
        cells: &StringArray,
        per_second: i64,
        zone: Option<&Arc<str>>,
    ) -> Option<ArrayRef> {
        let moment = |text: &str| {
            let text = if zone.is_some() { text.strip_suffix('Z')? } else { text };
            let (date, clock) = text.split_once('T')?;
            day(date)?.checked_mul(86_400)?.checked_mul(per_second)?.checked_add(time(clock, per_second)?)
        };
        let made: PrimitiveArray<T> = each(cells, moment)?;
        Some(Arc::new(made.with_timezone_opt(zone.cloned())))
    }
    match unit {
        TimeUnit::Second => zoned::<TimestampSecondType>(cells, 1, zone),
        TimeUnit::Millisecond => zoned::<TimestampMillisecondType>(cells, 1_000, zone),
        TimeUnit::Microsecond => zoned::<TimestampMicrosecondType>(cells, 1_000_000, zone),
        TimeUnit::Nanosecond => zoned::<TimestampNanosecondType>(cells, 1_000_000_000, zone),
    }
}

fn each<T: ArrowPrimitiveType>(
    cells: &StringArray,
    read: impl Fn(&str) -> Option<T::Native>,
) -> Option<PrimitiveArray<T>> {
    let cells = cells.iter().map(|cell| cell.map_or(Some(None), |text| read(text).map(Some)));
    let cells: Vec<Option<T::Native>> = cells.collect::<Option<_>>()?;
    Some(cells.into_iter().collect())
}

fn parsed<T: ArrowPrimitiveType>(cells: &StringArray) -> Option<ArrayRef>
where
    T::Native: std::str::FromStr,
{
    Some(Arc::new(each::<T>(cells, |text| text.parse().ok())?))
}

/// The digits of a decimal that has exactly so many behind its point.
fn decimal(text: &str, scale: usize) -> Option<i128> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    (rest.len() == scale).then(|| format!("{whole}{rest}").parse().ok())?
}

fn day(text: &str) -> Option<i64> {
    DateFormat::Iso.read_day(text).filter(|_| text.len() == 10).map(Date::days)
}

fn time32(text: &str, per_second: i64) -> Option<i32> {
    time(text, per_second)?.try_into().ok()
}

/// `HH:MM:SS[.fff]`, counted in parts of a second.
fn time(text: &str, per_second: i64) -> Option<i64> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = clock.splitn(3, ':').map(|part| part.parse::<i64>().ok().filter(|_| part.len() == 2));
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    let digits = u32::try_from(fraction.len()).ok().filter(|digits| *digits <= 9)?;
    let fraction: i64 = if digits == 0 { 0 } else { fraction.parse().ok()? };
    let scaled = fraction.checked_mul(per_second)?;
    let unit = 10i64.pow(digits);
    (scaled % unit == 0).then(|| ((hours * 60 + minutes) * 60 + seconds) * per_second + scaled / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(kind: DataType) -> FrameType {
        FrameType { collected: Some(kind), is_kept: true }
    }

    /// The types of a column made of these chunks, or nothing where a cell does not fit.
    fn made(chunks: &[&StringArray], kind: &FrameType) -> Option<Vec<ArrayRef>> {
        let mut made = chunks.iter().map(|chunk| kind.chunk(chunk)).collect::<Option<Vec<_>>>()?;
        kind.finish(&mut made);
        Some(made)
    }

    #[test]
    fn cells_come_back_in_their_types_or_as_text() {
        let cells = |cells: &[Option<&str>]| cells.iter().copied().collect::<StringArray>();
        let zone: Option<Arc<str>> = Some("Europe/Berlin".into());
        for (kind, texts) in [
            (DataType::Int8, vec![Some("-5"), None]),
            (DataType::UInt64, vec![Some("18446744073709551615")]),
            (DataType::Float32, vec![Some("0.1"), Some("NaN")]),
            (DataType::Boolean, vec![Some("true"), None]),
            (DataType::Date32, vec![Some("1970-01-02")]),
            (DataType::Decimal128(10, 2), vec![Some("1.50"), Some("-0.05")]),
            (DataType::Time64(TimeUnit::Microsecond), vec![Some("23:59:58.5")]),
            (DataType::Timestamp(TimeUnit::Millisecond, zone), vec![Some("1969-12-31T23:59:59.250Z"), None]),
            (DataType::LargeUtf8, vec![Some("a")]),
            (DataType::Utf8View, vec![Some("a")]),
        ] {
            let texts = cells(&texts);
            let mut of_kind = kept(kind.clone());
            assert_eq!(made(&[&texts], &of_kind).unwrap()[0].data_type(), &kind);
            let odd = cells(&[Some("*")]);
            assert_eq!(made(&[&texts, &odd], &of_kind).is_some(), is_text(&kind), "{kind}");
            of_kind.give_up();
            let expected = if is_text(&kind) { &kind } else { &DataType::Utf8 };
            assert_eq!(made(&[&texts, &odd], &of_kind).unwrap()[1].data_type(), expected);
        }
        assert_eq!(time("00:00:01.5", 1_000), Some(1_500));
        assert_eq!(time("00:00:01.0005", 1_000), None);
        assert_eq!(decimal("-0.05", 2), Some(-5));
    }

    #[test]
    fn dictionaries_hold_what_is_released_in_its_own_order() {
        let (first, second) = (StringArray::from(vec![Some("b"), None]), StringArray::from(vec!["a"]));
        let kind = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
        let made = made(&[&first, &second], &kept(kind.clone())).unwrap();
        assert!(made.iter().all(|chunk| chunk.data_type() == &kind));
        let values = made[0].as_any_dictionary().values();
        assert_eq!(values.as_string::<i32>().iter().flatten().collect::<Vec<_>>(), ["a", "b"]);
        assert!(made[0].is_null(1));
    }
}
