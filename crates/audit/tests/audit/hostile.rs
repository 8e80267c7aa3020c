//! Hostile bytes: never a panic, and never a cell in a text.

use std::fs;

use equanym_audit::{Options, audit};
use serde_json::json;

use crate::release::{HEADER, NOTE, Release, csv_bytes, parquet_bytes, rows};

const CANARY: &str = "canary-7391";

/// Every text of a verdict or an error, in both of its forms.
fn texts(release: &Release) -> String {
    match release.audit_with(&Options::default()) {
        Ok(verdict) => serde_json::to_string(&verdict).unwrap(),
        Err(error) => format!("{error} {error:?}"),
    }
}

#[test]
fn no_text_holds_a_cell() {
    for column in 0..HEADER.len() {
        for cell in [CANARY.to_owned(), format!("={CANARY}"), format!("'={CANARY}")] {
            let mut rows = rows();
            rows[7][column] = cell;
            let release = Release::of(&rows);
            assert!(!release.audit().passed() || column == NOTE);
            assert!(!texts(&release).contains(CANARY), "column {column}");
            let release = Release::parquet_of(&parquet_bytes(&rows));
            assert!(!texts(&release).contains(CANARY), "column {column} in Parquet");
        }
    }
}

#[test]
fn no_text_holds_a_cell_that_cannot_be_read() {
    let good = csv_bytes(&HEADER, &rows());
    for tail in [format!("{CANARY}\n").as_bytes(), &[CANARY.as_bytes(), b"\xff,,,,,,,\n"].concat()] {
        let mut release = Release::honest();
        release.set_data(&[&good, tail].concat());
        assert_eq!(release.failures(), ["rows"]);
        assert!(!texts(&release).contains(CANARY));
    }
}

#[test]
fn no_text_holds_a_label_of_the_manifest() {
    for (pointer, value) in [
        ("/columns/4/labels/values", json!([CANARY])),
        ("/columns/4/labels/values", json!(CANARY)),
        ("/columns/0/labels/width", json!(CANARY)),
        ("/columns/0/labels/rule", json!(CANARY)),
        ("/columns/3/labels/grain", json!(CANARY)),
        ("/columns/0/role", json!(CANARY)),
        ("/records/released", json!(CANARY)),
        ("/privacy/0/model", json!(CANARY)),
        ("/data/order", json!(CANARY)),
        ("/data/format", json!(CANARY)),
        ("/data/file", json!(CANARY)),
        ("/suppression_limit", json!(CANARY)),
        ("/program", json!(CANARY)),
        ("/method", json!(CANARY)),
        ("/search", json!(CANARY)),
        ("/loss/name", json!(CANARY)),
        ("/loss", json!({CANARY: 1})),
    ] {
        let mut release = Release::honest();
        release.claim(pointer, value);
        let texts = texts(&release);
        assert!(!texts.contains(CANARY), "{pointer}: {texts}");
    }
}

#[test]
fn any_byte_of_the_data_may_be_anything() {
    for release in [Release::honest(), Release::parquet()] {
        assert!(release.audit().passed());
        let good = fs::read(release.data()).unwrap();
        for place in (0..good.len()).step_by(3) {
            let mut bytes = good.clone();
            bytes[place] ^= [0xff, 0x01, 0x80, 0x10][place % 4];
            fs::write(release.data(), bytes).unwrap();
            assert!(!release.audit().passed(), "byte {place}");
        }
    }
}

#[test]
fn any_byte_of_the_manifest_may_be_anything() {
    let release = Release::honest();
    assert!(release.audit().passed());
    let good = fs::read(release.public().join("manifest.json")).unwrap();
    let good = good.trim_ascii_end();
    let mut refused = 0;
    for place in 0..good.len() {
        for bytes in [good[..place].to_vec(), [&good[..place], b"\0", &good[place + 1..]].concat()] {
            release.add("manifest.json", &bytes);
            refused += usize::from(audit(release.public(), &Options::default()).is_err());
        }
    }
    assert_eq!(refused, 2 * good.len(), "neither a part nor a zero byte is JSON");
}
