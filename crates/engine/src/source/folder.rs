//! Which files a source consists of.
//!
//! A path is a regular file or a folder of them. Pipes, sockets and devices are refused: a table is read more than
//! once. In a folder every file must be readable, so that nothing is left out by mistake; names that start with `.` or
//! `_` are ignored (`.DS_Store`, `_SUCCESS`). Files are taken in the order of their names.

use std::fs;
use std::path::{Path, PathBuf};

use super::compress::{self, Bytes};
use super::fault;
use super::format::{self, Compression, Format};
use crate::error::{Error, Result};

/// One file of a source.
#[derive(Debug, Clone)]
pub(super) struct File {
    path: PathBuf,
    /// By its name.
    pub(super) format: Format,
    compression: Compression,
}

impl File {
    /// The path as messages show it: quoted, with anything odd escaped.
    pub(super) fn name(&self) -> String {
        show(&self.path)
    }

    /// The file itself.
    pub(super) fn open(&self) -> Result<fs::File> {
        fs::File::open(&self.path).map_err(|error| fault::opening(&self.name(), &error))
    }

    /// The unpacked bytes of the file.
    pub(super) fn bytes(&self) -> Result<Bytes> {
        compress::unpack(&self.name(), self.open()?, self.compression)
    }

    fn at(path: &Path) -> Result<Self> {
        let name = show(path);
        let kind = fs::metadata(path).map_err(|error| fault::opening(&name, &error))?;
        if kind.is_dir() {
            return Err(Error::input(format!("{name}: a folder in a folder")).hint("put all files in one folder"));
        }
        if !kind.is_file() {
            return Err(Error::input(format!("{name}: no regular file; a table needs to be read twice"))
                .hint("save the data in a file first"));
        }
        match format::by_name(path) {
            Some((format, compression)) => Ok(Self { path: path.to_owned(), format, compression }),
            None => Err(Error::input(format!("{name}: the name tells no known format"))
                .hint(format!("known endings: {}", format::KNOWN))),
        }
    }
}

/// The files that a path stands for, at least one.
pub(super) fn files(path: &Path) -> Result<Vec<File>> {
    let kind = fs::metadata(path).map_err(|error| fault::opening(&show(path), &error))?;
    if !kind.is_dir() {
        return Ok(vec![File::at(path)?]);
    }
    let files = listed(path)?.iter().map(|path| File::at(path)).collect::<Result<Vec<_>>>()?;
    let Some(first) = files.first() else {
        return Err(Error::input(format!("{}: the folder holds no data file", show(path)))
            .hint(format!("known endings: {}", format::KNOWN)));
    };
    match files.iter().find(|file| file.format.family() != first.format.family()) {
        Some(other) => {
            let message = format!("{} and {}: a folder holds files of one format", first.name(), other.name());
            Err(Error::input(message))
        }
        None => Ok(files),
    }
}

/// The entries of a folder that are not hidden, sorted by name.
fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error: std::io::Error| fault::opening(&show(folder), &error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !matches!(entry.file_name().as_encoded_bytes().first(), Some(b'.' | b'_')) {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

fn show(path: &Path) -> String {
    format!("{:?}", path.to_string_lossy())
}
