//! Limits of the system: whatever runs out, a run ends by itself, with a reason, and leaves nothing behind.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use super::super::mutated::whole;
use super::super::run::{CANARY, PAIRS, QUASI, RunResult, Stage, entries, people, people_policy, policy, release};
use super::{PARTIAL, shell};

/// Commands that read, count, decide or write, each with a policy, a table or a release that is there.
const CALLS: [&[&str]; 15] = [
    &["release", "data.csv", "--policy", "policy.toml", "--out", "out"],
    &["release", "data.csv", "--policy", "parquet.toml", "--out", "out"],
    &["apply", "data.csv", "--mask", "before/private/mask.json", "--out", "out"],
    &["demo", "--records", "3000", "--out", "out"],
    &["draft", "data.csv", "--out", "out"],
    &["frontier", "data.csv", "--policy", "policy.toml", "--out", "out"],
    &["hierarchy", "build", "data.csv", "--column", "zip", "--out", "out"],
    &["sql", "data.csv", "--policy", "policy.toml", "--dialect", "duckdb", "--out", "out"],
    // From here on nothing is written but words.
    &["risk", "data.csv"],
    &["balance", "data.csv", "--policy", "points.toml"],
    &["alternatives", "data.csv", "--policy", "policy.toml", "--count", "5"],
    &["compare", "data.csv", "before"],
    &["audit", "before/public", "--original", "data.csv", "--mask", "before/private/mask.json"],
    &["attack", "before/public", "--original", "data.csv"],
    &["list"],
];

/// How many of them write something.
const WRITING: usize = 8;

/// A folder in which each of the calls ends well.
fn stage() -> Stage {
    let stage = Stage::of_people();
    stage.write("points.toml", people_policy() + "[variables.age.points]\nuser = 100\nintruder = 100\n");
    stage.write("parquet.toml", people_policy() + "[output]\nformat = \"parquet\"\n");
    assert_eq!(stage.release_to("before", "data.csv").code, Some(0));
    stage
}

/// Runs a call under a line of shell.
fn call(stage: &Stage, line: &str, arguments: &[&str]) -> RunResult {
    let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    stage.finish(&mut stage.shell(&format!("{line}; exec \"$@\""), &arguments))
}

/// What the runtime says of an allocation that fails, before anybody is asked.
const RUNTIME: [&str; 3] = ["memory allocation of ", "note: run with `RUST_BACKTRACE", "skipping backtrace"];

/// Asserts that a run ended well, or for a reason of the machine that it tells, and left nothing; whether it ended well.
#[track_caller]
fn judge(stage: &Stage, mut ran: RunResult, words: &[&str]) -> bool {
    let is_told = |line: &&str| !RUNTIME.iter().any(|words| line.starts_with(words));
    ran.stderr = ran.stderr.lines().filter(is_told).collect::<Vec<_>>().join("\n");
    ran.assert_modest();
    let out = stage.path("out");
    // The demonstration's table and policy are there as soon as they are whole.
    if ran.code == Some(0) || out.join("admissions.csv").exists() {
        assert!(
            !out.is_dir() || entries(&out).iter().all(|name| !name.as_encoded_bytes().starts_with(b".")),
            "{ran:?}"
        );
        let _ = fs::remove_dir_all(&out).or_else(|_| fs::remove_file(&out));
    }
    if ran.code == Some(0) {
        return true;
    }
    assert!(ran.code == Some(3) && ran.stderr.starts_with("error: "), "{ran:?}");
    assert!(words.is_empty() || words.iter().any(|word| ran.stderr.contains(word)), "{ran:?}");
    ran.left_nothing();
    false
}

/// What is said of memory and threads.
const MEMORY: [&str; 4] = ["lack of memory", "refuses to start", "memory limit does not suffice", "distinct values"];

/// The limits of address space that are tried, in MiB, one after the other.
fn spaces() -> impl Iterator<Item = u32> {
    let least = least_space();
    (least..=least + 100).step_by(10).cycle()
}

/// The least address space in which this build of the program starts at all, from 100 MiB up: one for tests may be larger than that.
fn least_space() -> u32 {
    let stage = Stage::with("a\n1\n", "");
    let starts = |space: &u32| call(&stage, &format!("ulimit -v {}", space << 10), &["--version"]).code == Some(0);
    (100..2000).step_by(50).find(starts).unwrap()
}

