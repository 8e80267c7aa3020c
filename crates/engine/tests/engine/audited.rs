//! The audit with the original: any format that a release takes, with the settings it was read by.

use std::fs;
use std::path::Path;

use equanym_audit::Verdict;
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::read::Reading;
use equanym_engine::run::audit::{AuditRequest, audit};

use crate::releasing::policy;
use crate::requests;
use crate::stage::Stage;

const POLICY: &str = "[variables.name]\nrole = \"identifying\"\n\
    [variables.age]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [10, 50] }\nlevels = { min = 1 }\n\
    [variables.town]\nrole = \"quasi-identifying\"\n\
    hierarchy = { groups = [{ North = [\"Aby\", \"Eby\"], South = [\"Oby\"] }] }\nlevels = { min = 1 }\n\
    [variables.illness]\nrole = \"sensitive\"\n\
    [[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n\
    [method]\nsuppression_limit = 0.1\n";

/// Records of a hundred people.
fn people() -> Vec<[String; 4]> {
    let town = |place: usize| ["Aby", "Eby", "Oby", ""][place % 4].to_owned();
    let person = |place: usize| {
        let illness = ["flu", "cold", "=gout"][place % 3].to_owned();
        [format!("p{place}"), (20 + place * 7 % 40).to_string(), town(place), illness]
    };
    (0..100).map(person).collect()
}

fn text(people: &[[String; 4]], delimiter: &str) -> String {
    let lines = people.iter().map(|person| person.join(delimiter) + "\n").collect::<Vec<_>>().concat();
    format!("{}\n{lines}", ["name", "age", "town", "illness"].join(delimiter))
}

/// A release of the table in `out`.
fn released(policy: &Policy, table: &str) -> Stage {
    let stage = Stage::with(table);
    stage.release(policy, "out").unwrap();
    stage
}

fn compared(stage: &Stage, original: &Path, reading: &Reading) -> Result<Verdict> {
    let (public, mask) = (stage.path("out/public"), stage.path("out/private/mask.json"));
    audit(&AuditRequest { original: Some(original), reading, mask: Some(&mask), ..requests::audit(&public) })
}

fn failed(verdict: &Verdict) -> Vec<&'static str> {
    verdict.failures().map(|check| check.name).collect()
}

fn ndjson(people: &[[String; 4]]) -> String {
    let line = |[name, age, town, illness]: &[String; 4]| {
        let town = if town.is_empty() { "null".to_owned() } else { format!("\"{town}\"") };
        format!("{{\"name\":\"{name}\",\"age\":{age},\"town\":{town},\"illness\":\"{illness}\"}}\n")
    };
    people.iter().map(line).collect::<Vec<_>>().concat()
}

#[test]
fn the_original_may_have_any_format() {
    for format in ["csv", "parquet"] {
        let wanted = policy(&format!("{POLICY}[output]\nformat = \"{format}\"\n"));
        let stage = released(&wanted, &text(&people(), ","));
        let parts = stage.path("parts");
        fs::create_dir(&parts).unwrap();
        fs::write(parts.join("a.csv"), text(&people()[..40], ",")).unwrap();
        fs::write(parts.join("b.csv"), text(&people()[40..], ",")).unwrap();
        for original in [
            stage.data(),
            stage.write("semicolons.csv", text(&people(), ";")),
            stage.write("tabs.tsv", text(&people(), "\t")),
            stage.write("lines.ndjson", ndjson(&people())),
            parts,
        ] {
            let verdict = compared(&stage, &original, &Reading::default()).unwrap();
            assert_eq!(failed(&verdict), [""; 0], "{}", original.display());
            assert!(verdict.checks.iter().any(|check| check.name == "original-rebuilt"), "{}", original.display());
        }
    }
}

#[test]
fn the_original_is_read_by_the_same_settings() {
    let marked: Vec<[String; 4]> = people()
        .into_iter()
        .map(|[name, age, town, illness]| [name, age, if town.is_empty() { "NA".to_owned() } else { town }, illness])
        .collect();
    let wanted = policy(&format!("{POLICY}[data]\nmissing = [\"NA\"]\ntrim = true\ndelimiter = \"|\"\n"));
    let stage = released(&wanted, &text(&marked, " | "));
    let data = stage.data();
    assert_eq!(failed(&compared(&stage, &data, &wanted.data).unwrap()), [""; 0]);
    let careless = Reading { missing: Vec::new(), ..wanted.data.clone() };
    assert_eq!(failed(&compared(&stage, &data, &careless).unwrap()), ["original-rebuilt"]);
}

#[test]
fn another_table_of_the_same_shape_is_not_the_original() {
    let stage = released(&policy(POLICY), &text(&people(), ","));
    let mut others = people();
    others[17][3] = "gout".to_owned();
    let other = stage.write("other.csv", text(&others, ","));
    assert_eq!(failed(&compared(&stage, &other, &Reading::default()).unwrap()), ["original-rebuilt"]);
}

#[test]
fn an_original_that_cannot_be_read_is_said_as_release_says_it() {
    let stage = released(&policy(POLICY), &text(&people(), ","));
    stage.refused(compared(&stage, &stage.path("absent.csv"), &Reading::default()));
    let ragged = stage.write("ragged.csv", text(&people(), ",") + "p,1\n");
    stage.refused(compared(&stage, &ragged, &Reading::default()));
}

#[test]
fn a_release_without_a_promise_says_so() {
    let wanted = "[variables.name]\nrole = \"identifying\"\n\
        [variables.age]\nrole = \"quasi-identifying\"\nwalk = true\n\
        [variables.town]\nrole = \"insensitive\"\n[variables.illness]\nrole = \"insensitive\"\n\
        [method]\nname = \"random-walk\"\nseed = 7\n";
    let stage = released(&policy(wanted), &text(&people(), ","));
    let manifest = stage.read("out/public/manifest.json");
    assert!(manifest.contains("\"guarantee\": \"none\""), "{manifest}");
    let verdict = compared(&stage, &stage.data(), &Reading::default()).unwrap();
    assert_eq!(failed(&verdict), [""; 0]);
    assert!(verdict.claimed.contains("no privacy model"), "{}", verdict.claimed);
    assert!(verdict.claimed.contains("with new values, which no model covers: \"age\""), "{}", verdict.claimed);
}

/// The audit knows this layout by its name. Other bytes under the same name would make honest releases of an earlier
/// version look forged: whoever changes them gives the layout another name, in both rooms.
#[test]
fn the_layout_of_parquet_stays_as_it_is() {
    let wanted = policy(&format!("{POLICY}[output]\nformat = \"parquet\"\n"));
    let stage = released(&wanted, &text(&people(), ","));
    let manifest = stage.json("out/public/manifest.json");
    assert_eq!(manifest["data"]["sha256"], "9d408889b29a05dc24d7625a727688024e509bed976aeb7ebebf895fd067b5cb");
}
