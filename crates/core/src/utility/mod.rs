//! What a release is still good for: the family of utility metrics.
//!
//! A metric compares the columns of a table before and after: most of them numbers, some of them categories. Some need to
//! know which released record was which original one (they are *aligned*), the others look at the tables as wholes. Where a
//! cell of the release is a range, its middle stands for it; for distortion the mean of its class, where classes are known. Counts
//! under a condition take the values to lie evenly within the range. As a category, a label counts evenly for each of the values that
//! it may stand for ([`categories`]).
//!
//! Metrics are measured after a release; what a search minimises is a [`loss`](crate::loss).
//!
//! ```
//! use equanym_core::card::Parameters;
//! use equanym_core::utility::{self, MeasuredColumn, MeasuredTable, Comparison};
//!
//! let ages = |values: &[f64]| MeasuredTable::of_numbers(vec![MeasuredColumn::exact("age", values.to_vec())]);
//! let (before, after) = (ages(&[20.0, 40.0, 60.0]), ages(&[22.0, 40.0, 60.0]));
//! let pair = Comparison::new(&before, &after, true)?;
//! let distortion = utility::find("distortion").ok_or("no such metric")?;
//! let figures = distortion.measure(&pair, &Parameters::new())?;
//! assert!((figures[0].value - 0.1 / 3.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod association;
pub mod band;
pub mod bars;
pub mod categories;
pub mod clustering;
pub mod correlation;
pub mod distortion;
pub mod domain;
pub mod frequencies;
mod k_means;
pub mod kolmogorov_smirnov;
pub mod likeness;
pub mod localities;
pub mod moments;
pub mod prediction;
pub mod quantiles;
pub mod queries;
pub mod ranking;
mod score;
pub mod skyline;
mod trade_off;

use serde::Serialize;

use crate::card::{Card, ParameterError, Parameters};
use crate::random::Stream;
pub use categories::{CategoryColumn, Meaning};

pub(crate) use crate::statistics::{complete, extremes, mean_and_deviation, sorted};

/// A numeric column as it is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredColumn {
    /// Its name.
    pub name: String,
    /// For each record its value, or what is typical of its range; a missing value is not a number.
    pub values: Vec<f64>,
    /// For each record the range it is known to lie in, where cells are ranges.
    pub ranges: Option<Vec<(f64, f64)>>,
    /// Whether the size of a value counts from zero: it does for amounts, and not for dates and ordered words.
    pub has_zero: bool,
}

impl MeasuredColumn {
    /// A column of exact values.
    #[must_use]
    pub fn exact(name: &str, values: Vec<f64>) -> Self {
        Self { name: name.to_owned(), values, ranges: None, has_zero: true }
    }

    /// A column of ranges, each represented by its middle.
    #[must_use]
    pub fn ranges(name: &str, ranges: Vec<(f64, f64)>) -> Self {
        let values = ranges.iter().map(|(low, high)| f64::midpoint(*low, *high)).collect();
        Self { name: name.to_owned(), values, ranges: Some(ranges), has_zero: true }
    }
}

/// A table as it is measured: its columns as numbers, where they are, and as categories.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeasuredTable {
    /// The numeric columns, all of the same length.
    pub columns: Vec<MeasuredColumn>,
    /// What aggregate queries choose groups by: for each record the code of its category. Equal codes mean the same before
    /// and after.
    pub category: Option<Vec<u32>>,
    /// Columns as categories.
    pub categories: Vec<CategoryColumn>,
    /// The one of them, by its place, that is to be predicted.
    pub target: Option<usize>,
    /// The class with which each record was recoded; records of a class share all labels of what is known of people.
    pub classes: Option<Vec<u32>>,
    /// Whose record each is, by the rank of the person's id; where people have several records.
    pub people: Option<Vec<u32>>,
}

impl MeasuredTable {
    /// A table of numbers alone.
    #[must_use]
    pub fn of_numbers(columns: Vec<MeasuredColumn>) -> Self {
        Self { columns, ..Self::default() }
    }

    /// The number of records.
    #[must_use]
    pub fn records(&self) -> usize {
        let of_categories = || self.categories.first().map_or(0, |column| column.cells.len());
        self.columns.first().map_or_else(of_categories, |column| column.values.len())
    }

    fn is_even(&self) -> bool {
        let records = self.records();
        let ranges = |column: &MeasuredColumn| column.ranges.as_ref().is_none_or(|ranges| ranges.len() == records);
        let codes = |codes: &Option<Vec<u32>>| codes.as_ref().is_none_or(|codes| codes.len() == records);
        self.columns.iter().all(|column| column.values.len() == records && ranges(column))
            && self.categories.iter().all(|column| column.cells.len() == records && column.is_sound())
            && codes(&self.category)
            && codes(&self.classes)
            && codes(&self.people)
    }
}

/// A table before and after.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// Before.
    pub original: &'a MeasuredTable,
    /// After.
    pub released: &'a MeasuredTable,
    /// Whether record `i` of one is record `i` of the other.
    pub aligned: bool,
}

