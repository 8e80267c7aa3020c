//! `release`, `apply` and `audit`: the main job from end to end.

use serde_json::Value;

use super::stage::{POLICY, SECRET, Stage, assert_keys, people};

const RELEASE: [&str; 6] = ["release", "people.csv", "--policy", "policy.toml", "--out", "out"];

#[test]
fn a_release_speaks_json_as_the_interface_says() {
    let stage = Stage::set();
    let document = stage.run(RELEASE.iter().chain(&["--json"])).done().json();
    assert_keys(&document, &["records", "released", "suppressed", "method", "search", "node", "lattice", "evaluated"]);
    assert_keys(&document, &["optimal", "gap", "loss", "classes", "risk", "privacy", "seconds"]);
    assert_keys(&document["loss"], &["name", "value", "share"]);
    assert_keys(&document["classes"], &["count", "min", "mean", "max"]);
    assert_keys(&document["risk"], &["prosecutor_max", "prosecutor_mean", "records_at_risk"]);
    assert_keys(&document["seconds"], &["read", "count", "fit", "search", "worth", "write", "audit"]);
    assert_eq!(document["records"], 120);
    assert_eq!(document["released"].as_u64().unwrap() + document["suppressed"].as_u64().unwrap(), 120);
    assert!(document["node"]["age"].is_u64() && document["node"]["zip"].is_u64());
    assert_eq!((&document["optimal"], &document["lattice"]), (&Value::Bool(true), &Value::from(20)));
    assert_eq!(
        document["privacy"][0],
        serde_json::json!({ "model": "k-anonymity", "k": 3, "holds": true, "checked": "release" })
    );
}

#[test]
fn a_release_lies_in_its_folder() {
    let stage = Stage::released();
    for file in ["public/data.csv", "public/manifest.json", "public/report.html", "public/report.json"] {
        assert!(stage.path("out").join(file).is_file(), "{file}");
    }
    for file in ["private/mask.json", "private/report.html", "private/report.json"] {
        assert!(stage.path("out").join(file).is_file(), "{file}");
    }
    assert_eq!(stage.files(), ["out", "people.csv", "policy.toml"]);
}

#[test]
fn the_summary_tells_what_was_done_and_no_value() {
    let ran = Stage::set().run(RELEASE).done();
    let parts = ["Released ", " of 120 records", "age", " of 4", "loss", "optimal", "no other of 20 nodes", "classes"];
    let more = ["risk", "k = 3", "holds", "out/public", "equanym audit out/public"];
    for part in parts.iter().chain(&more) {
        assert!(ran.stdout.contains(part), "no {part:?} in {}", ran.stdout);
    }
    for value in [SECRET, "mumps", "[20, ", "east"] {
        assert!(!ran.stdout.contains(value) && !ran.stderr.contains(value), "{value:?} in {ran:?}");
    }
}

/// The block of a summary from its heading to the next blank line.
fn checklist(text: &str) -> Vec<&str> {
    text.lines()
        .skip_while(|line| *line != "Before you hand it over")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .collect()
}

#[test]
fn a_release_ends_with_what_to_look_at() {
    let stage = Stage::set();
    let ran = stage.run(RELEASE).done();
    let block = checklist(&ran.stdout);
    assert!(block.iter().any(|line| line.starts_with("  ok    guarantee, people")), "{}", ran.stdout);
    assert!(block.iter().all(|line| !line.starts_with("  stop")), "{}", ran.stdout);
    // The same column, spoilt, and nothing of what spoils it.
    let table = stage.read("people.csv");
    let place = table.lines().next().unwrap().split(',').position(|name| name == "ward").unwrap();
    let spoilt = |(number, line): (usize, &str)| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        if number > 0 && number % 10 == 0 {
            cells[place] = format!("p{number}@mail.example");
        }
        cells.join(",") + "\n"
    };
    stage.write("people.csv", &table.lines().enumerate().map(spoilt).collect::<String>());
    std::fs::remove_dir_all(stage.path("out")).unwrap();
    let ran = stage.run(RELEASE).done();
    let block = checklist(&ran.stdout);
    assert!(
        block.iter().any(|line| line.starts_with("  stop  e-mail: column `ward`: 12 records hold")),
        "{}",
        ran.stdout
    );
    assert_eq!(block.last(), Some(&"  Do not hand it over before each stop is dealt with."), "{}", ran.stdout);
    assert!(!ran.stdout.contains("mail.example") && !ran.stderr.contains("mail.example"));
    // What the release is worth stands before it.
    let worth = ran.stdout.lines().position(|line| line.contains(" of 2 columns became `*`"));
    let heading = ran.stdout.lines().position(|line| line == "Before you hand it over");
    assert!(worth.is_some() && worth < heading, "{}", ran.stdout);
    std::fs::remove_dir_all(stage.path("out")).unwrap();
    let document = stage.run(RELEASE.iter().chain(&["--json"])).done().json();
    let stops = document["checklist"].as_array().unwrap().iter().filter(|line| line["verdict"] == "stop");
    assert_eq!(
        stops.map(|line| (&line["check"], &line["column"], &line["records"])).collect::<Vec<_>>(),
        [(&Value::from("e-mail"), &Value::from("ward"), &Value::from(12))]
    );
    assert_keys(&document["worth"], &["columns", "top", "as_collected", "sentence", "regain"]);
}

