//! The population that a table was taken from: a further table, counted once by the same columns.
//!
//! It may lie anywhere and have any format that a table may have. It is read as the table is, but for its delimiter and its
//! sheet, which are its own; cells of its columns are treated as those of the table. Whoever counts the table counts it. Ladders are fitted to both, so each of
//! its keys has a label at every level. It must hold everybody of the table, key by key; messages tell how many it lacks.
//!
//! People: where the policy names a person and the population has that column, it counts people, and everybody of the table must be
//! among them. Without the column, each of its records is a person.
//!
//! Limits: columns that are treated with a key cannot be compared. Its keys and values must fit the memory limit.

use equanym_core::contents::RowCounts;
use equanym_core::frequency::{Table, TableError};
use equanym_core::report::PopulationFindings;
use equanym_core::treatment::Treatment;
use hashbrown::HashSet;
use sha2::{Digest, Sha256};

use super::columns::KeyColumns;
use super::counter::Counter;
use super::parts::KeyParts;
use super::{Keys, people, tabulate};
use crate::error::{Error, Result};
use crate::policy::{Policy, VariablePolicy};
use crate::progress::Progress;
use crate::read::{self, Reading, Source};
use crate::treat;
use crate::treat::key::Key;
use crate::words::hex;

/// A counted population.
#[derive(Clone)]
pub(crate) struct Population {
    /// As it lies, for whoever checks.
    pub source: Source,
    keys: Keys,
    found: PopulationFindings,
}

/// A name of a column, as messages show it.
fn quoted(name: &str) -> String {
    format!("`{}`", name.escape_debug())
}

/// An error of a table, told of the population.
fn told_of_population(error: Error) -> Error {
    Error { message: format!("the population: {}", error.message), ..error }
}

impl Population {
    /// Counts the population that a policy names, where a model looks at one.
    pub(crate) fn count(
        policy: &Policy,
        columns: &KeyColumns<'_>,
        counter: &dyn Counter,
        progress: &dyn Progress,
    ) -> Result<Option<Self>> {
        let Some(path) = policy.population() else { return Ok(None) };
        refuse_keyed(&columns.quasi)?;
        let reading = Reading { delimiter: None, sheet: None, ..policy.data.clone() };
        let source = read::open(&path, &reading)?;
        let places = places(columns, &source)?;
        let wanted = columns.quasi.iter().map(|one| (one.name.as_str(), one.treatments.as_slice()));
        let (treated, _) = treat::treated(source.clone(), wanted, Key::fixed()?).map_err(told_of_population)?;
        let keys = counter.count_beside((&path, &reading), &treated, &places, progress).map_err(told_of_population)?;
        source.check_unchanged()?;
        if let Some(name) = columns.person {
            people::refuse_nobody(name, &keys).map_err(told_of_population)?;
        }
        let found = PopulationFindings {
            records: keys.rows.records(),
            persons: keys.values.person.as_ref().map(|ids| ids.len() as u64),
            keys: keys.rows.counts.len() as u64,
            sha256: fingerprint(&keys),
        };
        Ok(Some(Self { source, keys, found }))
    }

    /// What the owner keeps of it.
    pub(crate) fn found(&self) -> PopulationFindings {
        self.found.clone()
    }

    /// The values of a quasi-identifier.
    pub(crate) fn values(&self, place: usize) -> &[String] {
        self.keys.values.quasi.get(place).map_or(&[], Vec::as_slice)
    }

    /// Refuses a population that lacks somebody, where both tell people apart.
    pub(crate) fn check_ids(&self, ids: Option<&[String]>) -> Result<()> {
        let (Some(ids), Some(everybody)) = (ids, &self.keys.values.person) else { return Ok(()) };
        let everybody: HashSet<&str> = everybody.iter().map(String::as_str).collect();
        let lacking = ids.iter().filter(|id| !everybody.contains(id.as_str())).count();
        if lacking == 0 { Ok(()) } else { Err(lacks(&format!("{lacking} of {} people of the table", ids.len()))) }
    }

