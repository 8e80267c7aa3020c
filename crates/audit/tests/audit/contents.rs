//! The rows: columns, counts, order, labels, formula-like cells.

use serde_json::json;

use crate::release::{HEADER, NOTE, Release, csv_bytes, rows};

const AGE: usize = 0;

#[test]
fn one_column_more_one_less_one_renamed_two_swapped() {
    let more: Vec<&str> = HEADER.iter().copied().chain(["name"]).collect();
    let extended: Vec<Vec<String>> =
        rows().into_iter().map(|row| row.into_iter().chain(["x".to_owned()]).collect()).collect();
    let shortened: Vec<Vec<String>> = rows().into_iter().map(|row| row[..NOTE].to_vec()).collect();
    let mut renamed = HEADER;
    renamed[1] = "gender";
    let mut swapped = HEADER;
    swapped.swap(0, 1);
    for (header, rows) in
        [(&more[..], extended), (&HEADER[..NOTE], shortened), (&renamed[..], rows()), (&swapped[..], rows())]
    {
        let mut release = Release::honest();
        release.set_data(&csv_bytes(header, &rows));
        assert_eq!(release.failures(), ["columns"], "{header:?}");
    }
}

#[test]
fn columns_that_no_release_has() {
    for role in ["identifying", "weight", ""] {
        assert_eq!(Release::claiming("/columns/7/role", json!(role)).failures(), ["columns"], "{role}");
    }
    let (mut twice, mut header) = (Release::claiming("/columns/7/name", json!("diagnosis")), HEADER);
    header[NOTE] = "diagnosis";
    twice.set_data(&csv_bytes(&header, &rows()));
    let mut empty = Release::honest();
    empty.set_data(b"");
    assert_eq!([twice.failures(), empty.failures()], [["columns"]; 2]);
}

#[test]
fn counts_that_do_not_fit() {
    for (pointer, value, expected) in [
        ("/records/released", 15, vec!["records"]),
        ("/records/original", 18, vec!["records"]),
        ("/records/suppressed", 0, vec!["records"]),
        ("/records/suppressed", 2, vec!["records", "suppression"]),
        ("/records/suppressed", u64::MAX, vec!["records", "suppression"]),
        ("/classes/count", 4, vec!["classes"]),
        ("/classes/min", 4, vec!["classes"]),
        ("/classes/max", 7, vec!["classes"]),
        ("/neutralised_cells", 1, vec!["formula-cells"]),
    ] {
        assert_eq!(Release::claiming(pointer, json!(value)).failures(), expected, "{pointer}");
    }
}

/// A release of the 16 records, with the others claimed as suppressed.
fn suppressed(count: u64, limit: &str) -> Vec<&'static str> {
    let mut release = Release::honest();
    release.claim("/records", json!({"original": 16 + count, "released": 16, "suppressed": count}));
    release.claim("/suppression_limit", serde_json::from_str(limit).unwrap());
    release.failures()
}

#[test]
fn the_suppression_limit_is_exact() {
    for (count, limit) in [(84, "0.84"), (84, "1"), (0, "0.0")] {
        assert_eq!(suppressed(count, limit), [""; 0], "{limit}");
    }
    for (count, limit) in [(84, "0.8399999999999999"), (84, "1.5"), (0, "-0.1"), (1, "0"), (0, "true")] {
        assert_eq!(suppressed(count, limit), ["suppression"], "{limit}");
    }
}

#[test]
fn twenty_nine_of_a_hundred() {
    let mut many = rows();
    let last = many.last().cloned().unwrap();
    many.resize(71, last);
    for (count, expected) in [(29, vec![]), (30, vec!["suppression"])] {
        let mut release = Release::of(&many[..100 - count].to_vec());
        release.claim("/records", json!({"original": 100, "released": 100 - count, "suppressed": count}));
        release.claim("/suppression_limit", json!(0.29));
        release.claim("/classes/max", json!(100 - count - 10));
        assert_eq!(release.failures(), expected, "{count}");
    }
}

#[test]
fn one_record_out_of_order() {
    let mut rows = rows();
    rows.swap(2, 9);
    assert_eq!(Release::of(&rows).failures(), ["order"]);
}

