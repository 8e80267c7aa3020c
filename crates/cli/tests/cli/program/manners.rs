//! What every command owes a terminal, a pipe and a script.

use std::io::Read;
use std::process::Stdio;

use super::stage::{POLICY, Stage, people};

/// A call of each command that ends well, in a folder with a release.
const CALLS: [&[&str]; 13] = [
    &["demo", "--records", "600"],
    &["draft", "people.csv"],
    &["risk", "people.csv"],
    &["release", "people.csv", "--policy", "policy.toml", "--out", "once-more"],
    &["apply", "people.csv", "--mask", "out/private/mask.json", "--out", "applied"],
    &["audit", "out/public"],
    &["hierarchy", "build", "people.csv", "--column", "age", "--kind", "intervals", "--steps", "5,10"],
    &["hierarchy", "lint", "ladder.csv"],
    &["hierarchy", "show", "ladder.csv"],
    &["list"],
    &["explain", "k-anonymity"],
    &["schema"],
    &["completions", "bash"],
];

fn stage() -> Stage {
    let stage = Stage::released();
    stage.write("ladder.csv", "a;x;*\nb;x;*\nc;y;*\n");
    stage
}

#[test]
fn pipes_get_no_colours_and_no_progress() {
    let stage = stage();
    for call in CALLS {
        let ran = stage.run(call).done();
        assert!(!ran.stdout.contains('\u{1b}') && !ran.stdout.is_empty(), "{call:?}: {}", ran.stdout);
        assert_eq!(ran.stderr, "", "{call:?}");
    }
}

#[test]
fn colours_are_there_when_they_are_forced() {
    let stage = Stage::empty();
    let mut command = stage.command(["list"]);
    let forced = command.env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(String::from_utf8_lossy(&forced.stdout).contains("\u{1b}["));
    let refused = command.env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE").output().unwrap();
    assert!(!String::from_utf8_lossy(&refused.stdout).contains('\u{1b}'));
}

#[test]
fn json_is_one_document_and_nothing_else() {
    let stage = stage();
    for call in CALLS {
        let ran = stage.run(call.iter().chain([&"--json"])).done();
        assert!(ran.json().is_object(), "{call:?}");
        assert_eq!(ran.stderr, "", "{call:?}");
    }
}

#[test]
fn json_may_stand_before_the_command() {
    let ran = Stage::empty().run(["--json", "list"]).done();
    assert!(ran.json()["families"].is_array());
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let stage = Stage::empty();
    for call in [&["completions", "zsh"][..], &["list", "--json"], &["--help"]] {
        let mut child = stage.command(call).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut words = String::new();
        child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        assert_eq!((child.wait().unwrap().code(), words.as_str()), (Some(0), ""), "{call:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_told() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = Stage::empty().command(["list"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: standard output cannot be written"));
}

/// A thousand threads with their stacks do not fit; whatever gives way first, it is the environment's turn.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_told() {
    let stage = Stage::set();
    let program = env!("CARGO_BIN_EXE_equanym");
    let release = "release people.csv --policy policy.toml --out out --threads 1024 --json";
    let line = format!("ulimit -v 1500000 && exec \"$0\" {release}");
    let output =
        std::process::Command::new("sh").args(["-c", &line, program]).current_dir(stage.path("")).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &document["error"]["kind"]), (Some(3), &"environment".into()));
    assert_eq!(stage.files(), ["people.csv", "policy.toml"]);
}

#[test]
fn hostile_column_names_stay_on_their_line() {
    let stage = Stage::empty();
    let hostile = "a\u{1b}[2J\nerror: forged\u{202e}";
    let written = hostile.replace('\n', "\\n").replace('\u{1b}', "\\u001b").replace('\u{202e}', "\\u202e");
    stage.write("people.csv", &people(120).replacen("age", &format!("\"{hostile}\""), 1));
    stage.write("policy.toml", &POLICY.replace("[variables.age]", &format!("[variables.\"{written}\"]")));
    let calls: [&[&str]; 3] = [
        &["risk", "people.csv", "--policy", "policy.toml"],
        &["release", "people.csv", "--policy", "policy.toml", "--out", "out"],
        &["audit", "out/public"],
    ];
    for call in calls {
        let ran = stage.run(call);
        let text = ran.stdout + &ran.stderr;
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{call:?}: {text}");
        assert!(!text.contains("\nerror: forged"), "{call:?}: {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn paths_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let stage = Stage::set();
    let data = OsStr::from_bytes(b"p\xff\n.csv");
    let out = OsStr::from_bytes(b"o\xfe");
    std::fs::rename(stage.path("people.csv"), stage.path(data)).unwrap();
    let words =
        [OsStr::new("release"), data, OsStr::new("--policy"), OsStr::new("policy.toml"), OsStr::new("--out"), out];
    stage.run(words).done();
    stage.run([OsStr::new("audit"), stage.path(out).join("public").as_os_str()]).done();
}

#[test]
fn errors_have_the_same_words_for_people_and_for_scripts() {
    let stage = Stage::empty();
    let people = stage.run(["explain", "k-anonimity"]).ended(2);
    let script = stage.run(["explain", "k-anonimity", "--json"]).ended(2);
    let error = script.error();
    let words = format!("error: {}\nhint: {}\n", error["message"].as_str().unwrap(), error["hint"].as_str().unwrap());
    assert_eq!((people.stderr.as_str(), people.stdout.as_str()), (words.as_str(), ""));
    assert_eq!(script.stderr, words);
}
