//! Arrow IPC: numbers of a message that are lies, by a seeded chance, and texts that are said again and again.

use std::sync::Arc;

use arrow_array::builder::StringViewBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, NullArray, RecordBatch, StringArray};
use arrow_buffer::Buffer;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};

use super::super::mutated::damage::Chance;
use super::{draws, refused, stage, survives};

const LIES: [i64; 8] = [-1, 0, 1, 1 << 31, 1 << 36, 1 << 40, 1 << 62, i64::MAX];

fn batch(column: impl Array + 'static) -> RecordBatch {
    RecordBatch::try_from_iter([("v", Arc::new(column) as ArrayRef)]).unwrap()
}

fn options(packing: Option<CompressionType>) -> IpcWriteOptions {
    IpcWriteOptions::default().try_with_compression(packing).unwrap()
}

fn stream(batch: &RecordBatch, packing: Option<CompressionType>) -> Vec<u8> {
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options(packing)).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn file(batch: &RecordBatch, packing: Option<CompressionType>) -> Vec<u8> {
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options(packing)).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn texts() -> RecordBatch {
    batch(StringArray::from(vec!["some text"; 6]))
}

fn dictionary(keys: usize, text: &str) -> RecordBatch {
    let (keys, texts) = (Int32Array::from(vec![0; keys]), StringArray::from(vec![text]));
    batch(DictionaryArray::<Int32Type>::try_new(keys, Arc::new(texts)).unwrap())
}

/// Words of eight bytes and second halves of them: offsets, lengths and packed sizes are among them.
fn lie(name: &str, whole: &[u8], seed: u64) {
    let stage = stage();
    let ran = survives(&stage, name, "honest", whole);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for draw in 0..draws() * 60 {
        let chance = &mut Chance::of(seed + 10 * draw);
        let (at, number) = (8 * chance.below(whole.len() / 8), chance.one_of(&LIES).to_le_bytes());
        let mut bytes = whole.to_vec();
        if chance.below(3) == 0 {
            bytes[at + 4..at + 8].copy_from_slice(&number[..4]);
        } else {
            bytes[at..at + 8].copy_from_slice(&number);
        }
        survives(&stage, name, &format!("word {at} of {seed}"), &bytes);
    }
}

#[test]
fn files() {
    lie("data.arrow", &file(&texts(), None), 1);
}

#[test]
fn packed_files() {
    lie("data.arrow", &file(&texts(), Some(CompressionType::LZ4_FRAME)), 2);
}

#[test]
fn streams() {
    lie("data.arrows", &stream(&dictionary(6, "some text"), Some(CompressionType::ZSTD)), 3);
}

#[test]
fn texts_without_end() {
    let stage = stage();
    let long = "x".repeat(1 << 20);
    let mut views = StringViewBuilder::new();
    let block = views.append_block(Buffer::from(long.as_bytes()));
    (0..20_000).for_each(|_| views.try_append_view(block, 0, 1 << 20).unwrap());
    let views = batch(views.finish());
    let many = dictionary(20_000, &long);
    let wide = StringArray::from(vec!["x".repeat(60 << 20)]);
    for packing in [None, Some(CompressionType::ZSTD)] {
        refused(&stage, "data.arrow", "views of one text", &file(&views, packing), 3);
        refused(&stage, "data.arrow", "keys of one text", &file(&many, packing), 3);
        refused(&stage, "data.arrows", "keys of one text in a stream", &stream(&many, packing), 3);
        refused(&stage, "data.arrow", "a text of 60 MiB", &file(&batch(wide.clone()), packing), 2);
    }
    refused(&stage, "data.arrow", "nulls", &file(&batch(NullArray::new(1 << 40)), None), 2);
}
