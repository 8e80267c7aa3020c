//! Aggregate queries: does an analyst still get the same answers?
//!
//! A query asks for the mean of one column over the records that fulfil conditions: at least a random threshold in up to
//! two other columns, and a category in a random subset where there is one. Thresholds are uniform between the smallest and
//! the largest original value. The error is |answer − original answer| / |original answer|.
//!
//! Queries that no original record fulfils, or whose answer is zero, are skipped. One that no released record fulfils is
//! an error of 1. Where released cells are ranges, a record fulfils a condition with the share of its range that does.
//!
//! Source: Xue et al. 2011, whose operators are not given; here they are ≥. Spec: `specs/utility/queries.md`.

use rayon::prelude::*;

use super::{Comparison, Figure, MeasuredTable, MetricMember, choose, extremes};
use crate::card::{Card, Kind, Parameter, Promise, integer};
use crate::random::{Seed, Stream};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "queries",
        summary: "the relative error of averages under random conditions",
        about: "Asks both tables for the mean of one column among the records that fulfil random conditions on others, and \
                compares the answers. Needs no aligned records. Ranges are taken to be filled evenly.",
        promises: &[Promise::ZeroOnItself],
        parameters: &[
            Parameter::defaulting(
                "queries",
                Kind::Integer { min: 1 },
                "1000",
                "how many questions are asked about each column",
            ),
            Parameter::defaulting("seed", Kind::Integer { min: 0 }, "1", "chooses the questions"),
        ],
        source: "M. Xue et al., CIKM 2011; K. LeFevre et al., KDD 2006",
    },
    needs_alignment: false,
    in_reports: false,
    measure: |pair, parameters| {
        let count = usize::try_from(integer(parameters, "queries")).unwrap_or(usize::MAX);
        let settings = QuerySettings { count, seed: integer(parameters, "seed"), subset: None };
        let figures = |(target, column): (usize, &super::MeasuredColumn)| {
            let found = errors(pair, target, settings);
            let figure = |name, value| Figure::of_column(name, &column.name, value);
            (found.asked > 0).then(|| {
                [
                    figure("mean error", found.mean),
                    figure("median error", found.median),
                    figure("questions asked", found.asked as f64),
                    figure("share without released records", found.emptied as f64 / found.asked as f64),
                ]
            })
        };
        pair.original.columns.iter().enumerate().filter_map(figures).flatten().collect()
    },
};

/// Which questions are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuerySettings {
    /// How many.
    pub count: usize,
    /// Chooses them.
    pub seed: u64,
    /// How many categories a question is about; `None` draws that, too.
    pub subset: Option<usize>,
}

/// The errors of the answers about one column.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct QueryErrors {
    /// Their mean.
    pub mean: f64,
    /// Their median.
    pub median: f64,
    /// How many questions had an answer.
    pub asked: usize,
    /// How many had none, or zero, on the original.
    pub skipped: usize,
    /// How many of those asked had none on the release: errors of 1.
    pub emptied: usize,
}

/// Asks about the mean of the column of number `target`.
#[must_use]
pub fn errors(pair: &Comparison<'_>, target: usize, settings: QuerySettings) -> QueryErrors {
    let ask = |number: usize| {
        let mut stream = Seed::from(settings.seed).stream((target as u64) << 32 | number as u64);
        let query = Query::draw(pair.original, target, settings.subset, &mut stream);
        let truth = query.answer(pair.original).filter(|truth| *truth != 0.0)?;
        Some(query.answer(pair.released).map(|answer| ((answer - truth) / truth).abs()))
    };
    let answers: Vec<Option<Option<f64>>> = (0..settings.count).into_par_iter().map(ask).collect();
    let asked: Vec<Option<f64>> = answers.iter().copied().flatten().collect();
    let mut errors: Vec<f64> = asked.iter().map(|error| error.unwrap_or(1.0)).collect();
    errors.sort_unstable_by(f64::total_cmp);
    QueryErrors {
        mean: if errors.is_empty() { 0.0 } else { errors.iter().sum::<f64>() / errors.len() as f64 },
        median: errors.get(errors.len() / 2).copied().unwrap_or(0.0),
        asked: asked.len(),
        skipped: settings.count - asked.len(),
        emptied: asked.iter().filter(|error| error.is_none()).count(),
    }
}

/// The mean of a column under conditions.
#[derive(Debug)]
struct Query {
    target: usize,
    /// Columns with their least values.
    least: Vec<(usize, f64)>,
    /// For each category whether it is asked for.
    categories: Option<Vec<bool>>,
}

