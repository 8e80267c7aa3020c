//! Ladders and models for a counted table.

use equanym_core::frequency::Table;
use equanym_core::method::{self, Work};
use equanym_core::privacy::{Guard, Sensitive};

use super::columns::guard;
use super::sensitive::{Meaning, known};
use super::{Counted, checklist, ladder_gap};
use crate::count::tabulate::{fit_variables, tabulate};
use crate::error::Result;
use crate::write::mask_file::StoredMeaning;

/// A counted table with fitted ladders, and the models that judge its classes.
pub(crate) struct Fitting {
    pub table: Table,
    pub guard: Guard,
    /// What the models see of the sensitive variables.
    pub sensitive: Vec<Sensitive>,
    /// What a mask keeps of the sensitive variables.
    pub meanings: Vec<StoredMeaning>,
}

impl Fitting {
    pub(super) fn of(counted: &Counted<'_>) -> Result<Self> {
        let Counted { policy, columns, keys, .. } = counted;
        let makes_ranges = method::find(&policy.method.name).is_some_and(|one| matches!(one.work, Work::Classes(_)));
        checklist::refuse_identifiers(&columns.quasi, keys, makes_ranges)?;
        let hierarchies = fit_variables(&columns.quasi, &keys.values, |place| keys.occurrences(place))
            .map_err(|gap| ladder_gap::explain(&gap, counted.source, columns, counted.show_values))?;
        let table = tabulate(&columns.quasi, hierarchies, &columns.spread, keys, columns.people(keys)?)?;
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
