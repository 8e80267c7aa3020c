//! CSV: UTF-8, commas, quotes only where needed, `\n` at the end of a line, the missing value an empty cell.

use std::fs::File;
use std::io::BufWriter;

use arrow::array::StringArray;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;

use super::Sink;
use crate::error::{Error, Result};
use crate::read::cells::column_as;
use crate::read::cells::text;
use crate::write::rewrite::is_formula;

/// Writes CSV.
pub(crate) struct CsvSink {
    writer: csv::Writer<BufWriter<File>>,
}

impl CsvSink {
    /// Starts a file with its header.
    pub(crate) fn new(file: File, schema: &SchemaRef) -> Result<Self> {
        let mut writer = csv::WriterBuilder::new().from_writer(BufWriter::with_capacity(1 << 20, file));
        let header = schema
            .fields()
            .iter()
            .map(|field| if is_formula(field.name()) { format!("'{}", field.name()) } else { field.name().clone() });
        writer.write_record(header).map_err(|error| csv_failed(&error))?;
        Ok(Self { writer })
    }
}

impl Sink for CsvSink {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let columns = batch.columns().iter().map(column_as::<StringArray>).collect::<Result<Vec<_>>>()?;
        for record in 0..batch.num_rows() {
            self.writer
                .write_record(columns.iter().map(|column| text(column, record)))
                .map_err(|error| csv_failed(&error))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let buffer = self.writer.into_inner().map_err(|error| Error::disk(error.error()))?;
        let file = buffer.into_inner().map_err(|error| Error::disk(error.error()))?;
        file.sync_all().map_err(|error| Error::disk(&error))
    }
}

fn csv_failed(error: &csv::Error) -> Error {
    match error.kind() {
        csv::ErrorKind::Io(error) => Error::disk(error),
        _ => Error::environment("the release cannot be written"),
    }
}
