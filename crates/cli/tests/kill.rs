//! A release that is killed at any moment is not there, or complete.
//!
//! `kill -9` gives the program no chance to tidy up. Fifty runs to the same output are killed, at moments that a seeded
//! generator spreads over the course of an uninterrupted run: before it writes, while it writes, and about its end.
//! Afterwards the output is absent, or complete and passing its audit; each run cleans up after the one before, and the
//! next run that is left alone succeeds.

mod hospital;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use equanym_engine::demo::write_csv;
use tempfile::tempdir;

const KILLS: u32 = 50;
/// Every so many kills a run is left alone.
const LEFT_ALONE: u32 = 5;
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

/// When the runs are killed: a tenth before the first write, a tenth about the end, the others in between, each at a
/// random moment of its own stretch.
fn moments(wrote: Duration, ended: Duration) -> Vec<Duration> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut chance = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let tenth = KILLS / 10;
    let mut stretch = |from: Duration, to: Duration, count: u32| -> Vec<Duration> {
        (0..count).map(|place| from + (to - from).mul_f64((f64::from(place) + chance()) / f64::from(count))).collect()
    };
    let early = stretch(Duration::ZERO, wrote, tenth);
    let amid = stretch(wrote, ended, KILLS - 2 * tenth);
    let late = stretch(ended.mul_f64(0.95), ended.mul_f64(1.15), tenth);
    [early, amid, late].concat()
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
    fs::write(folder.join("data.csv"), write_csv(20_000, 9)).unwrap();
    let before = entries(folder);
    let (wrote, ended) = measure(folder);
    take_away(folder);
    assert_eq!(entries(folder), before);

    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    for (number, moment) in (1..).zip(moments(wrote, ended)) {
        let mut child = start(folder);
        sleep(moment);
        // It may have ended already.
        child.kill().unwrap();
        child.wait().unwrap();
        let state = state(folder);
        *met.entry(state).or_default() += 1;
        let known = [PARTIAL, LOCK, "out"].map(OsString::from);
        assert!(entries(folder).iter().all(|name| before.contains(name) || known.contains(name)));
        if state == "complete" {
            take_away(folder);
        }
        if number % LEFT_ALONE == 0 {
            assert!(start(folder).wait().unwrap().success(), "the run after a killed one");
            take_away(folder);
            assert_eq!(entries(folder), before, "leftovers of a killed run remain");
        }
    }
    eprintln!("{KILLS} kills within {ended:?}, the first write after {wrote:?}: {met:?}");
    assert_eq!(met.values().sum::<u32>(), KILLS);
    let begun = KILLS - met.get("not begun").copied().unwrap_or(0) - met.get("complete").copied().unwrap_or(0);
    assert!(met.contains_key("not begun") && begun >= KILLS / 5, "the kills miss the run: {met:?}");
}
