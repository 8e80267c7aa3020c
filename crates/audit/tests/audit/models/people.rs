//! People, whom only the original shows.

use equanym_audit::{Evidence, Options};
use serde_json::{Value, json};

use super::shown::table as by_records;
use super::table::Table;
use crate::release::{Release, failures, only_failure, options};
use crate::source::{Mask, Source};

/// Two classes of four records and one of two; each of them holds so many people.
fn table(people: [usize; 3], released: usize) -> Table {
    let mut table = by_records(released);
    for (place, line) in table.lines.iter_mut().enumerate() {
        line.person = place % people[line.class];
    }
    table.has_person = true;
    table
}

fn k(k: u64) -> [Value; 1] {
    [json!({"model": "k-anonymity", "k": k})]
}

#[test]
fn records_of_one_person_are_one_person() {
    let few = table([4, 3, 2], 2);
    let release = few.release(&k(4));
    // The bytes show four records in each class, and that this is not all.
    let verdict = release.audit();
    assert_eq!((failures(&verdict), verdict.privacy[0].checked), (vec![], Evidence::NeedsOriginal));
    assert!(verdict.claimed.contains("k-anonymity with k = 4 in people"), "{}", verdict.claimed);
    assert!(verdict.claimed.ends_with("Not checked: k-anonymity with k = 4 in people (needs --original)."));
    let verdict = few.audit(&release).unwrap();
    assert_eq!((failures(&verdict), verdict.privacy[0].checked), (vec!["k-anonymity"], Evidence::Original));
    let found: Vec<&str> = verdict.failures().map(|check| check.found.as_str()).collect();
    assert_eq!(found, ["1 of 2 classes hold fewer, down to 3 people"]);
    assert!(few.audit(&few.release(&k(3))).unwrap().passed());
    assert!(
        table([4, 4, 2], 2).audit(&table([4, 4, 2], 2).release(&k(4))).unwrap().passed(),
        "withheld ones do not count"
    );
}

#[test]
fn what_records_refute_people_do_not_keep() {
    let all = table([4, 4, 2], 3);
    for claim in [
        k(3)[0].clone(),
        json!({"model": "alpha-k", "alpha": 1, "k": 3}),
        json!({"model": "l-diversity", "l": 3}),
        json!({"model": "l-diversity", "l": 3, "kind": "recursive", "c": 9}),
        json!({"model": "l-diversity", "l": 2.5, "kind": "entropy"}),
    ] {
        assert_eq!(
            failures(&all.release(std::slice::from_ref(&claim)).audit()),
            [claim["model"].as_str().unwrap()],
            "{claim}"
        );
    }
    let verdict = all.release(&[json!({"model": "l-diversity", "l": 2})]).audit();
    assert_eq!((failures(&verdict), verdict.privacy[0].checked), (vec![], Evidence::Release), "values are the same");
}

#[test]
fn a_person_with_a_value_counts_once() {
    // Three of four records of a class are one person's, with one value: two people, two values, half and half.
    let mut table = table([4, 4, 2], 1);
    table.lines.truncate(4);
    for (line, (person, value)) in table.lines.iter_mut().zip([(0, 1), (0, 1), (0, 1), (1, 2)]) {
        (line.person, line.value) = (person, value);
    }
    let claim = [json!({"model": "alpha-k", "alpha": 0.5, "k": 2})];
    assert!(table.audit(&table.release(&claim)).unwrap().passed());
    table.has_person = false;
    assert_eq!(failures(&table.audit(&table.release(&claim)).unwrap()), ["alpha-k"]);
}

#[test]
fn every_record_belongs_to_somebody() {
    let table = table([4, 4, 2], 3);
    let release = table.release(&k(2));
    let mut source = table.source();
    source.records[9][0] = String::new();
    let verdict = release.audit_with(&Options { original: Some(&source), ..options() }).unwrap();
    assert_eq!(failures(&verdict), ["original-people"]);
    let mut source = table.source();
    source.columns[0] = "id".to_owned();
    let verdict = release.audit_with(&Options { original: Some(&source), ..options() }).unwrap();
    assert_eq!(failures(&verdict), ["original-people"]);
    assert!(table.audit(&release).unwrap().checks.iter().any(|check| check.found == "4 people"));
}

