//! Where the files of a release are in the making: in a folder that appears in one step, or in memory.
//!
//! In memory they are, to the last byte, what they would be in the folder: the same writers write them, the same audit reads
//! them, and whoever holds them may put the folder in place later.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use equanym_audit::{AuditError, Options, Verdict};
use sha2::{Digest, Sha256};

use super::staging::{Staging, write_file};
use crate::error::{Error, Result};

/// For whom a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReleasePart {
    /// For whoever gets the release.
    Public,
    /// For its owner.
    Private,
}

/// The files of a release in the making.
pub(crate) enum ReleaseFiles {
    /// In a folder.
    Folder(Staging),
    /// In memory.
    Memory(MemoryFiles),
}

/// The files of a release in memory, by their names. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct MemoryFiles {
    public: Arc<Mutex<BTreeMap<String, Bytes>>>,
    private: Arc<Mutex<BTreeMap<String, Bytes>>>,
}

/// A file in the making.
pub(crate) enum NewFile {
    /// On disk.
    Disk(File),
    /// In memory: where it goes, its name, and what was written so far.
    Memory(MemoryFiles, ReleasePart, String, Vec<u8>),
}

impl ReleaseFiles {
    /// A new file, in place of what an earlier attempt of this run wrote.
    pub(crate) fn create(&self, part: ReleasePart, name: &str) -> Result<NewFile> {
        match self {
            Self::Memory(files) => Ok(NewFile::Memory(files.clone(), part, name.to_owned(), Vec::new())),
            Self::Folder(staging) => {
                let path = folder(staging, part).join(name);
                let created = match fs::remove_file(&path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                    _ => File::create_new(&path),
                };
                created.map(NewFile::Disk).map_err(|error| Error::disk(&error))
            }
        }
    }

    /// Writes a small file.
    pub(crate) fn write(&self, part: ReleasePart, name: &str, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Folder(staging) => write_file(&folder(staging, part).join(name), bytes),
            Self::Memory(files) => {
                files.put(part, name, bytes.to_vec());
                Ok(())
            }
        }
    }

    /// How many bytes a public file has, and their hash.
    pub(crate) fn digest(&self, name: &str) -> Result<(u64, [u8; 32])> {
        let failed = |error: io::Error| Error::disk(&error);
        let mut hash = Sha256::new();
        let bytes = match self {
            Self::Memory(files) => {
                let bytes = files.in_part(ReleasePart::Public).remove(name).ok_or_else(Error::internal)?;
                hash.update(&bytes);
                bytes.len() as u64
            }
            Self::Folder(staging) => {
                let mut file = File::open(staging.public().join(name)).map_err(failed)?;
                let (mut all, mut buffer) = (0, vec![0; 1 << 16]);
                loop {
                    let count = file.read(&mut buffer).map_err(failed)?;
                    if count == 0 {
                        break all;
                    }
                    hash.update(buffer.get(..count).unwrap_or_default());
                    all += count as u64;
                }
            }
        };
        Ok((bytes, hash.finalize().into()))
    }

    /// Has the public files judged.
    pub(crate) fn audit(&self, options: &Options<'_>) -> std::result::Result<Verdict, AuditError> {
        match self {
            Self::Folder(staging) => equanym_audit::audit(&staging.public(), options),
            Self::Memory(files) => equanym_audit::audit_in_memory(&files.in_part(ReleasePart::Public), options),
        }
    }

    /// Where work beyond memory may go: codes, and rows as they are released.
    pub(crate) fn spill(&self) -> PathBuf {
        match self {
            Self::Folder(staging) => staging.spill(),
            Self::Memory(_) => std::env::temp_dir(),
        }
    }

    /// The folder of the owner's files, if there is one.
    pub(crate) fn private(&self) -> Option<PathBuf> {
        match self {
            Self::Folder(staging) => Some(staging.private()),
            Self::Memory(_) => None,
        }
    }

    /// Puts a folder in place; what is in memory stays there.
    pub(crate) fn commit(self) -> Result<()> {
        match self {
            Self::Folder(staging) => staging.commit(),
            Self::Memory(_) => Ok(()),
        }
    }
}

impl MemoryFiles {
    /// The files of a part; their bytes are shared.
    pub(crate) fn in_part(&self, part: ReleasePart) -> BTreeMap<String, Bytes> {
        self.part(part).lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes them all to a new folder; `more` adds to the part of the owner.
    pub(crate) fn save(&self, target: &Path, more: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let staging = Staging::open(target, Path::new(""))?;
        for part in [ReleasePart::Public, ReleasePart::Private] {
            for (name, bytes) in self.in_part(part) {
                write_file(&folder(&staging, part).join(name), &bytes)?;
            }
        }
        more(&staging.private())?;
        staging.commit()
    }

    fn put(&self, part: ReleasePart, name: &str, bytes: Vec<u8>) {
        let mut files = self.part(part).lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(name.to_owned(), bytes.into());
    }

    fn part(&self, part: ReleasePart) -> &Mutex<BTreeMap<String, Bytes>> {
        match part {
            ReleasePart::Public => &self.public,
            ReleasePart::Private => &self.private,
        }
    }
}

impl NewFile {
    /// Makes the file durable, as far as that goes.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::Disk(file) => file.sync_all().map_err(|error| Error::disk(&error)),
            Self::Memory(files, part, name, bytes) => {
                files.put(part, &name, bytes);
                Ok(())
            }
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Disk(file) => file.write(bytes),
            Self::Memory(.., written) => written.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Disk(file) => file.flush(),
            Self::Memory(..) => Ok(()),
        }
    }
}

fn folder(staging: &Staging, part: ReleasePart) -> PathBuf {
    match part {
        ReleasePart::Public => staging.public(),
        ReleasePart::Private => staging.private(),
    }
}
