//! What new values tell of the old ones, in bits: the estimator by which variables with new values have goods.
//!
//! Let X be the old value of a record and Y the new one, both cut into cells. What Y tells of X is the mutual information, and
//! what it does not tell is the rest of the entropy:
//!
//! > told = H(X) + H(Y) − H(X, Y), untold = H(X, Y) − H(Y), told + untold = H(X).
//!
//! **Two readers.** Somebody who takes a new value at its face reads it *by a grid*: old values and new ones are cut into cells of
//! as many records each. Somebody who knows which records got their values together reads it *by ranks*: each value
//! is replaced by its rank in its segment, and ranks are cut. A user is the first. An intruder is whichever leaves less untold.
//!
//! **How fine.** Cells are halved as long as the pairs of cells that occur hold `RECORDS_A_PAIR` records on average. What finer
//! cells would tell, or not, is credited to neither side: told + untold is then less than the entropy of the column.
//!
//! **How exact.** Entropies have the correction of Miller and Madow, (pairs that occur − 1)/2n nats. The error is the standard error
//! of the mean over records; it does not know that records of a segment hang together.
//!
//! Source: Shannon 1948; Miller 1955 for the correction; the two readers are our own.

use super::{Offer, Points};
use crate::risk::linkage::rank_ranges;
use crate::statistics::complete;
use crate::walk::runs;

/// The records that a pair of cells must hold on average.
const RECORDS_A_PAIR: usize = 5;

/// What new values tell of the old ones, in bits.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ToldBits {
    /// The mutual information.
    pub told: f64,
    /// Its standard error.
    pub told_error: f64,
    /// The entropy of the old cells that is left.
    pub untold: f64,
    /// Its standard error.
    pub untold_error: f64,
}

/// What both readers read.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NewValueReading {
    /// Who takes new values at their face.
    pub grid: ToldBits,
    /// Who knows which records got their values together.
    pub ranks: ToldBits,
}

impl NewValueReading {
    /// Reads a column before and after, in record order; `segment` is the number of neighbouring records that got their values
    /// together, if not all did. Missing values are left out.
    #[must_use]
    pub fn new(before: &[f64], after: &[f64], segment: Option<usize>) -> Self {
        let (before, after) = complete(before, after);
        Self { grid: by_grid(&before, &after), ranks: by_ranks(&before, &after, segment) }
    }

    /// What neither a grid nor ranks tell an intruder.
    #[must_use]
    pub fn untold(&self) -> (f64, f64) {
        let least = if self.ranks.untold < self.grid.untold { self.ranks } else { self.grid };
        (least.untold, least.untold_error)
    }
}

/// A variable with new values on the market: what it has as collected, and at each of its levels.
#[must_use]
pub fn offer_of_new_values(
    name: &str,
    entropy: f64,
    points: Points,
    readings: &[NewValueReading],
    units_per_bit: f64,
) -> Offer {
    let told = readings.iter().map(|reading| (units_per_bit * reading.grid.told).min(entropy));
    let entropies: Vec<f64> = std::iter::once(entropy).chain(told).collect();
    let rest = readings.iter().zip(&entropies[1..]);
    let untold = rest.map(|(reading, told)| (units_per_bit * reading.untold().0).min(entropy - told));
    let untold = std::iter::once(0.0).chain(untold).collect();
    // A method that gives new values leaves no column as collected.
    Offer { untold, min_level: 1.min(readings.len()), ..Offer::new(name, entropies, points) }
}

/// Old values and new ones, each cut so that its cells hold as many records as ties permit.
fn by_grid(before: &[f64], after: &[f64]) -> ToldBits {
    let [old, new] = [before, after].map(|values| {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted
    });
    let cells = |count: usize| {
        let cut = |values: &[f64], sorted: &[f64]| {
            let mut cuts: Vec<f64> = (1..count).map(|cut| sorted[cut * sorted.len() / count]).collect();
            cuts.dedup();
            values.iter().map(|value| cuts.partition_point(|cut| cut <= value)).collect::<Vec<usize>>()
        };
        cut(before, &old).into_iter().zip(cut(after, &new)).collect()
    };
    finest(before.len(), before.len(), cells)
}