#[test]
fn the_order_of_the_input_is_not_judged_and_an_unknown_one_fails() {
    let mut rows = rows();
    rows.reverse();
    let mut release = Release::of(&rows);
    release.claim("/data/order", json!("input"));
    assert_eq!(release.failures(), [""; 0]);
    release.claim("/data/order", json!("random"));
    assert_eq!(release.failures(), ["order"]);
}

/// Changes a cell of the whole last class, so that its size stays.
fn relabelled(column: usize, label: &str) -> Vec<&'static str> {
    let change = |rows: &mut Vec<Vec<String>>| rows[10..].iter_mut().for_each(|row| label.clone_into(&mut row[column]));
    Release::changed(change).failures()
}

#[test]
fn labels_of_another_level() {
    for (column, label) in [
        (AGE, "[26, 31["),
        (AGE, "[25, 35["),
        (AGE, "27"),
        (AGE, "*"),
        (2, "1234*"),
        (2, "12345"),
        (2, "123**"),
        (2, "123"),
        (3, "2026-03-29"),
        (3, "2026-13"),
        (4, "Middle"),
        (4, "*"),
        (5, "Other"),
        (5, ""),
    ] {
        assert_eq!(relabelled(column, label), ["labels"], "{column} {label}");
    }
    for (column, label) in [(AGE, "[30, 35["), (AGE, ""), (1, "anything"), (2, "987*"), (2, ""), (3, ""), (4, "")] {
        assert_eq!(relabelled(column, label), [""; 0], "{column} {label}");
    }
}

#[test]
fn only_the_column_with_the_wrong_label_fails() {
    let release = Release::changed(|rows| rows[10..].iter_mut().for_each(|row| "27".clone_into(&mut row[AGE])));
    let verdict = release.audit();
    let failed: Vec<_> = verdict.failures().collect();
    assert_eq!(failed.len(), 1);
    assert!(failed[0].claim.contains("\"age\""));
    assert_eq!(failed[0].found, "6 cells are no such label, the first in record 6");
}

#[test]
fn a_level_that_cannot_be_understood() {
    let date = |grain: &str| json!({"rule": "date", "grain": grain, "format": "YYYY-MM-DD"});
    let width = |width: &str| json!({"rule": "interval", "width": width});
    for (column, labels, levels) in [
        (0, width("5"), &[(6, 6), (5, 6), (0, 6)][..]),
        (0, width("0"), &[(1, 6)]),
        (0, width("five"), &[(1, 6)]),
        (0, json!({"rule": "interval"}), &[(1, 6)]),
        (0, json!({"rule": "interval", "width": "5", "keep": 3}), &[(1, 6)]),
        (0, json!({"rule": "as-collected"}), &[(1, 6)]),
        (0, json!({"rule": "magic"}), &[(1, 6)]),
        (1, json!({"rule": "listed", "values": ["f", "m"]}), &[(0, 2)]),
        (1, json!({"rule": "as-collected"}), &[(0, 1)]),
        (1, json!({"rule": "as-collected", "or_top": true}), &[(0, 2)]),
        (2, json!({"rule": "prefix"}), &[(1, 6)]),
        (2, json!({"rule": "prefix", "keep": 3}), &[(5, 6), (0, 6)]),
        (3, date("century"), &[(1, 6)]),
        (3, json!({"rule": "date", "grain": "month"}), &[(1, 6)]),
        (3, json!({"rule": "date", "grain": "month", "format": "MM/YY"}), &[(1, 6)]),
        (3, date("month"), &[(5, 6)]),
        (4, json!({"rule": "listed"}), &[(1, 6)]),
        (4, json!({"rule": "listed", "values": ["Higher", "Lower"]}), &[(5, 6)]),
        (5, json!({"rule": "top"}), &[(1, 3), (0, 3)]),
        (5, json!({"rule": "top", "or_top": true}), &[(1, 2)]),
    ] {
        for (level, of) in levels {
            let claim = json!({"name": HEADER[column], "role": "quasi-identifying", "level": level, "levels": of, "labels": labels});
            let release = Release::claiming(&format!("/columns/{column}"), claim.clone());
            assert_eq!(release.failures(), ["labels"], "{claim}");
        }
    }
    for absent in [&["labels"][..], &["level", "levels"], &["levels"]] {
        let mut release = Release::honest();
        release.manifest["columns"][0].as_object_mut().unwrap().retain(|key, _| !absent.contains(&key.as_str()));
        assert!(release.failures().contains(&"labels"), "{absent:?}");
    }
}

