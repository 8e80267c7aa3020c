//! Ladders fitted to the values of a counted table, and the core's table of its keys in their numbering.

use equanym_core::frequency::Table;
use equanym_core::hierarchy::Hierarchy;
use rayon::prelude::*;

use super::ladder_gap;
use crate::count::counted_table::{Case, CountedTable};
use crate::count::population::Population;
use crate::count::tabulate::{fit_variable, tabulate};
use crate::error::Result;
use crate::policy::{ValueKind, VariablePolicy};

/// The table of the counted keys, in the numbering of its ladders, some of which may be known.
pub(super) fn table(counted: &CountedTable<'_>, known: &KnownLadder<'_>) -> Result<Table> {
    let CountedTable { case, rows, population } = counted;
    let columns = &case.columns;
    let table = tabulate(&columns.quasi, hierarchies(counted, known)?, &columns.spread, &case.values, rows)?;
    let Some(population) = population else { return Ok(table) };
    population.check_ids(case.ids())?;
    let numbers: Vec<bool> = columns.quasi.iter().map(|one| one.kind == ValueKind::Number).collect();
    population.around(table, &numbers)
}

/// The ladder of a variable, where it was fitted to the same values before.
pub(super) type KnownLadder<'k> = dyn Fn(&VariablePolicy) -> Option<Hierarchy> + Sync + 'k;

/// The ladders, fitted to the values of the table and of the population. Which values are rare goes by the table alone.
fn hierarchies(counted: &CountedTable<'_>, known: &KnownLadder<'_>) -> Result<Vec<Hierarchy>> {
    let Case { columns, values: own, source, show_values, .. } = &counted.case;
    let fit = |values: &[Vec<String>]| {
        let records = |place: usize| {
            let mut records = counted.occurrences(place);
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
    let explain = |gap: &_| ladder_gap::explain(gap, source, columns, *show_values);
    let Some(population) = &counted.population else { return fit(&own.quasi).map_err(|gap| explain(&gap)) };
    let with = |(place, values): (usize, &Vec<String>)| [values.as_slice(), population.values(place)].concat();
    let both: Vec<Vec<String>> = own.quasi.iter().enumerate().map(with).collect();
    fit(&both).or_else(|gap| {
        // What the table lacks, too, is said of the table.
        fit(&own.quasi).map_err(|gap| explain(&gap))?;
        let name = columns.quasi.get(gap.variable).map_or("", |one| one.name.as_str());
        Err(Population::beyond_ladder(name, gap.values.len()))
    })
}
