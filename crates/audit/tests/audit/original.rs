//! Making the release again from the original.

use equanym_audit::{AuditError, Options, Original};
use serde_json::{Value, json};

use crate::release::{HEADER, NOTE, Release, Rows, failures, options, parquet_bytes, rows};
use crate::source::{Mask, Source, mask};

/// Where the columns of the original are.
const SEX: usize = 1;
const AGE: usize = 2;
const ZIP: usize = 3;
const EDUCATION: usize = 5;
const DIAGNOSIS: usize = 7;

#[track_caller]
fn compared(source: &Source, release: &Release) -> Vec<&'static str> {
    failures(&source.audit(release, Some(&Mask::honest(release))).unwrap())
}

fn found(source: &Source, release: &Release, mask: Option<&Mask>) -> String {
    let verdict = source.audit(release, mask).unwrap();
    verdict.checks.iter().find(|check| check.name == "original-rebuilt").map(|check| check.found.clone()).unwrap()
}

#[test]
fn the_original_it_was_made_from() {
    for release in [Release::honest(), Release::parquet()] {
        assert_eq!(compared(&Source::honest(), &release), [""; 0]);
        assert_eq!(found(&Source::honest(), &release, Some(&Mask::honest(&release))), "all are, 1 withheld");
    }
}

#[test]
fn without_the_mask_a_list_is_not_compared() {
    let (source, release) = (Source::honest(), Release::honest());
    assert_eq!(failures(&source.audit(&release, None).unwrap()), [""; 0]);
    let text = found(&source, &release, None);
    assert_eq!(text, "all are, 1 withheld; not compared: \"education\" (its list is in the mask)");
}

#[test]
fn another_table_fails_and_what_is_not_released_does_not_count() {
    type Change = fn(&mut Source);
    let older: Change = |source| source.records.iter_mut().for_each(|record| record[AGE] = "50".to_owned());
    for (what, change, expected) in [
        ("other ages", older, &["original-rebuilt"][..]),
        ("other names", |source| source.records.iter_mut().for_each(|record| record[0] = "x".to_owned()), &[]),
        ("a race, which is at the top", |source| source.records[3][6] = "another".to_owned(), &[]),
        ("a record less", |source| drop(source.records.pop()), &["original-records"]),
        ("a column less", |source| source.columns[SEX] = "gender".to_owned(), &["original-columns"]),
    ] {
        let mut source = Source::honest();
        change(&mut source);
        assert_eq!(compared(&source, &Release::honest()), expected, "{what}");
        assert_eq!(failures(&source.audit(&Release::honest(), None).unwrap()), expected, "{what}");
    }
}

#[test]
fn one_cell_of_one_record_is_another() {
    for (column, value) in [(AGE, "31"), (SEX, "x"), (ZIP, "99999"), (4, "2025-01-01"), (EDUCATION, "School")] {
        // The fifth of the class of six, and a missing value of the first class.
        for place in [5, 16] {
            let source = Source::changed(|records| records[place][column] = value.to_owned());
            assert_eq!(compared(&source, &Release::honest()), ["original-rebuilt"], "{column} {place}");
        }
    }
    for column in [DIAGNOSIS, DIAGNOSIS + 1] {
        let source = Source::changed(|records| records[7][column] = "another".to_owned());
        assert_eq!(compared(&source, &Release::honest()), ["original-rebuilt"], "{column}");
    }
}

#[test]
fn a_class_is_released_whole() {
    // One more of the first class was withheld, and the one who is alone is not there.
    let source = Source::changed(|records| records[0] = records[16].clone());
    assert_eq!(compared(&source, &Release::honest()), ["original-rebuilt"]);
    let release = Release::honest();
    let text = found(&source, &release, Some(&Mask::honest(&release)));
    assert_eq!(text, "0 records are not, 1 withheld, 1 classes released in part");
}

