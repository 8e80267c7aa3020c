//! Arrow IPC.

use std::fs;
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    Array, DictionaryArray, FixedSizeBinaryArray, Int64Array, LargeStringArray, NullArray, RecordBatch, StringArray,
    StringViewArray,
};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_ipc::{Block, CompressionType, root_as_footer};
use arrow_schema::{DataType, Field, Schema};
use equanym_engine::read::{Reading, open};

use super::{CANARY, Folder, column, plain, read, read_columns, refused, shown, table, unread};

fn as_file(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batches[0].schema(), options).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
    }
    writer.into_inner().unwrap()
}

fn as_stream(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batches[0].schema()).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
    }
    writer.into_inner().unwrap()
}

fn batch() -> RecordBatch {
    let words: DictionaryArray<Int8Type> = vec![Some("x"), None, Some(""), Some("x")].into_iter().collect();
    table(vec![
        ("id", column(Int64Array::from(vec![1, 2, 3, 4]))),
        ("large", column(LargeStringArray::from(vec![Some(CANARY), None, Some("b"), Some("c")]))),
        ("view", column(StringViewArray::from(vec!["a long text that is not inlined", "", "NA", "d"]))),
        ("word", column(words)),
        ("none", column(NullArray::new(4))),
    ])
}

#[test]
fn files_and_streams_packed_or_not_read_alike() {
    let folder = Folder::new();
    let first = format!("1|{CANARY}|a long text that is not inlined|x|~");
    let rows = [first.as_str(), "2|~|~|~|~", "3|b|NA|~|~", "4|c|d|x|~"];
    let twice = [rows, rows].concat();
    let batches = [batch(), batch().slice(0, 0), batch()];
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        assert_eq!(plain(&folder.file("a.arrow", as_file(&batches, compression))), twice);
    }
    let path = folder.file("a.arrows", as_stream(&batches));
    assert_eq!(plain(&path), twice);
    assert_eq!(shown(&path, &Reading { batch_records: 3, ..Reading::default() }), twice);
    let source = open(&path, &Reading { missing: vec!["x".into()], ..Reading::default() }).unwrap();
    let cells = read_columns(&source, &[3, 0]).unwrap();
    assert_eq!(cells[0], [None, Some("1".to_owned())]);
}

/// Where the messages behind the schema are, as the footer says: each dictionary, then each batch.
fn blocks(file: &[u8]) -> Vec<(usize, usize)> {
    let size = u32::from_le_bytes(file[file.len() - 10..][..4].try_into().unwrap()) as usize;
    let footer = root_as_footer(&file[file.len() - 10 - size..][..size]).unwrap();
    let all = footer.dictionaries().into_iter().flatten().chain(footer.recordBatches().into_iter().flatten());
    let number = |number: i64| usize::try_from(number).unwrap();
    let place =
        |block: &Block| (number(block.offset()), number(block.metaDataLength().into()) + number(block.bodyLength()));
    all.map(place).collect()
}

/// Tells the footer that a message is elsewhere.
fn moved(file: &mut [u8], from: usize, to: usize) {
    let footer = file.len() - 10 - u32::from_le_bytes(file[file.len() - 10..][..4].try_into().unwrap()) as usize;
    let place = file[footer..].windows(8).position(|bytes| bytes == (from as u64).to_le_bytes()).unwrap();
    file[footer + place..][..8].copy_from_slice(&(to as u64).to_le_bytes());
}

/// Polars leaves out the frame of the schema and writes dictionaries behind the batches that use them.
#[test]
fn a_file_is_read_by_its_footer() {
    let folder = Folder::new();
    let file = as_file(&[batch()], None);
    let expected = plain(&folder.file("plain.arrow", &file));
    let [(dictionary, size), (records, length)] = blocks(&file)[..] else { panic!() };

    let mut unframed = file.clone();
    let schema = if file[8..16] == [0; 8] { 64 } else { 8 };
    unframed.copy_within(schema + 8..dictionary, 8);
    assert_eq!(plain(&folder.file("unframed.arrow", &unframed)), expected);

    let mut late = file.clone();
    let end = records + length;
    late[dictionary..end].rotate_left(size);
    moved(&mut late, dictionary, dictionary + end - records);
    moved(&mut late, records, dictionary);
    assert_eq!(plain(&folder.file("late.arrow", &late)), expected);

    let mut twice = file.clone();
    moved(&mut twice, dictionary, records);
    refused(&folder.file("twice.arrow", &twice));

    let mut early = file.clone();
    moved(&mut early, dictionary, 1);
    refused(&folder.file("early.arrow", &early));
}

