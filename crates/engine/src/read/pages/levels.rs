//! Definition levels of a flat column: which of its records have a value.
//!
//! A run of a few bytes may stand for two thousand million records; here runs are passed over, not written out. A level other
//! than 0 and 1 is none of a flat column.
//!
//! Source: Parquet, "Run Length Encoding / Bit-Packing Hybrid".

/// How many of so many records have a value; nothing where there are fewer levels, or other ones.
pub(super) fn present(levels: &[u8], records: u64) -> Option<u64> {
    let (mut rest, mut left, mut present) = (levels, records, 0);
    while left > 0 {
        let head = natural(&mut rest)?;
        let taken = if head & 1 == 0 {
            let (level, after) = rest.split_first().filter(|(level, _)| **level <= 1)?;
            rest = after;
            let taken = left.min(head >> 1);
            present += taken * u64::from(*level);
            taken
        } else {
            let taken = left.min((head >> 1).checked_mul(8)?);
            let bytes = usize::try_from(taken.div_ceil(8)).ok()?;
            let (packed, after) = rest.split_at_checked(bytes)?;
            rest = after;
            present += ones(packed, taken);
            taken
        };
        left -= taken;
    }
    Some(present)
}

/// How many of the first bits are set.
fn ones(packed: &[u8], bits: u64) -> u64 {
    let all: u64 = packed.iter().map(|byte| u64::from(byte.count_ones())).sum();
    let beyond = packed.last().filter(|_| !bits.is_multiple_of(8)).map_or(0, |last| (last >> (bits % 8)).count_ones());
    all - u64::from(beyond)
}

/// A number in steps of seven bits.
pub(super) fn natural(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_bits_are_counted() {
        assert_eq!(present(&[10, 1], 5), Some(5));
        assert_eq!(present(&[10, 0], 5), Some(0));
        assert_eq!(present(&[10, 1], 6), None, "one too few");
        assert_eq!(present(&[3, 0b1111_0101], 4), Some(2), "what is beyond the records does not count");
        assert_eq!(present(&[3, 0xFF, 6, 0], 11), Some(8));
        assert_eq!(present(&[10, 200], 5), None, "no level of a flat column");
        assert_eq!(present(&[0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0], (1 << 31) - 1), Some(0));
        assert_eq!(present(&[0x80; 20], 5), None);
        assert_eq!(present(&[], 0), Some(0));
    }
}
