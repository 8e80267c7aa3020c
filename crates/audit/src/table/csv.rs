//! Delimited text as a release writes it, by its [signs](super::signs): a header, every record as long as the header.

use std::io::{self, Read};

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};
use encoding_rs::UTF_8;

use super::ReadFailure;
use super::decoded::DecodedText;
use super::signs::Signs;
use crate::folder::Content;

/// The records of a CSV file.
pub(crate) struct CsvRecords {
    reader: Reader<Box<dyn Read>>,
    pub columns: Vec<String>,
    read: u64,
}

impl CsvRecords {
    pub fn open(data: &Content, signs: &Signs) -> Result<Self, ReadFailure> {
        let file = data.open().map_err(|error| ReadFailure::Io(error.kind()))?;
        let is_utf8 = signs.encoding == UTF_8;
        let text: Box<dyn Read> =
            if is_utf8 { Box::new(file) } else { Box::new(DecodedText::new(file, signs.encoding)) };
        let mut reader = ReaderBuilder::new().has_headers(false).delimiter(signs.delimiter).from_reader(text);
        let mut header = StringRecord::new();
        reader.read_record(&mut header).map_err(|error| describe(error, None))?;
        Ok(Self { reader, columns: header.iter().map(str::to_owned).collect(), read: 0 })
    }

    pub fn next(&mut self, cells: &mut StringRecord) -> Result<bool, ReadFailure> {
        self.read += 1;
        self.reader.read_record(cells).map_err(|error| describe(error, Some(self.read)))
    }
}

/// The reader's own messages are not passed on: they are not ours to vouch for.
fn describe(error: csv::Error, record: Option<u64>) -> ReadFailure {
    match error.into_kind() {
        ErrorKind::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
            ReadFailure::Content { what: "not in the claimed encoding", record }
        }
        ErrorKind::Io(error) => ReadFailure::Io(error.kind()),
        ErrorKind::Utf8 { .. } => ReadFailure::Content { what: "not UTF-8", record },
        ErrorKind::UnequalLengths { .. } => {
            ReadFailure::Content { what: "another number of cells than the header", record }
        }
        _ => ReadFailure::Content { what: "not CSV", record },
    }
}
