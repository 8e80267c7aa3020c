//! Keys counted in memory, packed into words.
//!
//! Most tables have far fewer distinct keys than records. While a part of a table is read, its keys are counted in a hash
//! table. A key is one word: the codes of all columns side by side, each in as many bits as its values need so far. When a
//! column grows out of its bits, the words are packed anew. When they no longer fit in 64 bits, or the hash table in its
//! memory, the counts go on to a sorter that can write to disk.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Where the code of each column lies in a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyLayout {
    widths: Vec<u32>,
}

impl KeyLayout {
    /// A layout for columns with so many values, with room to grow where there is room; `None` beyond 64 bits.
    #[must_use]
    pub(crate) fn fitting(values: &[usize]) -> Option<Self> {
        let bits = |count: &usize| usize::BITS - count.saturating_sub(1).leading_zeros();
        let widths: Vec<u32> = values.iter().map(bits).collect();
        let used: u32 = widths.iter().sum();
        let spare = 64_u32.checked_sub(used)?;
        let growing = u32::try_from(widths.len()).unwrap_or(u32::MAX) <= spare;
        Some(Self { widths: widths.into_iter().map(|width| width + u32::from(growing)).collect() })
    }

    /// Whether codes of columns with so many values fit.
    #[must_use]
    pub(crate) fn fits(&self, values: &[usize]) -> bool {
        let room = |width: u32| 1_u64.checked_shl(width).unwrap_or(u64::MAX);
        self.widths.iter().zip(values).all(|(width, &count)| count as u64 <= room(*width))
    }

    /// Packs columns of codes, record by record, into `words`.
    pub(crate) fn pack(&self, columns: &[Vec<u32>], records: usize, words: &mut Vec<u64>) {
        words.clear();
        words.resize(records, 0);
        for (codes, width) in columns.iter().zip(&self.widths) {
            for (word, &code) in words.iter_mut().zip(codes) {
                *word = word.checked_shl(*width).unwrap_or(0) | u64::from(code);
            }
        }
    }

    /// The codes of a word, the last column first.
    pub(crate) fn unpack(&self, mut word: u64) -> impl Iterator<Item = u32> + '_ {
        self.widths.iter().rev().map(move |width| {
            let mask = 1_u64.checked_shl(*width).unwrap_or(0).wrapping_sub(1);
            let code = word & mask;
            word = word.checked_shr(*width).unwrap_or(0);
            u32::try_from(code).unwrap_or(u32::MAX)
        })
    }

    /// The same codes in another layout.
    #[must_use]
    pub(crate) fn moved(&self, mut word: u64, to: &Self) -> u64 {
        let (mut moved, mut shift) = (0, 0);
        for (from, to) in self.widths.iter().zip(&to.widths).rev() {
            let code = word & 1_u64.checked_shl(*from).unwrap_or(0).wrapping_sub(1);
            word = word.checked_shr(*from).unwrap_or(0);
            moved |= code.checked_shl(shift).unwrap_or(0);
            shift += to;
        }
        moved
    }
}

/// Counts by packed key.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    /// Where the codes lie.
    pub layout: KeyLayout,
    /// How often each key was met.
    pub counts: HashMap<u64, u64>,
}

/// What a key takes in memory, at worst: the table is at least half full and is copied when it grows.
const ENTRY: usize = 3 * 17;

impl Tally {
    /// An empty one.
    #[must_use]
    pub(crate) fn new(layout: KeyLayout) -> Self {
        Self { layout, counts: HashMap::new() }
    }

    /// Counts words of its layout.
    pub(crate) fn add(&mut self, words: &[u64]) {
        for word in words {
            *self.counts.entry(*word).or_insert(0) += 1;
        }
    }

    /// Packs the keys anew.
    pub(crate) fn move_to(&mut self, layout: KeyLayout) {
        if self.layout != layout {
            let moved = self.counts.drain().map(|(word, count)| (self.layout.moved(word, &layout), count));
            self.counts = moved.collect();
            self.layout = layout;
        }
    }

    /// About the bytes it takes, or will take before it grows again.
    #[must_use]
    pub(crate) fn bytes(&self) -> usize {
        self.counts.capacity().max(1).saturating_mul(ENTRY)
    }
}

/// Adds up tallies, side by side: the keys fall into as many shares as there are threads, and no key into two.
#[must_use]
pub(crate) fn merged(mut tallies: Vec<Tally>, layout: &KeyLayout, shares: usize) -> Vec<HashMap<u64, u64>> {
    if let [one] = tallies.as_mut_slice() {
        one.move_to(layout.clone());
        return tallies.into_iter().map(|tally| tally.counts).collect();
    }
    let hasher = DefaultHashBuilder::default();
    let share_of = |word: u64| usize::try_from(hasher.hash_one(word) >> 40).unwrap_or(0) % shares.max(1);
    let share = |share: usize| {
        let mut counts: HashMap<u64, u64> = HashMap::new();
        for tally in &tallies {
            for (&word, &count) in &tally.counts {
                let word = tally.layout.moved(word, layout);
                if share_of(word) == share {
                    *counts.entry(word).or_insert(0) += count;
                }
            }
        }
        counts
    };
    (0..shares.max(1)).into_par_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(layout: &KeyLayout, record: &[u32]) -> u64 {
        let columns: Vec<Vec<u32>> = record.iter().map(|&code| vec![code]).collect();
        let mut words = Vec::new();
        layout.pack(&columns, 1, &mut words);
        words[0]
    }

    #[test]
    fn codes_survive_packing_and_moving() {
        let small = KeyLayout::fitting(&[2, 100, 1, 70_000]).unwrap();
        let large = KeyLayout::fitting(&[1 << 10, 1 << 20, 2, 1 << 20]).unwrap();
        for record in [[0, 0, 0, 0], [1, 99, 0, 69_999], [1, 0, 0, 1]] {
            let word = packed(&small, &record);
            assert!(small.unpack(word).eq(record.into_iter().rev()));
            assert_eq!(small.moved(word, &large), packed(&large, &record));
        }
    }

    #[test]
    fn words_have_64_bits() {
        assert_eq!(KeyLayout::fitting(&[1 << 32, 1 << 32, 2]), None);
        let full = KeyLayout::fitting(&[1 << 32, 1 << 32]).unwrap();
        assert!(full.fits(&[1 << 32, 1 << 32]) && !full.fits(&[(1 << 32) + 1, 1]));
        assert!(full.unpack(packed(&full, &[u32::MAX, 7])).eq([7, u32::MAX]));
        let none = KeyLayout::fitting(&[]).unwrap();
        assert_eq!(none.unpack(packed(&none, &[])).count(), 0);
    }

    #[test]
    fn parts_add_up() {
        let layout = KeyLayout::fitting(&[1000]).unwrap();
        let wide = KeyLayout::fitting(&[1 << 20]).unwrap();
        let mut first = Tally::new(layout);
        first.add(&[1, 2, 2, 3]);
        let mut second = Tally::new(wide.clone());
        second.add(&[3, 4]);
        for parts in 1..4 {
            let mut all: Vec<(u64, u64)> =
                merged(vec![first.clone(), second.clone()], &wide, parts).into_iter().flatten().collect();
            all.sort_unstable();
            assert_eq!(all, [(1, 1), (2, 2), (3, 2), (4, 1)]);
        }
    }
}
