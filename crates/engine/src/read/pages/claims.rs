//! What a page claims, held against what its bytes and its row group can hold; and what it will weigh.
//!
//! | Encoding | What holds |
//! |---|---|
//! | PLAIN | `values · width ≤ bytes`; a text takes 4 bytes and its own |
//! | dictionary | `entries · width ≤ bytes`; each text of it lies in its bytes; indices have 32 bits at most |
//! | `DELTA_BINARY_PACKED`, `DELTA_LENGTH_BYTE_ARRAY` | no more numbers than the page has records |
//! | `DELTA_BYTE_ARRAY` | the same, and each text is as long as its two numbers say: it may repeat all of the one before |
//! | `BYTE_STREAM_SPLIT` | `values · width ≤ bytes` |
//! | RLE | the decoder takes no memory for it |
//!
//! Values are records with a definition level of 1, all of them where a column has no missing value. A page of texts weighs
//! what it takes in memory, lists of lengths included, and what it adds to a batch: a dictionary its longest entry for each record.
//!
//! Source: Parquet, "Encodings".

use parquet::basic::{Encoding, Type as Physical};

use super::delta::{self, DeltaNumbers};
use super::levels;
use super::meter::PageWeight;

/// What is known of a column before its pages.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnShape {
    pub(super) kind: Physical,
    /// Bytes of a value where all have the same.
    pub(super) length: u64,
    pub(super) has_missing: bool,
    /// Records of a batch.
    pub(super) batch: u64,
}

/// A page of values, unpacked: its records, and its bytes behind the levels.
pub(super) struct ValuePage<'a> {
    pub(super) records: u64,
    /// How many of them have a value.
    pub(super) present: u64,
    pub(super) encoding: Encoding,
    pub(super) values: &'a [u8],
    /// Bytes of the page with its levels.
    pub(super) bytes: u64,
}

impl ColumnShape {
    fn is_text(&self) -> bool {
        self.kind == Physical::BYTE_ARRAY
    }

    /// The bits of a value where it is plain, at least.
    fn bits(&self) -> u64 {
        match self.kind {
            Physical::BOOLEAN => 1,
            Physical::INT32 | Physical::FLOAT | Physical::BYTE_ARRAY => 32,
            Physical::INT64 | Physical::DOUBLE => 64,
            Physical::INT96 => 96,
            Physical::FIXED_LEN_BYTE_ARRAY => self.length.saturating_mul(8),
        }
    }

    fn fits(&self, values: u64, bytes: usize) -> Option<()> {
        (values.checked_mul(self.bits())?.div_ceil(8) <= bytes as u64).then_some(())
    }

    /// What a dictionary weighs, and its longest text; nothing where it claims more entries than it has.
    pub(super) fn dictionary(&self, entries: u64, bytes: &[u8]) -> Option<(PageWeight, u64)> {
        self.fits(entries, bytes.len())?;
        let mut longest = 0;
        if self.is_text() {
            let mut rest = bytes;
            for _ in 0..entries {
                let (length, after) = rest.split_first_chunk()?;
                let length = u32::from_le_bytes(*length) as usize;
                rest = after.get(length..)?;
                longest = longest.max(length as u64);
            }
        }
        // The bytes, a copy of them, and where each entry starts.
        let held = 2 * bytes.len() as u64 + 16 * entries;
        Some((PageWeight::new(held, 0, 0), longest))
    }

    /// What a page of values weighs, beside a dictionary with this longest text; nothing where it claims more than it holds.
    pub(super) fn page(&self, page: &ValuePage<'_>, longest: u64) -> Option<PageWeight> {
        let (bytes, size) = (page.bytes, page.values.len() as u64);
        let plain = |held: u64| PageWeight::new(held, 0, if self.is_text() { size } else { 0 });
        let many = |each: u64, held: u64| {
            let share = page.records.min(self.batch).saturating_mul(each);
            PageWeight::new(held, share, share)
        };
        Some(match page.encoding {
            Encoding::PLAIN | Encoding::BYTE_STREAM_SPLIT => {
                self.fits(page.present, page.values.len())?;
                plain(bytes)
            }
            Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY => {
                let width = page.values.first().copied().unwrap_or(0);
                (width <= 32).then(|| many(longest, bytes))?
            }
            Encoding::DELTA_BINARY_PACKED => {
                delta::claimed(page.values).filter(|count| *count <= page.records)?;
                plain(bytes)
            }
            Encoding::DELTA_LENGTH_BYTE_ARRAY => {
                let count = DeltaNumbers::new(page.values)?.left();
                (count <= page.records).then(|| plain(bytes.saturating_add(4 * count)))?
            }
            Encoding::DELTA_BYTE_ARRAY => {
                let (count, longest) = longest_shared(page.values, page.records)?;
                many(longest, bytes.saturating_add(8 * count))
            }
            _ => plain(bytes),
        })
    }
}

