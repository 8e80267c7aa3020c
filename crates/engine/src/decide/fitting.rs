//! Ladders and models for a counted table.

use std::sync::Arc;

use equanym_core::card::Parameters;
use equanym_core::frequency::Table;
use equanym_core::method::{self, MethodWork};
use equanym_core::privacy::{self, Guard, SensitiveVariable};

use super::dial::NewValueOffers;
use super::fitted::FittedTables;
use super::sensitive::{Meaning, known};
use super::{checklist, ladders};
use crate::count::counted_table::{Case, CountedTable};
use crate::error::{Error, Result};
use crate::mask::StoredMeaning;
use crate::policy::Policy;

/// A counted table with fitted ladders, and the models that judge its classes.
pub(crate) struct Fitting {
    pub table: Arc<Table>,
    pub guard: Guard,
    /// What the models see of the sensitive variables.
    pub sensitive: Vec<SensitiveVariable>,
    /// What a mask keeps of the sensitive variables.
    pub meanings: Vec<StoredMeaning>,
    /// What variables with new values offer a balance; nothing where nobody tried.
    pub new_values: Arc<NewValueOffers>,
}

impl Fitting {
    /// The ladders that the policy asks for, fitted to the values; tables that were fitted before are used again.
    pub(crate) fn new(counted: &CountedTable<'_>, kept: Option<&FittedTables>) -> Result<Self> {
        let case = &counted.case;
        let makes_ranges =
            method::find(&case.policy.method.name).is_some_and(|one| matches!(one.work, MethodWork::Classes(_)));
        checklist::refuse_identifiers(case, makes_ranges)?;
        let table = match kept {
            Some(kept) => kept.table(counted)?,
            None => Arc::new(ladders::table(counted, &|_| None)?),
        };
        Self::of_table(case, table)
    }

    /// A table with the models that judge it.
    pub(super) fn of_table(case: &Case<'_>, table: Arc<Table>) -> Result<Self> {
        let (policy, values) = (case.policy, &case.values.spread);
        let meanings: Vec<Meaning> =
            case.columns.sensitive.iter().map(|name| Meaning::from_policy(policy, name)).collect();
        let sensitive = known(&table, &meanings, values)?;
        let stored = meanings.iter().zip(values).map(|(meaning, raw)| meaning.to_store(raw));
        let meanings = stored.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        let guard = guard_of(policy, &sensitive)?;
        Ok(Self { table, guard, sensitive, meanings, new_values: Arc::default() })
    }

    /// The same under a policy that differs in parameters alone.
    pub(crate) fn under(&self, policy: &Policy) -> Result<Self> {
        let (table, sensitive) = (Arc::clone(&self.table), self.sensitive.clone());
        let (meanings, new_values) = (self.meanings.clone(), Arc::clone(&self.new_values));
        Ok(Self { table, guard: guard_of(policy, &sensitive)?, sensitive, meanings, new_values })
    }
}

/// The models of a policy, ready to judge.
fn guard_of(policy: &Policy, sensitive: &[SensitiveVariable]) -> Result<Guard> {
    let models = policy.privacy.iter().map(|model| (model.model.as_str(), &model.parameters));
    Ok(guard(models, sensitive)?.limiting(policy.method.limit_unit.unit()))
}

/// Models, ready to judge.
pub(crate) fn guard<'a>(
    models: impl Iterator<Item = (&'a str, &'a Parameters)>,
    sensitive: &[SensitiveVariable],
) -> Result<Guard> {
    let build = |(model, parameters)| {
        privacy::build(model, parameters, sensitive).map_err(|error| Error::input(error.to_string()))
    };
    Ok(Guard::new(models.map(build).collect::<Result<_>>()?))
}
