//! Numbers in `DELTA_BINARY_PACKED`, as lengths of texts are written: how many a page claims, and which they are.
//!
//! A block of a few bytes may stand for thousands of numbers that are all alike, so their count is no smaller than what the page
//! may hold: it is for the caller to judge. Nothing is reserved here.
//!
//! Source: Parquet, "Delta Encoding".

use super::levels::natural;

/// Numbers of 32 bits, one after the other.
pub(super) struct DeltaNumbers<'a> {
    rest: &'a [u8],
    /// How many are still to come.
    left: u64,
    /// Blocks have so many parts with so many numbers each.
    parts: usize,
    per_part: u64,
    last: i32,
    is_first: bool,
    /// Of the block: the least step, the bits of a step in each part that was not begun.
    least: i64,
    widths: &'a [u8],
    /// Of the part: its bytes, the bits of a step, the place of the next bit, and how many numbers are still to come.
    part: &'a [u8],
    width: u32,
    at: usize,
    left_in_part: u64,
}

/// How many numbers a head claims, of whatever width.
pub(super) fn claimed(bytes: &[u8]) -> Option<u64> {
    let mut rest = bytes;
    (0..3).map(|_| natural(&mut rest)).last().flatten()
}

impl<'a> DeltaNumbers<'a> {
    /// Reads the head; nothing where it is none.
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes;
        let (block, parts, left) = (natural(&mut rest)?, natural(&mut rest)?, natural(&mut rest)?);
        let first = signed(&mut rest)?;
        let per_part = block.checked_div(parts)?;
        let is_sound = block % 128 == 0 && block % parts == 0 && per_part % 32 == 0 && per_part > 0;
        Some(Self {
            rest,
            left,
            parts: usize::try_from(parts).ok()?,
            per_part,
            last: i32::try_from(first).ok()?,
            is_first: true,
            least: 0,
            widths: &[],
            part: &[],
            width: 0,
            at: 0,
            left_in_part: 0,
        })
        .filter(|_| is_sound)
    }

    /// How many numbers are claimed.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// What follows the last number; nothing where one is missing.
    pub(super) fn end(mut self) -> Option<&'a [u8]> {
        while self.left > 0 {
            self.next()?;
        }
        Some(self.rest)
    }

    /// Begins the next part. Those behind the last number have no bytes, whatever their width says.
    fn begin_part(&mut self) -> Option<()> {
        if self.widths.is_empty() {
            self.least = signed(&mut self.rest)?;
            (self.widths, self.rest) = self.rest.split_at_checked(self.parts)?;
        }
        let (width, widths) = self.widths.split_first()?;
        let bytes = self.per_part.checked_mul(u64::from(*width))? / 8;
        (self.part, self.rest) = self.rest.split_at_checked(usize::try_from(bytes).ok()?)?;
        (self.widths, self.width, self.at, self.left_in_part) = (widths, u32::from(*width), 0, self.per_part);
        (*width <= 32).then_some(())
    }

    /// The next step beyond the least.
    fn step(&mut self) -> Option<i64> {
        let (first, shift) = (self.at / 8, self.at % 8);
        let mut word = [0; 8];
        let bytes = self.part.get(first..)?;
        let count = bytes.len().min(8);
        word.get_mut(..count)?.copy_from_slice(bytes.get(..count)?);
        self.at += self.width as usize;
        let mask = (1_u64 << self.width) - 1;
        Some(((u64::from_le_bytes(word) >> shift) & mask).cast_signed())
    }
}

impl Iterator for DeltaNumbers<'_> {
    type Item = i32;

    fn next(&mut self) -> Option<i32> {
        let left = self.left.checked_sub(1)?;
        if !std::mem::take(&mut self.is_first) {
            if self.left_in_part == 0 {
                self.begin_part()?;
            }
            self.left_in_part -= 1;
            let step = if self.width == 0 { 0 } else { self.step()? };
            // Numbers wrap, as readers have them: the lowest 32 bits count.
            #[expect(clippy::cast_possible_truncation, reason = "wrapping is meant")]
            let step = self.least.wrapping_add(step) as i32;
            self.last = self.last.wrapping_add(step);
        }
        self.left = left;
        Some(self.last)
    }
}

fn signed(rest: &mut &[u8]) -> Option<i64> {
    let zigzag = natural(rest)?;
    Some((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of 128 numbers in 4 parts.
    fn head(count: u8, first: u8) -> Vec<u8> {
        vec![0x80, 1, 4, count, first]
    }

    #[test]
    fn numbers_come_as_they_were_written() {
        let numbers = |bytes: &[u8]| DeltaNumbers::new(bytes).unwrap().collect::<Vec<i32>>();
        assert_eq!(numbers(&head(1, 14)), [7]);
        // Steps of 1 without a bit.
        assert_eq!(numbers(&[head(4, 14), vec![2, 0, 0, 0, 0]].concat()), [7, 8, 9, 10]);
        // Steps of -1 and one of two bits: 0, 1, 2, 3.
        let bits = [head(5, 14), vec![1, 2, 0, 0, 0, 0b1110_0100], vec![0; 7]].concat();
        assert_eq!(numbers(&bits), [7, 6, 6, 7, 9]);
        let rest = [bits.clone(), b"rest".to_vec()].concat();
        assert_eq!(DeltaNumbers::new(&rest).unwrap().end(), Some(&b"rest"[..]));
        assert_eq!(numbers(&bits[..10]), [7], "the part is cut short");
        assert_eq!(DeltaNumbers::new(&bits[..10]).unwrap().end(), None);
    }

    #[test]
    fn heads_that_cannot_be_are_refused() {
        assert!(DeltaNumbers::new(&[0x80, 1, 4, 5]).is_none());
        assert!(DeltaNumbers::new(&[0x80, 1, 0, 5, 0]).is_none(), "no parts");
        assert!(DeltaNumbers::new(&[0x80, 1, 3, 5, 0]).is_none(), "parts of a broken number");
        assert!(DeltaNumbers::new(&[0x81, 1, 3, 5, 0]).is_none());
        let huge = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 1, 5, 0];
        assert_eq!(DeltaNumbers::new(&huge).unwrap().end(), None, "no bytes for a block that large");
    }
}
