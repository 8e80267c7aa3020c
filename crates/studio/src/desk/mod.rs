//! What lies on the desk: one table, one policy with its history, and what was asked about them.
//!
//! It belongs to the process, not to a tab: every page shows the same, and a change is a change for all. Locks are held for
//! moments only, never while the engine works.

pub(crate) mod edit;
pub(crate) mod files;
pub(crate) mod history;
mod questions;
pub(crate) mod table;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use equanym_audit::Check;
use equanym_core::report::Report;
use equanym_engine::error::{Error, Result};
use equanym_engine::machine::Resources;
use equanym_engine::run::alternatives::Alternatives;
use equanym_engine::run::balance::BalanceSolution;
use equanym_engine::run::frontier::Frontier;
use equanym_engine::run::live::{LadderLook, NewValuesLook};
use tokio::sync::watch;

use crate::Settings;
use crate::ask::{Ask, QuestionProgress, Slot};
use crate::folders::Folders;
use edit::Edit;
use history::{History, Version};
use table::{DeskTable, Origin, TableOpening};

/// The most messages that are kept.
const MOST_NOTES: usize = 64;

/// Ladders of the quasi-identifiers, or why one does not fit.
pub(crate) type Ladders = Vec<(String, Result<LadderLook>)>;

/// What lies on the desk.
pub(crate) struct Desk {
    pub(crate) folders: Folders,
    resources: Resources,
    inner: Mutex<DeskState>,
    pub(crate) bell: watch::Sender<u64>,
    opening: Arc<Slot<()>>,
    searches: Searches,
    pub(crate) releasing: Arc<Slot<DeskRelease>>,
}

/// What is asked about the policy of this moment.
struct Searches {
    best: Arc<Slot<Report>>,
    proven: Arc<Slot<Report>>,
    beside: Arc<Slot<Report>>,
    safe: Arc<Slot<Report>>,
    prices: Arc<Slot<Alternatives>>,
    ladders: Arc<Slot<Ladders>>,
    changed: Arc<Slot<NewValuesLook>>,
    balance: Arc<Slot<BalanceSolution>>,
    map: Arc<Slot<Frontier>>,
}

impl Searches {
    fn new(bell: &watch::Sender<u64>) -> Self {
        Self {
            best: Slot::new(bell),
            proven: Slot::new(bell),
            beside: Slot::new(bell),
            safe: Slot::new(bell),
            prices: Slot::new(bell),
            ladders: Slot::new(bell),
            changed: Slot::new(bell),
            balance: Slot::new(bell),
            map: Slot::new(bell),
        }
    }

    fn all(&self) -> [&dyn Ask; 9] {
        let Self { best, proven, beside, safe, prices, ladders, changed, balance, map } = self;
        [&**best, &**proven, &**beside, &**safe, &**prices, &**ladders, &**changed, &**balance, &**map]
    }
}

#[derive(Default)]
struct DeskState {
    table: Option<Arc<DeskTable>>,
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
pub(crate) struct Moment {
    pub(crate) table: Arc<DeskTable>,
    pub(crate) version: Arc<Version>,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    /// Where the policy lies, or would.
    pub(crate) policy: PathBuf,
    pub(crate) is_kept: bool,
}

/// A release that is in place.
pub(crate) struct DeskRelease {
    /// The folder, as it is told.
    pub(crate) out: PathBuf,
    /// The same, wherever the process is.
    pub(crate) folder: PathBuf,
    pub(crate) report: Report,
    /// What an audit says that has the original, too.
    pub(crate) checks: Vec<Check>,
    /// The command that does the same.
    pub(crate) command: String,
    /// Where its policy lies, and what that says.
    pub(crate) policy: PathBuf,
    pub(crate) text: String,
}

/// A safe release that was found, and whether the search goes on.
pub(crate) struct SafeRelease {
    pub(crate) best: Arc<Report>,
    pub(crate) goes_on: Option<Arc<QuestionProgress>>,
}

/// What became of a question within a page's patience.
pub(crate) enum Answer<T> {
    Here(T),
    Failed(Error),
    /// How far it has come.
    Waiting(Arc<QuestionProgress>),
}

impl Desk {
    pub(crate) fn new(folders: Folders, settings: Settings) -> Arc<Self> {
        let bell = watch::Sender::new(0);
        let desk = Arc::new(Self {
            folders,
            resources: settings.resources,
            inner: Mutex::default(),
            opening: Slot::new(&bell),
            searches: Searches::new(&bell),
            releasing: Slot::new(&bell),
            bell,
        });
        if let Some(data) = settings.data {
            desk.open(Origin::Path(data), settings.policy);
        }
        desk
    }

