//! What the desk asks of the engine: each question on its own, the newest first, none for longer than a page waits.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use equanym_core::report::Report;
use equanym_core::search::{self, SearchMember};
use equanym_engine::error::{Error, Result};
use equanym_engine::progress::Progress;
use equanym_engine::run::alternatives::Alternatives;
use equanym_engine::run::balance::BalanceSolution;
use equanym_engine::run::frontier::{Frontier, FrontierRequest};
use equanym_engine::run::live::NewValuesLook;

use super::history::Version;
use super::table::DeskTable;
use super::{Answer, Desk, Ladders, Moment, SafeRelease};
use crate::ask::{Ask, Slot, Ticket};

/// How long a page waits for an answer before it shows how far that has come.
const PATIENCE: Duration = Duration::from_millis(400);

/// How long the first search may take, below the patience of a page; then the best so far is shown with its gap, and the search
/// goes on. Small tables have a good answer before a slider feels slow; large ones need longer to have any.
fn first_search(records: u64) -> Duration {
    Duration::from_millis((45 + records / 4_000).min(350))
}

/// What nobody waits for begins when the page before it is shown: the browser needs the same cores.
const SHOWN: Duration = Duration::from_millis(30);

/// The most safe nodes that are listed.
const LISTED: usize = 10;

impl Desk {
    /// The best release, or how far the search is.
    pub(crate) async fn best(&self, now: &Moment) -> Answer<SafeRelease> {
        let quick = self.quick(now);
        let Some(first) = quick else { return self.to_the_end(now).await };
        match first.wait(PATIENCE).await {
            // A search that had too little time may have found nothing yet.
            Some(Err(_)) => self.to_the_end(now).await,
            None => waiting(&self.searches.best),
            Some(Ok(best)) if best.choice.as_ref().is_none_or(|choice| choice.optimal) => {
                Answer::Here(SafeRelease { best, goes_on: None })
            }
            Some(Ok(best)) => match self.whole(now, SHOWN).wait(Duration::ZERO).await {
                Some(Ok(proven)) => Answer::Here(SafeRelease { best: proven, goes_on: None }),
                Some(Err(_)) => Answer::Here(SafeRelease { best, goes_on: None }),
                None => Answer::Here(SafeRelease { best, goes_on: self.searches.proven.working() }),
            },
        }
    }

    async fn to_the_end(&self, now: &Moment) -> Answer<SafeRelease> {
        match self.whole(now, Duration::ZERO).wait(PATIENCE).await {
            Some(Ok(best)) => Answer::Here(SafeRelease { best, goes_on: None }),
            Some(Err(error)) => Answer::Failed(error),
            None => waiting(&self.searches.proven),
        }
    }

    /// A search that answers early, where the policy asks for no other.
    fn quick(&self, now: &Moment) -> Option<Ticket<Report>> {
        let method = &now.version.policy.method;
        let is_anytime = search::find(&method.search).is_some_and(SearchMember::is_anytime);
        if !is_anytime || method.time_limit.is_some() || method.choose.is_some() {
            return None;
        }
        Some(question(&self.searches.best, now, "", |table, version, progress| {
            let mut policy = version.policy.clone();
            policy.method.time_limit = Some(first_search(table.look.draft.records));
            table.live.best(&policy, progress.as_ref())
        }))
    }

    /// The search to its end, begun after a pause.
    fn whole(&self, now: &Moment, pause: Duration) -> Ticket<Report> {
        question(&self.searches.proven, now, "", move |table, version, progress| {
            thread::sleep(pause);
            table.live.best(&version.policy, progress.as_ref())
        })
    }

    /// Another release than the best, by its place in their order.
    pub(crate) async fn beside(&self, now: &Moment, place: usize) -> Answer<Arc<Report>> {
        let slot = &self.searches.beside;
        let ticket = question(slot, now, &place.to_string(), move |table, version, progress| {
            let mut policy = version.policy.clone();
            policy.method.choose = Some(place);
            policy.method.time_limit = None;
            table.live.best(&policy, progress.as_ref())
        });
        answer(ticket, PATIENCE, slot).await
    }

