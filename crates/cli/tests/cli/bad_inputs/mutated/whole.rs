//! The same people in every format, undamaged.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::super::run::people;

/// Few people: a file is small, and most damage hits what tells how it is made.
const PEOPLE: usize = 60;

pub fn csv() -> Vec<u8> {
    people(PEOPLE).into_bytes()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// The names of the columns, and records of cells.
fn table() -> (Vec<String>, Vec<Vec<String>>) {
    let text = people(PEOPLE);
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
    (lines.next().unwrap(), lines.collect())
}

pub fn ndjson() -> Vec<u8> {
    let (names, records) = table();
    let cell = |(name, cell): (&String, &String)| match cell.parse::<u32>() {
        Ok(number) => format!("{name:?}:{number}"),
        Err(_) => format!("{name:?}:{cell:?}"),
    };
    let line = |record: &Vec<String>| names.iter().zip(record).map(cell).collect::<Vec<_>>().join(",");
    let lines: Vec<String> = records.iter().map(line).collect();
    format!("{{{}}}\n", lines.join("}\n{")).into_bytes()
}

fn batch() -> RecordBatch {
    let (names, records) = table();
    let column = |place: usize| -> ArrayRef {
        let cells = || records.iter().map(|record| record[place].as_str());
        match cells().map(|cell| cell.parse().ok()).collect::<Option<Vec<i64>>>() {
            Some(numbers) => Arc::new(Int64Array::from(numbers)),
            None => Arc::new(StringArray::from_iter_values(cells())),
        }
    };
    RecordBatch::try_from_iter(names.iter().enumerate().map(|(place, name)| (name, column(place)))).unwrap()
}

/// Compressed or not, with dictionaries and pages of both versions, in two row groups.
pub fn parquet() -> Vec<Vec<u8>> {
    let plain = || WriterProperties::builder().set_max_row_group_row_count(Some(PEOPLE / 2));
    let made = [
        plain(),
        plain().set_compression(Compression::SNAPPY).set_dictionary_enabled(false),
        plain().set_compression(Compression::ZSTD(parquet::basic::ZstdLevel::default())),
        plain().set_compression(Compression::GZIP(parquet::basic::GzipLevel::default())),
        plain().set_compression(Compression::LZ4_RAW).set_statistics_enabled(EnabledStatistics::Page),
        plain().set_dictionary_enabled(false).set_column_encoding("illness".into(), Encoding::DELTA_BYTE_ARRAY),
        plain().set_writer_version(parquet::file::properties::WriterVersion::PARQUET_2_0),
    ];
    let batch = batch();
    let write = |properties: WriterProperties| {
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    };
    made.into_iter().map(|properties| write(properties.build())).collect()
}

/// Files and streams, their buffers packed or not.
pub fn arrow() -> Vec<Vec<u8>> {
    let batch = batch();
    let mut files = Vec::new();
    for packed in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        let options = || IpcWriteOptions::default().try_with_compression(packed).unwrap();
        let mut file = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options()).unwrap();
        file.write(&batch).unwrap();
        files.push(file.into_inner().unwrap());
        let mut stream = StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options()).unwrap();
        stream.write(&batch).unwrap();
        files.push(stream.into_inner().unwrap());
    }
    files
}

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const DOCUMENT: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

/// The parts of a workbook: texts that are shared, numbers, and a style.
pub fn workbook() -> Vec<(&'static str, Vec<u8>)> {
    let (names, records) = table();
    let mut shared: Vec<&String> = Vec::new();
    let mut rows = String::new();
    for (number, record) in std::iter::once(&names).chain(&records).enumerate() {
        let cells = record.iter().zip('A'..).map(|(cell, letter)| {
            if cell.parse::<u32>().is_ok() {
                return format!(r#"<c r="{letter}{}"><v>{cell}</v></c>"#, number + 1);
            }
            shared.push(cell);
            format!(r#"<c r="{letter}{}" t="s"><v>{}</v></c>"#, number + 1, shared.len() - 1)
        });
        write!(rows, r#"<row r="{}">{}</row>"#, number + 1, cells.collect::<String>()).unwrap();
    }
    let count = shared.len();
    let texts = shared.iter().map(|text| text.as_str()).collect::<Vec<_>>().join("</t></si><si><t>");
    let texts = format!("<si><t>{texts}</t></si>");
    let related = |id: &str, kind: &str, target: &str| {
        format!(r#"<Relationship Id="{id}" Type="{DOCUMENT}/{kind}" Target="{target}"/>"#)
    };
    let of = |relations: String| format!(r#"<Relationships xmlns="{PACKAGE}">{relations}</Relationships>"#);
    let parts = [
        ("[Content_Types].xml", "<Types/>".to_owned()),
        ("_rels/.rels", of(related("r1", "officeDocument", "xl/workbook.xml"))),
        (
            "xl/workbook.xml",
            format!(
                r#"<workbook xmlns="{MAIN}" xmlns:r="{DOCUMENT}"><sheets><sheet name="people" sheetId="1" r:id="r1"/></sheets></workbook>"#
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            of(related("r1", "worksheet", "worksheets/sheet1.xml")
                + &related("r2", "sharedStrings", "sharedStrings.xml")
                + &related("r3", "styles", "styles.xml")),
        ),
        (
            "xl/styles.xml",
            r#"<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#.to_owned(),
        ),
        ("xl/sharedStrings.xml", format!(r#"<sst xmlns="{MAIN}" count="{count}" uniqueCount="{count}">{texts}</sst>"#)),
        (
            "xl/worksheets/sheet1.xml",
            format!(
                r#"<worksheet xmlns="{MAIN}"><dimension ref="A1:E{}"/><sheetData>{rows}</sheetData></worksheet>"#,
                records.len() + 1
            ),
        ),
    ];
    parts.map(|(name, text)| (name, text.into_bytes())).to_vec()
}

pub fn zip(parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Each of them is released before anybody damages it.
#[test]
fn all_are_sound() {
    use super::super::run::{Stage, people_policy};
    let mut files = vec![
        ("data.csv", csv()),
        ("data.csv.gz", gzip(&csv())),
        ("data.csv.zst", zstd(&csv())),
        ("data.ndjson", ndjson()),
        ("data.xlsx", zip(&workbook())),
    ];
    files.extend(parquet().into_iter().map(|bytes| ("data.parquet", bytes)));
    files.extend(arrow().into_iter().map(|bytes| ("data.arrow", bytes)));
    let stage = Stage::with("", &people_policy());
    for (name, bytes) in files {
        stage.write(name, bytes);
        let ran = stage.release_under("ulimit -v 4194304; exec \"$@\"", name, &["--threads", "2"]);
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
        std::fs::remove_dir_all(stage.path("out")).unwrap();
    }
}
