//! The folder of a release, which appears in one step or not at all.
//!
//! Everything is written below a hidden folder beside the target, made durable, checked, and then renamed. Whoever looks
//! at the target sees nothing or a complete release, whatever happens to the process. A lock beside it keeps a second run
//! out; what a killed run left behind is removed by the next run to the same target. An existing file or a folder with
//! anything in it is never touched.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

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
        let lock = parent.join(hidden(name, "lock"));
        let locked = take_lock(&lock)?;
        let partial = parent.join(hidden(name, "partial"));
        unfinished().push((partial.clone(), lock.clone()));
        let staging = Self {
            target: target.to_path_buf(),
            partial,
            lock,
            is_release,
            #[cfg(feature = "postgres")]
            temporary: false,
            _locked: locked,
        };
        staging.make_folders().map_err(|error| Error::disk(&error))?;
        Ok(staging)
    }

    /// Where files go that belong to no part of a release.
    #[must_use]
    pub(crate) fn folder(&self) -> &Path {
        &self.partial
    }

    /// Prepares a folder that nobody shall see, for a release that goes elsewhere: it lies among the system's temporary
    /// files, only for its owner, and never gets in place.
    #[cfg(feature = "postgres")]
    pub(crate) fn temporary(name: &str) -> Result<Self> {
        let mut staging = Self::open(&std::env::temp_dir().join(name), Path::new(""))?;
        only_for_owner(&staging.partial).map_err(|error| Error::disk(&error))?;
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
            sync_folder(&self.partial)?;
            fs::rename(&self.partial, &self.target)?;
            sync_folder(self.partial.parent().unwrap_or(Path::new(".")))
        };
        commit().map_err(|error| match error.kind() {
            io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => exists(),
            _ => Error::disk(&error),
        })
    }

    fn make_folders(&self) -> io::Result<()> {
        if self.partial.symlink_metadata().is_ok() {
            fs::remove_dir_all(&self.partial)?;
        }
        fs::create_dir(&self.partial)?;
        if !self.is_release {
            return Ok(());
        }
        fs::create_dir(self.public())?;
        for folder in [self.private(), self.spill()] {
            fs::create_dir(&folder)?;
            only_for_owner(&folder)?;
        }
        Ok(())
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

/// Takes the lock, unless another run holds it. The file may be removed between opening and locking it, by the run that
/// held it: then there is a new one to take.
fn take_lock(path: &Path) -> Result<File> {
    for _ in 0..100 {
        let file = File::options().create(true).append(true).open(path).map_err(|error| Error::disk(&error))?;
        match file.try_lock() {
            Ok(()) if is_still(&file, path) => return Ok(file),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(error)) => return Err(Error::disk(&error)),
        }
    }
    Err(Error::environment("another run is writing to this output").hint("wait for it, or name another folder"))
}

#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(open), Ok(there)) => (open.dev(), open.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_still(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(unix)]
fn only_for_owner(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn only_for_owner(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
