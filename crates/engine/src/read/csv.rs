//! Delimited text, streamed straight into the string builders of the columns that are asked for.
//!
//! Every record must have as many fields as the header (a short one may be filled on request), be valid text and hold
//! no NUL byte. That goes for columns that are not asked for, too: a file is good or bad whatever the policy says.

use std::io::{Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;

use super::clean::Cleaner;
use super::encoding::{self, Text};
use super::format::InputFormat;
use super::records::{Fields, Records};
use super::{
    Batches, File, FileHead, FileNotes, RaggedRecords, ReadRequest, Reading, columns, dialect, failure, one_by_one,
    text_batch, text_schema,
};
use crate::error::{Error, Result};

/// A batch ends early when it holds this many bytes of text …
const BATCH_BYTES: usize = 32 << 20;
/// … or this many cells.
const BATCH_CELLS: usize = 4 << 20;

/// Reads the header and finds the delimiter.
pub(super) fn head(file: &File, reading: &Reading) -> Result<FileHead> {
    let name = file.name();
    let mut text = encoding::decode(&name, file.bytes(&[])?, reading.encoding)?;
    let mut sample = Vec::new();
    let limit = dialect::SAMPLE as u64;
    text.bytes.by_ref().take(limit).read_to_end(&mut sample).map_err(|error| failure::reading(&name, &error))?;
    let delimiter = match (reading.delimiter, file.format) {
        (Some(set), _) => dialect::check(set)?,
        (None, InputFormat::Tsv) => b'\t',
        (None, _) => dialect::detect(&sample, sample.len() < dialect::SAMPLE).unwrap_or(b','),
    };
    let text = Text { bytes: Box::new(Cursor::new(sample).chain(text.bytes)), ..text };
    let names = header(&mut Records::new(&name, text, delimiter, reading.field_limit), &name, &Cleaner::new(reading))?;
    Ok(FileHead { columns: names, types: Vec::new(), delimiter: Some(delimiter), timed: Vec::new() })
}

/// The batches of the columns asked for.
pub(super) fn read(request: &ReadRequest<'_>) -> Result<Batches> {
    let name = request.file.name();
    let text = encoding::decode(&name, request.file.bytes(request.projection)?, request.reading.encoding)?;
    let delimiter = request.head.delimiter.unwrap_or(b',');
    let mut records = Records::new(&name, text, delimiter, request.reading.field_limit);
    if header(&mut records, &name, &Cleaner::new(request.reading))? != request.head.columns {
        return Err(Error::input(format!("{name}: the header changed while the file was in use")));
    }
    records.require_fields(request.head.columns.len());
    records.count_row();
    let mut batches = CsvBatches {
        records,
        cleaners: Cleaner::all(request.reading, &request.head.columns, request.projection),
        schema: text_schema(&request.head.columns, request.projection),
        builders: request.projection.iter().map(|_| StringBuilder::new()).collect(),
        projection: request.projection.to_vec(),
        columns: request.head.columns.clone(),
        batch_size: request.reading.batch_records.clamp(1, (BATCH_CELLS / request.projection.len().max(1)).max(1)),
        ragged: request.reading.ragged,
        filled: 0,
        seen: Arc::clone(&request.seen),
    };
    Ok(one_by_one(move || batches.next_batch()))
}

fn header(records: &mut Records, name: &str, cleaner: &Cleaner) -> Result<Vec<String>> {
    if !records.advance()? {
        let what = if records.is_empty() { "empty input: the file has 0 bytes" } else { "empty input: no header row" };
        return Err(Error::input(format!("{name}: {what}")));
    }
    let fields = sound(records, &[])?;
    let names = cleaner.names((0..fields.len()).map(|index| fields.get(index)));
    columns::check(name, &names)?;
    Ok(names)
}

/// The record's fields, when they are text without NUL bytes.
fn sound<'a>(records: &'a Records, names: &[String]) -> Result<Fields<'a>> {
    if let Some((offset, column)) = records.nul() {
        let place = columns::show(column, names);
        let message = format!("{}, {place}: NUL byte at byte offset {offset}", records.place());
        return Err(
            Error::input(message).hint("text holds no NUL bytes: is the file UTF-16 without a byte order mark?")
        );
    }
    records.fields().map_err(|column| {
        let place = columns::show(column, names);
        Error::input(format!("{}, {place}: not valid {}", records.place(), records.encoding())).hint(encoding::HINT)
    })
}

struct CsvBatches {
    records: Records,
    cleaners: Vec<Cleaner>,
    schema: SchemaRef,
    builders: Vec<StringBuilder>,
    projection: Vec<usize>,
    columns: Vec<String>,
    batch_size: usize,
    ragged: RaggedRecords,
    filled: u64,
    seen: Arc<FileNotes>,
}

impl CsvBatches {
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let (mut records, mut bytes) = (0, 0);
        while records < self.batch_size && bytes < BATCH_BYTES && self.records.advance()? {
            bytes += self.append()?;
            self.records.count_row();
            records += 1;
        }
        self.seen.filled.fetch_max(self.filled, Ordering::Relaxed);
        self.seen.mixed_line_ends.fetch_or(self.records.line_ends().are_mixed(), Ordering::Relaxed);
        if records == 0 {
            return Ok(None);
        }
        let arrays = self.builders.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect();
        text_batch(&self.schema, arrays, records).map(Some)
    }

    /// Appends the record to the builders; returns how many bytes it added.
    fn append(&mut self) -> Result<usize> {
        if self.records.found() != self.columns.len() {
            self.settle_ragged()?;
        }
        let fields = sound(&self.records, &self.columns)?;
        let mut bytes = 0;
        for ((builder, cleaner), column) in self.builders.iter_mut().zip(&self.cleaners).zip(&self.projection) {
            let text = fields.get(*column);
            cleaner.push(builder, text).map_err(|unfit| {
                let place = columns::show(*column, &self.columns);
                Error::input(format!("{}, {place}: {}", self.records.place(), unfit.why())).hint(unfit.hint())
            })?;
            bytes += text.len();
        }
        Ok(bytes)
    }

    /// A short record is filled with missing values when that was asked for; everything else is refused.
    fn settle_ragged(&mut self) -> Result<()> {
        let (expected, found) = (self.columns.len(), self.records.found());
        if self.ragged == RaggedRecords::Null && found < expected {
            self.filled += 1;
            return Ok(());
        }
        let message = format!("{}: {expected} fields expected, {found} found", self.records.place());
        Err(Error::input(message).hint(if found < expected {
            "complete the row, or let short rows be filled with missing values (ragged = \"null\")"
        } else {
            "quote fields that contain the delimiter, and check the delimiter"
        }))
    }
}
