//! The population of other data, as a mask recodes it.
//!
//! A mask does not say where its population lies, and other data may have another one: whoever applies a mask whose models look at
//! a population names it. Values that the mask has no label for are treated as those of the data.

use equanym_core::checklist::{Check, ChecklistLine};
use equanym_core::frequency::Table;
use equanym_core::hierarchy::TOP;
use equanym_core::mask::{ColumnMask, Recoding, WITHHELD};

use super::super::population::{self, Wanted};
use super::{Asked, quasi};
use crate::count::canonical;
use crate::count::population::Population;
use crate::error::{Error, Result};
use crate::mask::StoredMask;
use crate::policy::UnknownValues;
use crate::read::Source;
use crate::workers::Workers;

/// Counts the population, where a model of the mask looks at one.
pub(super) fn counted(asked: &Asked<'_>, workers: &dyn Workers) -> Result<Option<Population>> {
    let stored = &asked.stored;
    let Some(model) = stored.population_models().next() else { return Ok(None) };
    let path = asked.adjustment.population.as_deref().ok_or_else(|| {
        Error::input(format!("the mask promises `{}`, which looks at a population: none is given", model.model))
            .hint("name the population of these data with --population")
    })?;
    let quasi = quasi(stored).map(|column| (column.name.as_str(), column.treatments.as_slice())).collect();
    let wanted = Wanted { path, reading: &stored.data, quasi, person: stored.person.as_deref() };
    population::counted(&wanted, workers, asked.progress).map(Some)
}

/// A population with the label of each value.
pub(super) struct Labelled {
    population: Population,
    labels: Vec<Vec<String>>,
}

impl Labelled {
    /// The labels that the mask gives.
    pub(super) fn of(population: Population, stored: &StoredMask, recoded: &[(ColumnMask, Recoding)]) -> Result<Self> {
        let mut labels = Vec::new();
        for (place, (column, recoding)) in recoded.iter().enumerate() {
            let known =
                population.values(place).iter().map(|value| recoding.label(&canonical(value, column.number)).ok());
            let known: Vec<Option<String>> = known.collect();
            let unknown = known.iter().filter(|label| label.is_none()).count();
            let other = match stored.unknown_values {
                UnknownValues::Error if unknown > 0 => return Err(Population::beyond_ladder(&column.name, unknown)),
                UnknownValues::Error | UnknownValues::Top => TOP,
                UnknownValues::Suppress => WITHHELD,
            };
            labels.push(known.into_iter().map(|label| label.unwrap_or_else(|| other.to_owned())).collect());
        }
        Ok(Self { population, labels })
    }

    /// The label of each value of a column.
    pub(super) fn labels(&self, place: usize) -> &[String] {
        self.labels.get(place).map_or(&[], Vec::as_slice)
    }

    /// The recoded table with this population around it.
    pub(super) fn around(&self, table: Table) -> Result<Table> {
        self.population.around_labels(table, &self.labels)
    }

    /// The population as it lies.
    pub(super) fn source(&self) -> &Source {
        &self.population.source
    }

    /// Keeps what is known of it in the mask; says so where it is another one.
    pub(super) fn keep(&self, stored: &mut StoredMask) -> Option<ChecklistLine> {
        let found = self.population.found();
        let before = stored.population.replace(found.clone())?;
        let message = format!(
            "the population is not that of the release that the mask comes from: {} records, and then {}",
            found.records, before.records
        );
        (before.sha256 != found.sha256).then(|| ChecklistLine::look(Check::Guarantee, message))
    }
}
