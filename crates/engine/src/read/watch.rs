//! Notices a file that changes while it is in use.
//!
//! A table is read twice: a key that is counted in one state and rewritten in another would be released under a guarantee
//! that was proved for neither. So a file must stay what it was when it was first looked at, by two marks:
//!
//! - What the system tells of it: device and inode, size, and the times of the last change of content and of the file
//!   itself, each time the file is opened and once more when all is read. This sees a file that is written to or
//!   replaced, also in places that only one of the readings looks at.
//! - What was read where: a hash of each piece. Who reads the piece again must find the same bytes. This sees what was
//!   written within one tick of the system's clock or with the clock turned back. Parts that are read side by side share
//!   the pieces of their file.
//!
//! The hash is XXH3 of 128 bits with a seed of the run. It takes more than ten gigabytes a second; delimited text is read at
//! a quarter of one.
//!
//! Limits: accidents are noticed, not whoever can write to the file, choose its bytes and set the system's clock. A piece that
//! only one reading looks at has no second hash to differ from. Other permissions or a new hard link count as a change;
//! so does a file system that numbers its files anew. Elsewhere than on Unix the system tells size and time only. What
//! executors of a cluster read is known by the file as this machine sees it. Objects of a store have marks of their own
//! (`remote.rs`); a database gives both readings one snapshot.

use std::fs::Metadata;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use hashbrown::HashMap;
use twox_hash::XxHash3_128;

use crate::error::Error;

/// What is known of a file from its first reading.
#[derive(Debug)]
pub(super) struct Watch {
    /// What the system told of it; nothing of what is no file of this machine.
    state: Option<FileState>,
    /// The hashes of what was read, by its place and length.
    pieces: Mutex<HashMap<(u64, usize), u128>>,
    seed: u64,
    has_changed: AtomicBool,
}

impl Watch {
    /// Watches a file of this machine from now on, or what is none.
    pub(super) fn new(file: Option<&Metadata>) -> Self {
        Self {
            state: file.map(FileState::new),
            pieces: Mutex::default(),
            seed: RandomState::new().hash_one(0),
            has_changed: AtomicBool::new(false),
        }
    }

    /// Whether a file is still what it was, by what the system tells now; what was noticed once stays so.
    pub(super) fn is_same(&self, now: &Metadata) -> bool {
        if self.state.is_some_and(|state| state != FileState::new(now)) {
            self.has_changed.store(true, Ordering::Relaxed);
        }
        !self.has_changed()
    }

    /// Whether a change was noticed so far.
    pub(super) fn has_changed(&self) -> bool {
        self.has_changed.load(Ordering::Relaxed)
    }

    /// Takes note of what was read at a place; an error when it was something else before.
    pub(super) fn note(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let hash = XxHash3_128::oneshot_with_seed(self.seed, bytes);
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        if *pieces.entry((at, bytes.len())).or_insert(hash) == hash {
            return Ok(());
        }
        self.has_changed.store(true, Ordering::Relaxed);
        Err(io::Error::other("changed"))
    }
}

/// What is said of a file that changed.
pub(super) fn changed(name: &str) -> Error {
    Error::environment(format!("{name}: the table changed while it was read"))
        .hint("nothing was released; run again once nobody writes to it")
}

/// What the system tells of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileState {
    size: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    identity: (u64, u64),
    #[cfg(unix)]
    changed: (i64, i64),
}

impl FileState {
    fn new(file: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            size: file.len(),
            modified: file.modified().ok(),
            #[cfg(unix)]
            identity: (file.dev(), file.ino()),
            #[cfg(unix)]
            changed: (file.ctime(), file.ctime_nsec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_is_read_again_must_be_the_same() {
        let watch = Watch::new(None);
        assert!(watch.note(0, b"abc").is_ok() && watch.note(3, b"def").is_ok());
        assert!(watch.note(0, b"abc").is_ok() && watch.note(0, b"ab").is_ok() && !watch.has_changed());
        assert!(watch.note(3, b"dEf").is_err() && watch.has_changed());
    }
}
