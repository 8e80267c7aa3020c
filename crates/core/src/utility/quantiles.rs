//! Quantiles: do the columns still have the same shape?
//!
//! Seven quantiles of each column before and after, and their distance as a share of the column's original range. A
//! quantile is the smallest value that at least so many per cent of the values do not exceed.
//!
//! Spec: `specs/utility/quantiles.md`.

use super::moments::relative;
use super::{Figure, MeasuredColumn, MetricMember, sorted};
use crate::card::{Card, Promise};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "quantiles",
        summary: "how far seven quantiles of each column moved, as a share of its range",
        about: "The quantiles at 1, 5, 25, 50, 75, 95 and 99 per cent, before and after. Needs no aligned records.",
        promises: &[Promise::ZeroOnItself],
        parameters: &[],
        source: "J. Domingo-Ferrer, V. Torra, Disclosure control methods and information loss for microdata, 2001",
    },
    needs_alignment: false,
    in_reports: false,
    measure: |pair, _| {
        let figures = |(before, after): (&MeasuredColumn, &MeasuredColumn)| {
            let [sorted, new_sorted] = [before, after].map(|column| sorted(&column.values));
            let range = sorted.last().zip(sorted.first()).map_or(0.0, |(high, low)| high - low);
            let name = before.name.clone();
            let figure = move |&(per_cent, words): &(usize, &'static str)| {
                let (old, new) = (quantile(&sorted, per_cent)?, quantile(&new_sorted, per_cent)?);
                Some(Figure::of_column(words, &name, relative(new - old, range)).between(old, new))
            };
            QUANTILES.iter().filter_map(figure).collect::<Vec<_>>()
        };
        pair.columns().flat_map(figures).collect()
    },
};

const QUANTILES: [(usize, &str); 7] =
    [(1, "at 1%"), (5, "at 5%"), (25, "at 25%"), (50, "at 50%"), (75, "at 75%"), (95, "at 95%"), (99, "at 99%")];

fn quantile(sorted: &[f64], per_cent: usize) -> Option<f64> {
    let rank = (sorted.len() * per_cent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occur() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!([1, 50, 99].map(|per_cent| quantile(&values, per_cent)), [Some(2.0), Some(100.0), Some(198.0)]);
        assert_eq!((quantile(&[7.0], 1), quantile(&[], 50)), (Some(7.0), None));
    }
}
