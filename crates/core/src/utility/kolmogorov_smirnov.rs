//! Kolmogorov–Smirnov distance: how far apart are the distributions of a column?
//!
//! The largest difference between the shares of values up to any point, before and after: 0 for equal distributions, 1 for
//! distributions that do not meet. Ranges stand for their typical value.
//!
//! Source: Kolmogorov 1933, Smirnov 1948. Spec: `specs/utility/kolmogorov-smirnov.md`.

use super::{Figure, MetricMember, sorted};
use crate::card::{Card, Promise};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "kolmogorov-smirnov",
        summary: "the largest difference between the distributions of each column",
        about: "The largest difference between the shares of values up to any point, 0 to 1. Needs no aligned records.",
        promises: &[Promise::ZeroOnItself, Promise::ZeroToOne],
        parameters: &[],
        source: "N. Smirnov, Table for estimating the goodness of fit of empirical distributions, 1948",
    },
    needs_alignment: false,
    in_reports: true,
    measure: |pair, _| {
        let figure = |(before, after): (&super::MeasuredColumn, &super::MeasuredColumn)| {
            Figure::of_column("distance", &before.name, distance(&before.values, &after.values))
        };
        pair.columns().map(figure).collect()
    },
};

/// The distance of two samples, of the values that are there; 0 when one of them is empty.
#[must_use]
pub fn distance(one: &[f64], other: &[f64]) -> f64 {
    let [one, other] = [one, other].map(sorted);
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let up_to =
        |sorted: &[f64], point: f64| sorted.partition_point(|value| *value <= point) as f64 / sorted.len() as f64;
    let apart = |point: &f64| (up_to(&one, *point) - up_to(&other, *point)).abs();
    one.iter().chain(&other).map(apart).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand() {
        let close = |one: &[f64], other: &[f64], expected: f64| {
            assert!((distance(one, other) - expected).abs() < 1e-12, "{one:?} {other:?}");
        };
        close(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 3.0, 4.0], 0.0);
        close(&[1.0, 2.0], &[3.0, 4.0], 1.0);
        close(&[1.0, 2.0, 3.0, 4.0], &[3.0, 3.0, 3.0, 4.0], 0.5);
        close(&[1.0], &[], 0.0);
    }
}
