//! Parquet: text columns, null for the missing value, zstd, and no metadata beyond what the format asks.
//!
//! The writer is fed batches of one fixed size, because page boundaries would otherwise follow from how the batches were
//! cut, and the bytes with them.

use std::fs::File;
use std::sync::Arc;

use arrow_array::{RecordBatch, UInt32Array};
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::Sink;
use crate::error::{Error, Result};

/// Records that the writer gets at once.
const ROWS: usize = 8192;

/// Writes Parquet.
pub(crate) struct ParquetSink {
    writer: ArrowWriter<File>,
    schema: SchemaRef,
    waiting: Vec<RecordBatch>,
    records: usize,
}

impl ParquetSink {
    /// Starts a file.
    pub(crate) fn new(file: File, schema: &SchemaRef) -> Result<Self> {
        let properties = WriterProperties::builder()
            .set_created_by("equanym".to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(file, Arc::clone(schema), options).map_err(parquet_failed)?;
        Ok(Self { writer, schema: Arc::clone(schema), waiting: Vec::new(), records: 0 })
    }

    fn flush(&mut self, records: usize) -> Result<()> {
        let all =
            concat_batches(&self.schema, &self.waiting).map_err(|_| Error::environment("an internal step failed"))?;
        self.writer.write(&all.slice(0, records)).map_err(parquet_failed)?;
        self.records -= records;
        self.waiting = vec![all.slice(records, self.records)];
        Ok(())
    }
}

impl Sink for ParquetSink {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.waiting.push(batch.clone());
        self.records += batch.num_rows();
        while self.records >= ROWS {
            self.flush(ROWS)?;
        }
        Ok(())
    }

    fn write_repeated(&mut self, batch: &RecordBatch, times: &[u64]) -> Result<()> {
        let places = (0..).zip(times).flat_map(|(place, &times)| (0..times).map(move |_| place));
        let mut places = places.peekable();
        while places.peek().is_some() {
            let next = UInt32Array::from_iter_values(places.by_ref().take(ROWS));
            self.write(&take_record_batch(batch, &next).map_err(|_| Error::internal())?)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        if self.records > 0 {
            self.flush(self.records)?;
        }
        let file = self.writer.into_inner().map_err(parquet_failed)?;
        file.sync_all().map_err(|error| Error::disk(&error))
    }
}

#[allow(clippy::needless_pass_by_value)]
fn parquet_failed(error: ParquetError) -> Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(found) = cause {
        if let Some(error) = found.downcast_ref::<std::io::Error>() {
            return Error::disk(error);
        }
        cause = found.source();
    }
    Error::environment("the release cannot be written")
}
