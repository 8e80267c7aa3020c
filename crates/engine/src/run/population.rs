//! Opens the population that models look at, and has it counted.
//!
//! It is read as the table is, but for its delimiter and its sheet, which are its own. Whoever works on the table counts it: a
//! cluster, too, unless it lies in a database.

use std::path::Path;

use equanym_core::treatment::Treatment;

use crate::count::population::{Population, of_population, quoted};
use crate::decide::columns::Columns;
use crate::error::{Error, Result};
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::{self, Reading, Source};
use crate::treat;
use crate::treat::key::Key;
use crate::workers::Workers;

/// What is counted.
pub(super) struct Wanted<'a> {
    /// Where the population lies.
    pub path: &'a Path,
    /// How the table is read.
    pub reading: &'a Reading,
    /// The quasi-identifiers, and what happens to their cells.
    pub quasi: Vec<(&'a str, &'a [Treatment])>,
    /// The column that tells people apart.
    pub person: Option<&'a str>,
}

/// Counts the population that a policy names, where a model looks at one.
pub(super) fn of_policy(
    policy: &Policy,
    source: &Source,
    by: &dyn Workers,
    progress: &dyn Progress,
) -> Result<Option<Population>> {
    let Some(path) = policy.population() else { return Ok(None) };
    let columns = Columns::of(policy, source);
    let quasi = columns.quasi.iter().map(|one| (one.name.as_str(), one.treatments.as_slice())).collect();
    counted(&Wanted { path: &path, reading: &policy.data, quasi, person: columns.person }, by, progress).map(Some)
}

/// Counts a population.
pub(super) fn counted(wanted: &Wanted<'_>, by: &dyn Workers, progress: &dyn Progress) -> Result<Population> {
    refuse_keyed(wanted)?;
    let reading = Reading { delimiter: None, sheet: None, ..wanted.reading.clone() };
    let source = read::open(wanted.path, &reading)?;
    let place = |name: &str| source.columns().iter().position(|column| column == name);
    let absent = wanted.quasi.iter().filter(|(name, _)| place(name).is_none());
    let absent: Vec<String> = absent.map(|(name, _)| quoted(name)).collect();
    if !absent.is_empty() {
        return Err(Error::input(format!("the population has no column {}", absent.join(", ")))
            .hint("it needs every quasi-identifying column of the table, by the same name"));
    }
    let person = wanted.person.filter(|name| place(name).is_some());
    let names = wanted.quasi.iter().map(|(name, _)| *name).chain(person);
    let places: Vec<usize> = names.filter_map(place).collect();
    let treated = treat::treated(source.clone(), wanted.quasi.iter().copied(), Key::fixed()?);
    let (treated, _) = treated.map_err(of_population)?;
    let keys = by.count_beside((wanted.path, &reading), &treated, &places, progress).map_err(of_population)?;
    Population::new(&source, keys, person)
}

/// A key moves dates and hides ids: what it makes of the table tells nothing about the population.
fn refuse_keyed(wanted: &Wanted<'_>) -> Result<()> {
    let keyed = wanted.quasi.iter().find(|(_, treatments)| treatments.iter().any(Treatment::is_keyed));
    let Some((name, _)) = keyed else { return Ok(()) };
    Err(Error::input(format!("column {} is treated with a key: a population cannot be compared by it", quoted(name)))
        .hint("remove that treatment, or the model that looks at a population"))
}
