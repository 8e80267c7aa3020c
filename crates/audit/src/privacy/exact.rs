//! Products compared without rounding.
//!
//! Counts have up to 64 bits and parameters up to 38 digits, so both sides of a comparison can need 256 bits.

use crate::decimal::Decimal;

/// Whether one product is at most another.
pub(super) fn is_at_most(one: [u128; 2], other: [u128; 2]) -> bool {
    product(one) <= product(other)
}

/// Whether one product is below another.
pub(super) fn is_below(one: [u128; 2], other: [u128; 2]) -> bool {
    product(one) < product(other)
}

/// Whether some are at most a share of all.
pub(super) fn is_share(some: u64, all: u64, share: Decimal) -> bool {
    share.ratio().is_some_and(|[part, whole]| is_at_most([some.into(), whole], [all.into(), part]))
}

/// The upper and the lower half of a product.
fn product([one, other]: [u128; 2]) -> (u128, u128) {
    const LOW: u128 = (1 << 64) - 1;
    let ([a, b], [c, d]) = ([one >> 64, one & LOW], [other >> 64, other & LOW]);
    let (low, first, second) = (b * d, a * d, b * c);
    let middle = (low >> 64) + (first & LOW) + (second & LOW);
    let high = a * c + (first >> 64) + (second >> 64) + (middle >> 64);
    (high, (middle << 64) | (low & LOW))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_any_size() {
        assert_eq!(product([3, 7]), (0, 21));
        assert_eq!(product([u128::MAX, 1]), (0, u128::MAX));
        assert_eq!(product([u128::MAX, u128::MAX]), (u128::MAX - 1, 1));
        assert_eq!(product([1 << 100, 1 << 100]), (1 << 72, 0));
        let (one, other) = (0x1234_5678_9abc_def0_1122_3344_5566_7788_u128, u128::from(u64::MAX));
        // One times 2⁶⁴ less one: the number moved up, less itself.
        let (moved, borrow) = (one << 64).overflowing_sub(one);
        assert_eq!(product([one, other]), ((one >> 64) - u128::from(borrow), moved));
    }

    #[test]
    fn equal_is_at_most_and_not_below() {
        let (one, other) = ([1 << 100, 6 << 90], [3 << 100, 2 << 90]);
        assert!(is_at_most(one, other) && is_at_most(other, one) && !is_below(one, other));
        assert!(is_below([1 << 127, (6 << 90) - 1], [3 << 125, 8 << 90]));
    }
}