/// Tables that cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TableMismatch {
    /// The columns are not the same.
    #[error("the tables do not have the same columns")]
    Columns,
    /// Columns of one table differ in length, or name labels that are not there.
    #[error("the columns of a table do not belong together")]
    Uneven,
    /// Aligned records need a partner each.
    #[error("{original} records cannot be aligned with {released}")]
    Records {
        /// Records before.
        original: usize,
        /// Records after.
        released: usize,
    },
}

impl<'a> Comparison<'a> {
    /// A pair that can be compared.
    pub fn new(original: &'a MeasuredTable, released: &'a MeasuredTable, aligned: bool) -> Result<Self, TableMismatch> {
        let names = |numbers: &'a MeasuredTable| numbers.columns.iter().map(|column| column.name.as_str());
        let categories = |table: &'a MeasuredTable| table.categories.iter().map(|column| (&column.name, column.values));
        if !names(original).eq(names(released)) || !categories(original).eq(categories(released)) {
            return Err(TableMismatch::Columns);
        }
        if !original.is_even() || !released.is_even() {
            return Err(TableMismatch::Uneven);
        }
        if aligned && original.records() != released.records() {
            return Err(TableMismatch::Records { original: original.records(), released: released.records() });
        }
        Ok(Self { original, released, aligned })
    }

    /// Each column before and after.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&'a MeasuredColumn, &'a MeasuredColumn)> + use<'a> {
        self.original.columns.iter().zip(&self.released.columns)
    }

    /// The values before and after, column by column.
    pub(crate) fn values(&self) -> (Vec<&'a [f64]>, Vec<&'a [f64]>) {
        self.columns().map(|(before, after)| (before.values.as_slice(), after.values.as_slice())).unzip()
    }
}

/// One number that a metric found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// What it counts, in words.
    pub name: &'static str,
    /// The column, or columns, that it is about; absent where it is about the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The number.
    pub value: f64,
    /// What was measured on the original, where the number compares two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<f64>,
    /// The same on the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub released: Option<f64>,
}

impl Figure {
    fn of_table(name: &'static str, value: f64) -> Self {
        Self { name, of: None, value, original: None, released: None }
    }

    fn of_column(name: &'static str, column: impl Into<String>, value: f64) -> Self {
        Self { of: Some(column.into()), ..Self::of_table(name, value) }
    }

    fn between(mut self, original: f64, released: f64) -> Self {
        (self.original, self.released) = (Some(original), Some(released));
        self
    }
}

/// A member of the family.
pub struct MetricMember {
    /// How it introduces itself.
    pub card: Card,
    /// Whether it must know which released record was which original one.
    pub needs_alignment: bool,
    /// Whether it is quick enough to be part of every report.
    pub in_reports: bool,
    measure: fn(&Comparison<'_>, &Parameters) -> Vec<Figure>,
}

/// Why a metric cannot be measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetricError {
    /// A parameter does not fit.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The records are not aligned.
    #[error("`{0}` needs to know which released record was which original one")]
    NotAligned(&'static str),
}

impl MetricMember {
    fn takes(&self, name: &str) -> bool {
        self.card.parameters.iter().any(|parameter| parameter.name == name)
    }