#[test]
fn a_search_that_proves_nothing_says_how_far_it_may_be_off() {
    let stage = Stage::set();
    // Some search or other may prove its answer here; whichever does not must not claim it.
    for (place, search) in equanym_core::search::ALL.iter().enumerate() {
        let policy = POLICY.replace("[method]", &format!("[method]\nsearch = \"{}\"", search.card.name));
        stage.write("policy.toml", &policy);
        let out = format!("out-{place}");
        let call = ["release", "people.csv", "--policy", "policy.toml", "--out", &out];
        let text = stage.run(call).done().stdout;
        std::fs::remove_dir_all(stage.path(&out)).unwrap();
        let document = stage.run(call.iter().chain(&["--json"])).done().json();
        let is_open = text.contains("not proven") || text.contains("not sought, because that tells");
        assert_eq!(is_open, document["optimal"] == false, "{text}");
    }
}

#[test]
fn quiet_is_quiet() {
    let ran = Stage::set().run(RELEASE.iter().chain(&["--quiet"])).done();
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
}

#[test]
fn an_existing_folder_is_refused() {
    let stage = Stage::released();
    let before = stage.read("out/public/data.csv");
    let ran = stage.run(RELEASE).ended(2);
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains("\nhint: "), "{ran:?}");
    assert_eq!(ran.stdout, "");
    assert_eq!(stage.run(RELEASE.iter().chain(&["--json"])).ended(2).error()["kind"], "input");
    assert_eq!(stage.read("out/public/data.csv"), before);
}

#[test]
fn without_a_safe_release_there_is_none() {
    let stage = Stage::set();
    stage.write("policy.toml", &POLICY.replace("k = 3", "k = 1000"));
    let ran = stage.run(RELEASE.iter().chain(&["--json"])).ended(1);
    assert_eq!(ran.error()["kind"], "unsafe");
    assert!(!stage.path("out").exists());
}

#[test]
fn flags_go_before_the_policy() {
    let stage = Stage::set();
    stage.write("people.csv", &people(120).replace(',', "|"));
    stage.write("policy.toml", &format!("[data]\ndelimiter = \";\"\n{POLICY}"));
    stage.run(RELEASE).ended(2);
    stage.run(RELEASE.iter().chain(&["--delimiter", "|", "--threads", "1", "--memory", "256M"])).done();
}

#[test]
fn a_release_passes_its_audit() {
    let stage = Stage::released();
    let ran = stage.run(["audit", "out/public"]).done();
    assert!(ran.stdout.contains("checks passed") && !ran.stdout.contains("FAILED"), "{}", ran.stdout);
    let document = stage.run(["audit", "out/public", "--original", "people.csv", "--json"]).done().json();
    assert_eq!(document["passed"], true);
    assert_keys(&document["checks"][0], &["name", "passed", "claim", "found"]);
    assert_eq!(stage.run(["audit", "out/public", "--quiet"]).done().stdout, "");
}

