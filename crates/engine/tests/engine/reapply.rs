//! A stored mask over other data: what happens to unknown values, and what two releases tell together.

use std::fmt::Write;
use std::path::PathBuf;

use crate::releasing;
use crate::requests;
use crate::stage::Stage;
use equanym_engine::error::{Kind, Result};
use equanym_engine::mask::StoredMask;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::apply::{self, Adjustment, ApplyRequest};

/// Three towns of ten people each, in two counties; ages in two bands.
fn table(towns: &[(&str, usize)]) -> String {
    let mut text = "town,age,illness\n".to_owned();
    for (town, people) in towns {
        for person in 0..*people {
            let illness = ["flu", "gout", "mumps"][person % 3];
            writeln!(text, "{town},{},{illness}", 20 + person % 8).unwrap();
        }
    }
    text
}

const TOWNS: [(&str, usize); 3] = [("Aby", 10), ("Bby", 10), ("Cby", 10)];

fn policy(new_values: &str, limit: f64) -> String {
    format!(
        "[variables.town]\nrole = \"quasi-identifying\"\nlevels = {{ min = 1, max = 1 }}\n\
         hierarchy = {{ groups = [{{ North = [\"Aby\", \"Bby\"], South = [\"Cby\"] }}] }}\n\
         [variables.age]\nrole = \"quasi-identifying\"\nhierarchy = {{ intervals = [10] }}\nlevels = {{ min = 1, max = 1 }}\n\
         [variables.illness]\nrole = \"sensitive\"\n\
         [[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n\
         [method]\nnew_values = \"{new_values}\"\nsuppression_limit = {limit}\n"
    )
}

/// A first release in `first`.
fn first(new_values: &str, limit: f64) -> Stage {
    let stage = Stage::with(table(&TOWNS));
    stage.release(&releasing::policy(&policy(new_values, limit)), "first").unwrap();
    stage
}

fn apply(stage: &Stage, mask: &str, data: &str, out: &str, against: &[PathBuf]) -> Result<FinishedRelease> {
    apply_otherwise(stage, mask, data, out, (against, Adjustment::default()))
}

fn apply_otherwise(
    stage: &Stage,
    mask: &str,
    data: &str,
    out: &str,
    (against, adjustment): (&[PathBuf], Adjustment),
) -> Result<FinishedRelease> {
    let stored = StoredMask::from_json(&stage.read(mask)).unwrap();
    let path = stage.write("data.csv", data);
    apply::apply(ApplyRequest { adjustment, against, ..requests::apply(&path, stored, &stage.path(out)) })
}

const MASK: &str = "first/private/mask.json";

fn with_new(count: usize) -> String {
    table(&[TOWNS[0], TOWNS[1], TOWNS[2], ("Newby", count)]) + &"Aby,unknown,flu\n".repeat(count)
}

#[test]
fn new_values_are_an_error_unless_the_policy_says_otherwise() {
    let stage = first("error", 0.5);
    let error = stage.refused(apply(&stage, MASK, &with_new(6), "second", &[]));
    assert!(!error.to_string().contains("Newby"));
    assert!(!stage.path("second").exists());
}

#[test]
fn new_values_go_to_the_top() {
    let stage = first("top", 0.5);
    let released = apply(&stage, MASK, &with_new(6), "second", &[]).unwrap();
    assert_eq!((released.report.released, released.report.suppressed), (42, 0));
    let data = stage.released("second");
    assert_eq!(data.matches("*,\"[20, 30[\"").count(), 6, "{data}");
    assert_eq!(data.matches("North,*").count(), 6, "{data}");
    stage.audit("second");
    // Too few to hide among: withheld, within the limit; beyond it there is no release.
    assert_eq!(apply(&stage, MASK, &with_new(3), "third", &[]).unwrap().report.suppressed, 6);
    let narrow = first("top", 0.1);
    assert_eq!(apply(&narrow, MASK, &with_new(3), "second", &[]).unwrap_err().kind, Kind::Unsafe);
}