    /// Those of some parameters that are its own.
    #[must_use]
    pub fn own(&self, given: &Parameters) -> Parameters {
        given.iter().filter(|(name, _)| self.takes(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// What the metric finds; nothing where there is nothing to measure.
    pub fn measure(&self, pair: &Comparison<'_>, given: &Parameters) -> Result<Vec<Figure>, MetricError> {
        if self.needs_alignment && !pair.aligned {
            return Err(MetricError::NotAligned(self.card.name));
        }
        let checked = self.card.check(given, |_| None)?;
        Ok((self.measure)(pair, &checked))
    }
}

/// Every metric.
pub const ALL: &[MetricMember] = &[
    distortion::MEMBER,
    clustering::MEMBER,
    queries::MEMBER,
    moments::MEMBER,
    quantiles::MEMBER,
    correlation::MEMBER,
    frequencies::MEMBER,
    association::MEMBER,
    prediction::MEMBER,
    likeness::MEMBER,
    kolmogorov_smirnov::MEMBER,
    localities::MEMBER,
    score::MEMBER,
    trade_off::MEMBER,
    ranking::MEMBER,
    skyline::MEMBER,
];

/// Refuses a parameter that no metric has, or that does not fit those that have it.
pub fn check(given: &Parameters) -> Result<(), ParameterError> {
    for (name, value) in given {
        let one = Parameters::from([(name.clone(), value.clone())]);
        let mut takers = ALL.iter().filter(|member| member.takes(name)).peekable();
        if takers.peek().is_none() {
            return Err(ParameterError::Unknown { member: "utility", name: name.clone() });
        }
        takers.try_for_each(|member| member.card.check(&one, |_| None).map(drop))?;
    }
    Ok(())
}

/// The member of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static MetricMember> {
    ALL.iter().find(|member| member.card.name == name)
}

/// So many different whole numbers below the bound, in random order; all of them where there are no more.
fn choose(count: usize, bound: usize, stream: &mut Stream) -> Vec<usize> {
    let mut places: Vec<usize> = (0..bound).collect();
    for place in 0..count.min(bound) {
        let other = place + stream.below(bound - place);
        places.swap(place, other);
    }
    places.truncate(count);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Promise;
    use crate::made_up;

    fn numbers(values: &[f64]) -> MeasuredTable {
        MeasuredTable::of_numbers(vec![MeasuredColumn::exact("x", values.to_vec())])
    }

    fn words(name: &str, cells: &[u32]) -> CategoryColumn {
        made_up::category(name, cells, cells.iter().max().map_or(0, |most| most + 1))
    }

    #[test]
    fn tables_that_are_unlike_are_refused() {
        let (two, three) = (numbers(&[1.0, 2.0]), numbers(&[1.0, 2.0, 3.0]));
        assert_eq!(
            Comparison::new(&two, &three, true).err(),
            Some(TableMismatch::Records { original: 2, released: 3 })
        );
        assert!(Comparison::new(&two, &three, false).is_ok());
        let other = MeasuredTable::of_numbers(vec![MeasuredColumn::exact("y", vec![1.0])]);
        assert_eq!(Comparison::new(&two, &other, false).err(), Some(TableMismatch::Columns));
        let uneven = MeasuredTable { category: Some(vec![1]), ..two.clone() };
        assert_eq!(Comparison::new(&two, &uneven, false).err(), Some(TableMismatch::Uneven));
        let with = |categories: Vec<CategoryColumn>| MeasuredTable { categories, ..two.clone() };
        assert_eq!(Comparison::new(&two, &with(vec![words("w", &[0, 1])]), false).err(), Some(TableMismatch::Columns));
        let unsound = with(vec![CategoryColumn { labels: Vec::new(), ..words("w", &[0, 1]) }]);
        assert_eq!(Comparison::new(&unsound, &unsound, false).err(), Some(TableMismatch::Uneven));
    }

    #[test]
    fn chosen_numbers_differ() {
        let mut stream = crate::random::Seed::from(3).stream(0);
        let mut chosen = choose(5, 6, &mut stream);
        chosen.sort_unstable();
        chosen.dedup();
        assert_eq!((chosen.len(), choose(9, 2, &mut stream).len()), (5, 2));
    }

    #[test]
    fn a_metric_finds_no_difference_between_a_table_and_itself_where_it_says_so() {
        let values = [[0.0, 1.0, 5.0, -2.0, 8.0, f64::NAN, 3.0], [4.0, 4.0, 0.0, 1.0, 9.0, 2.0, 2.0]];
        let column = |(name, values): (&str, [f64; 7])| MeasuredColumn::exact(name, values.to_vec());
        let columns = ["a", "b"].into_iter().zip(values).map(column).collect();
        let categories = vec![words("c", &[0, 0, 1, 1, 1, 0, 0]), words("d", &[0, 0, 1, 1, 0, 0, 1])];
        let category = Some(vec![0, 1, 0, 1, 2, 2, 0]);
        let table = MeasuredTable { columns, category, categories, target: Some(1), ..MeasuredTable::default() };
        let pair = Comparison::new(&table, &table, true).unwrap();
        for member in ALL {
            let figures = member.measure(&pair, &Parameters::new()).unwrap();
            assert!(!figures.is_empty(), "{}", member.card.name);
            let differences = figures.iter().filter(|figure| !figure.name.contains("asked"));
            let is_zero = differences.clone().all(|figure| figure.value.abs() < 1e-12);
            let is_promised = member.card.keeps(Promise::ZeroOnItself);
            assert_eq!(is_zero, is_promised, "{}: {figures:?}", member.card.name);
        }
    }

    #[test]
    fn nothing_breaks_a_metric() {
        let empty = numbers(&[]);
        let missing = numbers(&[f64::NAN, f64::NAN]);
        let constant = numbers(&[0.0, 0.0]);
        let same = MeasuredTable { categories: vec![words("c", &[0, 0])], target: Some(0), ..constant.clone() };
        let mut starred = same.clone();
        starred.categories[0].labels = vec![Meaning::Unknown];
        for (before, after) in [(&same, &starred), (&starred, &same), (&starred, &starred)] {
            let pair = Comparison::new(before, after, true).unwrap();
            for member in ALL {
                for figure in member.measure(&pair, &Parameters::new()).unwrap() {
                    assert!(figure.value.is_finite(), "{}: {figure:?}", member.card.name);
                }
            }
        }
        for (before, after) in [(&empty, &empty), (&missing, &constant), (&constant, &missing), (&constant, &constant)]
        {
            let pair = Comparison::new(before, after, true).unwrap();
            for member in ALL {
                for figure in member.measure(&pair, &Parameters::new()).unwrap() {
                    assert!(figure.value.is_finite(), "{}: {figure:?}", member.card.name);
                }
            }
        }
    }

    #[test]
    fn a_metric_that_needs_aligned_records_says_so() {
        let table = numbers(&[1.0, 2.0]);
        let pair = Comparison::new(&table, &table, false).unwrap();
        for member in ALL {
            assert_eq!(member.measure(&pair, &Parameters::new()).is_err(), member.needs_alignment);
        }
    }
}
