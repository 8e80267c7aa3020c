//! The allow-list: exactly the claimed columns, in the claimed order, and none that identifies.

use std::collections::BTreeSet;

use crate::formula::Guard;
use crate::manifest::Claims;
use crate::{Check, quoted};

/// Compares the header of the data with the claimed columns.
pub(crate) fn check(claims: &Claims, header: &[String]) -> Check {
    let guard = Guard::for_release(claims);
    let columns = &claims.columns;
    let claim = format!("{} columns, none of them identifying", columns.len());
    let unfit = columns.iter().filter(|column| !may_be_released(&column.role));
    let unfit = quoted(unfit.map(|column| &column.name));
    let distinct: BTreeSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let same =
        |(index, name): (usize, &String)| columns.get(index).is_some_and(|column| is_header(&column.name, name, guard));
    let (passed, found) = if !unfit.is_empty() {
        (false, format!("claimed with a role that is not released: {unfit}"))
    } else if distinct.len() != columns.len() {
        (false, "a column is claimed twice".to_owned())
    } else if header.len() != columns.len() {
        (false, format!("{} columns", header.len()))
    } else if let Some(place) = header.iter().enumerate().position(|pair| !same(pair)) {
        (false, format!("column {} has another name", place + 1))
    } else {
        (true, "the same names in the same order".to_owned())
    };
    Check::new("columns", passed, claim, found)
}

fn may_be_released(role: &str) -> bool {
    matches!(role, "pseudonym" | "quasi-identifying" | "sensitive" | "insensitive")
}

/// In a CSV a name that a spreadsheet would run is written with a guard, like any cell.
fn is_header(name: &str, written: &str, guard: Option<Guard>) -> bool {
    let Some(guard) = guard else { return name == written };
    (name == written && !guard.is_dangerous(name)) || (guard.is_guarded(written) && guard.unguarded(written) == name)
}
