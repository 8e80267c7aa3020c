//! Comparing with earlier releases.

use std::path::{Path, PathBuf};

use equanym_audit::{AuditError, DIFFERENCE, INTERSECTION, Options, Verdict};
use serde_json::{Value, json};

use crate::release::{HEADER, NOTE, Release, Rows, csv_bytes, failures, options};

fn compared(release: &Release, earlier: &Path) -> Result<Verdict, AuditError> {
    let against = [earlier.to_path_buf()];
    release.audit_with(&Options { against: &against, ..options() })
}

fn found(release: &Release, earlier: &Release) -> (Vec<&'static str>, String) {
    earlier.audit();
    let verdict = compared(release, earlier.public()).unwrap();
    let found = verdict.checks.iter().find(|check| check.name == INTERSECTION).map(|check| check.found.clone());
    (failures(&verdict), found.unwrap())
}

#[test]
fn the_same_release_twice_tells_nothing_new() {
    assert_eq!(
        found(&Release::honest(), &Release::honest()),
        (vec![], "all of 3 pairs of classes with people in common".to_owned())
    );
    assert_eq!(found(&Release::parquet(), &Release::honest()).0, [""; 0]);
}

#[test]
fn other_people_are_not_in_both() {
    let others = Release::changed(|rows| rows.iter_mut().for_each(|row| row[NOTE] += " of others"));
    assert_eq!(
        found(&Release::honest(), &others),
        (vec![], "all of 0 pairs of classes with people in common".to_owned())
    );
}

/// Two of five people of a class were there before; the three others came since.
fn mostly_others(rows: &mut Rows) {
    for row in rows.iter_mut().take(3) {
        row[NOTE] += " of others";
    }
}

#[test]
fn few_who_stayed_are_found() {
    let (failed, found) = found(&Release::honest(), &Release::changed(mostly_others));
    assert_eq!(failed, [INTERSECTION, DIFFERENCE]);
    assert_eq!(found, "of 3 pairs of classes with people in common, 1 hold fewer people and 1 fewer values");
}

#[test]
fn few_values_that_remain_are_found() {
    // All five of a class have the same note in both; only the diagnosis differs, and one value is in both.
    let alike = |diagnoses: [&'static str; 3]| {
        move |rows: &mut Rows| {
            for (place, row) in rows.iter_mut().take(5).enumerate() {
                "same".clone_into(&mut row[NOTE]);
                diagnoses[place % 3].clone_into(&mut row[6]);
            }
        }
    };
    let mut new = Release::changed(alike(["a", "b", "c"]));
    let old = Release::changed(alike(["a", "x", "y"]));
    new.claim("/privacy/0/k", json!(2));
    let (failed, found) = found(&new, &old);
    assert_eq!(failed, [INTERSECTION, DIFFERENCE]);
    assert_eq!(found, "of 3 pairs of classes with people in common, 0 hold fewer people and 1 fewer values");
}

#[test]
fn a_column_at_another_level_fits_every_key() {
    // The earlier release told the class by its age only; zip, the month and the rest were at the top.
    let old = Release::changed(|rows| {
        for row in rows {
            for cell in &mut row[1..5] {
                "*".clone_into(cell);
            }
        }
    });
    let mut old = old;
    for place in 1..5 {
        old.claim(&format!("/columns/{place}/labels"), json!({"rule": "top"}));
        old.claim(&format!("/columns/{place}/levels"), json!(9));
        old.claim(&format!("/columns/{place}/level"), json!(8));
    }
    assert_eq!(found(&Release::honest(), &old), (vec![], "all of 3 pairs of classes with people in common".to_owned()));
}

