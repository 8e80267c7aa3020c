//! Says which column does not fit its ladder, how often and where first, without showing what stands there.
//!
//! The counted keys know values, not rows, so the column is read once more: only when something is wrong.

use std::collections::BTreeSet;

use arrow_array::{Array, StringArray};
use equanym_core::hierarchy::HierarchyError;

use super::columns::Columns;
use crate::count::tabulate::LadderGap;
use crate::error::{Error, Result};
use crate::read::Source;
use crate::read::cells::{column_as, text};

/// How many values are shown to an owner who asks for it.
const SHOWN: usize = 5;

/// The error for a column that does not fit its ladder.
pub(crate) fn explain(gap: &LadderGap, source: &Source, columns: &Columns<'_>, show_values: bool) -> Error {
    let name = columns.quasi.get(gap.variable).map_or("", |policy| policy.name.as_str());
    let mut message = format!("column `{}`: {}", name.escape_debug(), gap.error);
    if let Some(place) = columns.places.get(gap.variable)
        && let Ok(Some(found)) = find(source, *place, &gap.values)
    {
        let Occurrence { records, first_row } = found;
        let place = if records == 1 { "1 record, in".to_owned() } else { format!("{records} records, the first in") };
        message = format!("{message}; {place} row {first_row}");
    }
    if show_values && !gap.values.is_empty() {
        let shown: Vec<String> = gap.values.iter().take(SHOWN).map(|value| masked(value)).collect();
        message = format!("{message}; for example {}", shown.join(", "));
    }
    let error = Error::input(message);
    match hint(&gap.error, show_values) {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

fn hint(error: &HierarchyError, shown: bool) -> Option<String> {
    let next = error.hint()?;
    let is_about_values = matches!(error, HierarchyError::Unlisted { .. } | HierarchyError::Unreadable { .. });
    Some(if is_about_values && !shown {
        format!("{next}; --show-values shows how some of them begin")
    } else {
        next.to_owned()
    })
}

struct Occurrence {
    records: u64,
    first_row: u64,
}

fn find(source: &Source, place: usize, values: &BTreeSet<String>) -> Result<Option<Occurrence>> {
    let (mut row, mut found) = (0, None);
    for part in 0..source.parts() {
        for batch in source.read(part, &[place])? {
            let batch = batch?;
            let column = column_as::<StringArray>(batch.column(0))?;
            for at in 0..column.len() {
                row += 1;
                if values.contains(text(column, at)) {
                    found.get_or_insert(Occurrence { records: 0, first_row: row }).records += 1;
                }
            }
        }
    }
    Ok(found)
}

/// The beginning of a value and its length.
fn masked(value: &str) -> String {
    let length = value.chars().count();
    let head: String = value.chars().take(if length > 4 { 2 } else { 1 }).collect();
    format!("{head:?}… ({length} characters)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_value_keeps_its_tail_to_itself() {
        assert_eq!(masked("Bachelors"), "\"Ba\"… (9 characters)");
        assert_eq!(masked("abc"), "\"a\"… (3 characters)");
    }
}
