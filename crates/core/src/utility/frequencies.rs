//! Frequencies: how often does each value occur, before and after?
//!
//! Both tables are shares of the original's records over the original's values. A label that stands for several values is
//! spread evenly over them. What the release does not tell is no value and has shares of its own: `*` (unknown), labels
//! that no value is known to have (unmatched), and records that are not there (withheld).
//!
//! The distance is the total variation distance: half the sum of all differences. It is the share of the records that
//! would have to change to make one table of the other. So it is 0 where nothing changed, and 1 where every cell is `*`.
//! Where the release has more records than the original, shares after are those of its own records.
//!
//! Spec: `specs/utility/frequencies.md`.

use super::categories::{CategoryColumn, Meaning};
use super::{Figure, MetricMember};
use crate::card::{Card, Promise};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "frequencies",
        summary: "how far the frequencies of the values of each column moved",
        about: "The total variation distance between the values before and after, 0 to 1: the share of the records that \
                would have to change to make one of the other. A label that stands for several values counts evenly for \
                each of them; `*` and withheld records count as moved. Needs no aligned records.",
        promises: &[Promise::ZeroOnItself, Promise::ZeroToOne],
        parameters: &[],
        source: "D. A. Levin, Y. Peres, E. L. Wilmer, Markov chains and mixing times, 2009, ch. 4",
    },
    needs_alignment: false,
    in_reports: false,
    measure: |pair, _| {
        let columns = pair.original.categories.iter().zip(&pair.released.categories);
        let figure = |(before, after): (&CategoryColumn, &CategoryColumn)| {
            let found = Frequencies::of_columns(before, after);
            Figure::of_column("total variation distance", before.name.as_str(), found.distance())
        };
        columns.map(figure).collect()
    },
};

/// The values of a column before and after, as shares of the original's records.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frequencies {
    /// Before.
    pub original: TableShares,
    /// After.
    pub released: TableShares,
    /// The share of records that are not there.
    pub withheld: f64,
}

/// One of both tables, as shares of records.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableShares {
    /// Of each value.
    pub values: Vec<f64>,
    /// With a label that stands for one value.
    pub exact: f64,
    /// With a label that stands for several.
    pub grouped: f64,
    /// With `*`.
    pub unknown: f64,
    /// With a label that no value of the original is known to have.
    pub unmatched: f64,
}

impl Frequencies {
    /// From how often each label occurs before and after, over so many values.
    #[must_use]
    pub fn new(values: usize, original: &[(&Meaning, u64)], released: &[(&Meaning, u64)]) -> Self {
        let [before, after]: [u64; 2] = [original, released].map(|labels| labels.iter().map(|(_, count)| count).sum());
        let whole = before.max(after);
        Self {
            original: TableShares::new(values, original, before),
            released: TableShares::new(values, released, whole),
            withheld: share(whole - after, whole),
        }
    }

    /// The two columns of a comparison.
    #[must_use]
    pub fn of_columns(before: &CategoryColumn, after: &CategoryColumn) -> Self {
        let [old, new] = [before, after].map(|column| column.labels.iter().zip(column.counts()).collect::<Vec<_>>());
        Self::new(before.values as usize, &old, &new)
    }

    /// The total variation distance.
    #[must_use]
    pub fn distance(&self) -> f64 {
        let Self { original, released, withheld } = self;
        let values = original.values.iter().zip(&released.values).map(|(before, after)| (before - after).abs());
        let unknown = (original.unknown - released.unknown).abs();
        let unmatched = (original.unmatched - released.unmatched).abs();
        let half = (values.sum::<f64>() + unknown + unmatched + withheld) / 2.0;
        // The last digits of sums over many values mean nothing, and all is to be all.
        ((half * DIGITS).round() / DIGITS).clamp(0.0, 1.0)
    }
}

