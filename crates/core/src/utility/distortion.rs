//! Distortion: how far values moved, relative to their size.
//!
//! The mean over all cells of |after − before| / |before|. A value near zero would make any move look endless, so the
//! denominator is never smaller than a floor: one per cent of the column's range (one where a column is constant). The same
//! mean divided by the column's range instead of the value depends on no floor and is given beside it.
//!
//! Dates and ordered words have no zero from which their size would count: their changes count as shares of the range.
//!
//! Cells that are missing before or after are left out. A cell that is a range counts as the mean of the original values of its class
//! where classes are known, as the paper has it; else as the middle of the range, and the figure says so.
//!
//! Source: Xue et al. 2011 (Dst); floor and range-normalised form are ours. Spec: `specs/utility/distortion.md`.

use std::borrow::Cow;

use hashbrown::HashMap;

use super::{Figure, MeasuredColumn, MeasuredTable, MetricMember, extremes};
use crate::card::{Card, Promise};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "distortion",
        summary: "how far values moved, relative to their size and to the range of their column",
        about: "The mean of |after - before| / |before|, where a value smaller than one per cent of its column's range \
                counts as that size, so that zeros do no harm; and the mean of |after - before| / range, which needs no \
                such floor. A range counts as the mean of its class, or as its middle where classes are not known. 0 means that \
                nothing moved.",
        promises: &[Promise::ZeroOnItself],
        parameters: &[],
        source: "M. Xue et al., Utility-driven anonymization in data publishing, CIKM 2011",
    },
    needs_alignment: true,
    in_reports: true,
    measure: |pair, _| {
        let after: Vec<Cow<'_, [f64]>> = pair.columns().map(|columns| typical(columns, pair.released)).collect();
        let moved = pair.columns().zip(&after);
        let moved =
            moved.map(|((before, _), after)| ColumnPair { before: &before.values, after, has_zero: before.has_zero });
        let moved: Vec<ColumnPair<'_>> = moved.collect();
        let by_middle = |after: &MeasuredColumn| after.ranges.is_some() && pair.released.classes.is_none();
        let [value, range] = names(pair.columns().any(|(_, after)| by_middle(after)));
        let table = [Figure::of_table(value, of_columns(&moved)), Figure::of_table(range, of_ranges(&moved))];
        let each = pair.columns().zip(&moved).map(|((before, after), moved)| {
            Figure::of_column(names(by_middle(after))[0], &before.name, of_columns(&[*moved]))
        });
        table.into_iter().chain(each).collect()
    },
};

/// What the numbers are called, relative to the value and to the range.
fn names(by_middle: bool) -> [&'static str; 2] {
    if by_middle {
        ["relative to the value, ranges by their middle", "relative to the range, ranges by their middle"]
    } else {
        ["relative to the value", "relative to the range"]
    }
}

/// What stands for each cell: itself, or the mean of its class where it is a range and classes are known.
fn typical<'a>((before, after): (&MeasuredColumn, &'a MeasuredColumn), released: &MeasuredTable) -> Cow<'a, [f64]> {
    let (Some(_), Some(classes)) = (&after.ranges, &released.classes) else { return Cow::Borrowed(&after.values) };
    let mut sums: HashMap<u32, (f64, f64)> = HashMap::new();
    for (class, value) in classes.iter().zip(&before.values).filter(|(_, value)| !value.is_nan()) {
        let (sum, count) = sums.entry(*class).or_default();
        (*sum, *count) = (*sum + value, *count + 1.0);
    }
    let mean = |class: &u32| sums.get(class).map_or(f64::NAN, |(sum, count)| sum / count);
    // What is missing, or unknown, stays so.
    let cells = classes.iter().zip(&after.values);
    Cow::Owned(cells.map(|(class, value)| if value.is_nan() { f64::NAN } else { mean(class) }).collect())
}

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
fn of_ranges(columns: &[ColumnPair<'_>]) -> f64 {
    mean_change(columns, |column| {
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
        close(of_ranges(&moved(&[&before], &[&after])), 0.1275);
    }

    #[test]
    fn without_a_zero_changes_count_as_shares_of_the_range() {
        let (before, after) = ([1000.0, 1010.0], [1001.0, 1006.0]);
        let moved = |has_zero| ColumnPair { before: &before, after: &after, has_zero };
        close(of_columns(&[moved(false)]), 0.25);
        close(of_columns(&[moved(true)]), f64::midpoint(1.0 / 1000.0, 4.0 / 1010.0));
    }

    #[test]
    fn a_range_counts_as_the_mean_of_its_class() {
        // Two classes of the one range [10, 40]: of 10 and 20 with the mean 15, of 40 with its own. The middle is 25.
        let before = MeasuredTable::of_numbers(vec![MeasuredColumn::exact("x", vec![10.0, 20.0, 40.0])]);
        let mut after = MeasuredTable::of_numbers(vec![MeasuredColumn::ranges("x", vec![(10.0, 40.0); 3])]);
        let measured = |after: &MeasuredTable| {
            let pair = super::super::Comparison::new(&before, after, true).unwrap();
            let found = MEMBER.measure(&pair, &crate::card::Parameters::new()).unwrap();
            (found[0].name, found[0].value)
        };
        let (name, value) = measured(&after);
        close(value, (1.5 + 0.25 + 0.375) / 3.0);
        assert!(name.ends_with("ranges by their middle"));
        after.classes = Some(vec![0, 0, 1]);
        let (name, value) = measured(&after);
        close(value, (0.5 + 0.25) / 3.0);
        assert_eq!(name, "relative to the value");
    }

    #[test]
    fn a_table_compared_with_itself_is_not_distorted() {
        let column = [0.0, -4.0, 2.0, f64::NAN];
        close(distortion(&[&column, &[0.0; 4]], &[&column, &[0.0; 4]]), 0.0);
    }
}
