//! Applies a stored mask to other data, and proves the guarantees again or refuses.
//!
//! It is an inquiry whose policy comes from the mask: opened, counted and admitted as a release is, and asked for the recoding that
//! the mask keeps (`decide::recode`).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use equanym_core::checklist::{Check, ChecklistLine};
use equanym_core::privacy;

use super::publish::{FinishedRelease, Publication, ReleaseProduct, publish};
use crate::count::counted_table::{Brief, Look, TableCount};
use crate::error::{Error, Result};
use crate::inquiry::question::Recode;
use crate::inquiry::{Inquiry, Ladders, TreatedTable, admit};
use crate::machine::Resources;
use crate::machine::stopwatch::Stopwatch;
use crate::mask::StoredMask;
use crate::policy::day_of;
use crate::progress::Progress;
use crate::read::Data;
use crate::treat;
use crate::treat::key::Key;
use crate::workers::{Cluster, hire};
use crate::write::reports::forms;
use crate::write::sink::destination::Destination;

/// What is asked.
pub struct ApplyRequest<'a> {
    /// The table: a file or a folder.
    pub data: &'a Path,
    /// The stored mask.
    pub stored: StoredMask,
    /// What is to be otherwise than the mask says.
    pub adjustment: Adjustment,
    /// The folder to make, or the address of a table to make in a database.
    pub out: &'a Path,
    /// With a database: the folder for everything but the table, if it shall be kept.
    pub folder: Option<&'a Path>,
    /// The `public` folders of earlier releases that the new one must not add up with.
    pub against: &'a [PathBuf],
    /// A cluster that works on the records; otherwise this machine does.
    pub cluster: Option<&'a dyn Cluster>,
    /// Threads and memory.
    pub resources: Resources,
    /// Hears how far it has come.
    pub progress: Arc<dyn Progress>,
}

/// What is to be otherwise than a mask says.
#[derive(Debug, Clone, Default)]
pub struct Adjustment {
    /// Another share of records, or of people, that may be withheld.
    pub suppression_limit: Option<f64>,
    /// Other levels of columns.
    pub levels: Vec<(String, u8)>,
    /// Whether a refusal may show labels of the classes that are singled out.
    pub show_values: bool,
    /// Where the population lies, which a mask does not say; for models that look at one.
    pub population: Option<PathBuf>,
    /// The day of the release; that of the mask is another.
    pub date: Option<String>,
    /// Forms to fill in besides those of the mask.
    pub forms: Vec<String>,
}

impl Adjustment {
    fn make(&self, stored: &mut StoredMask) -> Result<()> {
        if let Some(limit) = self.suppression_limit {
            if !(0.0..=1.0).contains(&limit) {
                return Err(Error::input("the suppression limit is not a share between 0 and 1"));
            }
            stored.suppression_limit = limit;
        }
        // The day of a mask is that of the release which it comes from.
        stored.notes.about.date = self.date.as_deref().map(day_of).transpose()?;
        stored.notes.forms.extend(self.forms.iter().cloned());
        set_levels(stored, &self.levels)
    }
}

/// Takes other levels for some columns.
fn set_levels(stored: &mut StoredMask, wanted: &[(String, u8)]) -> Result<()> {
    for (name, level) in wanted {
        let shown = name.escape_debug();
        let ladder = stored.ladders.iter().find(|ladder| ladder.variable == *name).ok_or_else(|| {
            let what =
                if stored.ladders.is_empty() { "the mask holds no ladders" } else { "no such column is recoded" };
            Error::input(format!("--level {shown}={level}: {what}")).hint(
                "name a quasi-identifying column; masks of older versions know one level only: run `equanym release`",
            )
        })?;
        let recoding = ladder.recoding(*level).filter(|_| (ladder.min..=ladder.max).contains(level));
        let recoding = recoding.ok_or_else(|| {
            Error::input(format!(
                "--level {shown}={level}: the policy allows the levels {} to {}",
                ladder.min, ladder.max
            ))
        })?;
        if let Some(column) = stored.mask.columns.iter_mut().find(|column| column.name == *name) {
            column.recoding = Some(recoding);
        }
    }
    Ok(())
}

