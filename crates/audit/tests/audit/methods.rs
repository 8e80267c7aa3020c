//! Local recoding and new values: what their claims must keep.

use serde_json::json;

use crate::release::{HEADER, Release, Rows, csv_bytes, only_failure, rows};

fn local() -> (Release, Rows) {
    Release::local(["-3", "[25, 29]"])
}

/// The honest release whose last column holds new numbers.
pub fn renewed() -> (Release, Rows) {
    let mut rows = rows();
    for row in &mut rows {
        row[7] = row[7].replace("note ", "-1.5");
    }
    rows.sort();
    let mut release = Release::honest();
    release.set_data(&csv_bytes(&HEADER, &rows));
    release.manifest["columns"][7] =
        json!({"name": "note", "role": "quasi-identifying", "new_values": {"covered": false}});
    release.claim("/method", json!("random-walk"));
    (release, rows)
}

#[test]
fn local_recoding_passes() {
    assert_eq!(local().0.failures(), [""; 0]);
}

#[test]
fn a_claim_names_the_rule_of_its_column() {
    let claims = |release: &Release| -> Vec<String> {
        let checks = release.audit().checks.into_iter().filter(|check| check.name == "labels");
        checks.filter_map(|check| check.claim.split_once(": ").map(|(_, rule)| rule.to_owned())).collect()
    };
    assert_eq!(claims(&Release::honest()), ["interval", "as collected", "prefix", "date", "listed", "top"]);
    let found = Release::honest().audit().checks.into_iter().filter(|check| check.name == "labels");
    let found: Vec<String> = found.map(|check| check.found).collect();
    assert_eq!(
        found,
        [
            "it does, with width = \"5\"",
            "it does",
            "it does, with keep = 3",
            "it does, with format = \"YYYY-MM-DD\", grain = \"month\"",
            "it does",
            "it does"
        ]
    );
    let local = claims(&local().0);
    assert_eq!([&local[0], &local[4]], ["a number or range of each class", "of any level, listed"]);
    let mut release = Release::honest();
    release.manifest["columns"][0]["labels"]["or_top"] = json!(true);
    assert_eq!(claims(&release)[0], "interval, or the top");
}

#[test]
fn what_is_no_range_fails() {
    for label in ["[29, 25]", "[25, 30[", "25.0", "young"] {
        let (mut release, mut rows) = local();
        rows.iter_mut().filter(|row| row[0].starts_with('[')).for_each(|row| row[0] = label.to_owned());
        rows.sort();
        release.set_data(&csv_bytes(&HEADER, &rows));
        assert_eq!(release.failures(), ["labels"], "{label}");
    }
}

#[test]
fn a_label_that_no_list_names_fails() {
    let (mut release, _) = local();
    release.claim("/columns/4/labels/values", json!(["Higher"]));
    assert_eq!(release.failures(), ["labels"]);
    let (mut release, _) = local();
    release.claim("/columns/4/labels/values", json!(["Higher", "Lower", "Middle"]));
    assert_eq!(release.failures(), ["labels"]);
    let (mut release, _) = local();
    release.manifest["columns"][4]["labels"] = json!({"rule": "any-level"});
    assert_eq!(release.failures(), ["labels"]);
    assert_eq!(only_failure(&release), "its list is absent");
}

#[test]
fn k_anonymity_is_counted_over_local_labels() {
    let (mut release, mut rows) = local();
    rows[0][0] = "7".to_owned();
    rows.sort();
    release.set_data(&csv_bytes(&HEADER, &rows));
    let failures = release.failures();
    assert!(failures.contains(&"k-anonymity") && failures.contains(&"classes"), "{failures:?}");
}

/// The honest release whose last column holds these new values in turn.
fn renewed_as(cells: &[&str], claim: serde_json::Value) -> Release {
    let (mut release, mut rows) = renewed();
    for (row, cell) in rows.iter_mut().zip(cells.iter().cycle()) {
        (*cell).clone_into(&mut row[7]);
    }
    rows.sort();
    release.set_data(&csv_bytes(&HEADER, &rows));
    release.claim("/columns/7/new_values", claim);
    release
}

#[test]
fn new_dates_are_days_in_their_format() {
    let claim = |format: &str| json!({"covered": false, "dates": format});
    assert_eq!(renewed_as(&["29.02.2024", "", "01.01.1999"], claim("DD.MM.YYYY")).failures(), [""; 0]);
    for cell in ["29.02.2023", "2024-02-29", "7", "soon"] {
        assert_eq!(renewed_as(&["29.02.2024", cell], claim("DD.MM.YYYY")).failures(), ["new-values"], "{cell}");
    }
    let unknown = renewed_as(&["29.02.2024"], claim("D.M.Y"));
    assert_eq!(unknown.failures(), ["labels"]);
    assert_eq!(only_failure(&unknown), "the format of its dates is not known to this audit");
}

#[test]
fn new_words_are_those_of_their_list_and_no_others() {
    let claim = |words: &[&str]| json!({"covered": false, "words": words});
    assert_eq!(renewed_as(&["high", "low", ""], claim(&["high", "low"])).failures(), [""; 0]);
    for words in [&["high"][..], &["high", "low", "medium"], &["low", "high"]] {
        assert_eq!(renewed_as(&["high", "low"], claim(words)).failures(), ["new-values"], "{words:?}");
    }
    let both = json!({"covered": false, "words": ["high"], "dates": "YYYY-MM-DD"});
    assert_eq!(renewed_as(&["high"], both).failures(), ["labels"]);
}

#[test]
fn new_values_pass_and_are_in_no_class() {
    assert_eq!(renewed().0.failures(), [""; 0]);
}

#[test]
fn new_values_that_are_no_numbers_or_said_to_be_covered_fail() {
    let (mut release, mut rows) = renewed();
    rows[0][7] = "note".to_owned();
    rows.sort();
    release.set_data(&csv_bytes(&HEADER, &rows));
    assert_eq!(release.failures(), ["new-values"]);
    let (mut release, _) = renewed();
    release.claim("/columns/7/new_values/covered", json!(true));
    assert_eq!(release.failures(), ["labels"]);
    assert_eq!(only_failure(&release), "no privacy model can cover new values");
    let (mut release, _) = renewed();
    release.manifest["columns"][7]["labels"] = json!({"rule": "range"});
    assert_eq!(release.failures(), ["labels"]);
}

#[test]
fn a_model_without_a_recoded_column_fails_and_none_must_be_said() {
    let (mut release, mut rows) = renewed();
    for (column, name) in HEADER.into_iter().enumerate().take(6) {
        release.manifest["columns"][column] = json!({"name": name, "role": "insensitive"});
    }
    rows.sort();
    release.claim("/classes", json!({"count": 1, "min": 16, "max": 16}));
    assert_eq!(release.failures(), ["privacy-model"]);
    release.claim("/privacy", json!([]));
    assert_eq!(release.failures(), ["claims"]);
    release.manifest["guarantee"] = json!("none");
    let verdict = release.audit();
    assert!(verdict.passed());
    assert!(
        verdict.claimed.starts_with("Claimed is no privacy model, so nothing is guaranteed; "),
        "{}",
        verdict.claimed
    );
}
