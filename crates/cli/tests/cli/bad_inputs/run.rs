//! A folder to work in, the program run in it, and what must hold however it ends.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;

use serde_json::Value;
use tempfile::TempDir;

use crate::messages;

/// A part of cells that no message and no public file may show.
pub const CANARY: &str = "Zq7Canary";

/// The role of a quasi-identifier, as a line of a policy.
pub const QUASI: &str = "role = \"quasi-identifying\"";
/// The role of what names a person.
pub const IDENTIFYING: &str = "role = \"identifying\"";
/// The role of what is released as it is.
pub const INSENSITIVE: &str = "role = \"insensitive\"";
/// The role of what must not be learnt.
pub const SENSITIVE: &str = "role = \"sensitive\"";

/// The weakest privacy that there is.
pub const PAIRS: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";

/// Words that only a fault of the program itself prints.
const FAULTS: [&str; 5] = ["panicked", "RUST_BACKTRACE", "internal error", "internal step", "overflow"];

/// A policy: each variable with its lines, then the rest.
pub fn policy(variables: &[(&str, &str)], rest: &str) -> String {
    let mut text = String::new();
    for (name, lines) in variables {
        // What JSON quotes, TOML reads.
        writeln!(text, "[variables.{}]\n{lines}", Value::from(*name)).unwrap();
    }
    text + rest
}

/// People of different ages and places; everybody's name is a canary.
pub fn people(count: usize) -> String {
    let mut text = "name,age,zip,illness,ward\n".to_owned();
    for person in 0..count {
        let (age, zip) = (20 + person * 7 % 40, 1000 + person * 13 % 50);
        let (illness, ward) = (["flu", "gout", "mumps"][person % 3], ["east", "west"][person % 2]);
        writeln!(text, "{CANARY}{person},{age},{zip},{illness},{ward}").unwrap();
    }
    text
}

/// A policy for [`people`].
pub fn people_policy() -> String {
    let age = format!("{QUASI}\nhierarchy = {{ intervals = [5, 10, 20] }}");
    let zip = format!("{QUASI}\nhierarchy = {{ prefix = [3, 2] }}");
    let variables =
        [("name", IDENTIFYING), ("age", &age), ("zip", &zip), ("illness", SENSITIVE), ("ward", INSENSITIVE)];
    policy(
        &variables,
        "[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n\
         [[privacy]]\nmodel = \"l-diversity\"\nvariable = \"illness\"\nl = 2\n\
         [method]\nsuppression_limit = 0.1\n",
    )
}

/// A folder to work in.
pub struct Stage {
    /// Shared with what was run in it, which may outlive the stage.
    folder: Rc<TempDir>,
}

impl Stage {
    /// An empty folder.
    pub fn empty() -> Self {
        Self { folder: Rc::new(tempfile::tempdir().unwrap()) }
    }

    /// A folder with a table and its policy.
    pub fn with(table: impl AsRef<[u8]>, policy: &str) -> Self {
        let stage = Self::empty();
        stage.write("data.csv", table);
        stage.write("policy.toml", policy);
        stage
    }

    /// A folder with people and their policy.
    pub fn of_people() -> Self {
        Self::with(people(120), &people_policy())
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// The program with these arguments, ready to start.
    pub fn command(&self, arguments: &[&OsStr]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_equanym"));
        command.args(arguments);
        self.here(command)
    }

    /// The program with these arguments, started by a line of shell that ends in `"$@"`.
    pub fn shell(&self, line: &str, arguments: &[&OsStr]) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", line, "sh", env!("CARGO_BIN_EXE_equanym")]).args(arguments);
        self.here(command)
    }

    fn here(&self, mut command: Command) -> Command {
        command.current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Releases a file of the folder, or what else the name stands for.
    pub fn release(&self, data: impl AsRef<OsStr>, flags: &[&str]) -> RunResult {
        self.finish(&mut self.command(&release(data.as_ref(), flags)))
    }

    /// The same to another folder than `out`.
    pub fn release_to(&self, out: impl AsRef<OsStr>, data: impl AsRef<OsStr>) -> RunResult {
        self.finish(&mut self.command(&release_to(out.as_ref(), data.as_ref(), &[])))
    }

    /// The same to another folder and under a line of shell.
    pub fn release_to_under(&self, line: &str, out: &str, data: &str) -> RunResult {
        self.finish(&mut self.shell(line, &release_to(OsStr::new(out), OsStr::new(data), &[])))
    }

    /// The same under a line of shell, such as a limit.
    pub fn release_under(&self, line: &str, data: impl AsRef<OsStr>, flags: &[&str]) -> RunResult {
        self.finish(&mut self.shell(line, &release(data.as_ref(), flags)))
    }

    /// The same in so many mebibytes: the system gives it no more, and who asks for more is ended.
    pub fn release_within(&self, mebibytes: u32, data: impl AsRef<OsStr>, flags: &[&str]) -> RunResult {
        let line = format!("ulimit -d {}; exec \"$@\"", mebibytes << 10);
        self.release_under(&line, data, &[flags, &["--threads", "2"]].concat())
    }

    /// Runs a command to its end.
    pub fn finish(&self, command: &mut Command) -> RunResult {
        let before = self.entries();
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        RunResult {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
            folder: Rc::clone(&self.folder),
            before,
        }
    }

    /// The names in the folder, hidden ones too.
    pub fn entries(&self) -> BTreeSet<OsString> {
        entries(self.folder.path())
    }
}

/// The arguments of a release to `out` that speaks JSON.
pub fn release<'a>(data: &'a OsStr, flags: &[&'a str]) -> Vec<&'a OsStr> {
    release_to(OsStr::new("out"), data, flags)
}

/// The same to another folder.
fn release_to<'a>(out: &'a OsStr, data: &'a OsStr, flags: &[&'a str]) -> Vec<&'a OsStr> {
    let call = ["release", "--policy", "policy.toml", "--json", "--out"].map(OsStr::new);
    call.into_iter().chain([out, data]).chain(flags.iter().map(|flag| OsStr::new(*flag))).collect()
}

