//! The data, read as a stranger would: records of text, one at a time.
//!
//! The missing value is the empty text, in CSV an empty cell and in Parquet a null. One format per file.

mod again;
mod csv;
mod decoded;
mod footer;
mod guard;
mod pages;
mod parquet;
mod room;
mod signs;
mod thrift;
mod typed;

use std::borrow::Cow;
use std::io;

use ::csv::StringRecord;

use crate::Check;
use crate::folder::Content;
use crate::formula::{self, Guard};
use crate::manifest::Claims;
pub(crate) use signs::Signs;

/// An open data file.
pub(crate) struct Table {
    records: FormatRecords,
    signs: Signs,
}

enum FormatRecords {
    Csv(csv::CsvRecords),
    Parquet(Box<parquet::ParquetRecords>),
}

/// A record without the guards that a CSV may need.
pub(crate) struct BareRecord<'a> {
    cells: &'a StringRecord,
    guard: Option<Guard>,
}

impl BareRecord<'_> {
    pub fn cell(&self, column: usize) -> Cow<'_, str> {
        formula::bare(self.guard, self.cells.get(column).unwrap_or_default())
    }
}

/// Shows every record of the data file that a manifest tells of.
pub(crate) fn read(data: &Content, claims: &Claims, mut see: impl FnMut(&BareRecord<'_>)) -> Result<(), ReadFailure> {
    let (mut table, mut cells) = (Table::open(data, claims)?, StringRecord::new());
    let guard = Guard::for_release(claims);
    while table.next(&mut cells)? {
        if table.signs.has_commas() {
            cells = table.signs.plain(&cells);
        }
        see(&BareRecord { cells: &cells, guard });
    }
    Ok(())
}

/// Why no further record can be read.
#[derive(Debug)]
pub(crate) enum ReadFailure {
    /// The bytes are not what their format asks for.
    Content { what: &'static str, record: Option<u64> },
    /// The system could not deliver the bytes.
    Io(io::ErrorKind),
}

impl Table {
    /// Opens the data file that a manifest tells of.
    pub fn open(data: &Content, claims: &Claims) -> Result<Self, ReadFailure> {
        let signs = Signs::claimed(claims)?;
        if claims.data.format == "csv" && claims.columns.iter().any(|column| column.kept_type.is_some()) {
            return Err(ReadFailure::Content { what: "types are claimed of text", record: None });
        }
        let records = if claims.data.format == "csv" {
            FormatRecords::Csv(csv::CsvRecords::open(data, &signs)?)
        } else {
            FormatRecords::Parquet(parquet::ParquetRecords::open(data, &typed::ColumnType::all(claims)?)?.into())
        };
        Ok(Self { records, signs })
    }

    /// How the text is written.
    pub fn signs(&self) -> &Signs {
        &self.signs
    }

    /// The column names as written.
    pub fn columns(&self) -> &[String] {
        match &self.records {
            FormatRecords::Csv(records) => &records.columns,
            FormatRecords::Parquet(records) => &records.columns,
        }
    }

    pub fn is_csv(&self) -> bool {
        matches!(self.records, FormatRecords::Csv(_))
    }

    /// Reads the next record into `cells` as it is written; false at the end.
    pub fn next(&mut self, cells: &mut StringRecord) -> Result<bool, ReadFailure> {
        match &mut self.records {
            FormatRecords::Csv(records) => records.next(cells),
            FormatRecords::Parquet(records) => records.next(cells),
        }
    }

    /// What the format itself must promise before a record is read.
    pub fn opening_check(&self) -> Option<Check> {
        match &self.records {
            FormatRecords::Csv(_) => None,
            FormatRecords::Parquet(records) => Some(records.opening_check()),
        }
    }

    /// What the format itself must promise once all records of the file, whose hash is `sha256`, were read.
    pub fn closing_check(self, sha256: &str) -> Option<Check> {
        match self.records {
            FormatRecords::Csv(_) => None,
            FormatRecords::Parquet(records) => Some(records.closing_check(sha256)),
        }
    }
}
