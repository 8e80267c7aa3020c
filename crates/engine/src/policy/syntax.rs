//! From text to TOML tables, and what to say when the text is not TOML.
//!
//! The TOML parser tells where a key is used twice, not where it was used first; people need both lines. So the second
//! use is given a fresh name and the text is read again: its neighbours then include the first use. A message never
//! repeats the text around an error, as that may hold values of the data.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::place::{LineStarts, quoted};
use crate::error::{Error, Result};

/// The tables of a policy.
pub(super) fn read<'a>(text: &'a str, lines: &LineStarts) -> Result<DeTable<'a>> {
    DeTable::parse(text).map(Spanned::into_inner).map_err(|error| explain(text, lines, &error))
}

fn explain(text: &str, lines: &LineStarts, error: &toml::de::Error) -> Error {
    let Some(span) = error.span() else {
        return Error::input(format!("the policy cannot be read: {}", error.message()));
    };
    if error.message() == "duplicate key" {
        return twice(text, lines, &span);
    }
    lines.error(span.start, format!("this is not TOML: {}", error.message()))
}

fn twice(text: &str, lines: &LineStarts, second: &Range<usize>) -> Error {
    match first_use(text, second) {
        Some(first) if first.in_hierarchy => {
            lines.error(second.start, format!("a key stands twice; the first one is on line {}", lines.line(first.at)))
        }
        Some(first) => {
            let message = format!("{} stands twice; the first one is on line {}", first.name, lines.line(first.at));
            lines.error(second.start, message).hint("keep one of the two")
        }
        None => lines.error(second.start, "a key or table stands twice"),
    }
}

struct FirstUse {
    name: String,
    at: usize,
    in_hierarchy: bool,
}

/// Where the key at `second` was used before.
fn first_use(text: &str, second: &Range<usize>) -> Option<FirstUse> {
    let before = text.get(..second.start)?;
    let after = text.get(second.end..)?;
    let fresh = (0..=text.len()).map(|number| format!("second-{number}")).find(|name| !text.contains(name.as_str()))?;
    let line_rest = after.split_inclusive('\n').next().unwrap_or_default();
    let renamed = format!("{before}{fresh}{line_rest}");
    let (root, _) = DeTable::parse_recoverable(&renamed);
    let name = decoded(text.get(second.clone())?)?;
    neighbour(root.get_ref(), &fresh, &name).filter(|first| first.at < second.start)
}

/// A key as TOML understands it, quotes removed.
fn decoded(key: &str) -> Option<String> {
    let line = format!("{key} = 0");
    let table = DeTable::parse(&line).ok()?;
    table.get_ref().keys().next().map(|key| key.get_ref().to_string())
}

/// Looks for the table that holds `fresh`, and for `name` in it. Tables may be nested deeply, hence no recursion.
fn neighbour(root: &DeTable<'_>, fresh: &str, name: &str) -> Option<FirstUse> {
    let mut open = vec![(root, false)];
    while let Some((table, in_hierarchy)) = open.pop() {
        if table.contains_key(fresh) {
            let (key, _) = table.get_key_value(name)?;
            return Some(FirstUse { name: quoted(name), at: key.span().start, in_hierarchy });
        }
        for (key, value) in table {
            let below = in_hierarchy || key.get_ref() == "hierarchy";
            open.extend(tables_in(value.get_ref()).into_iter().map(|table| (table, below)));
        }
    }
    None
}

fn tables_in<'t, 'i>(value: &'t DeValue<'i>) -> Vec<&'t DeTable<'i>> {
    let mut open = vec![value];
    let mut tables = Vec::new();
    while let Some(value) = open.pop() {
        match value {
            DeValue::Table(table) => tables.push(table),
            DeValue::Array(list) => open.extend(list.iter().map(Spanned::get_ref)),
            _ => {}
        }
    }
    tables
}