/// The names in a folder, hidden ones too.
pub fn entries(folder: &Path) -> BTreeSet<OsString> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

/// What a run left.
#[derive(Debug)]
pub struct RunResult {
    /// The exit code; none when a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    folder: Rc<TempDir>,
    before: BTreeSet<OsString>,
}

impl RunResult {
    /// Asserts that it ended with this code and the message that `messages.txt` has, and as if it had never run.
    #[track_caller]
    pub fn refused(self, code: i32) -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/messages.txt");
        messages::compare(&file, code, &self.stderr, self.folder.path());
        self.refused_for(code, &[])
    }

    /// The same where the machine has a say in the message: it has all these words.
    #[track_caller]
    pub fn refused_for(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.stderr.starts_with("error: "), "{self:?}");
        for word in words {
            assert!(self.stderr.contains(word), "no {word:?} in {self:?}");
        }
        self.assert_modest();
        self.left_nothing();
        self
    }

    /// Asserts that the folder is as if it had never run.
    #[track_caller]
    pub fn left_nothing(&self) {
        assert_eq!(entries(self.folder.path()), self.before, "something is left behind: {self:?}");
    }

    /// Asserts that it ended well with a release that passes its audit, and nothing else.
    #[track_caller]
    pub fn released(self) -> Release {
        let release = self.placed();
        release.assert_sound();
        release
    }

    /// Asserts that it ended well and that the release is in its place.
    #[track_caller]
    pub fn placed(self) -> Release {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{self:?}");
        self.assert_modest();
        let mut wanted = self.before.clone();
        wanted.insert("out".into());
        assert_eq!(entries(self.folder.path()), wanted, "{self:?}");
        let document = serde_json::from_str(&self.stdout).unwrap();
        Release { folder: self.folder.path().join("out"), document, _stage: self.folder }
    }

    /// Asserts that it is either released or refused with this code.
    #[track_caller]
    pub fn released_or_refused_for(self, code: i32, words: &[&str]) {
        if self.code == Some(0) {
            self.released();
        } else {
            self.refused_for(code, words);
        }
    }

    /// Asserts that no word is one of a fault or of the data.
    #[track_caller]
    pub fn assert_modest(&self) {
        for text in [&self.stdout, &self.stderr] {
            assert!(!text.contains(CANARY), "a cell is shown: {self:?}");
            assert!(!FAULTS.iter().any(|fault| text.contains(fault)), "{self:?}");
        }
    }
}

/// A release that is in place.
#[derive(Debug)]
pub struct Release {
    /// Its folder.
    pub folder: PathBuf,
    /// What the program said of it.
    pub document: Value,
    /// Held, not used: the files last as long as it does.
    _stage: Rc<TempDir>,
}

impl Release {
    /// The released table.
    pub fn data(&self) -> String {
        fs::read_to_string(self.folder.join("public/data.csv")).unwrap()
    }

    /// How many classes there are.
    pub fn classes(&self) -> u64 {
        self.document["classes"]["count"].as_u64().unwrap()
    }

    /// The warnings, one after the other.
    pub fn warnings(&self) -> Vec<&str> {
        self.document["warnings"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
    }

    /// Asserts that one warning has all these words, and that the owner's report has it too.
    #[track_caller]
    pub fn warned(&self, words: &[&str]) {
        let holds_all = |warning: &&&str| words.iter().all(|word| warning.contains(word));
        let warning = *self.warnings().iter().find(holds_all).unwrap_or_else(|| panic!("no {words:?} in {self:?}"));
        let report = fs::read_to_string(self.folder.join("private/report.json")).unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        assert!(report["warnings"].as_array().unwrap().iter().any(|told| told == warning), "{report}");
    }

    #[track_caller]
    fn assert_sound(&self) {
        let public = self.folder.join("public");
        for name in entries(&public) {
            let bytes = fs::read(public.join(&name)).unwrap();
            assert!(
                !bytes.windows(CANARY.len()).any(|part| part == CANARY.as_bytes()),
                "a canary in {}",
                name.display()
            );
        }
        let audit = Command::new(env!("CARGO_BIN_EXE_equanym")).arg("audit").arg(&public).output().unwrap();
        assert_eq!(audit.status.code(), Some(0), "{audit:?}");
    }
}
