//! The population that a table was taken from: a further table, counted once by the same columns.
//!
//! It may lie anywhere and have any format that a table may have. It is read as the table is, but for its delimiter and its
//! sheet, which are its own; cells of its columns are treated as those of the table. Ladders are fitted to both, so each of
//! its keys has a label at every level. It must hold everybody of the table, key by key; messages tell how many it lacks.
//!
//! People: where the policy names a person and the population has that column, it counts people, and everybody of the table must be
//! among them. Without the column, each of its records is a person.
//!
//! Limits: columns that are treated with a key cannot be compared. It is counted by this machine, also where a cluster works on
//! the table. Its keys and values must fit the memory limit.

use std::path::Path;

use equanym_core::contents::CountedRows;
use equanym_core::frequency::{Table, TableError};
use equanym_core::report::PopulationFound;
use equanym_core::treatment::Treatment;
use hashbrown::HashSet;
use sha2::{Digest, Sha256};

use super::{Keys, Places, count, people, tabulate};
use crate::error::{Error, Result};
use crate::machine::Runtime;
use crate::progress::Progress;
use crate::read::{self, Reading, Source};
use crate::treat;
use crate::treat::key::Key;

/// What is counted.
pub(crate) struct Wanted<'a> {
    /// Where the population lies.
    pub path: &'a Path,
    /// How the table is read.
    pub reading: &'a Reading,
    /// The quasi-identifiers, and what happens to their cells.
    pub quasi: Vec<(&'a str, &'a [Treatment])>,
    /// The column that tells people apart.
    pub person: Option<&'a str>,
}

/// A counted population.
#[derive(Clone)]
pub(crate) struct Population {
    /// As it lies, for whoever checks.
    pub source: Source,
    keys: Keys,
    /// The place of the column that tells its people apart.
    person: Option<usize>,
    found: PopulationFound,
}

/// Counts a population.
pub(crate) fn counted(wanted: &Wanted<'_>, runtime: &Runtime, progress: &dyn Progress) -> Result<Population> {
    refuse_keyed(wanted)?;
    let reading = Reading { delimiter: None, sheet: None, ..wanted.reading.clone() };
    let source = read::open(wanted.path, &reading)?;
    let place = |name: &str| source.columns().iter().position(|column| column == name);
    let absent: Vec<String> =
        wanted.quasi.iter().filter(|(name, _)| place(name).is_none()).map(|(name, _)| quoted(name)).collect();
    if !absent.is_empty() {
        return Err(Error::input(format!("the population has no column {}", absent.join(", ")))
            .hint("it needs every quasi-identifying column of the table, by the same name"));
    }
    let person = wanted.person.and_then(place);
    let places: Vec<usize> = wanted.quasi.iter().filter_map(|(name, _)| place(name)).chain(person).collect();
    let (treated, _) = treat::treated(source.clone(), wanted.quasi.iter().copied(), Key::fixed()?)
        .map_err(|error| Error { message: format!("the population: {}", error.message), ..error })?;
    let keys = count(&treated, Places::from(&places), runtime, progress)?;
    source.check_unchanged()?;
    let place = person.map(|_| wanted.quasi.len());
    if let (Some(place), Some(name)) = (place, wanted.person) {
        people::of(name, place, &keys)
            .map_err(|error| Error { message: format!("the population: {}", error.message), ..error })?;
    }
    let found = PopulationFound {
        records: keys.records(),
        persons: place.and_then(|place| keys.values.get(place)).map(|ids| ids.len() as u64),
        keys: keys.counts.len() as u64,
        sha256: fingerprint(&keys),
    };
    Ok(Population { source, keys, person: place, found })
}

/// A key moves dates and hides ids: what it makes of the table tells nothing about the population.
fn refuse_keyed(wanted: &Wanted<'_>) -> Result<()> {
    let keyed = wanted.quasi.iter().find(|(_, treatments)| treatments.iter().any(Treatment::is_keyed));
    let Some((name, _)) = keyed else { return Ok(()) };
    Err(Error::input(format!("column {} is treated with a key: a population cannot be compared by it", quoted(name)))
        .hint("remove that treatment, or the model that looks at a population"))
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.escape_debug())
}

impl Population {
    /// What the owner keeps of it.
    pub(crate) fn found(&self) -> PopulationFound {
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
        let noun = if table.persons().is_some() { "people" } else { "records" };
        let rows = CountedRows { columns: &columns, counts: &self.keys.counts, persons };
        table.within(&rows).map_err(|error| match error {
            TableError::NotInPopulation { keys, people } => {
                lacks(&format!("{people} {noun} of the table, in {keys} combinations of the quasi-identifying columns"))
            }
            error => Error::environment(error.to_string()),
        })
    }

    /// The error where the population has values that a ladder has no place for.
    pub(crate) fn beyond_ladder(&self, column: &str, values: usize) -> Error {
        let column = quoted(column);
        Error::input(format!(
            "the population has {values} values of column {column} that its hierarchy has no place for"
        ))
        .hint("write them as the table does, or add them to the hierarchy")
    }
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
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn ranks(values: &[String]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).zip(values).map(|(place, _)| place).collect();
    order.sort_unstable_by_key(|&place| values[place as usize].as_str());
    let mut ranks = vec![0; values.len()];
    (0..).zip(&order).for_each(|(rank, &place)| ranks[place as usize] = rank);
    ranks
}
