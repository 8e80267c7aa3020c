//! The trade-off of Loukides and Shao: how much classes blur, and how much they give away.
//!
//! A class holds the released records that look alike in all numeric columns. Its *spread* is the range that its labels
//! cover as a share of the range of the column, the mean over the columns: 0 as collected, 1 where nothing is told. Its
//! *diversity* is the share of the values of the category that occur in it; what is missing to 1 is its *exposure*. Both are
//! averaged over the classes. The trade-off is their weighted mean; less is better on both sides.
//!
//! It looks at the release alone: no record has to be aligned. Where there is no category, the spread is all there is.
//!
//! Limits. This is the idea of the two papers in our own formula: how they weigh and average in detail was not compared, so
//! figures are not those of the papers. The authors also give columns weights and count texts by their distinct values; here all numeric columns count
//! alike. Averages over classes let a small class count as much as a large one.
//!
//! Source: Loukides & Shao 2008, after the measures of 2007. Spec: `specs/utility/trade-off.md`.

use hashbrown::{HashMap, HashSet};

use super::{Comparison, Figure, MeasuredColumn, MetricMember, extremes};
use crate::card::{Card, Kind, Parameter, Promise, number};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "trade-off",
        summary: "how far classes blur numbers against how much of a category they expose, by Loukides and Shao",
        about: "Spread is the share of a column's range that the labels of a class cover, exposure the share of the \
                category's values that do not occur in the class, both as means over the classes. The trade-off is \
                their weighted mean; less is better. Use it to compare releases of one table; it needs no aligned \
                records, and a column that kept its values as the category.",
        promises: &[Promise::ZeroToOne],
        parameters: &[Parameter::defaulting(
            "utility",
            Kind::Share,
            "0.5",
            "how much spread counts; exposure counts the rest",
        )],
        source: "G. Loukides, J. Shao, Data utility and privacy protection trade-off in k-anonymisation, PAIS 2008; \
                 Capturing data usefulness and privacy protection in k-anonymisation, SAC 2007",
    },
    needs_alignment: false,
    in_reports: false,
    measure: |pair, parameters| {
        let classes = classes(pair);
        if classes.is_empty() {
            return Vec::new();
        }
        let mean = |of: &dyn Fn(&ReleasedClass) -> f64| classes.iter().map(of).sum::<f64>() / classes.len() as f64;
        let spread = mean(&|class| class.spread);
        let figure = Figure::of_table;
        let Some(values) = category(pair) else { return vec![figure("spread of the classes", spread)] };
        let exposure = mean(&|class| 1.0 - class.values.len() as f64 / values as f64);
        let weight = number(parameters, "utility");
        vec![
            figure("trade-off", weight * spread + (1.0 - weight) * exposure),
            figure("spread of the classes", spread),
            figure("exposure of the category", exposure),
        ]
    },
};

/// Released records that look alike.
#[derive(Default)]
struct ReleasedClass {
    /// The share of the columns' ranges that its labels cover.
    spread: f64,
    /// The values of the category in it.
    values: HashSet<u32>,
}

/// How many values the category has, if there is one.
fn category(pair: &Comparison<'_>) -> Option<usize> {
    let codes = pair.original.category.as_ref().filter(|_| pair.released.category.is_some())?;
    Some(codes.iter().chain(pair.released.category.iter().flatten()).collect::<HashSet<_>>().len())
}

/// In the order in which they occur.
fn classes(pair: &Comparison<'_>) -> Vec<ReleasedClass> {
    let columns: Vec<ReleasedRange<'_>> =
        pair.columns().map(|(before, after)| ReleasedRange::new(before, after)).collect();
    let mut place_of: HashMap<Vec<[u64; 2]>, usize> = HashMap::new();
    let mut classes: Vec<ReleasedClass> = Vec::new();
    for record in 0..pair.released.records() {
        let key = columns.iter().map(|column| column.label(record)).collect();
        let place = *place_of.entry(key).or_insert(classes.len());
        if place == classes.len() {
            let spread = columns.iter().map(|column| column.share_of_range(record)).sum::<f64>() / columns.len() as f64;
            classes.push(ReleasedClass { spread, ..ReleasedClass::default() });
        }
        classes[place].values.extend(pair.released.category.as_ref().map(|codes| codes[record]));
    }
    classes
}

