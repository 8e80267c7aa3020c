//! Keys of any bytes, and how often each was met, in memory.
//!
//! The bytes of all keys lie one behind the other in large blocks, so that a key costs no allocation of its own and
//! growing copies none. Keys come out sorted by their bytes.
//!
//! Limit: 2³² keys, each shorter than 4 GiB.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::error::{Error, Result};

/// The bytes of a block; a longer key has one of its own.
const BLOCK: usize = 1 << 20;
/// What a key takes besides its bytes, when it is counted and when it is sorted.
const OVERHEAD: usize = 80;

/// Keys, and how often each was met.
#[derive(Debug, Default)]
pub struct KeyCounts {
    blocks: Vec<Vec<u8>>,
    entries: Vec<Entry>,
    /// The entry of each key.
    places: HashTable<u32>,
    hasher: DefaultHashBuilder,
    bytes: usize,
}

/// Where a key lies, and how often it was met.
#[derive(Debug, Clone, Copy)]
struct Entry {
    block: u32,
    start: u32,
    length: u32,
    times: u64,
}

impl KeyCounts {
    /// Meets a key so many times more.
    pub fn add(&mut self, key: &[u8], times: u64) -> Result<()> {
        let hash = self.hasher.hash_one(key);
        let known = self.places.find(hash, |&place| self.key(place as usize) == key).copied();
        if let Some(entry) = known.and_then(|place| self.entries.get_mut(place as usize)) {
            entry.times += times;
            return Ok(());
        }
        let place = u32::try_from(self.entries.len()).map_err(|_| too_large())?;
        let entry = self.store(key, times)?;
        self.entries.push(entry);
        let Self { blocks, entries, places, hasher, .. } = self;
        places.insert_unique(hash, place, |&place| {
            hasher.hash_one(entries.get(place as usize).map_or(&[][..], |entry| bytes_of(blocks, *entry)))
        });
        Ok(())
    }

    fn store(&mut self, key: &[u8], times: u64) -> Result<Entry> {
        let is_full = |block: &Vec<u8>| block.capacity() - block.len() < key.len();
        if self.blocks.last().is_none_or(is_full) {
            self.blocks.push(Vec::with_capacity(key.len().max(BLOCK)));
        }
        let number = |size: usize| u32::try_from(size).map_err(|_| too_large());
        let (block, length) = (number(self.blocks.len() - 1)?, number(key.len())?);
        let Some(last) = self.blocks.last_mut() else { return Err(too_large()) };
        let start = number(last.len())?;
        last.extend_from_slice(key);
        self.bytes += key.len() + OVERHEAD;
        Ok(Entry { block, start, length, times })
    }

    fn key(&self, place: usize) -> &[u8] {
        self.entries.get(place).map_or(&[], |entry| bytes_of(&self.blocks, *entry))
    }

    /// Whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// About the memory that they take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The keys in the order of their bytes; none is left here.
    #[must_use]
    pub fn take_sorted(&mut self) -> SortedKeys {
        self.places.clear();
        self.bytes = 0;
        let (blocks, entries) = (std::mem::take(&mut self.blocks), std::mem::take(&mut self.entries));
        // Most comparisons end within the first eight bytes, which are held side by side.
        let first = |entry: &Entry| {
            let bytes = bytes_of(&blocks, *entry);
            let mut first = [0; 8];
            first.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            u64::from_be_bytes(first)
        };
        let mut sorted: Vec<(u64, Entry)> = entries.iter().map(|entry| (first(entry), *entry)).collect();
        sorted.sort_unstable_by(|(left, one), (right, other)| {
            left.cmp(right).then_with(|| bytes_of(&blocks, *one).cmp(bytes_of(&blocks, *other)))
        });
        let entries = sorted.into_iter().map(|(_, entry)| entry).collect();
        SortedKeys { blocks, entries }
    }
}

/// Keys in the order of their bytes, each once.
#[derive(Debug, Default)]
pub struct SortedKeys {
    blocks: Vec<Vec<u8>>,
    entries: Vec<Entry>,
}

impl SortedKeys {
    /// The key at a place, and how often it was met.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<(&[u8], u64)> {
        self.entries.get(place).map(|entry| (bytes_of(&self.blocks, *entry), entry.times))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.entries.iter().map(|entry| (bytes_of(&self.blocks, *entry), entry.times))
    }
}

fn bytes_of(blocks: &[Vec<u8>], entry: Entry) -> &[u8] {
    let start = entry.start as usize;
    blocks.get(entry.block as usize).and_then(|block| block.get(start..start + entry.length as usize)).unwrap_or(&[])
}

fn too_large() -> Error {
    Error::environment("more than 2^32 keys, or one of 4 GiB, cannot be sorted at once").hint("lower --memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_one_and_all_come_in_order() {
        let mut counts = KeyCounts::default();
        let long = vec![7; BLOCK + 1];
        for key in [&b"b"[..], b"", b"a\0", b"a", b"12345678z", &long, b"12345678a", b"b", &long] {
            counts.add(key, 2).unwrap();
        }
        assert_eq!(counts.entries.len(), 7);
        let sorted = counts.take_sorted();
        let found: Vec<(&[u8], u64)> = sorted.iter().collect();
        let wanted: [(&[u8], u64); 7] =
            [(b"", 2), (&long, 4), (b"12345678a", 2), (b"12345678z", 2), (b"a", 2), (b"a\0", 2), (b"b", 4)];
        assert_eq!(found, wanted);
        assert!(counts.is_empty() && counts.bytes() == 0);
        counts.add(b"again", 1).unwrap();
        assert_eq!(counts.take_sorted().get(0), Some((&b"again"[..], 1)));
    }
}