    /// The safe nodes in their order, and the price of each level; nobody waits for them.
    pub(crate) async fn prices(&self, now: &Moment) -> Answer<Arc<Alternatives>> {
        let slot = &self.searches.prices;
        let ticket = question(slot, now, "", |table, version, progress| {
            thread::sleep(SHOWN);
            // A level that the policy forbids has a price, too: what if it were permitted?
            let mut policy = version.policy.clone();
            policy.method.time_limit = None;
            table.live.alternatives(&policy, LISTED, progress.as_ref())
        });
        answer(ticket, Duration::ZERO, slot).await
    }

    /// The ladders as they fit the table.
    pub(crate) async fn ladders(&self, now: &Moment) -> Answer<Arc<Ladders>> {
        let slot = &self.searches.ladders;
        let ticket =
            question(slot, now, "", |table, version, progress| table.live.ladders(&version.policy, progress.as_ref()));
        answer(ticket, PATIENCE, slot).await
    }

    /// What becomes of the columns that get new values.
    pub(crate) async fn new_values(&self, now: &Moment) -> Answer<Arc<NewValuesLook>> {
        let slot = &self.searches.changed;
        let ticket = question(slot, now, "", |table, version, progress| {
            table.live.new_values(&version.policy, progress.as_ref())
        });
        answer(ticket, PATIENCE, slot).await
    }

    /// The balance of preferences.
    pub(crate) async fn balance(&self, now: &Moment) -> Answer<Arc<BalanceSolution>> {
        let slot = &self.searches.balance;
        let ticket =
            question(slot, now, "", |table, version, progress| table.live.balance(&version.policy, progress.as_ref()));
        answer(ticket, PATIENCE, slot).await
    }

    /// The safe release that is nearest to what the preferences seek.
    pub(crate) async fn safe(&self, now: &Moment) -> Answer<Arc<Report>> {
        let slot = &self.searches.safe;
        let ticket = question(slot, now, "", |table, version, progress| {
            let mut policy = version.policy.clone();
            let search = search::ALL.iter().find(|member| member.by_preferences);
            let search = search.ok_or_else(|| Error::input("no search goes by preferences"))?;
            search.card.name.clone_into(&mut policy.method.search);
            (policy.method.time_limit, policy.method.choose) = (None, None);
            table.live.best(&policy, progress.as_ref())
        });
        answer(ticket, PATIENCE, slot).await
    }

    /// The map of risk and loss.
    pub(crate) async fn map(&self, now: &Moment) -> Answer<Arc<Frontier>> {
        let (slot, resources) = (&self.searches.map, self.resources());
        let ticket = question(slot, now, "", move |table, version, progress| {
            table.live.map(&FrontierRequest {
                data: table.live.data().into(),
                text: &version.text,
                folder: &version.policy.folder,
                files: &|name| table.files.read(name),
                reading: &|reading| Ok(reading.clone()),
                sweeps: version.policy.frontier.clone(),
                seed: None,
                key: None,
                resume: None,
                resources,
                show_values: false,
                progress,
            })
        });
        answer(ticket, PATIENCE, slot).await
    }
}

/// Asks about the table and the policy of this moment.
fn question<T: Send + Sync + 'static>(
    slot: &Arc<Slot<T>>,
    now: &Moment,
    more: &str,
    work: impl FnOnce(&DeskTable, &Version, Arc<dyn Progress>) -> Result<T> + Send + 'static,
) -> Ticket<T> {
    let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
    slot.ask(key(now, more), move |progress| work(&table, &version, progress))
}

async fn answer<T: Send + Sync + 'static>(
    ticket: Ticket<T>,
    patience: Duration,
    slot: &Arc<Slot<T>>,
) -> Answer<Arc<T>> {
    match ticket.wait(patience).await {
        Some(Ok(found)) => Answer::Here(found),
        Some(Err(error)) => Answer::Failed(error),
        None => waiting(slot),
    }
}

fn waiting<T: Send + Sync + 'static, A>(slot: &Arc<Slot<T>>) -> Answer<A> {
    Answer::Waiting(slot.working().unwrap_or_default())
}

/// All that an answer depends on.
fn key(now: &Moment, more: &str) -> String {
    format!("{} {more}\n{}", now.table.number, now.version.text)
}
