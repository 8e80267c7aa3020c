//! The folder: what lies in it, and how its files are opened and hashed.
//!
//! A release that was never written is a folder, too: its files are in memory, and are judged by the same code. The names come from the manifest and are hostile: a name that is more than a plain file name, and an entry that is a
//! link or a device, is never opened.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use parquet::errors::Result as ParquetResult;
use parquet::file::reader::{ChunkReader, Length};
use sha2::{Digest as _, Sha256};

use crate::AuditError;

/// The entries of a folder, and whether each is a plain file.
pub(crate) struct Folder<'a> {
    place: FolderPlace<'a>,
    pub entries: BTreeMap<OsString, bool>,
}

/// Where a folder is.
enum FolderPlace<'a> {
    Disk(PathBuf),
    Memory(&'a BTreeMap<String, Bytes>),
}

/// A file of a folder.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Disk(PathBuf),
    Memory(Bytes),
}

/// An open file of a folder.
pub(crate) enum OpenFile {
    Disk(File),
    Memory(Cursor<Bytes>),
}

/// Size and hash of a file.
pub(crate) struct Digest {
    pub bytes: u64,
    pub sha256: String,
}

impl<'a> Folder<'a> {
    pub fn list(path: &Path) -> Result<Self, AuditError> {
        let listing = fs::read_dir(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => AuditError::NoFolder,
            kind => AuditError::Io { what: "the release folder", kind },
        })?;
        let entries =
            listing.map(|entry| entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?.is_file()))));
        let entries = entries.collect::<io::Result<_>>().map_err(AuditError::io("the release folder"))?;
        Ok(Self { place: FolderPlace::Disk(path.to_owned()), entries })
    }

    pub fn in_memory(files: &'a BTreeMap<String, Bytes>) -> Self {
        Self {
            place: FolderPlace::Memory(files),
            entries: files.keys().map(|name| (OsString::from(name), true)).collect(),
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.entries.contains_key(&OsString::from(name))
    }

    /// A file of the folder; nothing when it is absent, no plain file, or not named plainly.
    pub fn file(&self, name: &str) -> Option<Content> {
        let plain_file = self.entries.get(&OsString::from(name)).copied().unwrap_or(false);
        match &self.place {
            _ if !plain_file || !is_plain(name) => None,
            FolderPlace::Disk(path) => Some(Content::Disk(path.join(name))),
            FolderPlace::Memory(files) => files.get(name).cloned().map(Content::Memory),
        }
    }
}

impl Content {
    pub fn open(&self) -> io::Result<OpenFile> {
        match self {
            Self::Disk(path) => File::open(path).map(OpenFile::Disk),
            Self::Memory(bytes) => Ok(OpenFile::Memory(Cursor::new(bytes.clone()))),
        }
    }
}

impl Read for OpenFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Disk(file) => file.read(buffer),
            Self::Memory(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for OpenFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Disk(file) => file.seek(to),
            Self::Memory(bytes) => bytes.seek(to),
        }
    }
}

impl Length for OpenFile {
    fn len(&self) -> u64 {
        match self {
            Self::Disk(file) => file.len(),
            Self::Memory(bytes) => bytes.get_ref().len() as u64,
        }
    }
}

impl ChunkReader for OpenFile {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(match self {
            Self::Disk(file) => Box::new(file.get_read(start)?),
            Self::Memory(bytes) => Box::new(bytes.get_ref().get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        match self {
            Self::Disk(file) => file.get_bytes(start, length),
            Self::Memory(bytes) => bytes.get_ref().get_bytes(start, length),
        }
    }
}

/// Whether a name stays within its folder on every system that may open it.
fn is_plain(name: &str) -> bool {
    let outside = |character: char| character.is_control() || matches!(character, '/' | '\\' | ':');
    !name.is_empty() && !name.chars().all(|character| character == '.') && !name.contains(outside)
}

/// Reads a file once for its size and hash.
pub(crate) fn digest(content: &Content) -> Result<Digest, AuditError> {
    let mut file = content.open().map_err(AuditError::io("a file of the release"))?;
    let mut hash = Sha256::new();
    let mut bytes = 0;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = file.read(&mut buffer).map_err(AuditError::io("a file of the release"))?;
        if count == 0 {
            return Ok(Digest { bytes, sha256: hex(hash) });
        }
        bytes += count as u64;
        hash.update(buffer.get(..count).unwrap_or_default());
    }
}

/// A finished hash as lower-case hexadecimal digits.
pub(crate) fn hex(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