/// Applies a stored mask.
pub fn apply(request: ApplyRequest<'_>) -> Result<FinishedRelease> {
    let ApplyRequest { data, stored, adjustment, out, folder, against, cluster, resources, progress } = request;
    let (resources, progress) = (&resources, progress.as_ref());
    let terms = ApplyTerms { data: data.into(), stored, adjustment, against, cluster, resources, progress };
    make(terms, || Destination::open(out, folder, data)).map(|made| made.released)
}

/// What is asked, wherever the release goes.
pub(super) struct ApplyTerms<'a> {
    pub data: Data<'a>,
    pub stored: StoredMask,
    pub adjustment: Adjustment,
    pub against: &'a [PathBuf],
    pub cluster: Option<&'a dyn Cluster>,
    pub resources: &'a Resources,
    pub progress: &'a dyn Progress,
}

/// Applies a mask for a destination, which is opened once the table and the mask fit each other.
pub(super) fn make(terms: ApplyTerms<'_>, open: impl FnOnce() -> Result<Destination>) -> Result<ReleaseProduct> {
    let ApplyTerms { data, mut stored, adjustment, against, cluster, resources, progress } = terms;
    refuse_bound(&stored)?;
    adjustment.make(&mut stored)?;
    forms::chosen(&stored.notes.forms)?;
    let policy = stored.policy(adjustment.population.as_deref())?;
    cluster.map_or(Ok(()), |_| admit::cluster(&policy))?;
    let watch = Stopwatch::start(policy.loading);
    let key = Key::for_release(treat::are_keyed(policy.treatments()), policy.key.as_deref())?;
    let other_key = about_key(&stored, &key);
    let TreatedTable { source, treatments } = TreatedTable::open_for_mask(data, &stored, &policy, key)?;
    let destination = open()?.beside(against);
    let workers = hire(resources, &destination.files.spill(), cluster, data, &policy.data)?;
    watch.lap(|seconds| &mut seconds.read);
    let show_values = adjustment.show_values;
    let brief = Brief { policy: &policy, source: &source, show_values, progress, watch: &watch };
    let count = TableCount::new(brief, Look::ForReport, workers.as_ref())?;
    let population = count.population().cloned();
    let inquiry = Inquiry::new(count.into_table(brief), Ladders::Mask(&mut stored), workers.runtime())?;
    let decision = inquiry.ask(Recode { stored, told: other_key })?;
    publish(Publication { brief, population, treatments: &treatments, decision, destination, workers })
}

/// What the owner must know where tokens and dates are not those of the mask's release.
fn about_key(stored: &StoredMask, key: &Key) -> Option<ChecklistLine> {
    let fingerprint = key.fingerprint()?;
    let why = match &stored.key_fingerprint {
        Some(earlier) if *earlier == fingerprint => return None,
        _ if key.is_fresh() => "no --key was given, and a fresh key was made",
        _ => "the key of --key is another one",
    };
    let message = format!(
        "tokens and moved dates do not match those of the release that the mask comes from: {why}; to link both, give --key the \
         `private/key` of that release"
    );
    Some(ChecklistLine::look(Check::Treatments, message))
}

/// Refuses a mask whose changes belong to the records it was fitted to.
fn refuse_bound(stored: &StoredMask) -> Result<()> {
    if let Some(promise) = stored.privacy.iter().find(|promise| privacy::draws(&promise.model)) {
        return Err(Error::input(format!(
            "a mask under `{}` cannot be applied again: its promise rests on a sample, and a second one adds to it",
            promise.model
        ))
        .hint("run `equanym release` anew; the epsilon and delta of all releases from the same people add up"));
    }
    if stored.left_out {
        return Err(Error::input(
            "a mask whose balance left out records by choice cannot be applied again: the choice belongs to its records",
        )
        .hint("run `equanym release` with the same policy on these data"));
    }
    if stored.mask.fits_other_tables() {
        return Ok(());
    }
    let method = stored.method.escape_debug();
    Err(Error::input(format!(
        "a mask of the method `{method}` cannot be applied again: what it did belongs to the records it was fitted to"
    ))
    .hint("run `equanym release` with the same policy on these data"))
}
