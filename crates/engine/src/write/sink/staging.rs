//! The folder of a release, which appears in one step or not at all.
//!
//! Everything is written below a hidden folder beside the target, made durable, checked, and then renamed. Whoever looks
//! at the target sees nothing or a complete release, whatever happens to the process. A lock beside it keeps a second run
//! out; what a killed run left behind is removed by the next run to the same target. An existing file or a folder with
//! anything in it is never touched.
//!
//! The hidden folder is made for its owner alone: before the audit nobody else reads what is in it. It gets the
//! permissions of any other new folder right before it is renamed; `private` stays its owner's.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{leftovers, lock};
use crate::error::{Error, Result};

/// A release folder in the making. Dropping it without [`Staging::commit`] removes every trace.
#[derive(Debug)]
pub(crate) struct Staging {
    target: PathBuf,
    partial: PathBuf,
    lock: PathBuf,
    /// Whether it is a release, with a public and a private part; otherwise it holds files only.
    is_release: bool,
    /// Whether nobody shall see it.
    #[cfg(feature = "postgres")]
    temporary: bool,
    /// Held, not used: the lock lasts as long as the file is open.
    _locked: File,
}

/// The folders and locks of unfinished releases, for whoever has to stop the process.
static UNFINISHED: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());

/// Removes what unfinished releases have written so far; no release is completed afterwards. For signal handlers that end
/// the process next: the guard keeps a commit from slipping through.
#[must_use = "a commit may slip through once the guard is dropped"]
pub fn abandon_unfinished() -> impl Sized {
    let unfinished = unfinished();
    for (partial, lock) in unfinished.iter() {
        // Other threads still write: what they create meanwhile goes in the next round.
        for _ in 0..TRIES {
            remove(partial, lock);
            if partial.symlink_metadata().is_err() {
                break;
            }
        }
    }
    unfinished
}

/// How often a folder is removed that others may still write to.
const TRIES: usize = 100;

impl Staging {
    /// Prepares the folder of a release beside its target, which must not lie in the folder that is read.
    pub(crate) fn open(target: &Path, input: &Path) -> Result<Self> {
        Self::prepare(target, input, true)
    }

    /// Prepares a folder for a few files, under the same conditions.
    pub(crate) fn plain(target: &Path, input: &Path) -> Result<Self> {
        Self::prepare(target, input, false)
    }

    fn prepare(target: &Path, input: &Path, is_release: bool) -> Result<Self> {
        // Without a slash at the end, which would follow a link.
        let target = target.components().as_path();
        refuse_existing(target)?;
        let name = target.file_name().ok_or_else(|| Error::input("the output folder needs a name"))?;
        let parent = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        if !parent.is_dir() {
            return Err(Error::input("the folder that shall hold the output does not exist").hint("create it first"));
        }
        refuse_inside(&parent, input)?;
        let (lock, partial) = (parent.join(hidden(name, "lock")), parent.join(hidden(name, "partial")));
        // Held meanwhile: whoever stops the process now waits until there is something to remove, or keeps it from coming.
        let mut unfinished = unfinished();
        leftovers::list_leftover(&partial, Some(&lock));
        let locked = lock::take(&lock)?;
        unfinished.push((partial.clone(), lock.clone()));
        let staging = Self {
            target: target.to_path_buf(),
            partial,
            lock,
            is_release,
            #[cfg(feature = "postgres")]
            temporary: false,
            _locked: locked,
        };
        let made = staging.make_folders().map_err(|error| Error::disk(&error));
        // Before the folder may go again, which takes it, too.
        drop(unfinished);
        made.map(|()| staging)
    }

    /// Where files go that belong to no part of a release.
    #[must_use]
    pub(crate) fn folder(&self) -> &Path {
        &self.partial
    }

    /// Prepares a folder that nobody shall see, for a release that goes elsewhere: it lies among the system's temporary
    /// files, under a name that cannot be known before, and never gets in place. What killed runs of this label left
    /// there is removed.
    #[cfg(feature = "postgres")]
    pub(crate) fn temporary(label: &str) -> Result<Self> {
        let folder = std::env::temp_dir();
        sweep(&folder, label);
        let chance = getrandom::u64().map_err(|_| Error::environment("the system gives no random numbers"))?;
        let mut staging = Self::open(&folder.join(format!("{label}-{chance:016x}")), Path::new(""))?;
        staging.temporary = true;
        Ok(staging)
    }

    /// Whether nobody shall see it.
    #[cfg(feature = "postgres")]
    #[must_use]
    pub(crate) fn is_temporary(&self) -> bool {
        self.temporary
    }

    /// Where it will be.
    #[cfg(feature = "postgres")]
    #[must_use]
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Where the files that are handed over go.
    #[must_use]
    pub(crate) fn public(&self) -> PathBuf {
        self.partial.join("public")
    }

