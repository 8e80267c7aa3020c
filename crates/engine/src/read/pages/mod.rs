//! The pages of a Parquet file, fenced: each is looked at before the library that decodes it takes memory for it.
//!
//! The header of a page is looked at before its bytes are unpacked ([`thrift`]), the bytes before they are decoded
//! ([`claims`]). Pages may claim no more records than their row group has. What they hold together, and what they add to a
//! batch, has bounds ([`meter`]). Two packings of which the library unpacks whatever comes are unpacked here ([`packing`]).
//!
//! Limit: columns are flat, as all are that can be read.

mod claims;
mod delta;
mod levels;
pub(super) mod meter;
mod packing;

use std::io::{Chain, Cursor, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use self::claims::{ColumnShape, ValuePage};
use self::meter::{Meter, PageWeight, refused};
use super::handle::Handle;
use super::thrift;

/// Definition levels of a page, and how they are written.
type PackedLevels<'a> = (&'a [u8], Encoding);

/// Some row groups of a file.
pub(super) struct FencedGroups {
    pub(super) file: Arc<Handle>,
    pub(super) metadata: Arc<ParquetMetaData>,
    pub(super) groups: Range<usize>,
    pub(super) meter: Arc<Meter>,
    /// Records of a batch.
    pub(super) batch_records: usize,
}

impl FencedGroups {
    fn listed(&self) -> &[RowGroupMetaData] {
        self.metadata.row_groups().get(self.groups.clone()).unwrap_or_default()
    }
}

impl RowGroups for FencedGroups {
    fn num_rows(&self) -> usize {
        self.listed().iter().map(|group| usize::try_from(group.num_rows()).unwrap_or(0)).sum()
    }

    fn column_chunks(&self, column: usize) -> ParquetResult<Box<dyn PageIterator>> {
        let chunk = |group: &RowGroupMetaData| Some((group.columns().get(column)?.clone(), group.num_rows()));
        let chunks: Option<Vec<_>> = self.listed().iter().map(chunk).collect();
        let (file, meter) = (Arc::clone(&self.file), Arc::clone(&self.meter));
        let batch = self.batch_records as u64;
        Ok(Box::new(FencedChunks { file, meter, batch, chunks: chunks.ok_or_else(refused)?.into_iter() }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.listed().iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The chunks of a column, one after the other.
struct FencedChunks {
    file: Arc<Handle>,
    meter: Arc<Meter>,
    batch: u64,
    chunks: std::vec::IntoIter<(ColumnChunkMetaData, i64)>,
}

impl PageIterator for FencedChunks {}

impl Iterator for FencedChunks {
    type Item = ParquetResult<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (chunk, records) = self.chunks.next()?;
        let pages = FencedPages::new(&self.file, &self.meter, chunk, records, self.batch);
        Some(pages.map(|pages| Box::new(pages) as Box<dyn PageReader>))
    }
}

/// The pages of a chunk.
struct FencedPages {
    inner: SerializedPageReader<ChunkBytes>,
    bytes: Arc<ChunkBytes>,
    /// How the pages are packed, where they are unpacked here.
    packing: Option<Compression>,
    shape: ColumnShape,
    /// Records of the row group that no page has had yet.
    left: u64,
    /// The longest text of the dictionary.
    longest: u64,
    dictionary: PageWeight,
    page: PageWeight,
}

impl FencedPages {
    fn new(
        file: &Arc<Handle>,
        meter: &Arc<Meter>,
        chunk: ColumnChunkMetaData,
        records: i64,
        batch: u64,
    ) -> ParquetResult<Self> {
        let column = chunk.column_descr_ptr();
        let is_flat = column.max_rep_level() == 0 && column.max_def_level() <= 1;
        let left = u64::try_from(records).ok().filter(|_| is_flat).ok_or_else(refused)?;
        let length = u64::try_from(column.type_length()).unwrap_or(0);
        let shape = ColumnShape { kind: chunk.column_type(), length, has_missing: column.max_def_level() == 1, batch };
        let packing = Some(chunk.compression()).filter(|packing| packing::is_unbounded(*packing));
        let chunk = match packing {
            Some(_) => chunk.into_builder().set_compression(Compression::UNCOMPRESSED).build()?,
            None => chunk,
        };
        let (file, meter, claimed) = (Arc::clone(file), Arc::clone(meter), AtomicU64::new(0));
        let is_framed = chunk.compression() == Compression::LZ4;
        let bytes = Arc::new(ChunkBytes { file, meter, claimed, is_framed });
        let inner = SerializedPageReader::new(Arc::clone(&bytes), &chunk, usize::try_from(left)?, None)?;
        let (dictionary, page) = (PageWeight::default(), PageWeight::default());
        Ok(Self { inner, bytes, packing, shape, left, longest: 0, dictionary, page })
    }

    fn unpacked(&self, page: Page) -> ParquetResult<Page> {
        match self.packing {
            Some(packing) => {
                packing::unpack(packing, page, self.bytes.claimed.load(Ordering::Relaxed)).ok_or_else(refused)
            }
            None => Ok(page),
        }
    }

    /// Takes so many records off those that the row group has left.
    fn take(&mut self, records: u64) -> Option<()> {
        self.left = self.left.checked_sub(records)?;
        Some(())
    }

    fn weigh_dictionary(&mut self, entries: u32, bytes: &[u8]) -> ParquetResult<()> {
        let (weight, longest) = self.shape.dictionary(entries.into(), bytes).ok_or_else(refused)?;
        self.longest = longest;
        self.bytes.meter.replace(&mut self.dictionary, weight)
    }

    fn weigh_page(&mut self, page: &Page) -> ParquetResult<()> {
        self.take(page.num_values().into()).ok_or_else(refused)?;
        let weight = self.values(page).and_then(|values| self.shape.page(&values, self.longest));
        self.bytes.meter.replace(&mut self.page, weight.ok_or_else(refused)?)
    }

    /// What a page holds, its levels read; nothing where they are none of a flat column.
    fn values<'a>(&self, page: &'a Page) -> Option<ValuePage<'a>> {
        let (records, bytes) = (u64::from(page.num_values()), page.buffer().len() as u64);
        let (levels, values) = self.parted(page)?;
        let present = match levels {
            Some((levels, encoding)) => claims::present(levels, encoding, records)?,
            None => records,
        };
        Some(ValuePage { records, present, encoding: page.encoding(), values, bytes })
    }

    /// The levels of a page and how they are written, and its values.
    fn parted<'a>(&self, page: &'a Page) -> Option<(Option<PackedLevels<'a>>, &'a [u8])> {
        let buffer: &[u8] = page.buffer();
        match page {
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                let (levels, values) = buffer.split_at_checked(*def_levels_byte_len as usize)?;
                let levels = self.shape.has_missing.then_some((levels, Encoding::RLE));
                (*rep_levels_byte_len == 0).then_some((levels, values))
            }
            Page::DataPage { def_level_encoding: encoding @ Encoding::RLE, .. } if self.shape.has_missing => {
                let (length, rest) = buffer.split_first_chunk()?;
                let (levels, values) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
                Some((Some((levels, *encoding)), values))
            }
            Page::DataPage { def_level_encoding, num_values, .. } if self.shape.has_missing => {
                let (levels, values) = buffer.split_at_checked(num_values.div_ceil(8) as usize)?;
                Some((Some((levels, *def_level_encoding)), values))
            }
            _ => Some((None, buffer)),
        }
    }
}

