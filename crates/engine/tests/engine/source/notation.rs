//! Numbers with other signs than plain decimals, and codes that lost their zeros.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use equanym_engine::read::notation::Notation;
use equanym_engine::read::{ColumnForm, Reading, open};
use parquet::arrow::ArrowWriter;

use super::{CANARY, Folder, read_source, refusal, shown};

fn reading(decimal: char, thousands: Option<char>) -> Reading {
    let forms = BTreeMap::from([("kg".to_owned(), ColumnForm::Number), ("plz".to_owned(), ColumnForm::Code(5))]);
    Reading { notation: Notation { decimal, thousands }, forms, missing: vec!["NA".to_owned()], ..Reading::default() }
}

#[test]
fn numbers_become_plain_and_texts_stay() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "kg;note\n1,5;1,5\n-0,25;x\nNA;NA\n12;12,0\nabc;1.234\n");
    let expected = ["1.5|1,5", "-0.25|x", "~|~", "12|12,0", "abc|1.234"];
    assert_eq!(shown(&path, &reading(',', None)), expected);
    // Without a sign that is told, nothing is done.
    let plain = shown(&path, &reading('.', None));
    assert_eq!(plain[0], "1,5|1,5");
}

#[test]
fn thousands_are_grouped_only_where_that_is_told() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "kg;note\n1.234,5;a\n1.234;b\n");
    assert_eq!(shown(&path, &reading(',', Some('.'))), ["1234.5|a", "1234|b"]);
    refusal(&path, &reading(',', None), 2);
    let path = folder.file("b.csv", format!("kg;note\n0.125;{CANARY}\n"));
    refusal(&path, &reading(',', Some('.')), 2);
}

#[test]
fn numbers_that_a_file_holds_as_numbers_are_plain_already() {
    let folder = Folder::new();
    let json = folder.file("a.ndjson", "{\"kg\":1.5,\"note\":\"1,5\"}\n{\"kg\":\"2,5\",\"note\":null}\n");
    assert_eq!(shown(&json, &reading(',', None)), ["1.5|1,5", "2.5|~"]);
    let wrong = folder.file("b.ndjson", "{\"kg\":1.5}\n{\"kg\":\"2.5\"}\n");
    refusal(&wrong, &reading(',', None), 2);

    let columns: Vec<(&str, ArrayRef)> = vec![
        ("kg", Arc::new(Float64Array::from(vec![1.5, 1000.25]))),
        ("note", Arc::new(StringArray::from(vec!["1,5", "x"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let path = folder.path().join("a.parquet");
    let mut writer = ArrowWriter::try_new(std::fs::File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    assert_eq!(shown(&path, &reading(',', None)), ["1.5|1,5", "1000.25|x"]);

    let columns: Vec<(&str, ArrayRef)> = vec![("kg", Arc::new(StringArray::from(vec!["1,5", "2.5"])))];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let path = folder.path().join("b.parquet");
    let mut writer = ArrowWriter::try_new(std::fs::File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    refusal(&path, &reading(',', None), 2);
}

#[test]
fn codes_get_the_zeros_back_that_a_spreadsheet_ate() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "plz,note\n1067,a\n69115,b\nNA,c\nD-1067,d\n");
    let found = shown(&path, &reading('.', None));
    assert_eq!(found, ["01067|a", "69115|b", "~|c", "D-1067|d"], "what is no code stays");
    let path = folder.file("b.csv", format!("plz,note\n691150,{CANARY}\n"));
    refusal(&path, &reading('.', None), 2);
    let json = folder.file("c.ndjson", "{\"plz\":1067}\n");
    assert_eq!(shown(&json, &reading('.', None)), ["01067"]);
}

#[test]
fn batches_are_the_same_however_they_are_cut() {
    let folder = Folder::new();
    let rows: String = (0..5_000).fold(String::new(), |rows, row| rows + &format!("{row},5;{row}\n"));
    let path = folder.file("a.csv", format!("kg;note\n{rows}"));
    let small = Reading { batch_records: 7, ..reading(',', None) };
    let read = |reading: &Reading| read_source(&open(&path, reading).unwrap()).unwrap();
    assert_eq!(read(&small), read(&reading(',', None)));
    assert_eq!(read(&small)[4_999], [Some("4999.5".to_owned()), Some("4999".to_owned())]);
}
