//! Moments: are means and variances still right?
//!
//! The shift of a column's mean in units of its original standard deviation, and the change of its variance as a share of
//! the original one. A column that was constant has no unit of its own; its changes then count as they are.
//!
//! Spec: `specs/utility/moments.md`.

use super::{Figure, MetricMember, mean_and_deviation};
use crate::card::{Card, Promise};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "moments",
        summary: "how far the mean and the variance of each column moved",
        about: "The shift of the mean is given in standard deviations of the original, the change of the variance as a \
                share of the original variance. Needs no aligned records.",
        promises: &[Promise::ZeroOnItself],
        parameters: &[],
        source: "J. Domingo-Ferrer, V. Torra, Disclosure control methods and information loss for microdata, 2001",
    },
    needs_alignment: false,
    in_reports: true,
    measure: |pair, _| {
        let figures = |(before, after): (&super::MeasuredColumn, &super::MeasuredColumn)| {
            let ((mean, deviation), (new_mean, new_deviation)) =
                (mean_and_deviation(&before.values), mean_and_deviation(&after.values));
            let (variance, new_variance) = (deviation.powi(2), new_deviation.powi(2));
            let shift = relative(new_mean - mean, deviation);
            let change = relative(new_variance - variance, variance);
            [
                Figure::of_column("shift of the mean", &before.name, shift).between(mean, new_mean),
                Figure::of_column("change of the variance", &before.name, change).between(variance, new_variance),
            ]
        };
        pair.columns().flat_map(figures).collect()
    },
};

/// The size of a difference in units; as it is where there is no unit.
pub(super) fn relative(difference: f64, unit: f64) -> f64 {
    if unit > 0.0 { difference.abs() / unit } else { difference.abs() }
}

#[cfg(test)]
mod tests {
    use super::super::{Comparison, MeasuredColumn, MeasuredTable};
    use super::*;

    #[test]
    fn moments_by_hand() {
        let table = |values: &[f64]| MeasuredTable {
            columns: vec![MeasuredColumn::exact("x", values.to_vec())],
            ..MeasuredTable::default()
        };
        let (before, after) = (table(&[0.0, 4.0]), table(&[3.0, 5.0]));
        let found =
            (MEMBER.measure)(&Comparison::new(&before, &after, false).unwrap(), &crate::card::Parameters::new());
        // Means 2 and 4, variances 4 and 1.
        assert_eq!(found.iter().map(|figure| figure.value).collect::<Vec<_>>(), [1.0, 0.75]);
    }
}