/// Ranks within segments, cut evenly.
fn by_ranks(before: &[f64], after: &[f64], segment: Option<usize>) -> ToldBits {
    let mut places: Vec<[(usize, usize); 2]> = Vec::with_capacity(before.len());
    let mut most = 1;
    for run in runs(before.len(), segment.unwrap_or(usize::MAX)) {
        let [old, new] = [before, after].map(|values| rank_ranges(&values[run.clone()]));
        // Twice the rank in the middle, of twice as many: equal values share it.
        let place = |(low, high): (usize, usize)| (low + high, 2 * run.len());
        places.extend(old.into_iter().zip(new).map(|(old, new)| [place(old), place(new)]));
        most = most.max(run.len());
    }
    let cells = |count: usize| {
        let cell = |(place, whole): (usize, usize)| place * count / whole;
        places.iter().map(|pair| (cell(pair[0]), cell(pair[1]))).collect()
    };
    finest(most, before.len(), cells)
}

/// What the finest cells tell that the records can bear, of at most so many.
fn finest(most: usize, records: usize, cells: impl Fn(usize) -> Vec<(usize, usize)>) -> ToldBits {
    let doublings =
        std::iter::successors(Some(2_usize), |count| count.checked_mul(2)).take_while(|count| *count < most);
    let mut best = ToldBits::default();
    for count in doublings.chain((most > 1).then_some(most)) {
        let pairs = PairCounts::new(cells(count));
        if pairs.both.len() * RECORDS_A_PAIR > records && count > 2 {
            break;
        }
        best = pairs.told();
    }
    best
}

/// How many records have each pair of cells, each old cell and each new one.
struct PairCounts {
    both: Vec<((usize, usize), f64)>,
    old: Vec<f64>,
    new: Vec<f64>,
    records: f64,
}

impl PairCounts {
    fn new(mut pairs: Vec<(usize, usize)>) -> Self {
        let cells = pairs.iter().map(|&(old, new)| old.max(new) + 1).max().unwrap_or(0);
        let (mut old, mut new) = (vec![0.0; cells], vec![0.0; cells]);
        for &(before, after) in &pairs {
            old[before] += 1.0;
            new[after] += 1.0;
        }
        pairs.sort_unstable();
        let both = pairs.chunk_by(|one, other| one == other).map(|equal| (equal[0], equal.len() as f64)).collect();
        Self { both, old, new, records: pairs.len() as f64 }
    }

    fn told(&self) -> ToldBits {
        let [old, new] = [&self.old, &self.new].map(|counts| self.entropy(counts.iter().copied()));
        let both = self.entropy(self.both.iter().map(|(_, count)| *count));
        let told = |&((before, after), count): &((usize, usize), f64)| {
            (count, (count * self.records / (self.old[before] * self.new[after])).log2())
        };
        let untold = |&((_, after), count): &((usize, usize), f64)| (count, (self.new[after] / count).log2());
        ToldBits {
            told: (old + new - both).clamp(0.0, old),
            told_error: self.error(self.both.iter().map(told)),
            untold: (both - new).clamp(0.0, old),
            untold_error: self.error(self.both.iter().map(untold)),
        }
    }

    /// The entropy of counts in bits, corrected for their number.
    fn entropy(&self, counts: impl Iterator<Item = f64>) -> f64 {
        let (mut plain, mut cells) = (0.0, 0.0);
        for count in counts.filter(|count| *count > 0.0) {
            plain += count * (self.records / count).log2();
            cells += 1.0;
        }
        (plain + (cells - 1.0) / 2.0 * std::f64::consts::LOG2_E) / self.records
    }

