//! A small release made by hand: the honest one, and the tools to spoil it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use equanym_audit::{AuditError, Options, ReleaseCounts, Verdict, audit};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

pub const HEADER: [&str; 8] = ["age", "sex", "zip", "admitted", "education", "race", "diagnosis", "note"];
pub const NOTE: usize = 7;

pub type Rows = Vec<Vec<String>>;

pub struct Release {
    folder: TempDir,
    pub manifest: Value,
}

/// Three classes of 5, 5 and 6 records with three diagnoses each; 17 records were collected.
pub fn rows() -> Rows {
    let keys = [
        ["", "", "123*", "2026-02", "Higher", "*"],
        ["[-5, 0[", "m", "12", "2026-03", "Lower", "*"],
        ["[25, 30[", "f", "123*", "2026-03", "Higher", "*"],
    ];
    let mut rows = Rows::new();
    for (class, key) in keys.iter().enumerate() {
        for record in 0..5 + class / 2 {
            let diagnosis = ["", "I10", "J45"][record % 3];
            let note = format!("note {record}");
            rows.push(key.iter().copied().chain([diagnosis, &note]).map(str::to_owned).collect());
        }
    }
    rows.sort();
    rows
}

/// What writes reports in these tests: always the same.
#[allow(clippy::unnecessary_wraps, reason = "a writer may know no reports")]
fn written(_: &[u8], _: &ReleaseCounts) -> Option<Vec<(&'static str, String)>> {
    Some(vec![("report.json", "{}".to_owned()), ("report.html", "<p>".to_owned())])
}

/// The default with a writer for reports.
pub fn options<'a>() -> Options<'a> {
    Options { reports: Some(written), ..Options::default() }
}

fn manifest() -> Value {
    json!({
        "format": 1,
        "program": "equanym 0.1.0",
        "data": {"file": "data.csv", "format": "csv", "sha256": "", "bytes": 0, "order": "canonical"},
        "reports": [{"file": "report.json", "sha256": hash(b"{}")}, {"file": "report.html", "sha256": hash(b"<p>")}],
        "records": {"original": 17, "released": 16, "suppressed": 1},
        "suppression_limit": 0.06,
        "columns": [
            {"name": "age", "role": "quasi-identifying", "level": 1, "levels": 6, "labels": {"rule": "interval", "width": "5"}},
            {"name": "sex", "role": "quasi-identifying", "level": 0, "levels": 2, "labels": {"rule": "as-collected"}},
            {"name": "zip", "role": "quasi-identifying", "level": 2, "levels": 5, "labels": {"rule": "prefix", "keep": 3}},
            {"name": "admitted", "role": "quasi-identifying", "level": 1, "levels": 5,
             "labels": {"rule": "date", "grain": "month", "format": "YYYY-MM-DD"}},
            {"name": "education", "role": "quasi-identifying", "level": 1, "levels": 4,
             "labels": {"rule": "listed", "values": ["Higher", "Lower"]}},
            {"name": "race", "role": "quasi-identifying", "level": 1, "levels": 2, "labels": {"rule": "top"}},
            {"name": "diagnosis", "role": "sensitive"},
            {"name": "note", "role": "insensitive"}],
        "classes": {"count": 3, "min": 5, "max": 6},
        "privacy": [
            {"model": "k-anonymity", "k": 5, "checked": "release"},
            {"model": "l-diversity", "kind": "distinct", "variable": "diagnosis", "l": 3, "checked": "release"}],
        "neutralised_cells": 0,
        "method": "global-recoding", "search": "optimal", "optimal": true,
        "loss": {"name": "non-uniform-entropy"}
    })
}

pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

/// A manifest as a release writes it.
pub fn written_manifest(manifest: &Value) -> String {
    serde_json::to_string_pretty(manifest).unwrap() + "\n"
}

pub fn csv_bytes(header: &[&str], rows: &Rows) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).unwrap();
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}

/// The settings of a release.
pub fn properties() -> WriterPropertiesBuilder {
    let builder = WriterProperties::builder().set_created_by("equanym layout 1".to_owned());
    builder.set_compression(Compression::ZSTD(ZstdLevel::default()))
}

/// Writes Parquet as a release does.
pub fn parquet_bytes(rows: &Rows) -> Vec<u8> {
    written_parquet(rows, properties().build(), str::is_empty)
}

