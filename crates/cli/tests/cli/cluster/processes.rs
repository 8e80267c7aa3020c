//! A scheduler and its executors, which end with the test.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::callers::{Guard, certificates};

pub struct Cluster {
    scheduler: Child,
    pub url: String,
    pub executors: Vec<Executor>,
    guard: Guard,
    pub keys: tempfile::TempDir,
    /// Below which executors make their folders.
    scratch: tempfile::TempDir,
}

pub struct Executor {
    child: Child,
    pub url: String,
    pub folder: PathBuf,
}

pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_equanym"));
    command.args(arguments);
    command
}

/// Starts a process that says in one line where it is.
fn start(command: &mut Command) -> (Child, String) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("://"), "the process did not start: {line:?}");
    (child, line.trim_end().to_owned())
}

impl Cluster {
    /// A scheduler and so many executors that may read this folder.
    pub fn start(guard: Guard, executors: usize, data: &Path) -> Self {
        let keys = match guard {
            Guard::Secret => tempfile::tempdir().unwrap(),
            Guard::Certificates => certificates(),
        };
        let mut command = program(&["cluster", "scheduler", "--port", "0", "--silence", "8"]);
        let (scheduler, line) = start(command.args(guard.flags(keys.path(), "scheduler")));
        let url = line.strip_prefix("scheduler at ").unwrap().to_owned();
        let scratch = tempfile::tempdir().unwrap();
        let mut cluster = Self { scheduler, url, executors: Vec::new(), guard, keys, scratch };
        (0..executors).for_each(|_| cluster.add(data));
        cluster
    }

    pub fn add(&mut self, data: &Path) {
        let mut command =
            program(&["cluster", "executor", "--threads", "1", "--memory", "256M", "--scheduler", &self.url]);
        command.arg("--data").arg(data).arg("--work-dir").arg(self.scratch.path());
        let (child, line) = start(command.args(self.guard.flags(self.keys.path(), "executor")));
        let (url, folder) = line.strip_prefix("executor at ").unwrap().split_once(", its folder is ").unwrap();
        self.executors.push(Executor { child, url: url.to_owned(), folder: folder.into() });
    }

    /// The flags with which a release asks for its work.
    pub fn flags(&self) -> Vec<String> {
        let flags = self.guard.flags(self.keys.path(), "client");
        ["--cluster".to_owned(), self.url.clone()].into_iter().chain(flags).collect()
    }

    /// What the scheduler tells.
    pub fn ask(&self, path: &str) -> Value {
        let answer = self.guard.friend(self.keys.path()).ask(place(&self.url), &format!("GET {path}"));
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap_or(Value::Null)
    }

    /// The name of the job of this number, counted from 0 in the order in which they began.
    pub fn job(&self, number: usize) -> Option<String> {
        let mut jobs: Vec<Value> = self.ask("/api/jobs").as_array().cloned().unwrap_or_default();
        jobs.sort_by_key(|job| job["start_time"].as_u64());
        jobs.get(number).and_then(|job| job["job_id"].as_str()).map(str::to_owned)
    }

    /// The stages of a job: their status, and how many tasks are done.
    pub fn stages(&self, job: usize) -> Vec<(String, usize)> {
        let Some(id) = self.job(job) else { return Vec::new() };
        let answer = self.ask(&format!("/api/job/{id}/stages"));
        let mut stages: Vec<&Value> = answer["stages"].as_array().into_iter().flatten().collect();
        stages.sort_by_key(|stage| stage["stage_id"].as_str().and_then(|id| id.parse::<u32>().ok()));
        let done = |stage: &Value| {
            let tasks = stage["tasks"].as_array().into_iter().flatten();
            tasks.filter(|task| task["status"].as_str() == Some("Successful")).count()
        };
        stages.iter().map(|stage| (stage["stage_status"].as_str().unwrap_or("").to_owned(), done(stage))).collect()
    }

    /// Kills an executor and removes what it wrote.
    pub fn lose(&mut self, executor: usize) {
        let mut executor = self.executors.remove(executor);
        executor.child.kill().unwrap();
        executor.child.wait().unwrap();
        fs::remove_dir_all(&executor.folder).unwrap();
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let executors = self.executors.iter_mut().map(|executor| &mut executor.child);
        for child in executors.chain([&mut self.scheduler]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Executor {
    /// Holds it: it does nothing more, and nobody knows yet.
    pub fn hold(&self) {
        signal(&self.child, "-STOP");
    }

    /// Whether it wrote results of a job to their end.
    pub fn has_results(&self, job: &str) -> bool {
        files(&self.folder.join("results").join(job))
            .iter()
            .any(|path| path.extension().is_some_and(|end| end == "index"))
    }

    /// Tells it to end, and waits for that; its exit code.
    pub fn end(mut self, how: &str) -> Option<i32> {
        signal(&self.child, how);
        self.child.wait().unwrap().code()
    }
}

fn signal(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Where an address leads.
pub fn place(url: &str) -> &str {
    url.split_once("://").unwrap().1
}

/// All files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// Every file of a release with its bytes.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files(folder)
        .into_iter()
        .map(|path| (path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect()
}

/// Waits until something is so; what it was waited for is told when it does not come.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_mins(1), "waited for {what} in vain");
        sleep(Duration::from_millis(10));
    }
}

/// Asserts that two releases have the same files and bytes. A cluster looks at no cells but those that it counts, so the
/// owner's checklist may say less; the rest of the owner's report is the same.
pub fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (contents(one), contents(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    let is_same = |path: &Path, one: &[u8], other: &[u8]| match path.to_str() {
        Some("private/report.html") => true,
        Some("private/report.json") => without_looking(one) == without_looking(other),
        _ => one == other,
    };
    let differing = one.iter().filter(|(path, bytes)| !is_same(path, bytes, &other[*path])).map(|(path, _)| path);
    let differing: Vec<_> = differing.collect();
    assert!(differing.is_empty() && !one.is_empty(), "{differing:?} differ");
}

/// A report without its checklist, and without what is told of it among the warnings.
fn without_looking(report: &[u8]) -> serde_json::Value {
    let mut report: serde_json::Value = serde_json::from_slice(report).unwrap();
    for key in ["checklist", "warnings"] {
        assert!(report.as_object_mut().unwrap().remove(key).is_some(), "{key}");
    }
    report
}
