//! Disks, paths, processes and other things of the machine.
//!
//! | Input | Test | |
//! |---|---|---|
//! | a full disk | `disk_full` | a small disk needs the right to mount; a limit on the size of files, which needs no right, is tried too |
//! | a temporary folder that is full or closed | `temporary_folder` | none is used: what does not fit in memory is written beside the output, so there `disk_full` applies |
//! | a folder that may not be written to | `closed_output_folder` | permissions do not bind root, who becomes somebody else; `/proc` is closed to root as well |
//! | threads that cannot be started | `thread_creation_fails` | as root it needs the right to become somebody else, whom limits bind |
//! | a disk that is full, a cap that is reached, a stop or a kill while sorting on disk | `on_the_disk_…` | a small disk needs the right to mount |
//! | 256 MiB of memory and 1 GB of input | `memory_limit` | with 78 MB, which unlimited take more memory than that |
//! | `kill -9` | suite `kill` | |
//! | a clock before 1970 | `clock_before_1970` | it is made up by a library that is loaded first |

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::run::{CANARY, INSENSITIVE, PAIRS, QUASI, Ran, Stage, entries, people, people_policy, policy, release};

/// Where a run to `out` writes before it is done, and what keeps a second one out.
const PARTIAL: &str = ".out.equanym-partial";
const LOCK: &str = ".out.equanym-lock";

/// Runs a line of shell in the folder; whether it ended well.
fn shell(stage: &Stage, line: &str) -> bool {
    Command::new("sh").args(["-c", line]).current_dir(stage.path(".")).output().unwrap().status.success()
}

/// How mounts can be made that vanish with their process, if at all.
fn mounting(stage: &Stage) -> Option<&'static str> {
    let ways = ["unshare -m", "unshare -r -m"];
    let works = |way: &&str| shell(stage, &format!("{way} sh -c 'mount -t tmpfs -o size=64k none disk'"));
    ways.into_iter().find(works)
}

/// Releases to `disk/out` on a disk of so many pages, and tells what is on the disk afterwards: pages used, names.
fn on_a_disk_of(pages: usize, way: &str, stage: &Stage) -> (Ran, usize, Vec<String>) {
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
        ran.refused(3, &["the disk is full", "nothing was released"]);
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
        let line = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", blocks * percent / 100);
        stage.release_under(&line, "data.csv", &[]).refused(3, &["cannot be written", "larger than allowed"]);
    }
}

#[test]
fn output_is_input() {
    let stage = Stage::of_people();
    let table = fs::read(stage.path("data.csv")).unwrap();
    fs::hard_link(stage.path("data.csv"), stage.path("hard")).unwrap();
    symlink("data.csv", stage.path("soft")).unwrap();
    fs::create_dir(stage.path("parts")).unwrap();
    stage.write("parts/a.csv", &table);
    symlink("parts", stage.path("link")).unwrap();
    let pairs = [("data.csv", "data.csv"), ("data.csv", "hard"), ("data.csv", "soft"), ("parts", "parts")];
    for (data, out) in pairs.into_iter().chain([("parts", "link"), ("link", "parts"), ("parts", "./parts/")]) {
        stage.release_to(out, data).refused(2, &["exists already and is never overwritten"]);
    }
    assert_eq!(fs::read(stage.path("data.csv")).unwrap(), table);
    assert_eq!(fs::read(stage.path("parts/a.csv")).unwrap(), table);
    assert_eq!(entries(&stage.path("parts")).len(), 1);
}

#[test]
fn output_symlink() {
    let stage = Stage::of_people();
    for folder in ["empty", "full"] {
        fs::create_dir(stage.path(folder)).unwrap();
    }
    stage.write("full/file", "old");
    for target in ["empty", "full", "nowhere"] {
        symlink(target, stage.path("out")).unwrap();
        for out in ["out", "out/", "out/."] {
            stage.release_to(out, "data.csv").refused(2, &["exists already"]);
        }
        assert_eq!(fs::read_link(stage.path("out")).unwrap().to_str(), Some(target), "the link is untouched");
        fs::remove_file(stage.path("out")).unwrap();
    }
    assert!(entries(&stage.path("empty")).is_empty() && !stage.path("nowhere").exists());
    assert_eq!(fs::read_to_string(stage.path("full/file")).unwrap(), "old");
}

