//! What two releases have in common by chance.
//!
//! Nothing in a release names a person, so two releases of the same people and two of different people differ in degree
//! only: in how much their classes have in common. The measure is what they would have in common if the records of both
//! were dealt out to them at random.

use super::{CombinationCounts, Groups};
use crate::factorial::ln_factorial;

/// What is less probable than this is no chance.
const CHANCE: f64 = 0.01;

/// Releases with fewer people in common than this share are of different people.
const FEW: f64 = 0.1;

/// How many standard deviations the share may be off: one side of 95 %.
const DEVIATIONS: f64 = 1.64;

/// Whether so many of these trials succeed by chance, given how many are expected to. The trials need not be alike.
///
/// Source: the bound of Hoeffding, On the distribution of the number of successes in independent trials, 1956.
pub(super) fn is_chance(successes: u64, trials: u64, expected: f64) -> bool {
    let (share, expected) = (successes as f64 / trials as f64, expected / trials as f64);
    trials == 0 || share <= expected || trials as f64 * divergence(share, expected) < -CHANCE.ln()
}

/// The divergence of two coins, in nats.
fn divergence(share: f64, expected: f64) -> f64 {
    let term = |a: f64, b: f64| if a > 0.0 { a * (a / b).ln() } else { 0.0 };
    term(share, expected) + term(1.0 - share, 1.0 - expected)
}

/// How probable it is that one class contains another when their records are dealt out at random.
pub(super) fn of_containing(small: &CombinationCounts, large: &CombinationCounts) -> f64 {
    let share = size(small) as f64 / (size(small) + size(large)) as f64;
    values(small, large).map(|[inside, outside]| at_most_half(inside + outside, share)).product()
}

/// The probability that at most half of so many trials succeed.
fn at_most_half(count: u64, share: f64) -> f64 {
    let trials = count as f64;
    if count > 1000 {
        let spread = (trials * share * (1.0 - share)).sqrt().max(f64::MIN_POSITIVE);
        return normal((trials / 2.0 + 0.5 - trials * share) / spread);
    }
    let odds = share / (1.0 - share);
    let mut term = (1.0 - share).powf(trials);
    let mut sum = term;
    for successes in 1..=count / 2 {
        term *= odds * ((count - successes + 1) as f64) / successes as f64;
        sum += term;
    }
    sum.min(1.0)
}

/// The normal distribution, to three digits (Pólya's approximation).
fn normal(x: f64) -> f64 {
    let half = (1.0 - (-2.0 * x * x / std::f64::consts::PI).exp()).max(0.0).sqrt() / 2.0;
    0.5 + half.copysign(x)
}

/// Whether few people can be in both releases. With all of them in both, classes would have in common as much as the
/// smaller one holds; with none, what chance gives. Where they are on that way tells the share of people in both; it is
/// taken as high as it may be by the spread of chance, so small releases are never those of different people.
pub(super) fn are_strangers(ours: &Groups, theirs: &Groups) -> bool {
    let (mut above, mut possible, mut variance) = (0.0, 0.0, 0.0);
    for (key, new) in ours {
        let Some(old) = theirs.get(key) else { continue };
        possible += size(new).min(size(old)) as f64;
        for [mine, yours] in values(new, old) {
            let (mean, spread) = dealt(mine + yours, size(new), size(old));
            above += mine.min(yours) as f64 - mean;
            possible -= mean;
            variance += spread;
        }
    }
    above + DEVIATIONS * variance.sqrt() < FEW * possible
}

/// Mean and variance of what two classes have in common of a value that occurs `count` times in both, when the records
/// of both are dealt out at random: a hypergeometric draw.
fn dealt(count: u64, mine: u64, yours: u64) -> (f64, f64) {
    let lowest = count.saturating_sub(yours);
    let highest = count.min(mine);
    let ways =
        |drawn: u64| choose(count, drawn) + choose(mine + yours - count, mine - drawn) - choose(mine + yours, mine);
    let (mut mean, mut square) = (0.0, 0.0);
    for drawn in lowest..=highest {
        let (chance, common) = (ways(drawn).exp(), drawn.min(count - drawn) as f64);
        mean += chance * common;
        square += chance * common * common;
    }
    (mean, (square - mean * mean).max(0.0))
}

/// The logarithm of the number of ways to choose.
fn choose(from: u64, some: u64) -> f64 {
    ln_factorial(from) - ln_factorial(some) - ln_factorial(from - some)
}

fn size(counts: &CombinationCounts) -> u64 {
    counts.values().sum()
}

/// How often each value occurs in the one and in the other.
fn values<'a>(one: &'a CombinationCounts, other: &'a CombinationCounts) -> impl Iterator<Item = [u64; 2]> + 'a {
    let of_one = one.iter().map(|(values, count)| [*count, other.get(values).copied().unwrap_or(0)]);
    let of_other = other.iter().filter(|(values, _)| !one.contains_key(*values)).map(|(_, count)| [0, *count]);
    of_one.chain(of_other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_trials() {
        for (count, share, expected) in
            [(1, 0.5, 0.5), (2, 0.5, 0.75), (3, 0.5, 0.5), (1, 0.25, 0.75), (4, 0.25, 0.949)]
        {
            assert!((at_most_half(count, share) - expected).abs() < 1e-3, "{count} {share}");
        }
        for share in [0.4, 0.49, 0.5, 0.51] {
            assert!((at_most_half(1000, share) - at_most_half(1001, share)).abs() < 0.03, "{share}");
        }
    }

    #[test]
    fn what_is_expected_is_chance() {
        assert!(is_chance(30, 100, 30.0) && is_chance(35, 100, 30.0) && is_chance(0, 0, 0.0) && is_chance(1, 1, 0.2));
        assert!(!is_chance(60, 100, 30.0) && !is_chance(20, 20, 10.0));
    }

    #[test]
    fn dealing_out_at_random() {
        // Two records of one value among four, dealt out to two hands of two: one each in four of six ways.
        let (mean, variance) = dealt(2, 2, 2);
        assert!((mean - 2.0 / 3.0).abs() < 1e-9 && (variance - 2.0 / 9.0).abs() < 1e-9, "{mean} {variance}");
        // A class with one value only has in common what its sizes say.
        let (mean, variance) = dealt(70, 30, 40);
        assert!((mean - 30.0).abs() < 1e-6 && variance < 1e-6, "{mean} {variance}");
    }
}
