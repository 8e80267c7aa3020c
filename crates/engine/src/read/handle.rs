//! An open file, here, in memory or in an object store, that counts what is read of it and has it watched for changes.

use std::fs;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parquet::errors::Result as ParquetResult;
use parquet::file::reader::{ChunkReader, Length};

#[cfg(feature = "object-store")]
use super::remote::ObjectReader;
use super::watch::Watch;

/// An open file.
pub(super) struct Handle {
    file: ByteSource,
    /// Where the next byte comes from.
    at: u64,
    read: Arc<AtomicU64>,
    watch: Arc<Watch>,
}

enum ByteSource {
    Local(fs::File),
    Memory(Cursor<Bytes>),
    #[cfg(feature = "object-store")]
    Remote(ObjectReader),
}

impl Handle {
    /// A file of this machine.
    pub(super) fn local(file: fs::File, read: &Arc<AtomicU64>, watch: &Arc<Watch>) -> Self {
        Self { file: ByteSource::Local(file), at: 0, read: Arc::clone(read), watch: Arc::clone(watch) }
    }

    /// A file in memory.
    pub(super) fn memory(bytes: Bytes, read: &Arc<AtomicU64>, watch: &Arc<Watch>) -> Self {
        Self { file: ByteSource::Memory(Cursor::new(bytes)), at: 0, read: Arc::clone(read), watch: Arc::clone(watch) }
    }

    /// An object of a store.
    #[cfg(feature = "object-store")]
    pub(super) fn remote(reader: ObjectReader, read: &Arc<AtomicU64>, watch: &Arc<Watch>) -> Self {
        Self { file: ByteSource::Remote(reader), at: 0, read: Arc::clone(read), watch: Arc::clone(watch) }
    }

    fn try_clone(&self) -> io::Result<Self> {
        let file = match &self.file {
            ByteSource::Local(file) => ByteSource::Local(file.try_clone()?),
            ByteSource::Memory(bytes) => ByteSource::Memory(bytes.clone()),
            #[cfg(feature = "object-store")]
            ByteSource::Remote(reader) => ByteSource::Remote(reader.clone()),
        };
        Ok(Self { file, at: self.at, read: Arc::clone(&self.read), watch: Arc::clone(&self.watch) })
    }
}

impl Read for Handle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match &mut self.file {
            ByteSource::Local(file) => file.read(buffer)?,
            ByteSource::Memory(bytes) => bytes.read(buffer)?,
            #[cfg(feature = "object-store")]
            ByteSource::Remote(reader) => reader.read(buffer)?,
        };
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        self.watch.note(self.at, buffer.get(..count).unwrap_or_default())?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Handle {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match &mut self.file {
            ByteSource::Local(file) => file.seek(to)?,
            ByteSource::Memory(bytes) => bytes.seek(to)?,
            #[cfg(feature = "object-store")]
            ByteSource::Remote(reader) => reader.seek(to)?,
        };
        Ok(self.at)
    }
}

impl Length for Handle {
    fn len(&self) -> u64 {
        match &self.file {
            ByteSource::Local(file) => file.metadata().map_or(0, |metadata| metadata.len()),
            ByteSource::Memory(bytes) => bytes.get_ref().len() as u64,
            #[cfg(feature = "object-store")]
            ByteSource::Remote(reader) => reader.size(),
        }
    }
}

impl ChunkReader for Handle {
    type T = BufReader<Self>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        let mut clone = self.try_clone()?;
        clone.seek(SeekFrom::Start(start))?;
        Ok(BufReader::new(clone))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let mut clone = self.try_clone()?;
        clone.seek(SeekFrom::Start(start))?;
        // The length is hostile: room is made as bytes come.
        let mut chunk = Vec::new();
        clone.take(length as u64).read_to_end(&mut chunk)?;
        if chunk.len() < length {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        Ok(chunk.into())
    }
}
