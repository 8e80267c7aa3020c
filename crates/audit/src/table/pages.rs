//! The headers of the pages of a Parquet chunk, looked at before a library decodes them.
//!
//! A page lies in its chunk, and a dictionary has no more entries than its bytes can hold.
//!
//! Limit: a page may unpack to a gigabyte.
//!
//! Source: `PageHeader` of parquet.thrift.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use super::thrift::{INTEGERS, STRUCT, Thrift};
use crate::folder::OpenFile;

/// Longer than any header of a page in a release.
const HEADER: u64 = 8 * 1024;
/// How much is read at once when headers are looked for.
const WINDOW: u64 = 4 * HEADER;
/// The most that one page may unpack to.
const UNPACKED: i64 = 1 << 30;

/// How many values the pages of a chunk claim; nothing when a page claims more than it can hold.
pub(super) fn values(file: &mut OpenFile, chunk: Range<u64>) -> io::Result<Option<u64>> {
    let (mut at, mut values) = (chunk.start, 0_u64);
    let mut window = Window::default();
    while at < chunk.end {
        let bytes = window.at(file, at, chunk.end)?;
        let mut thrift = Thrift::new(bytes);
        let Some(page) = Page::parse(&mut thrift) else { return Ok(None) };
        let header = (bytes.len() - thrift.left()) as u64;
        let (Some(next), Some(sum)) = (page.end(at + header), values.checked_add(page.values)) else { return Ok(None) };
        (at, values) = (next, sum);
    }
    Ok((at == chunk.end).then_some(values))
}

/// A stretch of the file: pages may be tiny, and are not read one by one.
#[derive(Default)]
struct Window {
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    /// As many bytes from a place as a header may take, or as there are up to the end.
    fn at(&mut self, file: &mut OpenFile, place: u64, end: u64) -> io::Result<&[u8]> {
        let wanted = HEADER.min(end.saturating_sub(place));
        let known = |window: &Self| -> Option<Range<usize>> {
            let first = usize::try_from(place.checked_sub(window.start)?).ok()?;
            let last = first.checked_add(usize::try_from(wanted).ok()?)?;
            (last <= window.bytes.len()).then_some(first..last)
        };
        if known(self).is_none() {
            self.start = place;
            self.bytes.clear();
            file.seek(SeekFrom::Start(place))?;
            file.by_ref().take(WINDOW.min(end.saturating_sub(place))).read_to_end(&mut self.bytes)?;
        }
        Ok(known(self).and_then(|range| self.bytes.get(range)).unwrap_or_default())
    }
}

/// What a page says of itself.
#[derive(Default)]
struct Page {
    packed: u64,
    values: u64,
}

impl Page {
    /// Reads `PageHeader`: 2 is the size unpacked, 3 the size in the file; of 5 or 8, a page of values, and of 7, a
    /// dictionary, 1 is the number of values. An entry of a dictionary takes four bytes or more.
    fn parse(thrift: &mut Thrift<'_>) -> Option<Self> {
        let mut page = Self::default();
        let (mut unpacked, mut entries) = (0, 0);
        thrift.fields(|thrift, field| {
            match (field.id, field.kind) {
                (2, kind) if INTEGERS.contains(&kind) => unpacked = thrift.integer()?,
                (3, kind) if INTEGERS.contains(&kind) => page.packed = u64::try_from(thrift.integer()?).ok()?,
                (5 | 8, STRUCT) => page.values = first_number(thrift)?,
                (7, STRUCT) => entries = first_number(thrift)?,
                _ => return Some(false),
            }
            Some(true)
        })?;
        let fits = (0..=UNPACKED).contains(&unpacked) && entries <= unpacked.unsigned_abs() / 4;
        fits.then_some(page)
    }

    fn end(&self, start: u64) -> Option<u64> {
        start.checked_add(self.packed)
    }
}

fn first_number(thrift: &mut Thrift<'_>) -> Option<u64> {
    let mut number = 0;
    thrift.fields(|thrift, field| {
        let is_first = field.id == 1 && INTEGERS.contains(&field.kind);
        if is_first {
            number = u64::try_from(thrift.integer()?).ok()?;
        }
        Some(is_first)
    })?;
    Some(number)
}
