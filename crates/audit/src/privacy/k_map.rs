//! k-map: `|class in the population| ≥ k`; or, of a sample, a class so large that this is likely.
//!
//! With a fraction of the population the released bytes show a class that is large enough: see [`least`].

use super::{Member, Model};

const TAKES: &str =
    "k-map takes k, a whole number from 2; or a fraction, an estimator and a significance besides; and nothing else";

pub(super) const MEMBER: Member = Member {
    name: "k-map",
    reads: |given| !given.has("fraction"),
    keys: &["k"],
    takes: TAKES,
    sentence: "k-map with k = {k}",
    claim: "every class holds {k} {unit} of the population or more",
    model: |given| {
        let k = given.several("k")?;
        Some(Model::of_population(move |_, population| population >= k))
    },
};

pub(super) const ESTIMATED: Member = Member {
    name: "k-map",
    reads: |given| given.has("fraction"),
    keys: &["k", "fraction", "estimator", "significance"],
    takes: TAKES,
    sentence: "estimated k-map with k = {k}, by classes of {least}",
    claim: "every class holds {least} {unit} or more, so that {k} of the population are likely",
    model: |given| {
        let is_truncated = given.said_choice("estimator", &[("poisson", false), ("zero-truncated-poisson", true)])?;
        let (k, fraction) = (given.several("k")?, given.positive_share("fraction")?);
        let sure = 1.0 - given.positive_share("significance")?.as_float();
        let least = least(k, fraction.as_float(), sure, is_truncated);
        Some(Model { words: vec![("least", least.to_string())], ..Model::of_size(least) })
    },
};

/// Beyond this k, k itself must be there.
const MOST: u64 = 10_000_000;

/// The smallest class of a sample for a k in the population, by the law that so many of k are drawn.
///
/// By a plain Poisson law it is two more than the first number that is not exceeded with enough certainty, by one without the
/// zero one more; never more than k.
fn least(k: u64, fraction: f64, sure: f64, is_truncated: bool) -> u64 {
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
}
