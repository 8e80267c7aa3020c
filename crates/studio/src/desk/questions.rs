//! What the desk asks of the engine: each question on its own, the newest first, none for longer than a page waits.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use equanym_core::report::Report;
use equanym_engine::error::Error;
use equanym_engine::run::alternatives::Alternatives;
use equanym_engine::run::balance::Solved;
use equanym_engine::run::frontier::{Frontier, FrontierRequest};

use super::{Answer, Desk, Found, Ladders, Now};
use crate::ask::{Outcome, Slot, Ticket};

/// How long a page waits for an answer before it shows how far that has come.
const PATIENCE: Duration = Duration::from_millis(400);

/// How long the first search may take, below the patience of a page; then the best so far is shown with its gap, and the search
/// goes on. Small tables have a good answer before a slider feels slow; large ones need longer to have any.
fn first_search(records: u64) -> Duration {
    Duration::from_millis((45 + records / 4_000).min(350))
}

/// What nobody waits for begins when the page before it is drawn: the browser needs the same cores.
const DRAWN: Duration = Duration::from_millis(30);

/// The most safe nodes that are listed.
const LISTED: usize = 10;

impl Desk {
    /// The best release, or how far the search is.
    pub(crate) async fn best(&self, now: &Now) -> Answer<Found> {
        let quick = self.quick(now);
        let Some(first) = quick else { return self.to_the_end(now).await };
        match first.wait(PATIENCE).await {
            // A search that had too little time may have found nothing yet.
            Some(Err(_)) => self.to_the_end(now).await,
            None => self.waiting(&self.best),
            Some(Ok(best)) if best.choice.as_ref().is_none_or(|choice| choice.optimal) => {
                Answer::Here(Found { best, goes_on: None })
            }
            Some(Ok(best)) => match self.whole(now, DRAWN).wait(Duration::ZERO).await {
                Some(Ok(proven)) => Answer::Here(Found { best: proven, goes_on: None }),
                Some(Err(_)) => Answer::Here(Found { best, goes_on: None }),
                None => Answer::Here(Found { best, goes_on: self.proven.working() }),
            },
        }
    }

    async fn to_the_end(&self, now: &Now) -> Answer<Found> {
        match self.whole(now, Duration::ZERO).wait(PATIENCE).await {
            Some(Ok(best)) => Answer::Here(Found { best, goes_on: None }),
            Some(Err(error)) => Answer::Failed(error),
            None => self.waiting(&self.proven),
        }
    }

    /// A search that answers early, where the policy asks for no other.
    fn quick(&self, now: &Now) -> Option<Ticket<Report>> {
        let method = &now.version.policy.method;
        let is_anytime = equanym_core::search::find(&method.search).is_some_and(|member| member.is_anytime());
        if !is_anytime || method.time_limit.is_some() || method.choose.is_some() {
            return None;
        }
        let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
        Some(self.best.ask(key(now, ""), move |progress| {
            let mut policy = version.policy.clone();
            policy.method.time_limit = Some(first_search(table.look.draft.records));
            table.live.best(&policy, progress.as_ref())
        }))
    }

    /// The search to its end, begun after a pause.
    fn whole(&self, now: &Now, pause: Duration) -> Ticket<Report> {
        let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
        self.proven.ask(key(now, ""), move |progress| {
            thread::sleep(pause);
            table.live.best(&version.policy, progress.as_ref())
        })
    }

    /// Another release than the best, by its place in their order.
    pub(crate) async fn beside(&self, now: &Now, place: usize) -> Answer<Arc<Report>> {
        let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
        let ticket = self.beside.ask(key(now, &place.to_string()), move |progress| {
            let mut policy = version.policy.clone();
            policy.method.choose = Some(place);
            policy.method.time_limit = None;
            table.live.best(&policy, progress.as_ref())
        });
        self.answer(ticket.wait(PATIENCE).await, &self.beside)
    }

    /// The safe nodes in their order, and the price of each level; nobody waits for them.
    pub(crate) async fn prices(&self, now: &Now) -> Answer<Arc<Alternatives>> {
        let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
        let ticket = self.prices.ask(key(now, ""), move |progress| {
            thread::sleep(DRAWN);
            // A level that the policy forbids has a price, too: what if it were permitted?
            let mut policy = version.policy.clone();
            policy.method.time_limit = None;
            table.live.alternatives(&policy, LISTED, progress.as_ref())
        });
        self.answer(ticket.wait(Duration::ZERO).await, &self.prices)
    }

    /// The ladders as they fit the table.
    pub(crate) async fn ladders(&self, now: &Now) -> Answer<Arc<Ladders>> {
        let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
        let ticket =
            self.ladders.ask(key(now, ""), move |progress| table.live.ladders(&version.policy, progress.as_ref()));
        self.answer(ticket.wait(PATIENCE).await, &self.ladders)
    }

    /// The balance of preferences.
    pub(crate) async fn balance(&self, now: &Now) -> Answer<Arc<Solved>> {
        let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
        let ticket =
            self.balance.ask(key(now, ""), move |progress| table.live.balance(&version.policy, progress.as_ref()));
        self.answer(ticket.wait(PATIENCE).await, &self.balance)
    }

    /// The safe release that is nearest to what the preferences seek.
    pub(crate) async fn safe(&self, now: &Now) -> Answer<Arc<Report>> {
        let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
        let ticket = self.safe.ask(key(now, ""), move |progress| {
            let mut policy = version.policy.clone();
            let search = equanym_core::search::ALL.iter().find(|member| member.by_preferences);
            let search = search.ok_or_else(|| Error::input("no search goes by preferences"))?;
            search.card.name.clone_into(&mut policy.method.search);
            (policy.method.time_limit, policy.method.choose) = (None, None);
            table.live.best(&policy, progress.as_ref())
        });
        self.answer(ticket.wait(PATIENCE).await, &self.safe)
    }

    /// The map of risk and loss.
    pub(crate) async fn map(&self, now: &Now) -> Answer<Arc<Frontier>> {
        let (table, version, resources) = (Arc::clone(&now.table), Arc::clone(&now.version), self.resources());
        let ticket = self.map.ask(key(now, ""), move |progress| {
            table.live.map(&FrontierRequest {
                data: table.live.data().into(),
                text: &version.text,
                folder: &version.policy.folder,
                files: &|name| table.files.read(name),
                reading: &|reading| Ok(reading.clone()),
                sweeps: version.policy.frontier.clone(),
                seed: None,
                resume: None,
                resources,
                show_values: false,
                progress,
            })
        });
        self.answer(ticket.wait(PATIENCE).await, &self.map)
    }

    fn answer<T: Send + Sync + 'static>(&self, outcome: Option<Outcome<T>>, slot: &Arc<Slot<T>>) -> Answer<Arc<T>> {
        match outcome {
            Some(Ok(found)) => Answer::Here(found),
            Some(Err(error)) => Answer::Failed(error),
            None => self.waiting(slot),
        }
    }

    #[allow(clippy::unused_self)] // reads as what it is about
    fn waiting<T: Send + Sync + 'static, A>(&self, slot: &Arc<Slot<T>>) -> Answer<A> {
        Answer::Waiting(slot.working().unwrap_or_default())
    }
}

/// All that an answer depends on.
fn key(now: &Now, more: &str) -> String {
    format!("{} {more}\n{}", now.table.number, now.version.text)
}
