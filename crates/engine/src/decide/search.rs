//! Asks the core for the best node, and says what to do where there is none.

use std::time::Instant;

use equanym_core::card::Parameters;
use equanym_core::frequency::Table;
use equanym_core::loss::{self, Loss};
use equanym_core::search::{self, Found, Problem, SearchError};

use super::Counted;
use super::balance::{Sought, weigh};
use super::fitting::Fitting;
use crate::error::{Error, Result};
use crate::policy::{Policy, Preferences};
use crate::progress::Step;

/// What the search found, and the balance it was after, if that is what it minimises.
pub(crate) struct Answer {
    pub found: Found,
    pub sought: Option<Sought>,
}

/// Searches the lattice of the table.
pub(super) fn find(counted: &Counted<'_>, fitting: &Fitting) -> Result<Answer> {
    let (policy, Fitting { table, guard }) = (counted.policy, fitting);
    let method = &policy.method;
    let unknown = |what: &str| Error::input(format!("there is no {what} of that name"));
    let measure = loss::find(&method.loss).ok_or_else(|| unknown("loss"))?;
    let search = search::find(&method.search).ok_or_else(|| unknown("search"))?;
    let budget = policy.suppression_allowance(table.records);
    let sought = if search.by_preferences { Some(weigh(policy, table, budget)?) } else { None };
    let measured = prepared(measure, &method.loss_parameters, table)?;
    let minimised = sought.as_ref().map_or(measured.as_ref(), |sought| &sought.imbalance as &dyn Loss);
    let started = Instant::now();
    let stop = method.time_limit.map(|limit| move || started.elapsed() >= limit);
    let problem = Problem {
        table,
        guard,
        loss: minimised,
        allowance: budget,
        lattice: table.lattice(),
        progress: &|evaluated| counted.progress.at(Step::Search, evaluated),
        stop: stop.as_ref().map(|stop| stop as &(dyn Fn() -> bool + Sync)),
    };
    let found = (search.run)(&problem).map_err(|error| no_answer(&error, &problem));
    let found = found.map_err(|error| with_rations(error, policy, search))?;
    Ok(Answer { found, sought })
}

/// The loss, ready to measure.
pub(crate) fn prepared(member: &loss::Member, parameters: &Parameters, table: &Table) -> Result<Box<dyn Loss>> {
    member.build(table, parameters).map_err(|error| Error::input(error.to_string()))
}

fn no_answer(error: &SearchError, problem: &Problem<'_>) -> Error {
    match error {
        SearchError::NoSafeNode { failing, records } => {
            let nearest: Vec<String> = problem.guard.nearest(problem.table).iter().map(ToString::to_string).collect();
            let share = (*failing as f64 / *records as f64 * 1e6).ceil() / 1e6;
            let hint = match nearest.as_slice() {
                [] if failing < records => format!(
                    "a suppression_limit of {share} would do, or higher level bounds, or fewer quasi-identifiers"
                ),
                [] => "raise the level bounds, drop a quasi-identifier, or ask for less privacy".to_owned(),
                _ => format!("on this table {}", nearest.join("; ")),
            };
            Error::unsafe_release(error.to_string()).hint(hint)
        }
        SearchError::Forbidden => Error::unsafe_release(error.to_string())
            .hint("permit other levels, or a higher suppression_limit, or ask for less privacy"),
        SearchError::NotNested { .. } | SearchError::NotMonotone { .. } => {
            Error::input(error.to_string()).hint(format!("use search = \"{}\"", search::DEFAULT))
        }
        SearchError::TooLarge { .. } => Error::input(error.to_string())
            .hint(format!("use nested ladders and search = \"{}\", or narrow the level bounds", search::DEFAULT)),
    }
}

/// Rations narrow what a search by preferences may choose.
fn with_rations(error: Error, policy: &Policy, search: &search::Member) -> Error {
    let is_rationed = policy.preferences.as_ref().is_some_and(Preferences::rations);
    match &error.hint {
        Some(hint) if is_rationed && search.by_preferences => {
            let hint = format!("{hint}; or loosen the rations, which leave fewer levels to choose from");
            error.hint(hint)
        }
        _ => error,
    }
}
