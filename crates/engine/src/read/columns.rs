//! Column names: each has one, no two are alike, and all files of a folder agree.
//!
//! A name that occurs twice could be given two roles, and a renamed copy would be released under a name that no
//! policy knows; so nothing is renamed and nothing guessed. Names are shown with control characters escaped.

use arrow_schema::DataType;

use super::FileHead;
use crate::error::{Error, Result};

/// A column as messages show it: number from 1, and name.
pub(super) fn show(position: usize, names: &[String]) -> String {
    match names.get(position) {
        Some(name) => format!("column {} ({name:?})", position + 1),
        None => format!("column {}", position + 1),
    }
}

/// Refuses tables without columns, columns without a name and names given twice.
pub(super) fn check(file: &str, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return Err(Error::input(format!("{file}: the table has no columns")));
    }
    if let Some(position) = names.iter().position(|name| name.trim().is_empty()) {
        let message = format!("{file}: column {} of {} has no name", position + 1, names.len());
        return Err(Error::input(message)
            .hint("name it or remove it; a delimiter at the end of each row makes such a column too"));
    }
    let mut seen = hashbrown::HashMap::with_capacity(names.len());
    for (position, name) in names.iter().enumerate() {
        if let Some(first) = seen.insert(name, position) {
            let message = format!("{file}: columns {} and {} are both named {name:?}", first + 1, position + 1);
            return Err(Error::input(message).hint("rename one of them"));
        }
    }
    Ok(())
}

/// Refuses a file of a folder whose columns differ from those of the folder's first file.
pub(super) fn agree(first: &str, wanted: &FileHead, file: &str, found: &FileHead) -> Result<()> {
    let differs = |position: usize, what: String| {
        let place = show(position, &wanted.columns);
        Error::input(format!("{file}: {place}: {what}"))
            .hint("all files of a folder need the same columns in one order")
    };
    for (position, (name, other)) in wanted.columns.iter().zip(&found.columns).enumerate() {
        if name != other {
            return Err(differs(position, format!("is named {name:?} in {first}, {other:?} here")));
        }
    }
    if wanted.columns.len() != found.columns.len() {
        let position = wanted.columns.len().min(found.columns.len());
        let (old, new) = (wanted.columns.len(), found.columns.len());
        return Err(differs(position, format!("{first} has {old} columns, this file {new}")));
    }
    match types_differ(&wanted.types, &found.types) {
        Some(position) => Err(differs(position, format!("its type differs from that in {first}"))),
        None => Ok(()),
    }
}

fn types_differ(wanted: &[(DataType, bool)], found: &[(DataType, bool)]) -> Option<usize> {
    wanted.iter().zip(found).position(|(one, other)| one != other)
}
