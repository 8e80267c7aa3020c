//! Small tables for unit tests.

use crate::frequency::Table;
use crate::hierarchy::Builder;
use crate::variable::Variable;

/// A table of rows of values below 12, one record each, with a ladder of intervals for each variable, given their widths.
pub(crate) fn table<const N: usize>(rows: &[[u32; N]], ladders: [&[&str]; N]) -> Table {
    let values: Vec<String> = (0..12).map(|value| value.to_string()).collect();
    let variable = |(place, widths): (usize, &[&str])| {
        let ladder = Builder::Intervals { widths: widths.iter().map(ToString::to_string).collect() };
        let hierarchy = ladder.fit(&values).unwrap();
        Variable { name: place.to_string(), max_level: hierarchy.height(), hierarchy, min_level: 0, weight: 1.0 }
    };
    let column = |place: usize| rows.iter().map(|row| row[place]).collect();
    let columns: Vec<Vec<u32>> = (0..N).map(column).collect();
    Table::new(ladders.into_iter().enumerate().map(variable).collect(), &columns, vec![1; rows.len()], vec![]).unwrap()
}