#[test]
fn new_values_take_their_records_out() {
    let stage = first("suppress", 0.5);
    let released = apply(&stage, MASK, &with_new(6), "second", &[]).unwrap();
    assert_eq!((released.report.released, released.report.suppressed), (30, 12));
    stage.audit("second");
    let data = stage.released("second");
    assert!(!data.contains('*') && !data.contains('\0'));
    // The new mask does the same once more.
    let again = apply(&stage, "second/private/mask.json", &with_new(6), "third", &[]).unwrap();
    assert_eq!((again.report.released, again.report.suppressed), (30, 12));
    let narrow = first("suppress", 0.1);
    assert_eq!(apply(&narrow, MASK, &with_new(6), "second", &[]).unwrap_err().kind, Kind::Unsafe);
}

#[test]
fn a_release_that_adds_up_with_an_earlier_one_is_refused() {
    let stage = first("error", 0.0);
    let against = [stage.path("first/public")];
    apply(&stage, MASK, &table(&TOWNS), "same", &against).unwrap();
    // In the south all but two people are others, whose illness tells them apart.
    let changed = table(&TOWNS).replace("Cby,20,flu", "Cby,20,rare");
    let changed: String = changed
        .lines()
        .enumerate()
        .map(|(line, text)| if line > 23 { text.replace("flu", "x").replace("gout", "y").replace("mumps", "z") } else { text.to_owned() } + "\n")
        .collect();
    let error = stage.refused(apply(&stage, MASK, &changed, "other", &against));
    assert!(!error.to_string().contains("South"), "{error}");
    let shown = Adjustment { show_values: true, ..Adjustment::default() };
    stage.refused(apply_otherwise(&stage, MASK, &changed, "other", (&against, shown)));
    assert!(!stage.path("other").exists());
    apply(&stage, MASK, &changed, "other", &[]).unwrap();
    stage.refused(apply(&stage, MASK, &changed, "more", &[PathBuf::from("nowhere")]));
}

/// So many people of each age from 20 to 59 in each of four towns.
fn ages(people: usize) -> String {
    let mut text = "town,age,illness\n".to_owned();
    for (town, age) in ["Aby", "Bby", "Cby", "Dby"].iter().flat_map(|town| (20..60).map(move |age| (town, age))) {
        text += &format!("{town},{age},flu\n").repeat(people);
    }
    text
}

/// A release of a year in `first`, at the values as collected.
fn year() -> Stage {
    let stage = Stage::with(ages(24));
    let policy = "[variables.town]\nrole = \"quasi-identifying\"\nlevels = { max = 0 }\n\
                  [variables.age]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [5, 10, 20] }\n\
                  [variables.illness]\nrole = \"insensitive\"\n\
                  [[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n";
    let released = stage.release(&releasing::policy(policy), "first").unwrap();
    assert_eq!(released.report.node.0, [("town".to_owned(), 0), ("age".to_owned(), 0)]);
    stage
}

#[test]
fn a_mask_of_a_year_says_what_would_serve_a_month() {
    let stage = year();
    let month = ages(2);
    stage.refused(apply(&stage, MASK, &month, "month", &[]));
    assert!(!stage.path("month").exists());
    let levels = |age| Adjustment { levels: vec![("age".to_owned(), age)], ..Adjustment::default() };
    let released = apply_otherwise(&stage, MASK, &month, "month", (&[], levels(1))).unwrap();
    assert_eq!((released.report.released, released.report.classes.min), (320, 10));
    stage.audit("month");
    // The new mask holds the same ladders.
    let again = apply(&stage, "month/private/mask.json", &ages(1), "week", &[]).unwrap();
    assert_eq!(again.report.classes.min, 5);
    stage.refused(apply(&stage, MASK, &ages(1).replace("Dby", "Cby"), "few", &[]));
    for (name, level) in [("age", 9), ("town", 1), ("ward", 1)] {
        let wish = Adjustment { levels: vec![(name.to_owned(), level)], ..Adjustment::default() };
        stage.refused(apply_otherwise(&stage, MASK, &month, "other", (&[], wish)));
    }
}

#[test]
fn no_levels_are_told_where_none_is_safe() {
    let stage = year();
    stage.refused(apply(&stage, MASK, "town,age,illness\nAby,20,flu\nBby,21,flu\n", "two", &[]));
}

