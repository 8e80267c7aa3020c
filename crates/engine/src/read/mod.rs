//! Sources: tables as they are collected, read as text.
//!
//! A source is a file, or a folder of files of one format with the same columns. Whatever the format, a batch holds
//! text only, and a missing cell is null: the same table gives the same batches as CSV, NDJSON, Parquet or Arrow IPC.
//! Files are read more than once and never changed; one that others change meanwhile is refused. Nothing here panics on any bytes, and no message quotes a cell:
//! messages give file, row, line, column name and offsets.
//!
//! | File | Format |
//! |---|---|
//! | `.csv`, `.tsv` (also `.gz`, `.zst`) | delimited text, RFC 4180 quoting, a header row |
//! | `.ndjson`, `.jsonl` (also `.gz`, `.zst`) | a flat JSON object a line |
//! | `.parquet` | Apache Parquet; types in `text.rs` |
//! | `.arrow`, `.arrows`, `.feather`, `.ipc` | Arrow IPC, file or stream; types in `text.rs` |
//! | `.xlsx` | one sheet of a workbook |
//!
//! An address takes the place of a path: `postgres://…?table=…`, `s3://…`, `https://…`. A table that is in memory already is
//! [`Data`], too.
//!
//! ```no_run
//! use equanym_engine::read::{Reading, open};
//!
//! let source = open("people.csv".as_ref(), &Reading::default())?;
//! for part in 0..source.parts() {
//!     for batch in source.read(part, &[0, 2])? {
//!         println!("{} records", batch?.num_rows());
//!     }
//! }
//! # Ok::<(), equanym_engine::error::Error>(())
//! ```

pub mod address;
pub(crate) mod ahead;
mod as_text;
pub mod cells;
mod clean;
pub(crate) mod column_name;
mod columns;
mod compress;
mod csv;
mod data;
mod date_text;
mod dialect;
mod encoding;
#[cfg(feature = "excel")]
mod excel;
mod failure;
mod folder;
mod format;
mod handle;
mod ipc;
mod json_line;
mod memory;
pub(crate) mod missing;
mod ndjson;
pub mod notation;
mod pages;
mod parquet;
#[cfg(feature = "postgres")]
mod postgres;
mod records;
#[cfg(feature = "object-store")]
mod remote;
#[cfg(feature = "postgres")]
pub(crate) mod server;
mod split;
mod text;
pub mod text_file;
mod thrift;
#[cfg(any(feature = "postgres", feature = "object-store"))]
pub(crate) mod waiting;
mod watch;
mod weight;
#[cfg(feature = "excel")]
mod xml;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use serde::{Deserialize, Serialize};

pub use self::data::Data;
pub(crate) use self::encoding::is_other_encoding;
pub use self::encoding::{Encoding, LABELS};
use self::folder::File;
pub use self::folder::Gate;
use self::format::InputFormat;
pub use self::memory::MemoryTable;
use self::notation::Notation;
use crate::error::{Error, Result};

/// How to read a table: the policy's `[data]` and the flags of the command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reading {
    /// The delimiter of delimited text; `None` looks for it.
    pub delimiter: Option<u8>,
    /// How text is encoded.
    pub encoding: Encoding,
    /// What to do with a record that has too few fields.
    pub ragged: RaggedRecords,
    /// Texts that stand for a missing value; the empty text always does.
    pub missing: Vec<String>,
    /// How numbers are written.
    #[serde(skip_serializing_if = "Notation::is_usual")]
    pub notation: Notation,
    /// What the cells of columns are that hold more than text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub forms: BTreeMap<String, ColumnForm>,
    /// Whether blanks around cells and column names are dropped.
    pub trim: bool,
    /// Whether cells and column names are brought to Unicode NFC.
    pub normalise: bool,
    /// The sheet of a workbook; `None` takes the first that is shown.
    pub sheet: Option<String>,
    /// The most bytes a cell may have (a line, in NDJSON).
    #[serde(skip)]
    pub field_limit: usize,
    /// The most records of a batch.
    #[serde(skip)]
    pub batch_records: usize,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            delimiter: None,
            encoding: Encoding::Auto,
            ragged: RaggedRecords::Refuse,
            missing: Vec::new(),
            notation: Notation::default(),
            forms: BTreeMap::new(),
            trim: false,
            normalise: false,
            sheet: None,
            field_limit: 16 << 20,
            batch_records: 8192,
        }
    }
}

