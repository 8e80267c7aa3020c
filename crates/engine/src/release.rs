//! The main job: finds the best safe release of a table, writes it, has it audited.
//!
//! Count, decide, rewrite, check: the table is read twice, the core decides in between, and the audit has the last word.
//! [`apply`](crate::reapply) shares everything but the decision.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use equanym_core::balance::Balance;
use equanym_core::card::{Card, Kind, Parameters, Value};
use equanym_core::frequency::Table;
use equanym_core::loss::{self, Loss};
use equanym_core::mask::Mask;
use equanym_core::method::{self, Work};
use equanym_core::privacy::{self, Guard};
use equanym_core::report::Report;
use equanym_core::search::{self, Found, Problem, SearchError};
use equanym_core::variable::Role;
use serde::Serialize;

use crate::balance::weigh;
use crate::count::Keys;
use crate::error::{Error, Result};
use crate::fit::{fit, unguarded};
use crate::policy::{Policy, VariablePolicy};
use crate::progress::{Progress, Step};
use crate::publish::{self, Fitted};
use crate::runtime::Resources;
use crate::sink::destination::Destination;
use crate::source::{self, Source};
use crate::tabulate::{fit_variables, tabulate};
use crate::workers::Workers;
use crate::{local, misfit, new_values, warnings};

/// What a release is asked.
pub struct Request<'a> {
    /// The table: a file or a folder.
    pub data: &'a Path,
    /// What is asked of the release.
    pub policy: &'a Policy,
    /// The folder to make, or the address of a table to make in a database.
    pub out: &'a Path,
    /// With a database: the folder for everything but the table, if it shall be kept.
    pub folder: Option<&'a Path>,
    /// The address of a cluster that works on the records; otherwise this machine does.
    pub cluster: Option<&'a str>,
    /// Threads and memory.
    pub resources: Resources,
    /// Whether messages may show the beginnings of values that do not fit.
    pub show_values: bool,
    /// Hears how far it has come.
    pub progress: Arc<dyn Progress>,
}

/// A release that is in place.
#[derive(Debug, Clone, Serialize)]
pub struct Released {
    /// What was found.
    #[serde(flatten)]
    pub report: Report,
    /// The fitted mask, for whoever shows it; it holds values and stays with the owner.
    #[serde(skip)]
    pub mask: Mask,
    /// Bytes that were written to disk on the way because memory ran short.
    pub spilled: u64,
    /// How long each part took.
    pub seconds: Seconds,
}

/// How long each part took.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Seconds {
    /// Opening the table and looking at its header.
    pub read: f64,
    /// Reading all records, counting their keys and fitting the ladders to them.
    pub count: f64,
    /// Deciding: searching the lattice, dividing the keys or finding new values.
    pub search: f64,
    /// Fitting the mask, reading again, rewriting, sorting and writing.
    pub write: f64,
    /// Checking what was written.
    pub audit: f64,
}

/// Releases a table.
pub fn release(request: &Request<'_>) -> Result<Released> {
    let policy = request.policy;
    policy.require_release()?;
    policy.method.check_time_limit()?;
    let mut clock = Clock::start();
    let source = Arc::new(source::open(request.data, &policy.data)?);
    policy.check_columns(source.columns())?;
    let destination = Destination::open(request.out, request.folder, request.data)?;
    let spill = destination.staging.spill();
    let workers = Workers::start(&request.resources, &spill, request.cluster, (request.data, &policy.data))?;
    let mut seconds = Seconds { read: clock.lap(), ..Seconds::default() };

    let fitted = fitted(request, &source, &workers, &mut seconds, &mut clock)?;
    publish::publish(&source, fitted, destination, workers, &request.progress, seconds, clock)
}

/// Counts, searches and fits; nothing is written.
pub(crate) fn fitted(
    request: &Request<'_>,
    source: &Arc<Source>,
    workers: &Workers,
    seconds: &mut Seconds,
    clock: &mut Clock,
) -> Result<Fitted> {
    let columns = Columns::of(request.policy, source);
    let keys = workers.count(source, &columns.places, &request.progress)?;
    if keys.counts.is_empty() {
        return Err(Error::unsafe_release("0 records: nothing to release"));
    }
    seconds.count = clock.lap();
    decided(request, source, &columns, keys, workers, seconds, clock)
}

