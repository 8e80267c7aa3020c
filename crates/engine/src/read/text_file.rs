//! Reads files that people write: policies, hierarchies, stored masks.
//!
//! UTF-8 only, with or without a byte order mark, and no larger than such a file can sensibly be.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::error::{Error, Result};

/// Largest file that a program may have written.
const LARGEST: u64 = 256 << 20;
/// Largest file that people write themselves; one of many megabytes would keep the parser busy for minutes.
const LARGEST_BY_HAND: u64 = 1 << 20;

/// The text of a file; a byte order mark is removed.
pub fn read(path: &Path) -> Result<String> {
    read_at_most(path, LARGEST)
}

/// The same of a file that people write themselves.
pub fn read_by_hand(path: &Path) -> Result<String> {
    read_at_most(path, LARGEST_BY_HAND)
}

fn read_at_most(path: &Path, most: u64) -> Result<String> {
    let name = format!("`{}`", path.to_string_lossy().escape_debug());
    let bytes = bytes_of(path, most).map_err(|error| unreadable(&name, &error))?;
    if bytes.len() as u64 > most {
        return Err(Error::input(format!("{name} is larger than {} MiB", most >> 20)));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Error::input(format!("{name} is UTF-16")).hint("save it as UTF-8"));
    }
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(&name, &error))?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

fn bytes_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(name: &str, error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => Error::input(format!("there is no file {name}")),
        ErrorKind::IsADirectory => Error::input(format!("{name} is a folder, not a file")),
        ErrorKind::InvalidInput | ErrorKind::InvalidFilename => Error::input(format!("{name} is no name of a file")),
        _ => Error::environment(format!("{name} cannot be read: {error}")),
    }
}

fn not_utf8(name: &str, error: &std::string::FromUtf8Error) -> Error {
    let good = error.utf8_error().valid_up_to();
    let line = 1 + error.as_bytes().iter().take(good).filter(|byte| **byte == b'\n').count();
    Error::input(format!("{name} is not UTF-8 on line {line}")).hint("save it as UTF-8")
}
