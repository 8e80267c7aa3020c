//! Help, versions and calls that make no sense.

use super::stage::Stage;

/// Every command, and what it is called with in the help.
const COMMANDS: [&[&str]; 13] = [
    &["demo"],
    &["draft"],
    &["risk"],
    &["release"],
    &["apply"],
    &["audit"],
    &["hierarchy"],
    &["hierarchy", "build"],
    &["hierarchy", "lint"],
    &["hierarchy", "show"],
    &["list"],
    &["explain"],
    &["completions"],
];

#[test]
fn each_command_explains_itself() {
    let stage = Stage::empty();
    for command in COMMANDS {
        for flag in ["-h", "--help"] {
            let ran = stage.run(command.iter().chain([&flag])).done();
            for part in ["Usage: equanym", "--json", "--quiet", "--threads", "--memory", "Exit codes: 0", "Example:\n"]
            {
                assert!(ran.stdout.contains(part), "{command:?} {flag}: no {part:?} in {}", ran.stdout);
            }
            assert_eq!(ran.stderr, "");
        }
    }
}

#[test]
fn the_program_lists_its_commands() {
    let ran = Stage::empty().run(["--help"]).done();
    for command in COMMANDS {
        assert!(ran.stdout.contains(&format!("\n  {}", command[0])), "{command:?}");
    }
    assert!(ran.stdout.contains("Exit codes: 0 done · 1 no safe release, or a check failed · 2"));
}

#[test]
fn the_version_is_told() {
    let ran = Stage::empty().run(["--version"]).done();
    assert_eq!(ran.stdout, format!("equanym {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_a_command_the_help_is_shown_and_two_returned() {
    for arguments in [&[][..], &["hierarchy"]] {
        let ran = Stage::empty().run(arguments).ended(2);
        assert!(ran.stderr.contains("Usage: equanym"), "{ran:?}");
        assert_eq!(ran.stdout, "");
        let error = Stage::empty().run(arguments.iter().chain([&"--json"])).ended(2).error();
        assert_eq!((error["kind"].as_str(), error["message"].as_str()), (Some("usage"), Some("a command is missing")));
    }
}

#[test]
fn wrong_calls_end_in_two() {
    let stage = Stage::set();
    let calls: [&[&str]; 9] = [
        &["relase"],
        &["release"],
        &["release", "people.csv", "--policy", "policy.toml"],
        &["list", "--nonsense"],
        &["list", "--threads", "0"],
        &["list", "--memory", "lots"],
        &["risk", "people.csv", "--encoding", "latin-1"],
        &["risk", "people.csv", "--delimiter", "ab"],
        &["completions", "cmd"],
    ];
    for call in calls {
        let ran = stage.run(call).ended(2);
        assert!(ran.stderr.starts_with("error: "), "{call:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{call:?}");
        let error = stage.run(call.iter().chain([&"--json"])).ended(2).error();
        assert_eq!(error["kind"], "usage", "{call:?}");
        assert!(!error["message"].as_str().unwrap().starts_with("error"), "{error}");
    }
}

#[test]
fn a_misspelt_command_is_suggested() {
    let ran = Stage::empty().run(["relase"]).ended(2);
    assert!(ran.stderr.contains("'release'"), "{ran:?}");
}

#[test]
fn completions_exist_for_each_shell() {
    let stage = Stage::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = stage.run(["completions", shell]).done();
        assert!(ran.stdout.contains("equanym") && ran.stdout.contains("release"), "{shell}");
        let document = stage.run(["completions", shell, "--json"]).done().json();
        assert_eq!(document["script"], ran.stdout);
    }
}
