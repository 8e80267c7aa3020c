//! A folder of a test's own: a table on disk, what is released of it, and what else lies beside.

use std::fs;
use std::path::{Path, PathBuf};

use equanym_engine::error::{Error, Result};
use equanym_engine::policy::Policy;
use equanym_engine::read::Reading;
use equanym_engine::run::FinishedRelease;
use tempfile::{TempDir, tempdir};

use crate::messages;
use crate::releasing::{apply_again, faults, run};

/// The refusal of what was asked for, whose message is that of `messages.txt`; the folder may change.
#[track_caller]
pub fn refused<T>(ended: Result<T>, folder: &Path) -> Error {
    let error = ended.map(|_| ()).unwrap_err();
    told(i32::from(error.exit_code()), &error.to_string(), folder);
    error
}

/// Compares what was told with `messages.txt`.
#[track_caller]
pub fn told(code: i32, message: &str, folder: &Path) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/messages.txt");
    messages::compare(&file, code, message, folder);
}

/// A folder with the table `data.csv`; it goes with the test.
pub struct Stage(TempDir);

impl Stage {
    pub fn with(table: impl AsRef<[u8]>) -> Self {
        let stage = Self(tempdir().unwrap());
        stage.write("data.csv", table);
        stage
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder().join(name)
    }

    /// The table.
    pub fn data(&self) -> PathBuf {
        self.path("data.csv")
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn json(&self, name: impl AsRef<Path>) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The records that were released, as text.
    pub fn released(&self, out: &str) -> String {
        self.read(Path::new(out).join("public/data.csv"))
    }

    pub fn release(&self, policy: &Policy, out: &str) -> Result<FinishedRelease> {
        self.release_on(2, policy, out)
    }

    /// Releases with so many threads.
    pub fn release_on(&self, threads: usize, policy: &Policy, out: &str) -> Result<FinishedRelease> {
        run(&self.data(), policy, &self.path(out), threads)
    }

    /// The [refusal](refused) of a release, after which nothing is there.
    #[track_caller]
    pub fn refusal(&self, policy: &Policy) -> Error {
        let error = self.refused(self.release(policy, "refused"));
        assert!(!self.path("refused").exists(), "{error:?}");
        error
    }

    /// The [refusal](refused) of what was asked for in this folder.
    #[track_caller]
    pub fn refused<T>(&self, ended: Result<T>) -> Error {
        refused(ended, self.folder())
    }

    /// Applies the mask of a release to a table of the folder.
    pub fn apply(&self, release: &str, data: &str, out: &str) -> Result<FinishedRelease> {
        apply_again(&self.path(release), &self.path(data), &self.path(out))
    }

    /// Audits a release of the table in every way that there is.
    pub fn audit(&self, out: &str) {
        self.audit_read(&Reading::default(), out);
    }

    /// The same of a table that is read by these settings.
    pub fn audit_read(&self, reading: &Reading, out: &str) {
        assert_eq!(faults(&self.data(), reading, &self.path(out)), [""; 0], "{out}");
    }
}
