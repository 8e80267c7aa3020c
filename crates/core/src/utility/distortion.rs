//! Distortion: how far values moved, relative to their size.
//!
//! The mean over all cells of |after − before| / |before|. A value near zero would make any move look endless, so the
//! denominator is never smaller than a floor: one per cent of the column's range (one where a column is constant). The same
//! mean divided by the column's range instead of the value depends on no floor and is given beside it.
//!
//! Dates and ordered words have no zero from which their size would count: their changes count as shares of the range.
//!
//! Cells that are missing before or after are left out.
//!
//! Source: Xue et al. 2011 (Dst); floor and range-normalised form are ours. Spec: `specs/utility/distortion.md`.

use super::{Figure, MetricMember, extremes};
use crate::card::{Card, Promise};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "distortion",
        summary: "how far values moved, relative to their size and to the range of their column",
        about: "The mean of |after - before| / |before|, where a value smaller than one per cent of its column's range \
                counts as that size, so that zeros do no harm; and the mean of |after - before| / range, which needs no \
                such floor. 0 means that nothing moved.",
        promises: &[Promise::ZeroOnItself],
        parameters: &[],
        source: "M. Xue et al., Utility-driven anonymization in data publishing, CIKM 2011",
    },
    needs_alignment: true,
    in_reports: true,
    measure: |pair, _| {
        let (before, after) = pair.values();
        let (whole, ranged) = (of_columns(&pair.moved()), of_range(&before, &after));
        let table =
            [Figure::of_table("relative to the value", whole), Figure::of_table("relative to the range", ranged)];
        let each = pair.columns().zip(pair.moved()).map(|((original, _), moved)| {
            Figure::of_column("relative to the value", &original.name, of_columns(&[moved]))
        });
        table.into_iter().chain(each).collect()
    },
};

/// A column before and after, in the same order of records.
#[derive(Debug, Clone, Copy)]
pub struct ColumnPair<'a> {
    /// Before.
    pub before: &'a [f64],
    /// After.
    pub after: &'a [f64],
    /// Whether the size of a value counts from zero.
    pub has_zero: bool,
}

/// The mean relative change over all cells of these columns, whose values count from zero.
#[must_use]
pub fn distortion(original: &[&[f64]], released: &[&[f64]]) -> f64 {
    of_columns(&moved(original, released))
}

/// The mean change over all cells of these columns, relative to the value, or to the range where there is no zero.
#[must_use]
pub fn of_columns(columns: &[ColumnPair<'_>]) -> f64 {
    mean_change(columns, |column| {
        let (floor, whole) = (floor(column.before), size_of_range(column.before));
        move |value: f64| if column.has_zero { value.abs().max(floor) } else { whole }
    })
}

/// The mean change over all cells as a share of their columns' ranges.
#[must_use]
pub fn of_range(original: &[&[f64]], released: &[&[f64]]) -> f64 {
    mean_change(&moved(original, released), |column| {
        let whole = size_of_range(column.before);
        move |_| whole
    })
}

fn moved<'a>(original: &[&'a [f64]], released: &[&'a [f64]]) -> Vec<ColumnPair<'a>> {
    let pairs = original.iter().zip(released);
    pairs.map(|(before, after)| ColumnPair { before, after, has_zero: true }).collect()
}

fn size_of_range(column: &[f64]) -> f64 {
    let range = range(column);
    if range > 0.0 { range } else { 1.0 }
}

/// The smallest size that a value of this column counts with.
#[must_use]
pub fn floor(column: &[f64]) -> f64 {
    let range = range(column);
    if range > 0.0 { range / 100.0 } else { 1.0 }
}

fn range(column: &[f64]) -> f64 {
    extremes(column).map_or(0.0, |(low, high)| high - low)
}

fn mean_change<'a, S: Fn(f64) -> f64>(columns: &[ColumnPair<'a>], size_in: impl Fn(ColumnPair<'a>) -> S) -> f64 {
    let (mut sum, mut cells) = (0.0, 0_u64);
    for column in columns {
        let size = size_in(*column);
        for (before, after) in
            column.before.iter().zip(column.after).filter(|(before, after)| !(**before - **after).is_nan())
        {
            sum += (after - before).abs() / size(*before);
            cells += 1;
        }
    }
    if cells == 0 { 0.0 } else { sum / cells as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::close;

    #[test]
    fn zeros_count_as_a_hundredth_of_the_range() {
        // 0 → 1 counts 1 / 2, 200 → 150 counts 1/4, the missing cell nothing.
        let (before, after) = ([0.0, 200.0, f64::NAN], [1.0, 150.0, 3.0]);
        close(distortion(&[&before], &[&after]), 0.375);
        close(of_range(&[&before], &[&after]), 0.1275);
    }

    #[test]
    fn without_a_zero_changes_count_as_shares_of_the_range() {
        let (before, after) = ([1000.0, 1010.0], [1001.0, 1006.0]);
        let moved = |has_zero| ColumnPair { before: &before, after: &after, has_zero };
        close(of_columns(&[moved(false)]), 0.25);
        close(of_columns(&[moved(true)]), f64::midpoint(1.0 / 1000.0, 4.0 / 1010.0));
    }

    #[test]
    fn a_table_compared_with_itself_is_not_distorted() {
        let column = [0.0, -4.0, 2.0, f64::NAN];
        close(distortion(&[&column, &[0.0; 4]], &[&column, &[0.0; 4]]), 0.0);
    }
}
