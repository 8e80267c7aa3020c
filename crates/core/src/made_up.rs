//! Small tables for unit tests.

use crate::frequency::Table;
use crate::hierarchy::Builder;
use crate::variable::Variable;

/// A table of records of values below 12, with a ladder of intervals for each variable, given their widths.
pub(crate) fn table<const N: usize>(records: &[[u32; N]], ladders: [&[&str]; N]) -> Table {
    let values: Vec<String> = (0..12).map(|value| value.to_string()).collect();
    let variable = |(place, widths): (usize, &[&str])| {
        let ladder = Builder::Intervals { widths: widths.iter().map(ToString::to_string).collect() };
        let hierarchy = ladder.fit(&values).unwrap();
        Variable { name: place.to_string(), max_level: hierarchy.height(), hierarchy, min_level: 0, weight: 1.0 }
    };
    let column = |place: usize| records.iter().map(|record| record[place]).collect();
    let columns: Vec<Vec<u32>> = (0..N).map(column).collect();
    Table::new(ladders.into_iter().enumerate().map(variable).collect(), &columns, vec![1; records.len()], vec![])
        .unwrap()
}
