//! Random tables read back alike from every format; random bytes never panic.

use std::fs::File;
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema};
use equanym_engine::read::{Encoding, RaggedRecords, Reading};
use proptest::prelude::*;

use super::{Folder, Rows, read};

fn cell() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        Just(None),
        "[a-z0-9 ,;\t|\"'\r\n\u{e9}\u{1F600}]{1,12}".prop_map(Some),
        any::<i64>().prop_map(|number| Some(number.to_string())),
        "[^\u{0}]{1,4}".prop_map(Some),
    ]
}

/// Names and rows; the names hold no delimiter but quotes may be needed.
fn tables() -> impl Strategy<Value = (Vec<String>, Rows)> {
    (2usize..6).prop_flat_map(|width| {
        let names =
            prop::collection::hash_set("[A-Za-z\u{e9} \"]{0,6}x", width).prop_map(|set| set.into_iter().collect());
        (names, prop::collection::vec(prop::collection::vec(cell(), width), 0..30))
    })
}

fn batch(names: &[String], rows: &Rows) -> RecordBatch {
    let fields: Vec<Field> = names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    let column = |index: usize| rows.iter().map(|row| row[index].clone()).collect::<StringArray>();
    let columns = (0..names.len()).map(|index| Arc::new(column(index)) as ArrayRef).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap()
}

fn as_csv(names: &[String], rows: &Rows, delimiter: u8) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    writer.write_record(names).unwrap();
    for row in rows {
        writer.write_record(row.iter().map(|cell| cell.as_deref().unwrap_or(""))).unwrap();
    }
    writer.into_inner().unwrap()
}

fn as_ndjson(names: &[String], rows: &Rows) -> Vec<u8> {
    let mut out = Vec::new();
    for row in rows {
        let object: Vec<String> = names
            .iter()
            .zip(row)
            .map(|(name, cell)| format!("{}:{}", serde_json::json!(name), serde_json::json!(cell)))
            .collect();
        out.extend_from_slice(format!("{{{}}}\n", object.join(",")).as_bytes());
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_format_tells_the_same_table((names, rows) in tables(), batch_records in 1usize..9, pick in 0usize..4) {
        let folder = Folder::new();
        let reading = Reading { batch_records, ..Reading::default() };
        let delimiter = b",;\t|"[pick];
        let set = Reading { delimiter: Some(delimiter), ..reading.clone() };
        prop_assert_eq!(&read(&folder.file("a.csv", as_csv(&names, &rows, delimiter)), &set).unwrap(), &rows);
        if !rows.is_empty() {
            prop_assert_eq!(&read(&folder.file("a.ndjson", as_ndjson(&names, &rows)), &reading).unwrap(), &rows);
        }
        let batch = batch(&names, &rows);
        let path = folder.path().join("a.parquet");
        let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        prop_assert_eq!(&read(&path, &reading).unwrap(), &rows);
        let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        prop_assert_eq!(&read(&folder.file("a.arrow", writer.into_inner().unwrap()), &reading).unwrap(), &rows);
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), options in any::<[bool; 4]>()) {
        let folder = Folder::new();
        let reading = Reading {
            trim: options[0],
            normalise: options[1],
            ragged: if options[2] { RaggedRecords::Null } else { RaggedRecords::Refuse },
            encoding: if options[3] { Encoding::Utf16Le } else { Encoding::Auto },
            field_limit: 64,
            batch_records: 3,
            ..Reading::default()
        };
        for name in ["a.csv", "a.tsv", "a.ndjson", "a.csv.gz", "a.csv.zst", "a.parquet", "a.arrow"] {
            let _ = read(&folder.file(name, &bytes), &reading);
        }
        let framed = [b"PAR1".as_slice(), &bytes, &u32::try_from(bytes.len()).unwrap().to_le_bytes(), b"PAR1"].concat();
        let _ = read(&folder.file("b.parquet", framed), &reading);
        let framed = [b"\xFF\xFF\xFF\xFF".as_slice(), &u32::try_from(bytes.len()).unwrap().to_le_bytes(), &bytes].concat();
        let _ = read(&folder.file("b.arrows", framed), &reading);
    }

    #[test]
    fn random_text_never_panics(text in "[ab,;\"\\\\{}:\\[\\]0-9\n\r\u{e9}\u{0}]{0,200}") {
        let folder = Folder::new();
        let reading = Reading { field_limit: 20, batch_records: 2, ..Reading::default() };
        for name in ["a.csv", "a.ndjson"] {
            let _ = read(&folder.file(name, &text), &reading);
        }
    }

    /// What was read keeps its shape: as many cells a row as columns, none empty.
    #[test]
    fn short_rows_are_filled_to_the_width(rows in prop::collection::vec(1usize..4, 0..20)) {
        let folder = Folder::new();
        let body: String = rows.iter().map(|width| vec!["1"; *width].join(",") + "\n").collect();
        let reading = Reading { ragged: RaggedRecords::Null, delimiter: Some(b','), ..Reading::default() };
        let source = equanym_engine::read::open(&folder.file("a.csv", format!("a,b,c\n{body}")), &reading).unwrap();
        let cells = super::read_source(&source).unwrap();
        let widths: Vec<usize> = cells.iter().map(|row| row.iter().flatten().count()).collect();
        prop_assert_eq!(&widths, &rows);
        prop_assert_eq!(source.notes().filled_records, rows.iter().filter(|width| **width < 3).count() as u64);
    }
}
