//! A look at a Parquet footer, and at the header of each page, before a library decodes them.
//!
//! Decoders reserve memory for as many elements as a list claims, and walk a schema by recursion; ten hostile bytes
//! can so end the process, which no error handling survives. This walk reserves nothing: it checks that each list,
//! map and text fits in the bytes that are left, that nesting is shallow, and that the schema's child counts agree with
//! its elements. It says what the footer will weigh once it is decoded, because an element of one byte becomes a struct of
//! hundreds. A page must not claim to unpack to much more than it takes, nor a dictionary to have more entries than
//! bytes. Source: Thrift compact protocol; `FileMetaData`, `SchemaElement` and `PageHeader` in parquet.thrift.

use super::compress::{FLOOR, RATIO};

/// Deeper than any footer goes.
const DEPTH: usize = 32;
/// Deeper than any table goes; a nested column cannot be read, but may be there.
const SCHEMA_DEPTH: usize = 64;
/// `FileMetaData.schema`.
const SCHEMA: i64 = 2;
/// `SchemaElement.num_children`.
const CHILDREN: i64 = 5;
/// What an element of a list weighs once it is decoded: a struct, and anything else.
const ELEMENT: (u64, u64) = (256, 32);

/// What these bytes weigh as a decoded footer; nothing where they cannot be decoded without harm.
pub(super) fn footer(bytes: &[u8]) -> Option<u64> {
    let mut walk = Walk { rest: bytes, weight: bytes.len() as u64 };
    walk.footer()?;
    Some(walk.weight)
}

/// What the header of a page says, with which these bytes begin; nothing where it is none, or goes on.
pub(super) fn page(header: &[u8]) -> Option<PageHeader> {
    let mut page = PageHeader::default();
    Walk { rest: header, weight: 0 }.page(&mut page)?;
    Some(page)
}

/// What a page says of itself.
#[derive(Debug, Default)]
pub(super) struct PageHeader {
    pub(super) unpacked: u64,
    pub(super) packed: u64,
    /// Of its dictionary.
    entries: u64,
}

impl PageHeader {
    /// Whether the page may be unpacked.
    pub(super) fn is_sound(&self) -> bool {
        self.unpacked <= FLOOR.max(self.packed.saturating_mul(RATIO)) && self.entries <= self.unpacked
    }
}

struct Walk<'a> {
    rest: &'a [u8],
    weight: u64,
}

