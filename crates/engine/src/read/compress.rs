//! Gzip and zstd, with a cap against bombs.
//!
//! A few kilobytes can unpack to terabytes. Once more than [`FLOOR`] bytes came out and they are more than [`RATIO`]
//! times what went in, reading stops. Files of several gzip members or zstd frames are read to their end.

use std::io::{self, BufReader, Read, Seek};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::failure;
use super::format::Compression;
use super::handle::Handle;
use crate::error::{Error, Result};

/// Below this many bytes any ratio is fine.
pub(super) const FLOOR: u64 = 64 << 20;
/// The most that a byte may unpack to, on the whole.
pub(super) const RATIO: u64 = 400;

/// Cells that take no bytes are fine up to this number.
const FREE_CELLS: u64 = 1 << 22;
/// So many bytes of a cell may be said elsewhere.
const FREE_TEXT: u64 = 256;

/// Packed bytes read at once.
const CHUNK: usize = 1 << 18;

/// A stream of bytes that may move between threads.
pub(super) type Bytes = Box<dyn Read + Send>;

/// The unpacked bytes of a file.
pub(super) fn unpack(name: &str, mut file: Handle, compression: Compression) -> Result<Bytes> {
    if compression == Compression::None || !is_packed(name, &mut file, compression)? {
        return Ok(Box::new(file));
    }
    let taken = Arc::new(AtomicU64::new(0));
    let packed = BufReader::with_capacity(CHUNK, PackedBytes { inner: file, taken: taken.clone() });
    let inner: Bytes = match compression {
        Compression::None => Box::new(packed),
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
        Compression::Zstd => {
            Box::new(zstd::stream::read::Decoder::with_buffer(packed).map_err(|error| failure::reading(name, &error))?)
        }
    };
    Ok(Box::new(CappedBytes { inner, taken, given: 0, name: name.to_owned() }))
}

/// Whether there is anything to unpack: not in a file of no bytes. Other bytes than the name says are refused.
fn is_packed(name: &str, file: &mut Handle, compression: Compression) -> Result<bool> {
    let failed = |error: io::Error| failure::reading(name, &error);
    let mut head = Vec::new();
    file.by_ref().take(4).read_to_end(&mut head).map_err(failed)?;
    file.rewind().map_err(failed)?;
    let right = match head.as_slice() {
        [] => return Ok(false),
        [0x1F, 0x8B, ..] => compression == Compression::Gzip,
        // A frame, or a skippable one, as parallel packers write first.
        [0x28, 0xB5, 0x2F, 0xFD] | [0x50..=0x5F, 0x2A, 0x4D, 0x18] => compression == Compression::Zstd,
        _ => false,
    };
    if !right {
        return Err(Error::input(format!("{name}: named as compressed, but its data is not"))
            .hint("give the file its right name"));
    }
    Ok(true)
}

/// Whether so much came out of so little that it must be a bomb.
pub(super) fn is_bomb(taken: u64, given: u64) -> bool {
    given > FLOOR && given / RATIO >= taken.max(1)
}

/// What is said about a bomb.
pub(super) fn bomb(name: &str) -> Error {
    Error::environment(format!(
        "{name}: size cap reached: more than {} MiB came out of compressed data, over {RATIO} times what went in",
        FLOOR >> 20
    ))
    .hint("if the file is what it should be, decompress it first and read that")
}

/// Whether so many cells are said to be in so few bytes that nothing can be in them.
pub(super) fn is_hollow(bytes: u64, cells: u64) -> bool {
    cells > FREE_CELLS.saturating_add(bytes.saturating_mul(8 * RATIO))
}

/// What is said about cells without bytes.
pub(super) fn hollow(name: &str) -> Error {
    Error::environment(format!(
        "{name}: size cap reached: more than {} cells for each byte of the file, and more than {FREE_CELLS}",
        8 * RATIO
    ))
    .hint("if the file is what it should be, write it as CSV and read that")
}

/// Texts that are given out of a file, where one text may be given many times.
///
/// Each cell may have a few bytes for nothing: categories of a table of millions take no bytes of their own. What goes beyond
/// them counts as what comes out of compressed data does.
#[derive(Debug)]
pub(super) struct GivenTexts {
    file: u64,
    given: u64,
}

impl GivenTexts {
    /// Out of a file of so many bytes.
    pub(super) fn new(file: u64) -> Self {
        Self { file, given: 0 }
    }

    /// Gives texts of so many bytes to so many cells.
    pub(super) fn give(&mut self, name: &str, cells: u64, bytes: u64) -> Result<()> {
        self.given = self.given.saturating_add(bytes.saturating_sub(cells.saturating_mul(FREE_TEXT)));
        if is_bomb(self.file, self.given) { Err(bomb(name)) } else { Ok(()) }
    }
}

/// Counts the compressed bytes taken from a file.
struct PackedBytes {
    inner: Handle,
    taken: Arc<AtomicU64>,
}

impl Read for PackedBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.taken.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Counts the bytes given out and stops at the cap.
struct CappedBytes {
    inner: Bytes,
    taken: Arc<AtomicU64>,
    given: u64,
    name: String,
}

impl Read for CappedBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.given += count as u64;
        if is_bomb(self.taken.load(Ordering::Relaxed), self.given) {
            return Err(io::Error::other(bomb(&self.name)));
        }
        Ok(count)
    }
}
