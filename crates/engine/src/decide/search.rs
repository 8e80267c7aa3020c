//! Asks the core for the best node, and says what to do where there is none.

use std::time::Instant;

use equanym_core::card::Parameters;
use equanym_core::frequency::Table;
use equanym_core::loss::{self, CountedNode, Loss};
use equanym_core::minimality::minimality;
use equanym_core::options;
use equanym_core::privacy::{NearestParameter, Unit};
use equanym_core::search::{self, Problem, SearchAnswer, SearchError};
use equanym_core::stop::Stop;

use super::balance::{SoughtBalance, weigh};
use super::checklist::ChoiceEvidence;
use super::fitting::Fitting;
use super::nearest::NearestQuery;
use crate::count::counted_table::Case;
use crate::error::{Error, Result};
use crate::policy::{Policy, Preferences};
use crate::progress::Step;

/// What the search found, and the balance it was after, if that is what it minimises.
pub(crate) struct Answer {
    pub found: SearchAnswer,
    pub sought: Option<SoughtBalance>,
}

/// Searches the lattice of the table.
pub(crate) fn find(case: &Case<'_>, fitting: &Fitting) -> Result<Answer> {
    let chosen = case.policy.method.choose;
    let (found, sought) = ask(case, fitting, |problem, search, _| match chosen {
        None => (search.run)(problem),
        Some(place) => options::choose(problem, exact(search), place),
    })?;
    Ok(Answer { found, sought })
}

/// What it tells that this answer was chosen.
pub(crate) fn told(case: &Case<'_>, fitting: &Fitting, answer: &Answer) -> Result<ChoiceEvidence> {
    let is_best = answer.found.is_optimal() && case.policy.method.choose.is_none();
    let (telling, _) = ask(case, fitting, |problem, search, _| {
        Ok(match search.tells_nothing() {
            true => ChoiceEvidence::Nothing,
            false if !problem.guard.looks_at_values() => ChoiceEvidence::Unguarded,
            false => ChoiceEvidence::Told(minimality(problem, &answer.found.best, is_best)),
        })
    })?;
    Ok(telling)
}

/// The best safe node, where the search of the policy was after one whose choice tells nothing.
pub(super) fn best_of_all(case: &Case<'_>, fitting: &Fitting) -> Result<Option<CountedNode>> {
    let (best, _) = ask(case, fitting, |problem, search, _| {
        if search.tells_nothing() { (exact(search).run)(problem).map(|found| Some(found.best)) } else { Ok(None) }
    })?;
    Ok(best)
}

