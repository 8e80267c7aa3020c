//! Parquet as a release writes it: flat text columns, null for missing, no notes in the file.
//!
//! Columns are read side by side, a thousand records at a time. The file is hostile: the reader stands behind a guard that
//! turns its errors and panics into "not readable".
//!
//! Limit: a page is unpacked as a whole, so a page that claims two gigabytes costs two gigabytes.

use std::fs::File;
use std::path::Path;

use csv::StringRecord;
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::{ReadOptionsBuilder, SerializedFileReader};
use parquet::schema::types::Type;

use super::Unreadable;
use super::guard::guarded;
use super::leftovers::{self, Leftovers};
use crate::Check;

const BATCH: usize = 1024;

/// The records of a Parquet file.
pub(crate) struct ParquetRecords {
    file: SerializedFileReader<File>,
    pub columns: Vec<String>,
    next_group: usize,
    group: Option<Group>,
    unused: u64,
    strays: u64,
    read: u64,
}

/// A row group on the way.
struct Group {
    columns: Vec<Chunk>,
    records: i64,
    read: i64,
    at: usize,
    filled: usize,
}

/// A column of a row group: the batch at hand and what the file says about the column besides its records.
struct Chunk {
    reader: ColumnReaderImpl<ByteArrayType>,
    optional: bool,
    levels: Vec<i16>,
    values: Vec<ByteArray>,
    next_value: usize,
    leftovers: Leftovers,
}

/// Opens a file and reads its footer.
pub(crate) fn open_file(path: &Path) -> Result<SerializedFileReader<File>, Unreadable> {
    let file = File::open(path).map_err(|error| Unreadable::Io(error.kind()))?;
    let options = ReadOptionsBuilder::new().with_page_index().build();
    guarded("not Parquet", || SerializedFileReader::new_with_options(file, options))
}

impl ParquetRecords {
    pub fn open(path: &Path) -> Result<Self, Unreadable> {
        let file = open_file(path)?;
        let length = std::fs::metadata(path).map_err(|error| Unreadable::Io(error.kind()))?.len();
        let strays = guarded("not Parquet", || leftovers::stray_bytes(path, length, file.metadata()))?;
        let fields = file.metadata().file_metadata().schema_descr().root_schema().get_fields();
        let columns = fields.iter().map(|field| field.name().to_owned()).collect();
        Ok(Self { file, columns, next_group: 0, group: None, unused: 0, strays, read: 0 })
    }

    pub fn opening_checks(&self) -> Vec<Check> {
        let metadata = self.file.metadata().file_metadata();
        let notes = metadata.key_value_metadata().map_or(0, Vec::len);
        let fields = metadata.schema_descr().root_schema().get_fields();
        let other = fields.iter().filter(|field| !is_text(field)).count();
        vec![
            Check::new("parquet-metadata", notes == 0, "no key-value metadata", format!("{notes} entries")),
            Check::new(
                "parquet-types",
                other == 0,
                "flat text columns only",
                format!("{other} columns of another type"),
            ),
        ]
    }

    pub fn closing_check(&self) -> Check {
        let found = format!("{} values beside the rows, {} stray bytes", self.unused, self.strays);
        let claim = "dictionaries and statistics hold released values only, and the file nothing besides";
        Check::new("parquet-leftovers", self.unused == 0 && self.strays == 0, claim, found)
    }

    pub fn next(&mut self, cells: &mut StringRecord) -> Result<bool, Unreadable> {
        guarded("broken Parquet", || self.advance(cells)).map_err(|error| match error {
            Unreadable::Content { what, .. } => Unreadable::Content { what, record: Some(self.read + 1) },
            io @ Unreadable::Io(_) => io,
        })
    }

    fn advance(&mut self, cells: &mut StringRecord) -> Result<bool, ParquetError> {
        loop {
            if let Some(group) = &mut self.group {
                if group.emit(cells)? {
                    self.read += 1;
                    return Ok(true);
                }
                self.unused += group.unused();
                self.group = None;
            }
            if self.next_group >= self.file.num_row_groups() {
                return Ok(false);
            }
            self.group = Some(Group::open(&self.file, self.next_group)?);
            self.next_group += 1;
        }
    }
}

impl Group {
    fn open(file: &SerializedFileReader<File>, index: usize) -> Result<Self, ParquetError> {
        let group = file.get_row_group(index)?;
        let columns = (0..group.num_columns()).map(|column| {
            let ColumnReader::ByteArrayColumnReader(reader) = group.get_column_reader(column)? else {
                return Err(broken("no text column"));
            };
            let optional = group.metadata().column(column).column_descr().max_def_level() > 0;
            let leftovers = Leftovers::of(file.metadata(), &*group, index, column)?;
            Ok(Chunk { reader, optional, levels: Vec::new(), values: Vec::new(), next_value: 0, leftovers })
        });
        let columns = columns.collect::<Result<_, _>>()?;
        Ok(Self { columns, records: group.metadata().num_rows(), read: 0, at: 0, filled: 0 })
    }

    /// Puts the next record into `cells`; false at the end of the group.
    fn emit(&mut self, cells: &mut StringRecord) -> Result<bool, ParquetError> {
        if self.at == self.filled && !self.fill()? {
            return Ok(false);
        }
        cells.clear();
        for column in &mut self.columns {
            cells.push_field(column.cell(self.at)?);
        }
        self.at += 1;
        Ok(true)
    }

    /// Reads the next batch of every column; all must end together, and where the footer says.
    fn fill(&mut self) -> Result<bool, ParquetError> {
        self.at = 0;
        let counts = self.columns.iter_mut().map(Chunk::fill).collect::<Result<Vec<_>, _>>()?;
        self.filled = counts.first().copied().unwrap_or(0);
        self.read += i64::try_from(self.filled).unwrap_or(i64::MAX);
        let even = counts.iter().all(|count| *count == self.filled);
        let whole = if self.filled == 0 { self.read == self.records } else { self.read <= self.records };
        if even && whole { Ok(self.filled > 0) } else { Err(broken("columns of unequal length")) }
    }

    fn unused(&self) -> u64 {
        self.columns.iter().map(|column| column.leftovers.unused()).sum()
    }
}

impl Chunk {
    fn fill(&mut self) -> Result<usize, ParquetError> {
        self.levels.clear();
        self.values.clear();
        self.next_value = 0;
        Ok(self.reader.read_records(BATCH, Some(&mut self.levels), None, &mut self.values)?.0)
    }

    fn cell(&mut self, at: usize) -> Result<&str, ParquetError> {
        if self.optional && self.levels.get(at).copied().unwrap_or(0) == 0 {
            return Ok("");
        }
        let value = self.values.get(self.next_value).ok_or_else(|| broken("a value is absent"))?;
        self.next_value += 1;
        self.leftovers.meet(value.data());
        value.as_utf8()
    }
}

fn is_text(field: &Type) -> bool {
    let info = field.get_basic_info();
    let repeated = info.has_repetition() && info.repetition() == parquet::basic::Repetition::REPEATED;
    let text = info.logical_type_ref() == Some(&LogicalType::String) || info.converted_type() == ConvertedType::UTF8;
    field.is_primitive() && !repeated && text && field.get_physical_type() == Physical::BYTE_ARRAY
}

fn broken(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}
