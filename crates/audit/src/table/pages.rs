//! The headers of the pages of a Parquet chunk, looked at before a library decodes them.
//!
//! A page lies in its chunk, and a dictionary has no more entries than its bytes can hold. Pages are written as those of releases
//! are: values plain or by a dictionary. Other encodings say more in a few bytes than a library should believe. What is unpacked
//! at once is added up: a page, and all pages that a batch of records goes through.
//!
//! Limit: a page may unpack to 64 MiB, and beyond that to 400 times its bytes.
//!
//! Source: `PageHeader` of parquet.thrift.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use super::again::BATCH;
use super::thrift::{INTEGERS, STRUCT, Thrift};
use crate::folder::OpenFile;

/// Longer than any header of a page in a release.
const HEADER: u64 = 8 * 1024;
/// How much is read at once when headers are looked for.
const WINDOW: u64 = 4 * HEADER;
/// The most that one page may unpack to, and times its bytes.
const UNPACKED: (u64, u64) = (64 << 20, 400);
/// Plain values, dictionaries by both names, and the truths of some programs.
const ENCODINGS: [i64; 4] = [0, 2, 3, 8];
/// How levels are encoded.
const LEVELS: i64 = 3;
/// Pages of values in the first form, of nothing that is read, and of a dictionary.
const KINDS: [i64; 3] = [0, 1, 2];

/// What the pages of a column take in memory, chunk after chunk.
#[derive(Debug, Clone, Default)]
pub(super) struct PageLoad {
    /// Records of the column so far.
    records: u64,
    /// The batch that was met last, and the bytes of all pages in it.
    batch: u64,
    bytes: u64,
    /// The most bytes of one batch.
    pub(super) most: u64,
}

impl PageLoad {
    /// Adds a page of so many records and bytes; a dictionary has no records.
    fn add(&mut self, records: u64, bytes: u64) {
        let batch = BATCH as u64;
        let (first, last) = (self.records / batch, (self.records + records.max(1) - 1) / batch);
        self.bytes = bytes.saturating_add(if first == self.batch { self.bytes } else { 0 });
        self.most = self.most.max(self.bytes);
        if last > first {
            self.bytes = bytes;
        }
        (self.batch, self.records) = (last, self.records.saturating_add(records));
    }
}

/// How many values the pages of a chunk claim; nothing when a page claims more than it can hold.
pub(super) fn values(file: &mut OpenFile, chunk: Range<u64>, load: &mut PageLoad) -> io::Result<Option<u64>> {
    let (mut at, mut values) = (chunk.start, 0_u64);
    let mut window = Window::default();
    while at < chunk.end {
        let bytes = window.at(file, at, chunk.end)?;
        let mut thrift = Thrift::new(bytes);
        let Some(page) = Page::parse(&mut thrift) else { return Ok(None) };
        let header = (bytes.len() - thrift.left()) as u64;
        let (Some(next), Some(sum)) = (page.end(at + header), values.checked_add(page.values)) else { return Ok(None) };
        // What a dictionary is made of lies beside it.
        load.add(page.values, page.unpacked.saturating_mul(if page.entries > 0 { 4 } else { 1 }));
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
    unpacked: u64,
    packed: u64,
    values: u64,
    /// Of a dictionary.
    entries: u64,
}

impl Page {
    /// Reads `PageHeader`: 1 is its kind, 2 the size unpacked, 3 the size in the file, 5 a page of values, 7 a dictionary. An
    /// entry of a dictionary takes four bytes or more.
    fn parse(thrift: &mut Thrift<'_>) -> Option<Self> {
        let mut page = Self::default();
        thrift.fields(|thrift, field| {
            match (field.id, field.kind) {
                (1, kind) if INTEGERS.contains(&kind) => known(thrift.integer()?, &KINDS)?,
                (2, kind) if INTEGERS.contains(&kind) => page.unpacked = u64::try_from(thrift.integer()?).ok()?,
                (3, kind) if INTEGERS.contains(&kind) => page.packed = u64::try_from(thrift.integer()?).ok()?,
                (5, STRUCT) => page.values = counted(thrift, &[LEVELS])?,
                (7, STRUCT) => page.entries = counted(thrift, &[])?,
                _ => return Some(false),
            }
            Some(true)
        })?;
        let (least, times) = UNPACKED;
        let fits = page.unpacked <= least.max(page.packed.saturating_mul(times)) && page.entries <= page.unpacked / 4;
        fits.then_some(page)
    }

    fn end(&self, start: u64) -> Option<u64> {
        start.checked_add(self.packed)
    }
}

/// Reads what pages of values and dictionaries begin with: 1 is a number of values, 2 their encoding, 3 that of their levels,
/// where there are any.
fn counted(thrift: &mut Thrift<'_>, levels: &[i64]) -> Option<u64> {
    let mut number = 0;
    thrift.fields(|thrift, field| {
        match (field.id, INTEGERS.contains(&field.kind)) {
            (1, true) => number = u64::try_from(thrift.integer()?).ok()?,
            (2, true) => known(thrift.integer()?, &ENCODINGS)?,
            (3, true) if !levels.is_empty() => known(thrift.integer()?, levels)?,
            _ => return Some(false),
        }
        Some(true)
    })?;
    Some(number)
}

fn known(number: i64, numbers: &[i64]) -> Option<()> {
    numbers.contains(&number).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_one_batch_are_added_up() {
        let most = |pages: &[(u64, u64)]| {
            let mut load = PageLoad::default();
            for (records, bytes) in pages {
                load.add(*records, *bytes);
            }
            load.most
        };
        let batch = BATCH as u64;
        assert_eq!(most(&[(batch, 5), (batch, 7), (batch, 6)]), 7);
        assert_eq!(most(&[(batch / 2, 5), (batch / 2, 7), (batch, 6)]), 12);
        assert_eq!(most(&[(1, 5), (1, 5), (batch, 6), (1, 9)]), 16);
        assert_eq!(most(&[(0, 4), (3 * batch, 5), (0, 4), (1, 5)]), 9);
        assert_eq!(most(&[(batch + 1, 5), (batch - 1, 7), (1, 100)]), 100);
        assert_eq!(most(&[(batch + 1, 5), (1, 7), (1, 100)]), 112);
    }
}
