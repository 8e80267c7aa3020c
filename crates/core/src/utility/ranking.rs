//! Ranking: who comes before whom?
//!
//! Of all pairs of records that differ in a column, the share whose order came out the other way. Pairs that became equal are
//! not counted: nobody is put before the wrong one. Counted by merging, so a table of any length will do.
//!
//! Source: Xue et al. 2011 name ranking among the tasks that topology serves; the measure is Kendall's (1938), of discordant
//! pairs. Spec: `specs/utility/ranking.md`.

use super::{Figure, MeasuredColumn, MetricMember};
use crate::card::{Card, Promise};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "ranking",
        summary: "the share of pairs of records whose order came out the other way",
        about: "For each column, how many of the pairs of records with different values changed places: 0 means that a \
                ranking by this column is the same list, 1 that it is turned around, and one half that nothing is left of it.",
        promises: &[Promise::ZeroOnItself, Promise::ZeroToOne],
        parameters: &[],
        source: "M. G. Kendall, A new measure of rank correlation, Biometrika 30, 1938",
    },
    needs_alignment: true,
    in_reports: false,
    measure: |pair, _| {
        let figure = |(before, after): (&MeasuredColumn, &MeasuredColumn)| {
            let (pairs, turned) = compare(&before.values, &after.values);
            let share = if pairs == 0 { 0.0 } else { turned as f64 / pairs as f64 };
            let kept = (pairs - turned) as f64;
            Figure::of_column("share of pairs turned round", &before.name, share).between(pairs as f64, kept)
        };
        pair.columns().map(figure).collect()
    },
};

/// How many pairs of records differ before, and how many of these came out the other way.
#[must_use]
pub fn compare(before: &[f64], after: &[f64]) -> (u64, u64) {
    let both = before.iter().copied().zip(after.iter().copied());
    let mut both: Vec<(f64, f64)> = both.filter(|(before, after)| !(before + after).is_nan()).collect();
    both.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let pairs_of = |count: u64| count * count.saturating_sub(1) / 2;
    let equal: u64 = both.chunk_by(|one, other| one.0 >= other.0).map(|group| pairs_of(group.len() as u64)).sum();
    let mut values: Vec<f64> = both.iter().map(|(_, after)| *after).collect();
    (pairs_of(values.len() as u64) - equal, inversions(&mut values))
}

/// Sorts, and counts the pairs that stood the wrong way round.
fn inversions(values: &mut [f64]) -> u64 {
    if values.len() < 2 {
        return 0;
    }
    let (left, right) = values.split_at_mut(values.len() / 2);
    let mut count = inversions(left) + inversions(right);
    let (mut merged, mut left, mut right) = (Vec::with_capacity(left.len() + right.len()), &*left, &*right);
    while let (Some(one), Some(other)) = (left.first(), right.first()) {
        if one <= other {
            merged.push(*one);
            left = &left[1..];
        } else {
            merged.push(*other);
            right = &right[1..];
            count += left.len() as u64;
        }
    }
    merged.extend(left.iter().chain(right));
    values.copy_from_slice(&merged);
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_values_have_no_order() {
        assert_eq!(compare(&[1.0, 1.0, 2.0, f64::NAN], &[5.0, 3.0, 4.0, 0.0]), (2, 1));
        assert_eq!(compare(&[1.0, 2.0, 3.0], &[7.0, 7.0, 7.0]), (3, 0));
        assert_eq!(compare(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), (3, 3));
        assert_eq!(compare(&[], &[]), (0, 0));
    }

    proptest! {
        #[test]
        fn merging_counts_what_looking_at_every_pair_counts(both in proptest::collection::vec((0_u8..6, 0_u8..6), 0..40)) {
            let (before, after): (Vec<f64>, Vec<f64>) =
                both.iter().map(|(one, other)| (f64::from(*one), f64::from(*other))).unzip();
            let (mut pairs, mut turned) = (0, 0);
            for one in 0..both.len() {
                for other in one + 1..both.len() {
                    pairs += u64::from(before[one].total_cmp(&before[other]).is_ne());
                    turned += u64::from((before[one] - before[other]) * (after[one] - after[other]) < 0.0);
                }
            }
            prop_assert_eq!(compare(&before, &after), (pairs, turned));
        }
    }
}
