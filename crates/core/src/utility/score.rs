//! The score of Domingo-Ferrer and Torra: information loss and disclosure risk in one number.
//!
//! The score is the mean of both; less is better. *Information loss* is the mean of five relative changes: of the values,
//! of the means of the columns, of their covariances, of their variances, and of their correlations (absolute, as they
//! have no unit). *Disclosure risk* is the mean of two shares: of the values that lie in an interval around the released
//! one, for intervals of 1 to 10 per cent of the ranks, and of the records that are nearest to their own original.
//!
//! A relative change of something near zero would be endless. So a value and a mean count with at least a hundredth of the
//! range of their column, and a covariance with at least a hundredth of the product of the standard deviations.
//!
//! Limits. The published risk counts distance linkage and probabilistic linkage a quarter each; probabilistic linkage is
//! not made here, and distance linkage counts for both. Published scores are these times 100. A table compared with itself
//! scores 0.5: nothing is lost, and everybody is found. Loss has no upper end.
//!
//! Source: Domingo-Ferrer & Torra 2001, whose parts and weights these are as later comparisons report them; floors are ours. Spec: `specs/utility/score.md`.

use super::correlation::coefficient;
use super::distortion::{distortion, floor};
use super::moments::relative;
use super::{Comparison, Figure, MeasuredTable, MetricMember, complete, mean_and_deviation, sorted};
use crate::card::{Card, Promise};
use crate::risk::linkage::by_distance;

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "score",
        summary: "information loss and disclosure risk in one number, by Domingo-Ferrer and Torra",
        about: "The mean of information loss and disclosure risk; less is better, and 0.5 is what a table scores beside \
                itself. Loss is the mean relative change of values, means, covariances, variances and correlations. Risk \
                is the mean of interval disclosure and distance linkage. Use it to rank releases of the same table, not \
                to say that one of them is safe.",
        promises: &[Promise::InWords("0.5 for a table compared with itself")],
        parameters: &[],
        source: "J. Domingo-Ferrer, V. Torra, A quantitative comparison of disclosure control methods for microdata, 2001",
    },
    needs_alignment: true,
    in_reports: false,
    measure: |pair, _| {
        if pair.original.columns.is_empty() {
            return Vec::new();
        }
        let losses = losses(pair);
        let risks = risks(pair);
        let [loss, risk] = [&losses[..], &risks[..]].map(|parts| mean(parts.iter().map(|(_, value)| *value)));
        let whole = [("score", f64::midpoint(loss, risk)), ("information loss", loss), ("disclosure risk", risk)];
        whole.into_iter().chain(losses).chain(risks).map(|(name, value)| Figure::of_table(name, value)).collect()
    },
};

/// A hundredth: what a relative change is measured against at least.
const FLOOR: f64 = 0.01;

/// The widest interval around a released value, in per cent of the ranks.
const WIDEST: usize = 10;

fn losses(pair: &Comparison<'_>) -> [(&'static str, f64); 5] {
    let (before, after) = pair.values();
    let count = before.len();
    let means = before.iter().zip(&after).map(|(before, after)| {
        let [mean, new_mean] = [before, after].map(|column| mean_and_deviation(column).0);
        relative(new_mean - mean, mean.abs().max(floor(before)))
    });
    let covariances = (0..count).flat_map(|one| (one..count).map(move |other| (one, other)));
    let variances = (0..count).map(|one| (one, one));
    let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
    let correlation = |(one, other)| {
        let [old, new] = [pair.original, pair.released].map(|table| coefficient(table, one, other));
        (new - old).abs()
    };
    [
        ("change of the values", distortion(&before, &after)),
        ("change of the means", mean(means)),
        ("change of the covariances", mean(covariances.map(|places| covariance_change(pair, places)))),
        ("change of the variances", mean(variances.map(|places| covariance_change(pair, places)))),
        ("change of the correlations", mean(pairs.map(correlation))),
    ]
}

/// The relative change of the covariance of two columns.
fn covariance_change(pair: &Comparison<'_>, (one, other): (usize, usize)) -> f64 {
    let [old, new] = [pair.original, pair.released].map(|table| covariance(table, one, other));
    let deviation = |column: usize| mean_and_deviation(&pair.original.columns[column].values).1;
    relative(new - old, old.abs().max(FLOOR * deviation(one) * deviation(other)))
}

