//! What lies on the desk: one table, one policy with its history, and what was asked about them.
//!
//! It belongs to the process, not to a tab: every page shows the same, and a change is a change for all. Locks are held for
//! moments only, never while the engine works.

pub(crate) mod edit;
pub(crate) mod files;
pub(crate) mod history;
pub(crate) mod table;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use equanym_core::report::Report;
use equanym_engine::error::{Error, Result};
use equanym_engine::machine::Resources;
use equanym_engine::run::alternatives::Alternatives;
use equanym_engine::run::balance::Solved;
use equanym_engine::run::frontier::{Frontier, FrontierRequest, frontier};
use equanym_engine::run::live::LadderLook;
use tokio::sync::watch;

use crate::Settings;
use crate::ask::{Heard, Outcome, Slot};
use crate::folders::Folders;
use crate::serve::releasing::Done;
use edit::Edit;
use history::{History, Version};
use table::{Opened, Opening, Origin};

/// How long a page waits for an answer before it shows how far that has come.
pub(crate) const PATIENCE: Duration = Duration::from_millis(400);

/// How long the first search may take; then the best so far is shown with its gap, and the search goes on.
const FIRST_SEARCH: Duration = Duration::from_millis(350);

/// The most safe nodes that are listed.
const LISTED: usize = 10;

/// The most messages that are kept.
const MOST_NOTES: usize = 64;

/// Ladders of the quasi-identifiers, or why one does not fit.
pub(crate) type Ladders = Vec<(String, Result<LadderLook>)>;

/// What lies on the desk.
pub(crate) struct Desk {
    pub(crate) folders: Folders,
    resources: Resources,
    inner: Mutex<Inner>,
    pub(crate) bell: watch::Sender<u64>,
    opening: Arc<Slot<()>>,
    best: Arc<Slot<Report>>,
    proven: Arc<Slot<Report>>,
    beside: Arc<Slot<Report>>,
    safe: Arc<Slot<Report>>,
    prices: Arc<Slot<Alternatives>>,
    ladders: Arc<Slot<Ladders>>,
    balance: Arc<Slot<Solved>>,
    map: Arc<Slot<Frontier>>,
    pub(crate) releasing: Arc<Slot<Done>>,
}

#[derive(Default)]
struct Inner {
    table: Option<Arc<Opened>>,
    history: History,
    openings: u64,
    /// Why the last table could not be opened.
    failure: Option<Error>,
    /// Where the policy was kept last, and its text then.
    kept: Option<(PathBuf, String)>,
    notes: VecDeque<(u64, Note)>,
    noted: u64,
    /// The release that was asked for last.
    released: Option<String>,
}

/// Something to tell, once.
#[derive(Debug, Clone)]
pub(crate) enum Note {
    /// It worked.
    Done(String),
    /// It did not.
    Failed(Error),
}

/// A table with the policy of this moment.
#[derive(Clone)]
pub(crate) struct Now {
    pub(crate) table: Arc<Opened>,
    pub(crate) version: Arc<Version>,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    /// Where the policy lies, or would.
    pub(crate) policy: PathBuf,
    pub(crate) is_kept: bool,
}

/// A safe release that was found, and whether the search goes on.
pub(crate) struct Found {
    pub(crate) best: Arc<Report>,
    pub(crate) goes_on: Option<Arc<Heard>>,
}

/// What became of a question within a page's patience.
pub(crate) enum Answer<T> {
    Here(T),
    Failed(Error),
    /// How far it has come.
    Waiting(Arc<Heard>),
}

impl Desk {
    pub(crate) fn new(folders: Folders, settings: Settings) -> Result<Arc<Self>> {
        let bell = watch::Sender::new(0);
        let desk = Arc::new(Self {
            folders,
            resources: settings.resources,
            inner: Mutex::default(),
            opening: Slot::new(&bell),
            best: Slot::new(&bell),
            proven: Slot::new(&bell),
            beside: Slot::new(&bell),
            safe: Slot::new(&bell),
            prices: Slot::new(&bell),
            ladders: Slot::new(&bell),
            balance: Slot::new(&bell),
            map: Slot::new(&bell),
            releasing: Slot::new(&bell),
            bell,
        });
        if let Some(data) = settings.data {
            desk.open(Origin::Path(data), settings.policy);
        }
        Ok(desk)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self) {
        self.bell.send_modify(|count| *count += 1);
    }