#[test]
fn a_suppression_limit_of_its_own_is_kept() {
    let stage = year();
    // Two people of an age that nobody else has.
    let data = ages(5) + "Aby,61,flu\nAby,61,flu\n";
    stage.refused(apply(&stage, MASK, &data, "next", &[]));
    let limit = |limit| Adjustment { suppression_limit: Some(limit), ..Adjustment::default() };
    let released = apply_otherwise(&stage, MASK, &data, "next", (&[], limit(0.002_494))).unwrap();
    assert_eq!(released.report.suppressed, 2);
    stage.audit("next");
    stage.refused(apply_otherwise(&stage, MASK, &data, "more", (&[], limit(1.5))));
}

#[test]
fn columns_and_values_that_differ_are_named() {
    let stage = first("error", 0.0);
    let renamed = table(&TOWNS).replace("town,age,illness", "Town,age,diagnosis,ward").replace(",flu\n", ",flu,1\n");
    let renamed = renamed.replace(",gout\n", ",gout,1\n").replace(",mumps\n", ",mumps,1\n");
    stage.refused(apply(&stage, MASK, &renamed, "next", &[]));
}

#[test]
fn a_mask_of_an_older_layout_is_still_applied() {
    let stage = year();
    let mut mask = stage.json(MASK);
    assert_eq!((mask["format"].clone(), mask["ladders"][1]["levels"].as_array().unwrap().len()), (3.into(), 5));
    mask["format"] = 1.into();
    for key in ["ladders", "fitted_to"] {
        mask.as_object_mut().unwrap().remove(key).unwrap();
    }
    stage.write(MASK, mask.to_string());
    assert_eq!(apply(&stage, MASK, &ages(5), "next", &[]).unwrap().report.released, 800);
    stage.refused(apply(&stage, MASK, &ages(2), "month", &[]));
    mask["format"] = 4.into();
    stage.write(MASK, mask.to_string());
    stage.refused(StoredMask::from_json(&mask.to_string()));
}

#[test]
fn a_ladder_lists_each_label_once() {
    let stage = first("top", 0.5);
    let text = stage.read(MASK);
    let line = "            \"North\": [\"Aby\",\"Bby\"],\n";
    assert!(text.contains(line) && !text.contains("\"Aby\": \"North\""), "{text}");
    // Values that came later stand in the recoding alone.
    apply(&stage, MASK, &with_new(6), "second", &[]).unwrap();
    let second = stage.json("second/private/mask.json");
    assert_eq!(second["mask"]["columns"][0]["recoding"]["labels"], serde_json::json!({"Newby": "*"}));
    let again = apply(&stage, "second/private/mask.json", &with_new(6), "third", &[]).unwrap();
    assert_eq!(again.report.suppressed, 0);
    stage.audit("third");
    // In layout 2 every level had a label for each value, and the recoding repeated them.
    let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
    let labels = serde_json::json!({"Aby": "North", "Bby": "North", "Cby": "South"});
    let level = serde_json::json!({"level": 1, "levels": 3, "rule": {"rule": "listed"}, "labels": labels});
    old["format"] = 2.into();
    old["ladders"][0]["levels"][1] = level;
    old["mask"]["columns"][0]["recoding"]["labels"] = labels.clone();
    stage.write("old.json", old.to_string());
    assert_eq!(apply(&stage, "old.json", &table(&TOWNS), "fourth", &[]).unwrap().report.released, 30);
    let now = StoredMask::from_json(&text).unwrap();
    assert_eq!(StoredMask::from_json(&old.to_string()).unwrap().ladders, now.ladders);
    for (pointer, value) in [
        ("/mask/columns/0/recoding/labels", serde_json::json!({"Aby": "South"})),
        ("/ladders/0/levels/1/groups/South", serde_json::json!(["Aby", "Cby"])),
        ("/ladders/0/levels/1/of", serde_json::json!(1)),
        ("/ladders/0/variable", serde_json::json!("city")),
        ("/mask/columns/0/recoding/levels", serde_json::json!(4)),
    ] {
        let mut other: serde_json::Value = serde_json::from_str(&text).unwrap();
        other["mask"]["columns"][0]["recoding"]["labels"] = serde_json::json!({});
        *other.pointer_mut(pointer).unwrap() = value;
        stage.refused(StoredMask::from_json(&other.to_string()));
    }
}
