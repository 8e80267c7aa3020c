//! The data, read as a stranger would: records of text, one at a time.
//!
//! The missing value is the empty text, in CSV an empty cell and in Parquet a null. One format per file.

mod again;
mod csv;
mod footer;
mod guard;
mod pages;
mod parquet;
mod thrift;

use std::io;
use std::path::Path;

use ::csv::StringRecord;

use crate::Check;

/// An open data file.
pub(crate) enum Table {
    Csv(csv::CsvRecords),
    Parquet(Box<parquet::ParquetRecords>),
}

/// Why no further record can be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// The bytes are not what their format asks for.
    Content { what: &'static str, record: Option<u64> },
    /// The system could not deliver the bytes.
    Io(io::ErrorKind),
}

impl Table {
    pub fn open(path: &Path, format: &str) -> Result<Self, Unreadable> {
        Ok(if format == "csv" {
            Self::Csv(csv::CsvRecords::open(path)?)
        } else {
            Self::Parquet(parquet::ParquetRecords::open(path)?.into())
        })
    }

    /// The column names as written.
    pub fn columns(&self) -> &[String] {
        match self {
            Self::Csv(records) => &records.columns,
            Self::Parquet(records) => &records.columns,
        }
    }

    pub fn is_csv(&self) -> bool {
        matches!(self, Self::Csv(_))
    }

    /// Reads the next record into `cells`; false at the end.
    pub fn next(&mut self, cells: &mut StringRecord) -> Result<bool, Unreadable> {
        match self {
            Self::Csv(records) => records.next(cells),
            Self::Parquet(records) => records.next(cells),
        }
    }

    /// What the format itself must promise before a record is read.
    pub fn opening_check(&self) -> Option<Check> {
        match self {
            Self::Csv(_) => None,
            Self::Parquet(records) => Some(records.opening_check()),
        }
    }

    /// What the format itself must promise once all records of the file, whose hash is `sha256`, were read.
    pub fn closing_check(self, sha256: &str) -> Option<Check> {
        match self {
            Self::Csv(_) => None,
            Self::Parquet(records) => Some(records.closing_check(sha256)),
        }
    }
}