    /// Begins to open a table; what lay on the desk goes when it is there.
    pub(crate) fn open(self: &Arc<Self>, origin: Origin, policy: Option<PathBuf>) {
        let mut inner = self.lock();
        inner.openings += 1;
        inner.failure = None;
        let number = inner.openings;
        drop(inner);
        let opening = Opening { number, origin, policy, resources: self.resources.clone() };
        let desk = Arc::clone(self);
        drop(self.opening.ask(number.to_string(), move |progress| {
            match opening.open(&desk.folders, &progress) {
                Ok(opened) => desk.put_down(opened),
                Err(error) => desk.lock().failure = Some(error),
            }
            Ok(())
        }));
        self.ring();
    }

    fn put_down(&self, opened: Opened) {
        let mut inner = self.lock();
        // A newer one is on its way.
        if opened.number < inner.openings {
            return;
        }
        let first = &opened.first;
        inner.history = History::begin(Version { text: first.text.clone(), policy: first.policy.clone() });
        inner.kept = opened.policy.clone().map(|path| (path, first.text.clone()));
        inner.table = Some(Arc::new(opened));
        inner.released = None;
        drop(inner);
        self.stop_searches();
    }

    /// Why the last table could not be opened.
    pub(crate) fn failure(&self) -> Option<Error> {
        self.lock().failure.clone()
    }

    /// How far the table has come that is being opened.
    pub(crate) fn opening(&self) -> Option<Arc<Heard>> {
        self.opening.working()
    }

    /// The table and the policy of this moment.
    pub(crate) fn now(&self) -> Option<Now> {
        let inner = self.lock();
        let (table, version) = (inner.table.clone()?, inner.history.now()?);
        let (can_undo, can_redo) = (inner.history.can_undo(), inner.history.can_redo());
        let is_kept = inner.kept.as_ref().is_some_and(|(_, text)| *text == version.text);
        let policy = inner.kept.as_ref().map(|(path, _)| path.clone());
        drop(inner);
        let policy = policy.unwrap_or_else(|| self.free_name("policy", ".toml"));
        Some(Now { table, version, can_undo, can_redo, policy, is_kept })
    }

    /// A name in the folder of the start that nobody uses.
    pub(crate) fn free_name(&self, stem: &str, ending: &str) -> PathBuf {
        let names = std::iter::once(format!("{stem}{ending}"))
            .chain((2..1000).map(|number| format!("{stem}-{number}{ending}")));
        let mut free = names.filter(|name| self.folders.start().join(name).symlink_metadata().is_err());
        free.next().map(PathBuf::from).unwrap_or_default()
    }

    /// Changes the policy; what is no policy changes nothing.
    pub(crate) fn change(
        &self,
        moving: Option<&str>,
        change: impl FnOnce(&Now, &mut Edit) -> Result<()>,
    ) -> Result<()> {
        let now = self.now().ok_or_else(nothing_open)?;
        let mut edit = Edit::of(&now.version.text)?;
        change(&now, &mut edit)?;
        self.replace(&now, edit.finish(), moving)
    }

    /// Takes another text for the policy.
    pub(crate) fn replace(&self, now: &Now, text: String, moving: Option<&str>) -> Result<()> {
        let version = now.table.files.parse(text)?;
        version.policy.check_columns(&now.table.look.columns.iter().map(|one| one.name.clone()).collect::<Vec<_>>())?;
        let mut inner = self.lock();
        if inner.table.as_ref().is_none_or(|table| table.number != now.table.number) {
            return Err(nothing_open());
        }
        inner.history.put(version, moving);
        drop(inner);
        self.ring();
        Ok(())
    }

    /// A step back or forth.
    pub(crate) fn step(&self, back: bool) {
        let mut inner = self.lock();
        if back {
            inner.history.undo()
        } else {
            inner.history.redo()
        }
        drop(inner);
        self.ring();
    }

    /// A control came to rest.
    pub(crate) fn rest(&self) {
        self.lock().history.rest();
    }

    /// Keeps the policy in its file.
    pub(crate) fn keep(&self, now: &Now) -> Result<PathBuf> {
        let path = now.policy.clone();
        let known = self.lock().kept.as_ref().filter(|(kept, _)| *kept == path).map(|(_, text)| text.clone());
        now.table.files.keep(&self.folders.absolute(&path), &now.version.text, known.as_deref())?;
        self.lock().kept = Some((path.clone(), now.version.text.clone()));
        self.ring();
        Ok(path)
    }

    /// The release that was asked for last.
    pub(crate) fn released(&self) -> Option<String> {
        self.lock().released.clone()
    }

    pub(crate) fn set_released(&self, key: String) {
        self.lock().released = Some(key);
    }

