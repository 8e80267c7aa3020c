//! Releases in Parquet.

use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::Int32Type;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::json;

use crate::release::{
    NOTE, Release, failures, only_failure, parquet_bytes, properties, rows, two_groups, written_parquet,
};

#[test]
fn the_honest_release_passes() {
    let verdict = Release::parquet().audit();
    assert_eq!(verdict.failures().next(), None);
    for name in ["parquet-types", "plain-parquet", "classes", "order"] {
        assert!(verdict.checks.iter().any(|check| check.name == name), "{name}");
    }
}

#[test]
fn batches_and_long_values_are_read_whole() {
    let mut many = rows();
    let mut last = many.last().cloned().unwrap();
    last[NOTE] = "ö".repeat(100);
    many.resize(50_000, last);
    let mut release = Release::parquet_of(&parquet_bytes(&many));
    release.claim("/records", json!({"original": 50000, "released": 50000, "suppressed": 0}));
    release.claim("/classes/max", json!(49_990));
    assert_eq!(release.failures(), [""; 0]);
}

#[test]
fn the_rows_are_judged_as_in_csv() {
    let mut swapped = rows();
    swapped.swap(2, 12);
    let mut relabelled = rows();
    relabelled[15][2] = "1234*".to_owned();
    relabelled.sort();
    for (rows, expected) in
        [(swapped, vec!["order"]), (relabelled, vec!["labels", "classes", "k-anonymity", "l-diversity"])]
    {
        assert_eq!(Release::parquet_of(&parquet_bytes(&rows)).failures(), expected);
    }
}

#[test]
fn a_formula_needs_no_guard_and_none_may_be_claimed() {
    let mut rows = rows();
    rows[0][NOTE] = "=SUM(A1)".to_owned();
    rows.sort();
    let mut release = Release::parquet_of(&parquet_bytes(&rows));
    assert_eq!(release.failures(), [""; 0]);
    release.claim("/neutralised_cells", json!(1));
    assert_eq!(release.failures(), ["formula-cells"]);
}

/// Everything that a file can hold besides its records.
#[test]
fn what_is_in_the_file_besides_the_records() {
    let note = KeyValue::new("ARROW:schema".to_owned(), "x".to_owned());
    let read = |properties: WriterPropertiesBuilder| written_parquet(&rows(), properties.build(), str::is_empty);
    for (what, bytes) in [
        ("a note", read(properties().set_key_value_metadata(Some(vec![note])))),
        ("filters", read(properties().set_bloom_filter_enabled(true))),
        ("no statistics", read(properties().set_statistics_enabled(EnabledStatistics::None))),
        ("other packing", read(properties().set_compression(Compression::UNCOMPRESSED))),
        ("no dictionaries", read(properties().set_dictionary_enabled(false))),
        ("statistics of pages", read(properties().set_write_page_header_statistics(true))),
        ("other row groups", two_groups(&rows(), properties().build(), None)),
        ("a value of no record", two_groups(&rows(), properties().build(), Some("withheld"))),
    ] {
        assert_eq!(only_failure(&Release::parquet_of(&bytes)), "other bytes, in which values may hide", "{what}");
    }
}

#[test]
fn a_maker_that_is_not_known_is_not_a_pass() {
    for maker in ["equanym", "equanym layout 2", "parquet-rs version 59.3.2", "withheld", ""] {
        let properties = properties().set_created_by(maker.to_owned()).build();
        let bytes = written_parquet(&rows(), properties, str::is_empty);
        let verdict = Release::parquet_of(&bytes).audit();
        assert_eq!(failures(&verdict), ["plain-parquet"], "{maker}");
        assert!(verdict.failures().all(|check| check.found.starts_with("not checked: ")), "{maker}");
    }
}

#[test]
fn an_empty_text_is_no_missing_value() {
    // For whoever reads the file, one of five alike is unique.
    let first = std::cell::Cell::new(true);
    let is_null = |cell: &str| cell.is_empty() && !first.replace(false);
    let bytes = written_parquet(&rows(), properties().build(), is_null);
    assert_eq!(only_failure(&Release::parquet_of(&bytes)), "record 1: an empty text, where a missing value is a null");
}

#[test]
fn bytes_between_the_parts() {
    let mut bytes = parquet_bytes(&rows());
    let tail = bytes.len() - 8;
    let footer = u32::from_le_bytes(bytes[tail..tail + 4].try_into().unwrap());
    let place = tail - usize::try_from(footer).unwrap();
    bytes.splice(place..place, *b"withheld");
    assert_eq!(Release::parquet_of(&bytes).failures(), ["plain-parquet"]);
}

#[test]
fn columns_that_are_not_text() {
    for (schema, expected) in [
        ("message m { required int32 age; }", "parquet-types"),
        ("message m { required group age { required int32 x; } }", "rows"),
    ] {
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(&[1; 16], None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        let mut release = Release::parquet_of(&writer.into_inner().unwrap());
        let age = release.manifest["columns"][0].clone();
        release.claim("/columns", json!([age]));
        assert_eq!(release.failures(), [expected]);
    }
}

#[test]
fn another_header_and_what_is_no_parquet() {
    let mut release = Release::parquet();
    release.claim("/columns/7/name", json!("remark"));
    assert_eq!(release.failures(), ["columns"]);
    let bytes = parquet_bytes(&rows());
    for length in [0, 3, 8, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(Release::parquet_of(&bytes[..length]).failures(), ["rows"], "{length}");
    }
    assert_eq!(Release::parquet_of(b"age,sex\n1,2\n").failures(), ["rows"]);
}

#[test]
fn columns_with_more_values_than_a_dictionary_holds() {
    let last = rows().pop().unwrap();
    let mut many = Vec::new();
    for number in 0..90_000 {
        let mut row = last.clone();
        row[6] = (number % 3).to_string();
        row[NOTE] = format!("note {:07}", number / 2);
        if number % 3 == 0 {
            row[NOTE].clear();
        }
        many.push(row);
    }
    many.sort();
    let mut release = Release::parquet_of(&parquet_bytes(&many));
    release.claim("/records", json!({"original": 90_000, "released": 90_000, "suppressed": 0}));
    release.claim("/classes", json!({"count": 1, "min": 90_000, "max": 90_000}));
    release.claim("/columns/4/labels/values", json!(["Higher"]));
    assert_eq!(release.failures(), [""; 0]);
}
