//! Which format a file has, by its name; and a look at its first bytes to catch a wrong name.
//!
//! The name decides, so that the same command does the same tomorrow; the bytes may only object.

use std::ffi::OsStr;
use std::path::Path;

/// The formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputFormat {
    /// Delimited text.
    Csv,
    /// Delimited text with tabs.
    Tsv,
    /// A JSON object a line.
    Ndjson,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, file or stream.
    Ipc,
    /// Batches in memory.
    Memory,
    /// A sheet of a workbook.
    #[cfg(feature = "excel")]
    Excel,
}

/// How the bytes of a text file are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    /// Not at all.
    None,
    /// Gzip, one member or several.
    Gzip,
    /// Zstandard.
    Zstd,
}

/// The names that are known, for messages.
pub(super) const KNOWN: &str =
    ".csv, .tsv, .ndjson, .jsonl (each also with .gz or .zst), .parquet, .arrow, .arrows, .feather, .ipc, .xlsx";

impl InputFormat {
    /// CSV and TSV may stand side by side in a folder; other formats may not.
    pub(super) fn family(self) -> Self {
        if self == Self::Tsv { Self::Csv } else { self }
    }
}

/// The format that a file name says.
pub(super) fn by_name(path: &Path) -> Option<(InputFormat, Compression)> {
    let name = path.file_name().map(OsStr::to_string_lossy)?.to_lowercase();
    let (stem, compression) = match name.rsplit_once('.')? {
        (stem, "gz") => (stem, Compression::Gzip),
        (stem, "zst") => (stem, Compression::Zstd),
        _ => (name.as_str(), Compression::None),
    };
    let format = match stem.rsplit_once('.')?.1 {
        "csv" => InputFormat::Csv,
        "tsv" => InputFormat::Tsv,
        "ndjson" | "jsonl" => InputFormat::Ndjson,
        "parquet" if compression == Compression::None => InputFormat::Parquet,
        "arrow" | "arrows" | "feather" | "ipc" if compression == Compression::None => InputFormat::Ipc,
        #[cfg(feature = "excel")]
        "xlsx" if compression == Compression::None => InputFormat::Excel,
        _ => return None,
    };
    Some((format, compression))
}

/// The statistics program whose files have this name: none of them is read.
pub(super) fn statistics(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()?.to_lowercase().as_str() {
        "sav" | "zsav" | "por" => Some("SPSS"),
        "dta" => Some("Stata"),
        "sas7bdat" | "xpt" => Some("SAS"),
        _ => None,
    }
}

/// What to do with the file of a statistics program.
pub(super) const EXPORT: &str =
    "export it there as CSV (UTF-8) or Parquet, with labels in place of codes where they shall be kept";

/// What bytes at the start of a file show, when they are no text.
pub(super) fn by_magic(head: &[u8]) -> Option<&'static str> {
    let magics: [(&[u8], &'static str); 10] = [
        (b"ARROW1\0", "Arrow IPC"),
        (b"PAR1\x15", "Parquet"),
        (b"\x1f\x8b", "gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"PK\x03\x04", "a zip archive or a spreadsheet"),
        (b"\xff\xff\xff\xff", "Arrow IPC"),
        (b"$FL2@(#)", "a table of SPSS"),
        (b"$FL3@(#)", "a table of SPSS"),
        (b"<stata_dta>", "a table of Stata"),
        (b"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60", "a table of SAS"),
    ];
    magics.into_iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, what)| what)
}
