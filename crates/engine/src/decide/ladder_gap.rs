//! Says which column does not fit its ladder, how often and where first, without showing what stands there.
//!
//! The counted keys know values, not rows, so the column is read once more: only when something is wrong.

use std::collections::BTreeSet;

use arrow_array::{Array, StringArray};
use equanym_core::hierarchy::{Builder, DateFormat, HierarchyError};

use crate::count::columns::KeyColumns;
use crate::count::tabulate::LadderGap;
use crate::error::{Error, Result};
use crate::read::Source;
use crate::read::cells::{column_as, text};
use crate::read::missing::means_missing;
use crate::read::notation::Notation;

/// How many values are shown to an owner who asks for it.
const SHOWN: usize = 5;

/// The error for a column that does not fit its ladder.
pub(crate) fn explain(gap: &LadderGap, source: &Source, columns: &KeyColumns<'_>, show_values: bool) -> Error {
    let name = columns.quasi.get(gap.variable).map_or("", |policy| policy.name.as_str());
    let mut message = format!("column `{}`: {}", name.escape_debug(), gap.error);
    if let Some(place) = columns.places.quasi.get(gap.variable)
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
    let ladder = columns.quasi.get(gap.variable).map(|policy| &policy.hierarchy);
    match hint(gap, ladder, show_values) {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

fn hint(gap: &LadderGap, ladder: Option<&Builder>, shown: bool) -> Option<String> {
    let error = &gap.error;
    let is_about_values = matches!(error, HierarchyError::Unlisted { .. } | HierarchyError::Unreadable { .. });
    let found = if is_about_values { remedies(&gap.values, ladder) } else { Vec::new() };
    let next = if found.is_empty() { error.hint()?.to_owned() } else { found.join("; ") };
    Some(if is_about_values && !shown { format!("{next}; --show-values shows how some of them begin") } else { next })
}

/// What would read the values, and how many of them.
fn remedies(values: &BTreeSet<String>, ladder: Option<&Builder>) -> Vec<String> {
    let words = values.iter().filter(|value| means_missing(value)).count();
    let words = (words > 0).then(|| {
        format!("{words} of them look like words for missing: name them in `[data] missing`, or with --missing")
    });
    let by_sign = match ladder {
        Some(Builder::Intervals { .. }) => other_signs(values),
        Some(Builder::Date { .. }) => other_format(values),
        _ => None,
    };
    words.into_iter().chain(by_sign).collect()
}

/// The decimal sign that reads the most of them; without thousands, where these change nothing.
fn other_signs(values: &BTreeSet<String>) -> Option<String> {
    let signs = [(',', None), (',', Some('.')), ('.', Some(',')), (',', Some(' ')), ('.', Some('\''))];
    let read = |(decimal, thousands)| {
        let notation = Notation { decimal, thousands };
        (values.iter().filter(|value| notation.number(value).is_some()).count(), notation)
    };
    // The first of those that read as many.
    let (count, notation) = signs.map(read).into_iter().rev().max_by_key(|(count, _)| *count)?;
    let thousands = notation.thousands.map(|sign| format!(" and thousands = \"{sign}\"")).unwrap_or_default();
    (count > 0).then(|| format!("decimal = \"{}\"{thousands} in [data] would read {count} of them", notation.decimal))
}

/// The format of dates that reads the most of them.
fn other_format(values: &BTreeSet<String>) -> Option<String> {
    let read = |format: DateFormat| (values.iter().filter(|value| format.read_day(value).is_some()).count(), format);
    let (count, format) = DateFormat::ALL.map(read).into_iter().rev().max_by_key(|(count, _)| *count)?;
    (count > 0).then(|| format!("format = \"{}\" in the ladder would read {count} of them", format.name()))
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
    fn what_would_read_the_values_is_named() {
        let values = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<BTreeSet<String>>();
        let numbers = Builder::intervals(vec!["5".to_owned()]);
        let told = |cells: &[&str], ladder: &Builder| remedies(&values(cells), Some(ladder)).join("; ");
        let missing = "1 of them look like words for missing: name them in `[data] missing`, or with --missing";
        assert_eq!(told(&["NA"], &numbers), missing);
        assert_eq!(told(&["1,5", "2,5", "x"], &numbers), "decimal = \",\" in [data] would read 2 of them");
        let grouped = "decimal = \",\" and thousands = \".\" in [data] would read 2 of them";
        assert_eq!(told(&["1.234,5", "2,5"], &numbers), grouped);
        assert_eq!(told(&["a", "b"], &numbers), "");
        let dates = Builder::Date { grains: Vec::new(), format: DateFormat::Iso };
        assert_eq!(told(&["29.03.2026"], &dates), "format = \"DD.MM.YYYY\" in the ladder would read 1 of them");
    }

    #[test]
    fn a_masked_value_keeps_its_tail_to_itself() {
        assert_eq!(masked("Bachelors"), "\"Ba\"… (9 characters)");
        assert_eq!(masked("abc"), "\"a\"… (3 characters)");
    }
}
