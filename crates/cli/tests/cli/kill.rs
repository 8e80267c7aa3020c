//! A release that is killed at any moment is not there, or complete.
//!
//! `kill -9` gives the program no chance to tidy up; a terminal that closes (SIGHUP) and SIGTERM twice at once do. Runs to
//! the same output are ended by one after the other of these, at moments that a seeded generator spreads over the course
//! of an uninterrupted run: before it writes, while it writes, and about its end. Afterwards the output is absent, or
//! complete and passing its audit; where the program could tidy up nothing else is there, elsewhere each run cleans up
//! after the one before; and the next run that is left alone succeeds.
//!
//! `EQUANYM_KILLS` says how many runs are ended, [`KILLS`] unless it does.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::hospital;
use equanym_engine::run::demo::write_csv;
use tempfile::tempdir;

const KILLS: u32 = 51;
/// How runs are ended, with what a shell has to do.
const WAYS: [&str; 3] = ["kill -KILL PID", "kill -HUP PID", "kill -TERM PID; kill -TERM PID"];
/// Every so many kills a run is left alone.
const LEFT_ALONE: u32 = 10;
const PARTIAL: &str = ".out.equanym-partial";
const LOCK: &str = ".out.equanym-lock";

fn start(folder: &Path) -> Child {
    hospital::release(folder, "policy.toml", "data.csv", "out").spawn().unwrap()
}

fn entries(folder: &Path) -> BTreeSet<OsString> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

/// Runs to the end; how long it took until it wrote, and altogether.
fn measure(folder: &Path) -> (Duration, Duration) {
    let begin = Instant::now();
    let mut child = start(folder);
    let mut wrote = None;
    let status = loop {
        if wrote.is_none() && folder.join(PARTIAL).exists() {
            wrote = Some(begin.elapsed());
        }
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => sleep(Duration::from_millis(1)),
        }
    };
    assert!(status.success());
    (wrote.expect("it was seen writing"), begin.elapsed())
}

/// When a run is killed: a tenth of them before the first write, a tenth about the end, the others in between, each at a
/// random moment of its own stretch.
fn moment(number: u32, kills: u32, chance: f64, (wrote, ended): (Duration, Duration)) -> Duration {
    let tenth = kills / 10;
    let (from, to, first, count) = match number {
        early if early < tenth => (Duration::ZERO, wrote, 0, tenth),
        late if late >= kills - tenth => (ended.mul_f64(0.95), ended.mul_f64(1.15), kills - tenth, tenth),
        _ => (wrote, ended, tenth, kills - 2 * tenth),
    };
    from + to.saturating_sub(from).mul_f64((f64::from(number - first) + chance) / f64::from(count))
}

/// Numbers between 0 and 1, the same in each run.
fn chances() -> impl Iterator<Item = f64> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    })
}

/// How far a killed run had come.
fn state(folder: &Path) -> &'static str {
    let partial = folder.join(PARTIAL);
    if folder.join("out").exists() {
        return "complete";
    }
    match () {
        () if partial.join("public/manifest.json").exists() => "being audited",
        () if partial.join("public/data.csv").exists() => "being written",
        () if partial.exists() => "being counted",
        () => "not begun",
    }
}

/// Asserts that the output is complete, and removes it.
fn take_away(folder: &Path) {
    let audit = Command::new(env!("CARGO_BIN_EXE_equanym")).current_dir(folder).args(["audit", "out/public"]).output();
    let audit = audit.unwrap();
    assert!(audit.status.success(), "{audit:?}");
    let files = ["data.csv", "manifest.json", "report.html", "report.json"].map(OsString::from);
    assert_eq!(entries(&folder.join("out/public")), BTreeSet::from(files));
    let files = ["mask.json", "report.html", "report.json"].map(OsString::from);
    assert_eq!(entries(&folder.join("out/private")), BTreeSet::from(files));
    fs::remove_dir_all(folder.join("out")).unwrap();
}

#[test]
fn a_killed_release_is_absent_or_complete() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    hospital::write_policy(folder);
    fs::write(folder.join("data.csv"), write_csv(12_000, 9)).unwrap();
    let before = entries(folder);
    let mut course = measure(folder);
    take_away(folder);
    assert_eq!(entries(folder), before);

    let kills = std::env::var("EQUANYM_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    for ((number, chance), way) in (0..kills).zip(chances()).zip(WAYS.iter().cycle()) {
        let was_clean = entries(folder) == before;
        let mut child = start(folder);
        sleep(moment(number, kills, chance, course));
        let reached = state(folder);
        // It may have ended already; who waits for it is this process, so nobody else has its number.
        Command::new("sh").args(["-c", &way.replace("PID", &child.id().to_string())]).output().unwrap();
        child.wait().unwrap();
        let state = state(folder);
        // What tidies up leaves no trace of how far it had come; what was there before it came says nothing of that.
        *met.entry(if was_clean && state == "not begun" { reached } else { state }).or_default() += 1;
        let known = [PARTIAL, LOCK, "out"].map(OsString::from);
        assert!(entries(folder).iter().all(|name| before.contains(name) || known.contains(name)));
        if state == "complete" {
            take_away(folder);
        }
        if was_clean && !way.contains("KILL") {
            assert_eq!(entries(folder), before, "{way} leaves something behind, {state}");
        }
        if (number + 1) % LEFT_ALONE == 0 {
            // The machine may be busier than it was: the next moments follow its course of now.
            course.1 = measure(folder).1;
            take_away(folder);
            assert_eq!(entries(folder), before, "leftovers of a killed run remain");
        }
    }
    eprintln!("{kills} kills, with the first write and the end of a run after {course:?}: {met:?}");
    assert_eq!(met.values().sum::<u32>(), kills);
    let begun = kills - met.get("not begun").copied().unwrap_or(0) - met.get("complete").copied().unwrap_or(0);
    assert!(begun >= kills / 5, "the kills miss the run: {met:?}");
}