#[test]
fn address_space_of_every_command() {
    let stage = stage();
    let mut spaces = spaces();
    for arguments in CALLS {
        for threads in ["1", "8"] {
            let line = format!("ulimit -v {}", spaces.next().unwrap() << 10);
            judge(&stage, call(&stage, &line, &[arguments, &["--threads", threads]].concat()), &MEMORY);
        }
    }
}

#[test]
fn address_space_of_every_format() {
    let stage = Stage::with(people(20_000), &people_policy());
    stage.write("few.csv", whole::csv());
    stage.write("data.csv.gz", whole::gzip(people(20_000).as_bytes()));
    stage.write("data.csv.zst", whole::zstd(people(20_000).as_bytes()));
    stage.write("data.ndjson", whole::ndjson());
    stage.write("data.xlsx", whole::zip(&whole::workbook()));
    let mut names =
        ["few.csv", "data.csv", "data.csv.gz", "data.csv.zst", "data.ndjson", "data.xlsx"].map(str::to_owned).to_vec();
    for (number, bytes) in whole::parquet().into_iter().enumerate() {
        names.push(format!("{number}.parquet"));
        stage.write(&names[names.len() - 1], bytes);
    }
    let mut spaces = spaces();
    for name in names {
        for threads in ["1", "8"] {
            let line = format!("ulimit -v {}; exec \"$@\"", spaces.next().unwrap() << 10);
            judge(&stage, stage.release_under(&line, &name, &["--threads", threads]), &MEMORY);
        }
    }
}

/// Whoever says that there is more memory than there is has the run end where it runs out.
#[test]
fn memory_that_is_not_there() {
    let mut table = "v,w\n".to_owned();
    for number in 0..60_000 {
        writeln!(table, "{CANARY}{number:0300},{}", number % 7).unwrap();
    }
    let ladder = format!("{QUASI}\nhierarchy = {{ prefix = [4] }}");
    let stage = Stage::with(table, &policy(&[("v", &ladder), ("w", QUASI)], PAIRS));
    let space = least_space();
    let (limit, words) = (format!("-v {}", space << 10), format!("{space} MiB (signal"));
    for (limit, told) in [(limit.as_str(), words.as_str()), ("-d 24576", "24 MiB (signal")] {
        for threads in ["1", "8"] {
            let line = format!("ulimit {limit}; exec \"$@\"");
            let ran = stage.release_under(&line, "data.csv", &["--memory", "4G", "--threads", threads]);
            let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
            assert_eq!(document["error"]["kind"], "environment");
            assert!(!judge(&stage, ran, &[told, "refuses to start"]));
        }
    }
}

/// Without the flag as much is used as there is.
#[test]
fn memory_follows_the_limit() {
    let stage = Stage::with(people(60_000), &people_policy());
    let ran = stage.release_under("ulimit -d 65536; exec \"$@\"", "data.csv", &["--threads", "2"]);
    assert!(judge(&stage, ran, &[]), "60,000 records do not fit in 64 MiB");
}

/// The child of a run that is watched because its processor time is limited, though by more than it takes.
#[allow(clippy::zombie_processes)] // whoever asks for it waits for it
fn watched(stage: &Stage, call: &[&OsStr]) -> (Child, u32) {
    let parent = stage.shell("ulimit -t 600; exec \"$@\"", call).spawn().unwrap();
    let children = format!("/proc/{0}/task/{0}/children", parent.id());
    loop {
        // The shell has none; what it becomes has one.
        let told = fs::read_to_string(&children).unwrap_or_default();
        if let Some(child) = told.split_whitespace().next() {
            return (parent, child.parse().unwrap());
        }
        sleep(Duration::from_millis(1));
    }
}

/// The same once it writes.
fn writing(stage: &Stage) -> (Child, u32) {
    let (mut parent, child) = watched(stage, &release(OsStr::new("data.csv"), &[]));
    while !stage.path(PARTIAL).exists() {
        assert!(parent.try_wait().unwrap().is_none(), "it ended before it wrote");
        sleep(Duration::from_millis(1));
    }
    (parent, child)
}