#[test]
fn an_earlier_release_must_be_one() {
    let refused = |path: &Path| compared(&Release::honest(), path).unwrap_err();
    let earlier = |what| AuditError::Earlier { what };
    assert_eq!(refused(&PathBuf::from("nowhere")), earlier("there is no such folder"));
    assert_eq!(refused(tempfile::tempdir().unwrap().path()), earlier("it has no manifest that can be read"));
    let tampered = Release::honest();
    tampered.audit();
    tampered.add("data.csv", b"age\n1\n");
    let error = refused(tampered.public());
    assert_eq!(error, earlier("its data file is not the one that its manifest tells of"));
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn strays_at_the_top_must_be_claimed() {
    let stray = |rows: &mut Rows| {
        for row in rows.iter_mut().filter(|row| row[0].starts_with("[25")) {
            "*".clone_into(&mut row[0]);
        }
    };
    let mut release = Release::changed(stray);
    assert_eq!(release.failures(), ["labels"]);
    release.claim("/columns/0/labels", json!({"rule": "interval", "width": "5", "or_top": true}));
    assert_eq!(release.failures(), [""; 0]);
    release.claim("/columns/0/labels", json!({"rule": "interval", "width": "5", "or_top": false}));
    assert_eq!(release.failures(), ["labels"]);
}

/// Twenty classes of ten people, told apart by age; a note says who they are. So many more are in the first classes.
fn crowd(newcomers: usize, note: &str, width: u32) -> Release {
    let person = |age: u32, number: usize| {
        let band = age * 5 / width * width;
        let diagnosis = ["I10", "J45", "K21"][number % 3];
        let age = format!("[{band}, {}[", band + width);
        [&age, "m", "123*", "2026-03", "Higher", "*", diagnosis, &format!("{note} {number}")]
            .map(str::to_owned)
            .to_vec()
    };
    let old = (0..20).flat_map(|age| (0..10).map(move |number| (age, number)));
    let new = (0..newcomers).map(|number| (u32::try_from(number).unwrap(), 100 + number));
    let mut rows: Rows = old.chain(new).map(|(age, number)| person(age, number)).collect();
    rows.sort();
    let mut release = Release::of(&rows);
    let sizes = |band: u32| rows.iter().filter(|row| row[0].starts_with(&format!("[{}, ", band * width))).count();
    let sizes: Vec<usize> = (0..20 * 5 / width).map(sizes).collect();
    let records = rows.len();
    release.claim("/records", json!({"original": records, "released": records, "suppressed": 0}));
    let (min, max) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
    release.claim("/classes", json!({"count": sizes.len(), "min": min, "max": max}));
    release.claim("/columns/0/labels/width", json!(width.to_string()));
    release.claim("/columns/4/labels/values", json!(["Higher"]));
    assert_eq!(release.failures(), [""; 0]);
    release
}

/// What the check of differences says, and whether it is all that fails.
fn difference(release: &Release, earlier: &Release) -> (Vec<&'static str>, String) {
    let (failed, _) = found(release, earlier);
    let verdict = compared(release, earlier.public()).unwrap();
    (failed, verdict.checks.iter().find(|check| check.name == DIFFERENCE).map(|check| check.found.clone()).unwrap())
}

#[test]
fn newcomers_are_found_by_subtracting() {
    let told = "classes differ by too few or too similar people, down to 1: they can be subtracted";
    let (before, after) = (crowd(0, "person", 5), crowd(3, "person", 5));
    assert_eq!(difference(&after, &before), (vec![DIFFERENCE], format!("3 {told}")));
    // Those who left are found in the same way.
    assert_eq!(difference(&before, &after), (vec![DIFFERENCE], format!("3 {told}")));
    assert_eq!(difference(&before, &before).0, [""; 0]);
}

#[test]
fn newcomers_are_found_in_coarser_and_finer_classes() {
    // Three came to three classes of five years; in bands of ten years they are in two classes, two of them together.
    for (after, before) in
        [(crowd(3, "person", 10), crowd(0, "person", 5)), (crowd(3, "person", 5), crowd(0, "person", 10))]
    {
        let (failed, text) = difference(&after, &before);
        assert!(failed.contains(&DIFFERENCE) && text.starts_with("2 classes differ"), "{failed:?} {text}");
    }
}

#[test]
fn enough_newcomers_hide_each_other() {
    let (mut before, mut after) = (crowd(0, "person", 100), crowd(5, "person", 100));
    for release in [&mut before, &mut after] {
        release.claim("/privacy", json!([{"model": "k-anonymity", "k": 5, "checked": "release"}]));
    }
    assert_eq!(difference(&after, &before).0, [""; 0]);
}

#[test]
fn other_people_are_not_subtracted() {
    let (failed, text) = difference(&crowd(3, "somebody", 5), &crowd(0, "person", 5));
    assert_eq!((failed, text.as_str()), (vec![], "nobody is left alone in 20 pairs of classes"));
}

/// The newcomers of one class, judged by one more model. They are as many as k asks for.
fn judged(model: &Value, diagnoses: [&'static str; 5]) -> Vec<&'static str> {
    let of = |newcomers: bool| {
        let mut release = crowd(0, "person", 100);
        let mut rows = plain_rows(&release);
        if newcomers {
            rows.extend(diagnoses.iter().enumerate().map(|(number, diagnosis)| {
                let note = format!("newcomer {number}");
                ["[0, 100[", "m", "123*", "2026-03", "Higher", "*", diagnosis, &note].map(str::to_owned).to_vec()
            }));
            rows.sort();
        }
        release.set_data(&csv_bytes(&HEADER, &rows));
        release.claim("/records", json!({"original": rows.len(), "released": rows.len(), "suppressed": 0}));
        release.claim("/classes", json!({"count": 1, "min": rows.len(), "max": rows.len()}));
        let mut model = model.clone();
        model["variable"] = json!("diagnosis");
        release.claim("/privacy", json!([{"model": "k-anonymity", "k": 5}, model]));
        release
    };
    difference(&of(true), &of(false)).0
}

fn plain_rows(release: &Release) -> Rows {
    let mut reader = csv::Reader::from_path(release.data()).unwrap();
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn who_is_left_over_keeps_every_model() {
    // In the crowd, four in ten have the first value, and three in ten each of the others.
    let (alike, mixed) = (["I10"; 5], ["I10", "I10", "J45", "J45", "K21"]);
    for (model, fails_mixed) in [
        (json!({"model": "l-diversity", "l": 3}), false),
        (json!({"model": "l-diversity", "kind": "entropy", "l": 2.5}), false),
        (json!({"model": "l-diversity", "kind": "entropy", "l": 2.9}), true),
        (json!({"model": "l-diversity", "kind": "recursive", "l": 2, "c": 1}), false),
        (json!({"model": "alpha-k", "alpha": 0.45, "k": 5}), false),
        (json!({"model": "alpha-k", "alpha": 0.45, "k": 6}), true),
        (json!({"model": "t-closeness", "t": 0.11}), false),
        (json!({"model": "t-closeness", "t": 0.05}), true),
        (json!({"model": "beta-likeness", "beta": 0.4}), false),
        (json!({"model": "beta-likeness", "beta": 0.3}), true),
        (json!({"model": "delta-disclosure", "delta": 0.7}), false),
        (json!({"model": "delta-disclosure", "delta": 0.5}), true),
    ] {
        assert_eq!(judged(&model, mixed).contains(&DIFFERENCE), fails_mixed, "{model}");
        assert!(judged(&model, alike).contains(&DIFFERENCE), "{model}");
    }
    // Unions may break what their parts keep: who is left over is not asked.
    let open = json!({"model": "delta-disclosure", "delta": 0.1, "absent": "ignored"});
    assert!(!judged(&open, mixed).contains(&DIFFERENCE));
}

/// So many people of one class, of whom some have many records; the notes are their tokens.
fn by_tokens(people: usize, records: usize, has_tokens: bool) -> Release {
    let row = |person: usize, record: usize| {
        let diagnosis = ["I10", "J45", "K21"][record % 3];
        let note = if has_tokens { format!("p{person:032x}") } else { "same".to_owned() };
        ["[0, 100[", "m", "123*", "2026-03", "Higher", "*", diagnosis, &note].map(str::to_owned).to_vec()
    };
    let mut rows: Rows = (0..10).map(|person| row(person, person)).collect();
    rows.extend((0..records).map(|record| row(10 + record % people, record)));
    rows.sort();
    let mut release = Release::of(&rows).of_people();
    release.claim("/person", json!(if has_tokens { "note" } else { "name" }));
    release.claim("/records", json!({"original": rows.len(), "released": rows.len(), "suppressed": 0}));
    release.claim("/classes", json!({"count": 1, "min": rows.len(), "max": rows.len()}));
    release.claim("/columns/0/labels/width", json!("100"));
    release.claim("/columns/4/labels/values", json!(["Higher"]));
    if has_tokens {
        release.manifest["columns"][NOTE]["role"] = json!("pseudonym");
        release.manifest["columns"][NOTE]["treatments"] = json!([{"treatment": "pseudonym"}]);
    }
    assert_eq!(release.failures(), [""; 0]);
    release
}

#[test]
fn people_are_promised_and_people_are_counted() {
    let failed = |people, has_tokens| difference(&by_tokens(people, 12, has_tokens), &by_tokens(1, 0, has_tokens)).0;
    // Twelve records came: of five people, or of four of them.
    assert_eq!(failed(5, true), [""; 0]);
    assert_eq!(failed(4, true), [DIFFERENCE]);
    // Nobody knows of how many.
    let (failed, text) = difference(&by_tokens(12, 12, false), &by_tokens(1, 0, false));
    let told = "1 classes differ by too few or too similar people, down to 12: they can be subtracted (how many people these \
                records are of is not in the files)";
    assert_eq!((failed, text.as_str()), (vec![DIFFERENCE], told));
    assert_eq!(difference(&by_tokens(1, 0, false), &by_tokens(1, 0, false)).0, [""; 0]);
}

#[test]
fn a_swap_is_found_in_every_class_at_once() {
    let mut swapped = plain_rows(&crowd(0, "person", 5));
    for row in swapped.iter_mut().filter(|row| row[NOTE] == "person 0") {
        row[6] = if row[6] == "I10" { "K21".to_owned() } else { "I10".to_owned() };
    }
    swapped.sort();
    let before = crowd(0, "person", 5);
    let mut after = crowd(0, "person", 5);
    after.set_data(&csv_bytes(&HEADER, &swapped));
    let told = "20 classes differ by too few or too similar people, down to 1: they can be subtracted";
    assert_eq!(difference(&after, &before), (vec![DIFFERENCE], told.to_owned()));
}

#[test]
fn ranges_of_local_recoding_are_compared_by_what_they_hold() {
    let local = |ages| Release::local(ages).0;
    // The same ranges hold the same people, and the same labels of a list the same values.
    assert_eq!(difference(&local(["[-5, 0]", "[20, 30]"]), &local(["[-5, 0]", "[20, 30]"])).0, [""; 0]);
    // Other ranges are apart where no number is in both: nobody is subtracted.
    assert_eq!(difference(&local(["[-5, 0]", "[20, 30]"]), &local(["[-5, 0]", "[31, 40]"])).0, [""; 0]);
    // Of labels of any level nobody knows what they join where they differ.
    let mut other = local(["[-5, 0]", "[20, 30]"]);
    let rows: Rows = plain_rows(&other)
        .into_iter()
        .map(|mut row| {
            row[2] = row[2].replace("123*", "1*");
            row
        })
        .collect();
    other.set_data(&csv_bytes(&HEADER, &rows));
    other.claim("/columns/2/labels/values", json!(["1*", "12"]));
    let (failed, text) = difference(&other, &local(["[-5, 0]", "[20, 30]"]));
    assert_eq!(failed, [DIFFERENCE]);
    assert_eq!(
        text,
        "what 4 classes have in common with the other release cannot be known; of lists the masks of both tell it"
    );
}