/// Over the records in which both are there.
fn covariance(table: &MeasuredTable, one: usize, other: usize) -> f64 {
    let (left, right) = complete(&table.columns[one].values, &table.columns[other].values);
    let [mean_of_left, mean_of_right] = [&left, &right].map(|column| mean_and_deviation(column).0);
    mean(left.iter().zip(&right).map(|(one, other)| (one - mean_of_left) * (other - mean_of_right)))
}

fn risks(pair: &Comparison<'_>) -> [(&'static str, f64); 2] {
    let (before, after) = pair.values();
    let in_interval = before.iter().zip(&after).map(|(before, after)| interval_disclosure(before, after));
    [("interval disclosure", mean(in_interval)), ("distance linkage", by_distance(&before, &after).share)]
}

/// The share of values that lie between the released values whose ranks are up to so many per cent away from that of their
/// own released value: the mean over 1 to 10 per cent.
fn interval_disclosure(before: &[f64], after: &[f64]) -> f64 {
    let (before, after) = complete(before, after);
    let sorted = sorted(&after);
    let share = |percent: usize| {
        let away = percent * sorted.len() / 100;
        let is_inside = |(before, after): (&f64, &f64)| {
            let low = sorted.partition_point(|value| value < after).saturating_sub(away);
            let high = (sorted.partition_point(|value| value <= after) + away).min(sorted.len());
            (sorted[low]..=sorted[high - 1]).contains(before)
        };
        mean(before.iter().zip(&after).map(|pair| f64::from(u8::from(is_inside(pair)))))
    };
    mean((1..=WIDEST).map(share))
}

/// 0 where there is nothing.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::super::MeasuredColumn;
    use super::*;
    use crate::card::Parameters;
    use crate::made_up::close;

    fn table(columns: &[&[f64]]) -> MeasuredTable {
        let column = |values: &&[f64]| MeasuredColumn::exact("x", values.to_vec());
        MeasuredTable::of_numbers(columns.iter().map(column).collect())
    }

    fn score(before: &[&[f64]], after: &[&[f64]]) -> Vec<f64> {
        let (before, after) = (table(before), table(after));
        let pair = Comparison::new(&before, &after, true).unwrap();
        MEMBER.measure(&pair, &Parameters::new()).unwrap().iter().map(|figure| figure.value).collect()
    }

    #[test]
    fn a_table_beside_itself_loses_nothing_and_gives_all_away() {
        let columns: [&[f64]; 2] = [&[1.0, 2.0, 3.0, f64::NAN], &[4.0, 1.0, 0.0, 2.0]];
        let found = score(&columns, &columns);
        assert_eq!(found[..3], [0.5, 0.0, 1.0]);
    }

    #[test]
    fn changes_of_two_columns_by_hand() {
        // Means 2 and 4 become 3 and 4; variances 1 and 4 become 4 and 4; the covariance of 2 becomes -4, and the
        // correlation of 1 becomes -1.
        let found = score(&[&[1.0, 3.0], &[2.0, 6.0]], &[&[1.0, 5.0], &[6.0, 2.0]]);
        close(found[3], (0.0 + 2.0 / 3.0 + 2.0 + 4.0 / 6.0) / 4.0);
        close(found[4], f64::midpoint(0.5, 0.0));
        close(found[5], (3.0 + 3.0 + 0.0) / 3.0);
        close(found[6], f64::midpoint(3.0, 0.0));
        close(found[7], 2.0);
        close(found[1], found[3..8].iter().sum::<f64>() / 5.0);
    }

    #[test]
    fn intervals_grow_with_their_share_of_the_ranks() {
        let before: Vec<f64> = (0..100).map(f64::from).collect();
        let moved = |by: f64| before.iter().map(|value| value + by).collect::<Vec<_>>();
        close(interval_disclosure(&before, &before), 1.0);
        // Four ranks away: inside in 7 of 10 widths. The first four are below every released value.
        close(interval_disclosure(&before, &moved(4.0)), 0.7 * 0.96);
        close(interval_disclosure(&before, &moved(50.0)), 0.0);
        close(interval_disclosure(&[], &[]), 0.0);
    }
}