impl Reading {
    /// A server sends UTF-8 and plain decimals, whatever files hold.
    fn of_file(&self, file: &File) -> Cow<'_, Self> {
        if file.columns().is_none() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self { encoding: Encoding::Auto, notation: Notation::default(), ..self.clone() })
    }
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnForm {
    /// Numbers, in the notation of the table.
    Number,
    /// Numbers and ranges as a release with decimal commas writes them.
    Released,
    /// Codes of so many digits; zeros that they lost in front are written again.
    Code(u8),
}

impl ColumnForm {
    /// How many digits a code has.
    fn width(self) -> Option<usize> {
        match self {
            Self::Number | Self::Released => None,
            Self::Code(width) => Some(width.into()),
        }
    }
}

/// What to do with a record that has too few fields. One with too many is always refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RaggedRecords {
    /// An error.
    #[default]
    Refuse,
    /// The absent fields are missing values; such records are counted in the [`Notes`].
    Null,
}

/// What was seen while reading, as far as reading has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Notes {
    /// Short records that were filled with missing values. Reading a part again does not count it again.
    pub filled_records: u64,
    /// Files of delimited text whose lines end in more than one way. What executors of a cluster read is not looked at.
    pub mixed_line_ends: u64,
}

/// What was seen while reading a file.
#[derive(Debug, Default)]
struct FileNotes {
    /// Short records that were filled.
    filled: AtomicU64,
    mixed_line_ends: AtomicBool,
}

/// Batches, one after the other; after an error none comes.
pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

/// A table that can be read as often as needed.
#[derive(Debug, Clone)]
pub struct Source {
    files: Arc<Vec<(File, FileHead)>>,
    parts: Vec<Vec<split::ReadUnit>>,
    reading: Reading,
    seen: Vec<Arc<FileNotes>>,
    /// What becomes of cells once they are read.
    change: Option<Arc<dyn CellChange>>,
}

/// What becomes of cells once they are read, whoever reads them.
pub(crate) trait CellChange: std::fmt::Debug + Send + Sync {
    /// The columns to read for these ones, which come first; nothing where none of them changes.
    fn to_read(&self, projection: &[usize]) -> Option<Vec<usize>>;

    /// The first so many columns of a batch, changed; `places` says which columns were read. All are plain text.
    fn changed(&self, batch: &RecordBatch, places: &[usize], wanted: usize) -> Result<RecordBatch>;
}

/// What a look at a file tells.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileHead {
    columns: Vec<String>,
    /// Types and whether they are UUIDs; empty for formats that are text.
    types: Vec<(DataType, bool)>,
    delimiter: Option<u8>,
    /// Columns of a sheet whose dates have a time of day somewhere: all of them are then written with one.
    timed: Vec<bool>,
}

/// How a text writes its table.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TextForm {
    pub(crate) delimiter: Option<char>,
    pub(crate) encoding: Option<Encoding>,
    pub(crate) decimal: Option<char>,
}

/// What a format's reader needs to read a file.
struct ReadRequest<'a> {
    file: &'a File,
    head: &'a FileHead,
    reading: &'a Reading,
    projection: &'a [usize],
    /// The row groups to read, where a format has them; `None` stands for all.
    groups: Option<std::ops::Range<usize>>,
    /// Whether columns of text may come as dictionaries.
    may_be_dictionary: bool,
    seen: Arc<FileNotes>,
}

/// Opens a file or a folder: finds the format, reads the columns, and checks that they have names and agree.
pub fn open(path: &Path, reading: &Reading) -> Result<Source> {
    Data::At(path).open(reading)
}

/// The same, and the table falls into at most so many parts; the gate is asked about each file that is opened.
pub fn open_in_parts<'a>(
    data: impl Into<Data<'a>>,
    reading: &Reading,
    most: usize,
    gate: Option<&Gate>,
) -> Result<Source> {
    let mut files: Vec<(File, FileHead)> = Vec::new();
    for file in folder::files(data.into(), gate)? {
        let head = head(&file, reading)?;
        if let Some((first, wanted)) = files.first() {
            columns::agree(&first.name(), wanted, &file.name(), &head)?;
        }
        files.push((file, head));
    }
    let seen = files.iter().map(|_| Arc::default()).collect();
    let parts = split::split(&files, most)?;
    Ok(Source { parts, files: Arc::new(files), reading: reading.clone(), seen, change: None })
}

