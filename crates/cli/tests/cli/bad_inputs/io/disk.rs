//! Disks that are full, caps on files, and tables that do not fit in memory.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::process::Child;
use std::thread::sleep;
use std::time::Duration;

use super::super::run::{CANARY, INSENSITIVE, PAIRS, QUASI, RunResult, Stage, people, people_policy, policy, release};
use super::{PARTIAL, shell};

/// How mounts can be made that vanish with their process, if at all.
fn mounting(stage: &Stage) -> Option<&'static str> {
    let ways = ["unshare -m", "unshare -r -m"];
    let works = |way: &&str| shell(stage, &format!("{way} sh -c 'mount -t tmpfs -o size=64k none disk'"));
    ways.into_iter().find(works)
}

/// Releases to `disk/out` on a disk of so many pages, and tells what is on the disk afterwards: pages used, names.
fn on_a_disk_of(pages: usize, way: &str, stage: &Stage) -> (RunResult, usize, Vec<String>) {
    let line = format!(
        "exec {way} sh -c 'mount -t tmpfs -o size={} none disk && echo old > disk/old || exit 77; \"$@\"; code=$?; \
         stat -f -c %b disk > left; stat -f -c %f disk >> left; cat disk/old >> left; ls -A disk >> left; exit $code' \
         sh \"$@\"",
        pages * 4096
    );
    let ran = stage.release_to_under(&line, "disk/out", "data.csv");
    let left = fs::read_to_string(stage.path("left")).unwrap();
    let left: Vec<&str> = left.lines().collect();
    let [all, free, "old", names @ ..] = left.as_slice() else { panic!("{ran:?}: {left:?}") };
    let used = all.parse::<usize>().unwrap() - free.parse::<usize>().unwrap();
    (ran, used, names.iter().map(ToString::to_string).collect())
}

#[test]
fn disk_full() {
    let stage = Stage::with(people(3000), &people_policy());
    stage.write("left", "");
    fs::create_dir(stage.path("disk")).unwrap();
    let Some(way) = mounting(&stage) else {
        eprintln!("not checked: a disk that is full; this machine permits no mounts");
        return;
    };
    let (ran, used, names) = on_a_disk_of(10_000, way, &stage);
    assert_eq!((ran.code, names), (Some(0), vec!["old".to_owned(), "out".to_owned()]), "{ran:?}");
    for percent in [10, 50, 99] {
        let pages = (used * percent / 100).min(used - 1);
        let (ran, used, names) = on_a_disk_of(pages, way, &stage);
        ran.refused_for(3, &["the disk is full", "nothing was released"]);
        assert_eq!((used, names), (1, vec!["old".to_owned()]), "only what was there is there, {percent} %");
    }
}

#[test]
fn file_size_limit() {
    let stage = Stage::with(people(3000), &people_policy());
    let whole = stage.release("data.csv", &[]).released();
    let blocks = fs::metadata(whole.folder.join("public/data.csv")).unwrap().len() / 512;
    fs::remove_dir_all(whole.folder).unwrap();
    for percent in [10, 50, 99] {
        let line = format!("ulimit -f {}; exec \"$@\"", blocks * percent / 100);
        stage.release_under(&line, "data.csv", &[]).refused_for(3, &["cannot be written", "larger than allowed"]);
    }
}

#[test]
fn temporary_folder() {
    let stage = Stage::of_people();
    for line in ["unset TMPDIR", "export TMPDIR=/nowhere", "export TMPDIR=/proc", "export TMPDIR="] {
        let release = stage.release_under(&format!("{line}; exec \"$@\""), "data.csv", &[]).released();
        fs::remove_dir_all(release.folder).unwrap();
    }
}

/// Rows of half a kilobyte in an order that is not the released one.
fn write_large(stage: &Stage, rows: usize) {
    let mut file = BufWriter::new(File::create(stage.path("data.csv")).unwrap());
    file.write_all(b"age,zip,note\n").unwrap();
    let mut row = String::new();
    for number in 0..rows {
        row.clear();
        writeln!(row, "{},{},{:0540}", 20 + number * 7 % 40, 1000 + number * 13 % 50, number * 7919 % 99_991).unwrap();
        file.write_all(row.as_bytes()).unwrap();
    }
    file.flush().unwrap();
}

