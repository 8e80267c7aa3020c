//! How often each value of a column occurs, each column by itself, in one reading.

use arrow_array::{Array, StringArray};
use equanym_core::hierarchy::Hierarchy;
use hashbrown::HashMap;

use crate::count::canonical;
use crate::error::{Error, Result};
use crate::policy::{ValueKind, VariablePolicy};
use crate::progress::{Progress, Step};
use crate::read::Source;
use crate::read::cells::column_as;
use crate::read::cells::text;

/// What a kept value costs besides its characters.
const OVERHEAD: usize = 64;

/// How often each value of some columns occurs.
pub(super) struct Marginals {
    pub(super) records: u64,
    columns: Vec<HashMap<String, u64>>,
}

/// Counts the values of the columns at these places.
pub(super) fn count(source: &Source, places: &[usize], memory: usize, progress: &dyn Progress) -> Result<Marginals> {
    let mut counted = Marginals { records: 0, columns: places.iter().map(|_| HashMap::new()).collect() };
    let mut bytes = 0;
    for part in 0..source.parts() {
        for batch in source.read(part, places)? {
            let batch = batch?;
            for (values, cells) in counted.columns.iter_mut().zip(batch.columns()) {
                bytes += take(values, column_as::<StringArray>(cells)?);
            }
            if bytes > memory {
                return Err(Error::environment("the distinct values do not fit the memory limit")
                    .hint("raise --memory, or coarsen near-unique quasi-identifiers in the input first"));
            }
            counted.records += batch.num_rows() as u64;
            progress.at(Step::Count, counted.records);
        }
    }
    Ok(counted)
}

/// Counts the cells of a batch; returns the bytes of the values that are new.
fn take(values: &mut HashMap<String, u64>, cells: &StringArray) -> usize {
    let mut bytes = 0;
    for row in 0..cells.len() {
        let value = text(cells, row);
        *values.entry_ref(value).or_insert_with(|| {
            bytes += value.len() + OVERHEAD;
            0
        }) += 1;
    }
    bytes
}

impl Marginals {
    /// The distinct values of each column, in order, for whoever fits ladders to them.
    pub(super) fn values(&self) -> Vec<Vec<String>> {
        let sorted = |values: &HashMap<String, u64>| {
            let mut sorted: Vec<String> = values.keys().cloned().collect();
            sorted.sort_unstable();
            sorted
        };
        self.columns.iter().map(sorted).collect()
    }

    /// How many records have each of these values of a column.
    pub(super) fn occurrences(&self, column: usize, values: &[String]) -> Vec<u64> {
        values.iter().map(|value| self.columns[column].get(value).copied().unwrap_or(0)).collect()
    }

    /// The records with each value of a ladder, by the value's code.
    pub(super) fn by_code(&self, quasi: &[&VariablePolicy], hierarchies: &[Hierarchy]) -> Vec<Vec<u64>> {
        let columns = self.columns.iter().zip(quasi.iter().zip(hierarchies));
        columns.map(|(values, (policy, ladder))| counts(values, policy.kind == ValueKind::Number, ladder)).collect()
    }
}

fn counts(values: &HashMap<String, u64>, number: bool, ladder: &Hierarchy) -> Vec<u64> {
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
