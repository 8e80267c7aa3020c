//! Writes the first files of every corpus: small, honest, and made by this project.
//!
//! `cargo run --bin seeds` from this folder.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int64Array, RecordBatch, StringArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use equanym_fuzz::{release, workbook};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};

fn main() -> io::Result<()> {
    for (place, manifest) in release::manifests().iter().enumerate() {
        keep("manifest", &format!("{place}.json"), release::written(manifest).as_bytes())?;
    }
    for (name, bytes) in parquet() {
        keep("footers", name, &bytes)?;
    }
    for (name, bytes) in ipc() {
        keep("footers", name, &bytes)?;
    }
    let parts = workbook::USUAL.map(str::as_bytes).join(workbook::BETWEEN);
    keep("workbook", "archive.xlsx", &workbook::packed(&parts).unwrap_or_default())?;
    keep("workbook", "parts", &parts)?;
    for (place, text) in POLICIES.iter().enumerate() {
        keep("policy", &format!("{place}.toml"), text.as_bytes())?;
    }
    Ok(())
}

fn keep(target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}

/// A few records of text.
fn texts() -> RecordBatch {
    let column = |cells: [Option<&str>; 4]| Arc::new(StringArray::from(cells.to_vec())) as ArrayRef;
    let columns = [
        ("age", column([Some("[20, 25["), Some("[20, 25["), None, Some("*")])),
        ("note", column([Some("a"), Some("b"), Some("a note that is longer"), None])),
    ];
    RecordBatch::try_from_iter(columns).expect("columns are of one length")
}

/// A few records of other types.
fn typed() -> RecordBatch {
    let jobs: DictionaryArray<Int32Type> = ["clerk", "nurse", "clerk", "nurse"].into_iter().collect();
    let columns: [(&str, ArrayRef); 5] = [
        ("number", Arc::new(Int64Array::from(vec![Some(1), None, Some(-3), Some(i64::MAX)]))),
        ("share", Arc::new(Float64Array::from(vec![0.5, -0.0, 1e300, 0.1]))),
        ("day", Arc::new(Date32Array::from(vec![Some(0), Some(20_000), None, Some(-1)]))),
        ("yes", Arc::new(BooleanArray::from(vec![true, false, true, true]))),
        ("job", Arc::new(jobs)),
    ];
    RecordBatch::try_from_iter(columns).expect("columns are of one length")
}

fn parquet() -> Vec<(&'static str, Vec<u8>)> {
    let plain = || WriterProperties::builder().set_dictionary_enabled(false);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    vec![
        (
            "released",
            parquet_of(
                &texts(),
                WriterProperties::builder().set_created_by("equanym layout 1".to_owned()).set_compression(zstd),
            ),
        ),
        ("plain", parquet_of(&texts(), plain().set_compression(Compression::SNAPPY))),
        (
            "delta",
            parquet_of(
                &texts(),
                plain().set_encoding(Encoding::DELTA_BYTE_ARRAY).set_writer_version(WriterVersion::PARQUET_2_0),
            ),
        ),
        (
            "lengths",
            parquet_of(
                &texts(),
                plain().set_encoding(Encoding::DELTA_LENGTH_BYTE_ARRAY).set_max_row_group_row_count(Some(2)),
            ),
        ),
        ("typed", parquet_of(&typed(), WriterProperties::builder().set_writer_version(WriterVersion::PARQUET_2_0))),
    ]
}

fn parquet_of(batch: &RecordBatch, properties: WriterPropertiesBuilder) -> Vec<u8> {
    let options = ArrowWriterOptions::new().with_properties(properties.build()).with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).expect("it can be written");
    writer.write(batch).expect("it can be written");
    writer.into_inner().expect("it can be written")
}

fn ipc() -> Vec<(&'static str, Vec<u8>)> {
    let packed = |kind| IpcWriteOptions::default().try_with_compression(kind).expect("it can be packed");
    let file = |batch: &RecordBatch, kind| {
        let mut writer =
            FileWriter::try_new_with_options(Vec::new(), &batch.schema(), packed(kind)).expect("it can be written");
        writer.write(batch).expect("it can be written");
        writer.into_inner().expect("it can be written")
    };
    let stream = |batch: &RecordBatch| {
        let mut writer =
            StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), packed(None)).expect("it can be written");
        writer.write(batch).expect("it can be written");
        writer.into_inner().expect("it can be written")
    };
    vec![
        ("file", file(&typed(), None)),
        ("file-lz4", file(&texts(), Some(CompressionType::LZ4_FRAME))),
        ("file-zstd", file(&typed(), Some(CompressionType::ZSTD))),
        ("stream", stream(&texts())),
        ("stream-typed", stream(&typed())),
    ]
}

const POLICIES: [&str; 4] = [RECODED, LOCAL, RENEWED, PRESET];

const RECODED: &str = r#"# A policy.
[data]
delimiter = ";"
decimal = ","
missing = ["NA", "-"]
encoding = "windows-1252"
ragged = "null"
trim = true
person = "id"

[variables.id]
role = "identifying"

[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20], top = 90, bottom = 10 }
points = { utility = 60, intruder = 40 }

[variables.zip]
role = "quasi-identifying"
hierarchy = { prefixes = [4, 2] }
levels = { min = 1 }

[variables.day]
role = "quasi-identifying"
hierarchy = { dates = ["month", "year"], format = "DD.MM.YYYY" }

[variables."job title"]
role = "quasi-identifying"
hierarchy = { file = "job.csv" }

[variables.diagnosis]
role = "sensitive"

[variables.dose]
role = "insensitive"
round = 5

[[privacy]]
model = "k-anonymity"
k = 5

[[privacy]]
model = "l-diversity"
kind = "entropy"
variable = "diagnosis"
l = 2.5

[method]
name = "global-recoding"
search = "optimal"
loss = "non-uniform-entropy"
suppression_limit = 0.05

[preferences]
alpha = 0.5
beta = 0.5

[output]
format = "parquet"
order = "canonical"

[frontier]
k = [2, 3, 5]

[release]
title = "Stays"
recipient = "A ministry"
"#;

const LOCAL: &str = r#"privacy = [{ model = "k-anonymity", k = 2 }, { model = "t-closeness", variable = "pay", t = 0.3, distance = "ordered" }]
variables = { age = { role = "quasi-identifying", type = "number" }, pay = { role = "sensitive" } }
method = { name = "mondrian" }
"#;

const RENEWED: &str = r#"[variables.income]
role = "quasi-identifying"
perturb = true
interval = 5
domain = [0, 100]

[variables.sex]
role = "quasi-identifying"

[[privacy]]
model = "k-anonymity"
k = 2

[method]
name = "perturbation"
noise = "uniform"
seed = 1
"#;

const PRESET: &str = r#"preset = "hipaa-safe-harbor"

[variables.name]
role = "identifying"

[variables.zip]
role = "quasi-identifying"
hierarchy = { library = "zip" }
"#;