impl PageReader for FencedPages {
    fn get_next_page(&mut self) -> ParquetResult<Option<Page>> {
        let Some(page) = self.inner.get_next_page()? else { return Ok(None) };
        let page = self.unpacked(page)?;
        match &page {
            Page::DictionaryPage { buf, num_values, .. } => self.weigh_dictionary(*num_values, buf)?,
            Page::DataPage { .. } | Page::DataPageV2 { .. } => self.weigh_page(&page)?,
        }
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> ParquetResult<Option<PageMetadata>> {
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> ParquetResult<()> {
        let next = self.inner.peek_next_page()?;
        let records = next.and_then(|next| next.num_levels.or(next.num_rows)).unwrap_or(0);
        self.take(records as u64).ok_or_else(refused)?;
        self.inner.skip_next_page()
    }
}

impl Iterator for FencedPages {
    type Item = ParquetResult<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl Drop for FencedPages {
    fn drop(&mut self) {
        self.bytes.meter.release(&self.dictionary);
        self.bytes.meter.release(&self.page);
    }
}

/// The bytes of a chunk: the headers of its pages are looked at before they are decoded.
struct ChunkBytes {
    file: Arc<Handle>,
    meter: Arc<Meter>,
    /// To how many bytes the page met last unpacks.
    claimed: AtomicU64,
    /// Whether pages may be packed in frames that say nothing of their size.
    is_framed: bool,
}

/// How much of a page is looked at: more than most headers …
const HEADER: u64 = 4096;
/// … and more than all of them.
const LONGEST_HEADER: u64 = 64 << 20;

impl Length for ChunkBytes {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl ChunkReader for ChunkBytes {
    type T = Chain<Cursor<Vec<u8>>, <Handle as ChunkReader>::T>;

    /// The library asks so for the header of a page.
    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        let mut rest = self.file.get_read(start)?;
        let (mut header, mut window) = (Vec::new(), HEADER);
        let page = loop {
            rest.by_ref().take(window - header.len() as u64).read_to_end(&mut header)?;
            let is_cut = header.len() as u64 == window && window < LONGEST_HEADER;
            match thrift::page(&header) {
                Some(page) => break page,
                None if is_cut => window *= 8,
                None => return Err(refused()),
            }
        };
        if !page.is_sound() {
            return Err(refused());
        }
        self.meter.admit(page.unpacked.saturating_add(page.packed))?;
        self.claimed.store(page.unpacked, Ordering::Relaxed);
        Ok(Cursor::new(header).chain(rest))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let bytes = self.file.get_bytes(start, length)?;
        if self.is_framed && packing::is_frame(&bytes) {
            self.meter.admit(packing::most_of_frame(bytes.len() as u64))?;
        }
        Ok(bytes)
    }
}
