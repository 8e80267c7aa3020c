//! Processes: signals, limits of threads and of open files, other runs, and the clock.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::thread::sleep;
use std::time::Duration;

use super::super::run::{Stage, people, people_policy, release};
use super::{LOCK, PARTIAL, binding, shell, writing};

#[test]
fn two_runs_to_the_same_output() {
    let stage = Stage::of_people();
    let other = File::create(stage.path(LOCK)).unwrap();
    other.lock().unwrap();
    stage.release("data.csv", &[]).refused_for(3, &["another run is writing to this output", "wait for it"]);
    drop(other);
    fs::remove_file(stage.path(LOCK)).unwrap();
    stage.release("data.csv", &[]).released();
}

#[test]
fn leftovers_of_a_killed_run() {
    let stage = Stage::of_people();
    let before = stage.entries();
    fs::create_dir_all(stage.path(PARTIAL).join("public")).unwrap();
    stage.write(format!("{PARTIAL}/public/data.csv"), "half");
    stage.write(LOCK, "");
    let ran = stage.release("data.csv", &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    fs::remove_dir_all(stage.path("out")).unwrap();
    assert_eq!(stage.entries(), before);
}

#[test]
fn signals() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let stage = Stage::with(people(60_000), &people_policy());
        let before = stage.entries();
        let child = writing(&stage);
        assert!(shell(&stage, &format!("kill -{signal} {}", child.id())));
        let output = child.wait_with_output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{words}");
        assert!(words.contains("leaves nothing behind") && output.stdout.is_empty(), "{words}");
        assert_eq!(stage.entries(), before);
    }
}

#[test]
fn file_descriptor_limit_of_64() {
    let stage = Stage::of_people();
    let line = "ulimit -n 64; exec \"$@\"";
    let release = stage.release_under(line, "data.csv", &[]).released();
    fs::remove_dir_all(release.folder).unwrap();
    // More files at once than may be open.
    fs::create_dir(stage.path("parts")).unwrap();
    for part in 0..150 {
        stage.write(format!("parts/{part}.csv"), people(1000));
    }
    stage.release_under(line, "parts", &[]).released_or_refused_for(3, &["Too many open files"]);
}

#[test]
fn thread_limit() {
    let stage = Stage::of_people();
    let Some(way) = binding(&stage) else {
        eprintln!("not checked: a limit of threads; limits do not bind this user");
        return;
    };
    for threads in 1..=12 {
        let line = format!("exec {way}prlimit --nproc={threads} \"$@\"");
        stage.release_under(&line, "data.csv", &["--threads", "2"]).released_or_refused_for(3, &["refuses to start"]);
        let _ = fs::remove_dir_all(stage.path("out"));
    }
    let line = format!("exec {way}prlimit --nproc=9 \"$@\"");
    stage
        .release_under(&line, "data.csv", &["--threads", "64"])
        .refused_for(3, &["refuses to start 64 threads", "--threads"]);
}

