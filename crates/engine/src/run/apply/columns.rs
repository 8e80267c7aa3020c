//! Whether a mask fits the columns of a table, and what differs where it does not: names and counts, never cells.

use equanym_core::mask::{ColumnMask, Recoding};

use crate::count::{Keys, canonical};
use crate::error::{Error, Result};
use crate::mask::StoredMask;
use crate::policy::nearest::nearest;
use crate::read::Source;

/// More names than these are counted.
const MOST_NAMES: usize = 10;

/// Refuses a table with other columns than the mask, and names those.
pub(super) fn check_columns(stored: &StoredMask, source: &Source) -> Result<()> {
    let masked: Vec<&str> = stored.mask.columns.iter().map(|column| column.name.as_str()).collect();
    let given: Vec<&str> = source.columns().iter().map(String::as_str).collect();
    if masked == given {
        return Ok(());
    }
    Err(Error::input(format!(
        "the columns of the data are not those of the stored mask: {}",
        differences(&masked, &given)
    ))
    .hint("a mask fits data with the same columns in the same order: rename or reorder them, or run `equanym release`"))
}

/// What is missing, what is too much, what was probably renamed, or that only the order differs.
fn differences(masked: &[&str], given: &[&str]) -> String {
    let without = |names: &[&str], others: &[&str]| -> Vec<String> {
        names.iter().filter(|name| !others.contains(name)).map(|name| (*name).to_owned()).collect()
    };
    let (missing, extra) = (without(masked, given), without(given, masked));
    let like = |name: &String| match nearest(name, extra.iter().map(String::as_str)) {
        Some(other) => format!("`{}` (`{}` looks like it)", name.escape_debug(), other.escape_debug()),
        None => format!("`{}`", name.escape_debug()),
    };
    let plain = |name: &String| format!("`{}`", name.escape_debug());
    let parts = [
        (!missing.is_empty()).then(|| format!("missing {}", listed(missing.iter().map(like)))),
        (!extra.is_empty()).then(|| format!("not in the mask {}", listed(extra.iter().map(plain)))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        return parts.join("; ");
    }
    let moved = masked.iter().zip(given).filter(|(masked, given)| masked != given).map(|(name, _)| (*name).to_owned());
    let moved: Vec<String> = moved.collect();
    if moved.is_empty() {
        return "a name occurs more than once".to_owned();
    }
    format!("they stand in another order, from {} on", listed(moved.iter().take(1).map(plain)))
}

/// The first names, and how many more there are.
fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let first: Vec<String> = names.take(MOST_NAMES).collect();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    first.join(", ") + &rest
}

/// Refuses values that the mask has no label for, counted in every column.
pub(super) fn check_values(recoded: &[(ColumnMask, Recoding)], keys: &Keys) -> Result<()> {
    let of_column = |(place, (column, recoding)): (usize, &(ColumnMask, Recoding))| {
        let raw = keys.values.get(place)?;
        let is_unknown: Vec<bool> =
            raw.iter().map(|value| recoding.label(&canonical(value, column.number)).is_err()).collect();
        let values = is_unknown.iter().filter(|unknown| **unknown).count();
        let codes = keys.columns.get(place)?.iter().zip(&keys.counts);
        let records: u64 =
            codes.filter(|(code, _)| is_unknown.get(**code as usize) == Some(&true)).map(|(_, count)| count).sum();
        let name = column.name.escape_debug();
        let words =
            || format!("column `{name}`: {values} distinct values in {records} records have no label in the ladder");
        (values > 0).then(words)
    };
    let unknown: Vec<String> = recoded.iter().enumerate().filter_map(of_column).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    Err(Error::input(unknown.join("; ")).hint(
        "extend the ladder and run `equanym release` anew; new_values in [method] says what a mask does with unknown values",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_differ_are_named() {
        let found = differences(&["age", "zip", "ward"], &["Age", "zip", "cost"]);
        assert_eq!(found, "missing `age` (`Age` looks like it), `ward`; not in the mask `Age`, `cost`");
        assert_eq!(differences(&["a", "b"], &["b", "a"]), "they stand in another order, from `a` on");
        assert_eq!(differences(&["a"], &["a", "a"]), "a name occurs more than once");
    }

    #[test]
    fn many_names_are_counted() {
        let names: Vec<String> = (0..30).map(|number| format!("column {number}")).collect();
        let given: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(differences(&[], &given).ends_with("and 20 more"), "{}", differences(&[], &given));
    }
}
