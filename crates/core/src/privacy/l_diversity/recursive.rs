//! Recursive (c, l)-diversity: the most frequent value is not too frequent, and stays so when frequent ones are ruled out.
//!
//! With the counts of the values in falling order, the first must be less than c times the sum from the l-th on. There
//! must be l values.
//!
//! **How much a division may keep** (`most`). Take away records from a class so that no value has more than h: then r₁ is h at
//! most, and the others are as many as they can be. What is left satisfies the rule up to a largest h, which is bisected:
//! h divided by the sum of capped counts grows with h.

use super::super::largest;
use super::super::ratio::Ratio;

/// Whether counts, in falling order, satisfy the rule when none is more than `cap`.
fn holds(counts: &[u64], cap: u64, l: usize, c: Ratio) -> bool {
    let rest: u128 = counts.iter().skip(l - 1).map(|&count| u128::from(count.min(cap))).sum();
    counts.len() >= l && u128::from(cap) * c.denominator < c.numerator * rest
}

pub(super) fn allows(counts: &[u64], l: usize, c: Ratio) -> bool {
    holds(counts, counts.first().copied().unwrap_or(0), l, c)
}

pub(super) fn most(counts: &[u64], l: usize, c: Ratio) -> u64 {
    let cap = largest(counts.first().copied().unwrap_or(0), |cap| cap == 0 || holds(counts, cap, l, c));
    counts.iter().map(|count| *count.min(&cap)).sum()
}