    /// Where the files for the owner's eyes go.
    #[must_use]
    pub(crate) fn private(&self) -> PathBuf {
        self.partial.join("private")
    }

    /// Where operators may spill while the release is made.
    #[must_use]
    pub(crate) fn spill(&self) -> PathBuf {
        self.partial.join("spill")
    }

    /// Makes everything durable and puts it in place.
    pub(crate) fn commit(self) -> Result<()> {
        let _unfinished = unfinished();
        let commit = || -> io::Result<()> {
            if self.is_release {
                fs::remove_dir_all(self.spill())?;
                sync_folder(&self.public())?;
                sync_folder(&self.private())?;
            }
            let opened = self.usual_permissions()?;
            sync_folder(&self.partial)?;
            fs::set_permissions(&self.partial, opened)?;
            fs::rename(&self.partial, &self.target)?;
            let parent = self.partial.parent().unwrap_or(Path::new("."));
            // What may not stay where it is put is taken back.
            sync_folder(parent).inspect_err(|_| drop(fs::rename(&self.target, &self.partial)))
        };
        commit().map_err(|error| match error.kind() {
            io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => exists(),
            _ => Error::disk(&error),
        })
    }

    fn make_folders(&self) -> io::Result<()> {
        match self.partial.symlink_metadata() {
            Ok(left) if left.is_dir() => fs::remove_dir_all(&self.partial)?,
            Ok(_) => fs::remove_file(&self.partial)?,
            Err(_) => {}
        }
        for_owner().create(&self.partial)?;
        if !self.is_release {
            return Ok(());
        }
        fs::create_dir(self.public())?;
        for_owner().create(self.private())?;
        for_owner().create(self.spill())
    }

    /// What a new folder beside the output may be used for, and by whom: only making one tells.
    fn usual_permissions(&self) -> io::Result<Permissions> {
        let usual = self.partial.join("usual");
        fs::create_dir(&usual)?;
        let permissions = usual.metadata()?.permissions();
        fs::remove_dir(&usual)?;
        Ok(permissions)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        unfinished.retain(|(partial, _)| *partial != self.partial);
        remove(&self.partial, &self.lock);
    }
}

/// Writes a small file and makes it durable.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> io::Result<()> {
        let mut file = File::create_new(path)?;
        io::Write::write_all(&mut file, bytes)?;
        file.sync_all()
    };
    write().map_err(|error| Error::disk(&error))
}

fn unfinished() -> MutexGuard<'static, Vec<(PathBuf, PathBuf)>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove(partial: &Path, lock: &Path) {
    // Nothing can be done about a failure here; the next run to the same target cleans up.
    let _ = fs::remove_dir_all(partial);
    let _ = fs::remove_file(lock);
}

fn refuse_existing(target: &Path) -> Result<()> {
    let metadata = match target.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
            return Err(Error::input("the output cannot have that name: it is too long"));
        }
        Err(_) => return Ok(()),
    };
    let is_empty = || fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
    if metadata.is_dir() && is_empty() { Ok(()) } else { Err(exists()) }
}

/// A release among the files of the input would be read as input next time.
fn refuse_inside(parent: &Path, input: &Path) -> Result<()> {
    let is_inside = || Some(input.is_dir() && parent.canonicalize().ok()?.starts_with(input.canonicalize().ok()?));
    if is_inside() != Some(true) {
        return Ok(());
    }
    Err(Error::input("the output would lie in the folder that is read").hint("name a folder elsewhere"))
}

fn exists() -> Error {
    Error::input("the output exists already and is never overwritten")
        .hint("name a folder that does not exist yet, or remove the old one first")
}

fn hidden(name: &std::ffi::OsStr, what: &str) -> OsString {
    // A name may be 255 bytes long: keep its head when there is no room for the rest.
    let mut hidden = OsString::from(".");
    let short: String = name.to_string_lossy().chars().take(50).collect();
    if name.len() <= 200 {
        hidden.push(name);
    } else {
        hidden.push(short);
    }
    hidden.push(format!(".equanym-{what}"));
    hidden
}

/// Removes what killed runs left of temporary folders with this label.
#[cfg(feature = "postgres")]
fn sweep(folder: &Path, label: &str) {
    let (start, end) = (format!(".{label}-"), ".equanym-lock");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(stem) = name.strip_suffix(end).filter(|stem| stem.starts_with(&start))
            && let Some(_held) = lock::left(&entry.path())
        {
            remove(&folder.join(format!("{stem}.equanym-partial")), &entry.path());
        }
    }
}

/// Makes folders that only their owner may enter.
#[cfg(unix)]
fn for_owner() -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

#[cfg(not(unix))]
fn for_owner() -> DirBuilder {
    DirBuilder::new()
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
