//! A lock that keeps a second run away from an output.
//!
//! It is a file beside the output, held as long as it is open: a run that dies lets go of it. Others may be able to
//! write where it lies, so a link in its place is not followed, and a pipe or a device there is refused without waiting
//! for whoever is at its other end.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::error::{Error, Result};

/// Takes the lock, unless another run holds it. The file may be removed between opening and locking it, by the run that
/// held it: then there is a new one to take.
pub(super) fn take(path: &Path) -> Result<File> {
    for _ in 0..100 {
        let file = open(path)?;
        match file.try_lock() {
            Ok(()) if is_still(&file, path) => return Ok(file),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(error)) => return Err(Error::disk(&error)),
        }
    }
    Err(Error::environment("another run is writing to this output").hint("wait for it, or name another folder"))
}

/// The lock of a run that is gone: `None` while it is held, or when there is none.
pub(super) fn left(path: &Path) -> Option<File> {
    let file = options().open(path).ok()?;
    (file.metadata().is_ok_and(|found| found.is_file()) && file.try_lock().is_ok() && is_still(&file, path))
        .then_some(file)
}

fn open(path: &Path) -> Result<File> {
    let in_the_way = || {
        Error::environment("what lies in the place of the output's lock is no file")
            .hint("look who put it there; remove it, or name another folder")
    };
    let file = options().create(true).truncate(false).open(path).map_err(|error| match error.kind() {
        _ if path.symlink_metadata().is_ok_and(|found| !found.is_file()) => in_the_way(),
        _ => Error::disk(&error),
    })?;
    let found = file.metadata().map_err(|error| Error::disk(&error))?;
    if found.is_file() { Ok(file) } else { Err(in_the_way()) }
}

#[cfg(unix)]
fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    options
}

#[cfg(not(unix))]
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    options
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
