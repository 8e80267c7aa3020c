//! Who is in the population besides: shares of it, and the smallest class that an estimate takes for a safe one.

use crate::decimal::Decimal;

/// Beyond this k, k itself must be there.
const MOST: u64 = 10_000_000;

/// The smallest class of a sample for a k in the population, by the law that so many of k are drawn.
///
/// By a plain Poisson law it is two more than the first number that is not exceeded with enough certainty, by one without the
/// zero one more; never more than k.
pub(super) fn least(k: u64, fraction: f64, sure: f64, is_truncated: bool) -> u64 {
    if k > MOST {
        return k;
    }
    let mean = k as f64 * fraction;
    let (none, mut logarithm) = ((-mean).exp(), 0.0);
    let (mut sum, whole) = if is_truncated { (0.0, 1.0 - none) } else { (none, 1.0) };
    let mut drawn = 0_u64;
    loop {
        let is_enough = sum >= sure * whole && (drawn > 0 || !is_truncated);
        if is_enough || drawn >= k {
            return k.min(drawn + if is_truncated { 1 } else { 2 });
        }
        drawn += 1;
        // The logarithm of mean^drawn / drawn!
        logarithm += mean.ln() - (drawn as f64).ln();
        sum += (logarithm - mean).exp();
    }
}

/// Whether so many are at least `min` and at most `max` of others; what cannot be compared exactly is not.
pub(crate) fn is_within(people: u64, population: u64, min: Decimal, max: Decimal) -> bool {
    let compare = |share: Decimal| {
        let [numerator, denominator] = share.ratio()?;
        Some((u128::from(people).checked_mul(denominator)?, u128::from(population).checked_mul(numerator)?))
    };
    let is_enough = compare(min).is_some_and(|(people, least)| people >= least);
    is_enough && compare(max).is_some_and(|(people, most)| people <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a mean of a half: 0.6065, 0.9098, 0.9856 up to none, one and two; without none 0.7707 and 0.9634 up to one and two.
    #[test]
    fn cases_by_hand() {
        assert_eq!([least(5, 0.1, 0.95, false), least(5, 0.1, 0.95, true)], [4, 3]);
        assert_eq!([least(5, 0.1, 0.90, false), least(3, 1.0, 0.95, false), least(2, 0.5, 0.0, false)], [3, 3, 2]);
        assert_eq!(least(100_000, 0.1, 0.95, true), 10_166);
        assert_eq!(least(u64::MAX, 1.0, 0.95, true), u64::MAX);
    }

    #[test]
    fn shares_are_exact() {
        let number = |text: &str| Decimal::collected(text).unwrap();
        let within = |people, population| is_within(people, population, number("0.2"), number("0.6"));
        assert_eq!(
            [(1, 5), (3, 5), (4, 5), (0, 5), (0, 0)].map(|(n, p)| within(n, p)),
            [true, true, false, false, true]
        );
        assert!(!within(u64::MAX, u64::MAX));
    }
}
