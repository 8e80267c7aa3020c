//! A release that is ended at any step is not there, or complete.
//!
//! `kill -9` gives the program no chance to tidy up; a terminal that closes (SIGHUP) and SIGTERM twice at once do. A library
//! that is loaded first counts the calls by which a run touches files, and ends the run before one of them: no clock says
//! when, so a busy machine changes nothing. The calls are spread over the whole run: before it writes, while it writes, and
//! about its end. Afterwards the output is absent, or complete and passing its audit; where the program could tidy up
//! nothing else is there, elsewhere each run cleans up after the one before; and the next run that is left alone succeeds.
//!
//! `EQUANYM_KILLS` says how many runs are ended in all, [`KILLS`] unless it does.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

use crate::hospital;
use equanym_engine::run::demo::write_csv;
use tempfile::{TempDir, tempdir};

const KILLS: u64 = 51;
/// Every so many kills a run is left alone.
const LEFT_ALONE: u64 = 10;
const PARTIAL: &str = ".out.equanym-partial";
const LOCK: &str = ".out.equanym-lock";

/// Counts calls that touch files, and sends signals to its own process before one of them.
const ENDING: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static void *next(const char *name) {
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (number == atol(getenv("END_AT"))) {
        for (int times = atoi(getenv("END_TIMES")); times > 0; times--) {
            kill(getpid(), atoi(getenv("END_BY")));
        }
    }
    return dlsym(RTLD_NEXT, name);
}

__attribute__((destructor)) static void tell(void) {
    FILE *file = getenv("END_AT") ? fopen(getenv("CALLS"), "w") : NULL;
    if (file) {
        fprintf(file, "%ld", (long)calls);
        fclose(file);
    }
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return ((int (*)(const char *, int, ...))next("open64"))(path, flags, mode);
}
ssize_t write(int file, const void *bytes, size_t count) {
    return ((ssize_t (*)(int, const void *, size_t))next("write"))(file, bytes, count);
}
int mkdir(const char *path, mode_t mode) { return ((int (*)(const char *, mode_t))next("mkdir"))(path, mode); }
int chmod(const char *path, mode_t mode) { return ((int (*)(const char *, mode_t))next("chmod"))(path, mode); }
int rename(const char *from, const char *to) { return ((int (*)(const char *, const char *))next("rename"))(from, to); }
int unlink(const char *path) { return ((int (*)(const char *))next("unlink"))(path); }
int unlinkat(int folder, const char *path, int flags) {
    return ((int (*)(int, const char *, int))next("unlinkat"))(folder, path, flags);
}
int fsync(int file) { return ((int (*)(int))next("fsync"))(file); }
"#;

/// A hospital in a folder, and the library beside it.
struct Stage {
    folder: TempDir,
    library: TempDir,
    before: BTreeSet<OsString>,
}

impl Stage {
    fn set() -> Option<Self> {
        let (folder, library) = (tempdir().unwrap(), tempdir().unwrap());
        fs::write(library.path().join("ending.c"), ENDING).unwrap();
        let command = "cc -shared -fPIC -o ending.so ending.c -ldl";
        let built = Command::new("sh").args(["-c", command]).current_dir(library.path()).output().unwrap();
        if !cfg!(target_os = "linux") || !built.status.success() {
            eprintln!("not checked: releases that are killed; here their calls cannot be counted");
            return None;
        }
        hospital::write_policy(folder.path());
        fs::write(folder.path().join("data.csv"), write_csv(600, 9)).unwrap();
        let before = entries(folder.path());
        Some(Self { folder, library, before })
    }

    fn here(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a release that gets a signal, once or more often, before a call; none where it makes fewer.
    fn end(&self, call: u64, (signal, times): (i32, u32)) -> ExitStatus {
        let mut command = hospital::release(self.here(), "policy.toml", "data.csv", "out");
        command.args(["--threads", "2"]).env("LD_PRELOAD", self.library.path().join("ending.so"));
        command.env("END_AT", call.to_string()).env("CALLS", self.library.path().join("calls"));
        command.env("END_BY", signal.to_string()).env("END_TIMES", times.to_string()).status().unwrap()
    }

    /// How many calls a run makes that is left alone.
    fn calls(&self) -> u64 {
        assert!(self.end(u64::MAX >> 1, (0, 0)).success());
        self.take_away();
        assert_eq!(entries(self.here()), self.before, "leftovers of a killed run remain");
        fs::read_to_string(self.library.path().join("calls")).unwrap().parse().unwrap()
    }

    /// How far an ended run had come.
    fn state(&self) -> &'static str {
        let partial = self.here().join(PARTIAL);
        match () {
            () if self.here().join("out").exists() => "complete",
            () if partial.join("public/manifest.json").exists() => "being audited",
            () if partial.join("public/data.csv").exists() => "being written",
            () if partial.exists() => "being counted",
            () => "not begun",
        }
    }

    /// Asserts that the output is complete, and removes it.
    fn take_away(&self) {
        let mut audit = Command::new(env!("CARGO_BIN_EXE_equanym"));
        let audit = audit.current_dir(self.here()).args(["audit", "out/public"]).output().unwrap();
        assert!(audit.status.success(), "{audit:?}");
        let out = self.here().join("out");
        let files = ["data.csv", "manifest.json", "report.html", "report.json"].map(OsString::from);
        assert_eq!(entries(&out.join("public")), BTreeSet::from(files));
        let files = ["mask.json", "report.html", "report.json"].map(OsString::from);
        assert_eq!(entries(&out.join("private")), BTreeSet::from(files));
        fs::remove_dir_all(out).unwrap();
    }
}

fn entries(folder: &Path) -> BTreeSet<OsString> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

/// Ends a third of the runs by a signal; the states in which they were left.
fn ended_by(signal: i32, times: u32) -> BTreeSet<&'static str> {
    let Some(stage) = Stage::set() else { return BTreeSet::new() };
    let calls = stage.calls();
    let kills = std::env::var("EQUANYM_KILLS").map_or(KILLS, |kills| kills.parse().unwrap()) / 3;
    let mut met = BTreeSet::new();
    for number in 0..kills {
        let was_clean = entries(stage.here()) == stage.before;
        let status = stage.end(1 + calls * number / kills, (signal, times));
        let outcome = stage.state();
        met.insert(outcome);
        assert!(status.signal() == Some(signal) || signal != 9, "the kill misses the run: {status:?}");
        let known = [PARTIAL, LOCK, "out"].map(OsString::from);
        assert!(entries(stage.here()).iter().all(|name| stage.before.contains(name) || known.contains(name)));
        if outcome == "complete" {
            stage.take_away();
        }
        if was_clean && signal != 9 {
            assert_eq!(entries(stage.here()), stage.before, "signal {signal} leaves something behind, {outcome}");
        }
        if (number + 1) % LEFT_ALONE == 0 {
            stage.calls();
        }
    }
    stage.calls();
    eprintln!("{kills} of {calls} calls end by signal {signal}: {met:?}");
    met
}

#[test]
fn a_killed_release_is_absent_or_complete() {
    let met = ended_by(9, 1);
    assert!(met.is_empty() || met.is_superset(&["not begun", "being written", "being audited"].into()), "{met:?}");
}

#[test]
fn a_release_whose_terminal_closes_leaves_nothing_behind() {
    ended_by(1, 1);
}

#[test]
fn a_release_that_is_told_twice_to_end_leaves_nothing_behind() {
    ended_by(15, 2);
}
