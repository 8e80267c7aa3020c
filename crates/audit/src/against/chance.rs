//! What two releases have in common by chance.
//!
//! Nothing in a release names a person, so two releases of the same people and two of different people differ in degree
//! only: in how much their classes have in common. The measure is what they would have in common if the records of both
//! were dealt out to them at random.

use super::side::Counts;
use crate::factorial::ln_factorial;

/// Releases with fewer people in common than this share are of different people.
const FEW: f64 = 0.1;

/// How many standard deviations the share may be off: one side of 95 %.
const DEVIATIONS: f64 = 1.64;

/// Whether few people can be in both releases, by what their meetings hold in each. With all of them in both, meetings would have in
/// common as much as the smaller one holds; with none, what chance gives. Where they are on that way tells the share of
/// people in both; it is taken as high as it may be by the spread of chance, so small releases are never those of
/// different people.
pub(super) fn are_strangers(meetings: impl Iterator<Item = [Counts; 2]>) -> bool {
    let (mut above, mut possible, mut variance) = (0.0, 0.0, 0.0);
    for [new, old] in meetings {
        possible += size(&new).min(size(&old)) as f64;
        for [mine, yours] in values(&new, &old) {
            let (mean, spread) = dealt(mine + yours, size(&new), size(&old));
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

fn size(counts: &Counts) -> u64 {
    counts.values().sum()
}

/// How often each value occurs in the one and in the other.
fn values(one: &Counts, other: &Counts) -> impl Iterator<Item = [u64; 2]> {
    let of_one = one.iter().map(|(values, count)| [*count, other.get(values).copied().unwrap_or(0)]);
    let of_other = other.iter().filter(|(values, _)| !one.contains_key(values)).map(|(_, count)| [0, *count]);
    of_one.chain(of_other)
}

#[cfg(test)]
mod tests {
    use super::*;

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