impl Source {
    /// The names of the columns, in the order of the file.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        self.files.first().map_or(&[], |(_, head)| &head.columns)
    }

    /// Into how many parts the table falls that are read side by side; at most one a core, unless asked otherwise.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Batches of the columns with these indices, in this order. Every column is Utf8, null where a cell is missing.
    ///
    /// Blocking; the iterator may move to another thread.
    pub fn read(&self, part: usize, projection: &[usize]) -> Result<Batches> {
        self.read_part(part, projection, false)
    }

    /// The same, but a column may come as a dictionary of texts where the file holds it so: numbers below 2³¹ that stand
    /// for texts, null where a cell is missing on either side.
    pub fn read_dictionaries(&self, part: usize, projection: &[usize]) -> Result<Batches> {
        self.read_part(part, projection, true)
    }

    /// The same table; whoever reads it finds its cells changed.
    pub(crate) fn changed_by(self, change: Arc<dyn CellChange>) -> Self {
        Self { change: Some(change), ..self }
    }

    fn read_part(&self, part: usize, projection: &[usize], may_be_dictionary: bool) -> Result<Batches> {
        let wanted = self.change.as_ref().and_then(|change| Some((Arc::clone(change), change.to_read(projection)?)));
        let Some((change, places)) = wanted else { return self.read_cells(part, projection, may_be_dictionary) };
        let (mut batches, wanted) = (self.read_cells(part, &places, false)?, projection.len());
        Ok(one_by_one(move || batches.next().map(|batch| change.changed(&batch?, &places, wanted)).transpose()))
    }

    fn read_cells(&self, part: usize, projection: &[usize], may_be_dictionary: bool) -> Result<Batches> {
        let Some(units) = self.parts.get(part) else {
            return Err(Error::input(format!("the table has {} parts, not {}", self.parts.len(), part + 1)));
        };
        let columns = self.columns().len();
        if let Some(index) = projection.iter().find(|index| **index >= columns) {
            return Err(Error::input(format!("the table has {columns} columns, not {}", index + 1)));
        }
        let (source, projection) = (self.clone(), projection.to_vec());
        // The first is opened at once: what is wrong with it is said by whoever asks for it.
        let mut units = units.clone().into_iter();
        let Some(first) = units.next() else { return Ok(Box::new(std::iter::empty())) };
        let opened = self.read_unit(&first, &projection, may_be_dictionary)?;
        let rest = units.flat_map(move |unit| {
            let failed = |error| Box::new(std::iter::once(Err(error))) as Batches;
            source.read_unit(&unit, &projection, may_be_dictionary).unwrap_or_else(failed)
        });
        let mut all = opened.chain(rest);
        Ok(one_by_one(move || all.next().transpose()))
    }

    fn read_unit(&self, unit: &split::ReadUnit, projection: &[usize], may_be_dictionary: bool) -> Result<Batches> {
        let (Some((file, head)), Some(seen)) = (self.files.get(unit.file), self.seen.get(unit.file)) else {
            return Err(Error::environment("an internal step lost a file"));
        };
        let groups = unit.groups.clone();
        let reading = self.reading.of_file(file);
        let request =
            ReadRequest { file, head, reading: &reading, projection, groups, may_be_dictionary, seen: seen.clone() };
        let batches = match file.format {
            InputFormat::Csv | InputFormat::Tsv => csv::read(&request),
            InputFormat::Ndjson => ndjson::read(&request),
            InputFormat::Parquet => parquet::read(&request),
            InputFormat::Ipc => ipc::read(&request),
            InputFormat::Memory => memory::read(&request),
            #[cfg(feature = "excel")]
            InputFormat::Excel => excel::read(&request),
        };
        // A file that changes may look damaged: what is said of it then is that it changes.
        let watched = file.clone();
        let told = move |error| watched.check_unchanged().err().unwrap_or(error);
        match batches {
            Ok(batches) => Ok(Box::new(batches.map(move |batch| batch.map_err(&told)))),
            Err(error) => Err(told(error)),
        }
    }

    /// Refuses a table that is not what it was when it was opened. To be asked once all is read.
    pub(crate) fn check_unchanged(&self) -> Result<()> {
        self.files.iter().try_for_each(|(file, _)| file.check_unchanged())
    }

    /// How many bytes were read so far; what was read again counts again.
    #[must_use]
    pub(crate) fn bytes_read(&self) -> u64 {
        self.files.iter().map(|(file, _)| file.bytes_read()).sum()
    }

    /// How many bytes the table has; 0 where nobody knows.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|(file, _)| file.size().unwrap_or(0)).sum()
    }

    /// What was seen so far while reading.
    #[must_use]
    pub fn notes(&self) -> Notes {
        let mixed = self.seen.iter().filter(|seen| seen.mixed_line_ends.load(Ordering::Relaxed));
        Notes {
            filled_records: self.seen.iter().map(|seen| seen.filled.load(Ordering::Relaxed)).sum(),
            mixed_line_ends: mixed.count() as u64,
        }
    }

    /// Takes over what others saw who read the table.
    pub fn note_filled(&self, records: u64) {
        if let Some(first) = self.seen.first() {
            first.filled.fetch_add(records, Ordering::Relaxed);
        }
    }

    /// The type that a column has in the file, where it is more than text, and nothing was made of it on the way.
    pub(crate) fn column_type(&self, place: usize) -> Option<&DataType> {
        let (_, head) = self.files.first()?;
        let is_formed = self.reading.forms.get(head.columns.get(place)?).is_some_and(|form| form.width().is_some());
        head.types.get(place).map(|(kind, _)| kind).filter(|_| !is_formed)
    }

    /// What a release of delimited text takes over; nothing from other formats and from databases.
    pub(crate) fn text_form(&self) -> TextForm {
        let text = self.files.first().filter(|(file, _)| file.columns().is_none());
        let delimiter = text.and_then(|(_, head)| head.delimiter);
        TextForm {
            delimiter: delimiter.map(char::from),
            encoding: delimiter.and(Some(self.reading.encoding).filter(|encoding| encoding.is_written())),
            decimal: delimiter.and(Some(self.reading.notation.decimal)),
        }
    }

    /// The delimiter in use; `None` for formats without one.
    #[must_use]
    pub fn delimiter(&self) -> Option<char> {
        self.files.first().and_then(|(_, head)| head.delimiter).map(char::from)
    }
}

