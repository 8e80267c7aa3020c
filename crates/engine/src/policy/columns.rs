//! Whether the policy speaks of exactly the columns that the data has.
//!
//! A column that nobody spoke of is never released. Names of columns are shown only while the first row looks like a
//! header: when none of them is known, the row may hold values.

use std::collections::HashSet;

use super::VariablePolicy;
use super::nearest::nearest;
use super::place::{at_line, quoted, quoted_list};
use crate::error::{Error, Result};

/// Delimiters of CSV files that are worth a guess.
const DELIMITERS: [char; 4] = [';', ',', '\t', '|'];

/// Refuses columns that are not listed and listed variables that are no columns.
pub(super) fn check(variables: &[VariablePolicy], columns: &[String]) -> Result<()> {
    let listed: HashSet<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    let present: HashSet<&str> = columns.iter().map(String::as_str).collect();
    let unlisted: Vec<&str> = present_in_order(columns).filter(|name| !listed.contains(name)).collect();
    let absent = variables.iter().find(|variable| !present.contains(variable.name.as_str()));
    match absent {
        Some(_) if !columns.is_empty() && unlisted.len() == columns.len() => {
            Err(wrong_delimiter(variables, columns).unwrap_or_else(|| strangers(variables, columns)))
        }
        Some(variable) => Err(no_such_column(variable, &unlisted)),
        None if unlisted.is_empty() => Ok(()),
        None => Err(not_listed(&unlisted)),
    }
}

fn present_in_order(columns: &[String]) -> impl Iterator<Item = &str> {
    columns.iter().map(String::as_str)
}

/// One column where several should be, and a delimiter that would give more.
fn wrong_delimiter(variables: &[VariablePolicy], columns: &[String]) -> Option<Error> {
    let ([only], 2..) = (columns, variables.len()) else { return None };
    let delimiter = suspect(only, variables)?.escape_default();
    let message = format!("1 column found, the policy names {}; delimiter `{delimiter}` suspected", variables.len());
    Some(Error::input(message).hint(format!("set it in the policy: [data] delimiter = \"{delimiter}\"")))
}

/// Not one column is known.
fn strangers(variables: &[VariablePolicy], columns: &[String]) -> Error {
    if let Some((variable, column)) = lookalike(variables, columns) {
        return no_such_column(variable, &[column]);
    }
    let found = if columns.len() == 1 { "1 column".to_owned() } else { format!("{} columns", columns.len()) };
    Error::input(format!("{found} found, the policy names {}, and no name is in both", variables.len()))
        .hint("does the file start with a header row, and is it the file that the policy is for?")
}

fn lookalike<'a>(variables: &'a [VariablePolicy], columns: &'a [String]) -> Option<(&'a VariablePolicy, &'a str)> {
    let similar = |variable: &'a VariablePolicy| {
        Some((variable, nearest(&variable.name, present_in_order(columns).take(COMPARED))?))
    };
    variables.iter().take(20).find_map(similar)
}

/// The delimiter at which the only column falls into names that the policy knows.
fn suspect(only: &str, variables: &[VariablePolicy]) -> Option<char> {
    let known = |delimiter: char| {
        let pieces: HashSet<&str> = only.split(delimiter).map(|piece| piece.trim().trim_matches('"')).collect();
        variables.iter().filter(|variable| pieces.contains(variable.name.as_str())).count()
    };
    DELIMITERS.into_iter().filter(|delimiter| known(*delimiter) > 0).max_by_key(|delimiter| known(*delimiter))
}

/// Most columns that are compared with a name that is not there.
const COMPARED: usize = 10_000;

fn no_such_column(variable: &VariablePolicy, unlisted: &[&str]) -> Error {
    let error = at_line(variable.line, format!("the data has no column {}", quoted(&variable.name)));
    match nearest(&variable.name, unlisted.iter().copied().take(COMPARED)) {
        Some(column) => error.hint(format!("did you mean {}? The policy does not list that column", quoted(column))),
        None => error.hint("remove it from the policy, or check that this is the right file"),
    }
}

fn not_listed(unlisted: &[&str]) -> Error {
    let what = if unlisted.len() == 1 { "a column" } else { "columns" };
    let names = quoted_list(unlisted.iter().copied());
    Error::input(format!("the data has {what} that the policy does not list: {names}; never released by default"))
        .hint("give each a table [variables.<name>] with a role; role = \"identifying\" leaves it out of the release")
}