#[test]
fn values_without_a_label_are_withheld_or_at_the_top() {
    let unread = |records: &mut Rows| records[0][AGE] = "very old".to_owned();
    assert_eq!(compared(&Source::changed(unread), &Release::honest()), [""; 0]);
    // Where the whole class of the young is unreadable and at the top, the manifest says so.
    let stray = |rows: &mut Rows| {
        rows.iter_mut().filter(|row| row[0].starts_with("[25")).for_each(|row| "*".clone_into(&mut row[0]));
    };
    let mut release = Release::changed(stray);
    release.claim("/columns/0/labels", json!({"rule": "interval", "width": "5", "or_top": true}));
    let young = |record: &&mut Vec<String>| record[AGE].parse().is_ok_and(|age: f64| (20.0..40.0).contains(&age));
    let source = Source::changed(|records| {
        records.iter_mut().filter(young).for_each(|record| record[AGE] = "young".to_owned());
    });
    assert_eq!(failures(&source.audit(&release, None).unwrap()), [""; 0]);
    let mut listed = mask();
    listed["mask"]["columns"][1]["recoding"]["labels"] = json!({"young": "*"});
    assert_eq!(failures(&source.audit(&release, Some(&Mask::of(&listed))).unwrap()), [""; 0]);
}

#[test]
fn numbers_are_compared_by_what_they_are_worth() {
    let release = Release::changed(|rows| rows.iter_mut().for_each(|row| row[NOTE] = row[NOTE].replace("note ", "1")));
    let source = Source::changed(|records| {
        for record in records.iter_mut() {
            record[8] = format!("1{}.0", &record[8][5..]);
        }
    });
    assert_eq!(failures(&source.audit(&release, None).unwrap()), [""; 0]);
    assert_eq!(compared(&source, &release), ["original-rebuilt"], "the mask says that it is no number");
    let mut number = mask();
    number["mask"]["columns"][8]["number"] = json!(true);
    assert_eq!(failures(&source.audit(&release, Some(&Mask::of(&number))).unwrap()), [""; 0]);
}

#[test]
fn a_guarded_cell_is_compared_without_its_guard() {
    let mut release = Release::changed(|rows| rows.iter_mut().for_each(|row| row[NOTE] = format!("'={}", row[NOTE])));
    release.claim("/neutralised_cells", json!(16));
    let source = Source::changed(|records| {
        for record in records.iter_mut() {
            record[8] = format!("={}", record[8]);
        }
    });
    assert_eq!(compared(&source, &release), [""; 0]);
}

#[test]
fn the_mask_of_another_release() {
    for (pointer, value) in [
        ("/mask/columns/1/recoding/level", json!(2)),
        ("/mask/columns/1/recoding/levels", json!(7)),
        ("/mask/columns/1/recoding/rule/width", json!("10")),
        ("/mask/columns/3/recoding/rule/keep", json!(2)),
        ("/mask/columns/4/recoding/rule/grain", json!("year")),
        ("/mask/columns/4/recoding/rule/format", json!("DD.MM.YYYY")),
        ("/mask/columns/1/role", json!("sensitive")),
        ("/mask/columns/1/name", json!("years")),
        ("/mask/columns/0/role", json!("insensitive")),
        ("/mask/columns/1/recoding", Value::Null),
        ("/method", json!("mondrian")),
        ("/privacy/0/k", json!(6)),
        ("/privacy", json!([])),
        ("/suppression_limit", json!(0.05)),
        ("/output/format", json!("parquet")),
        ("/output/order", json!("input")),
    ] {
        let mut other = mask();
        *other.pointer_mut(pointer).unwrap() = value;
        let verdict = Source::honest().audit(&Release::honest(), Some(&Mask::of(&other))).unwrap();
        assert_eq!(failures(&verdict), ["mask"], "{pointer}");
    }
    let mut other = mask();
    other["mask"]["columns"][5]["recoding"]["labels"]["Master"] = json!("Lower");
    let verdict = Source::honest().audit(&Release::honest(), Some(&Mask::of(&other))).unwrap();
    assert_eq!(failures(&verdict), ["original-rebuilt"]);
}