/// How many texts there are in `DELTA_BYTE_ARRAY`, and how long the longest is.
fn longest_shared(values: &[u8], records: u64) -> Option<(u64, u64)> {
    let shared = DeltaNumbers::new(values).filter(|numbers| numbers.left() <= records)?;
    let count = shared.left();
    let own = DeltaNumbers::new(DeltaNumbers::new(values)?.end()?).filter(|numbers| numbers.left() == count)?;
    let (mut met, mut last, mut longest) = (0, 0, 0);
    for (shared, own) in shared.zip(own) {
        let shared = u64::try_from(shared).ok().filter(|shared| *shared <= last)?;
        last = shared + u64::try_from(own).ok()?;
        longest = longest.max(last);
        met += 1;
    }
    (met == count).then_some((count, longest))
}

/// How many of so many records have a value by the levels of a page; where they are packed by an old rule, at least.
pub(super) fn present(levels: &[u8], encoding: Encoding, records: u64) -> Option<u64> {
    match encoding {
        Encoding::RLE => levels::present(levels, records),
        _ => (levels.len() as u64 >= records.div_ceil(8)).then_some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(kind: Physical) -> ColumnShape {
        ColumnShape { kind, length: 16, has_missing: false, batch: 100 }
    }

    fn weight(kind: Physical, records: u64, encoding: Encoding, values: &[u8]) -> Option<PageWeight> {
        let page = ValuePage { records, present: records, encoding, values, bytes: values.len() as u64 };
        column(kind).page(&page, 50)
    }

    #[test]
    fn values_take_their_bytes() {
        for (kind, bytes) in [
            (Physical::BOOLEAN, 1),
            (Physical::INT32, 20),
            (Physical::BYTE_ARRAY, 20),
            (Physical::DOUBLE, 40),
            (Physical::INT96, 60),
            (Physical::FIXED_LEN_BYTE_ARRAY, 80),
        ] {
            let plain = |bytes: usize| weight(kind, 5, Encoding::PLAIN, &vec![0; bytes]);
            assert!(plain(bytes).is_some() && plain(bytes - 1).is_none(), "{kind}");
            assert!(column(kind).dictionary(5, &vec![0; bytes]).is_some());
            assert!(column(kind).dictionary(5, &vec![0; bytes - 1]).is_none());
        }
    }

    #[test]
    fn the_longest_text_of_a_dictionary_is_found() {
        let text = |length: u32| [&length.to_le_bytes()[..], &vec![b'x'; length as usize]].concat();
        let bytes = [text(3), text(7), text(0)].concat();
        assert_eq!(column(Physical::BYTE_ARRAY).dictionary(3, &bytes).map(|(_, longest)| longest), Some(7));
        assert!(column(Physical::BYTE_ARRAY).dictionary(4, &bytes).is_none());
        assert!(column(Physical::BYTE_ARRAY).dictionary(2, &bytes[..12]).is_none());
        let used = weight(Physical::BYTE_ARRAY, 1000, Encoding::RLE_DICTIONARY, &[1, 2]);
        assert_eq!(used, Some(PageWeight::new(2, 5000, 5000)), "100 records of a batch have 50 bytes each");
    }

    #[test]
    fn lengths_are_no_more_than_records() {
        let head = |count: &[u8]| [&[0x80, 1, 4], count, &[0]].concat();
        let length = |bytes: &[u8]| weight(Physical::BYTE_ARRAY, 5, Encoding::DELTA_LENGTH_BYTE_ARRAY, bytes);
        assert!(length(&head(&[5])).is_some() && length(&head(&[6])).is_none());
        let huge = head(&[0x80, 0x80, 0x80, 0x80, 0x80, 2]);
        for encoding in [Encoding::DELTA_BINARY_PACKED, Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY] {
            assert!(weight(Physical::BYTE_ARRAY, (1 << 31) - 1, encoding, &huge).is_none(), "{encoding}");
        }
    }

    #[test]
    fn texts_that_repeat_what_was_before_are_as_long_as_they_say() {
        // 4 texts: "abc", and three that begin with all of it and add a byte.
        let shared = [0x80, 1, 4, 4, 0, 2, 2, 0, 0, 0, 0b0000_1010, 0, 0, 0, 0, 0, 0, 0];
        let own = [0x80, 1, 4, 4, 6, 3, 2, 0, 0, 0, 0b0010_1000, 0, 0, 0, 0, 0, 0, 0];
        let numbers = |bytes: &[u8]| DeltaNumbers::new(bytes).unwrap().collect::<Vec<i32>>();
        assert_eq!((numbers(&shared), numbers(&own)), (vec![0, 3, 6, 7], vec![3, 1, 1, 1]));
        let bytes = |shared: &[u8]| [shared, &own, b"abcdef"].concat();
        assert_eq!(longest_shared(&bytes(&shared), 4), None, "the third shares 6 bytes of 4");
        let shared = [0x80, 1, 4, 4, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(numbers(&shared), [0, 1, 2, 3]);
        assert_eq!(longest_shared(&bytes(&shared), 4), Some((4, 4)));
        assert_eq!(longest_shared(&bytes(&shared), 3), None);
    }
}
