//! Treatments and their key, as the program tells them.

use std::fmt::Write;

use super::stage::Stage;

const POLICY: &str = "[data]\nperson = \"patient_id\"\n[variables.patient_id]\nrole = \"pseudonym\"\n\
                      [variables.born]\nrole = \"quasi-identifying\"\nderive = { age_at = \"came\", top = 45 }\n\
                      hierarchy = { intervals = [10] }\n\
                      [variables.came]\nrole = \"insensitive\"\nshift = { days = 30, by = \"patient_id\" }\n\
                      [variables.cost]\nrole = \"insensitive\"\nround = 50\n\
                      [[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n";

/// Thirty patients with two records each.
fn stage() -> Stage {
    let stage = Stage::empty();
    let rows = (0..60).fold(String::new(), |mut rows, record| {
        let person = record / 2;
        writeln!(rows, "canary{person},{}-01-01,2024-0{}-15,{}", 1970 + person, 1 + record % 2, 7 * record).unwrap();
        rows
    });
    stage.write("data.csv", &format!("patient_id,born,came,cost\n{rows}"));
    stage.write("policy.toml", POLICY);
    stage
}

fn release(stage: &Stage, out: &str, more: &[&str]) -> serde_json::Value {
    let base = ["release", "data.csv", "--policy", "policy.toml", "--out", out, "--json"];
    stage.run(base.iter().chain(more)).done().json()
}

#[test]
fn a_key_is_made_told_of_and_used_again() {
    let stage = stage();
    let made = release(&stage, "one", &[]);
    assert_eq!(made["key"], "private/key");
    let again = release(&stage, "two", &["--key", "one/private/key"]);
    assert!(again.get("key").is_none() && !stage.path("two/private/key").exists());
    assert_eq!(stage.read("one/public/data.csv"), stage.read("two/public/data.csv"));
    release(&stage, "three", &[]);
    assert_ne!(stage.read("one/public/data.csv"), stage.read("three/public/data.csv"));

    let told = stage.run(["release", "data.csv", "--policy", "policy.toml", "--out", "four"]).done().stdout;
    for part in [
        "a keyed token in place of each value",
        "the age in whole years at the date in `came`; 45 stands for 45 or more; then bands of width 10",
        "rounded to multiples of 50",
        "the key of its tokens and dates: whoever has it can undo them",
        "its tokens show which records belong together",
    ] {
        assert!(told.contains(part), "no {part:?} in {told}");
    }
    let key = stage.read("four/private/key");
    assert!(!told.contains(&key[..16]) && !told.contains("canary"));
    for page in
        ["public/report.html", "public/report.json", "public/manifest.json", "private/report.html", "private/mask.json"]
    {
        let page = stage.read(format!("four/{page}"));
        assert!(!page.contains(&key[..16]) && !page.contains("canary"), "{page}");
    }
}

#[test]
fn an_audit_takes_the_key_and_says_what_it_did_not_compare() {
    let stage = stage();
    release(&stage, "out", &[]);
    release(&stage, "other", &[]);
    let base = ["audit", "out/public", "--original", "data.csv", "--mask", "out/private/mask.json"];
    let without = stage.run(base).done().stdout;
    assert!(without.contains("\"patient_id\" (it takes the key), \"came\" (it takes the key)"), "{without}");
    let with = stage.run(base.iter().chain(&["--key", "out/private/key"])).done().stdout;
    assert!(!with.contains("not compared") && with.contains("the key is that of the mask"), "{with}");
    stage.run(base.iter().chain(&["--key", "other/private/key"])).ended(1);
}

#[test]
fn a_mask_applied_without_its_key_says_that_nothing_matches() {
    let stage = stage();
    release(&stage, "out", &[]);
    let base = ["apply", "data.csv", "--mask", "out/private/mask.json"];
    let fresh = stage.run(base.iter().chain(&["--out", "fresh"])).done();
    assert!((fresh.stdout + &fresh.stderr).contains("tokens and moved dates do not match"));
    let same = stage.run(base.iter().chain(&["--out", "same", "--key", "out/private/key"])).done();
    assert!(!(same.stdout + &same.stderr).contains("do not match"));
    assert_eq!(stage.read("same/public/data.csv"), stage.read("out/public/data.csv"));
}
