//! Whether a mask fits the columns of a table, and what differs where it does not: names and counts, never cells.

use super::StoredMask;
use crate::error::{Error, Result};
use crate::policy::nearest::nearest;

/// More names than these are counted.
const MOST_NAMES: usize = 10;

impl StoredMask {
    /// Refuses a table with other columns than the mask, and names those.
    pub(crate) fn check_columns(&self, columns: &[String]) -> Result<()> {
        let masked: Vec<&str> = self.mask.columns.iter().map(|column| column.name.as_str()).collect();
        let given: Vec<&str> = columns.iter().map(String::as_str).collect();
        if masked == given {
            return Ok(());
        }
        let differences = differences(&masked, &given);
        Err(Error::input(format!("the columns of the data are not those of the stored mask: {differences}")).hint(
            "a mask fits data with the same columns in the same order: rename or reorder them, or run `equanym release`",
        ))
    }
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