#[test]
fn two_runs_to_the_same_output() {
    let stage = Stage::of_people();
    let other = File::create(stage.path(LOCK)).unwrap();
    other.lock().unwrap();
    stage.release("data.csv", &[]).refused(3, &["another run is writing to this output", "wait for it"]);
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

/// A run that takes seconds, waited for until it writes.
fn writing(stage: &Stage) -> Child {
    let mut child = stage.command(&release(OsStr::new("data.csv"), &[])).spawn().unwrap();
    while !stage.path(PARTIAL).exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it wrote");
        sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn signals() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let stage = Stage::with(people(60_000), &people_policy());
        let before = stage.entries();
        let mut child = writing(&stage);
        let sent = Instant::now();
        assert!(shell(&stage, &format!("kill -{signal} {}", child.id())));
        while child.try_wait().unwrap().is_none() {
            assert!(sent.elapsed() < Duration::from_secs(2), "{signal} takes too long");
            sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{words}");
        assert!(words.contains("leaves nothing behind") && output.stdout.is_empty(), "{words}");
        assert_eq!(stage.entries(), before);
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

#[test]
fn closed_output_folder() {
    let stage = Stage::of_people();
    if cfg!(target_os = "linux") {
        stage.release_to("/proc/out", "data.csv").refused(3, &["cannot be written"]);
    }
    fs::create_dir(stage.path("closed")).unwrap();
    fs::set_permissions(stage.path("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    let Some(way) = binding(&stage) else {
        eprintln!("not checked: a folder without the permission to write; permissions do not bind this user");
        return;
    };
    let line = format!("exec {way}\"$@\"");
    stage.release_to_under(&line, "closed/out", "data.csv").refused(3, &["cannot be written", "denied"]);
    assert!(entries(&stage.path("closed")).is_empty());
}

#[test]
fn input_that_is_no_file() {
    let stage = Stage::of_people();
    assert!(shell(&stage, "mkfifo pipe.csv && mkdir empty nested && mkdir nested/a.csv"));
    symlink("/dev/zero", stage.path("zero.csv")).unwrap();
    for data in ["pipe.csv", "/dev/zero", "zero.csv"] {
        stage.release(data, &[]).refused(2, &[data, "no regular file", "save the data in a file"]);
    }
    stage.release("empty", &[]).refused(2, &["holds no data file"]);
    stage.release("nested", &[]).refused(2, &["a folder in a folder"]);
    stage.release("nowhere.csv", &[]).refused(2, &["no such file"]);
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
    stage.release_under(line, "parts", &[]).released_or_refused(3, &["Too many open files"]);
}

/// How limits and permissions are made to bind: root becomes somebody else first, who runs nothing else meanwhile.
fn binding(stage: &Stage) -> Option<String> {
    fs::set_permissions(stage.path("."), fs::Permissions::from_mode(0o777)).unwrap();
    let somebody = 20_000 + std::process::id() % 40_000;
    let ways = [format!("setpriv --reuid={somebody} --regid={somebody} --clear-groups "), String::new()];
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let program = env!("CARGO_BIN_EXE_equanym");
    let works = |way: &String| shell(stage, &format!("{way}prlimit --nproc=1000 '{program}' list"));
    ways.into_iter().take(if is_root { 1 } else { 2 }).find(works)
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
        stage.release_under(&line, "data.csv", &["--threads", "2"]).released_or_refused(3, &["refuses to start"]);
        let _ = fs::remove_dir_all(stage.path("out"));
    }
    let line = format!("exec {way}prlimit --nproc=9 \"$@\"");
    stage
        .release_under(&line, "data.csv", &["--threads", "64"])
        .refused(3, &["refuses to start 64 threads", "--threads"]);
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
                ran.refused(3, &["refuses to start"]);
                assert!(from <= STARTS, "{call:?} starts more threads than it was told to");
            }
        }
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

#[test]
fn memory_limit() {
    let stage = Stage::with("", &policy(&[("age", QUASI), ("zip", QUASI), ("note", INSENSITIVE)], PAIRS));
    write_large(&stage, 140_000);
    stage.release("data.csv", &["--memory", "8K"]).refused(3, &["memory limit", "--memory"]);
    let ran = stage.release("data.csv", &["--memory", "48M"]);
    assert!(ran.peak < 256 << 20, "{} bytes in memory", ran.peak);
    let release = ran.placed();
    assert_eq!(release.document["released"], 140_000);
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
    let ran = stage.release("data.csv", &["--memory", "16M"]).refused(3, &["distinct values", "--memory", "coarsen"]);
    assert!(ran.peak < 256 << 20, "{} bytes in memory", ran.peak);
}

#[test]
fn paths_of_every_kind() {
    use std::os::unix::ffi::OsStrExt;
    let stage = Stage::of_people();
    let long = format!("{}.csv", "d".repeat(251));
    let cases: [(&[u8], &[u8]); 4] = [
        (b"with blanks .csv", b"to here"),
        (b"two\nlines.csv", b"two\nlines"),
        (long.as_bytes(), &[b'o'; 255]),
        (b"no \xFF text.csv", b"no \xFE text"),
    ];
    for (data, out) in cases.map(|(data, out)| (OsStr::from_bytes(data), OsStr::from_bytes(out))) {
        if fs::copy(stage.path("data.csv"), stage.path(data)).is_err() {
            eprintln!("not checked: a file named {data:?}; this file system does not take it");
            continue;
        }
        let ran = stage.release_to(out, data);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        let public = stage.path(out).join("public");
        let ran = stage.finish(&mut stage.command(&[OsStr::new("audit"), public.as_os_str()]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    assert!(stage.entries().iter().all(|name| !name.as_bytes().starts_with(b".")), "{:?}", stage.entries());
    // A name that is too long for the system is the user's turn.
    stage.release("x".repeat(300) + ".csv", &[]).refused(2, &["no such file"]);
    stage.release_to("o".repeat(256), "data.csv").refused(2, &["name"]);
}

/// A table that does not fit in the memory that its release is given.
fn too_large_for_memory() -> Stage {
    let stage = Stage::with("", &policy(&[("age", QUASI), ("zip", QUASI), ("note", INSENSITIVE)], PAIRS));
    write_large(&stage, 80_000);
    stage
}

const LITTLE: [&str; 2] = ["--memory", "48M"];

#[test]
fn on_the_disk_a_cap_is_kept() {
    let stage = too_large_for_memory();
    let before = stage.entries();
    let ran = stage.release("data.csv", &["--memory", "48M", "--disk", "4M"]);
    ran.refused(3, &["the disk limit does not suffice", "--disk"]);
    assert_eq!(stage.entries(), before);
    let ran = stage.release("data.csv", &["--memory", "48M", "--disk", "1G"]);
    let release = ran.placed();
    assert!(release.document["spilled"].as_u64().unwrap() > 4 << 20, "{:?}", release.document["spilled"]);
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
        "exec {way} sh -c 'mount -t tmpfs -o size=20m none disk && echo old > disk/old || exit 77; \"$@\" --memory 48M; code=$?; \
         cat disk/old > left; ls -A disk >> left; exit $code' sh \"$@\""
    );
    let ran = stage.release_to_under(&line, "disk/out", "data.csv");
    ran.refused(3, &["the disk is full", "nothing was released"]);
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
    assert_eq!(stage.release("data.csv", &LITTLE).code, Some(0));
    fs::remove_dir_all(stage.path("out")).unwrap();
    assert_eq!(stage.entries(), before);
}

/// What may happen to a table while it is read.
const CHANGES: [(&str, &str); 4] = [
    ("in place", "sed 's/west/east/' data.csv > other; cat other > data.csv"),
    (
        "in place, in a column that is not recoded, with the old time",
        "touch -r data.csv time; sed 's/,east$/,west/' data.csv > other; cat other > data.csv; touch -r time data.csv",
    ),
    ("renamed over", "cp -p data.csv other; mv other data.csv"),
    ("gone", "mv data.csv other"),
];

#[test]
fn table_that_changes_while_it_is_read() {
    for (what, change) in CHANGES {
        let stage = Stage::with(people(60_000), &people_policy());
        let child = writing(&stage);
        assert!(shell(&stage, change), "{what}");
        let output = child.wait_with_output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{what}: {words}");
        assert!(words.contains("changed while it was read") && !words.contains(CANARY), "{what}: {words}");
        let left = stage.entries();
        assert!(!left.iter().any(|name| name.to_string_lossy().contains("out")), "{what}: {left:?}");
    }
}

/// Until a release is audited, only its owner may look at it; then it has the permissions of any new folder.
#[test]
fn closed_until_it_is_audited() {
    let mode =
        |path: &str, stage: &Stage| fs::metadata(stage.path(path)).map(|found| found.permissions().mode() & 0o777);
    for (mask, open) in [("022", 0o755), ("027", 0o750), ("077", 0o700)] {
        let stage = Stage::with(people(60_000), &people_policy());
        let line = format!("umask {mask}; exec \"$@\"");
        let mut child = stage.shell(&line, &release(OsStr::new("data.csv"), &[])).spawn().unwrap();
        let mut looks = 0;
        while child.try_wait().unwrap().is_none() {
            if let Ok(mode) = mode(PARTIAL, &stage) {
                // What is spilled goes after the audit.
                assert!(mode == 0o700 || !stage.path(PARTIAL).join("spill").exists(), "{mode:o} before the audit");
                looks += 1;
            }
            sleep(Duration::from_millis(1));
        }
        assert!(looks > 10, "it was seen in the making {looks} times");
        let modes = ["out", "out/public", "out/private"].map(|path| mode(path, &stage).unwrap());
        assert_eq!(modes, [open, open, 0o700], "umask {mask}");
        assert_eq!(entries(&stage.path("out")).len(), 2);
    }
}

#[test]
fn lock_that_is_no_file() {
    for (what, line) in [
        ("a link", "touch theirs; ln -s theirs .out.equanym-lock"),
        ("a link to nowhere", "ln -s nowhere .out.equanym-lock"),
        ("a pipe", "mkfifo .out.equanym-lock"),
        ("a folder", "mkdir .out.equanym-lock"),
    ] {
        let stage = Stage::of_people();
        assert!(shell(&stage, line), "{what}");
        let ran = stage.release("data.csv", &[]).refused(3, &["in the place of the output's lock is no file"]);
        assert!(!stage.path("nowhere").exists(), "{what}: {ran:?}");
        assert!(!stage.path("theirs").exists() || fs::read(stage.path("theirs")).unwrap().is_empty());
    }
}

#[test]
fn what_lies_in_the_place_of_the_folder() {
    for line in ["mkfifo .out.equanym-partial", "mkdir theirs; touch theirs/x; ln -s theirs .out.equanym-partial"] {
        let stage = Stage::of_people();
        assert!(shell(&stage, line));
        let ran = stage.release("data.csv", &[]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(!stage.path("theirs").exists() || stage.path("theirs/x").exists(), "a link was followed");
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
    stage.release_under(&line, "s3://bucket/data.csv", &[]).refused(3, &["clock stands before 1970"]);
    stage.release_under(&line, "data.csv", &[]).released();
}
