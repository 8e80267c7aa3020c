//! CSV: UTF-8, commas, quotes only where needed, `\n` at the end of a line, the missing value an empty cell.
//!
//! Records that look alike are one line, made once and copied as often as it stands there: a release has many of them.

use std::fs::File;
use std::io::{BufWriter, Write};

use arrow_array::{RecordBatch, StringArray};
use arrow_schema::SchemaRef;

use super::Sink;
use crate::error::{Error, Result};
use crate::read::cells::{column_as, text};
use crate::write::rewrite::formula::guarded;

/// Writes CSV.
pub(crate) struct CsvSink {
    file: BufWriter<File>,
}

impl CsvSink {
    /// Starts a file with its header.
    pub(crate) fn new(file: File, schema: &SchemaRef) -> Result<Self> {
        let header: Vec<_> = schema.fields().iter().map(|field| guarded(field.name())).collect();
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(header.iter().map(|name| name.as_bytes())).map_err(|error| csv_failed(&error))?;
        let line = writer.into_inner().map_err(|error| Error::disk(error.error()))?;
        let mut file = BufWriter::with_capacity(1 << 20, file);
        file.write_all(&line).map_err(|error| Error::disk(&error))?;
        Ok(Self { file })
    }
}

impl Sink for CsvSink {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write_repeated(batch, &vec![1; batch.num_rows()])
    }

    fn write_repeated(&mut self, batch: &RecordBatch, times: &[u64]) -> Result<()> {
        let columns = batch.columns().iter().map(column_as::<StringArray>).collect::<Result<Vec<_>>>()?;
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut start = 0;
        for (record, &times) in (0..batch.num_rows()).zip(times) {
            let cells = columns.iter().map(|column| text(column, record));
            writer.write_record(cells).map_err(|error| csv_failed(&error))?;
            writer.flush().map_err(|error| Error::disk(&error))?;
            let line = writer.get_ref().get(start..).unwrap_or_default();
            (0..times).try_for_each(|_| self.file.write_all(line)).map_err(|error| Error::disk(&error))?;
            start = writer.get_ref().len();
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let file = self.file.into_inner().map_err(|error| Error::disk(error.error()))?;
        file.sync_all().map_err(|error| Error::disk(&error))
    }
}

fn csv_failed(error: &csv::Error) -> Error {
    match error.kind() {
        csv::ErrorKind::Io(error) => Error::disk(error),
        _ => Error::environment("the release cannot be written"),
    }
}
