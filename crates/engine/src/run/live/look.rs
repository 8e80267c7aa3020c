//! A table as it is looked at before anything is decided: what its columns hold, its first records, and the draft of a policy.
//!
//! It holds values: it is for the eyes of whoever holds the table.

use std::path::Path;
use std::sync::Arc;

use arrow_array::StringArray;

use super::Live;
use super::bins::{self, Bin};
use crate::error::Result;
use crate::progress::Progress;
use crate::read::cells::{column_as, text};
use crate::read::{Data, Reading, Source};
use crate::run::draft::{ColumnKind, Draft, DraftRequest, DraftTable, with_values};

/// The records that are shown.
const FIRST: usize = 10;

/// The values of a column that are shown.
const FREQUENT: usize = 8;

/// What a table holds.
pub struct TableLook {
    /// The draft of a policy, with reasons.
    pub draft: Draft,
    /// The columns, in the order of the data.
    pub columns: Vec<ColumnLook>,
    /// The first records, each with a cell for each column; a missing one is empty.
    pub first: Vec<Vec<String>>,
}

/// What a column holds.
pub struct ColumnLook {
    /// Its name.
    pub name: String,
    /// What the values look like.
    pub kind: ColumnKind,
    /// Distinct values; the missing value counts as one.
    pub distinct: u64,
    /// Whether there are more: beyond a limit of memory they are not counted.
    pub more: bool,
    /// Records without a value.
    pub missing: u64,
    /// The most frequent values with their records, as many as are shown.
    pub frequent: Vec<(String, u64)>,
    /// Where numbers and dates lie.
    pub bins: Vec<Bin>,
    /// All values in their order, as far as they were kept.
    pub values: Vec<(String, u64)>,
    /// The ladder that suits the values, as a policy writes it; none where they become `*` at once.
    pub ladder: Option<String>,
}

impl Live {
    /// Looks at the table; files that the draft names are named from a folder.
    pub fn look(&self, reading: &Reading, folder: &Path, progress: &Arc<dyn Progress>) -> Result<TableLook> {
        let data = Data::At(&self.data);
        let request = DraftRequest { data, reading, folder, resources: &self.resources, progress };
        let DraftTable { draft, reading, columns } = with_values(&request)?;
        let columns = draft.columns.iter().zip(columns).map(|(proposal, (values, ladder))| {
            let bins = match proposal.kind {
                ColumnKind::Number => bins::numbers(&values),
                ColumnKind::Date => bins::dates(&values, &ladder.builder),
                ColumnKind::Code | ColumnKind::Text => Vec::new(),
            };
            ColumnLook {
                name: proposal.name.clone(),
                kind: proposal.kind,
                distinct: proposal.distinct,
                more: proposal.more,
                missing: proposal.missing,
                frequent: frequent(&values),
                bins,
                values,
                ladder: ladder.written,
            }
        });
        let columns = columns.collect();
        let first = first(&data.open(&reading)?)?;
        Ok(TableLook { draft, columns, first })
    }
}

fn frequent(values: &[(String, u64)]) -> Vec<(String, u64)> {
    let mut ranked: Vec<&(String, u64)> = values.iter().collect();
    ranked.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    ranked.into_iter().take(FREQUENT).cloned().collect()
}

fn first(source: &Source) -> Result<Vec<Vec<String>>> {
    let places: Vec<usize> = (0..source.columns().len()).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for part in 0..source.parts() {
        for batch in source.read(part, &places)? {
            let batch = batch?;
            let columns = batch.columns().iter().map(|column| column_as::<StringArray>(column));
            let columns = columns.collect::<Result<Vec<_>>>()?;
            for record in 0..batch.num_rows().min(FIRST - found.len()) {
                found.push(columns.iter().map(|column| text(column, record).to_owned()).collect());
            }
            if found.len() == FIRST {
                return Ok(found);
            }
        }
    }
    Ok(found)
}
