//! Leftovers: what a Parquet file holds besides its records.
//!
//! Dictionaries, statistics and page indexes repeat values of the column, and a careless writer leaves there what it took
//! out of the records. Each value found there must occur in the records of the same chunk. Bytes that belong to no part of the
//! file are counted too.
//!
//! Limit: bounds are cut at 48 bytes before they are compared, because writers shorten long ones; statistics in the
//! headers of single pages, and padding inside a chunk, are not looked at.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use parquet::basic::Encoding;
use parquet::column::page::Page;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::reader::RowGroupReader;

/// Writers shorten bounds at 64 bytes by default, and change the last character of an upper one.
const BOUND: usize = 48;
const MAGIC: u64 = 4;
const FOOTER_TAIL: u64 = 8;

/// Values beside the records of one column chunk, as long as no record explains them.
pub(super) struct Leftovers {
    entries: HashSet<Vec<u8>>,
    bounds: HashSet<Vec<u8>>,
}

impl Leftovers {
    pub fn of(
        metadata: &ParquetMetaData,
        group: &dyn RowGroupReader,
        index: usize,
        column: usize,
    ) -> Result<Self, ParquetError> {
        let mut bounds = HashSet::new();
        if let Some(statistics) = group.metadata().column(column).statistics() {
            bounds.extend(statistics.min_bytes_opt().map(shortened));
            bounds.extend(statistics.max_bytes_opt().map(shortened));
        }
        let pages = metadata.column_index().and_then(|groups| groups.get(index)?.get(column));
        if let Some(ColumnIndexMetaData::BYTE_ARRAY(pages)) = pages {
            bounds.extend(pages.min_values_iter().chain(pages.max_values_iter()).flatten().map(shortened));
        }
        let entries = match group.get_column_page_reader(column)?.get_next_page()? {
            Some(Page::DictionaryPage { buf, encoding, .. }) => dictionary(&buf, encoding)?,
            _ => HashSet::new(),
        };
        Ok(Self { entries, bounds })
    }

    /// A record holds this value.
    pub fn meet(&mut self, value: &[u8]) {
        if !self.entries.is_empty() {
            self.entries.remove(value);
        }
        if !self.bounds.is_empty() {
            self.bounds.remove(value.get(..BOUND).unwrap_or(value));
        }
    }

    /// How many values no record explained.
    pub fn unused(&self) -> u64 {
        (self.entries.len() + self.bounds.len()) as u64
    }
}

fn shortened(bound: &[u8]) -> Vec<u8> {
    bound.get(..BOUND).unwrap_or(bound).to_vec()
}

/// The entries of a dictionary page: each a length of four bytes and as many bytes.
fn dictionary(mut page: &[u8], encoding: Encoding) -> Result<HashSet<Vec<u8>>, ParquetError> {
    let broken = || ParquetError::General("broken dictionary".to_owned());
    if !matches!(encoding, Encoding::PLAIN | Encoding::PLAIN_DICTIONARY) {
        return Err(broken());
    }
    let mut entries = HashSet::new();
    while !page.is_empty() {
        let (length, rest) = page.split_first_chunk::<4>().ok_or_else(broken)?;
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| broken())?;
        let (entry, rest) = rest.split_at_checked(length).ok_or_else(broken)?;
        entries.insert(entry.to_vec());
        page = rest;
    }
    Ok(entries)
}

/// How many bytes of the file belong to no chunk, index, filter or footer, or to two of them.
pub(super) fn stray_bytes(path: &Path, length: u64, metadata: &ParquetMetaData) -> Result<u64, ParquetError> {
    let chunks = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let mut parts: Vec<Range<u64>> = chunks.flat_map(parts).collect();
    let footer = length.saturating_sub(footer_length(path)? + FOOTER_TAIL);
    parts.push(footer..length);
    parts.sort_by_key(|part| part.start);
    let mut end = MAGIC;
    let mut stray = 0;
    for part in parts {
        stray += part.start.abs_diff(end);
        end = end.max(part.end);
    }
    Ok(stray)
}

/// The places that a column chunk takes in the file.
fn parts(chunk: &ColumnChunkMetaData) -> Vec<Range<u64>> {
    let place = |offset: Option<i64>, length: Option<i32>| {
        let start = u64::try_from(offset?).ok()?;
        Some(start..start.checked_add(u64::try_from(length?).ok()?)?)
    };
    let (start, length) = chunk.byte_range();
    let indexes = [
        place(chunk.column_index_offset(), chunk.column_index_length()),
        place(chunk.offset_index_offset(), chunk.offset_index_length()),
        place(chunk.bloom_filter_offset(), chunk.bloom_filter_length()),
    ];
    std::iter::once(start..start.saturating_add(length)).chain(indexes.into_iter().flatten()).collect()
}

fn footer_length(path: &Path) -> Result<u64, ParquetError> {
    let mut file = File::open(path)?;
    let mut bytes = [0; 4];
    file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dictionary_entry_without_a_row_is_left_over() {
        let page = b"\x01\0\0\0a\x02\0\0\0bc\0\0\0\0";
        let entries = dictionary(page, Encoding::PLAIN).unwrap_or_default();
        let mut leftovers = Leftovers { entries, bounds: HashSet::new() };
        assert_eq!(leftovers.unused(), 3);
        for value in [b"a".as_slice(), b"", b"other"] {
            leftovers.meet(value);
        }
        assert_eq!(leftovers.unused(), 1);
    }

    #[test]
    fn a_broken_dictionary_is_no_dictionary() {
        for page in [b"\x09\0\0\0a".as_slice(), b"\x01\0", b"\xff\xff\xff\xffabc"] {
            assert!(dictionary(page, Encoding::PLAIN).is_err());
        }
    }

    #[test]
    fn a_shortened_bound_is_explained_by_the_value_it_comes_from() {
        let long = [b'x'; 100];
        let bounds = HashSet::from([shortened(&long[..64])]);
        let mut leftovers = Leftovers { entries: HashSet::new(), bounds };
        leftovers.meet(&long);
        assert_eq!(leftovers.unused(), 0);
    }
}