/// Writes Parquet with other settings, or other nulls.
pub fn written_parquet(rows: &Rows, properties: WriterProperties, is_null: impl Fn(&str) -> bool) -> Vec<u8> {
    let fields = HEADER.map(|name| Field::new(name, DataType::Utf8, true));
    let schema = Arc::new(Schema::new(fields.to_vec()));
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), Arc::clone(&schema), options).unwrap();
    for part in rows.chunks(8192) {
        let column = |place: usize| {
            part.iter().map(|row| Some(&row[place]).filter(|cell| !is_null(cell))).collect::<StringArray>()
        };
        let columns = (0..HEADER.len()).map(|place| Arc::new(column(place)) as _).collect();
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), columns).unwrap()).unwrap();
    }
    writer.into_inner().unwrap()
}

/// Writes Parquet by its low-level writer, in two row groups; `bound` is a false upper bound for the last column's
/// statistics.
pub fn two_groups(rows: &Rows, properties: WriterProperties, bound: Option<&str>) -> Vec<u8> {
    let fields: String =
        HEADER.iter().map(|name| format!("optional binary {name} (STRING); ")).collect::<Vec<_>>().concat();
    let schema = Arc::new(parse_message_type(&format!("message arrow_schema {{ {fields} }}")).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for part in rows.chunks(rows.len().div_ceil(2)) {
        let mut group = writer.next_row_group().unwrap();
        for column in 0..HEADER.len() {
            let cells = part.iter().map(|row| row[column].as_str());
            let levels: Vec<i16> = cells.clone().map(|cell| i16::from(!cell.is_empty())).collect();
            let values: Vec<ByteArray> = cells.filter(|cell| !cell.is_empty()).map(ByteArray::from).collect();
            let mut chunk = group.next_column().unwrap().unwrap();
            let typed = chunk.typed::<ByteArrayType>();
            let bound = bound.filter(|_| column == NOTE).map(ByteArray::from);
            let least = values.iter().min_by_key(|value| value.data().to_vec()).cloned();
            let least = bound.as_ref().and(least.as_ref());
            typed.write_batch_with_statistics(&values, Some(&levels), None, least, bound.as_ref(), None).unwrap();
            chunk.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

impl Release {
    /// The honest release as CSV.
    pub fn honest() -> Self {
        Self::of(&rows())
    }

    /// The honest release with a promise of every privacy model.
    pub fn promising(mut self) -> Self {
        let of = |mut claim: Value, checked: &str| {
            claim["variable"] = json!("diagnosis");
            claim["checked"] = json!(checked);
            claim
        };
        let models = self.manifest["privacy"].as_array_mut().unwrap();
        models.extend([
            of(json!({"model": "l-diversity", "kind": "entropy", "l": 2.5, "estimator": "shannon"}), "release"),
            of(json!({"model": "l-diversity", "kind": "recursive", "l": 2, "c": 1.5}), "release"),
            of(json!({"model": "alpha-k", "alpha": 0.4, "k": 5}), "release"),
            of(json!({"model": "t-closeness", "t": 0.25, "distance": "equal"}), "original"),
            of(json!({"model": "t-closeness", "t": 0.25, "distance": "ordered"}), "original"),
            of(json!({"model": "t-closeness", "t": 0.25, "distance": "hierarchical"}), "original"),
            of(json!({"model": "delta-disclosure", "delta": 1, "absent": "violates"}), "original"),
            of(json!({"model": "beta-likeness", "beta": 0.5, "kind": "enhanced"}), "original"),
        ]);
        self
    }

    /// The same of people, each of whom has one record.
    pub fn of_people(mut self) -> Self {
        self.manifest["person"] = json!("name");
        for claim in self.manifest["privacy"].as_array_mut().unwrap() {
            claim["unit"] = json!("people");
            claim["checked"] = json!("original");
        }
        self
    }

    /// The honest release with another claim.
    pub fn claiming(pointer: &str, value: Value) -> Self {
        let mut release = Self::honest();
        release.claim(pointer, value);
        release
    }

    /// The same release as local recoding leaves it: these columns have labels of any level, and ages may be ranges.
    pub fn recode_locally(&mut self, columns: std::ops::Range<usize>) {
        self.claim("/method", json!("mondrian"));
        self.manifest.as_object_mut().unwrap().retain(|key, _| !["search", "optimal", "loss"].contains(&key.as_str()));
        for place in columns {
            let labels: BTreeSet<String> =
                rows().iter().map(|row| row[place].clone()).filter(|cell| !cell.is_empty()).collect();
            let labels = json!({"rule": "any-level", "values": labels});
            self.manifest["columns"][place] =
                json!({"name": HEADER[place], "role": "quasi-identifying", "labels": labels});
        }
    }

    /// The release with ages as ranges of their classes, and the other columns at any level.
    pub fn local(ages: [&str; 2]) -> (Self, Rows) {
        let mut rows = rows();
        for row in &mut rows {
            row[0] = match row[0].as_str() {
                "" => "*".to_owned(),
                "[-5, 0[" => ages[0].to_owned(),
                _ => ages[1].to_owned(),
            };
        }
        rows.sort();
        let mut release = Self::honest();
        release.set_data(&csv_bytes(&HEADER, &rows));
        release.recode_locally(1..6);
        release.manifest["columns"][0] =
            json!({"name": "age", "role": "quasi-identifying", "labels": {"rule": "range"}});
        (release, rows)
    }

    /// The honest claims about other rows, which have the right hash and size.
    pub fn of(rows: &Rows) -> Self {
        let mut release = Self { folder: TempDir::new().unwrap(), manifest: manifest() };
        release.add("report.json", b"{}");
        release.add("report.html", b"<p>");
        release.set_data(&csv_bytes(&HEADER, rows));
        release
    }

    /// The honest release with one row changed, and put in order again.
    pub fn changed(change: impl FnOnce(&mut Rows)) -> Self {
        let mut rows = rows();
        change(&mut rows);
        rows.sort();
        Self::of(&rows)
    }

    /// The honest release as Parquet.
    pub fn parquet() -> Self {
        Self::parquet_of(&parquet_bytes(&rows()))
    }

    pub fn parquet_of(bytes: &[u8]) -> Self {
        let mut release = Self::honest();
        fs::remove_file(release.public().join("data.csv")).unwrap();
        release.claim("/data/file", json!("data.parquet"));
        release.claim("/data/format", json!("parquet"));
        release.set_data(bytes);
        release
    }

    pub fn public(&self) -> &Path {
        self.folder.path()
    }

    pub fn data(&self) -> PathBuf {
        self.public().join(self.manifest["data"]["file"].as_str().unwrap())
    }

    /// Writes the data file and claims its hash and size.
    pub fn set_data(&mut self, bytes: &[u8]) {
        fs::write(self.data(), bytes).unwrap();
        self.claim("/data/sha256", json!(hash(bytes)));
        self.claim("/data/bytes", json!(bytes.len()));
    }

    pub fn add(&self, name: &str, bytes: &[u8]) {
        fs::write(self.public().join(name), bytes).unwrap();
    }

    /// The files of the folder, in memory.
    pub fn files(&self) -> BTreeMap<String, Bytes> {
        let entries = fs::read_dir(self.public()).unwrap().map(Result::unwrap);
        entries
            .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap().into()))
            .collect()
    }

    pub fn claim(&mut self, pointer: &str, value: Value) {
        *self.manifest.pointer_mut(pointer).unwrap() = value;
    }

    pub fn audit_with(&self, options: &Options) -> Result<Verdict, AuditError> {
        self.add("manifest.json", written_manifest(&self.manifest).as_bytes());
        audit(self.public(), options)
    }

    pub fn audit(&self) -> Verdict {
        self.audit_with(&options()).unwrap()
    }

    /// The names of the checks that fail.
    pub fn failures(&self) -> Vec<&'static str> {
        failures(&self.audit())
    }
}

/// What the bytes say where one check fails.
#[track_caller]
pub fn only_failure(release: &Release) -> String {
    let verdict = release.audit();
    let failures: Vec<_> = verdict.failures().collect();
    let [only] = failures.as_slice() else { panic!("{failures:?}") };
    only.found.clone()
}

pub fn failures(verdict: &Verdict) -> Vec<&'static str> {
    let names: Vec<_> = verdict.failures().map(|check| check.name).collect();
    assert_eq!(names.is_empty(), verdict.passed());
    names
}
