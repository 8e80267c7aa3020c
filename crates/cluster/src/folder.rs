//! The folder of an executor: private, and gone at the end.
//!
//! What executors pass on to each other is written there, and holds values. The folder is its owner's alone, goes when the
//! executor ends, and with the start of the next one in the same place after a kill: a lock tells the living from the dead.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use equanym_engine::error::{Error, Result};

const PREFIX: &str = "equanym-executor-";
const LOCK: &str = "lock";

/// A folder that goes when it is dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Held, not used: the lock lasts as long as the file is open.
    _locked: File,
}

impl Folder {
    /// Makes a folder below `parent`, and removes those of executors that were killed.
    pub(crate) fn make(parent: &Path) -> Result<Self> {
        let failed = |error: io::Error| {
            Error::environment(format!("the folder of the executor cannot be made: {}", error.kind()))
                .hint("name a folder that you may write to with --work-dir")
        };
        sweep(parent).map_err(failed)?;
        let mut number = [0; 8];
        getrandom::fill(&mut number).map_err(|_| Error::environment("the system gives no random numbers"))?;
        let path = parent.join(format!("{PREFIX}{:016x}", u64::from_be_bytes(number)));
        private(&path).map_err(failed)?;
        let locked = || -> io::Result<File> {
            let lock = File::create_new(path.join(LOCK))?;
            lock.lock()?;
            Ok(lock)
        };
        let folder = Self { _locked: locked().map_err(failed)?, path };
        for part in [folder.results(), folder.spill()] {
            private(&part).map_err(failed)?;
        }
        Ok(folder)
    }

    /// Where results of stages go.
    #[must_use]
    pub(crate) fn results(&self) -> PathBuf {
        self.path.join("results")
    }

    /// Where operators may spill.
    #[must_use]
    pub(crate) fn spill(&self) -> PathBuf {
        self.path.join("spill")
    }

    /// Where it is.
    #[must_use]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed now goes with the next start.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders whose executor is dead.
fn sweep(parent: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && entry.file_name().to_string_lossy().starts_with(PREFIX) && is_dead(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

/// Whether nobody holds the lock; a folder without a lock is on its way to one.
fn is_dead(folder: &Path) -> bool {
    File::open(folder.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok())
}

#[cfg(unix)]
fn private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dead_are_removed_and_the_living_stay() {
        let parent = tempfile::tempdir().unwrap();
        let living = Folder::make(parent.path()).unwrap();
        let dead = parent.path().join(format!("{PREFIX}0"));
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(LOCK), "").unwrap();
        fs::create_dir(parent.path().join("other")).unwrap();
        let next = Folder::make(parent.path()).unwrap();
        assert!(living.path().exists() && next.path().exists() && !dead.exists());
        let path = next.path().to_owned();
        drop(next);
        assert!(!path.exists() && living.path().exists() && parent.path().join("other").exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(living.path()).unwrap().permissions().mode() & 0o777, 0o700);
        }
    }
}
