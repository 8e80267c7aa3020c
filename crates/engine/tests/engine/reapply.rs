//! A stored mask over other data: what happens to unknown values, and what two releases tell together.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::releasing;
use equanym_engine::error::{Kind, Result};
use equanym_engine::machine::Resources;
use equanym_engine::progress::Silent;
use equanym_engine::read::Reading;
use equanym_engine::run::Released;
use equanym_engine::run::apply::{self, ApplyRequest};
use equanym_engine::write::mask_file::StoredMask;
use tempfile::{TempDir, tempdir};

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
fn first(new_values: &str, limit: f64) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("first.csv"), table(&TOWNS)).unwrap();
    let policy = releasing::policy(&policy(new_values, limit));
    releasing::run(&folder.path().join("first.csv"), &policy, &folder.path().join("first"), 2).unwrap();
    folder
}

fn apply(folder: &Path, mask: &str, data: &str, out: &str, against: &[PathBuf]) -> Result<Released> {
    let stored = StoredMask::from_json(&fs::read_to_string(folder.join(mask)).unwrap()).unwrap();
    let path = folder.join("next.csv");
    fs::write(&path, data).unwrap();
    let (resources, progress) = (Resources::default(), Arc::new(Silent));
    apply::apply(ApplyRequest {
        data: &path,
        stored,
        out: &folder.join(out),
        folder: None,
        against,
        cluster: None,
        resources,
        progress,
    })
}

const MASK: &str = "first/private/mask.json";

fn with_new(count: usize) -> String {
    table(&[TOWNS[0], TOWNS[1], TOWNS[2], ("Newby", count)]) + &"Aby,unknown,flu\n".repeat(count)
}

fn audit(folder: &Path, out: &str) {
    assert_eq!(releasing::faults(&folder.join("next.csv"), &Reading::default(), &folder.join(out)), [""; 0]);
}

#[test]
fn new_values_are_an_error_unless_the_policy_says_otherwise() {
    let folder = first("error", 0.5);
    let error = apply(folder.path(), MASK, &with_new(6), "second", &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Input);
    assert!(error.message.contains("column `town`: 1 distinct values") && !error.to_string().contains("Newby"));
    assert!(!folder.path().join("second").exists());
}

#[test]
fn new_values_go_to_the_top() {
    let folder = first("top", 0.5);
    let released = apply(folder.path(), MASK, &with_new(6), "second", &[]).unwrap();
    assert_eq!((released.report.released, released.report.suppressed), (42, 0));
    let data = fs::read_to_string(folder.path().join("second/public/data.csv")).unwrap();
    assert_eq!(data.matches("*,\"[20, 30[\"").count(), 6, "{data}");
    assert_eq!(data.matches("North,*").count(), 6, "{data}");
    audit(folder.path(), "second");
    // Too few to hide among: withheld, within the limit; beyond it there is no release.
    assert_eq!(apply(folder.path(), MASK, &with_new(3), "third", &[]).unwrap().report.suppressed, 6);
    let narrow = first("top", 0.1);
    assert_eq!(apply(narrow.path(), MASK, &with_new(3), "second", &[]).unwrap_err().kind, Kind::Unsafe);
}

#[test]
fn new_values_take_their_records_out() {
    let folder = first("suppress", 0.5);
    let released = apply(folder.path(), MASK, &with_new(6), "second", &[]).unwrap();
    assert_eq!((released.report.released, released.report.suppressed), (30, 12));
    audit(folder.path(), "second");
    let data = fs::read_to_string(folder.path().join("second/public/data.csv")).unwrap();
    assert!(!data.contains('*') && !data.contains('\0'));
    // The new mask does the same once more.
    let again = apply(folder.path(), "second/private/mask.json", &with_new(6), "third", &[]).unwrap();
    assert_eq!((again.report.released, again.report.suppressed), (30, 12));
    let narrow = first("suppress", 0.1);
    assert_eq!(apply(narrow.path(), MASK, &with_new(6), "second", &[]).unwrap_err().kind, Kind::Unsafe);
}

#[test]
fn a_release_that_adds_up_with_an_earlier_one_is_refused() {
    let folder = first("error", 0.0);
    let against = [folder.path().join("first/public")];
    apply(folder.path(), MASK, &table(&TOWNS), "same", &against).unwrap();
    // In the south all but two people are others, whose illness tells them apart.
    let changed = table(&TOWNS).replace("Cby,20,flu", "Cby,20,rare");
    let changed: String = changed
        .lines()
        .enumerate()
        .map(|(line, text)| if line > 23 { text.replace("flu", "x").replace("gout", "y").replace("mumps", "z") } else { text.to_owned() } + "\n")
        .collect();
    let error = apply(folder.path(), MASK, &changed, "other", &against).unwrap_err();
    assert_eq!((error.kind, error.message.contains("intersection")), (Kind::Unsafe, true), "{error}");
    assert!(!folder.path().join("other").exists());
    apply(folder.path(), MASK, &changed, "other", &[]).unwrap();
    let error = apply(folder.path(), MASK, &changed, "more", &[PathBuf::from("nowhere")]).unwrap_err();
    assert_eq!(error.kind, Kind::Input);
}