impl Query {
    fn draw(original: &MeasuredTable, target: usize, subset: Option<usize>, stream: &mut Stream) -> Self {
        const CONDITIONS: usize = 2;
        let mut others: Vec<usize> = (0..original.columns.len()).filter(|column| *column != target).collect();
        if others.is_empty() && original.category.is_none() {
            others.push(target);
        }
        let chosen = choose(CONDITIONS, others.len(), stream);
        let threshold = |place: usize| {
            let column = others.get(place).copied()?;
            let (low, high) = extremes(&original.columns.get(column)?.values)?;
            Some((column, low, high))
        };
        let bounds: Vec<(usize, f64, f64)> = chosen.into_iter().filter_map(threshold).collect();
        let least =
            bounds.into_iter().map(|(column, low, high)| (column, low + (high - low) * stream.unit())).collect();
        let categories = original.category.as_ref().map(|codes| {
            let count = codes.iter().max().map_or(0, |most| *most as usize + 1);
            let size = subset.unwrap_or_else(|| 1 + stream.below(count.saturating_sub(1)));
            let mut wanted = vec![false; count];
            for code in choose(size, count, stream) {
                wanted[code] = true;
            }
            wanted
        });
        Self { target, least, categories }
    }

    /// The mean, unless no record fulfils the conditions.
    fn answer(&self, numbers: &MeasuredTable) -> Option<f64> {
        let values = &numbers.columns.get(self.target)?.values;
        let (mut sum, mut weight) = (0.0, 0.0);
        for (record, value) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            let share = self.share(numbers, record);
            sum += share * value;
            weight += share;
        }
        (weight > 0.0).then(|| sum / weight)
    }

    /// The share of a record that fulfils the conditions.
    fn share(&self, numbers: &MeasuredTable, record: usize) -> f64 {
        if let (Some(wanted), Some(codes)) = (&self.categories, &numbers.category) {
            let code = codes.get(record).copied().unwrap_or(u32::MAX);
            if !wanted.get(code as usize).copied().unwrap_or(false) {
                return 0.0;
            }
        }
        let at_least = |(column, least): &(usize, f64)| {
            let Some(column) = numbers.columns.get(*column) else { return 0.0 };
            match column.ranges.as_ref().and_then(|ranges| ranges.get(record)) {
                Some(&(low, high)) if high > low => ((high - least) / (high - low)).clamp(0.0, 1.0),
                _ => f64::from(column.values.get(record).is_some_and(|value| value >= least)),
            }
        };
        self.least.iter().map(at_least).product()
    }
}

#[cfg(test)]
mod tests {
    use super::super::MeasuredColumn;
    use super::*;

    fn numbers(columns: Vec<MeasuredColumn>, category: Option<Vec<u32>>) -> MeasuredTable {
        MeasuredTable { columns, category, ..MeasuredTable::default() }
    }

    #[test]
    fn answers_by_hand() {
        let table = numbers(
            vec![
                MeasuredColumn::exact("pay", vec![10.0, 20.0, 60.0]),
                MeasuredColumn::exact("age", vec![20.0, 30.0, 40.0]),
            ],
            Some(vec![0, 1, 1]),
        );
        let query = |least: f64, categories: [bool; 2]| Query {
            target: 0,
            least: vec![(1, least)],
            categories: Some(categories.to_vec()),
        };
        assert_eq!(query(25.0, [true, true]).answer(&table), Some(40.0));
        assert_eq!(query(25.0, [true, false]).answer(&table), None);
        assert_eq!(query(0.0, [false, true]).answer(&table), Some(40.0));
    }

    #[test]
    fn ranges_are_filled_evenly() {
        let table = numbers(
            vec![
                MeasuredColumn::exact("pay", vec![10.0, 50.0]),
                MeasuredColumn::ranges("age", vec![(20.0, 40.0), (30.0, 30.0)]),
            ],
            None,
        );
        // Of the first record half fulfils the condition, of the second nothing.
        let query = Query { target: 0, least: vec![(1, 31.0)], categories: None };
        assert_eq!(query.answer(&table), Some(10.0));
        let query = Query { target: 0, least: vec![(1, 30.0)], categories: None };
        assert_eq!(query.answer(&table), Some((0.5 * 10.0 + 50.0) / 1.5));
    }

    #[test]
    fn what_is_gone_counts_as_an_error_of_one() {
        let before = numbers(vec![MeasuredColumn::exact("x", vec![1.0, 2.0])], Some(vec![0, 1]));
        let after = numbers(vec![MeasuredColumn::exact("x", vec![1.0])], Some(vec![0]));
        let pair = Comparison::new(&before, &after, false).unwrap();
        let found = errors(&pair, 0, QuerySettings { count: 400, seed: 1, subset: Some(1) });
        assert_eq!((found.asked, found.skipped), (400, 0));
        assert!((found.mean - found.emptied as f64 / 400.0).abs() < 1e-12 && found.emptied > 150);
    }
}