#[test]
fn people_are_claimed_everywhere_or_nowhere() {
    let (table, wrong) = (table([4, 4, 2], 3), "a privacy model does not say rightly whether records or people,");
    for (key, value) in [
        ("/privacy/0/unit", json!("records")),
        ("/privacy/0/unit", Value::Null),
        ("/privacy/0/checked", json!("release")),
        ("/privacy/0/checked", Value::Null),
        ("/person", Value::Null),
    ] {
        let mut release = table.release(&k(2));
        match (value, key.rsplit_once('/').unwrap()) {
            (Value::Null, (parent, key)) => {
                let parent = release.manifest.pointer_mut(parent).unwrap();
                parent.as_object_mut().unwrap().remove(key);
            }
            (value, _) => release.claim(key, value),
        }
        assert!(only_failure(&release).starts_with(wrong), "{key}");
    }
    let released = "the column of people is empty, released as it was, or no privacy model counts people";
    for name in ["diagnosis", "sex", ""] {
        let mut release = table.release(&k(2));
        release.claim("/person", json!(name));
        assert_eq!(only_failure(&release), released);
    }
    let mut release = table.release(&[]);
    release.manifest["guarantee"] = json!("none");
    assert_eq!(only_failure(&release), released);
}

#[test]
fn the_limit_may_be_a_share_of_people() {
    // Five people in all; the withheld class holds two of them.
    let mut table = table([4, 4, 2], 2);
    table.lines[0].person = 9;
    let release = |limit: f64| {
        let mut release = table.release(&k(2));
        release.manifest["limit_unit"] = json!("persons");
        release.claim("/suppression_limit", json!(limit));
        release
    };
    let verdict = release(0.1).audit();
    assert_eq!(failures(&verdict), [""; 0], "a share of people is not seen in the bytes");
    assert!(
        verdict.claimed.ends_with("; a suppression limit of 0.1 in people (needs --original)."),
        "{}",
        verdict.claimed
    );
    assert!(table.audit(&release(0.4)).unwrap().passed());
    let verdict = table.audit(&release(0.39)).unwrap();
    assert_eq!(failures(&verdict), ["suppression"]);
    assert!(verdict.failures().all(|check| check.found == "2 suppressed, 1 allowed"));
    let why = "the suppression limit is a share of something else, or of people who are not counted";
    let mut other = release(1.0);
    other.manifest["limit_unit"] = json!("households");
    assert_eq!(only_failure(&other), why);
    let mut other = by_records(2).release(&k(2));
    other.manifest["limit_unit"] = json!("persons");
    assert_eq!(only_failure(&other), why);
}

#[test]
fn listed_labels_need_the_mask() {
    let release = Release::honest().of_people();
    let checked = |verdict: equanym_audit::Verdict| {
        assert_eq!(failures(&verdict), [""; 0]);
        verdict.privacy.iter().map(|judged| judged.checked).collect::<Vec<_>>()
    };
    assert_eq!(checked(Source::honest().audit(&release, None).unwrap()), [Evidence::NeedsMask, Evidence::Release]);
    let mask = Mask::honest(&release);
    assert_eq!(checked(Source::honest().audit(&release, Some(&mask)).unwrap()), [Evidence::Original; 2]);
    let other = Source::changed(|records| records.iter_mut().for_each(|record| record[0] = "same".to_owned()));
    assert_eq!(failures(&other.audit(&release, Some(&mask)).unwrap()), ["k-anonymity"]);
    let without = Mask::honest(&Release::honest());
    assert_eq!(
        failures(&Source::honest().audit(&release, Some(&without)).unwrap()),
        ["mask"],
        "its mask counts records"
    );
}

#[test]
fn the_classes_of_local_recoding_cannot_be_rebuilt() {
    let mut release = Release::honest().of_people();
    release.recode_locally(0..6);
    let verdict = Source::honest().audit(&release, None).unwrap();
    assert_eq!(failures(&verdict), [""; 0]);
    assert_eq!(verdict.privacy[0].checked, Evidence::NotRebuilt);
    assert!(verdict.claimed.contains("k = 5 in people (cannot be rebuilt)"), "{}", verdict.claimed);
}
