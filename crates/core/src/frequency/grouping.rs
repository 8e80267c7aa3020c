//! Which keys are equal: numbers keys in the order of first appearance, equal ones alike.
//!
//! An open-addressing table of numbers, at most half full, probed linearly. Keys of one word are compared directly; of
//! longer keys a hash is compared first and then the words themselves, so the grouping is exact.

use std::cell::RefCell;

use super::small;

thread_local! {
    /// Memory that the groupings of a thread share; a search makes thousands.
    static SCRATCH: RefCell<GroupingScratch> = RefCell::default();
}

#[derive(Debug, Default)]
struct GroupingScratch {
    slots: HashSlots,
    digests: Vec<u64>,
}

/// The hash table: in each slot a number, and the tag of the keys that have it.
#[derive(Debug, Default)]
struct HashSlots {
    tags: Vec<u64>,
    numbers: Vec<u32>,
}

/// Keys with their numbers.
pub(crate) struct Grouping {
    /// The number of each key.
    pub class_of: Vec<u32>,
    /// The first key of each number.
    pub firsts: Vec<u32>,
    /// The records of each number.
    pub sizes: Vec<u64>,
}

const EMPTY: u32 = u32::MAX;

impl Grouping {
    /// Numbers packed keys, one list for each word of a key, and sums their records.
    pub(crate) fn new(packed: &[Vec<u64>], records: &[u64]) -> Self {
        SCRATCH.with_borrow_mut(|scratch| Self::with(packed, records, scratch))
    }

    fn with(packed: &[Vec<u64>], records: &[u64], GroupingScratch { slots, digests }: &mut GroupingScratch) -> Self {
        if let [keys] = packed {
            return slots.number(keys, records, |_, _| true);
        }
        digests.clear();
        digests.extend((0..records.len()).map(|key| digest(packed, key)));
        slots.number(digests, records, |one, other| packed.iter().all(|word| word[one] == word[other]))
    }
}

impl HashSlots {
    /// Numbers keys by their tags; keys of equal tags are compared once more.
    fn number(&mut self, tags_of: &[u64], records: &[u64], are_equal: impl Fn(usize, usize) -> bool) -> Grouping {
        let count = (2 * records.len()).next_power_of_two().max(2);
        let shift = u64::BITS - count.trailing_zeros();
        self.tags.resize(self.tags.len().max(count), 0);
        self.numbers.clear();
        self.numbers.resize(count, EMPTY);
        let (tags, numbers) = (&mut self.tags[..count], &mut self.numbers[..count]);
        let mut class_of = Vec::with_capacity(records.len());
        let (mut firsts, mut sizes): (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
        for (key, (&tag, &records)) in (0..).zip(tags_of.iter().zip(records)) {
            let mut slot = slot_for(tag, shift);
            loop {
                let found = numbers[slot];
                if found == EMPTY {
                    (numbers[slot], tags[slot]) = (small(firsts.len() as u64), tag);
                    class_of.push(numbers[slot]);
                    firsts.push(key);
                    sizes.push(records);
                    break;
                }
                if tags[slot] == tag && are_equal(firsts[found as usize] as usize, key as usize) {
                    class_of.push(found);
                    sizes[found as usize] += records;
                    break;
                }
                slot = (slot + 1) & (count - 1);
            }
        }
        Grouping { class_of, firsts, sizes }
    }
}

/// The slot of a tag: the upper bits of its product with an odd constant (Fibonacci hashing, Knuth 6.4), after the upper
/// half of the tag is folded into the lower.
#[allow(clippy::cast_possible_truncation)] // fewer slots than addresses
fn slot_for(tag: u64, shift: u32) -> usize {
    ((tag ^ tag >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}

fn digest(packed: &[Vec<u64>], key: usize) -> u64 {
    packed.iter().fold(0, |digest: u64, word| (digest.rotate_left(23) ^ word[key]).wrapping_mul(0xD6E8_FEB8_6659_FD93))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Groups = (Vec<u32>, Vec<u32>, Vec<u64>);

    fn grouped(packed: &[Vec<u64>]) -> Groups {
        let Grouping { class_of, firsts, sizes } = Grouping::new(packed, &vec![1; packed[0].len()]);
        (class_of, firsts, sizes)
    }

    #[test]
    fn keys_are_numbered_by_first_appearance() {
        let expected = (vec![0, 1, 0, 0, 2, 1], vec![0, 1, 4], vec![3, 2, 1]);
        assert_eq!(grouped(&[vec![7, 3, 7, 7, 9, 3]]), expected);
        assert_eq!(grouped(&[vec![]]), (vec![], vec![], vec![]));
    }

    #[test]
    fn long_keys_differ_in_any_word() {
        let packed = [vec![1, 1, 1, 2], vec![5, 6, 5, 5]];
        assert_eq!(grouped(&packed), (vec![0, 1, 0, 2], vec![0, 1, 3], vec![2, 1, 1]));
    }

    #[test]
    fn memory_of_a_larger_grouping_does_not_show() {
        let mut scratch = GroupingScratch::default();
        Grouping::with(&[(0..1000).collect()], &[1; 1000], &mut scratch);
        let few = Grouping::with(&[vec![5, 5, 900]], &[2, 3, 4], &mut scratch);
        assert_eq!((few.class_of, few.sizes), (vec![0, 0, 1], vec![5, 4]));
    }
}