/// Counts the threads that a program starts and refuses those from one number to another, as a busy system does.
const REFUSING: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef int start(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static atomic_int started;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument) {
    int number = atomic_fetch_add(&started, 1) + 1;
    if (number >= atoi(getenv("REFUSE_FROM")) && number <= atoi(getenv("REFUSE_TO"))) {
        return EAGAIN;
    }
    return ((start *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, work, argument);
}
"#;

/// The threads that a call starts with `--threads 2`: those two, and one that waits for signals.
const STARTS: u32 = 3;

/// The calls that start threads, each with a policy, a table or a release that is there.
const CALLS: [&[&str]; 8] = [
    &["release", "data.csv", "--policy", "policy.toml", "--out", "out"],
    &["apply", "data.csv", "--mask", "before/private/mask.json", "--out", "out"],
    &["risk", "data.csv"],
    &["draft", "data.csv"],
    &["balance", "data.csv", "--policy", "points.toml"],
    &["compare", "data.csv", "before"],
    &["sql", "data.csv", "--policy", "policy.toml", "--dialect", "duckdb"],
    &["hierarchy", "build", "data.csv", "--column", "zip"],
];

#[test]
fn thread_creation_fails() {
    let stage = Stage::of_people();
    stage.write("refusing.c", REFUSING);
    let builds = "cc -shared -fPIC -o refusing.so refusing.c -ldl";
    if !cfg!(target_os = "linux") || !shell(&stage, builds) {
        eprintln!("not checked: threads that cannot be started; here they cannot be refused");
        return;
    }
    assert_eq!(stage.release_to("before", "data.csv").code, Some(0));
    stage.write("points.toml", people_policy() + "[variables.age.points]\nuser = 100\nintruder = 100\n");
    for call in CALLS {
        let arguments: Vec<&OsStr> = call.iter().chain(&["--threads", "2", "--json"]).map(OsStr::new).collect();
        // Each is refused alone, as when others take the last thread for a moment, or with all after it.
        for (from, to) in (1..=STARTS + 1).flat_map(|number| [(number, number), (number, 1_000_000)]) {
            let line = format!("REFUSE_FROM={from} REFUSE_TO={to} LD_PRELOAD=./refusing.so exec \"$@\"");
            let ran = stage.finish(&mut stage.shell(&line, &arguments));
            if from > 1 && ran.code == Some(0) {
                ran.assert_modest();
                let _ = fs::remove_dir_all(stage.path("out"));
            } else {
                ran.refused_for(3, &["refuses to start"]);
                assert!(from <= STARTS, "{call:?} starts more threads than it was told to");
            }
        }
    }
}

/// Signals that come together, as GNU `timeout` and shells send them.
#[test]
fn signals_in_pairs() {
    let pairs = ["kill -TERM PID; kill -TERM PID", "kill -HUP PID; kill -TERM PID", "kill -INT PID; kill -INT PID"];
    // Of two signals that come together either may be met first.
    for (kill, codes) in pairs.into_iter().zip([[143, 143], [129, 143], [130, 130]]) {
        let stage = Stage::with(people(60_000), &people_policy());
        let before = stage.entries();
        let child = writing(&stage);
        sleep(Duration::from_millis(50));
        assert!(shell(&stage, &kill.replace("PID", &child.id().to_string())));
        let output = child.wait_with_output().unwrap();
        assert!(codes.map(Some).contains(&output.status.code()), "{kill}: {output:?}");
        assert_eq!(stage.entries(), before, "{kill}");
    }
}

#[test]
fn timeout_leaves_nothing() {
    let stage = Stage::with(people(60_000), &people_policy());
    let before = stage.entries();
    for seconds in ["0.01", "0.05", "0.1", "0.15", "0.2", "0.3"] {
        let ran = stage.release_under(&format!("exec timeout {seconds} \"$@\""), "data.csv", &[]);
        if ran.code == Some(0) {
            // A fast machine was done before.
            fs::remove_dir_all(stage.path("out")).unwrap();
        } else {
            assert_eq!(ran.code, Some(124), "{ran:?}");
        }
        assert_eq!(stage.entries(), before, "after {seconds} seconds");
    }
}

#[test]
fn nohup_keeps_it_running() {
    if !cfg!(target_os = "linux") {
        eprintln!("not checked: a signal that is to be ignored; only Linux tells of it");
        return;
    }
    let stage = Stage::with(people(20_000), &people_policy());
    let mut child = stage.shell("trap '' HUP; exec \"$@\"", &release(OsStr::new("data.csv"), &[])).spawn().unwrap();
    while !stage.path(PARTIAL).exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it wrote");
        sleep(Duration::from_millis(1));
    }
    assert!(shell(&stage, &format!("kill -HUP {}", child.id())));
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Says that it is the last day of 1969.
const CLOCK: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

typedef int now(clockid_t, struct timespec *);

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = ((now *)dlsym(RTLD_NEXT, "clock_gettime"))(clock, time);
    if (clock == CLOCK_REALTIME) {
        time->tv_sec = -86400;
    }
    return result;
}
"#;

#[test]
fn clock_before_1970() {
    let stage = Stage::of_people();
    stage.write("clock.c", CLOCK);
    if !cfg!(target_os = "linux") || !shell(&stage, "cc -shared -fPIC -o clock.so clock.c -ldl") {
        eprintln!("not checked: a clock before 1970; here it cannot be set");
        return;
    }
    let keys = "AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=y AWS_REGION=z AWS_ALLOW_HTTP=true \
                AWS_ENDPOINT=http://127.0.0.1:1";
    let line = format!("{keys} LD_PRELOAD=./clock.so exec \"$@\"");
    stage.release_under(&line, "s3://bucket/data.csv", &[]).refused_for(3, &["clock stands before 1970"]);
    stage.release_under(&line, "data.csv", &[]).released();
}
