//! Association: do two columns still belong together?
//!
//! Cramér's V of each pair of columns, before and after: 0 where knowing one tells nothing about the other, 1 where it
//! tells all. Before, the categories are the values; after, they are the labels, as a reader of the release counts them.
//! Records in which one of both is missing or `*` are left out. Two columns of numbers have their correlation instead.
//!
//! V is not corrected for its bias: with many categories and few records it is large by chance. Of two columns that have nothing
//! to do with each other, with r and c categories, V² is about (max(r, c) − 1) / n in n records. Coarser labels have a smaller bias,
//! so V may fall where only noise was lost. Where chance explains half of the larger V² or more, the figure says so. A column with more than [`MOST_VALUES`] labels is left out: its V says
//! nothing. Where a column is all `*`, or has one label left, nothing of the association is to be seen, and V counts as 0.
//!
//! Spec: `specs/utility/association.md`.

use rayon::prelude::*;

use super::categories::{CategoryColumn, Meaning};
use super::{Figure, MetricMember};
use crate::card::{Card, Promise};

/// A column with more labels is left out.
pub const MOST_VALUES: usize = 1000;

pub(super) const MEMBER: MetricMember = MetricMember {
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
        pairs([pair.original, pair.released].map(|table| WeightedTable { columns: &table.categories, weights: None }))
    },
};

/// A table by its columns; `weights` say how many records each row stands for, one where there are none.
#[derive(Debug, Clone, Copy)]
pub struct WeightedTable<'a> {
    /// The columns.
    pub columns: &'a [CategoryColumn],
    /// How many records each row stands for.
    pub weights: Option<&'a [u64]>,
}

