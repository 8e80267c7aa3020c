//! Parquet written again: the records, put into a file by the rules of a known program, give the same bytes.
//!
//! A Parquet file has more rooms than a table: notes, statistics, dictionaries, filters, indexes, padding, fields that a
//! reader passes over. Where one file only can come from the records, nothing is in it besides. The rules are those of
//! the program that the file names as its maker, written down here a second time; a file of any other program is not
//! judged, and that is no pass.
//!
//! What is written goes into a hash: memory is that of one row group.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use sha2::{Digest, Sha256};

use super::typed::ColumnType;
use crate::folder::hex;

/// The makers whose rules are known: columns of text, or of the types that are claimed, that may be null, zstd, and the library's
/// usual sizes.
const KNOWN: [&str; 1] = ["equanym layout 1"];

/// How many records the known makers hand to the library at once: pages end where their batches do.
pub(super) const BATCH: usize = 8192;

/// A file in the making, of which only the hash is kept.
pub(super) struct HashedFile {
    writer: ArrowWriter<Hash>,
    schema: SchemaRef,
    kinds: Vec<ColumnType>,
}

/// A hash of what is written into it.
struct Hash(Sha256);

impl HashedFile {
    /// Begins a file; nothing when its maker is not known.
    pub fn begin(created_by: &[u8], columns: &[String], kinds: &[ColumnType]) -> Result<Option<Self>, ParquetError> {
        let Some(maker) = KNOWN.into_iter().find(|known| known.as_bytes() == created_by) else { return Ok(None) };
        let fields = columns.iter().zip(kinds).map(|(name, kind)| Field::new(name, kind.data_type(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let properties = WriterProperties::builder()
            .set_created_by(maker.to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(Hash(Sha256::new()), Arc::clone(&schema), options)?;
        Ok(Some(Self { writer, schema, kinds: kinds.to_vec() }))
    }

    /// Writes the next records, [`BATCH`] of them but for the last time.
    pub fn write(&mut self, columns: &[ArrayRef]) -> Result<(), ParquetError> {
        let plain = columns.iter().zip(&self.kinds).map(|(column, kind)| kind.without_idle_nulls(column));
        let columns = plain.collect::<Option<_>>().ok_or_else(|| ParquetError::General("no such column".to_owned()))?;
        self.writer.write(&RecordBatch::try_new(Arc::clone(&self.schema), columns)?)
    }

    /// The hash of the whole file.
    pub fn finish(self) -> Result<String, ParquetError> {
        Ok(hex(self.writer.into_inner()?.0))
    }
}

impl Write for Hash {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
