//! Parquet.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, Decimal256Array, Int64Array, ListArray, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use arrow_buffer::i256;
use parquet::arrow::ArrowWriter;
use parquet::data_type::{FixedLenByteArray, FixedLenByteArrayType, Int96, Int96Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::run::{CANARY, IDENTIFYING, INSENSITIVE, PAIRS, QUASI, Stage, policy};

fn save(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn canaries(count: usize) -> ArrayRef {
    Arc::new(StringArray::from(vec![CANARY; count]))
}

/// A folder with a policy for `name` and `v`.
fn stage() -> Stage {
    Stage::with("", &policy(&[("name", IDENTIFYING), ("v", QUASI)], PAIRS))
}

#[test]
fn truncated_footer() {
    let stage = stage();
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a"; 4]));
    save(&stage.path("whole.parquet"), vec![("name", canaries(4)), ("v", texts)]);
    stage.release("whole.parquet", &[]).released();
    fs::remove_dir_all(stage.path("out")).unwrap();
    let bytes = fs::read(stage.path("whole.parquet")).unwrap();
    for length in [3, 11, 12, bytes.len() / 2, bytes.len() - 20, bytes.len() - 8, bytes.len() - 1] {
        stage.write("cut.parquet", &bytes[..length]);
        stage.release("cut.parquet", &[]).refused(2);
    }
}

#[test]
fn thrift_bomb_of_10_bytes() {
    // A list of 2^31 - 1 structs, a text of 2^40 bytes, a list in a list in a list.
    let bombs: [[u8; 10]; 3] = [
        [0x49, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0, 0, 0],
        [0x68, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0, 0, 0],
        [0x19, 0xF9, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0xF9, 0xFF, 0xFF],
    ];
    for bomb in bombs {
        let stage = stage();
        stage.write("bomb.parquet", [b"PAR1", &bomb[..], &10_u32.to_le_bytes(), b"PAR1"].concat());
        stage.release_within(512, "bomb.parquet", &[]).refused(2);
    }
}

/// The types of the support table in the engine's `source/text.rs` that are easily got wrong.
#[test]
fn unusual_types_as_text() {
    let stage = Stage::with("", &policy(&[("name", IDENTIFYING), ("money", QUASI), ("at", INSENSITIVE)], PAIRS));
    let money = Decimal256Array::from(vec![i256::from_i128(-150); 4]).with_precision_and_scale(76, 2).unwrap();
    let at = TimestampMicrosecondArray::from(vec![1_774_747_800_000_000; 4]).with_timezone("Europe/Berlin");
    let columns: Vec<(&str, ArrayRef)> = vec![("name", canaries(4)), ("money", Arc::new(money)), ("at", Arc::new(at))];
    save(&stage.path("data.parquet"), columns);
    let release = stage.release("data.parquet", &[]).released();
    assert_eq!(release.data(), format!("money,at\n{}", "-1.50,2026-03-29T01:30:00Z\n".repeat(4)));
}

#[test]
fn int96_and_uuid() {
    let stage = Stage::with("", &policy(&[("at", QUASI), ("id", INSENSITIVE)], PAIRS));
    let schema = "message m { required int96 at; required fixed_len_byte_array(16) id (UUID); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = File::create(stage.path("data.parquet")).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::default())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let mut moment = Int96::new();
    // Julian day 2440588 is 1970-01-01.
    moment.set_data(1_500_000_000, 0, 2_440_588);
    column.typed::<Int96Type>().write_batch(&[moment; 2], None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let id = FixedLenByteArray::from((0..16).collect::<Vec<u8>>());
    column.typed::<FixedLenByteArrayType>().write_batch(&[id.clone(), id], None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    let release = stage.release("data.parquet", &[]).released();
    let row = "1970-01-01T00:00:01.500,00010203-0405-0607-0809-0a0b0c0d0e0f\n";
    assert_eq!(release.data(), format!("at,id\n{}", row.repeat(2)));
}

#[test]
fn types_without_a_text() {
    let stage = stage();
    let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(vec![Some(vec![Some(1)]); 4]));
    assert_eq!(lists.len(), 4);
    save(&stage.path("data.parquet"), vec![("name", canaries(4)), ("v", lists.clone())]);
    stage.release("data.parquet", &[]).refused(2);
    // Nobody reads what is never released.
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a"; 4]));
    save(&stage.path("data.parquet"), vec![("name", lists), ("v", texts)]);
    stage.release("data.parquet", &[]).released();
}

#[test]
fn schema_differs_across_files_in_directory() {
    let stage = stage();
    fs::create_dir(stage.path("parts")).unwrap();
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["7"; 2]));
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![7; 2]));
    save(&stage.path("parts/a.parquet"), vec![("name", canaries(2)), ("v", texts.clone())]);
    let other = stage.path("parts/b.parquet");
    save(&other, vec![("name", canaries(2)), ("v", numbers)]);
    stage.release("parts", &[]).refused(2);
    save(&other, vec![("name", canaries(2)), ("w", texts.clone())]);
    stage.release("parts", &[]).refused(2);
    save(&other, vec![("name", canaries(2))]);
    stage.release("parts", &[]).refused(2);
    save(&other, vec![("name", canaries(2)), ("v", texts)]);
    stage.release("parts", &[]).released();
}
