//! Which rows are alike: numbers rows by their keys, equal keys alike, in the order of first appearance.
//!
//! An open-addressing table of numbers, at most half full, probed linearly. Keys of one word are compared directly; of
//! longer keys a hash is compared first and then the words themselves, so the grouping is exact.

use std::cell::RefCell;

thread_local! {
    /// Memory that the groupings of a thread share; a search makes thousands.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

#[derive(Debug, Default)]
struct Scratch {
    tags: Vec<u64>,
    numbers: Vec<u32>,
    long_tags: Vec<u64>,
}

/// Rows numbered by their keys.
pub(super) struct Grouping {
    /// The number of each row.
    pub class_of: Vec<u32>,
    /// The first row of each number.
    pub firsts: Vec<u32>,
    /// The records of each number.
    pub sizes: Vec<u64>,
}

const EMPTY: u32 = u32::MAX;

impl Grouping {
    /// Groups rows by their keys, and sums their records.
    pub(super) fn of(words: &[Vec<u64>], records: &[u64]) -> Self {
        SCRATCH.with_borrow_mut(|scratch| Self::with(words, records, scratch))
    }

    fn with(words: &[Vec<u64>], records: &[u64], scratch: &mut Scratch) -> Self {
        if let [keys] = words {
            return number(keys, records, &mut scratch.tags, &mut scratch.numbers, |_, _| true);
        }
        scratch.long_tags.clear();
        scratch.long_tags.extend((0..records.len()).map(|row| digest(words, row)));
        let alike = |one: usize, other: usize| words.iter().all(|word| word[one] == word[other]);
        number(&scratch.long_tags, records, &mut scratch.tags, &mut scratch.numbers, alike)
    }
}

/// Numbers rows by tags; rows of equal tags are compared once more by `alike`.
fn number(
    of_row: &[u64],
    records: &[u64],
    tags: &mut Vec<u64>,
    numbers: &mut Vec<u32>,
    alike: impl Fn(usize, usize) -> bool,
) -> Grouping {
    let rows = records.len();
    let slots = (2 * rows).next_power_of_two().max(2);
    let shift = u64::BITS - slots.trailing_zeros();
    tags.resize(tags.len().max(slots), 0);
    numbers.clear();
    numbers.resize(slots, EMPTY);
    let (tags, numbers) = (&mut tags[..slots], &mut numbers[..slots]);
    let mut class_of = Vec::with_capacity(rows);
    let mut firsts: Vec<u32> = Vec::new();
    let mut sizes: Vec<u64> = Vec::new();
    for (row, (&tag, &records)) in of_row.iter().zip(records).enumerate() {
        let mut slot = spread(tag, shift);
        loop {
            let found = numbers[slot];
            if found == EMPTY {
                numbers[slot] = small(firsts.len());
                tags[slot] = tag;
                class_of.push(small(firsts.len()));
                firsts.push(small(row));
                sizes.push(records);
                break;
            }
            if tags[slot] == tag && alike(firsts[found as usize] as usize, row) {
                class_of.push(found);
                sizes[found as usize] += records;
                break;
            }
            slot = (slot + 1) & (slots - 1);
        }
    }
    Grouping { class_of, firsts, sizes }
}

/// The slot of a tag: the upper bits of its product with an odd constant (Fibonacci hashing, Knuth 6.4), after the upper
/// half of the tag is folded into the lower.
#[allow(clippy::cast_possible_truncation)] // fewer slots than addresses
fn spread(tag: u64, shift: u32) -> usize {
    ((tag ^ tag >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}

fn digest(words: &[Vec<u64>], row: usize) -> u64 {
    words.iter().fold(0, |digest: u64, word| (digest.rotate_left(23) ^ word[row]).wrapping_mul(0xD6E8_FEB8_6659_FD93))
}

/// A row number: tables have no more rows than 32 bits can count.
#[allow(clippy::cast_possible_truncation)]
fn small(row: usize) -> u32 {
    row as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    type Groups = (Vec<u32>, Vec<u32>, Vec<u64>);

    fn grouped(words: &[Vec<u64>]) -> Groups {
        let Grouping { class_of, firsts, sizes } = Grouping::of(words, &vec![1; words[0].len()]);
        (class_of, firsts, sizes)
    }

    #[test]
    fn rows_are_numbered_by_first_appearance() {
        let expected = (vec![0, 1, 0, 0, 2, 1], vec![0, 1, 4], vec![3, 2, 1]);
        assert_eq!(grouped(&[vec![7, 3, 7, 7, 9, 3]]), expected);
        assert_eq!(grouped(&[vec![]]), (vec![], vec![], vec![]));
    }

    #[test]
    fn long_keys_differ_in_any_word() {
        let words = [vec![1, 1, 1, 2], vec![5, 6, 5, 5]];
        assert_eq!(grouped(&words), (vec![0, 1, 0, 2], vec![0, 1, 3], vec![2, 1, 1]));
    }

    #[test]
    fn memory_of_a_larger_grouping_does_not_show() {
        let mut scratch = Scratch::default();
        Grouping::with(&[(0..1000).collect()], &[1; 1000], &mut scratch);
        let small = Grouping::with(&[vec![5, 5, 900]], &[2, 3, 4], &mut scratch);
        assert_eq!((small.class_of, small.sizes), (vec![0, 0, 1], vec![5, 4]));
    }
}
