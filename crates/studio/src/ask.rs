//! Questions to the engine, asked on threads of their own: the newest wins.
//!
//! A question has a key, made of all that its answer depends on. Who asks the same again, be it another tab, gets the same
//! answer, or waits for it with the others. Who asks something else stops the search that nobody waits for any more, at its next
//! word about progress. The last answers are kept, so going back costs nothing.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use equanym_engine::error::{Error, Result};
use equanym_engine::progress::{Progress, Step, stop, until_stopped};
use tokio::sync::watch;

/// The most answers that are kept.
const MOST_KEPT: usize = 24;

/// An answer, for all who asked.
pub(crate) type Outcome<T> = Result<Arc<T>>;

/// Questions of one kind.
pub(crate) struct Slot<T> {
    inner: Mutex<SlotState<T>>,
    /// Told of each answer.
    bell: watch::Sender<u64>,
}

struct SlotState<T> {
    current: Option<Ticket<T>>,
    kept: VecDeque<(String, Outcome<T>)>,
}

/// A question that was asked.
pub(crate) struct Ticket<T> {
    key: String,
    pub(crate) heard: Arc<QuestionProgress>,
    done: watch::Receiver<Option<Outcome<T>>>,
}

impl<T> Clone for Ticket<T> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), heard: Arc::clone(&self.heard), done: self.done.clone() }
    }
}

impl<T: Send + Sync + 'static> Slot<T> {
    pub(crate) fn new(bell: &watch::Sender<u64>) -> Arc<Self> {
        Arc::new(Self { inner: Mutex::new(SlotState { current: None, kept: VecDeque::new() }), bell: bell.clone() })
    }

    /// Asks; what is known, or being worked on, is not asked again.
    pub(crate) fn ask(
        self: &Arc<Self>,
        key: String,
        work: impl FnOnce(Arc<dyn Progress>) -> Result<T> + Send + 'static,
    ) -> Ticket<T> {
        let mut inner = self.lock();
        if let Some((_, outcome)) = inner.kept.iter().find(|(known, _)| *known == key) {
            let (_, done) = watch::channel(Some(outcome.clone()));
            return Ticket { key, heard: Arc::default(), done };
        }
        if let Some(current) = inner.current.as_ref().filter(|one| one.key == key && !one.heard.is_stopped()) {
            return current.clone();
        }
        if let Some(old) = inner.current.take() {
            old.heard.stop();
        }
        let (sender, done) = watch::channel(None);
        let heard = Arc::new(QuestionProgress::default());
        let ticket = Ticket { key, heard: Arc::clone(&heard), done };
        let (slot, mine) = (Arc::clone(self), ticket.clone());
        let begun = thread::Builder::new().name("equanym-studio".to_owned()).spawn(move || {
            let outcome = until_stopped(|| work(Arc::clone(&heard) as Arc<dyn Progress>));
            slot.finish(&mine, outcome.map(|given| given.map(Arc::new)), &sender);
        });
        if begun.is_err() {
            let refused = Error::environment("the system refuses to start another thread").hint("raise its limits");
            let (_, done) = watch::channel(Some(Err(refused)));
            return Ticket { done, ..ticket };
        }
        inner.current = Some(ticket.clone());
        ticket
    }

    fn finish(&self, ticket: &Ticket<T>, outcome: Option<Outcome<T>>, sender: &watch::Sender<Option<Outcome<T>>>) {
        let mut inner = self.lock();
        let is_current = inner.current.as_ref().is_some_and(|one| Arc::ptr_eq(&one.heard, &ticket.heard));
        if is_current {
            inner.current = None;
        }
        if let Some(outcome) = outcome {
            // What the machine failed at may go well the next time.
            if !matches!(&outcome, Err(error) if error.exit_code() == 3) {
                inner.kept.push_front((ticket.key.clone(), outcome.clone()));
                inner.kept.truncate(MOST_KEPT);
            }
            sender.send_replace(Some(outcome));
        }
        drop(inner);
        self.bell.send_modify(|count| *count += 1);
    }

    /// An answer that is there already.
    pub(crate) fn known(&self, key: &str) -> Option<Outcome<T>> {
        self.lock().kept.iter().find(|(known, _)| known == key).map(|(_, outcome)| outcome.clone())
    }

    fn lock(&self) -> MutexGuard<'_, SlotState<T>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot, whatever its questions are.
pub(crate) trait Ask {
    /// Forgets what it knows, and stops what it is at.
    fn forget(&self);

    /// Stops what it is at, because nobody waits for it any more; what is known stays known.
    fn stop(&self);

    /// What is being worked on.
    fn working(&self) -> Option<Arc<QuestionProgress>>;
}

impl<T: Send + Sync + 'static> Ask for Slot<T> {
    fn forget(&self) {
        let mut inner = self.lock();
        inner.kept.clear();
        if let Some(current) = inner.current.take() {
            current.heard.stop();
        }
    }

    fn stop(&self) {
        if let Some(current) = self.lock().current.take() {
            current.heard.stop();
        }
    }

    fn working(&self) -> Option<Arc<QuestionProgress>> {
        self.lock().current.as_ref().map(|one| Arc::clone(&one.heard))
    }
}

impl<T> Ticket<T> {
    /// The answer, if it comes within this time.
    pub(crate) async fn wait(mut self, patience: Duration) -> Option<Outcome<T>> {
        let answered = tokio::time::timeout(patience, self.done.wait_for(Option::is_some)).await;
        answered.ok()?.ok()?.clone()
    }
}

/// How far a question has come, and whether it shall end.
#[derive(Debug, Default)]
pub(crate) struct QuestionProgress {
    is_stopped: AtomicBool,
    step: AtomicU8,
    done: AtomicU64,
    whole: AtomicU64,
}

impl Progress for QuestionProgress {
    fn at(&self, step: Step, done: u64) {
        if self.is_stopped() {
            stop();
        }
        self.step.store(step.place(), Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    fn whole(&self, _: Step, total: u64) {
        self.whole.store(total, Ordering::Relaxed);
    }
}

impl QuestionProgress {
    /// Ends it at its next word.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// How far it has come, in words.
    pub(crate) fn told(&self) -> String {
        let done = crate::number::count(self.done.load(Ordering::Relaxed));
        match Step::at(self.step.load(Ordering::Relaxed)) {
            Some(Step::Count) => format!("reading the table: {done} records"),
            Some(Step::Search) => format!("searching: {done} nodes counted"),
            Some(Step::Walk) => format!("walking: {done} segments"),
            Some(Step::Write) => format!("writing: {done} records"),
            Some(Step::Audit) => format!("auditing: {done} records"),
            Some(Step::Measure) => format!("measuring: {done} metrics"),
            Some(Step::Map) => {
                format!("mapping: {done} of {} releases", crate::number::count(self.whole.load(Ordering::Relaxed)))
            }
            None => "beginning".to_owned(),
        }
    }
}
