//! The main job: finds the best safe release of a table, writes it, has it audited.
//!
//! Count, decide, rewrite, check: the table is read twice, the core decides in between, and the audit has the last word.
//! [`apply`](super::apply) shares everything but the decision.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use equanym_core::method::values::ValueTask;
use equanym_core::method::{self, MethodWork};

use super::publish::{FinishedRelease, Publication, ReleaseProduct, publish};
use crate::count::counted_table::{Brief, CountedTable, Look, TableCount};
use crate::decide::{Decision, new_values};
use crate::error::Result;
use crate::inquiry::{TreatedTable, admit, question};
use crate::machine::Resources;
use crate::machine::stopwatch::Stopwatch;
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::Data;
use crate::treat;
use crate::treat::key::Key;
use crate::workers::{Cluster, Workers, hire};
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
pub fn release(request: &ReleaseRequest<'_>) -> Result<FinishedRelease> {
    let terms = ReleaseTerms {
        data: request.data.into(),
        policy: request.policy,
        against: request.against,
        cluster: request.cluster,
        resources: &request.resources,
        show_values: request.show_values,
        progress: request.progress.as_ref(),
    };
    make(&terms, || Destination::open(request.out, request.folder, request.data)).map(|made| made.released)
}

/// What is asked, wherever the release goes.
pub(super) struct ReleaseTerms<'a> {
    pub data: Data<'a>,
    pub policy: &'a Policy,
    pub against: &'a [PathBuf],
    pub cluster: Option<&'a dyn Cluster>,
    pub resources: &'a Resources,
    pub show_values: bool,
    pub progress: &'a dyn Progress,
}

/// Makes a release at a destination, which is opened once the table and the policy fit each other.
pub(super) fn make(terms: &ReleaseTerms<'_>, open: impl FnOnce() -> Result<Destination>) -> Result<ReleaseProduct> {
    let ReleaseTerms { data, policy, against, cluster, resources, show_values, progress } = *terms;
    admit::policy(policy)?;
    cluster.map_or(Ok(()), |_| admit::cluster(policy))?;
    let watch = Stopwatch::start(policy.loading);
    let key = Key::for_release(treat::are_keyed(policy.treatments()), policy.key.as_deref())?;
    let TreatedTable { source, treatments } = TreatedTable::open(data, policy, key)?;
    let destination = open()?.beside(against);
    let workers = hire(resources, &destination.files.spill(), cluster, data, &policy.data)?;
    watch.lap(|seconds| &mut seconds.read);
    let brief = Brief { policy, source: &source, show_values, progress, watch: &watch };
    let count = TableCount::new(brief, Look::ForReport, workers.as_ref())?;
    let population = count.population().cloned();
    let decision = decide(brief, count.into_table(brief), workers.as_ref())?;
    publish(Publication { brief, population, treatments: &treatments, decision, destination, workers })
}

/// The release of a policy, with new values where it asks for any; nothing is written.
pub(super) fn decide(brief: Brief<'_>, counted: CountedTable<'_>, workers: &dyn Workers) -> Result<Decision> {
    let Brief { policy, source, progress, watch, .. } = brief;
    let mut decision = question::release(counted, workers.runtime())?;
    if let Some(MethodWork::Values(values)) = method::find(&policy.method.name).map(|member| &member.work) {
        let make = |task: &ValueTask<'_>| workers.change(values, task);
        new_values::change(policy, &mut decision, source, workers.runtime(), progress, make)?;
        watch.lap(|seconds| &mut seconds.search);
    }
    Ok(decision)
}
