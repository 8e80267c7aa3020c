//! Opening a table: it is looked at, a policy is drafted or read, and both must fit each other.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use equanym_engine::error::{Error, Result};
use equanym_engine::machine::Resources;
use equanym_engine::progress::Progress;
use equanym_engine::run::demo;
use equanym_engine::run::live::{Live, TableLook};

use super::files::PolicyFiles;
use super::history::Version;
use crate::folders::Folders;

/// Where a table comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A path, as it is told.
    Path(PathBuf),
    /// It was handed over; where it lies now.
    Upload(PathBuf),
    /// The made-up hospital.
    Hospital,
}

/// A table that lies on the desk.
pub(crate) struct DeskTable {
    /// Another one for each opening.
    pub(crate) number: u64,
    pub(crate) origin: Origin,
    /// How the table is told in a command.
    pub(crate) told: PathBuf,
    pub(crate) live: Live,
    pub(crate) look: TableLook,
    pub(crate) files: PolicyFiles,
    /// The policy to begin with.
    pub(crate) first: Arc<Version>,
    /// Where that was read from.
    pub(crate) policy: Option<PathBuf>,
    /// Why the policy that was named is not used.
    pub(crate) refused: Option<Error>,
}

/// What is to be opened.
pub(crate) struct TableOpening {
    pub(crate) number: u64,
    pub(crate) origin: Origin,
    /// A policy that was named at the start.
    pub(crate) policy: Option<PathBuf>,
    pub(crate) resources: Resources,
}

impl TableOpening {
    pub(crate) fn open(self, folders: &Folders, progress: &Arc<dyn Progress>) -> Result<DeskTable> {
        let Self { number, origin, policy, resources } = self;
        let private = folders.private().join(format!("policy-{number}"));
        fs::create_dir_all(&private).map_err(|error| Error::disk(&error))?;
        let (path, told, given) = match &origin {
            Origin::Path(path) => (path.clone(), path.clone(), policy),
            // Nobody shall name a file that is gone when the studio ends.
            Origin::Upload(path) => (path.clone(), path.file_name().map(PathBuf::from).unwrap_or_default(), None),
            Origin::Hospital => {
                let path = hospital(&private)?;
                let told = beside(folders, &path);
                (path, told, None)
            }
        };
        let live = Live::new(&folders.absolute(&path), resources)?;
        let folder =
            given.as_deref().and_then(Path::parent).map_or(folders.start().to_owned(), |it| folders.absolute(it));
        let mut files = PolicyFiles::new(folders, folder, private);
        if origin == Origin::Hospital {
            files.table = Some((told.to_string_lossy().into_owned(), path));
        }
        let mut refused = None;
        let read = given.as_ref().and_then(|path| match load(&mut files, &folders.absolute(path)) {
            Ok(version) => Some(version),
            Err(error) => {
                refused = Some(error);
                None
            }
        });
        let reading = read.as_ref().map(|version| version.policy.data.clone()).unwrap_or_default();
        let look = live.look(&reading, &files.folder, progress)?;
        let names: Vec<String> = look.columns.iter().map(|column| column.name.clone()).collect();
        let read = read.filter(|version| match version.policy.check_columns(&names) {
            Ok(()) => true,
            Err(error) => {
                refused = Some(error);
                false
            }
        });
        let policy = given.filter(|_| read.is_some());
        let first = match (read, &origin) {
            (Some(version), _) => version,
            (None, Origin::Hospital) => files.first(demo::POLICY.to_owned())?,
            (None, _) => files.first(look.draft.policy.clone())?,
        };
        Ok(DeskTable { number, origin, told, live, look, files, first: Arc::new(first), policy, refused })
    }
}

fn load(files: &mut PolicyFiles, path: &Path) -> Result<Version> {
    let text = equanym_engine::read::text_file::read_by_hand(path)?;
    files.first(text)
}

/// Writes the made-up hospital down, with the ladders that its policy names.
fn hospital(private: &Path) -> Result<PathBuf> {
    let disk = |error: std::io::Error| Error::disk(&error);
    let path = private.join("hospital.csv");
    fs::write(&path, demo::write_csv(demo::RECORDS, demo::SEED)).map_err(disk)?;
    for (name, text) in demo::HIERARCHIES {
        let file = private.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(disk)?;
        }
        fs::write(file, text).map_err(disk)?;
    }
    Ok(path)
}

/// A name for a table in the folder of the start: nothing lies there by it, or the same.
fn beside(folders: &Folders, path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names = std::iter::once(format!("{stem}.csv")).chain((2..1000).map(|number| format!("{stem}-{number}.csv")));
    let is_free = |name: &String| {
        let there = folders.start().join(name);
        there.symlink_metadata().is_err() || fs::read(there).ok() == fs::read(path).ok()
    };
    let mut free = names.into_iter().filter(is_free);
    free.next().map(PathBuf::from).unwrap_or_default()
}

impl DeskTable {
    /// What to know about the table of the command: one that was handed over is gone when the studio ends.
    pub(crate) fn caution(&self) -> Option<String> {
        let is_handed_over = matches!(self.origin, Origin::Upload(_));
        let name = self.told.to_string_lossy();
        is_handed_over.then(|| {
            format!("`{name}` was handed over, and the studio's copy of it is gone when the studio ends: write the path of your own file in its place.")
        })
    }

    /// The name by which people know it.
    pub(crate) fn name(&self) -> String {
        match &self.origin {
            Origin::Hospital => "The made-up hospital".to_owned(),
            Origin::Path(path) | Origin::Upload(path) => {
                // An address may hold a password.
                let text = path.to_string_lossy();
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                if text.contains("://") {
                    "a table elsewhere".to_owned()
                } else {
                    name.unwrap_or_else(|| text.into_owned())
                }
            }
        }
    }

    /// The name of a column by its place.
    pub(crate) fn column(&self, place: usize) -> Result<&str> {
        let column = self.look.columns.get(place);
        column.map(|column| column.name.as_str()).ok_or_else(|| Error::input("the table has no such column"))
    }
}