#[test]
fn whatever_ends_the_run_its_parent_tidies_up() {
    if !cfg!(target_os = "linux") {
        eprintln!("not checked: runs under limits; only Linux has them");
        return;
    }
    let stage = Stage::with(people(60_000), &people_policy());
    let before = stage.entries();
    for (signal, told) in
        [("KILL", "600 seconds of processor time"), ("XCPU", "processor time"), ("ABRT", "ended by signal 6")]
    {
        let (parent, child) = writing(&stage);
        assert!(shell(&stage, &format!("kill -{signal} {child}")));
        let output = parent.wait_with_output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{words}");
        assert!(words.starts_with("error: ") && words.contains(told), "{words}");
        assert_eq!(stage.entries(), before, "{signal}");
    }
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let (mut parent, _) = writing(&stage);
        assert!(shell(&stage, &format!("kill -{signal} {}", parent.id())));
        assert_eq!(parent.wait().unwrap().code(), Some(code));
        assert_eq!(stage.entries(), before, "{signal}");
    }
    let (mut parent, child) = writing(&stage);
    parent.kill().unwrap();
    assert_eq!(parent.wait().unwrap().signal(), Some(9));
    while fs::exists(format!("/proc/{child}")).unwrap() {
        sleep(Duration::from_millis(1));
    }
    assert_eq!(stage.entries(), before, "a child whose parent is killed");
}

/// What people hand over to the studio goes with it.
#[test]
fn a_studio_that_is_killed_leaves_no_uploads() {
    if !cfg!(all(target_os = "linux", feature = "studio")) {
        return;
    }
    let stage = Stage::empty();
    fs::create_dir(stage.path("uploads")).unwrap();
    let mut command = Command::new("sh");
    let line = "ulimit -v 1048576; export TMPDIR=$PWD/uploads; exec \"$@\"";
    command.args(["-c", line, "sh", env!("CARGO_BIN_EXE_equanym"), "studio", "--no-open", "--json", "--port", "0"]);
    let mut parent = command.current_dir(stage.path(".")).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    let mut output = std::io::BufReader::new(parent.stdout.take().unwrap());
    while !told.contains('}') {
        assert_ne!(std::io::BufRead::read_line(&mut output, &mut told).unwrap(), 0);
    }
    assert_eq!(fs::read_dir(stage.path("uploads")).unwrap().count(), 1);
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", parent.id())).unwrap();
    assert!(shell(&stage, &format!("kill -KILL {children}")));
    assert_eq!(parent.wait().unwrap().code(), Some(3));
    assert_eq!(fs::read_dir(stage.path("uploads")).unwrap().count(), 0);
}

/// Fails calls that make, fill or flush files, from one number on: a full disk, a quota that is used up.
const FULL: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>

static atomic_int calls;

static int is_full(void) {
    if (atomic_fetch_add(&calls, 1) + 1 < atoi(getenv("FULL_FROM"))) {
        return 0;
    }
    errno = atoi(getenv("FULL_BY"));
    return 1;
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    if ((flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) && is_full()) {
        return -1;
    }
    return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64"))(path, flags, mode);
}
ssize_t write(int file, const void *bytes, size_t count) {
    struct stat about;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && is_full()) {
        return -1;
    }
    return ((ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(file, bytes, count);
}
int mkdir(const char *path, mode_t mode) {
    return is_full() ? -1 : ((int (*)(const char *, mode_t))dlsym(RTLD_NEXT, "mkdir"))(path, mode);
}
int fsync(int file) { return is_full() ? -1 : ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file); }
"#;

/// `ENOSPC`, `EDQUOT` and `EFBIG`.
const ERRORS: [u32; 3] = [28, 122, 27];

#[test]
fn no_room_at_any_step() {
    let stage = stage();
    stage.write("full.c", FULL);
    if !cfg!(target_os = "linux") || !shell(&stage, "cc -shared -fPIC -o full.so full.c -ldl") {
        eprintln!("not checked: disks that are full at any step; here their calls cannot fail");
        return;
    }
    let mut errors = ERRORS.into_iter().cycle();
    for arguments in CALLS.into_iter().take(WRITING) {
        let mut from = 1;
        loop {
            let error = errors.next().unwrap();
            let line = format!("export FULL_FROM={from} FULL_BY={error} LD_PRELOAD=./full.so");
            let ran = call(&stage, &line, &[arguments, &["--threads", "2"]].concat());
            if judge(&stage, ran, &["written", "disk", "made"]) {
                break;
            }
            from = from * 2 + 1;
        }
        assert!(from > 1, "{arguments:?} writes nothing");
    }
}

#[test]
fn no_file_may_grow() {
    let stage = stage();
    for arguments in CALLS.into_iter().take(WRITING) {
        for blocks in [0, 2] {
            judge(&stage, call(&stage, &format!("ulimit -f {blocks}"), arguments), &["written", "larger than allowed"]);
        }
    }
}
