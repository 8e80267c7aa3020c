//! Skyline: the records that no other one beats in every column.
//!
//! A record beats another when it is as good in every column and better in one. Those that nobody beats are the skyline,
//! the answer to "which of these are worth a look". Measured is how much the skylines before and after differ: the records
//! that stand in one only, as a share of those that stand in either.
//!
//! Limit: records with a missing value take no part. Where most records are in the skyline, every pair of them is compared.
//!
//! Source: Börzsönyi, Kossmann & Stocker 2001; named by Xue et al. 2011. Spec: `specs/utility/skyline.md`.

use std::collections::BTreeSet;

use super::{Figure, MeasuredTable, MetricMember};
use crate::card::{Card, Kind, Parameter, Promise, text};
use crate::statistics::by_cells;

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "skyline",
        summary: "how far the records that no other one beats are others than before",
        about: "The skyline is the records that no other one beats in every numeric column. The figure is the share of \
                records that are in one of the skylines before and after, and not in both: 0 means that a skyline query \
                finds the same records.",
        promises: &[Promise::ZeroOnItself, Promise::ZeroToOne],
        parameters: &[Parameter::defaulting(
            "better",
            Kind::Choice(&["smaller", "larger"]),
            "smaller",
            "which values are the better ones",
        )],
        source: "S. Börzsönyi, D. Kossmann, K. Stocker, The skyline operator, ICDE 2001",
    },
    needs_alignment: true,
    in_reports: false,
    measure: |pair, parameters| {
        let sign = if text(parameters, "better") == "larger" { -1.0 } else { 1.0 };
        let [before, after] = [pair.original, pair.released].map(|table| skyline(table, sign));
        let (both, either) = (before.intersection(&after).count(), before.union(&after).count());
        let share = if either == 0 { 0.0 } else { 1.0 - both as f64 / either as f64 };
        vec![Figure::of_table("records in one skyline only", share).between(before.len() as f64, both as f64)]
    },
};

/// The records that no other one beats; with a negative sign larger values are better.
#[must_use]
pub fn skyline(table: &MeasuredTable, sign: f64) -> BTreeSet<usize> {
    let point = |record: usize| table.columns.iter().map(|column| column.values[record] * sign).collect::<Vec<f64>>();
    let points = (0..table.records()).map(|record| (record, point(record)));
    let mut points: Vec<(usize, Vec<f64>)> =
        points.filter(|(_, point)| point.iter().all(|value| !value.is_nan())).collect();
    // Nobody is beaten by one that comes later in this order, so what is kept is never taken back.
    points.sort_by(|(_, one), (_, other)| by_cells(one, other));
    let mut kept: Vec<&(usize, Vec<f64>)> = Vec::new();
    for candidate in &points {
        if !kept.iter().any(|(_, better)| beats(better, &candidate.1)) {
            kept.push(candidate);
        }
    }
    kept.into_iter().map(|(record, _)| *record).collect()
}

fn beats(one: &[f64], other: &[f64]) -> bool {
    let pairs = || one.iter().zip(other);
    pairs().all(|(one, other)| one <= other) && pairs().any(|(one, other)| one < other)
}

#[cfg(test)]
mod tests {
    use super::super::MeasuredColumn;
    use super::*;

    fn table(columns: [&[f64]; 2]) -> MeasuredTable {
        let columns = columns.map(|values| MeasuredColumn::exact("x", values.to_vec()));
        MeasuredTable::of_numbers(columns.into())
    }

    #[test]
    fn nobody_beats_the_skyline() {
        // The last record has a missing value; the two equal ones do not beat each other.
        let table = table([&[1.0, 2.0, 2.0, 3.0, 3.0, 0.0], &[9.0, 5.0, 5.0, 6.0, 1.0, f64::NAN]]);
        assert_eq!(skyline(&table, 1.0), BTreeSet::from([0, 1, 2, 4]));
        assert_eq!(skyline(&table, -1.0), BTreeSet::from([0, 3]));
    }
}
