//! CSV as a release writes it: UTF-8, commas, a header, every record as long as the header.

use std::fs::File;
use std::path::Path;

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};

use super::Unreadable;

/// The records of a CSV file.
pub(crate) struct CsvRecords {
    reader: Reader<File>,
    pub columns: Vec<String>,
    read: u64,
}

impl CsvRecords {
    pub fn open(path: &Path) -> Result<Self, Unreadable> {
        let file = File::open(path).map_err(|error| Unreadable::Io(error.kind()))?;
        let mut reader = ReaderBuilder::new().has_headers(false).from_reader(file);
        let mut header = StringRecord::new();
        reader.read_record(&mut header).map_err(|error| describe(error, None))?;
        Ok(Self { reader, columns: header.iter().map(str::to_owned).collect(), read: 0 })
    }

    pub fn next(&mut self, cells: &mut StringRecord) -> Result<bool, Unreadable> {
        self.read += 1;
        self.reader.read_record(cells).map_err(|error| describe(error, Some(self.read)))
    }
}

/// The reader's own messages are not passed on: they are not ours to vouch for.
fn describe(error: csv::Error, record: Option<u64>) -> Unreadable {
    match error.into_kind() {
        ErrorKind::Io(error) => Unreadable::Io(error.kind()),
        ErrorKind::Utf8 { .. } => Unreadable::Content { what: "not UTF-8", record },
        ErrorKind::UnequalLengths { .. } => {
            Unreadable::Content { what: "another number of cells than the header", record }
        }
        _ => Unreadable::Content { what: "not CSV", record },
    }
}