    /// The standard error of the mean of what so many records tell each.
    fn error(&self, told: impl Iterator<Item = (f64, f64)>) -> f64 {
        let (sum, squares) =
            told.fold((0.0, 0.0), |(sum, squares), (count, bits)| (sum + count * bits, squares + count * bits * bits));
        let mean = sum / self.records;
        ((squares / self.records - mean * mean).max(0.0) / self.records).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    fn uniform(count: usize, stream: u64) -> Vec<f64> {
        let mut stream = Seed::from(7).stream(stream);
        (0..count).map(|_| stream.unit()).collect()
    }

    fn near(found: f64, expected: f64, by: f64, words: &str) {
        assert!((found - expected).abs() <= by, "{words}: {found} instead of {expected}");
    }

    /// New ranks within runs of `block`, which is what a reader of ranks cannot tell apart.
    fn shuffled(values: &[f64], segment: usize, block: usize, seed: u64) -> Vec<f64> {
        let mut stream = Seed::from(seed).stream(0);
        let mut after = values.to_vec();
        for start in (0..values.len()).step_by(segment) {
            let mut order: Vec<usize> = (start..(start + segment).min(values.len())).collect();
            order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
            for run in order.chunks(block) {
                let mut dealt: Vec<f64> = run.iter().map(|&record| values[record]).collect();
                for last in (1..dealt.len()).rev() {
                    dealt.swap(last, stream.below(last + 1));
                }
                run.iter().zip(dealt).for_each(|(&record, value)| after[record] = value);
            }
        }
        after
    }

    /// X uniform on [0, 1] and noise uniform on [−a, a]: I = h(X + noise) − h(noise) = a log₂ e − log₂ 2a for a ≤ 1/2.
    #[test]
    fn uniform_noise_tells_what_its_closed_form_says() {
        let before = uniform(100_000, 0);
        for a in [0.02, 0.05, 0.1, 0.25, 0.5] {
            let noise = uniform(100_000, 1);
            let after: Vec<f64> =
                before.iter().zip(noise).map(|(value, noise)| value + a * (2.0 * noise - 1.0)).collect();
            let found = NewValueReading::new(&before, &after, None).grid;
            let expected = a * std::f64::consts::LOG2_E - (2.0 * a).log2();
            // Cells and the ends of the grid lose a little; nothing is found that is not there.
            assert!(found.told < expected + 3.0 * found.told_error, "{a}: {found:?} is more than {expected}");
            near(found.told, expected, 0.08 + 3.0 * found.told_error, "told");
        }
    }

    /// Ranks that are shuffled within blocks of b of n: log₂ (n/b) bits are told and log₂ b are not.
    #[test]
    fn shuffled_ranks_tell_what_their_closed_form_says() {
        let before = uniform(64 * 400, 2);
        for block in [1, 2, 4, 8] {
            let after = shuffled(&before, 64, block, 3);
            let found = NewValueReading::new(&before, &after, Some(64)).ranks;
            near(found.told, (64.0 / block as f64).log2(), 0.01, "told");
            near(found.untold, (block as f64).log2(), 0.01, "untold");
        }
        // All of a segment: nothing is told, and as much is untold as the records can show.
        let found = NewValueReading::new(&before, &shuffled(&before, 64, 64, 3), Some(64)).ranks;
        near(found.told, 0.0, 0.02, "told");
        near(found.untold, 6.0, 0.02, "untold");
    }

    #[test]
    fn whoever_keeps_the_order_leaves_nothing_untold_to_ranks() {
        let before = uniform(5_000, 4);
        // Every segment has a map of its own, as a walk that keeps the order has.
        let scale = uniform(50, 5);
        let after: Vec<f64> = before
            .iter()
            .enumerate()
            .map(|(record, value)| scale[record / 100] + value * scale[49 - record / 100])
            .collect();
        let found = NewValueReading::new(&before, &after, Some(100));
        assert_eq!((found.ranks.untold, found.untold().0), (0.0, 0.0), "{found:?}");
        near(found.ranks.told, 100_f64.log2(), 0.05, "told by ranks");
        assert!(found.grid.untold > 1.0 && found.grid.told < 3.0, "at their face they tell less: {found:?}");
    }

    #[test]
    fn equal_columns_tell_all_and_strangers_nothing() {
        let before = uniform(20_000, 6);
        let same = NewValueReading::new(&before, &before, None).grid;
        assert!(same.untold < 0.01 && same.told > 11.0, "{same:?}");
        let other = NewValueReading::new(&before, &uniform(20_000, 8), None);
        assert!(other.grid.told < 0.03 && other.ranks.told < 0.03, "{other:?}");
        // Few values, each with a cell of its own: the entropy as collected comes out.
        let few: Vec<f64> = before.iter().map(|value| (value * 4.0).floor()).collect();
        near(NewValueReading::new(&few, &few, None).grid.told, 2.0, 0.001, "four values");
        for constant in [vec![], vec![1.0], vec![3.0; 40]] {
            near(NewValueReading::new(&constant, &constant, Some(10)).grid.told, 0.0, 0.0, "a constant");
        }
        assert_eq!(NewValueReading::new(&[1.0, f64::NAN], &[f64::NAN, 2.0], None), NewValueReading::default());
    }

    /// The error that is told is the one that draws have.
    #[test]
    fn the_error_is_that_of_the_draws() {
        let found: Vec<ToldBits> = (0..60)
            .map(|draw| {
                let before = uniform(2_000, 100 + draw);
                let noise = uniform(2_000, 200 + draw);
                let after: Vec<f64> = before.iter().zip(noise).map(|(value, noise)| value + noise - 0.5).collect();
                NewValueReading::new(&before, &after, None).grid
            })
            .collect();
        let mean = found.iter().map(|one| one.told).sum::<f64>() / 60.0;
        let spread = (found.iter().map(|one| (one.told - mean).powi(2)).sum::<f64>() / 59.0).sqrt();
        let told = found.iter().map(|one| one.told_error).sum::<f64>() / 60.0;
        assert!((0.6..1.7).contains(&(spread / told)), "{spread} where {told} was told");
    }
}
