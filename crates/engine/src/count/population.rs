//! The population that a table was taken from: a further table, counted once by the same columns.
//!
//! It may lie anywhere and have any format that a table may have. It is read as the table is, but for its delimiter and its
//! sheet, which are its own; cells of its columns are treated as those of the table. Ladders are fitted to both, so each of
//! its keys has a label at every level. It must hold everybody of the table, key by key; messages tell how many it lacks.
//!
//! People: where the policy names a person and the population has that column, it counts people, and everybody of the table must be
//! among them. Without the column, each of its records is a person.
//!
//! Limits: columns that are treated with a key cannot be compared. Its keys and values must fit the memory limit.

use equanym_core::contents::RowCounts;
use equanym_core::frequency::{Table, TableError};
use equanym_core::report::PopulationFindings;
use hashbrown::HashSet;
use sha2::{Digest, Sha256};

use super::{Keys, people, tabulate};
use crate::error::{Error, Result};
use crate::read::Source;

/// A counted population.
#[derive(Clone)]
pub(crate) struct Population {
    /// As it lies, for whoever checks.
    pub source: Source,
    keys: Keys,
    /// The place of the column that tells its people apart.
    person: Option<usize>,
    found: PopulationFindings,
}

/// A name of a column, as messages show it.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", name.escape_debug())
}

/// An error of a table, told of the population.
pub(crate) fn of_population(error: Error) -> Error {
    Error { message: format!("the population: {}", error.message), ..error }
}

impl Population {
    /// A population whose keys were counted; their last column is the person, if one is named.
    pub(crate) fn new(source: &Source, keys: Keys, person: Option<&str>) -> Result<Self> {
        source.check_unchanged()?;
        let place = person.and_then(|_| keys.columns.len().checked_sub(1));
        if let Some((place, name)) = place.zip(person) {
            people::of(name, place, &keys).map_err(of_population)?;
        }
        let found = PopulationFindings {
            records: keys.records(),
            persons: place.and_then(|place| keys.values.get(place)).map(|ids| ids.len() as u64),
            keys: keys.counts.len() as u64,
            sha256: fingerprint(&keys),
        };
        Ok(Self { source: source.clone(), keys, person: place, found })
    }

    /// What the owner keeps of it.
    pub(crate) fn found(&self) -> PopulationFindings {
        self.found.clone()
    }

    /// The values of a quasi-identifier.
    pub(crate) fn values(&self, place: usize) -> &[String] {
        self.keys.values.get(place).map_or(&[], Vec::as_slice)
    }

    /// Lets go of what the core's table has now.
    pub(crate) fn forget_keys(&mut self) {
        self.keys = Keys::default();
    }

    /// Refuses a population that lacks somebody, where both tell people apart.
    pub(crate) fn check_ids(&self, ids: Option<&[String]>) -> Result<()> {
        let (Some(ids), Some(place)) = (ids, self.person) else { return Ok(()) };
        let everybody: HashSet<&str> = self.values(place).iter().map(String::as_str).collect();
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
        let columns = table.variables.iter().zip(labels).zip(&self.keys.columns);
        let columns: Vec<Vec<u32>> = columns
            .map(|((variable, labels), column)| tabulate::recode(column, labels, false, &variable.hierarchy))
            .collect::<Result<_>>()?;
        let persons = self.person.and_then(|place| self.keys.columns.get(place)).map(Vec::as_slice);
        let nouns = if table.persons().is_some() { ["person", "people"] } else { ["record", "records"] };
        let rows = RowCounts { columns: &columns, counts: &self.keys.counts, persons };
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
    let ranks: Vec<Vec<u32>> = keys.values.iter().map(|values| ranks(values)).collect();
    let rank =
        |key: u32| ranks.iter().zip(&keys.columns).map(move |(ranks, column)| ranks[column[key as usize] as usize]);
    let mut order: Vec<u32> = (0..).zip(&keys.counts).map(|(key, _)| key).collect();
    order.sort_unstable_by(|&one, &other| rank(one).cmp(rank(other)));
    let mut hash = Sha256::new();
    for key in order {
        for (column, values) in keys.columns.iter().zip(&keys.values) {
            let value = &values[column[key as usize] as usize];
            hash.update((value.len() as u64).to_le_bytes());
            hash.update(value);
        }
        hash.update(keys.counts[key as usize].to_le_bytes());
    }
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    hash.finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn ranks(values: &[String]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).zip(values).map(|(place, _)| place).collect();
    order.sort_unstable_by_key(|&place| values[place as usize].as_str());
    let mut ranks = vec![0; values.len()];
    (0..).zip(&order).for_each(|(rank, &place)| ranks[place as usize] = rank);
    ranks
}
