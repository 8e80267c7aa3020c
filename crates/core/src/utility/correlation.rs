//! Correlation: do columns still move together?
//!
//! Pearson's coefficient of each pair of columns, before and after, over the records in which both are there. A constant
//! column correlates with nothing.
//!
//! Spec: `specs/utility/correlation.md`.

use super::{Figure, MeasuredTable, MetricMember, complete, mean_and_deviation};
use crate::card::{Card, Promise};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "correlation",
        summary: "how far the correlation of each pair of columns moved",
        about: "The absolute difference of Pearson's coefficient before and after, 0 to 2. Needs no aligned records; a table \
                with one numeric column has no pair.",
        promises: &[Promise::ZeroOnItself],
        parameters: &[],
        source: "J. Domingo-Ferrer, V. Torra, Disclosure control methods and information loss for microdata, 2001",
    },
    needs_alignment: false,
    in_reports: true,
    measure: |pair, _| {
        let count = pair.original.columns.len();
        let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        let figure = |(one, other): (usize, usize)| {
            let [old, new] = [pair.original, pair.released].map(|numbers| coefficient(numbers, one, other));
            let name = [one, other].map(|place| pair.original.columns[place].name.as_str()).join(" × ");
            Figure::of_column("change of the coefficient", name, (new - old).abs()).between(old, new)
        };
        pairs.map(figure).collect()
    },
};

pub(super) fn coefficient(numbers: &MeasuredTable, one: usize, other: usize) -> f64 {
    of_values(&numbers.columns[one].values, &numbers.columns[other].values).unwrap_or(0.0)
}

/// Pearson's coefficient over the records in which both are there; `None` where one does not vary.
pub(super) fn of_values(left: &[f64], right: &[f64]) -> Option<f64> {
    let (left, right) = complete(left, right);
    let ((mean, deviation), (other_mean, other_deviation)) = (mean_and_deviation(&left), mean_and_deviation(&right));
    if deviation <= 0.0 || other_deviation <= 0.0 {
        return None;
    }
    let products = left.iter().zip(&right).map(|(one, other)| (one - mean) * (other - other_mean));
    Some(products.sum::<f64>() / left.len() as f64 / deviation / other_deviation)
}

#[cfg(test)]
mod tests {
    use super::super::MeasuredColumn;
    use super::*;

    #[test]
    fn coefficients_by_hand() {
        let columns = [
            ("a", [1.0, 2.0, 3.0, f64::NAN]),
            ("b", [2.0, 4.0, 6.0, 0.0]),
            ("c", [1.0, 0.0, 1.0, 9.0]),
            ("d", [5.0; 4]),
        ];
        let columns = columns.map(|(name, values)| MeasuredColumn::exact(name, values.to_vec()));
        let numbers = MeasuredTable::of_numbers(columns.into());
        let found = [(0, 1), (0, 2), (0, 3)].map(|(one, other)| coefficient(&numbers, one, other));
        assert!((found[0] - 1.0).abs() < 1e-12 && found[1].abs() < 1e-12 && found[2].abs() < 1e-12, "{found:?}");
    }
}