fn head(file: &File, reading: &Reading) -> Result<FileHead> {
    if let Some(names) = file.columns() {
        let names = clean::Cleaner::new(reading).names(names.iter().map(String::as_str));
        columns::check(&file.name(), &names)?;
        return Ok(FileHead { columns: names, types: Vec::new(), delimiter: Some(b','), timed: Vec::new() });
    }
    match file.format {
        InputFormat::Csv | InputFormat::Tsv => csv::head(file, reading),
        InputFormat::Ndjson => ndjson::head(file, reading),
        InputFormat::Parquet => parquet::head(file, reading),
        InputFormat::Ipc => ipc::head(file, reading),
        InputFormat::Memory => {
            file.pieces().map_or_else(|| Err(Error::internal()), |pieces| memory::head(&file.name(), pieces, reading))
        }
        #[cfg(feature = "excel")]
        InputFormat::Excel => excel::head(file, reading),
    }
}

/// An iterator that ends at the first error.
fn one_by_one(mut next: impl FnMut() -> Result<Option<RecordBatch>> + Send + 'static) -> Batches {
    let mut done = false;
    Box::new(std::iter::from_fn(move || {
        if done {
            return None;
        }
        let batch = next().transpose();
        done = !matches!(batch, Some(Ok(_)));
        batch
    }))
}

/// The schema of the columns asked for: all text.
fn text_schema(columns: &[String], projection: &[usize]) -> SchemaRef {
    let names = projection.iter().filter_map(|index| columns.get(*index));
    Arc::new(Schema::new(names.map(|name| Field::new(name, DataType::Utf8, true)).collect::<Vec<_>>()))
}

/// A batch of text columns; the number of records counts when there are none.
fn text_batch(schema: &SchemaRef, arrays: Vec<ArrayRef>, records: usize) -> Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(records));
    RecordBatch::try_new_with_options(schema.clone(), arrays, &options)
        .map_err(|_| Error::environment("columns of a batch differ in length: please report this"))
}
