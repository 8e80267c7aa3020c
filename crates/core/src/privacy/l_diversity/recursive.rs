//! Recursive (c, l)-diversity: the most frequent value is not too frequent, and stays so when frequent ones are ruled out.
//!
//! Let r₁ ≥ r₂ ≥ … be the counts of the values. There must be l values, and
//!
//! > r₁ < c (rₗ + rₗ₊₁ + …).
//!
//! **How much a division may keep** (`most`). If no kept value has more than h records, the most that can be kept is Σ min(rᵢ, h), with
//! r₁ = h. The rule then reads
//!
//! > h < c Σ over i ≥ l of min(rᵢ, h).
//!
//! h / Σ min(rᵢ, h) never falls as h grows, so the rule holds up to one largest h, which is bisected.

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
