//! The risk of small tables, worked out by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use equanym_engine::error::{Error, Kind, Result};
use equanym_engine::machine::Resources;
use equanym_engine::policy::Policy;
use equanym_engine::progress::{Progress, Silent};
use equanym_engine::read::Reading;
use equanym_engine::run::risk::{QuasiChoice, RiskReport, SizeBand, risk};

use crate::stage::refused;
use tempfile::TempDir;

fn resources() -> Resources {
    Resources { threads: 2, memory: 64 << 20, ..Resources::default() }
}

fn policy(text: &str) -> Policy {
    Policy::parse(text, &|_| Err(Error::input("no files here"))).unwrap()
}

fn measure(table: &str, policy: Option<&Policy>) -> Result<RiskReport> {
    let folder = TempDir::new().unwrap();
    let data: PathBuf = folder.path().join("data.csv");
    fs::write(&data, table).unwrap();
    let progress: Arc<dyn Progress> = Arc::new(Silent);
    risk(&data, policy, &Reading::default(), &resources(), &progress)
}

const PEOPLE: &str = "ward,age,sex\nA,30,m\nA,30,m\nB,30,f\nB,40,f\nA,40,f\nA,40.0,f\n";

const AGE_AND_SEX: &str = "variables.age = { role = \"quasi-identifying\", type = \"number\" }\n\
                           variables.sex = { role = \"quasi-identifying\" }\n\
                           variables.ward = { role = \"insensitive\" }";

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

#[test]
fn a_policy_says_which_columns_count() {
    let found = measure(PEOPLE, Some(&policy(AGE_AND_SEX))).unwrap();
    // Three classes: two men of 30, one woman of 30, three women of 40.
    assert_eq!((found.records, found.chosen_by), (6, QuasiChoice::Policy));
    assert_eq!((found.classes.count, found.classes.min, found.classes.max), (3, 1, 3));
    near(found.classes.mean, 2.0);
    assert_eq!(found.uniques.records, 1);
    near(found.uniques.share, 1.0 / 6.0);
    near(found.risk.measures.prosecutor_max, 1.0);
    near(found.risk.measures.prosecutor_mean, 0.5);
    near(found.risk.measures.records_at_risk, 1.0);
    near(found.risk.threshold, 0.2);
}

#[test]
fn each_variable_is_measured_on_its_own() {
    let found = measure(PEOPLE, Some(&policy(AGE_AND_SEX))).unwrap();
    let [age, sex] = found.quasi_identifiers.as_slice() else { panic!("two variables") };
    // 15 pairs of records: age joins 3 + 3 of them, sex 1 + 6.
    assert_eq!((age.name.as_str(), age.distinct), ("age", 2));
    near(age.distinction, 2.0 / 6.0);
    near(age.separation, 9.0 / 15.0);
    assert_eq!((sex.name.as_str(), sex.distinct), ("sex", 2));
    near(sex.separation, 8.0 / 15.0);
}

#[test]
fn sizes_fall_into_bands() {
    let mut table = "group\n".to_owned();
    for (group, size) in [1, 1, 2, 3, 4, 5, 10, 11, 20, 21, 100, 101].into_iter().enumerate() {
        table.push_str(&format!("g{group}\n").repeat(size));
    }
    let policy = policy("variables.group = { role = \"quasi-identifying\" }");
    let band = |from, to, classes, records| SizeBand { from, to, classes, records, persons: None };
    let expected = [
        band(1, Some(1), 2, 2),
        band(2, Some(2), 1, 2),
        band(3, Some(4), 2, 7),
        band(5, Some(10), 2, 15),
        band(11, Some(20), 2, 31),
        band(21, Some(100), 2, 121),
        band(101, None, 1, 101),
    ];
    let found = measure(&table, Some(&policy)).unwrap();
    assert_eq!(found.sizes, expected);
    near(found.risk.measures.records_at_risk, 11.0 / 279.0);
}

#[test]
fn numbers_are_compared_as_numbers_and_missing_is_a_value() {
    let table = "x,y\n1e2,a\n100,a\n100.0,a\n,a\n";
    let as_number = policy(
        "variables.x = { role = \"quasi-identifying\", type = \"number\" }\nvariables.y = { role = \"insensitive\" }",
    );
    let as_text = policy("variables.x = { role = \"quasi-identifying\" }\nvariables.y = { role = \"insensitive\" }");
    assert_eq!(measure(table, Some(&as_number)).unwrap().classes.count, 2);
    assert_eq!(measure(table, Some(&as_text)).unwrap().classes.count, 4);
}

#[test]
fn without_a_policy_the_draft_chooses() {
    let found = measure("name,age,sex\na,30,m\nb,31,m\nc,31,f\nd,30,m\n", None).unwrap();
    let names: Vec<&str> = found.quasi_identifiers.iter().map(|one| one.name.as_str()).collect();
    assert_eq!((found.chosen_by, names), (QuasiChoice::Draft, vec!["age", "sex"]));
    assert_eq!((found.classes.count, found.uniques.records), (3, 2));
}

#[test]
fn the_report_has_stable_keys() {
    let json = serde_json::to_value(measure(PEOPLE, Some(&policy(AGE_AND_SEX))).unwrap()).unwrap();
    assert_eq!(json["chosen_by"], "policy");
    assert_eq!(json["risk"]["prosecutor_max"], 1.0);
    assert_eq!(json["risk"]["threshold"], 0.2);
    assert_eq!(json["uniques"]["records"], 1);
    assert_eq!(json["quasi_identifiers"][0]["name"], "age");
    assert_eq!(json["classes"]["count"], 3);
    assert_eq!(json["sizes"][6]["to"], serde_json::Value::Null);
}

#[test]
fn a_table_without_records_is_refused() {
    for policy in [Some(policy(AGE_AND_SEX)), None] {
        let error = measure("ward,age,sex\n", policy.as_ref()).unwrap_err();
        assert_eq!((error.kind, error.message.starts_with("0 records")), (Kind::Unsafe, true));
    }
}

#[test]
fn a_policy_without_quasi_identifiers_is_refused() {
    let ended = measure("x\n1\n", Some(&policy("variables.x = { role = \"insensitive\" }")));
    refused(ended, Path::new("no folder"));
}

#[test]
fn a_policy_for_another_table_is_refused() {
    let error = measure("age,sexx,ward\n1,2,3\n", Some(&policy(AGE_AND_SEX))).unwrap_err();
    assert_eq!(error.kind, Kind::Input);
}
