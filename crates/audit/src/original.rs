//! The original: does the release fit the table it claims to come from?
//!
//! Only what needs no policy is compared: the number of records, and that each released column is one of the original's.
//!
//! Limit: one plain CSV or Parquet file. Of a CSV the delimiter is the one under which most released columns are found.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder};
use parquet::file::reader::FileReader;

use crate::manifest::Claims;
use crate::table::{Unreadable, open_parquet};
use crate::{AuditError, Check};

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Packed tables, spreadsheets and Arrow files; read as CSV they would only be nonsense.
const OTHER_KINDS: [&[u8]; 4] = [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd], b"PK\x03\x04", b"ARROW1"];

struct Original {
    records: u64,
    columns: Vec<String>,
}

/// Compares the release with its original.
pub(crate) fn checks(path: &Path, delimiter: Option<u8>, claims: &Claims) -> Result<[Check; 2], AuditError> {
    let Original { records, columns } = read(path, delimiter, claims)?;
    let absent = claims.columns.iter().filter(|column| !columns.contains(&column.name));
    let absent: Vec<String> = absent.map(|column| format!("{:?}", column.name)).collect();
    let found = if absent.is_empty() { "all are".to_owned() } else { format!("not there: {}", absent.join(", ")) };
    let claimed = claims.records.original;
    let count = |count: u64| format!("{count} original records");
    Ok([
        Check::new("original-records", records == claimed, count(claimed), count(records)),
        Check::new("original-columns", absent.is_empty(), "each released column is one of the original's", found),
    ])
}

fn read(path: &Path, delimiter: Option<u8>, claims: &Claims) -> Result<Original, AuditError> {
    if path.is_dir() {
        return Err(AuditError::Original { what: "it is a folder" });
    }
    let mut start = Vec::new();
    let mut file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => AuditError::Original { what: "it was not found" },
        kind => AuditError::Io { what: "the original", kind },
    })?;
    file.by_ref().take(8).read_to_end(&mut start).map_err(AuditError::io("the original"))?;
    if start.starts_with(b"PAR1") {
        return parquet(path);
    }
    if OTHER_KINDS.iter().any(|magic| start.starts_with(magic)) {
        return Err(AuditError::Original { what: "it is neither plain CSV nor Parquet" });
    }
    let best = DELIMITERS.into_iter().rev().max_by_key(|delimiter| known_columns(path, *delimiter, claims));
    file.rewind().map_err(AuditError::io("the original"))?;
    csv(file, delimiter.or(best).unwrap_or(b','))
}

fn parquet(path: &Path) -> Result<Original, AuditError> {
    let file = open_parquet(path).map_err(|error| match error {
        Unreadable::Content { .. } => AuditError::Original { what: "broken Parquet" },
        Unreadable::Io(kind) => AuditError::Io { what: "the original", kind },
    })?;
    let metadata = file.metadata().file_metadata();
    let records = u64::try_from(metadata.num_rows()).map_err(|_| AuditError::Original { what: "broken Parquet" })?;
    let fields = metadata.schema_descr().root_schema().get_fields();
    Ok(Original { records, columns: fields.iter().map(|field| field.name().to_owned()).collect() })
}

fn csv(file: File, delimiter: u8) -> Result<Original, AuditError> {
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(file);
    let mut record = ByteRecord::new();
    let mut next = |record: &mut ByteRecord| {
        reader.read_byte_record(record).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => AuditError::Io { what: "the original", kind: error.kind() },
            _ => AuditError::Original { what: "broken CSV" },
        })
    };
    next(&mut record)?;
    let columns = names(&record);
    let mut records = 0;
    while next(&mut record)? {
        records += 1;
    }
    Ok(Original { records, columns })
}

/// How many released columns a delimiter uncovers in the header.
fn known_columns(path: &Path, delimiter: u8, claims: &Claims) -> usize {
    let mut header = ByteRecord::new();
    let reader = ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_path(path);
    let read = reader.and_then(|mut reader| reader.read_byte_record(&mut header)).unwrap_or(false);
    let names = if read { names(&header) } else { Vec::new() };
    claims.columns.iter().filter(|column| names.contains(&column.name)).count()
}

fn names(header: &ByteRecord) -> Vec<String> {
    header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect()
}