/// A released column and the range that it had.
struct ReleasedRange<'a> {
    released: &'a MeasuredColumn,
    whole: Option<(f64, f64)>,
}

impl<'a> ReleasedRange<'a> {
    fn new(before: &MeasuredColumn, released: &'a MeasuredColumn) -> Self {
        Self { released, whole: extremes(&before.values).filter(|(low, high)| low < high) }
    }

    fn range(&self, record: usize) -> (f64, f64) {
        let exact = || (self.released.values[record], self.released.values[record]);
        self.released.ranges.as_ref().map_or_else(exact, |ranges| ranges[record])
    }

    /// What tells labels apart; all missing values are one.
    fn label(&self, record: usize) -> [u64; 2] {
        let (low, high) = self.range(record);
        // Adding 0 makes -0 the same as 0.
        [low, high].map(|end| if end.is_nan() { f64::NAN.to_bits() } else { (end + 0.0).to_bits() })
    }

    /// The share of the whole range that the label covers; nothing where a value is missing or the column is constant.
    fn share_of_range(&self, record: usize) -> f64 {
        let (Some((lowest, highest)), (low, high)) = (self.whole, self.range(record)) else { return 0.0 };
        if low.is_nan() || high.is_nan() {
            return 0.0;
        }
        (high.min(highest) - low.max(lowest)).max(0.0) / (highest - lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::MeasuredTable;
    use super::*;
    use crate::card::{Parameters, Value};

    fn ages(category: Option<[u32; 4]>) -> [MeasuredTable; 2] {
        let values = vec![20.0, 24.0, 31.0, 40.0];
        let ranges = vec![(15.0, 30.0), (15.0, 30.0), (30.0, 40.0), (30.0, 40.0)];
        let category = category.map(|codes| codes.to_vec());
        let columns = [MeasuredColumn::exact("age", values), MeasuredColumn::ranges("age", ranges)];
        columns.map(|column| MeasuredTable { category: category.clone(), ..MeasuredTable::of_numbers(vec![column]) })
    }

    fn measured([before, after]: &[MeasuredTable; 2], parameters: &[(&str, f64)]) -> Vec<f64> {
        let given = parameters.iter().map(|(name, value)| ((*name).to_owned(), Value::Number(*value)));
        let pair = Comparison::new(before, after, false).unwrap();
        MEMBER.measure(&pair, &given.collect()).unwrap().iter().map(|figure| figure.value).collect()
    }

    #[test]
    fn spread_and_exposure_by_hand() {
        // Half of the range in both classes; the first shows one of two values, the second both.
        let tables = ages(Some([0, 0, 0, 1]));
        assert_eq!(measured(&tables, &[]), [0.375, 0.5, 0.25]);
        assert_eq!(measured(&tables, &[("utility", 1.0)])[0].to_bits(), 0.5_f64.to_bits());
        assert_eq!(measured(&tables, &[("utility", 0.0)])[0].to_bits(), 0.25_f64.to_bits());
    }

    #[test]
    fn without_a_category_there_is_only_spread() {
        assert_eq!(measured(&ages(None), &[]), [0.5]);
    }

    #[test]
    fn equal_labels_are_one_class() {
        let table = |values: &[f64]| MeasuredTable {
            columns: vec![MeasuredColumn::exact("x", values.to_vec())],
            category: Some(vec![0, 1, 0, 1]),
            ..MeasuredTable::default()
        };
        let tables = [table(&[0.0, 1.0, 2.0, 3.0]), table(&[0.0, -0.0, f64::NAN, f64::NAN])];
        assert_eq!(measured(&tables, &[]), [0.0, 0.0, 0.0]);
        let pair = Comparison::new(&tables[0], &tables[0], false).unwrap();
        assert_eq!(MEMBER.measure(&pair, &Parameters::new()).unwrap()[2].value.to_bits(), 0.5_f64.to_bits());
    }
}
