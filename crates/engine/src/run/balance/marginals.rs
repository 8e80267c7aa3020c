//! How often each value of a column occurs, each column by itself, in one reading.

use equanym_core::hierarchy::Hierarchy;
use hashbrown::HashMap;

use crate::count::values::{ValueTally, read_columns};
use crate::count::{beyond_memory, canonical};
use crate::error::Result;
use crate::policy::{ValueKind, VariablePolicy};
use crate::progress::Progress;
use crate::read::Source;

/// How often each value of some columns occurs.
pub(super) struct Marginals {
    pub(super) records: u64,
    /// The distinct values of each column in their order, with their records.
    columns: Vec<Vec<(String, u64)>>,
}

/// Counts the values of the columns at these places.
pub(super) fn count(source: &Source, places: &[usize], memory: usize, progress: &dyn Progress) -> Result<Marginals> {
    let mut columns: Vec<ValueTally> = places.iter().map(|_| ValueTally::default()).collect();
    let records = read_columns(source, places, progress, |column, cells| {
        columns[column].add_cells(cells);
        let bytes: usize = columns.iter().map(ValueTally::bytes).sum();
        if bytes > memory { Err(beyond_memory("the distinct values do")) } else { Ok(()) }
    })?;
    Ok(Marginals { records, columns: columns.into_iter().map(ValueTally::sorted).collect() })
}

impl Marginals {
    /// The distinct values of each column, in order, for whoever fits ladders to them.
    pub(super) fn values(&self) -> Vec<Vec<String>> {
        let values = |column: &Vec<(String, u64)>| column.iter().map(|(value, _)| value.clone()).collect();
        self.columns.iter().map(values).collect()
    }

    /// How many records have each value of a column.
    pub(super) fn occurrences(&self, column: usize) -> Vec<u64> {
        self.columns[column].iter().map(|(_, records)| *records).collect()
    }

    /// The records with each value of a ladder, by the value's code.
    pub(super) fn by_code(&self, quasi: &[&VariablePolicy], hierarchies: &[Hierarchy]) -> Vec<Vec<u64>> {
        let columns = self.columns.iter().zip(quasi.iter().zip(hierarchies));
        columns.map(|(values, (policy, ladder))| counts(values, policy.kind == ValueKind::Number, ladder)).collect()
    }
}

fn counts(values: &[(String, u64)], number: bool, ladder: &Hierarchy) -> Vec<u64> {
    let codes: HashMap<&str, usize> = ladder.values().iter().map(String::as_str).zip(0..).collect();
    let mut counts = vec![0; ladder.values().len()];
    for (value, records) in values {
        let value = canonical(value, number);
        let code = ladder.collected(&value).and_then(|value| codes.get(value.as_ref()).copied());
        if let Some(count) = code.and_then(|code| counts.get_mut(code)) {
            *count += records;
        }
    }
    counts
}
