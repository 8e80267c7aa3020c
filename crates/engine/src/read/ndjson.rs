//! NDJSON: a JSON object a line.
//!
//! The keys of the first record are the columns. A later record may leave keys out (missing) and order them as it
//! likes; a key that is new or given twice is an error: it would be a column that no policy has seen. Values are
//! strings, numbers as written, `true`, `false` or null; nested values are refused. Empty lines are skipped. Messages
//! give line and byte, not the key: keys of later lines may be data.

use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use hashbrown::HashMap;

use super::clean::Cleaner;
use super::compress::{Bytes, FLOOR};
use super::json_line::JsonCell;
use super::{
    Batches, File, FileHead, ReadRequest, Reading, columns, encoding, failure, json_line, one_by_one, text_batch,
    text_schema,
};
use crate::error::{Error, Kind, Result};

/// A batch ends early when it holds this many bytes of text.
const BATCH_BYTES: usize = 32 << 20;

/// Reads the columns off the first record.
pub(super) fn head(file: &File, reading: &Reading) -> Result<FileHead> {
    let mut lines = Lines::open(file, reading)?;
    if !lines.advance()? {
        return Err(Error::input(format!("{}: empty input: no record", lines.name)));
    }
    let cleaner = Cleaner::new(reading);
    let mut names: Vec<String> = Vec::new();
    json_line::scan(lines.text()?, &mut |key, _| {
        names.push(cleaner.shape(&key).into_owned());
        Ok(())
    })
    .map_err(|why| lines.refuse(why))?;
    columns::check(&lines.name, &names)?;
    Ok(FileHead { columns: names, types: Vec::new(), delimiter: None, timed: Vec::new() })
}

/// The batches of the columns asked for.
pub(super) fn read(request: &ReadRequest<'_>) -> Result<Batches> {
    let names = &request.head.columns;
    let cleaners = Cleaner::all(request.reading, names, request.projection);
    let mut batches = NdjsonBatches {
        lines: Lines::open(request.file, request.reading)?,
        cleaner: Cleaner::new(request.reading),
        cleaners,
        columns: names.iter().enumerate().map(|(index, name)| (name.clone(), index)).collect(),
        names: names.clone(),
        schema: text_schema(names, request.projection),
        builders: request.projection.iter().map(|_| StringBuilder::new()).collect(),
        projection: request.projection.to_vec(),
        batch_size: request.reading.batch_records.max(1),
    };
    Ok(one_by_one(move || batches.next_batch()))
}

struct NdjsonBatches {
    lines: Lines,
    /// Of keys.
    cleaner: Cleaner,
    /// Of the columns asked for.
    cleaners: Vec<Cleaner>,
    columns: HashMap<String, usize>,
    names: Vec<String>,
    schema: SchemaRef,
    builders: Vec<StringBuilder>,
    projection: Vec<usize>,
    batch_size: usize,
}

impl NdjsonBatches {
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let (mut records, mut bytes) = (0, 0);
        while records < self.batch_size && bytes < BATCH_BYTES && self.lines.advance()? {
            self.append()?;
            bytes += self.lines.line.len();
            records += 1;
        }
        if records == 0 {
            return Ok(None);
        }
        let arrays = self.builders.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect();
        text_batch(&self.schema, arrays, records).map(Some)
    }

    fn append(&mut self) -> Result<()> {
        let mut cells: Vec<Option<Option<JsonCell<'_>>>> = vec![None; self.names.len()];
        let mut next = 0;
        json_line::scan(self.lines.text()?, &mut |key, value| {
            let key = self.cleaner.shape(&key);
            let column = match self.names.get(next) {
                Some(name) if *name == key => next,
                _ => *self.columns.get(key.as_ref()).ok_or("a key that the first record does not have")?,
            };
            next = column + 1;
            if value.as_ref().is_some_and(|value| value.text.as_bytes().contains(&0)) {
                return Err("the text holds a NUL character");
            }
            match cells.get_mut(column) {
                Some(cell @ None) => *cell = Some(value),
                _ => return Err("a key that is given twice"),
            }
            Ok(())
        })
        .map_err(|why| self.lines.refuse(why))?;
        for ((builder, cleaner), column) in self.builders.iter_mut().zip(&self.cleaners).zip(&self.projection) {
            let pushed = match cells.get(*column) {
                Some(Some(Some(JsonCell { text, is_text: true }))) => cleaner.push(builder, text),
                Some(Some(Some(JsonCell { text, .. }))) => cleaner.push_typed(builder, text),
                _ => {
                    builder.append_null();
                    Ok(())
                }
            };
            pushed.map_err(|unfit| {
                let place = columns::show(*column, &self.names);
                let line = format!("{}: line {}", self.lines.name, self.lines.number);
                Error::input(format!("{line}, {place}: {}", unfit.why())).hint(unfit.hint())
            })?;
        }
        Ok(())
    }
}

/// The lines of a file that are not empty, each at most as long as the field limit.
struct Lines {
    name: String,
    encoding: &'static str,
    input: BufReader<Bytes>,
    limit: usize,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    fn open(file: &File, reading: &Reading) -> Result<Self> {
        let name = file.name();
        let text = encoding::decode(&name, file.bytes(&[])?, reading.encoding)?;
        let input = BufReader::with_capacity(1 << 20, text.bytes);
        Ok(Self { name, encoding: text.encoding, input, limit: reading.field_limit, line: Vec::new(), number: 0 })
    }

    /// Moves to the next line that is not empty; false at the end.
    fn advance(&mut self) -> Result<bool> {
        loop {
            self.line.clear();
            self.number += 1;
            let room = (self.limit as u64).saturating_add(2);
            let read = self.input.by_ref().take(room).read_until(b'\n', &mut self.line);
            let read = read.map_err(|error| failure::reading(&self.name, &error))?;
            let length = self.line.trim_ascii_end().len();
            if length > self.limit || (read as u64 == room && !self.line.ends_with(b"\n")) {
                return Err(self.too_long());
            }
            if read == 0 {
                return Ok(false);
            }
            self.line.truncate(length);
            if length > 0 {
                return Ok(true);
            }
        }
    }

    fn text(&self) -> Result<&str> {
        std::str::from_utf8(&self.line).map_err(|_| {
            Error::input(format!("{}: line {}: not valid {}", self.name, self.number, self.encoding))
                .hint(encoding::HINT)
        })
    }

    fn refuse(&self, refusal: json_line::LineRefusal) -> Error {
        Error::input(format!("{}: line {}, byte {}: {}", self.name, self.number, refusal.byte, refusal.why))
            .hint("each line is one flat JSON object with the keys of the first line")
    }

    /// The message for an endless line; or that of a bomb, when the line is endless because the file is one.
    fn too_long(&mut self) -> Error {
        let message =
            format!("{}: line {}: longer than the field limit of {} bytes", self.name, self.number, self.limit);
        let mut rest = self.input.by_ref().take(FLOOR + 1);
        match std::io::copy(&mut rest, &mut std::io::sink()).map_err(|error| failure::reading(&self.name, &error)) {
            Err(error) if error.kind == Kind::Environment => error,
            _ => Error::input(message),
        }
    }
}
