//! Parquet.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int96, Int96Type};
use ::parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, ParquetMetaDataWriter, RowGroupMetaData};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::FileReader;
use ::parquet::file::serialized_reader::SerializedFileReader;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::parser::parse_message_type;
use arrow_array::types::Int32Type;
use arrow_array::{
    BinaryArray, BooleanArray, Date32Array, Decimal128Array, Decimal256Array, Float16Array, Float32Array, Float64Array,
    Int8Array, Int64Array, ListArray, RecordBatch, StringArray, Time64MicrosecondArray, TimestampMicrosecondArray,
    TimestampMillisecondArray, TimestampNanosecondArray, UInt64Array,
};
use arrow_buffer::i256;
use equanym_engine::read::{Reading, open};

use super::{CANARY, Folder, column, plain, read, read_columns, refusal, refused, shown, table, unread};

fn save(path: &Path, batch: &RecordBatch) {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(3)).build();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn saved(folder: &Folder, batch: &RecordBatch) -> PathBuf {
    let path = folder.path().join("a.parquet");
    save(&path, batch);
    path
}

#[test]
fn numbers_are_written_as_in_a_csv() {
    let folder = Folder::new();
    let batch = table(vec![
        ("yes", column(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("i8", column(Int8Array::from(vec![-128, 0, 127]))),
        ("u64", column(UInt64Array::from(vec![u64::MAX, 0, 1]))),
        ("f32", column(Float32Array::from(vec![0.1, 16_777_216.0, f32::NAN]))),
        ("f64", column(Float64Array::from(vec![1e5, -0.0, 1.5e-7]))),
        ("big", column(Float64Array::from(vec![1e20, 1e300, f64::NEG_INFINITY]))),
        ("d", column(Decimal128Array::from(vec![-150, 5, 0]).with_precision_and_scale(10, 2).unwrap())),
        (
            "d256",
            column(
                Decimal256Array::from(vec![i256::MINUS_ONE, i256::from_i128(i128::MAX), i256::ZERO])
                    .with_precision_and_scale(76, 3)
                    .unwrap(),
            ),
        ),
    ]);
    assert_eq!(
        plain(&saved(&folder, &batch)),
        [
            "true|-128|18446744073709551615|0.1|100000|100000000000000000000|-1.50|-0.001",
            "~|0|0|16777216|0|1e300|0.05|170141183460469231731687303715884105.727",
            "false|127|1|NaN|1.5e-7|-inf|0.00|0.000",
        ]
    );
}

#[test]
fn moments_are_written_in_iso_form() {
    let folder = Folder::new();
    let batch = table(vec![
        ("date", column(Date32Array::from(vec![Some(0), Some(-719_162), None]))),
        ("local", column(TimestampMillisecondArray::from(vec![0, 1_500, -1]))),
        ("utc", column(TimestampMicrosecondArray::from(vec![0, 1, 2]).with_timezone("Europe/Berlin"))),
        ("nano", column(TimestampNanosecondArray::from(vec![1, i64::MAX, i64::MIN]))),
        ("time", column(Time64MicrosecondArray::from(vec![0, 86_399_999_999, 1_000_000]))),
    ]);
    assert_eq!(
        plain(&saved(&folder, &batch)),
        [
            "1970-01-01|1970-01-01T00:00:00|1970-01-01T00:00:00Z|1970-01-01T00:00:00.000000001|00:00:00",
            "0001-01-01|1970-01-01T00:00:01.500|1970-01-01T00:00:00.000001Z|2262-04-11T23:47:16.854775807|23:59:59.999999",
            "~|1969-12-31T23:59:59.999|1970-01-01T00:00:00.000002Z|1677-09-21T00:12:43.145224192|00:00:01",
        ]
    );
}

/// INT96, UUID, enumerations and raw bytes as other programs write them.
fn foreign(path: &Path, days: &[i64]) {
    let schema = "message x { required int96 at; required fixed_len_byte_array(16) id (UUID);
        optional binary sort (ENUM); required binary raw; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(File::create(path).unwrap(), schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let instants: Vec<Int96> = days.iter().map(|day| int96(*day, 3_600_000_001_000)).collect();
    let ids: Vec<FixedLenByteArray> =
        days.iter().map(|_| ByteArray::from((0..16).collect::<Vec<u8>>()).into()).collect();
    let words: Vec<ByteArray> = days.iter().map(|_| ByteArray::from("RED")).collect();
    let levels = vec![1; days.len()];
    let mut next = group.next_column().unwrap().unwrap();
    next.typed::<Int96Type>().write_batch(&instants, None, None).unwrap();
    next.close().unwrap();
    let mut next = group.next_column().unwrap().unwrap();
    next.typed::<FixedLenByteArrayType>().write_batch(&ids, None, None).unwrap();
    next.close().unwrap();
    let mut next = group.next_column().unwrap().unwrap();
    next.typed::<ByteArrayType>().write_batch(&words, Some(&levels), None).unwrap();
    next.close().unwrap();
    let mut next = group.next_column().unwrap().unwrap();
    next.typed::<ByteArrayType>().write_batch(&words, None, None).unwrap();
    next.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}

fn int96(day: i64, nanos: u64) -> Int96 {
    let mut value = Int96::new();
    let low = u32::try_from(nanos & 0xFFFF_FFFF).unwrap();
    value.set_data(low, u32::try_from(nanos >> 32).unwrap(), u32::try_from(day + 2_440_588).unwrap());
    value
}

#[test]
fn int96_uuid_and_enumerations_are_read_and_raw_bytes_refused() {
    let folder = Folder::new();
    let path = folder.path().join("a.parquet");
    // The last day is in the year 3000, which nanoseconds in 64 bits do not reach.
    foreign(&path, &[0, 376_200]);
    let source = open(&path, &Reading::default()).unwrap();
    let id = Some("00010203-0405-0607-0809-0a0b0c0d0e0f".to_owned());
    let row = |at: &str| vec![Some("RED".to_owned()), id.clone(), Some(at.to_owned())];
    assert_eq!(
        read_columns(&source, &[2, 1, 0]).unwrap(),
        [row("1970-01-01T01:00:00.000001"), row("3000-01-01T01:00:00.000001")]
    );
    refused(&path);
}

#[test]
fn nested_and_odd_types_are_refused_only_when_read() {
    let folder = Folder::new();
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>(vec![Some(vec![Some(1), None]), None]);
    let batch = table(vec![
        ("id", column(Int64Array::from(vec![1, 2]))),
        ("list\u{7}", column(list)),
        ("half", column(Float16Array::new_null(2))),
        ("bytes", column(BinaryArray::from(vec![CANARY.as_bytes(), b""]))),
    ]);
    let source = open(&saved(&folder, &batch), &Reading::default()).unwrap();
    assert_eq!(read_columns(&source, &[0]).unwrap(), [[Some("1".to_owned())], [Some("2".to_owned())]]);
    for index in 1..4 {
        crate::stage::refused(read_columns(&source, &[0, index]), folder.path());
    }
}

#[test]
fn texts_are_cleaned_like_those_of_a_csv() {
    let folder = Folder::new();
    let batch = table(vec![
        ("a", column(StringArray::from(vec![Some(""), Some(" NA "), None, Some("x")]))),
        ("b", column(Int64Array::from(vec![Some(-99), Some(1), None, Some(2)]))),
    ]);
    let path = saved(&folder, &batch);
    assert_eq!(plain(&path), ["~|-99", " NA |1", "~|~", "x|2"]);
    let missing = vec!["NA".to_owned(), "-99".to_owned()];
    assert_eq!(shown(&path, &Reading { missing, trim: true, ..Reading::default() }), ["~|~", "~|1", "~|~", "x|2"]);
}

#[test]
fn nul_and_endless_texts_have_their_row() {
    let folder = Folder::new();
    let texts = StringArray::from(vec!["a", "b", "c", "d\0", CANARY]);
    let path = saved(&folder, &table(vec![("a", column(texts))]));
    refused(&path);
    let reading = Reading { batch_records: 2, ..Reading::default() };
    refusal(&path, &reading, 2);
    let path = saved(&folder, &table(vec![("a", column(StringArray::from(vec!["abc", "abcdef"])))]));
    refusal(&path, &Reading { field_limit: 5, ..Reading::default() }, 2);
}

fn small(folder: &Folder) -> Vec<u8> {
    let batch = table(vec![
        ("id", column(Int64Array::from(vec![1, 2, 3, 4]))),
        ("name", column(StringArray::from(vec![CANARY; 4]))),
    ]);
    fs::read(saved(folder, &batch)).unwrap()
}

#[test]
fn every_truncation_is_refused() {
    let folder = Folder::new();
    let bytes = small(&folder);
    for length in 0..bytes.len() {
        unread(&folder.file("cut.parquet", &bytes[..length]), &Reading::default());
    }
}

#[test]
fn footers_that_claim_too_much_are_refused() {
    let folder = Folder::new();
    let file = |footer: &[u8], claimed: u32| {
        let bytes = [b"PAR1".as_slice(), footer, &claimed.to_le_bytes(), b"PAR1"].concat();
        folder.file("bomb.parquet", bytes)
    };
    // Lists of two thousand million schema elements, row groups and key-values; a version and nothing else.
    for field in [0x29, 0x49, 0x59] {
        let footer = [field, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0, 0, 0];
        refused(&file(&footer, 10));
    }
    // A well-formed schema, then the row groups of a liar.
    let schema = [0x15, 2, 0x19, 0x2C, 0x48, 1, b'x', 0x15, 2, 0, 0x15, 2, 0x25, 0, 0x18, 1, b'a', 0, 0x16, 2];
    let groups = [0x19, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0];
    refused(&file(&[schema.as_slice(), &groups].concat(), 28));
    // Children that never come, and children of children of children.
    refused(&file(&[0x29, 0x1C, 0x48, 1, b'x', 0x15, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0], 13));
    let chain = [vec![0x29, 0xFC, 0xA0, 0x8D, 0x06], [0x48, 1, b'x', 0x15, 2, 0].repeat(100_000), vec![0]].concat();
    refused(&file(&chain, u32::try_from(chain.len()).unwrap()));
    refused(&file(&[0x1C; 9_000], 9_000));
    refused(&file(&[0], 1));
    refused(&file(&[0], u32::MAX));
    refused(&folder.file("secret.parquet", b"PAR1....\x01\0\0\0PARE"));
}

#[test]
fn dictionaries_that_claim_too_much_are_refused() {
    let folder = Folder::new();
    let bytes = small(&folder);
    let path = folder.file("page.parquet", &bytes);
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    for column in 0..2 {
        let start = reader.metadata().row_group(0).column(column).dictionary_page_offset().unwrap();
        let start = usize::try_from(start).unwrap();
        let entries = start + bytes[start..].iter().position(|byte| *byte == 0x4C).unwrap() + 2;
        let mut hostile = bytes.clone();
        hostile[entries..entries + 5].copy_from_slice(&[0xFE, 0xFF, 0xFF, 0xFF, 0x0F]);
        refused(&folder.file("page.parquet", hostile));
    }
}

#[test]
fn indexes_that_claim_too_much_are_not_decoded() {
    let folder = Folder::new();
    let bytes = small(&folder);
    let path = folder.file("index.parquet", &bytes);
    let whole = plain(&path);
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let chunk = reader.metadata().row_group(0).column(0);
    // A list of two thousand million pages, in the place of the few that there are.
    for (offset, kind) in [(chunk.offset_index_offset(), 0x0C), (chunk.column_index_offset(), 0x01)] {
        let mut hostile = bytes.clone();
        let place = usize::try_from(offset.unwrap()).unwrap();
        hostile[place..place + 7].copy_from_slice(&[0x19, 0xF0 | kind, 0xFF, 0xFF, 0xFF, 0xFF, 0x07]);
        assert_eq!(plain(&folder.file("index.parquet", hostile)), whole);
    }
}

#[test]
fn damaged_bytes_never_end_the_process_and_never_show() {
    let folder = Folder::new();
    let bytes = small(&folder);
    for position in 0..bytes.len() {
        for value in [0x7F, 0xFF, bytes[position] ^ 1] {
            let mut damaged = bytes.clone();
            damaged[position] = value;
            if let Err(error) = read(&folder.file("damaged.parquet", &damaged), &Reading::default()) {
                assert!(!error.to_string().contains(CANARY), "{error}");
            }
        }
    }
}

#[test]
fn files_of_a_folder_agree_on_names_and_types() {
    let folder = Folder::new();
    let with = |name: &str, other| table(vec![("id", column(Int64Array::from(vec![1]))), (name, other)]);
    save(&folder.path().join("a.parquet"), &with("age", column(Int64Array::from(vec![1]))));
    save(&folder.path().join("b.parquet"), &with("age", column(Int64Array::from(vec![2]))));
    assert_eq!(plain(folder.path()), ["1|1", "1|2"]);
    save(&folder.path().join("b.parquet"), &with("age", column(Float64Array::from(vec![2.0]))));
    refused(folder.path());
    save(&folder.path().join("b.parquet"), &with("alter", column(Int64Array::from(vec![2]))));
    refused(folder.path());
}

#[test]
fn no_rows_no_batches_and_no_columns_no_table() {
    let folder = Folder::new();
    let none = table(vec![("a", column(StringArray::new_null(0)))]);
    assert!(plain(&saved(&folder, &none)).is_empty());
    let empty = RecordBatch::new_empty(Arc::new(arrow_schema::Schema::empty()));
    refused(&saved(&folder, &empty));
    refused(&folder.file("b.parquet", ""));
}

/// The same file with row groups that claim these numbers of rows, and a claim of its own.
fn claiming(path: &Path, groups: &[i64], all: i64) {
    let bytes = fs::read(path).unwrap();
    let (body, end) = bytes.split_at(bytes.len() - 8);
    let footer = u32::from_le_bytes(*end.first_chunk().unwrap()) as usize;
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&File::open(path).unwrap()).unwrap();
    let claim = |(group, rows): (&RowGroupMetaData, &i64)| group.clone().into_builder().set_num_rows(*rows).build();
    let listed = metadata.row_groups().iter().zip(groups).map(|pair| claim(pair).unwrap()).collect();
    let mut written = Vec::new();
    let claims = ParquetMetaData::new(metadata.file_metadata().clone(), listed);
    ParquetMetaDataWriter::new(&mut written, &claims).finish().unwrap();
    // The writer adds the rows up for itself: the field before the list of groups.
    let summed = [&[0x16][..], &varint(groups.iter().fold(0, |sum, rows| sum.wrapping_add(*rows))), &[0x19]].concat();
    let place = written.windows(summed.len()).position(|part| part == summed).unwrap();
    written.splice(place + 1..place + summed.len() - 1, varint(all));
    let length = u32::try_from(written.len() - 8).unwrap();
    let place = written.len() - 8;
    written.splice(place..place + 4, length.to_le_bytes());
    fs::write(path, [&body[..body.len() - footer], &written].concat()).unwrap();
}

/// A number as Thrift writes it.
fn varint(number: i64) -> Vec<u8> {
    let mut rest = (number << 1 ^ number >> 63).cast_unsigned();
    let mut bytes = Vec::new();
    while rest > 0x7F {
        bytes.push((rest & 0x7F) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(u8::try_from(rest).unwrap());
    bytes
}

#[test]
fn a_file_that_claims_other_rows_than_it_holds_is_refused() {
    let folder = Folder::new();
    let texts = column(StringArray::from(vec![CANARY; 6]));
    let batch = table(vec![("a", texts), ("b", column(Int64Array::from(vec![1; 6])))]);
    let check = |groups: &[i64], all: i64| {
        let path = saved(&folder, &batch);
        claiming(&path, groups, all);
        read(&path, &Reading::default()).map(|rows| rows.len())
    };
    assert_eq!(check(&[3, 3], 6), Ok(6));
    let many = 1 << 31;
    let alone = [(&[3, 3][..], many), (&[3, 3], -1), (&[3, 3], 5), (&[3, 3], i64::MAX), (&[3], 6)];
    // Claims that agree with each other, and not with the rows.
    let together =
        [(&[many, 3][..], many + 3), (&[4, 3], 7), (&[2, 3], 5), (&[-1, 3], 2), (&[i64::MAX - 3, 3], i64::MAX)];
    for (groups, all) in alone.into_iter().chain(together) {
        crate::stage::refused(check(groups, all), folder.path());
    }
}
