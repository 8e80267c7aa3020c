//! The footer of a Parquet file, looked at before a library decodes it.
//!
//! The library reserves what the footer and the pages claim. This walk holds each claim against the bytes of the file:
//! flat columns, chunks that lie in the file, and as many values in the [pages](super::pages) of each column as the row
//! group has records. The number of records of the file is the sum of its row groups, no more and no less, and no more than
//! the bytes of the file can be about. What will be held in memory is reckoned, and must fit.
//!
//! Limit: page indexes, filters and statistics are passed over, because nothing here reads them; whether they are as they
//! should be is told by [`again`](super::again).
//!
//! Source: `FileMetaData` of parquet.thrift.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use super::ReadFailure;
use super::pages::{PageLoad, values};
use super::room::room;
use super::thrift::{Field, INTEGERS, LIST, STRUCT, TEXT, Thrift};
use crate::folder::OpenFile;

const MAGIC: &[u8; 4] = b"PAR1";
/// The length of the footer and the magic word behind it.
const TAIL: u64 = 8;
/// No packing, and those of which a library unpacks no more than the page claims: Snappy, Zstandard, LZ4 without a frame.
const PACKINGS: [u64; 4] = [0, 1, 6, 7];
/// Cells that take no bytes are fine up to this number, and so many to a byte.
const CELLS: (u64, u64) = (1 << 22, 3200);
/// What a column and a chunk weigh in a library's memory.
const DECODED: u64 = 1024;

/// What a footer says, as far as the file bears it out.
#[derive(Debug, Default)]
pub(super) struct Footer {
    pub records: u64,
    pub created_by: Vec<u8>,
    columns: u64,
    groups: Vec<Group>,
}

#[derive(Debug, Default)]
struct Group {
    records: u64,
    chunks: Vec<Chunk>,
}

#[derive(Debug)]
struct Chunk {
    place: Range<u64>,
    packing: u64,
}

/// Reads the footer of a file and holds it against the file.
pub(super) fn read(file: &mut OpenFile) -> Result<Footer, ReadFailure> {
    let failed = |error: io::Error| ReadFailure::Io(error.kind());
    let length = file.seek(SeekFrom::End(0)).map_err(failed)?;
    let place = place(file, length).map_err(failed)?.ok_or(content("not Parquet"))?;
    let room = room();
    let too_large = || ReadFailure::Io(io::ErrorKind::OutOfMemory);
    if place.end - place.start > room / 4 {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(place.start)).map_err(failed)?;
    file.by_ref().take(place.end - place.start).read_to_end(&mut bytes).map_err(failed)?;
    let footer = Footer::parse(&bytes).ok_or(content("a footer that claims what is not there"))?;
    footer.check_records()?;
    if footer.is_hollow(length) {
        return Err(content("more records than its bytes can tell of"));
    }
    let unsound = || content("pages that claim what is not there");
    let mut loads = vec![PageLoad::default(); usize::try_from(footer.columns).unwrap_or(0)];
    for group in &footer.groups {
        for (chunk, load) in group.chunks.iter().zip(&mut loads) {
            if !PACKINGS.contains(&chunk.packing) {
                return Err(content("a packing that no release has"));
            }
            let within = chunk.place.start >= MAGIC.len() as u64 && chunk.place.end <= place.start;
            if !within || values(file, chunk.place.clone(), load).map_err(failed)? != Some(group.records) {
                return Err(unsound());
            }
        }
    }
    let held = loads.iter().fold(footer.decoded(), |sum, load| sum.saturating_add(load.most));
    if held > room { Err(too_large()) } else { Ok(footer) }
}

fn content(what: &'static str) -> ReadFailure {
    ReadFailure::Content { what, record: None }
}

/// Where the footer lies, if both ends of the file say that it is Parquet.
fn place(file: &mut OpenFile, length: u64) -> io::Result<Option<Range<u64>>> {
    if length < TAIL + MAGIC.len() as u64 {
        return Ok(None);
    }
    let (mut start, mut size, mut end) = ([0; 4], [0; 4], [0; 4]);
    file.seek(SeekFrom::Start(0))?;
    file.read_exact(&mut start)?;
    file.seek(SeekFrom::Start(length - TAIL))?;
    file.read_exact(&mut size)?;
    file.read_exact(&mut end)?;
    let first = (length - TAIL).checked_sub(u64::from(u32::from_le_bytes(size)));
    let first = first.filter(|first| *first >= MAGIC.len() as u64);
    Ok(first.filter(|_| &start == MAGIC && &end == MAGIC).map(|first| first..length - TAIL))
}

