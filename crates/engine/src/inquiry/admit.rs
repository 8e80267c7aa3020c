//! What is refused whatever is asked: here alone, in one order, in the same words for everybody.
//!
//! Before a table is opened: a policy that says too little or contradicts itself, forms that nobody knows, a seed that would void a
//! promise, and work that a cluster cannot do. Once it is counted: a table of nobody, columns that break a preset, and a method that
//! knows no population under a model that needs one. Records without an id are refused when they are counted.

use equanym_core::method;

use super::preset::{self, ReleasedForm};
use crate::count::counted_table::{Case, CountedTable};
use crate::decide::divides;
use crate::error::{Error, Result};
use crate::policy::Policy;
use crate::write::reports::forms;

/// Refuses a policy by which nothing can be released.
pub(crate) fn policy(policy: &Policy) -> Result<()> {
    policy.require_release()?;
    policy.method.check_time_limit()?;
    policy.method.check_choice()?;
    forms::chosen(&policy.notes.forms)?;
    policy.check_drawing()
}

/// Refuses what a cluster cannot do: it counts all records, executors do not treat cells, and a key does not leave this machine.
pub(crate) fn cluster(policy: &Policy) -> Result<()> {
    policy.refuse_sampling("a cluster counts all records")?;
    let treated = policy.treatments().find_map(|(name, treatments)| Some((name, treatments.first()?)));
    let Some((name, treatment)) = treated else { return Ok(()) };
    let (name, treatment) = (name.escape_debug(), treatment.card().name);
    Err(Error::input(format!("a cluster cannot work on column `{name}`: it knows no `{treatment}`"))
        .hint("run without --cluster; the key of pseudonyms and moved dates never leaves this machine"))
}

/// Refuses a table without records.
pub(super) fn records(counted: &CountedTable<'_>) -> Result<()> {
    if counted.rows.counts.is_empty() { Err(Error::unsafe_release("0 records: nothing to release")) } else { Ok(()) }
}

/// Refuses a counted table that may not be released by its policy, whatever the levels.
pub(super) fn table(case: &Case<'_>, released: ReleasedForm<'_>) -> Result<()> {
    preset::check(case, released)?;
    let model = case.policy.population_models().next().filter(|_| divides(case.policy).is_some());
    let Some(model) = model else { return Ok(()) };
    // Classes with labels of their own have no place for those who are not in the table.
    let name = &case.policy.method.name;
    let message =
        format!("policy line {}: the method `{name}` knows no population, and `{}` needs one", model.line, model.model);
    Err(Error::input(message).hint(format!("use name = \"{}\"", method::DEFAULT)))
}