/// How the association of each pair of columns changed; both tables have the same columns.
#[must_use]
pub fn pairs(tables: [WeightedTable<'_>; 2]) -> Vec<Figure> {
    let [before, after] = tables;
    let fits = |place: &usize| tables.iter().all(|table| table.columns[*place].labels.len() <= MOST_VALUES);
    let places: Vec<usize> = (0..before.columns.len().min(after.columns.len())).filter(fits).collect();
    let is_number = |place: usize| before.columns[place].is_number;
    let later = |one: usize| places.iter().copied().filter(move |other| *other > one);
    let pairs = places.iter().flat_map(|&one| later(one).map(move |other| (one, other)));
    let pairs: Vec<_> = pairs.filter(|&(one, other)| !(is_number(one) && is_number(other))).collect();
    pairs.into_par_iter().filter_map(|places| figure(tables, places)).collect()
}

fn figure(tables: [WeightedTable<'_>; 2], (one, other): (usize, usize)) -> Option<Figure> {
    let [old, new] = tables.map(|table| cramer(&table.columns[one], &table.columns[other], table.weights));
    // Of the larger one; where both are equal, of the one before.
    let larger = [new, old].into_iter().flatten().max_by(|one, other| one.square.total_cmp(&other.square))?;
    let measure = if larger.is_mostly_chance() { MOSTLY_CHANCE } else { CHANGE };
    let name = [one, other].map(|place| tables[0].columns[place].name.as_str()).join(" × ");
    let [old, new] = [old, new].map(|found| found.map(Association::v));
    let change = (new.unwrap_or(0.0) - old.unwrap_or(0.0)).abs();
    Some(Figure { original: old, released: new, ..Figure::of_column(measure, name, change) })
}

/// The name of a change.
pub const CHANGE: &str = "change of Cramér's V";

/// The name of one where chance explains half of it or more.
pub const MOSTLY_CHANCE: &str = "change of Cramér's V, mostly chance";

/// How much two columns tell about each other.
#[derive(Debug, Clone, Copy)]
struct Association {
    /// V².
    square: f64,
    /// What it would be about by chance.
    chance: f64,
}

impl Association {
    fn v(self) -> f64 {
        self.square.sqrt()
    }

    fn is_mostly_chance(self) -> bool {
        self.chance >= self.square / 2.0
    }
}

/// The association over the records in which both are known; nothing where one does not vary there.
fn cramer(left: &CategoryColumn, right: &CategoryColumn, weights: Option<&[u64]>) -> Option<Association> {
    let [in_left, in_right] = [left, right].map(known);
    let (rows, columns) = (left.labels.len(), right.labels.len());
    let mut counts = vec![0_u64; rows * columns];
    for (row, (&one, &other)) in left.cells.iter().zip(&right.cells).enumerate() {
        if in_left[one as usize] && in_right[other as usize] {
            let weight = weights.map_or(1, |weights| weights.get(row).copied().unwrap_or(0));
            counts[one as usize * columns + other as usize] += weight;
        }
    }
    let of_rows: Vec<u64> = counts.chunks(columns.max(1)).map(|row| row.iter().sum()).collect();
    let of_columns: Vec<u64> = (0..columns).map(|column| counts.iter().skip(column).step_by(columns).sum()).collect();
    let [high, wide] = [&of_rows, &of_columns].map(|sums| sums.iter().filter(|sum| **sum > 0).count());
    if high.min(wide) < 2 {
        return None;
    }
    let cell = |(place, &count): (usize, &u64)| {
        let (row, column) = (of_rows[place / columns], of_columns[place % columns]);
        if count == 0 { 0.0 } else { count as f64 / row as f64 * (count as f64 / column as f64) }
    };
    let square = counts.iter().enumerate().map(cell).sum::<f64>() - 1.0;
    let records: u64 = of_rows.iter().sum();
    Some(Association {
        square: (square / (high.min(wide) - 1) as f64).clamp(0.0, 1.0),
        chance: (high.max(wide) - 1) as f64 / records as f64,
    })
}

/// For each label whether it is a category: `*` and the missing value are not.
fn known(column: &CategoryColumn) -> Vec<bool> {
    let labels = (0..).zip(&column.labels);
    labels.map(|(label, meaning)| *meaning != Meaning::Unknown && !column.is_missing(label)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::category;

    fn column(cells: &[u32], values: u32) -> CategoryColumn {
        category("x", cells, values)
    }

    fn v(left: &CategoryColumn, right: &CategoryColumn) -> f64 {
        cramer(left, right, None).unwrap().v()
    }

    #[test]
    fn what_chance_explains_is_told_apart() {
        // Forty values that say nothing about two others: V² is about 39/80.
        let many: Vec<u32> = (0..80).map(|record| record * 7 % 40).collect();
        let few: Vec<u32> = (0..80).map(|record| u32::from(record * record % 11 < 5)).collect();
        let found = cramer(&column(&many, 40), &column(&few, 2), None).unwrap();
        assert!(found.is_mostly_chance() && found.v() > 0.4, "{found:?}");
        let twice: Vec<u32> = few.iter().map(|value| 1 - value).collect();
        assert!(!cramer(&column(&twice, 2), &column(&few, 2), None).unwrap().is_mostly_chance());
    }

    #[test]
    fn one_column_tells_the_other_or_nothing() {
        let (same, other) = (column(&[0, 0, 1, 1], 2), column(&[0, 1, 0, 1], 2));
        assert!((v(&same, &same) - 1.0).abs() < 1e-12);
        assert!(v(&same, &other).abs() < 1e-12);
        assert!(cramer(&same, &column(&[0, 0, 0, 0], 1), None).is_none());
        assert!(cramer(&column(&[], 0), &column(&[], 0), None).is_none());
    }

    #[test]
    fn a_table_worked_out_by_hand() {
        // 30 10 / 10 30: χ² = 80 · (900/1600 · 2 + 100/1600 · 2 − 1) = 20, V = √(20/80) = 0.5.
        let cells = |counts: [usize; 4], of: [u32; 4]| -> Vec<u32> {
            counts.into_iter().zip(of).flat_map(|(count, label)| vec![label; count]).collect()
        };
        let counts = [30, 10, 10, 30];
        let (left, right) = (column(&cells(counts, [0, 0, 1, 1]), 2), column(&cells(counts, [0, 1, 0, 1]), 2));
        assert!((v(&left, &right) - 0.5).abs() < 1e-12);
        // The same by weights.
        let (left, right) = (column(&[0, 0, 1, 1], 2), column(&[0, 1, 0, 1], 2));
        assert!((cramer(&left, &right, Some(&[30, 10, 10, 30])).unwrap().v() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn what_is_not_known_is_no_category() {
        let mut starred = column(&[0, 0, 1, 1, 2, 2], 2);
        starred.labels.push(Meaning::Unknown);
        let other = column(&[0, 0, 1, 1, 0, 1], 2);
        assert!((v(&starred, &other) - 1.0).abs() < 1e-12);
        let missing = CategoryColumn { missing: Some(1), ..column(&[0, 0, 1, 1], 2) };
        assert!(cramer(&missing, &missing, None).is_none());
    }
}
