//! Small tables and problems for unit tests.

use crate::card::{Parameters, Value};
use crate::frequency::Table;
use crate::hierarchy::Builder;
use crate::loss::{self, Loss};
use crate::privacy::{self, Guard};
use crate::search::Problem;
use crate::utility::{CategoryColumn, Meaning};
use crate::variable::Variable;

/// A table of records of values below 12, with a ladder of intervals for each variable, given their widths.
pub(crate) fn table<const N: usize>(records: &[[u32; N]], ladders: [&[&str]; N]) -> Table {
    let values: Vec<String> = (0..12).map(|value| value.to_string()).collect();
    let variable = |(place, widths): (usize, &[&str])| {
        let ladder = Builder::intervals(widths.iter().map(ToString::to_string).collect());
        let hierarchy = ladder.fit(&values).unwrap();
        Variable { name: place.to_string(), max_level: hierarchy.height(), hierarchy, min_level: 0, weight: 1.0 }
    };
    let column = |place: usize| records.iter().map(|record| record[place]).collect();
    let columns: Vec<Vec<u32>> = (0..N).map(column).collect();
    Table::new(ladders.into_iter().enumerate().map(variable).collect(), &columns, vec![1; records.len()], vec![])
        .unwrap()
}

/// Texts of their own.
pub(crate) fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

/// The words of a text.
pub(crate) fn words(text: &str) -> Vec<String> {
    texts(&text.split(' ').collect::<Vec<_>>())
}

/// A column of so many values, each of which is its own label.
pub(crate) fn category(name: &str, cells: &[u32], values: u32) -> CategoryColumn {
    let labels = (0..values).map(Meaning::value).collect();
    CategoryColumn { name: name.into(), cells: cells.to_vec(), labels, values, missing: None, is_number: false }
}

#[track_caller]
pub(crate) fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

/// k-anonymity.
pub(crate) fn k_anonymity(k: i64) -> Guard {
    Guard::new(vec![
        privacy::build("k-anonymity", &Parameters::from([("k".to_owned(), Value::Integer(k))]), &[]).unwrap(),
    ])
}

/// A table with all that a search asks of it.
pub(crate) struct MadeUpProblem {
    pub(crate) table: Table,
    pub(crate) guard: Guard,
    pub(crate) loss: Box<dyn Loss>,
}

impl MadeUpProblem {
    /// k-anonymity and the loss of that name.
    pub(crate) fn new(table: Table, k: i64, loss: &str) -> Self {
        let loss = loss::find(loss).unwrap().build(&table, &Parameters::new()).unwrap();
        Self { table, guard: k_anonymity(k), loss }
    }

    /// The problem of finding the best node that suppresses so many records at most.
    pub(crate) fn problem(&self, allowance: u64) -> Problem<'_> {
        let Self { table, guard, loss } = self;
        Problem::new(table, guard, &**loss, allowance)
    }
}