impl Walk<'_> {
    fn footer(&mut self) -> Option<()> {
        let mut id = 0;
        while let (kind @ 1.., next) = self.field(id)? {
            id = next;
            if id == SCHEMA && kind == 9 { self.schema()? } else { self.value(kind, 0, false)? }
        }
        Some(())
    }

    /// The fields of `PageHeader`: 2 and 3 are its sizes unpacked and packed, 7 its dictionary. Sizes below zero are refused.
    fn page(&mut self, page: &mut PageHeader) -> Option<()> {
        let mut id = 0;
        while let (kind @ 1.., next) = self.field(id)? {
            id = next;
            match (id, kind) {
                (2, 5) => page.unpacked = u64::try_from(self.signed()?).unwrap_or(u64::MAX),
                (3, 5) => page.packed = u64::try_from(self.signed()?).ok()?,
                (7, 12) => self.dictionary(page)?,
                _ => self.value(kind, 0, false)?,
            }
        }
        Some(())
    }

    /// `DictionaryPageHeader`: 1 is the number of its entries.
    fn dictionary(&mut self, page: &mut PageHeader) -> Option<()> {
        let mut id = 0;
        while let (kind @ 1.., next) = self.field(id)? {
            id = next;
            if id == 1 && kind == 5 {
                page.entries = u64::try_from(self.signed()?).unwrap_or(u64::MAX);
            } else {
                self.value(kind, 1, false)?;
            }
        }
        Some(())
    }

    /// The schema is a tree in preorder: each element says how many children follow.
    fn schema(&mut self) -> Option<()> {
        let (elements, kind) = self.list()?;
        if kind != 12 {
            return None;
        }
        let mut open: Vec<u64> = Vec::new();
        for _ in 0..elements {
            while open.last() == Some(&0) {
                open.pop();
            }
            if let Some(siblings) = open.last_mut() {
                *siblings -= 1;
            }
            let children = self.schema_element()?;
            if children > elements || open.len() >= SCHEMA_DEPTH {
                return None;
            }
            open.push(children);
        }
        Some(())
    }

    fn schema_element(&mut self) -> Option<u64> {
        let (mut id, mut children) = (0, 0);
        while let (kind @ 1.., next) = self.field(id)? {
            id = next;
            if id == CHILDREN && kind == 5 {
                children = u64::try_from(self.signed()?).ok()?;
            } else {
                self.value(kind, 1, false)?;
            }
        }
        Some(children)
    }

    /// The type and id of the next field of a struct; type 0 at its end.
    fn field(&mut self, last: i64) -> Option<(u8, i64)> {
        let byte = self.byte()?;
        let id = match (byte & 0x0F, byte >> 4) {
            (0, _) => last,
            (_, 0) => self.signed()?,
            (_, delta) => last.checked_add(i64::from(delta))?,
        };
        Some((byte & 0x0F, id))
    }

    /// Booleans of a field live in its type; those of a list take a byte.
    fn value(&mut self, kind: u8, depth: usize, in_list: bool) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        match kind {
            1 | 2 if in_list => self.byte().map(|_| ()),
            1 | 2 => Some(()),
            3 => self.byte().map(|_| ()),
            4..=6 => self.unsigned().map(|_| ()),
            7 => self.skip(8),
            8 => {
                let length = self.unsigned()?;
                self.skip(length)
            }
            9 | 10 => self.elements(depth),
            11 => self.map(depth),
            12 => self.structure(depth),
            13 => self.skip(16),
            _ => None,
        }
    }

    fn structure(&mut self, depth: usize) -> Option<()> {
        let mut id = 0;
        while let (kind @ 1.., next) = self.field(id)? {
            id = next;
            self.value(kind, depth + 1, false)?;
        }
        Some(())
    }

    fn elements(&mut self, depth: usize) -> Option<()> {
        let (count, kind) = self.list()?;
        (0..count).try_for_each(|_| self.value(kind, depth + 1, true))
    }

    fn map(&mut self, depth: usize) -> Option<()> {
        let count = self.unsigned()?;
        if count == 0 {
            return Some(());
        }
        let kinds = self.byte()?;
        for _ in 0..self.fits(count)? {
            self.value(kinds >> 4, depth + 1, true)?;
            self.value(kinds & 0x0F, depth + 1, true)?;
        }
        Some(())
    }

    /// The length and element type of a list. Each element takes a byte at least.
    fn list(&mut self) -> Option<(u64, u8)> {
        let byte = self.byte()?;
        let count = match byte >> 4 {
            15 => self.unsigned()?,
            short => u64::from(short),
        };
        let each = if byte & 0x0F == 12 { ELEMENT.0 } else { ELEMENT.1 };
        self.weight = self.weight.saturating_add(count.saturating_mul(each));
        Some((self.fits(count)?, byte & 0x0F))
    }

    fn fits(&self, count: u64) -> Option<u64> {
        (count <= self.rest.len() as u64).then_some(count)
    }

    fn skip(&mut self, length: u64) -> Option<()> {
        self.rest = self.rest.get(usize::try_from(length).ok()?..)?;
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_beyond_the_bytes_are_refused() {
        assert!(footer(&[]).is_none());
        assert_eq!(footer(&[0]), Some(1));
        // Field 4, a list of 2^31 - 1 structs, and nothing in it.
        assert!(footer(&[0x49, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0]).is_none());
        // Field 6, a text of 2^40 bytes.
        assert!(footer(&[0x68, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0]).is_none());
    }

    #[test]
    fn pages_hold_what_they_claim() {
        let is_sound = |header: &[u8]| page(header).is_some_and(|page| page.is_sound());
        // A dictionary of 8 bytes with two entries, with 2^31 - 1 entries, and with -1; one that unpacks to 2^31 - 1 bytes.
        assert!(is_sound(&[0x15, 4, 0x15, 16, 0x15, 16, 0x4C, 0x15, 4, 0, 0]));
        assert!(!is_sound(&[0x15, 4, 0x15, 16, 0x15, 16, 0x4C, 0x15, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0]));
        assert!(!is_sound(&[0x15, 4, 0x15, 16, 0x15, 16, 0x4C, 0x15, 1, 0, 0]));
        assert!(!is_sound(&[0x15, 4, 0x15, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0x15, 16, 0x4C, 0x15, 4, 0, 0]));
        // What a header says last counts, wherever it says so: one that goes on is read on.
        assert!(page(&[0x15, 0, 0x15, 16, 0x15, 16, 0x2C, 0x15, 4]).is_none());
        let again = [0x15, 4, 0x15, 16, 0x15, 16, 0x4C, 0x15, 4, 0, 0x05, 4, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0];
        assert!(!is_sound(&again));
    }

    #[test]
    fn deep_nesting_is_refused() {
        let mut deep = vec![0x1C; 100_000];
        deep.extend(vec![0; 100_001]);
        assert!(footer(&deep).is_none());
    }

    #[test]
    fn schemas_are_shallow_and_honest() {
        let element = |children: u8| vec![0x55, children * 2, 0];
        let schema = |children: &[u8]| {
            let count = u8::try_from(children.len()).unwrap();
            let mut bytes = vec![0x29, 0xFC, count];
            bytes.extend(children.iter().flat_map(|c| element(*c)));
            bytes.push(0);
            bytes
        };
        assert!(footer(&schema(&[2, 0, 0])).is_some_and(|weight| weight > 3 * ELEMENT.0));
        assert!(footer(&schema(&[9, 0, 0])).is_none());
        assert!(footer(&schema(&[1; 80])).is_none());
    }
}
