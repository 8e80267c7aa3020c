//! The main job: finds the best safe release of a table, writes it, has it audited.
//!
//! Count, decide, rewrite, check: the table is read twice, the core decides in between, and the audit has the last word.
//! [`apply`](super::apply) shares everything but the decision.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use equanym_core::method::values::ValueTask;
use equanym_core::method::{self, MethodWork};
use equanym_core::privacy::Sampling;

use super::population;
use super::publish::{Made, Publication, Released, publish};
use crate::count::population::Population;
use crate::decide::columns::Columns;
use crate::decide::sample::Drawing;
use crate::decide::{Counted, Fitted, Looked, decide, new_values};
use crate::error::Result;
use crate::machine::Resources;
use crate::machine::stopwatch::Stopwatch;
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::{Data, Source};
use crate::treat;
use crate::treat::key::Key;
use crate::workers::{Cluster, Workers, hire, refuse_treated};
use crate::write::reports::{few, forms};
use crate::write::sink::destination::Destination;

/// What a release is asked.
pub struct ReleaseRequest<'a> {
    /// The table: a file or a folder.
    pub data: &'a Path,
    /// What is asked of the release.
    pub policy: &'a Policy,
    /// The folder to make, or the address of a table to make in a database.
    pub out: &'a Path,
    /// With a database: the folder for everything but the table, if it shall be kept.
    pub folder: Option<&'a Path>,
    /// The `public` folders of earlier releases of the same people.
    pub against: &'a [PathBuf],
    /// A cluster that works on the records; otherwise this machine does.
    pub cluster: Option<&'a dyn Cluster>,
    /// Threads and memory.
    pub resources: Resources,
    /// Whether messages may show the beginnings of values that do not fit.
    pub show_values: bool,
    /// Hears how far it has come.
    pub progress: Arc<dyn Progress>,
}

/// Releases a table.
pub fn release(request: &ReleaseRequest<'_>) -> Result<Released> {
    let asked = Asked {
        data: request.data.into(),
        policy: request.policy,
        against: request.against,
        cluster: request.cluster,
        resources: &request.resources,
        show_values: request.show_values,
        progress: request.progress.as_ref(),
    };
    make(&asked, || Destination::open(request.out, request.folder, request.data)).map(|made| made.released)
}

/// What is asked, wherever the release goes.
pub(super) struct Asked<'a> {
    pub data: Data<'a>,
    pub policy: &'a Policy,
    pub against: &'a [PathBuf],
    pub cluster: Option<&'a dyn Cluster>,
    pub resources: &'a Resources,
    pub show_values: bool,
    pub progress: &'a dyn Progress,
}

/// Makes a release at a destination, which is opened once the table and the policy fit each other.
pub(super) fn make(asked: &Asked<'_>, open: impl FnOnce() -> Result<Destination>) -> Result<Made> {
    let policy = asked.policy;
    policy.require_release()?;
    policy.method.check_time_limit()?;
    policy.method.check_choice()?;
    forms::chosen(&policy.notes.forms)?;
    policy.check_drawing()?;
    if asked.cluster.is_some() {
        policy.refuse_sampling("a cluster counts all records")?;
    }
    let mut watch = Stopwatch::start();
    watch.seconds.load = policy.loading.as_secs_f64();
    let key = Key::for_release(treat::are_keyed(policy.treatments()), policy.key.as_deref())?;
    let source = asked.data.open(&policy.data)?;
    policy.check_columns(source.columns())?;
    let (source, treatments) = treat::treated(source, policy.treatments(), key)?;
    refuse_treated(asked.cluster, policy.treatments())?;
    let mut destination = open()?;
    destination.against = asked.against.to_vec();
    let spill = destination.files.spill();
    let workers = hire(asked.resources, &spill, asked.cluster, asked.data, &policy.data)?;
    watch.lap(|seconds| &mut seconds.read);
    let population = population::of_policy(policy, &source, workers.as_ref(), asked.progress)?;
    let beside = population.as_ref().map(|population| population.source.clone());
    let fitted = fitted(asked, &source, population, workers.as_ref(), &mut watch)?;
    let (treatments, progress, show_values) = (treatments.as_ref(), asked.progress, asked.show_values);
    let population = beside.as_ref();
    publish(Publication {
        source: &source,
        population,
        treatments,
        fitted,
        destination,
        workers,
        progress,
        watch,
        show_values,
    })
}

/// Counts, searches and fits; nothing is written.
pub(super) fn fitted(
    asked: &Asked<'_>,
    source: &Source,
    population: Option<Population>,
    workers: &dyn Workers,
    watch: &mut Stopwatch,
) -> Result<Fitted> {
    let policy = asked.policy;
    let columns = Columns::of(policy, source);
    let few = few(policy.privacy.iter().map(|model| &model.parameters));
    let looks = workers.sees_cells() || policy.presets.iter().any(|named| named.preset.columns.is_some());
    let looked = Looked::where_told(looks, source, columns.to_identify(), few, columns.person.is_some());
    let places = if looks { columns.to_read(&looked.lookout) } else { columns.to_count() };
    let keys = workers.count(source, places, asked.progress)?;
    watch.lap(|seconds| &mut seconds.count);
    let (show_values, progress) = (asked.show_values, asked.progress);
    let (keys, population, fitted) = (Cow::Owned(keys), population.map(Cow::Owned), None);
    let counted = Counted { policy, source, columns, keys, population, fitted, looked, show_values, progress };
    let mut fitted = match policy.sampling() {
        Some(sampling) => decide_on_sample(sampling, counted, workers, watch)?,
        None => decide(counted, workers.runtime(), watch)?,
    };
    if let Some(MethodWork::Values(values)) = method::find(&policy.method.name).map(|member| &member.work) {
        let make = |task: &ValueTask<'_>| workers.change(values, task);
        new_values::change(policy, &mut fitted, source, workers.runtime(), asked.progress, make)?;
        watch.lap(|seconds| &mut seconds.search);
    }
    Ok(fitted)
}

/// Draws a sample, and decides on it: nothing that follows sees the other records.
fn decide_on_sample(
    sampling: Sampling,
    counted: Counted<'_>,
    workers: &dyn Workers,
    watch: &mut Stopwatch,
) -> Result<Fitted> {
    let Counted { policy, source, keys, population, fitted, looked, show_values, progress, .. } = counted;
    let drawing = Drawing { policy, source, sampling, show_values };
    let mut drawn = workers.runtime().side_by_side(|| drawing.draw(keys.into_owned()))?;
    let (policy, keys) = (&drawn.policy, Cow::Owned(std::mem::take(&mut drawn.keys)));
    let columns = Columns::of(policy, source);
    let counted = Counted { policy, source, columns, keys, population, fitted, looked, show_values, progress };
    let mut fitted = decide(counted, workers.runtime(), watch)?;
    drawn.tell(&mut fitted);
    Ok(fitted)
}
