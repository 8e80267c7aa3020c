//! Parquet: text columns, or such that keep their [type](super::typed), null for the missing value, zstd, and no metadata beyond
//! what the format asks.
//!
//! The writer is fed batches of one fixed size, because page boundaries would otherwise follow from how the batches were
//! cut, and the bytes with them; for the same reason a column of a batch tells of nulls only where it has some. The audit writes the records again and compares every byte, so the file says by which
//! layout it was written: whoever changes the settings, or takes a library that writes other bytes, counts it up.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::Sink;
use super::files::NewFile;
use super::typed::KeptType;
use crate::error::{Error, Result};
use crate::read::cells::column_as;

/// Records that the writer gets at once.
const ROWS: usize = 8192;

/// The name of the layout, which `equanym-audit` knows.
const LAYOUT: &str = "equanym layout 1";

/// Writes Parquet.
pub(crate) struct ParquetSink {
    writer: ArrowWriter<NewFile>,
    schema: SchemaRef,
    types: Vec<Option<KeptType>>,
    waiting: Vec<RecordBatch>,
    records: usize,
}

impl ParquetSink {
    /// Starts a file.
    pub(crate) fn new(file: NewFile, schema: &SchemaRef, types: &[Option<KeptType>]) -> Result<Self> {
        let properties = WriterProperties::builder()
            .set_created_by(LAYOUT.to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let kind = |place: usize| types.get(place).copied().flatten().map_or(DataType::Utf8, KeptType::data_type);
        let fields = schema.fields().iter().enumerate();
        let fields = fields.map(|(place, field)| Field::new(field.name(), kind(place), true));
        let released = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let writer = ArrowWriter::try_new_with_options(file, released, options).map_err(parquet_failed)?;
        Ok(Self { writer, schema: Arc::clone(schema), types: types.to_vec(), waiting: Vec::new(), records: 0 })
    }

    fn flush(&mut self, records: usize) -> Result<()> {
        let all =
            concat_batches(&self.schema, &self.waiting).map_err(|_| Error::environment("an internal step failed"))?;
        self.writer.write(&self.typed(&all.slice(0, records))?).map_err(parquet_failed)?;
        self.records -= records;
        self.waiting = vec![all.slice(records, self.records)];
        Ok(())
    }
}

impl ParquetSink {
    /// The same records in their types; a column without a null has no list of nulls, whatever it was cut from.
    fn typed(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let column = |(place, column): (usize, &ArrayRef)| -> Result<ArrayRef> {
            let texts = column_as::<StringArray>(column)?;
            match self.types.get(place).copied().flatten() {
                Some(kind) => kind.read(texts),
                None => without_idle_nulls(texts),
            }
        };
        let columns = batch.columns().iter().enumerate().map(column).collect::<Result<Vec<_>>>()?;
        let fields = batch.schema();
        let fields = fields.fields().iter().zip(&columns);
        let fields = fields.map(|(field, column)| Field::new(field.name(), column.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        RecordBatch::try_new(schema, columns).map_err(|_| Error::internal())
    }
}

fn without_idle_nulls(texts: &StringArray) -> Result<ArrayRef> {
    let (offsets, texts, nulls) = texts.clone().into_parts();
    let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
    Ok(Arc::new(StringArray::try_new(offsets, texts, nulls).map_err(|_| Error::internal())?))
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
        file.finish()
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

#[cfg(test)]
mod tests {
    use super::super::files::{MemoryFiles, ReleaseFiles, ReleasePart};
    use super::*;

    #[test]
    fn the_bytes_do_not_depend_on_the_cuts() {
        let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Utf8, true)]));
        // Nulls in the first records only: what is cut from the rest may or may not know of them.
        let cell = |place: u32| (place > 100).then(|| place.to_string());
        let whole: ArrayRef = Arc::new((0..60_000).map(cell).collect::<StringArray>());
        let whole = RecordBatch::try_new(Arc::clone(&schema), vec![whole]).unwrap();
        let written = |cut: usize| {
            let files = MemoryFiles::default();
            let file = ReleaseFiles::Memory(files.clone()).create(ReleasePart::Public, "data.parquet").unwrap();
            let mut sink = Box::new(ParquetSink::new(file, &schema, &[]).unwrap());
            for start in (0..whole.num_rows()).step_by(cut) {
                sink.write(&whole.slice(start, cut.min(whole.num_rows() - start))).unwrap();
            }
            sink.finish().unwrap();
            files.in_part(ReleasePart::Public).remove("data.parquet").unwrap()
        };
        let expected = written(60_000);
        for cut in [997, 8192, 20_000] {
            assert!(written(cut) == expected, "{cut}");
        }
    }
}
