//! Help, versions and calls that make no sense.

use super::stage::Stage;

/// Every command, and what it is called with in the help.
const COMMANDS: [&[&str]; 15] = [
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
    &["schema"],
    &["completions"],
    &["man"],
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
    let mut features = vec!["cluster", "excel", "object-store", "postgres", "studio"];
    features.retain(|feature| *feature != "cluster" || cfg!(feature = "cluster"));
    features.retain(|feature| *feature != "studio" || cfg!(feature = "studio"));
    assert_eq!(ran.stdout, format!("equanym {} ({})\n", env!("CARGO_PKG_VERSION"), features.join(", ")));
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
fn completions_exist_for_each_shell() {
    let stage = Stage::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = stage.run(["completions", shell]).done();
        assert!(ran.stdout.contains("equanym") && ran.stdout.contains("release"), "{shell}");
        let document = stage.run(["completions", shell, "--json"]).done().json();
        assert_eq!(document["script"], ran.stdout);
    }
}

#[test]
fn the_schema_is_one_json_document_and_has_a_page() {
    let stage = Stage::empty();
    let schema = stage.run(["schema", "--json"]).done().json();
    assert_eq!(schema, stage.run(["schema"]).done().json());
    assert!(schema["properties"]["variables"].is_object());
    let page = stage.run(["schema", "--page"]).done().stdout;
    assert_eq!(stage.run(["schema", "--page", "--json"]).done().json()["page"], page);
    assert!(page.contains("| `suppression_limit` |"));
}

#[test]
fn each_command_has_a_manual_page_and_none_is_overwritten() {
    let stage = Stage::empty();
    let document = stage.run(["man", "--out", "share/man1", "--json"]).done().json();
    let pages: Vec<&str> = document["pages"].as_array().unwrap().iter().map(|page| page.as_str().unwrap()).collect();
    for command in COMMANDS {
        let name = format!("equanym-{}.1", command.join("-"));
        assert!(pages.contains(&name.as_str()), "{name} is not among {pages:?}");
    }
    for page in &pages {
        let text = std::fs::read_to_string(stage.path("share/man1").join(page)).unwrap();
        assert!(text.contains(".SH NAME\nequanym") && text.contains("Exit codes"), "{page}: {text}");
    }
    std::fs::remove_file(stage.path("share/man1/equanym.1")).unwrap();
    let ran = stage.run(["man", "--out", "share/man1"]).ended(2);
    assert!(ran.stderr.contains("exists already and is never overwritten"), "{ran:?}");
    assert!(!stage.path("share/man1/equanym.1").exists(), "nothing is written where a page exists");
    stage.run(["man", "--out", "share/man1/equanym-list.1/x"]).ended(2);
}
