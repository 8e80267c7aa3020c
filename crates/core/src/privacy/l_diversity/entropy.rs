//! Entropy l-diversity: the values of a class are as uncertain as `l` equally frequent ones.
//!
//! > H = −Σ p log₂ p ≥ log₂ l, p the share of each value in the class.
//!
//! Logarithms are rounded to 2⁻⁴⁰. An entropy that is short of the threshold by at most [`SHORT`] bits passes, so that l equally
//! frequent values always do.
//!
//! Grassberger's estimator replaces the logarithm of each count, and of the size of the class. That corrects, on average, for small
//! samples: on average, the entropy of a few records is lower than that of the distribution behind them.
//!
//! **How much a division may keep** (`most`). H is concave, so a union of safe classes is safe. Of all ways to keep K records,
//! capping the counts at one height h has the largest entropy:
//!
//! > H(kept) ≤ H(min(c₁, h), min(c₂, h), …), where Σ min(cᵢ, h) = K.
//!
//! h falls with K and this entropy rises, so the largest K is bisected. For Grassberger's estimator no such bound is known.
//!
//! Source: Machanavajjhala et al. 2007; Grassberger 2003.

use super::super::largest;
use crate::entropy::FIXED_POINT;

/// An entropy that is short of the threshold by so many bits is not.
pub(super) const SHORT: f64 = 1e-9;

/// How the entropy of a class is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntropyEstimator {
    Shannon,
    Grassberger,
}

/// The logarithm of a count to base 2, or what stands for it.
fn log(estimator: EntropyEstimator, count: u64) -> f64 {
    match estimator {
        EntropyEstimator::Shannon => rounded((count.max(1) as f64).log2()),
        EntropyEstimator::Grassberger => rounded(grassberger(count) / std::f64::consts::LN_2),
    }
}

fn rounded(number: f64) -> f64 {
    (number * FIXED_POINT).round() / FIXED_POINT
}

/// G of a count, in nats: −γ − ln 2 for 1, and 2 / (2i − 1) more for each pair, summed up to the pairs that the count has.
fn grassberger(count: u64) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    let pairs = count / 2;
    if pairs > 64 {
        // The sum in its asymptotic form.
        let half = pairs as f64;
        return (2.0 * half).ln() + 1.0 / (24.0 * half * half) - 7.0 / (960.0 * half.powi(4));
    }
    let sum: f64 = (1..=pairs).map(|pair| 2.0 / (2.0 * pair as f64 - 1.0)).sum();
    sum - EULER - std::f64::consts::LN_2
}

/// The entropy of counts in bits.
pub(super) fn entropy(counts: &[u64], estimator: EntropyEstimator) -> f64 {
    let size: u64 = counts.iter().sum();
    if size == 0 {
        return 0.0;
    }
    let told: f64 = counts.iter().map(|&count| count as f64 * log(estimator, count)).sum();
    log(estimator, size) - told / size as f64
}

pub(super) fn allows(counts: &[u64], bits: f64, estimator: EntropyEstimator) -> bool {
    entropy(counts, estimator) >= bits - SHORT
}

/// The most records of a class, its counts in falling order, that have so much entropy, by Shannon's measure.
pub(super) fn most(counts: &[u64], bits: f64) -> u64 {
    let size = counts.iter().sum();
    largest(size, |kept| kept == 0 || capped(counts, kept) >= bits - 2.0 * SHORT)
}

/// The entropy of counts, in falling order, when they are capped so that `kept` records are left.
fn capped(counts: &[u64], kept: u64) -> f64 {
    let (mut below, mut told, total) = (kept as f64, 0.0, kept as f64);
    // From the smallest on: those that are below the height keep what they have.
    for (above, &count) in counts.iter().enumerate().rev() {
        let height = below / (above as f64 + 1.0);
        if count as f64 >= height {
            told += below * height.max(f64::MIN_POSITIVE).log2();
            break;
        }
        told += count as f64 * (count as f64).log2();
        below -= count as f64;
    }
    total.log2() - told / total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_counts_have_the_entropy_of_their_number() {
        for l in [2_u64, 3, 5, 7, 100] {
            for count in [1, 3, 7, 1_000_003] {
                let counts = vec![count; usize::try_from(l).unwrap()];
                assert!(allows(&counts, (l as f64).log2(), EntropyEstimator::Shannon), "{l} {count}");
                assert_eq!(most(&counts, (l as f64).log2()), l * count);
            }
        }
        assert!(!allows(&[5, 5, 4], 3_f64.log2(), EntropyEstimator::Shannon));
    }

    #[test]
    fn capping_keeps_the_most() {
        // Of 9 and 3, three each have one bit.
        assert_eq!(most(&[9, 3], 1.0), 6);
        assert_eq!(most(&[9], 1.0), 0);
    }

    #[test]
    fn both_forms_of_grassberger_meet() {
        let direct = |pairs: u64| -> f64 {
            (1..=pairs).map(|pair| 2.0 / (2.0 * pair as f64 - 1.0)).sum::<f64>()
                - 0.577_215_664_901_532_9
                - std::f64::consts::LN_2
        };
        for pairs in [65, 100, 5000] {
            assert!((grassberger(2 * pairs) - direct(pairs)).abs() < 1e-11, "{pairs}");
            assert!((grassberger(2 * pairs + 1) - direct(pairs)).abs() < 1e-11, "{pairs}");
        }
    }
}