#[test]
fn tables_without_records_have_columns() {
    let folder = Folder::new();
    let none = [batch().slice(0, 0)];
    for path in [folder.file("a.arrow", as_file(&none, None)), folder.file("a.ipc", as_stream(&none))] {
        assert_eq!(open(&path, &Reading::default()).unwrap().columns().len(), 5);
        assert!(plain(&path).is_empty());
    }
    let mut writer = StreamWriter::try_new(Vec::new(), &batch().schema()).unwrap();
    writer.finish().unwrap();
    assert!(plain(&folder.file("a.arrows", writer.into_inner().unwrap())).is_empty());
}

#[test]
fn a_uuid_is_one_only_where_the_schema_says_so() {
    let folder = Folder::new();
    let ids = Arc::new(FixedSizeBinaryArray::try_from_iter([[7u8; 16]].into_iter()).unwrap());
    let field = Field::new("id", ids.data_type().clone(), false);
    let tagged = field.clone().with_metadata([("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())].into());
    let save = |field: Field| {
        let batch = RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![ids.clone()]).unwrap();
        folder.file("a.arrow", as_file(&[batch], None))
    };
    assert_eq!(plain(&save(tagged)), ["07070707-0707-0707-0707-070707070707"]);
    refused(&save(field));
}

#[test]
fn every_truncation_of_a_file_is_refused() {
    let folder = Folder::new();
    let bytes = as_file(&[batch()], None);
    for length in 0..bytes.len() {
        unread(&folder.file("cut.arrow", &bytes[..length]), &Reading::default());
    }
}

#[test]
fn a_stream_may_end_between_messages_only() {
    let folder = Folder::new();
    let bytes = as_stream(&[batch()]);
    assert_eq!(plain(&folder.file("a.arrows", &bytes[..bytes.len() - 8])).len(), 4);
    refused(&folder.file("a.arrows", &bytes[..bytes.len() - 16]));
}

#[test]
fn damaged_bytes_never_end_the_process_and_never_show() {
    let folder = Folder::new();
    for (compression, step) in [(None, 2), (Some(CompressionType::LZ4_FRAME), 3)] {
        let bytes = as_file(&[batch()], compression);
        for position in (0..bytes.len()).step_by(step) {
            for value in [0x7F, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[position] = value;
                if let Err(error) = read(&folder.file("damaged.arrow", &damaged), &Reading::default()) {
                    assert!(!error.to_string().contains(CANARY), "{error}");
                }
            }
        }
    }
}

#[test]
fn a_buffer_that_claims_too_much_is_a_bomb() {
    let folder = Folder::new();
    let text = StringArray::from(vec!["x".repeat(1 << 16)]);
    let bytes = as_file(&[table(vec![("a", column(text))])], Some(CompressionType::LZ4_FRAME));
    let claim = (1u64 << 16).to_le_bytes();
    let position = bytes.windows(8).rposition(|window| window == claim).unwrap();
    for huge in [1u64 << 40, 1 << 62, u64::MAX - 7] {
        let mut bomb = bytes.clone();
        bomb[position..position + 8].copy_from_slice(&huge.to_le_bytes());
        let path = folder.file("bomb.arrow", bomb);
        let error = read(&path, &Reading::default()).unwrap_err();
        assert!(error.exit_code() >= 2);
        assert_eq!(error.message.contains("size cap"), huge < 1 << 63, "{error}");
    }
}

#[test]
fn rows_without_bytes_are_not_believed() {
    let folder = Folder::new();
    let nothing = table(vec![("a", column(NullArray::new(1 << 40)))]);
    assert_eq!(nothing.schema().field(0).data_type(), &DataType::Null);
    refused(&folder.file("a.arrow", as_file(&[nothing], None)));
}

#[test]
fn the_empty_file_is_empty_input() {
    let folder = Folder::new();
    let path = folder.file("a.arrow", "");
    refused(&path);
    fs::write(&path, b"ARROW1\0\0").unwrap();
    refused(&path);
}