    /// Leaves a message for the next page; gives its number.
    pub(crate) fn note(&self, what: Note) -> u64 {
        note(&mut self.lock(), what)
    }

    /// A message by its number.
    pub(crate) fn told_note(&self, number: u64) -> Option<Note> {
        self.lock().notes.iter().find(|(one, _)| *one == number).map(|(_, what)| what.clone())
    }

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
            Some(Ok(best)) => match self.whole(now).wait(Duration::ZERO).await {
                Some(Ok(proven)) => Answer::Here(Found { best: proven, goes_on: None }),
                Some(Err(_)) => Answer::Here(Found { best, goes_on: None }),
                None => Answer::Here(Found { best, goes_on: self.proven.working() }),
            },
        }
    }

    async fn to_the_end(&self, now: &Now) -> Answer<Found> {
        match self.whole(now).wait(PATIENCE).await {
            Some(Ok(best)) => Answer::Here(Found { best, goes_on: None }),
            Some(Err(error)) => Answer::Failed(error),
            None => self.waiting(&self.proven),
        }
    }

    /// A search that answers early, where the policy asks for no other.
    fn quick(&self, now: &Now) -> Option<crate::ask::Ticket<Report>> {
        let method = &now.version.policy.method;
        let is_anytime = equanym_core::search::find(&method.search).is_some_and(|member| member.anytime);
        if !is_anytime || method.time_limit.is_some() || method.choose.is_some() {
            return None;
        }
        let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
        Some(self.best.ask(key(now, ""), move |progress| {
            let mut policy = version.policy.clone();
            policy.method.time_limit = Some(FIRST_SEARCH);
            table.live.best(&policy, progress.as_ref())
        }))
    }

    /// The search to its end.
    fn whole(&self, now: &Now) -> crate::ask::Ticket<Report> {
        let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
        self.proven.ask(key(now, ""), move |progress| table.live.best(&version.policy, progress.as_ref()))
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

    /// The safe nodes in their order, and the price of each level.
    pub(crate) async fn prices(&self, now: &Now, patience: Duration) -> Answer<Arc<Alternatives>> {
        let (table, version) = (Arc::clone(&now.table), Arc::clone(&now.version));
        let ticket = self.prices.ask(key(now, ""), move |progress| {
            // A level that the policy forbids has a price, too: what if it were permitted?
            let mut policy = version.policy.clone();
            policy.method.time_limit = None;
            table.live.alternatives(&policy, LISTED, progress.as_ref())
        });
        self.answer(ticket.wait(patience).await, &self.prices)
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
            frontier(&FrontierRequest {
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

    /// Whatever is being worked on, in words.
    pub(crate) fn told(&self) -> Option<String> {
        let all = [
            self.opening.working(),
            self.releasing.working(),
            self.best.working(),
            self.proven.working(),
            self.beside.working(),
            self.safe.working(),
            self.prices.working(),
            self.ladders.working(),
            self.balance.working(),
            self.map.working(),
        ];
        all.into_iter().flatten().next().map(|heard| heard.told())
    }

    /// Stops what is being worked on.
    pub(crate) fn stop_all(&self) {
        self.opening.forget();
        self.stop_searches();
        self.releasing.forget();
    }

    fn stop_searches(&self) {
        self.best.forget();
        self.proven.forget();
        self.beside.forget();
        self.safe.forget();
        self.prices.forget();
        self.ladders.forget();
        self.balance.forget();
        self.map.forget();
    }

    pub(crate) fn resources(&self) -> Resources {
        self.resources.clone()
    }
}

/// All that an answer depends on.
fn key(now: &Now, more: &str) -> String {
    format!("{} {more}\n{}", now.table.number, now.version.text)
}

fn note(inner: &mut Inner, what: Note) -> u64 {
    inner.noted += 1;
    let number = inner.noted;
    inner.notes.push_back((number, what));
    if inner.notes.len() > MOST_NOTES {
        inner.notes.pop_front();
    }
    number
}

pub(crate) fn nothing_open() -> Error {
    Error::input("no table is open").hint("open one on the page Table")
}

/// A command that makes the release.
pub(crate) fn command(now: &Now, out: &Path) -> String {
    let [data, policy, out] = [&now.table.told, &now.policy, out].map(|path| word(&path.to_string_lossy()));
    format!("equanym release {data} --policy {policy} --out {out}")
}

/// A word as a shell reads it.
fn word(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=@%+,".contains(character);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        let dashed = if text.starts_with('-') { "./" } else { "" };
        format!("'{dashed}{}'", text.replace('\'', "'\\''"))
    }
}
