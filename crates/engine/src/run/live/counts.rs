//! The counts of a table that are kept, and the one that is being made.
//!
//! One question counts; others wait for it and hear how far it is. A question that is stopped meanwhile goes on counting for
//! those that follow it: whoever moves a slider changes nothing that is counted, and would have the table read from its
//! beginning at every move. The count ends early where the table is let go, or where the next question needs another.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use equanym_core::treatment::Treatment;

use crate::count::columns::KeyColumns;
use crate::count::counted_table::{Look, TableCount};
use crate::count::parts::KeyParts;
use crate::decide::fitted::FittedTables;
use crate::error::Result;
use crate::machine::turn::turn;
use crate::policy::Policy;
use crate::progress::{Progress, Step, stop, until_stopped};
use crate::read::{Reading, Source};

/// The most counts of one table that are kept.
const MOST_KEPT: usize = 4;

/// What a count depends on besides the table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CountShape {
    reading: Reading,
    treatments: Vec<(String, Vec<Treatment>)>,
    places: KeyParts<usize>,
    /// Below how many people values are few, where cells are looked at.
    looks: Option<u64>,
    /// Where the population lies that a model looks at, and by how many of the columns it is counted.
    population: Option<(PathBuf, usize)>,
}

impl CountShape {
    /// That of a policy for a table.
    pub(super) fn new(policy: &Policy, source: &Source) -> Self {
        let columns = KeyColumns::new(policy, source);
        let treatments = policy.treatments().filter(|(_, all)| !all.is_empty());
        Self {
            reading: policy.data.clone(),
            treatments: treatments.map(|(name, all)| (name.to_owned(), all.to_vec())).collect(),
            population: policy.population().map(|path| (path, columns.quasi.len())),
            places: columns.places,
            looks: Look::must(policy),
        }
    }
}

/// A counted table, and what it was counted by.
pub(super) struct KeptCount {
    pub shape: CountShape,
    pub source: Source,
    pub count: TableCount,
    /// Tables that were made of it.
    pub fitted: FittedTables,
}

/// The counts of one table.
#[derive(Default)]
pub(super) struct KeptCounts {
    kept: Mutex<Vec<Arc<KeptCount>>>,
    /// Held by whoever counts: two counts at once could take each other the threads that read for them.
    counting: Mutex<()>,
    now: Mutex<Option<(CountShape, Source)>>,
    records: AtomicU64,
    /// Whether a question waits that needs another count.
    is_in_the_way: AtomicBool,
    is_let_go: AtomicBool,
}

impl KeptCounts {
    /// The count that a policy needs, if it is kept.
    pub(super) fn known(&self, policy: &Policy) -> Option<Arc<KeptCount>> {
        let kept = lock(&self.kept);
        kept.iter().find(|one| one.shape == CountShape::new(policy, &one.source)).map(Arc::clone)
    }

    /// The count that a policy needs; it is made by `count` where it is not kept, and by one question at a time.
    pub(super) fn get(
        &self,
        policy: &Policy,
        progress: &dyn Progress,
        count: impl FnOnce(&dyn Progress) -> Result<KeptCount>,
    ) -> Result<Arc<KeptCount>> {
        if let Some(kept) = self.known(policy) {
            return Ok(kept);
        }
        let turn = turn(&self.counting, || self.wait(policy, progress));
        if let Some(kept) = self.known(policy) {
            return Ok(kept);
        }
        *lock(&self.now) = None;
        self.is_in_the_way.store(false, Ordering::Relaxed);
        self.records.store(0, Ordering::Relaxed);
        let kept = Arc::new(count(&CountProgress { counts: self, asked: progress })?);
        let mut all = lock(&self.kept);
        all.insert(0, Arc::clone(&kept));
        all.truncate(MOST_KEPT);
        drop((all, turn));
        // Whoever was stopped has done its work for others, and ends here.
        progress.at(Step::Count, self.records.load(Ordering::Relaxed));
        Ok(kept)
    }

    /// Tells what is counted now.
    pub(super) fn counts(&self, shape: &CountShape, source: &Source) {
        *lock(&self.now) = Some((shape.clone(), source.clone()));
    }

    /// Ends what is counted: nobody will ask again.
    pub(super) fn let_go(&self) {
        self.is_let_go.store(true, Ordering::Relaxed);
    }

    fn wait(&self, policy: &Policy, progress: &dyn Progress) {
        let is_another = |(shape, source): &(CountShape, Source)| *shape != CountShape::new(policy, source);
        if lock(&self.now).as_ref().is_some_and(is_another) {
            self.is_in_the_way.store(true, Ordering::Relaxed);
        }
        progress.at(Step::Count, self.records.load(Ordering::Relaxed));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hears a count for whoever asked, and goes on without them.
struct CountProgress<'a> {
    counts: &'a KeptCounts,
    asked: &'a dyn Progress,
}

impl Progress for CountProgress<'_> {
    fn at(&self, step: Step, done: u64) {
        self.counts.records.store(done, Ordering::Relaxed);
        let is_wanted = until_stopped(|| self.asked.at(step, done)).is_some();
        let is_in_the_way = self.counts.is_in_the_way.load(Ordering::Relaxed) && !is_wanted;
        if is_in_the_way || self.counts.is_let_go.load(Ordering::Relaxed) {
            stop();
        }
    }

    fn bytes(&self, step: Step, read: u64, total: u64) {
        self.asked.bytes(step, read, total);
    }
}
