//! Values that a mask has no label for: they get one as the mask says, or they are counted and refused.

use equanym_core::hierarchy::TOP;
use equanym_core::mask::{ColumnMask, Recoding, WITHHELD};
use equanym_core::variable::Role;

use crate::count::counted_table::Case;
use crate::count::population::Population;
use crate::count::{KeyRows, canonical};
use crate::error::{Error, Result};
use crate::mask::StoredMask;
use crate::policy::UnknownValues;

/// The label of values that are unknown; there is none where they are an error.
fn label_of(unknown: UnknownValues) -> Option<&'static str> {
    match unknown {
        UnknownValues::Error => None,
        UnknownValues::Top => Some(TOP),
        UnknownValues::Suppress => Some(WITHHELD),
    }
}

/// Unknown values get a label as the mask's rule says; the mask of the new release lists them.
pub(super) fn label(stored: &mut StoredMask, values: &[Vec<String>]) {
    let Some(label) = label_of(stored.unknown_values) else { return };
    let columns = stored.mask.columns.iter_mut().filter(|column| column.role == Role::QuasiIdentifying);
    let recoded = columns.filter_map(|column| Some((column.number, column.recoding.as_mut()?)));
    for ((number, recoding), values) in recoded.zip(values) {
        let values = values.iter().map(|value| canonical(value, number));
        let unknown: Vec<String> = values.filter(|value| recoding.label(value).is_err()).collect();
        recoding.labels.extend(unknown.into_iter().map(|value| (value, label.to_owned())));
    }
}

/// Refuses values that the mask has no label for, counted in every column.
pub(super) fn refuse(recoded: &[(&ColumnMask, &Recoding)], case: &Case<'_>, rows: &KeyRows) -> Result<()> {
    let raw = case.values.quasi.iter().zip(&rows.codes.quasi);
    let of_column = |(&(column, recoding), (values, codes)): (&(&ColumnMask, &Recoding), (&Vec<_>, &Vec<_>))| {
        let is_unknown = |value: &String| recoding.label(&canonical(value, column.number)).is_err();
        let records = values.iter().zip(rows.occurrences(codes, values.len()));
        let unknown: Vec<u64> = records.filter(|(value, _)| is_unknown(value)).map(|(_, records)| records).collect();
        let (name, values, records) = (column.name.escape_debug(), unknown.len(), unknown.iter().sum::<u64>());
        let words =
            || format!("column `{name}`: {values} distinct values in {records} records have no label in the ladder");
        (values > 0).then(words)
    };
    let unknown: Vec<String> = recoded.iter().zip(raw).filter_map(of_column).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    Err(Error::input(unknown.join("; ")).hint(
        "extend the ladder and run `equanym release` anew; new_values in [method] says what a mask does with unknown values",
    ))
}

/// The label of each value of a population, column by column.
pub(super) fn population_labels(
    population: &Population,
    recoded: &[(&ColumnMask, &Recoding)],
    rule: UnknownValues,
) -> Result<Vec<Vec<String>>> {
    let of_column = |(place, (column, recoding)): (usize, &(&ColumnMask, &Recoding))| {
        let values = population.values(place).iter();
        let known: Vec<Option<String>> =
            values.map(|value| recoding.label(&canonical(value, column.number)).ok()).collect();
        let unknown = known.iter().filter(|label| label.is_none()).count();
        let other = match label_of(rule) {
            None if unknown > 0 => return Err(Population::beyond_ladder(&column.name, unknown)),
            label => label.unwrap_or(TOP),
        };
        Ok(known.into_iter().map(|label| label.unwrap_or_else(|| other.to_owned())).collect())
    };
    recoded.iter().enumerate().map(of_column).collect()
}