#[test]
fn a_written_top_has_one_label_and_no_missing_value() {
    let top = |label: &str| {
        let label = label.to_owned();
        let mut release = Release::changed(|rows| rows.iter_mut().for_each(|row| row[5].clone_from(&label)));
        release.claim("/columns/5/labels", json!({"rule": "listed", "values": ["Everybody"]}));
        release.failures()
    };
    assert_eq!(top("Everybody"), [""; 0]);
    assert_eq!(top(""), ["labels"]);
}

#[test]
fn a_list_names_what_occurs_and_nothing_else() {
    for (list, passes) in [
        (json!(["", "Higher", "Lower"]), true),
        (json!(["Higher"]), false),
        (json!(["Higher", "Lower", "Middle"]), false),
        (json!(["Lower", "Higher"]), false),
        (json!(["Higher", "Higher", "Lower"]), false),
    ] {
        assert_eq!(Release::claiming("/columns/4/labels/values", list.clone()).audit().passed(), passes, "{list}");
    }
}

#[test]
fn a_formula_needs_its_guard() {
    for cell in ["=SUM(A1)", "+x", "-x", "@x", "\tx", "\rx", "-"] {
        let release = Release::changed(|rows| cell.clone_into(&mut rows[3][NOTE]));
        assert_eq!(release.failures(), ["formula-cells"], "{cell:?}");
        let mut release = Release::changed(|rows| rows[3][NOTE] = format!("'{cell}"));
        assert_eq!(release.failures(), ["formula-cells"], "{cell:?} guarded, not counted");
        release.claim("/neutralised_cells", json!(1));
        assert_eq!(release.failures(), [""; 0], "{cell:?} guarded");
    }
    for number in ["-5", "+5", "-0.5", "'-5", "'quoted'"] {
        let release = Release::changed(|rows| number.clone_into(&mut rows[3][NOTE]));
        assert_eq!(release.failures(), [""; 0], "{number}");
    }
}

#[test]
fn a_guarded_label_is_judged_without_its_guard() {
    let change = |rows: &mut Vec<Vec<String>>| rows[10..].iter_mut().for_each(|row| "'=a".clone_into(&mut row[4]));
    let mut release = Release::changed(change);
    release.claim("/neutralised_cells", json!(6));
    release.claim("/columns/4/labels/values", json!(["=a", "Higher", "Lower"]));
    assert_eq!(release.failures(), [""; 0]);
}

#[test]
fn a_header_that_looks_like_a_formula() {
    let named = |written: &'static str| {
        let mut release = Release::honest();
        release.claim("/columns/7/name", json!("=note"));
        let mut header = HEADER;
        header[NOTE] = written;
        release.set_data(&csv_bytes(&header, &rows()));
        release.failures()
    };
    assert_eq!(named("'=note"), [""; 0]);
    assert_eq!(named("=note"), ["columns"]);
}

#[test]
fn bytes_that_a_reader_forgives() {
    let text = String::from_utf8(csv_bytes(&HEADER, &rows())).unwrap();
    for spoilt in [
        format!("\u{feff}{text}"),
        text.replacen('\n', "\n\n", 1),
        text.replace('\n', "\r\n"),
        text.replacen("note 0", "\"note 0\"", 1),
        text.trim_end().to_owned(),
    ] {
        let mut release = Release::honest();
        release.set_data(spoilt.as_bytes());
        assert_eq!(release.failures(), ["plain-csv"]);
    }
}

#[test]
fn cells_with_quotes_commas_and_line_ends_are_plain() {
    let release = Release::changed(|rows| "a \"b\", c\nd".clone_into(&mut rows[3][NOTE]));
    assert_eq!(release.failures(), [""; 0]);
}

#[test]
fn rows_that_cannot_be_read() {
    let good = csv_bytes(&HEADER, &rows());
    for spoilt in [[&good[..], b"one,two\n"].concat(), [&good[..], b"\xff,,,,,,,\n"].concat()] {
        let mut release = Release::honest();
        release.set_data(&spoilt);
        let verdict = release.audit();
        assert_eq!(crate::release::failures(&verdict), ["rows"]);
        assert!(verdict.failures().all(|check| check.found.starts_with("record 17: ")));
        assert!(verdict.checks.iter().all(|check| check.name != "classes"), "nothing is said about a part");
    }
}