impl TableShares {
    fn new(values: usize, labels: &[(&Meaning, u64)], whole: u64) -> Self {
        let part = |is_meant: fn(&Meaning) -> bool| {
            let meant = labels.iter().filter(|(meaning, _)| is_meant(meaning));
            share(meant.map(|(_, count)| count).sum(), whole)
        };
        Self {
            values: records_of_values(labels, values)
                .into_iter()
                .map(|records| records / whole.max(1) as f64)
                .collect(),
            exact: part(|meaning| meaning.size() == 1),
            grouped: part(|meaning| meaning.size() > 1),
            unknown: part(|meaning| *meaning == Meaning::Unknown),
            unmatched: part(|meaning| *meaning == Meaning::Unmatched),
        }
    }
}

/// So many parts of one are told apart.
const DIGITS: f64 = 1e12;

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The records of each value, those of a label spread evenly over its values.
fn records_of_values(labels: &[(&Meaning, u64)], values: usize) -> Vec<f64> {
    let mut single = vec![0_u64; values];
    // What a run adds begins where it starts and ends where it ends.
    let mut steps = vec![0.0; values + 1];
    for (meaning, count) in labels {
        match (meaning.size(), meaning.runs()) {
            (0, _) => {}
            (1, [run, ..]) => single[run.start as usize] += count,
            (size, runs) => {
                let each = *count as f64 / size as f64;
                for run in runs {
                    steps[run.start as usize] += each;
                    steps[run.end as usize] -= each;
                }
            }
        }
    }
    let mut level = 0.0;
    let with_steps = single.into_iter().zip(steps).map(|(single, step)| {
        level += step;
        single as f64 + f64::max(level, 0.0)
    });
    with_steps.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-12
    }

    fn found(original: &[u64], released: &[(&Meaning, u64)]) -> Frequencies {
        let values: Vec<Meaning> = (0..).zip(original).map(|(place, _)| Meaning::value(place)).collect();
        let before: Vec<(&Meaning, u64)> = values.iter().zip(original.iter().copied()).collect();
        Frequencies::new(original.len(), &before, released)
    }

    #[test]
    fn a_label_counts_evenly_for_the_values_it_may_be() {
        // Before: 6 a, 3 b, 1 c. After: 8 "a or b", 1 `*`, 1 withheld.
        let ab = Meaning::among(vec![1, 0]);
        let found = found(&[6, 3, 1], &[(&ab, 8), (&Meaning::Unknown, 1)]);
        let TableShares { values, grouped, unknown, .. } = &found.released;
        assert!(near(values[0], 0.4) && near(values[1], 0.4) && near(values[2], 0.0));
        assert!(near(*grouped, 0.8) && near(*unknown, 0.1) && near(found.withheld, 0.1));
        // |0.6 − 0.4| + |0.3 − 0.4| + |0.1 − 0| + 0.1 + 0.1 = 0.6.
        assert!(near(found.distance(), 0.3), "{found:?}");
    }

    #[test]
    fn stars_alone_are_as_far_as_can_be() {
        assert!(near(found(&[3, 2], &[(&Meaning::Unknown, 5)]).distance(), 1.0));
        assert!(near(found(&[3, 2], &[(&Meaning::Unmatched, 5)]).distance(), 1.0));
        assert!(near(found(&[3, 2], &[]).distance(), 1.0));
        assert!(near(found(&[], &[]).distance(), 0.0));
    }

    #[test]
    fn more_records_than_before_are_shares_of_their_own() {
        let (one, two) = (Meaning::value(0), Meaning::value(1));
        let found = found(&[1, 1], &[(&one, 2), (&two, 2)]);
        assert!(near(found.distance(), 0.0) && near(found.withheld, 0.0));
    }

    #[test]
    fn runs_of_values_add_up() {
        let (low, high, all) = (Meaning::among((0..3).collect()), Meaning::among((2..5).collect()), Meaning::value(4));
        let found = found(&[1, 1, 1, 1, 1], &[(&low, 3), (&high, 3), (&all, 2)]);
        let expected = [1.0, 1.0, 2.0, 1.0, 3.0].map(|count| count / 8.0);
        assert!(found.released.values.iter().zip(expected).all(|(one, other)| near(*one, other)), "{found:?}");
    }
}