    /// The table with this population around it; `numbers` says which quasi-identifiers are numbers.
    pub(crate) fn around(&self, table: Table, numbers: &[bool]) -> Result<Table> {
        let labels: Vec<Vec<String>> = numbers
            .iter()
            .enumerate()
            .map(|(place, &number)| self.values(place).iter().map(|value| super::canonical(value, number)).collect())
            .collect();
        self.around_labels(table, &labels)
    }

    /// The same where each value stands under a label of the table's ladders.
    pub(crate) fn around_labels(&self, table: Table, labels: &[Vec<String>]) -> Result<Table> {
        let rows = &self.keys.rows;
        let columns = table.variables.iter().zip(labels).zip(&rows.codes.quasi);
        let columns: Vec<Vec<u32>> = columns
            .map(|((variable, labels), column)| tabulate::recode(column, labels, false, &variable.hierarchy))
            .collect::<Result<_>>()?;
        let nouns = if table.persons().is_some() { ["person", "people"] } else { ["record", "records"] };
        let rows = RowCounts { columns: &columns, counts: &rows.counts, persons: rows.codes.person.as_deref() };
        table.within(&rows).map_err(|error| match error {
            TableError::NotInPopulation { keys, people } => {
                let (people, keys) = (counted(people, nouns), counted(keys, ["combination", "combinations"]));
                lacks(&format!("{people} of the table, in {keys} of the quasi-identifying columns"))
            }
            error => Error::environment(error.to_string()),
        })
    }

    /// The error where the population has values that a ladder has no place for.
    pub(crate) fn beyond_ladder(column: &str, values: usize) -> Error {
        let column = quoted(column);
        Error::input(format!(
            "the population has {} of column {column} that its hierarchy has no place for",
            counted(values as u64, ["value", "values"])
        ))
        .hint("write them as the table does, or add them to the hierarchy")
    }
}

/// The places of the columns that are counted: every quasi-identifier of the table, and the person if the population has it.
fn places(columns: &KeyColumns<'_>, source: &Source) -> Result<KeyParts<usize>> {
    let place = |name: &str| source.columns().iter().position(|column| column == name);
    let names = || columns.quasi.iter().map(|one| one.name.as_str());
    let absent: Vec<String> = names().filter(|name| place(name).is_none()).map(quoted).collect();
    if !absent.is_empty() {
        return Err(Error::input(format!("the population has no column {}", absent.join(", ")))
            .hint("it needs every quasi-identifying column of the table, by the same name"));
    }
    let person = columns.person.and_then(place);
    Ok(KeyParts { quasi: names().filter_map(place).collect(), spread: Vec::new(), person })
}

/// A key moves dates and hides ids: what it makes of the table tells nothing about the population.
fn refuse_keyed(quasi: &[&VariablePolicy]) -> Result<()> {
    let Some(keyed) = quasi.iter().find(|one| one.treatments.iter().any(Treatment::is_keyed)) else { return Ok(()) };
    let name = quoted(&keyed.name);
    Err(Error::input(format!("column {name} is treated with a key: a population cannot be compared by it"))
        .hint("remove that treatment, or the model that looks at a population"))
}

/// A count with its word, for one and for more.
fn counted(number: u64, [one, more]: [&str; 2]) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

fn lacks(what: &str) -> Error {
    Error::input(format!("the population lacks {what}")).hint(
        "the population must hold everybody of the table, with the same values; are both of the same day and writing?",
    )
}

/// The hash of all keys with their counts, in the order of their values.
fn fingerprint(keys: &Keys) -> String {
    let Keys { values, rows, .. } = keys;
    let ranks: Vec<Vec<u32>> = values.iter().map(|values| tabulate::ranks(values)).collect();
    let rank =
        |key: u32| ranks.iter().zip(rows.codes.iter()).map(move |(ranks, codes)| ranks[codes[key as usize] as usize]);
    let mut order: Vec<u32> = (0..).zip(&rows.counts).map(|(key, _)| key).collect();
    order.sort_unstable_by(|&one, &other| rank(one).cmp(rank(other)));
    let mut hash = Sha256::new();
    for key in order {
        for (codes, values) in rows.codes.iter().zip(values.iter()) {
            let value = &values[codes[key as usize] as usize];
            hash.update((value.len() as u64).to_le_bytes());
            hash.update(value);
        }
        hash.update(rows.counts[key as usize].to_le_bytes());
    }
    hex(&hash.finalize())
}