    fn lock(&self) -> MutexGuard<'_, DeskState> {
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
        let handed_over = if let Origin::Upload(path) = &origin { Some(path.clone()) } else { None };
        let opening = TableOpening { number, origin, policy, resources: self.resources.clone() };
        let desk = Arc::clone(self);
        drop(self.opening.ask(number.to_string(), move |progress| {
            match opening.open(&desk.folders, &progress) {
                Ok(opened) => desk.put_down(opened),
                Err(error) => {
                    // What cannot be opened is not kept.
                    if let Some(path) = handed_over {
                        desk.folders.forget(&path);
                    }
                    desk.lock().failure = Some(error);
                }
            }
            Ok(())
        }));
        self.ring();
    }

    fn put_down(&self, opened: DeskTable) {
        let mut inner = self.lock();
        // A newer one is on its way.
        if opened.number < inner.openings {
            return;
        }
        let first = &opened.first;
        inner.history = History::begin(Version { text: first.text.clone(), policy: first.policy.clone() });
        inner.kept = opened.policy.clone().map(|path| (path, first.text.clone()));
        let before = inner.table.replace(Arc::new(opened));
        inner.released = None;
        drop(inner);
        self.stop_searches();
        if let Some(before) = before {
            before.live.let_go();
        }
    }

    /// Why the last table could not be opened.
    pub(crate) fn failure(&self) -> Option<Error> {
        self.lock().failure.clone()
    }

    /// How far the table has come that is being opened.
    pub(crate) fn opening(&self) -> Option<Arc<QuestionProgress>> {
        self.opening.working()
    }

    /// The table and the policy of this moment.
    pub(crate) fn now(&self) -> Option<Moment> {
        let inner = self.lock();
        let (table, version) = (inner.table.clone()?, inner.history.now()?);
        let (can_undo, can_redo) = (inner.history.can_undo(), inner.history.can_redo());
        let is_kept = inner.kept.as_ref().is_some_and(|(_, text)| *text == version.text);
        let policy = inner.kept.as_ref().map(|(path, _)| path.clone());
        drop(inner);
        let policy = policy.unwrap_or_else(|| self.free_name("policy", ".toml"));
        Some(Moment { table, version, can_undo, can_redo, policy, is_kept })
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
        change: impl FnOnce(&Moment, &mut Edit) -> Result<()>,
    ) -> Result<()> {
        let now = self.now().ok_or_else(nothing_open)?;
        let mut edit = Edit::parse(&now.version.text)?;
        change(&now, &mut edit)?;
        self.replace(&now, edit.finish(), moving)
    }

    /// Takes another text for the policy.
    pub(crate) fn replace(&self, now: &Moment, text: String, moving: Option<&str>) -> Result<()> {
        let version = now.table.files.parse(text)?;
        version.policy.check_columns(&now.table.look.columns.iter().map(|one| one.name.clone()).collect::<Vec<_>>())?;
        let mut inner = self.lock();
        if inner.table.as_ref().is_none_or(|table| table.number != now.table.number) {
            return Err(nothing_open());
        }
        inner.history.put(version, moving);
        drop(inner);
        self.let_go();
        self.ring();
        Ok(())
    }

    /// A step back or forth.
    pub(crate) fn step(&self, back: bool) {
        let mut inner = self.lock();
        if back {
            inner.history.undo();
        } else {
            inner.history.redo();
        }
        drop(inner);
        self.let_go();
        self.ring();
    }

    /// A control came to rest.
    pub(crate) fn rest(&self) {
        self.lock().history.rest();
    }

    /// Keeps the policy in its file.
    pub(crate) fn keep(&self, now: &Moment) -> Result<PathBuf> {
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

    /// Whatever is being worked on, in words.
    pub(crate) fn told(&self) -> Option<String> {
        let others: [&dyn Ask; 2] = [&*self.opening, &*self.releasing];
        others.into_iter().chain(self.searches.all()).find_map(Ask::working).map(|heard| heard.told())
    }

    /// Stops what is being worked on.
    pub(crate) fn stop_all(&self) {
        self.opening.forget();
        self.stop_searches();
        self.releasing.forget();
        if let Some(table) = &self.lock().table {
            table.live.let_go();
        }
    }

    /// Ends what is asked about a policy that is another one now: the next question shall not wait for its threads.
    fn let_go(&self) {
        self.searches.all().into_iter().for_each(Ask::stop);
    }

    fn stop_searches(&self) {
        self.searches.all().into_iter().for_each(Ask::forget);
    }

    pub(crate) fn resources(&self) -> Resources {
        self.resources.clone()
    }
}

fn note(inner: &mut DeskState, what: Note) -> u64 {
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
pub(crate) fn command(now: &Moment, out: &Path) -> String {
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