/// The mask of the honest release in layout 3, where a ladder lists the labels.
fn with_ladder(groups: [Value; 2], labels: Value) -> Mask {
    let mut mask = mask();
    mask["format"] = json!(3);
    mask["mask"]["columns"][5]["recoding"]["labels"] = labels;
    mask["mask"]["columns"][5]["recoding"]["level"] = json!(1);
    let [values, labels] = groups;
    let listed = |of: u8, groups: Value| json!({"rule": {"rule": "listed"}, "of": of, "groups": groups});
    let rule = |name: &str| json!({"rule": {"rule": name}});
    let levels = json!([rule("as-collected"), listed(0, values), listed(1, labels), rule("top")]);
    mask["ladders"] = json!([{"variable": "education", "min": 0, "max": 3, "levels": levels}]);
    Mask::of(&mask)
}

#[test]
fn a_ladder_has_the_labels_of_a_list() {
    let check = |mask: &Mask, expected: &[&str]| {
        let verdict = Source::honest().audit(&Release::honest(), Some(mask)).unwrap();
        assert_eq!(failures(&verdict), expected);
    };
    let above = || json!({"School or more": ["Higher", "Lower"]});
    let groups = || json!({"Higher": ["Doctor", "Master"], "Lower": ["School"]});
    check(&with_ladder([groups(), above()], json!({})), &[]);
    check(&with_ladder([groups(), above()], json!({"Doctor": "Higher", "None": "*"})), &[]);
    let wrong = json!({"Higher": ["Doctor"], "Lower": ["School", "Master"]});
    check(&with_ladder([wrong, above()], json!({})), &["original-rebuilt"]);
    check(&with_ladder([json!({"Higher": ["Doctor"]}), above()], json!({})), &["original-rebuilt"]);
    for mask in [
        with_ladder([groups(), above()], json!({"Doctor": "Lower"})),
        with_ladder([json!({"Higher": ["Doctor", "Master"], "Lower": ["Master"]}), above()], json!({})),
    ] {
        let error = Source::honest().audit(&Release::honest(), Some(&mask)).unwrap_err();
        assert!(matches!(error, AuditError::Mask { .. }), "{error}");
    }
}

#[test]
fn what_is_no_mask_is_wrong_use() {
    for other in [
        json!({}),
        json!([]),
        json!({"format": 4}),
        {
            let mut more = mask();
            more["remark"] = json!("x");
            more
        },
        {
            let mut later = mask();
            later["format"] = json!(4);
            later
        },
    ] {
        let error = Source::honest().audit(&Release::honest(), Some(&Mask::of(&other))).unwrap_err();
        assert!(matches!(error, AuditError::Mask { .. }), "{error}");
        assert_eq!(error.exit_code(), 2);
    }
}

#[test]
fn an_original_that_cannot_be_read_is_said_by_who_reads_it() {
    struct LostOriginal(Vec<String>);
    impl Original for LostOriginal {
        fn columns(&self) -> &[String] {
            &self.0
        }

        fn read(&self, _: &mut dyn FnMut(&[&str])) -> Result<(), AuditError> {
            Err(AuditError::Original { what: "it is gone".to_owned() })
        }
    }
    let original = LostOriginal(HEADER.map(str::to_owned).to_vec());
    let options = Options { original: Some(&original), ..options() };
    let error = Release::honest().audit_with(&options).unwrap_err();
    assert_eq!(error.to_string(), "the original cannot be compared: it is gone");
}

#[test]
fn local_recoding_is_compared_as_far_as_it_goes() {
    let (release, _) = Release::local(["[-5, -0.1]", "[25, 29.9]"]);
    assert_eq!(failures(&Source::honest().audit(&release, None).unwrap()), [""; 0]);
    assert!(found(&Source::honest(), &release, None).contains("\"age\" (its labels belong to classes)"));
    let older = Source::changed(|records| records.iter_mut().for_each(|record| record[AGE] = "50".to_owned()));
    assert_eq!(failures(&older.audit(&release, None).unwrap()), ["original-ranges"]);
    let other = Source::changed(|records| records[3][DIAGNOSIS] = "another".to_owned());
    assert_eq!(failures(&other.audit(&release, None).unwrap()), ["original-rebuilt"]);
}

#[test]
fn parquet_is_compared_like_csv() {
    let mut other = rows();
    other[3][6] = "another".to_owned();
    other.sort();
    assert_eq!(compared(&Source::honest(), &Release::parquet_of(&parquet_bytes(&other))), ["original-rebuilt"]);
}
