//! Association: do two columns still belong together?
//!
//! Cramér's V of each pair of columns, before and after: 0 where knowing one tells nothing about the other, 1 where it
//! tells all. Before, the categories are the values; after, they are the labels, as a reader of the release counts them.
//! Records in which one of both is missing or `*` are left out. Two columns of numbers have their correlation instead.
//!
//! V is not corrected for its bias: with many categories and few records it is large by chance. Coarser labels have a
//! smaller bias, so V may fall where only noise was lost. A column with more than [`MOST_VALUES`] labels is left out: its V says
//! nothing. Where a column is all `*`, or has one label left, nothing of the association is to be seen, and V counts as 0.
//!
//! Spec: `specs/utility/association.md`.

use rayon::prelude::*;

use super::categories::{CategoryColumn, Meaning};
use super::{Figure, MeasuredTable, Member};
use crate::card::{Card, Promise};

/// A column with more labels is left out.
pub const MOST_VALUES: usize = 1000;

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "association",
        summary: "how far the association of each pair of columns moved",
        about: "The absolute difference of Cramér's V before and after, 0 to 1, by the values before and the labels after; \
                records with `*` or a missing value are left out. Not corrected for bias. Two columns of numbers have their \
                correlation instead; a column with more than 1000 values is left out. Needs no aligned records.",
        promises: &[Promise::ZeroOnItself, Promise::ZeroToOne],
        parameters: &[],
        source: "H. Cramér, Mathematical methods of statistics, 1946",
    },
    needs_alignment: false,
    in_reports: false,
    measure: |pair, _| {
        let tables = [pair.original, pair.released];
        let fits = |place: &usize| tables.iter().all(|table| table.categories[*place].labels.len() <= MOST_VALUES);
        let places: Vec<usize> = (0..pair.original.categories.len()).filter(fits).collect();
        let is_number = |place: usize| pair.original.categories[place].is_number;
        let later = |one: usize| places.iter().copied().filter(move |other| *other > one);
        let pairs = places.iter().flat_map(|&one| later(one).map(move |other| (one, other)));
        let pairs: Vec<_> = pairs.filter(|&(one, other)| !(is_number(one) && is_number(other))).collect();
        pairs.into_par_iter().filter_map(|places| figure(tables, places)).collect()
    },
};

fn figure(tables: [&MeasuredTable; 2], (one, other): (usize, usize)) -> Option<Figure> {
    let [old, new] = tables.map(|table| cramer(&table.categories[one], &table.categories[other]));
    if old.is_none() && new.is_none() {
        return None;
    }
    let name = [one, other].map(|place| tables[0].categories[place].name.as_str()).join(" × ");
    let change = (new.unwrap_or(0.0) - old.unwrap_or(0.0)).abs();
    Some(Figure { original: old, released: new, ..Figure::of_column("change of Cramér's V", name, change) })
}

/// Cramér's V over the records in which both are known; nothing where one does not vary there.
fn cramer(left: &CategoryColumn, right: &CategoryColumn) -> Option<f64> {
    let [in_left, in_right] = [left, right].map(known);
    let (rows, columns) = (left.labels.len(), right.labels.len());
    let mut counts = vec![0_u64; rows * columns];
    for (&one, &other) in left.cells.iter().zip(&right.cells) {
        if in_left[one as usize] && in_right[other as usize] {
            counts[one as usize * columns + other as usize] += 1;
        }
    }
    let of_rows: Vec<u64> = counts.chunks(columns.max(1)).map(|row| row.iter().sum()).collect();
    let of_columns: Vec<u64> = (0..columns).map(|column| counts.iter().skip(column).step_by(columns).sum()).collect();
    let occurring = |sums: &[u64]| sums.iter().filter(|sum| **sum > 0).count();
    let smaller = occurring(&of_rows).min(occurring(&of_columns));
    if smaller < 2 {
        return None;
    }
    let cell = |(place, &count): (usize, &u64)| {
        let (row, column) = (of_rows[place / columns], of_columns[place % columns]);
        if count == 0 { 0.0 } else { count as f64 / row as f64 * (count as f64 / column as f64) }
    };
    let square: f64 = counts.iter().enumerate().map(cell).sum::<f64>() - 1.0;
    Some((square / (smaller - 1) as f64).clamp(0.0, 1.0).sqrt())
}

/// For each label whether it is a category: `*` and the missing value are not.
fn known(column: &CategoryColumn) -> Vec<bool> {
    let labels = (0..).zip(&column.labels);
    labels.map(|(label, meaning)| *meaning != Meaning::Unknown && !column.is_missing(label)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[u32], values: u32) -> CategoryColumn {
        let labels = (0..values).map(Meaning::value).collect();
        CategoryColumn { name: "x".into(), cells: cells.to_vec(), labels, values, missing: None, is_number: false }
    }

    #[test]
    fn one_column_tells_the_other_or_nothing() {
        let (same, other) = (column(&[0, 0, 1, 1], 2), column(&[0, 1, 0, 1], 2));
        assert!((cramer(&same, &same).unwrap() - 1.0).abs() < 1e-12);
        assert!(cramer(&same, &other).unwrap().abs() < 1e-12);
        assert_eq!(cramer(&same, &column(&[0, 0, 0, 0], 1)), None);
        assert_eq!(cramer(&column(&[], 0), &column(&[], 0)), None);
    }

    #[test]
    fn a_table_worked_out_by_hand() {
        // 30 10 / 10 30: χ² = 80 · (900/1600 · 2 + 100/1600 · 2 − 1) = 20, V = √(20/80) = 0.5.
        let cells = |counts: [usize; 4], of: [u32; 4]| -> Vec<u32> {
            counts.into_iter().zip(of).flat_map(|(count, label)| vec![label; count]).collect()
        };
        let counts = [30, 10, 10, 30];
        let (left, right) = (column(&cells(counts, [0, 0, 1, 1]), 2), column(&cells(counts, [0, 1, 0, 1]), 2));
        assert!((cramer(&left, &right).unwrap() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn what_is_not_known_is_no_category() {
        let mut starred = column(&[0, 0, 1, 1, 2, 2], 2);
        starred.labels.push(Meaning::Unknown);
        let other = column(&[0, 0, 1, 1, 0, 1], 2);
        assert!((cramer(&starred, &other).unwrap() - 1.0).abs() < 1e-12);
        let missing = CategoryColumn { missing: Some(1), ..column(&[0, 0, 1, 1], 2) };
        assert_eq!(cramer(&missing, &missing), None);
    }
}