/// A table that does not fit in the memory that its release is given: 56 MiB do not suffice for it without a limit.
fn too_large_for_memory() -> Stage {
    let stage = Stage::with("", &policy(&[("age", QUASI), ("zip", QUASI), ("note", INSENSITIVE)], PAIRS));
    write_large(&stage, ROWS);
    stage
}

const ROWS: usize = 40_000;
const LITTLE: [&str; 2] = ["--memory", "16M"];

#[test]
fn memory_limit() {
    let stage = too_large_for_memory();
    stage.release("data.csv", &["--memory", "8K"]).refused_for(3, &["memory limit", "--memory"]);
    let release = stage.release_within(56, "data.csv", &["--memory", "16M", "--disk", "1G"]).placed();
    assert_eq!(release.document["released"], ROWS);
    assert!(release.document["spilled"].as_u64().unwrap() > 2 << 20, "{:?}", release.document["spilled"]);
}

/// Values that tell every record apart cannot be written to disk meanwhile: they are refused before they fill the memory.
#[test]
fn memory_limit_and_distinct_values() {
    let mut table = "v\n".to_owned();
    for number in 0..60_000 {
        writeln!(table, "{CANARY}{number:0300}").unwrap();
    }
    let ladder = format!("{QUASI}\nhierarchy = {{ prefix = [4] }}");
    let stage = Stage::with(table, &policy(&[("v", &ladder)], PAIRS));
    let ran = stage.release_within(256, "data.csv", &LITTLE);
    ran.refused_for(3, &["distinct values", "--memory", "coarsen"]);
}

#[test]
fn on_the_disk_a_cap_is_kept() {
    let ran = too_large_for_memory().release("data.csv", &["--memory", "16M", "--disk", "2M"]);
    ran.refused_for(3, &["the disk limit does not suffice", "--disk"]);
}

#[test]
fn on_the_disk_there_is_no_room() {
    let stage = too_large_for_memory();
    fs::create_dir(stage.path("disk")).unwrap();
    stage.write("left", "");
    let Some(way) = mounting(&stage) else {
        eprintln!("not checked: a disk that is full while sorting; this machine permits no mounts");
        return;
    };
    let line = format!(
        "exec {way} sh -c 'mount -t tmpfs -o size=8m none disk && echo old > disk/old || exit 77; \"$@\" --memory 16M; code=$?; \
         cat disk/old > left; ls -A disk >> left; exit $code' sh \"$@\""
    );
    let ran = stage.release_to_under(&line, "disk/out", "data.csv");
    ran.refused_for(3, &["the disk is full", "nothing was released"]);
    assert_eq!(fs::read_to_string(stage.path("left")).unwrap(), "old\nold\n");
}

/// Starts a release and waits until it has written something to disk on the way.
fn spilling(stage: &Stage) -> Child {
    let mut child = stage.command(&release(OsStr::new("data.csv"), &LITTLE)).spawn().unwrap();
    let spill = stage.path(PARTIAL).join("spill");
    let open_files = format!("/proc/{}/fd", child.id());
    // What it writes there has no name; only its open files tell of it, where the system does.
    let has_spilled = || {
        let files = fs::read_dir(&open_files).into_iter().flatten().flatten();
        files.filter_map(|file| fs::read_link(file.path()).ok()).any(|file| file.starts_with(&spill))
    };
    while !(if cfg!(target_os = "linux") { has_spilled() } else { spill.exists() }) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it wrote to disk");
        sleep(Duration::from_millis(1));
    }
    let mode = fs::metadata(&spill).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "others may look");
    child
}

#[test]
fn on_the_disk_nothing_is_left_by_a_stop() {
    let stage = too_large_for_memory();
    let before = stage.entries();
    let mut child = spilling(&stage);
    assert!(shell(&stage, &format!("kill -INT {}", child.id())));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(stage.entries(), before);
}

#[test]
fn on_the_disk_the_next_run_removes_what_a_kill_left() {
    let stage = too_large_for_memory();
    let before = stage.entries();
    let mut child = spilling(&stage);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!stage.path("out").exists() && stage.path(PARTIAL).exists());
    write_large(&stage, 1000);
    assert_eq!(stage.release("data.csv", &[]).code, Some(0));
    fs::remove_dir_all(stage.path("out")).unwrap();
    assert_eq!(stage.entries(), before);
}
