//! Writes a release: all of it or nothing.
//!
//! One output format per file; [`staging`] is the folder that appears in one step, [`files`] that or memory, [`destination`]
//! either or a database. Writers take batches of text columns
//! in which null is the missing value, and give the same bytes however the batches were cut.

pub(crate) mod csv;
pub(crate) mod destination;
pub(crate) mod files;
pub(super) mod leftovers;
mod lock;
pub(crate) mod parquet;
#[cfg(feature = "postgres")]
mod postgres;
pub(crate) mod staging;
pub(crate) mod typed;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use equanym_core::mask::Mask;

use crate::error::Result;
use crate::mask::rewrite::formula::Guard;
use crate::policy::{Format, Output};
use files::NewFile;
use typed::KeptType;

/// The name of the data file of a format.
#[must_use]
pub(crate) fn file_name(format: Format) -> &'static str {
    match format {
        Format::Csv => "data.csv",
        Format::Parquet => "data.parquet",
    }
}

/// Takes batches and writes them.
pub(crate) trait Sink {
    /// Takes the next records.
    fn write(&mut self, batch: &RecordBatch) -> Result<()>;

    /// Takes the next records, each as often as it is told.
    fn write_repeated(&mut self, batch: &RecordBatch, times: &[u64]) -> Result<()>;

    /// Writes what is left and makes the file durable.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// How a file is written.
#[derive(Debug, Clone)]
pub(crate) enum FileForm {
    /// Delimited text.
    Csv(csv::Writing),
    /// Apache Parquet, and the types that columns keep.
    Parquet(Vec<Option<KeptType>>),
}

impl FileForm {
    /// As the output says, in which nothing follows the input any more.
    pub(crate) fn new(output: Output, mask: &Mask, types: &[Option<KeptType>]) -> Self {
        match output.format {
            Format::Csv => Self::Csv(csv::Writing::new(output, mask)),
            Format::Parquet => Self::Parquet(types.to_vec()),
        }
    }

    /// What keeps cells from being taken for formulas, where that is needed.
    pub(crate) fn guard(&self) -> Option<Guard> {
        match self {
            Self::Csv(writing) => Some(writing.guard()),
            Self::Parquet(_) => None,
        }
    }
}

/// What writes a new file in that form.
pub(crate) fn into(form: &FileForm, file: NewFile, schema: &SchemaRef) -> Result<Box<dyn Sink>> {
    match form {
        FileForm::Csv(writing) => Ok(Box::new(csv::CsvSink::new(file, schema, writing.clone())?)),
        FileForm::Parquet(types) => Ok(Box::new(parquet::ParquetSink::new(file, schema, types)?)),
    }
}