impl Footer {
    /// Reads `FileMetaData`: 2 is the schema, 3 the records, 4 the row groups, 6 who wrote it. It ends where it ends.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut thrift = Thrift::new(bytes);
        let mut footer = Self::default();
        thrift.fields(|thrift, field| {
            match (field.id, field.kind) {
                (2, LIST) => footer.columns = columns(thrift)?,
                (3, kind) if INTEGERS.contains(&kind) => footer.records = u64::try_from(thrift.integer()?).ok()?,
                (4, LIST) => thrift.structs(|thrift| {
                    footer.groups.push(Group::parse(thrift)?);
                    Some(())
                })?,
                (6, TEXT) => footer.created_by = thrift.text()?.to_vec(),
                _ => return Some(false),
            }
            Some(true)
        })?;
        let whole = footer.groups.iter().all(|group| group.chunks.len() as u64 == footer.columns);
        (whole && thrift.left() == 0).then_some(footer)
    }

    /// Whether more cells are claimed than so many bytes can be about.
    fn is_hollow(&self, bytes: u64) -> bool {
        let (free, each) = CELLS;
        self.records.saturating_mul(self.columns.max(1)) > free.saturating_add(bytes.saturating_mul(each))
    }

    /// What it weighs in a library's memory.
    fn decoded(&self) -> u64 {
        DECODED.saturating_mul(self.columns).saturating_mul(self.groups.len() as u64 + 1)
    }

    fn check_records(&self) -> Result<(), ReadFailure> {
        let sum = self.groups.iter().try_fold(0_u64, |sum, group| sum.checked_add(group.records));
        let other = content("another number of records in the footer than in its row groups");
        if sum == Some(self.records) { Ok(()) } else { Err(other) }
    }
}

/// The number of columns of a flat schema: one element for the table, and one for each column.
fn columns(thrift: &mut Thrift<'_>) -> Option<u64> {
    let mut children = Vec::new();
    thrift.structs(|thrift| {
        let mut count = 0;
        thrift.fields(|thrift, field| {
            let is_count = field.id == 5 && INTEGERS.contains(&field.kind);
            if is_count {
                count = u64::try_from(thrift.integer()?).ok()?;
            }
            Some(is_count)
        })?;
        children.push(count);
        Some(())
    })?;
    let (table, columns) = children.split_first()?;
    (*table == columns.len() as u64 && columns.iter().all(|count| *count == 0)).then_some(*table)
}

impl Group {
    /// Reads `RowGroup`: 1 are its chunks, 3 its records.
    fn parse(thrift: &mut Thrift<'_>) -> Option<Self> {
        let mut group = Self::default();
        thrift.fields(|thrift, field| {
            match (field.id, field.kind) {
                (1, LIST) => thrift.structs(|thrift| {
                    group.chunks.push(chunk(thrift)?);
                    Some(())
                })?,
                (3, kind) if INTEGERS.contains(&kind) => group.records = u64::try_from(thrift.integer()?).ok()?,
                _ => return Some(false),
            }
            Some(true)
        })?;
        Some(group)
    }
}

/// Where a `ColumnChunk` lies: of its `ColumnMetaData` (3), 4 is its packing, 7 its size and 9 or 11 its start.
fn chunk(thrift: &mut Thrift<'_>) -> Option<Chunk> {
    let (mut packing, mut size, mut pages, mut dictionary) = (None, None, None, None);
    let mut see = |thrift: &mut Thrift<'_>, field: Field| {
        let place = match field.id {
            4 => &mut packing,
            7 => &mut size,
            9 => &mut pages,
            11 => &mut dictionary,
            _ => return Some(false),
        };
        let is_number = INTEGERS.contains(&field.kind);
        if is_number {
            *place = Some(u64::try_from(thrift.integer()?).ok()?);
        }
        Some(is_number)
    };
    thrift.fields(|thrift, field| {
        let is_metadata = field.id == 3 && field.kind == STRUCT;
        if is_metadata {
            thrift.fields(&mut see)?;
        }
        Some(is_metadata)
    })?;
    let start = dictionary.or(pages)?;
    let place = start..start.checked_add(size?)?;
    Some(Chunk { place, packing: packing? })
}
