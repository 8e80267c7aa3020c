//! What a run reads: a table that lies somewhere, or one that is in memory.

use std::path::{Path, PathBuf};

use super::memory::MemoryTable;
use super::{Reading, Source, open_in_parts};
use crate::error::Result;

/// A table: where it lies, or what it is.
#[derive(Debug, Clone, Copy)]
pub enum Data<'a> {
    /// A file, a folder or an address.
    At(&'a Path),
    /// A table in memory.
    Memory(&'a MemoryTable),
}

impl<'a> Data<'a> {
    /// Opens the table, as [`open`](super::open) does.
    pub fn open(self, reading: &Reading) -> Result<Source> {
        open_in_parts(self, reading, std::thread::available_parallelism().map_or(1, usize::from), None)
    }

    /// Where it lies; nowhere if it is in memory.
    #[must_use]
    pub fn path(self) -> Option<&'a Path> {
        match self {
            Self::At(path) => Some(path),
            Self::Memory(_) => None,
        }
    }
}

impl<'a> From<&'a Path> for Data<'a> {
    fn from(path: &'a Path) -> Self {
        Self::At(path)
    }
}

impl<'a> From<&'a PathBuf> for Data<'a> {
    fn from(path: &'a PathBuf) -> Self {
        Self::At(path)
    }
}

impl<'a> From<&'a MemoryTable> for Data<'a> {
    fn from(table: &'a MemoryTable) -> Self {
        Self::Memory(table)
    }
}
