//! Releases in Parquet.

use std::sync::Arc;

use parquet::data_type::Int32Type;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::json;

use crate::release::{NOTE, Release, failures, parquet_bytes, plain_properties, rows};

#[test]
fn the_honest_release_passes() {
    let verdict = Release::parquet().audit();
    assert_eq!(verdict.failures().next(), None);
    for name in ["parquet-metadata", "parquet-types", "parquet-leftovers", "classes", "order"] {
        assert!(verdict.checks.iter().any(|check| check.name == name), "{name}");
    }
}

#[test]
fn batches_and_long_values_are_read_whole() {
    let mut many = rows();
    let mut last = many.last().cloned().unwrap();
    last[NOTE] = "ö".repeat(100);
    many.resize(5000, last);
    let mut release = Release::parquet_of(&parquet_bytes(&many, plain_properties(), None));
    release.claim("/records", json!({"original": 5000, "released": 5000, "suppressed": 0}));
    release.claim("/classes/max", json!(4990));
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
        assert_eq!(Release::parquet_of(&parquet_bytes(&rows, plain_properties(), None)).failures(), expected);
    }
}

#[test]
fn a_formula_needs_no_guard_and_none_may_be_claimed() {
    let mut rows = rows();
    rows[0][NOTE] = "=SUM(A1)".to_owned();
    rows.sort();
    let mut release = Release::parquet_of(&parquet_bytes(&rows, plain_properties(), None));
    assert_eq!(release.failures(), [""; 0]);
    release.claim("/neutralised_cells", json!(1));
    assert_eq!(release.failures(), ["formula-cells"]);
}

#[test]
fn a_note_in_the_file() {
    let note = KeyValue::new("ARROW:schema".to_owned(), "x".to_owned());
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![note])).build();
    let release = Release::parquet_of(&parquet_bytes(&rows(), properties, None));
    assert_eq!(release.failures(), ["parquet-metadata"]);
}

#[test]
fn statistics_that_name_a_value_of_no_row() {
    let release = Release::parquet_of(&parquet_bytes(&rows(), plain_properties(), Some("withheld")));
    assert_eq!(release.failures(), ["parquet-leftovers"]);
}

#[test]
fn bytes_between_the_parts() {
    let mut bytes = parquet_bytes(&rows(), plain_properties(), None);
    let tail = bytes.len() - 8;
    let footer = u32::from_le_bytes(bytes[tail..tail + 4].try_into().unwrap());
    let place = tail - usize::try_from(footer).unwrap();
    bytes.splice(place..place, *b"withheld");
    let verdict = Release::parquet_of(&bytes).audit();
    assert_eq!(failures(&verdict), ["parquet-leftovers"]);
    assert!(verdict.failures().all(|check| check.found == "0 values beside the rows, 8 stray bytes"));
}

#[test]
fn columns_that_are_not_text() {
    for schema in ["message m { required int32 age; }", "message m { required group age { required int32 x; } }"] {
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
        assert_eq!(release.failures(), ["parquet-types"]);
    }
}

#[test]
fn another_header() {
    let mut release = Release::parquet();
    release.claim("/columns/7/name", json!("remark"));
    assert_eq!(release.failures(), ["columns"]);
}

#[test]
fn a_truncated_file() {
    let bytes = parquet_bytes(&rows(), plain_properties(), None);
    for length in [0, 3, 8, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(Release::parquet_of(&bytes[..length]).failures(), ["rows"], "{length}");
    }
}

#[test]
fn a_file_of_another_format() {
    assert_eq!(Release::parquet_of(b"age,sex\n1,2\n").failures(), ["rows"]);
}