/// Decides what happens to the table, as its method works.
fn decided(
    request: &Request<'_>,
    source: &Source,
    columns: &Columns<'_>,
    mut keys: Keys,
    workers: &Workers,
    seconds: &mut Seconds,
    clock: &mut Clock,
) -> Result<Fitted> {
    let policy = request.policy;
    let work = method::find(&policy.method.name).map_or(&Work::Levels, |member| &member.work);
    let mut fitted = if columns.quasi.is_empty() {
        unguarded(policy, &keys, source)
    } else {
        let (table, guard) = decide_on(request, source, columns, &keys)?;
        seconds.count += clock.lap();
        if let Work::Classes(divide) = work {
            let progress = |classes| request.progress.at(Step::Search, classes);
            workers
                .runtime
                .side_by_side(|| local::fit(policy, *divide, columns, (&table, &guard), &keys, source, &progress))??
        } else {
            // The table has them now; for a search every byte counts.
            keys.columns = Vec::new();
            let found = workers.runtime.side_by_side(|| find(request, &table, &guard))??;
            seconds.search = clock.lap();
            fit(policy, columns, &table, &guard, &found, &keys, source)?
        }
    };
    if let Work::Values(values) = work {
        new_values::change(policy, values, &mut fitted, source, workers)?;
    }
    seconds.search += clock.lap();
    Ok(fitted)
}

/// The columns that are counted: the quasi-identifiers, then the sensitive variables that a model looks at, then others
/// that the loss looks at.
pub(crate) struct Columns<'a> {
    /// Policies of the quasi-identifiers, in the order of the data.
    pub quasi: Vec<&'a VariablePolicy>,
    /// Names of the sensitive variables that a model looks at.
    pub sensitive: Vec<String>,
    /// The same, and after them what else has its spread over the classes counted.
    pub spread: Vec<String>,
    /// The places of the quasi-identifiers and of what is spread, in the data.
    pub places: Vec<usize>,
}

impl<'a> Columns<'a> {
    pub(crate) fn of(policy: &'a Policy, source: &Source) -> Self {
        let guarded = guarded_variables(policy.privacy.iter().map(|model| (model.model.as_str(), &model.parameters)));
        let listed = |name: &String| policy.variables.iter().find(|variable| variable.name == *name);
        let is_recoded = |one: &&VariablePolicy| one.role == Role::QuasiIdentifying && one.mark.is_none();
        let quasi: Vec<_> = source.columns().iter().filter_map(listed).filter(is_recoded).collect();
        let sensitive: Vec<_> =
            source.columns().iter().filter(|name| guarded.contains(name.as_str())).cloned().collect();
        let is_searched =
            method::find(&policy.method.name).is_some_and(|member| !matches!(member.work, Work::Classes(_)));
        let card = loss::find(&policy.method.loss).filter(|_| is_searched).map(|member| &member.card);
        let targets = card.into_iter().flat_map(|card| named_variables(card, &policy.method.loss_parameters));
        let targets: BTreeSet<&str> = targets.filter(|name| !guarded.contains(name)).collect();
        let spread: Vec<_> = sensitive.iter().cloned().chain(targets.into_iter().map(str::to_owned)).collect();
        let place = |name: &str| source.columns().iter().position(|column| column == name);
        let names = quasi.iter().map(|one| one.name.as_str()).chain(spread.iter().map(String::as_str));
        let places = names.filter_map(place).collect();
        Self { quasi, sensitive, spread, places }
    }
}

/// The sensitive variables that privacy models look at.
pub(crate) fn guarded_variables<'a>(models: impl Iterator<Item = (&'a str, &'a Parameters)>) -> BTreeSet<&'a str> {
    let named = |(model, parameters)| Some(named_variables(&privacy::find(model)?.card, parameters));
    models.filter_map(named).flatten().collect()
}

/// The variables that the parameters of a member name.
fn named_variables<'a>(card: &'static Card, parameters: &'a Parameters) -> impl Iterator<Item = &'a str> {
    let names = |kind: Kind| matches!(kind, Kind::SensitiveVariable | Kind::UnrecodedVariable);
    let given = card.parameters.iter().filter(move |parameter| names(parameter.kind));
    given.filter_map(|parameter| match parameters.get(parameter.name)? {
        Value::Text(name) => Some(name.as_str()),
        _ => None,
    })
}

