//! Delimited text: quotes only where needed, `\n` at the end of a line, the missing value an empty cell.
//!
//! Delimiter, encoding and decimal sign are those of the input unless the policy says otherwise; without a say, commas, UTF-8 and
//! points. The decimal sign is set here, last of all: everything before, the order of records and the guards of cells among it,
//! knows plain decimals only. A character that the encoding lacks is an error and never replaced.
//!
//! Records that look alike are one line, made once and copied as often as it stands there: a release has many of them.

use std::borrow::Cow;
use std::io::{BufWriter, Write};

use arrow_array::{RecordBatch, StringArray};
use arrow_schema::SchemaRef;
use equanym_core::mask::Mask;

use super::Sink;
use super::files::NewFile;
use crate::error::{Error, Result};
use crate::mask::rewrite::formula::Guard;
use crate::policy::Output;
use crate::read::Encoding;
use crate::read::cells::{column_as, text};
use crate::read::notation::with_other_sign;

/// How a text is written.
#[derive(Debug, Clone)]
pub(crate) struct Writing {
    delimiter: char,
    encoding: Encoding,
    /// For each released column whether its numbers have decimal commas.
    has_commas: Vec<bool>,
}

impl Writing {
    /// As the output says, in which nothing follows the input any more.
    pub(crate) fn new(output: Output, mask: &Mask) -> Self {
        let is_comma = output.decimal == Some(',');
        Self {
            delimiter: output.delimiter.unwrap_or(','),
            encoding: output.encoding.unwrap_or(Encoding::Utf8),
            has_commas: mask.released().map(|(_, column)| column.number && is_comma).collect(),
        }
    }

    /// What keeps cells from being taken for formulas.
    pub(crate) fn guard(&self) -> Guard {
        Guard::new(self.delimiter)
    }

    fn lines(&self) -> csv::Writer<Vec<u8>> {
        let delimiter = u8::try_from(self.delimiter).unwrap_or(b',');
        csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new())
    }

    fn encoded<'l>(&self, line: &'l [u8]) -> Result<Cow<'l, [u8]>> {
        if self.encoding == Encoding::Utf8 {
            return Ok(Cow::Borrowed(line));
        }
        let text = std::str::from_utf8(line).map_err(|_| Error::internal())?;
        self.encoding.bytes(text).ok_or_else(|| {
            let message = format!("the release holds a character that {} does not have", self.encoding.label());
            Error::input(message).hint("set encoding = \"utf-8\" in [output], or look at the labels of the ladders")
        })
    }
}

/// Writes delimited text.
pub(crate) struct CsvSink {
    file: BufWriter<NewFile>,
    writing: Writing,
}

impl CsvSink {
    /// Starts a file with its header.
    pub(crate) fn new(file: NewFile, schema: &SchemaRef, writing: Writing) -> Result<Self> {
        let guard = writing.guard();
        let header: Vec<_> = schema.fields().iter().map(|field| guard.guarded(field.name())).collect();
        let mut writer = writing.lines();
        writer.write_record(header.iter().map(|name| name.as_bytes())).map_err(|error| csv_failed(&error))?;
        let line = writer.into_inner().map_err(|error| Error::disk(error.error()))?;
        let mut file = BufWriter::with_capacity(1 << 20, file);
        file.write_all(&writing.encoded(&line)?).map_err(|error| Error::disk(&error))?;
        Ok(Self { file, writing })
    }
}

impl Sink for CsvSink {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write_repeated(batch, &vec![1; batch.num_rows()])
    }

    fn write_repeated(&mut self, batch: &RecordBatch, times: &[u64]) -> Result<()> {
        let columns = batch.columns().iter().map(column_as::<StringArray>).collect::<Result<Vec<_>>>()?;
        let mut writer = self.writing.lines();
        let mut start = 0;
        for (record, &times) in (0..batch.num_rows()).zip(times) {
            for (column, has_commas) in columns.iter().zip(&self.writing.has_commas) {
                let cell = text(column, record);
                let cell = if *has_commas { with_other_sign(cell) } else { Cow::Borrowed(cell) };
                writer.write_field(cell.as_bytes()).map_err(|error| csv_failed(&error))?;
            }
            writer.write_record(None::<&[u8]>).map_err(|error| csv_failed(&error))?;
            writer.flush().map_err(|error| Error::disk(&error))?;
            let line = self.writing.encoded(writer.get_ref().get(start..).unwrap_or_default())?;
            (0..times).try_for_each(|_| self.file.write_all(&line)).map_err(|error| Error::disk(&error))?;
            start = writer.get_ref().len();
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let file = self.file.into_inner().map_err(|error| Error::disk(error.error()))?;
        file.finish()
    }
}

fn csv_failed(error: &csv::Error) -> Error {
    match error.kind() {
        csv::ErrorKind::Io(error) => Error::disk(error),
        _ => Error::environment("the release cannot be written"),
    }
}
