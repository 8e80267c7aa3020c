//! Packings of which the library unpacks whatever comes, not what the page claims: gzip and brotli are unpacked here, as far as
//! the claim goes. The frames that some call LZ4 have a bound of their own.

use std::io::Read;

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::page::Page;

/// The most that a byte of LZ4 unpacks to.
const LZ4: u64 = 255;
/// How a frame of LZ4 begins.
const FRAME: [u8; 4] = [0x04, 0x22, 0x4D, 0x18];
/// Packed bytes that brotli takes at once.
const PIECE: usize = 4096;

/// Whether pages are unpacked here.
pub(super) fn is_unbounded(packing: Compression) -> bool {
    matches!(packing, Compression::GZIP(_) | Compression::BROTLI(_))
}

/// Whether this is a frame of LZ4; other forms of it say how large they unpack.
pub(super) fn is_frame(packed: &[u8]) -> bool {
    packed.starts_with(&FRAME)
}

/// The most that a frame of so many bytes unpacks to.
pub(super) fn most_of_frame(packed: u64) -> u64 {
    packed.saturating_mul(LZ4)
}

/// The same page, unpacked; nothing where it is not the claimed bytes.
pub(super) fn unpack(packing: Compression, page: Page, claimed: u64) -> Option<Page> {
    let claimed = usize::try_from(claimed).ok()?;
    Some(match page {
        Page::DictionaryPage { buf, num_values, encoding, is_sorted } => {
            Page::DictionaryPage { buf: bytes(packing, &buf, 0, claimed)?, num_values, encoding, is_sorted }
        }
        Page::DataPage { buf, num_values, encoding, def_level_encoding, rep_level_encoding, statistics } => {
            let buf = bytes(packing, &buf, 0, claimed)?;
            Page::DataPage { buf, num_values, encoding, def_level_encoding, rep_level_encoding, statistics }
        }
        Page::DataPageV2 { is_compressed: false, .. } => page,
        Page::DataPageV2 {
            buf,
            num_values,
            encoding,
            num_nulls,
            num_rows,
            def_levels_byte_len,
            rep_levels_byte_len,
            is_compressed,
            statistics,
        } => {
            let levels = def_levels_byte_len.checked_add(rep_levels_byte_len)?;
            Page::DataPageV2 {
                buf: bytes(packing, &buf, levels as usize, claimed)?,
                num_values,
                encoding,
                num_nulls,
                num_rows,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed,
                statistics,
            }
        }
    })
}

/// The bytes of a page, of which so many in front are not packed.
fn bytes(packing: Compression, packed: &[u8], plain: usize, claimed: usize) -> Option<Bytes> {
    let (plain, packed) = packed.split_at_checked(plain)?;
    let rest = claimed.checked_sub(plain.len())?;
    let mut bytes = Vec::with_capacity(claimed);
    bytes.extend_from_slice(plain);
    let limit = rest as u64 + 1;
    let read = match packing {
        // A page without values may have no bytes at all.
        _ if rest == 0 => Ok(0),
        Compression::GZIP(_) => flate2::read::MultiGzDecoder::new(packed).take(limit).read_to_end(&mut bytes),
        // A window as large as no page is, by which a few bytes take a gigabyte.
        _ if packed.first().is_none_or(|first| first & 0x7F == 0x11) => return None,
        _ => brotli::Decompressor::new(packed, PIECE).take(limit).read_to_end(&mut bytes),
    };
    (read.ok()? == rest).then(|| bytes.into())
}
