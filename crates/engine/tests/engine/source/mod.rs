//! Sources: what is read comes out as text whatever the format, and what is wrong is refused with its place.
//!
//! Each bad input is tried with a canary among its cells, which no message may hold.

mod csv;
pub(crate) mod excel;
mod files;
mod ipc;
mod ndjson;
mod notation;
mod parquet;
mod postgres;
mod random;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use equanym_engine::error::{Error, Result};
use equanym_engine::read::{Reading, Source, open};

use crate::stage::told;

/// A cell that no message may show.
const CANARY: &str = "Zq7Canary";

type Rows = Vec<Vec<Option<String>>>;

/// A folder that goes away with its test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name.as_ref());
        fs::write(&path, bytes).unwrap();
        path
    }
}

fn read_source(source: &Source) -> Result<Rows> {
    let all: Vec<usize> = (0..source.columns().len()).collect();
    read_columns(source, &all)
}

fn read_columns(source: &Source, projection: &[usize]) -> Result<Rows> {
    let mut rows = Vec::new();
    for part in 0..source.parts() {
        for batch in source.read(part, projection)? {
            rows.extend(rows_of(&batch?));
        }
    }
    Ok(rows)
}

fn rows_of(batch: &RecordBatch) -> Rows {
    assert!(batch.columns().iter().all(|column| column.data_type() == &DataType::Utf8));
    let cell = |column: &ArrayRef, row| column.is_valid(row).then(|| column.as_string::<i32>().value(row).to_owned());
    (0..batch.num_rows()).map(|row| batch.columns().iter().map(|column| cell(column, row)).collect()).collect()
}

fn read(path: &Path, reading: &Reading) -> Result<Rows> {
    read_source(&open(path, reading)?)
}

/// Rows as text, `~` for missing, for short comparisons.
fn shown(path: &Path, reading: &Reading) -> Vec<String> {
    let rows = read(path, reading).unwrap();
    rows.iter().map(|row| row.iter().map(|cell| cell.as_deref().unwrap_or("~")).collect::<Vec<_>>().join("|")).collect()
}

fn plain(path: &Path) -> Vec<String> {
    shown(path, &Reading::default())
}

/// The error of opening and reading a path, whose message is that of `messages.txt`.
#[track_caller]
fn refusal(path: &Path, reading: &Reading, exit: u8) -> Error {
    let error = unread(path, reading);
    assert_eq!(error.exit_code(), exit, "{error}");
    let is_temporary = |folder: &&Path| folder.file_name().is_some_and(|name| name.as_bytes().starts_with(b".tmp"));
    let folder = path.ancestors().find(is_temporary).unwrap_or(Path::new("no folder"));
    told(i32::from(exit), &error.to_string(), folder);
    error
}

/// The error of opening and reading a path, checked for what no message may hold.
fn unread(path: &Path, reading: &Reading) -> Error {
    let error = read(path, reading).expect_err("refused");
    let text = error.to_string();
    assert!(!text.contains(CANARY), "a cell is shown: {text}");
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "control characters are shown: {text:?}");
    error
}

#[track_caller]
fn refused(path: &Path) -> Error {
    refusal(path, &Reading::default(), 2)
}

fn column(values: impl Array + 'static) -> ArrayRef {
    Arc::new(values)
}

fn table(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}
