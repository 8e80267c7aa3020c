//! People by their tokens, which the bytes show.

use equanym_audit::Evidence;
use serde_json::{Value, json};

use super::shown::table as by_records;
use super::table::{Dice, Line, Table, token};
use super::{claims, naive};
use crate::release::{NOTE, failures, only_failure};

/// Every model in people.
fn every() -> Vec<Value> {
    vec![
        json!({"model": "k-anonymity", "k": 2}),
        json!({"model": "l-diversity", "kind": "entropy", "l": 1.5}),
        json!({"model": "l-diversity", "kind": "recursive", "l": 2, "c": 1.5}),
        json!({"model": "alpha-k", "alpha": 0.75, "k": 2}),
        json!({"model": "lkc", "l": 2, "k": 2, "c": 0.75}),
        json!({"model": "average-risk", "max": 0.5}),
        json!({"model": "records-at-risk", "highest": 0.5, "share": 0.1}),
        json!({"model": "sample-uniques", "max": 0.1}),
    ]
}

/// Two classes of twelve records; so many people are in each, with two values in turn.
fn table(people: usize) -> Table {
    let mut table = by_records(1);
    let record = |record: usize| Line {
        class: record / 12,
        person: record % 12 % people + record / 12 * 100,
        value: 1 + record % 12 % people % 2,
    };
    table.lines = (0..24).map(record).collect();
    Table { released: 2, ..table }.with_tokens()
}

#[test]
fn twelve_records_of_one_token_are_one_person() {
    for claim in every() {
        let name = claim["model"].as_str().unwrap().to_owned();
        let claim = [claim];
        assert_eq!(failures(&table(1).release(&claim).audit()), [name.as_str()], "{claim:?}");
        let verdict = table(4).release(&claim).audit();
        assert_eq!(failures(&verdict), [""; 0], "{claim:?}");
        assert_eq!(verdict.privacy[0].checked, Evidence::NeedsOriginal, "somebody may have several tokens");
        // Without tokens the original tells.
        let unseen = Table { has_tokens: false, ..table(1) };
        assert!(failures(&unseen.audit(&unseen.release(&claim)).unwrap()).contains(&name.as_str()), "{claim:?}");
    }
    let k = [json!({"model": "k-anonymity", "k": 5})];
    assert!(
        Table { has_tokens: false, ..table(1) }.release(&k).audit().passed(),
        "twelve records, as far as bytes show"
    );
    let verdict = table(1).release(&k).audit();
    let found: Vec<&str> = verdict.failures().map(|check| check.found.as_str()).collect();
    assert_eq!(found, ["2 of 2 classes hold fewer, down to 1 people"]);
}

#[test]
fn tokens_show_what_needs_no_order() {
    let (mut kept, mut broken) = (0, 0);
    for round in 0..120 {
        let mut dice = Dice::new(9000 + round);
        let withheld = dice.below(2);
        let table = Table::random(&mut dice, withheld, true).with_tokens();
        for claim in claims(&mut dice) {
            let needs_whole =
                ["t-closeness", "beta-likeness", "delta-disclosure"].contains(&claim["model"].as_str().unwrap());
            let is_ordered = claim["distance"] == "ordered" || claim["distance"] == "hierarchical";
            let is_shown = !(is_ordered || needs_whole && table.withholds());
            let (holds, _) = naive::holds(&claim, &table);
            let release = table.release(std::slice::from_ref(&claim));
            let verdict = release.audit();
            assert_eq!(verdict.passed(), holds || !is_shown, "{claim} {table:?} {:?}", verdict.checks);
            assert_eq!(table.audit(&release).unwrap().passed(), holds, "{claim} {table:?}");
            (kept, broken) = (kept + u32::from(is_shown && holds), broken + u32::from(is_shown && !holds));
        }
    }
    assert!(kept > 200 && broken > 200, "{kept} {broken}");
}

#[test]
fn tokens_of_one_person_are_seen_with_the_original() {
    // Each record has a token of its own, and the original one person.
    let table = table(1);
    let claim = [json!({"model": "k-anonymity", "k": 5})];
    let mut release = table.release(&claim);
    let mut rows = table.rows();
    for (number, row) in rows.iter_mut().enumerate() {
        row[NOTE] = token(number);
    }
    rows.sort();
    release.set_data(&crate::release::csv_bytes(&crate::release::HEADER, &rows));
    let verdict = release.audit();
    assert!(verdict.passed() && verdict.privacy[0].checked == Evidence::NeedsOriginal);
    assert_eq!(failures(&table.audit(&release).unwrap()), ["k-anonymity"]);
}

#[test]
fn a_record_without_a_token_is_nobodys() {
    let table = table(6);
    let mut release = table.release(&[json!({"model": "k-anonymity", "k": 2})]);
    let mut rows = table.rows();
    rows[3][NOTE].clear();
    rows.sort();
    release.set_data(&crate::release::csv_bytes(&crate::release::HEADER, &rows));
    assert_eq!(only_failure(&release), "1 records belong to nobody");
}
