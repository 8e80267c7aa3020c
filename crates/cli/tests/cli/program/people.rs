//! People instead of records, as the program tells them.

use std::fmt::Write;

use super::stage::{Stage, assert_keys};

const POLICY: &str = "[data]\nperson = \"patient_id\"\n[variables.age]\nrole = \"quasi-identifying\"\n\
                      hierarchy = { intervals = [10] }\n[variables.stay]\nrole = \"insensitive\"\n\
                      [[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n";

/// Thirty patients with two records each, ten of each decade.
fn stage() -> Stage {
    let stage = Stage::empty();
    let rows = (0..60).fold(String::new(), |mut rows, record| {
        writeln!(rows, "canary{},{},{}", record / 2, 20 + record / 2, record % 7).unwrap();
        rows
    });
    stage.write("data.csv", &format!("patient_id,age,stay\n{rows}"));
    stage.write("policy.toml", POLICY);
    stage
}

#[test]
fn people_stand_beside_records() {
    let stage = stage();
    let told = stage.run(["release", "data.csv", "--policy", "policy.toml", "--out", "out", "--json"]).done().json();
    assert_keys(&told, &["records", "persons", "persons_suppressed", "classes", "risk"]);
    assert_eq!((&told["records"], &told["persons"]), (&60.into(), &30.into()));
    assert_eq!((&told["classes"]["min"], &told["classes"]["max"]), (&10.into(), &10.into()));
    assert_eq!((&told["privacy"][0]["unit"], &told["privacy"][0]["checked"]), (&"people".into(), &"original".into()));
    let found = stage.run(["risk", "data.csv", "--policy", "policy.toml", "--json"]).done().json();
    assert_eq!(
        (&found["persons"], &found["classes"]["count"], &found["classes"]["max"]),
        (&30.into(), &30.into(), &1.into())
    );
    let compared = stage.run(["compare", "data.csv", "out", "--policy", "policy.toml", "--json"]).done().json();
    assert_eq!(compared["persons"], 30);
}

#[test]
fn words_say_people_and_what_that_leaves_open() {
    let stage = stage();
    let told = stage.run(["release", "data.csv", "--policy", "policy.toml", "--out", "out"]).done().stdout;
    for part in
        ["60 records of 30 people", "3 of 10 to 10 people", "holds, counted in people", "several records of one person"]
    {
        assert!(told.contains(part), "no {part:?} in {told}");
    }
    let found = stage.run(["risk", "data.csv"]).done().stdout;
    for part in ["60 records of 30 people", "told apart by", "60 classes hold one person alone", "would be recognised"]
    {
        assert!(found.contains(part), "no {part:?} in {found}");
    }
    let drafted = stage.run(["draft", "data.csv", "--out", "draft.toml"]).done();
    assert!((drafted.stdout + &drafted.stderr).contains("people are counted, told apart by `patient_id`"));
    for page in ["public/report.html", "private/report.html"] {
        let page = stage.read(format!("out/{page}"));
        assert!(page.contains("People are counted, not records") && !page.contains("canary"), "{page}");
    }
    let audited = stage.run(["audit", "out/public", "--original", "data.csv"]).done().stdout;
    assert!(audited.contains("every class holds 5 people or more"), "{audited}");
}