fn decide_on(request: &Request<'_>, source: &Source, columns: &Columns<'_>, keys: &Keys) -> Result<(Table, Guard)> {
    let is_local = method::find(&request.policy.method.name).is_some_and(|one| matches!(one.work, Work::Classes(_)));
    warnings::refuse_identifiers(&columns.quasi, keys, is_local)?;
    let hierarchies = fit_variables(&columns.quasi, keys)
        .map_err(|found| misfit::explain(&found, source, &columns.quasi, &columns.places, request.show_values))?;
    let table = tabulate(&columns.quasi, hierarchies, &columns.spread, keys)?;
    let models = request.policy.privacy.iter().map(|model| (model.model.as_str(), &model.parameters));
    Ok((table, guard(models, &columns.sensitive)?))
}

/// The models, ready to judge.
pub(crate) fn guard<'a>(
    models: impl Iterator<Item = (&'a str, &'a Parameters)>,
    sensitive: &[String],
) -> Result<Guard> {
    let build = |(model, parameters)| {
        privacy::build(model, parameters, sensitive).map_err(|error| Error::input(error.to_string()))
    };
    Ok(Guard::new(models.map(build).collect::<Result<_>>()?))
}

/// What the search found, and the balance it was after, if that is what it minimises.
pub(crate) struct Answer {
    pub found: Found,
    pub balance: Option<Balance>,
}

fn find(request: &Request<'_>, table: &Table, guard: &Guard) -> Result<Answer> {
    let method = &request.policy.method;
    let unknown = |what: &str| Error::input(format!("there is no {what} of that name"));
    let measure = loss::find(&method.loss).ok_or_else(|| unknown("loss"))?;
    let search = search::find(&method.search).ok_or_else(|| unknown("search"))?;
    let budget = request.policy.suppression_budget(table.records);
    let (balance, minimised): (_, Box<dyn Loss>) = if search.by_preferences {
        let (balance, imbalance) = weigh(request.policy, table, budget)?;
        (Some(balance), Box::new(imbalance))
    } else {
        (None, prepared(measure, &method.loss_parameters, table)?)
    };
    let started = Instant::now();
    let stop = method.time_limit.map(|limit| move || started.elapsed() >= limit);
    let problem = Problem {
        table,
        guard,
        loss: minimised.as_ref(),
        budget,
        lattice: table.lattice(),
        progress: &|evaluated| request.progress.at(Step::Search, evaluated),
        stop: stop.as_ref().map(|stop| stop as &(dyn Fn() -> bool + Sync)),
    };
    let found = (search.run)(&problem).map_err(|error| no_answer(&error, &problem));
    let found = found.map_err(|error| with_rations(error, request.policy, search))?;
    Ok(Answer { found, balance })
}

/// The loss, ready to measure.
pub(crate) fn prepared(member: &loss::Member, parameters: &Parameters, table: &Table) -> Result<Box<dyn Loss>> {
    member.build(table, parameters).map_err(|error| Error::input(error.to_string()))
}

fn no_answer(error: &SearchError, problem: &Problem<'_>) -> Error {
    match error {
        SearchError::NoSafeNode { failing, records } => {
            let nearest = problem.guard.nearest(problem.table);
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
        SearchError::NotNested { .. } | SearchError::NotMonotone { .. } => {
            Error::input(error.to_string()).hint(format!("use search = \"{}\"", search::DEFAULT))
        }
        SearchError::TooLarge { .. } => Error::input(error.to_string())
            .hint(format!("use nested ladders and search = \"{}\", or narrow the level bounds", search::DEFAULT)),
    }
}

/// Rations narrow what a search by preferences may choose.
fn with_rations(error: Error, policy: &Policy, search: &search::Member) -> Error {
    let is_rationed = policy.preferences.as_ref().is_some_and(|preferences| !preferences.ration.is_empty());
    match &error.hint {
        Some(hint) if is_rationed && search.by_preferences => {
            let hint = format!("{hint}; or loosen the rations, which leave fewer levels to choose from");
            error.hint(hint)
        }
        _ => error,
    }
}

/// Measures the parts of a run.
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// The seconds since the last lap.
    pub(crate) fn lap(&mut self) -> f64 {
        let seconds = self.0.elapsed().as_secs_f64();
        self.0 = Instant::now();
        seconds
    }
}
