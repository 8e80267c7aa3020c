//! A folder with a small table, and the program run in it.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A word that is in the table and must be in no message: the name of everybody's aunt.
pub const SECRET: &str = "Aunt Augusta";

/// A policy for the table.
pub const POLICY: &str = r#"
[variables.name]
role = "identifying"

[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20] }
points = { user = 60, intruder = 40 }

[variables.zip]
role = "quasi-identifying"
hierarchy = { prefix = [3, 2] }
points = { user = 40, intruder = 60 }

[variables.illness]
role = "sensitive"

[variables.ward]
role = "insensitive"

[[privacy]]
model = "k-anonymity"
k = 3

[[privacy]]
model = "l-diversity"
variable = "illness"
l = 2

[method]
suppression_limit = 0.1
"#;

/// A folder to work in.
pub struct Stage {
    folder: TempDir,
}

/// What a run of the program left.
#[derive(Debug)]
pub struct RunResult {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Stage {
    /// An empty folder.
    pub fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with `people.csv` and `policy.toml`.
    pub fn set() -> Self {
        let stage = Self::empty();
        stage.write("people.csv", &people(120));
        stage.write("policy.toml", POLICY);
        stage
    }

    /// A folder with a release in `out`, too.
    pub fn released() -> Self {
        let stage = Self::set();
        stage.run(["release", "people.csv", "--policy", "policy.toml", "--out", "out"]).done();
        stage
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: impl AsRef<Path>, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: impl AsRef<Path>) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program with these arguments, ready to start.
    pub fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_equanym"));
        command.current_dir(self.folder.path()).args(arguments);
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs the program to its end.
    pub fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> RunResult {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        RunResult { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Everything in the folder, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl RunResult {
    /// The run, if it ended well.
    #[track_caller]
    pub fn done(self) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    /// The run, if it ended with this exit code.
    #[track_caller]
    pub fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// Standard output as the one JSON document that it is.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The error document.
    #[track_caller]
    pub fn error(&self) -> Value {
        let error = self.json()["error"].clone();
        let keys: Vec<&String> = error.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["exit", "hint", "kind", "message"]);
        assert_eq!(error["exit"], self.code);
        error
    }
}

/// The keys of an object must be among these at least.
#[track_caller]
pub fn assert_keys(object: &Value, keys: &[&str]) {
    for key in keys {
        assert!(object.get(key).is_some(), "no `{key}` in {object}");
    }
}

/// So many people of different ages, places and illnesses.
pub fn people(count: usize) -> String {
    let mut text = "name,age,zip,illness,ward\n".to_owned();
    for person in 0..count {
        let age = 20 + (person * 7) % 40;
        let zip = 1000 + (person * 13) % 50;
        let illness = ["flu", "gout", "mumps", "ulcer"][person % 4];
        let ward = ["east", "west"][person % 2];
        writeln!(text, "{SECRET} {person},{age},{zip},{illness},{ward}").unwrap();
    }
    text
}