/// Who finds the best node for certain: a search by preferences itself, the usual one for all others.
pub(super) fn exact(search: &'static search::SearchMember) -> &'static search::SearchMember {
    let usual = search::find(search::DEFAULT).filter(|_| !search.by_preferences);
    usual.unwrap_or(search)
}

/// Asks the core something about the lattice of the table; beside the answer the balance that is sought, if it is one.
pub(super) fn ask<T>(
    case: &Case<'_>,
    fitting: &Fitting,
    ask: impl FnOnce(
        &Problem<'_>,
        &'static search::SearchMember,
        Option<&SoughtBalance>,
    ) -> std::result::Result<T, SearchError>,
) -> Result<(T, Option<SoughtBalance>)> {
    let (policy, Fitting { table, guard, .. }) = (case.policy, fitting);
    let method = &policy.method;
    let unknown = |what: &str| Error::input(format!("there is no {what} of that name"));
    let measure = loss::find(&method.loss).ok_or_else(|| unknown("loss"))?;
    let search = search::find(&method.search).ok_or_else(|| unknown("search"))?;
    let allowance = policy.suppression_allowance(limited(guard.limits(), table));
    // People may have any number of records.
    let records = if guard.limits() == Unit::People { table.records } else { allowance };
    let sought = if search.by_preferences { Some(weigh(policy, fitting, records)?) } else { None };
    let measured = prepared(measure, &method.loss_parameters, table)?;
    let minimised = sought.as_ref().map_or(measured.as_ref(), |sought| &sought.imbalance as &dyn Loss);
    let started = Instant::now();
    let stop = method.time_limit.map(|limit| move || started.elapsed() >= limit);
    let problem = Problem {
        progress: &|evaluated| case.progress.at(Step::Search, evaluated),
        stop: stop.as_ref().map(|stop| Stop::by_clock(stop)),
        ..Problem::new(table, guard, minimised, allowance)
    };
    let answer = (search.suits)(&problem)
        .and_then(|()| ask(&problem, search, sought.as_ref()))
        .map_err(|error| no_answer(&error, &NearestQuery { fitting, models: &policy.privacy, allowance }));
    let answer = answer.map_err(|error| with_rations(error, policy, search))?;
    Ok((answer, sought))
}

/// How many there are in a table of what a suppression limit counts.
pub(crate) fn limited(unit: Unit, table: &Table) -> u64 {
    match unit {
        Unit::Records => table.records,
        Unit::People => table.persons().unwrap_or(table.records),
    }
}

/// The loss, ready to measure.
pub(crate) fn prepared(member: &loss::LossMember, parameters: &Parameters, table: &Table) -> Result<Box<dyn Loss>> {
    member.build(table, parameters).map_err(|error| Error::input(error.to_string()))
}

/// Too many records fail at the highest levels that a release may use.
pub(super) struct Shortfall {
    pub failing: u64,
    pub records: u64,
}

impl Shortfall {
    /// What would do: the nearest parameters, a higher limit, or something else.
    pub(super) fn hint(&self, table: &Table, nearest: &[(usize, NearestParameter)], otherwise: &str) -> String {
        let Self { failing, records } = *self;
        let nearest: Vec<String> = nearest.iter().map(|(_, near)| near.to_string()).collect();
        let share = (failing as f64 / records as f64 * 1e6).ceil() / 1e6;
        let limit = (failing < records).then(|| format!("a suppression_limit of {share} would do"));
        let nearest = (!nearest.is_empty()).then(|| format!("on this table {}", nearest.join("; ")));
        match (nearest, limit) {
            (Some(nearest), Some(limit)) => format!("{nearest}; or {limit}, {otherwise}"),
            (Some(nearest), None) if table.lattice().top != table.fully_generalised() => {
                format!("{nearest}; or raise the level bounds")
            }
            (Some(nearest), None) => nearest,
            (None, Some(limit)) => format!("{limit}, {otherwise}"),
            (None, None) => "raise the level bounds, drop a quasi-identifier, or ask for less privacy".to_owned(),
        }
    }
}

fn no_answer(error: &SearchError, asked: &NearestQuery<'_>) -> Error {
    match error {
        SearchError::NoSafeNode { failing, records } => {
            let otherwise = "or higher level bounds, or fewer quasi-identifiers";
            let nearest = asked.anywhere().unwrap_or_else(|_| asked.at_the_top());
            let hint =
                Shortfall { failing: *failing, records: *records }.hint(&asked.fitting.table, &nearest, otherwise);
            Error::unsafe_release(error.to_string()).hint(hint)
        }
        SearchError::Forbidden => Error::unsafe_release(error.to_string())
            .hint("permit other levels, or a higher suppression_limit, or ask for less privacy"),
        SearchError::WithholdsNobody { .. } => Error::unsafe_release(error.to_string()).hint(format!(
            "raise the level bounds, drop a quasi-identifier, or ask for less privacy; search = \"{}\" may withhold records",
            search::DEFAULT
        )),
        SearchError::FewerSafe { .. } => Error::unsafe_release(error.to_string()).hint("choose one of them"),
        SearchError::NotNested { .. } | SearchError::NotMonotone { .. } => {
            Error::input(error.to_string()).hint(format!("use search = \"{}\"", search::DEFAULT))
        }
        SearchError::TooLarge { .. } => Error::input(error.to_string())
            .hint(format!("use nested ladders and search = \"{}\", or narrow the level bounds", search::DEFAULT)),
    }
}

/// Rations narrow what a search by preferences may choose.
fn with_rations(error: Error, policy: &Policy, search: &search::SearchMember) -> Error {
    let is_rationed = policy.preferences.as_ref().is_some_and(Preferences::rations);
    match &error.hint {
        Some(hint) if is_rationed && search.by_preferences => {
            let hint = format!("{hint}; or loosen the rations, which leave fewer levels to choose from");
            error.hint(hint)
        }
        _ => error,
    }
}
