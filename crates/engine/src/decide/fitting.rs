//! Ladders and models for a counted table.

use std::sync::Arc;

use equanym_core::frequency::Table;
use equanym_core::hierarchy::Hierarchy;
use equanym_core::method::{self, MethodWork};
use equanym_core::privacy::{Guard, SensitiveVariable};
use rayon::prelude::*;

use super::columns::guard;
use super::sensitive::{Meaning, known};
use super::{Counted, checklist, ladder_gap};
use crate::count::population::Population;
use crate::count::tabulate::{fit_variable, tabulate};
use crate::error::Result;
use crate::mask::StoredMeaning;
use crate::policy::{ValueKind, VariablePolicy};

/// A counted table with fitted ladders, and the models that judge its classes.
pub(crate) struct Fitting {
    pub table: Arc<Table>,
    pub guard: Guard,
    /// What the models see of the sensitive variables.
    pub sensitive: Vec<SensitiveVariable>,
    /// What a mask keeps of the sensitive variables.
    pub meanings: Vec<StoredMeaning>,
}

impl Fitting {
    pub(super) fn of(counted: &Counted<'_>) -> Result<Self> {
        let Counted { policy, columns, keys, .. } = counted;
        let makes_ranges =
            method::find(&policy.method.name).is_some_and(|one| matches!(one.work, MethodWork::Classes(_)));
        checklist::refuse_identifiers(&columns.quasi, keys, makes_ranges)?;
        let table = match counted.fitted {
            Some(kept) => kept.table(counted)?,
            None => Arc::new(table(counted, &|_| None)?),
        };
        let models = policy.privacy.iter().map(|model| (model.model.as_str(), &model.parameters));
        let meanings: Vec<Meaning> = columns.sensitive.iter().map(|name| Meaning::of(policy, name)).collect();
        let values = &keys.values[columns.quasi.len()..];
        let sensitive = known(&table, &meanings, values)?;
        let guard = guard(models, &sensitive)?.limiting(policy.method.limit_unit.unit());
        let stored = meanings.iter().zip(values).map(|(meaning, raw)| meaning.to_store(raw));
        let stored = stored.collect::<Result<Vec<_>>>()?;
        Ok(Self { table, guard, sensitive, meanings: stored.into_iter().flatten().collect() })
    }
}

/// The table of the counted keys, in the numbering of its ladders, some of which may be known.
pub(super) fn table(counted: &Counted<'_>, known: &Known<'_>) -> Result<Table> {
    let Counted { columns, keys, .. } = counted;
    let hierarchies = hierarchies(counted, known)?;
    let table = tabulate(&columns.quasi, hierarchies, &columns.spread, keys, columns.people(keys)?)?;
    let Some(population) = &counted.population else { return Ok(table) };
    population.check_ids(columns.ids(keys))?;
    let numbers: Vec<bool> = columns.quasi.iter().map(|one| one.kind == ValueKind::Number).collect();
    population.around(table, &numbers)
}

/// The ladder of a variable, where it was fitted to the same values before.
pub(super) type Known<'k> = dyn Fn(&VariablePolicy) -> Option<Hierarchy> + Sync + 'k;

/// The ladders, fitted to the values of the table and of the population. Which values are rare goes by the table alone.
fn hierarchies(counted: &Counted<'_>, known: &Known<'_>) -> Result<Vec<Hierarchy>> {
    let Counted { columns, keys, .. } = counted;
    let fit = |values: &[Vec<String>]| {
        let records = |place: usize| {
            let mut records = keys.occurrences(place);
            records.resize(values[place].len(), 0);
            records
        };
        let fit = |(place, one): (usize, &&VariablePolicy)| {
            known(one).map_or_else(|| fit_variable(one, place, &values[place], &records), Ok)
        };
        // The first gap is told, whichever was found first.
        columns
            .quasi
            .par_iter()
            .enumerate()
            .map(fit)
            .collect::<Vec<_>>()
            .into_iter()
            .collect::<std::result::Result<Vec<_>, _>>()
    };
    let explain = |gap: &_| ladder_gap::explain(gap, counted.source, columns, counted.show_values);
    let Some(population) = &counted.population else { return fit(&keys.values).map_err(|gap| explain(&gap)) };
    let with = |(place, values): (usize, &Vec<String>)| {
        let more = if place < columns.quasi.len() { population.values(place) } else { &[] };
        [values.as_slice(), more].concat()
    };
    let both: Vec<Vec<String>> = keys.values.iter().enumerate().map(with).collect();
    fit(&both).or_else(|gap| {
        // What the table lacks, too, is said of the table.
        fit(&keys.values).map_err(|gap| explain(&gap))?;
        let name = columns.quasi.get(gap.variable).map_or("", |one| one.name.as_str());
        Err(Population::beyond_ladder(name, gap.values.len()))
    })
}
