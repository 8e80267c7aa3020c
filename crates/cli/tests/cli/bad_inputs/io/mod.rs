//! Disks, paths, processes and other things of the machine.
//!
//! | Input | Test | |
//! |---|---|---|
//! | a full disk | `disk_full` | a small disk needs the right to mount; a limit on the size of files, which needs no right, is tried too |
//! | a temporary folder that is full or closed | `temporary_folder` | none is used: what does not fit in memory is written beside the output, so there `disk_full` applies |
//! | a folder that may not be written to | `closed_output_folder` | permissions do not bind root, who becomes somebody else; `/proc` is closed to root as well |
//! | threads that cannot be started | `thread_creation_fails` | as root it needs the right to become somebody else, whom limits bind |
//! | a disk that is full, a cap that is reached, a stop or a kill while sorting on disk | `on_the_disk_…` | a small disk needs the right to mount |
//! | little memory and more input than that | `memory_limit` | 22 MB in 56 MiB, which do not suffice without a limit |
//! | limits of address space, data, processor time and file sizes; a disk that is full or a quota that is used up, at any step | module `limits` | |
//! | `kill -9` | suite `kill` | |
//! | a clock before 1970 | `clock_before_1970` | it is made up by a library that is loaded first |

mod disk;
mod limits;
mod process;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use super::run::{CANARY, Stage, entries, people, people_policy, release};

/// Where a run to `out` writes before it is done, and what keeps a second one out.
const PARTIAL: &str = ".out.equanym-partial";
const LOCK: &str = ".out.equanym-lock";

/// Runs a line of shell in the folder; whether it ended well.
fn shell(stage: &Stage, line: &str) -> bool {
    Command::new("sh").args(["-c", line]).current_dir(stage.path(".")).output().unwrap().status.success()
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
        stage.release_to(out, data).refused_for(2, &["exists already and is never overwritten"]);
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
            stage.release_to(out, "data.csv").refused_for(2, &["exists already"]);
        }
        assert_eq!(fs::read_link(stage.path("out")).unwrap().to_str(), Some(target), "the link is untouched");
        fs::remove_file(stage.path("out")).unwrap();
    }
    assert!(entries(&stage.path("empty")).is_empty() && !stage.path("nowhere").exists());
    assert_eq!(fs::read_to_string(stage.path("full/file")).unwrap(), "old");
}

#[test]
fn closed_output_folder() {
    let stage = Stage::of_people();
    if cfg!(target_os = "linux") {
        stage.release_to("/proc/out", "data.csv").refused_for(3, &["cannot be written"]);
    }
    fs::create_dir(stage.path("closed")).unwrap();
    fs::set_permissions(stage.path("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    let Some(way) = binding(&stage) else {
        eprintln!("not checked: a folder without the permission to write; permissions do not bind this user");
        return;
    };
    let line = format!("exec {way}\"$@\"");
    stage.release_to_under(&line, "closed/out", "data.csv").refused_for(3, &["cannot be written", "denied"]);
    assert!(entries(&stage.path("closed")).is_empty());
}

#[test]
fn input_that_is_no_file() {
    let stage = Stage::of_people();
    assert!(shell(&stage, "mkfifo pipe.csv && mkdir empty nested && mkdir nested/a.csv"));
    symlink("/dev/zero", stage.path("zero.csv")).unwrap();
    for data in ["pipe.csv", "/dev/zero", "zero.csv"] {
        stage.release(data, &[]).refused_for(2, &[data, "no regular file", "save the data in a file"]);
    }
    stage.release("empty", &[]).refused_for(2, &["holds no data file"]);
    stage.release("nested", &[]).refused_for(2, &["a folder in a folder"]);
    stage.release("nowhere.csv", &[]).refused_for(2, &["no such file"]);
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
    stage.release("x".repeat(300) + ".csv", &[]).refused_for(2, &["no such file"]);
    stage.release_to("o".repeat(256), "data.csv").refused_for(2, &["name"]);
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

/// A run that takes seconds, waited for until it writes.
fn writing(stage: &Stage) -> Child {
    let mut child = stage.command(&release(OsStr::new("data.csv"), &[])).spawn().unwrap();
    while !stage.path(PARTIAL).exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it wrote");
        sleep(Duration::from_millis(1));
    }
    child
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
        let ran = stage.release("data.csv", &[]).refused_for(3, &["in the place of the output's lock is no file"]);
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