#[test]
fn an_audit_makes_the_release_again() {
    let stage = Stage::released();
    let with = |more: &[&str]| stage.run([&["audit", "out/public", "--original"], more].concat());
    let told = with(&["people.csv", "--mask", "out/private/mask.json"]).done().stdout;
    assert!(told.contains("original-rebuilt") && told.contains("Claimed is k-anonymity with k = 3"), "{told}");
    with(&["people.csv", "--policy", "policy.toml"]).done();
    let people = stage.read("people.csv");
    stage.write("others.csv", &people.replacen("flu", "gout", 1));
    assert!(with(&["others.csv"]).ended(1).stdout.contains("original-rebuilt  FAILED"));
}

#[test]
fn a_changed_release_fails_its_audit() {
    let stage = Stage::released();
    let data = stage.read("out/public/data.csv");
    stage.write("out/public/data.csv", &data.replacen("flu", "gout", 1));
    let ran = stage.run(["audit", "out/public"]).ended(1);
    assert!(ran.stdout.contains("FAILED") && ran.stdout.contains("failed: do not hand this release over"));
    assert_eq!(ran.stderr, "");
    let document = stage.run(["audit", "out/public", "--json"]).ended(1).json();
    assert_eq!(document["passed"], false);
    let quiet = stage.run(["audit", "out/public", "--quiet"]).ended(1).stdout;
    assert!(quiet.contains("FAILED") && !quiet.contains(" passed  "), "{quiet}");
}

#[test]
fn a_mask_is_applied_to_the_same_data_again() {
    let stage = Stage::released();
    let call = ["apply", "people.csv", "--mask", "out/private/mask.json", "--out", "again"];
    let ran = stage.run(call).done();
    assert!(ran.stdout.contains("Released ") && !ran.stdout.contains("optimal"), "{}", ran.stdout);
    assert_eq!(stage.read("again/public/data.csv"), stage.read("out/public/data.csv"));
    stage.run(["audit", "again/public"]).done();
}

#[test]
fn apply_speaks_json_and_refuses_what_is_not_safe() {
    let stage = Stage::released();
    let apply =
        |data: &str, out: &str| stage.run(["apply", data, "--mask", "out/private/mask.json", "--out", out, "--json"]);
    let document = apply("people.csv", "again").done().json();
    assert_keys(
        &document,
        &["records", "released", "suppressed", "method", "node", "classes", "risk", "privacy", "seconds"],
    );
    stage.write("few.csv", &people(4));
    assert_eq!(apply("few.csv", "few").ended(1).error()["kind"], "unsafe");
    assert!(!stage.path("few").exists());
    // Forty people are too few for the levels of the mask; other levels, or another limit, are enough.
    stage.write("some.csv", &people(40));
    let some = apply("some.csv", "some").ended(1).error();
    let (message, hint) = (some["message"].as_str().unwrap(), some["hint"].as_str().unwrap());
    assert!(
        message.contains("k-anonymity: ") && message.contains("fitted to 120 records and these are 40"),
        "{message}"
    );
    let flags: Vec<&str> = hint.split('`').find(|part| part.starts_with("--level ")).expect(hint).split(' ').collect();
    let call = ["apply", "some.csv", "--mask", "out/private/mask.json", "--out", "some"];
    stage.run(call.into_iter().chain(flags)).done();
    stage.run(["audit", "some/public"]).done();
}

#[test]
fn earlier_releases_are_compared() {
    let stage = Stage::released();
    let audit = |earlier: &str| stage.run(["audit", "out/public", "--against", earlier, "--json"]);
    let checks = audit("out/public").done().json()["checks"].clone();
    let names: Vec<&str> = checks.as_array().unwrap().iter().filter_map(|check| check["name"].as_str()).collect();
    assert!(names.ends_with(&["intersection", "difference"]), "{names:?}");
    // The wards of most people have changed: few are left who can be in both.
    let moved = people(120).replace("west", "north").replacen("north", "west", 2);
    stage.write("moved.csv", &moved);
    stage.run(["release", "moved.csv", "--policy", "policy.toml", "--out", "moved"]).done();
    stage.run(["audit", "moved/public"]).done();
    stage.run(["audit", "moved/public", "--against", "out/public"]).ended(1);
    let apply = ["apply", "moved.csv", "--mask", "out/private/mask.json", "--out", "again"];
    stage.run(apply.into_iter().chain(["--against", "out/public"])).ended(1);
    assert!(!stage.files().contains(&"again".to_owned()));
    stage.run(apply).done();
}
