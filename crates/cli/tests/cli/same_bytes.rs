//! One table, however it is stored and in whatever order, gives one release, to the last byte of each file, once the delimiter is set.
//!
//! What differs between two releases of the same records would be information that nobody agreed to hand over.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::hospital;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use equanym_engine::run::demo::{POLICY, RECORDS, SEED, write_csv};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use serde_json::Value;
use tempfile::tempdir;

/// A table of text; an empty cell is missing.
struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The hospital, with some cells missing and one that needs quotes.
    fn hospital() -> Self {
        let text = write_csv(RECORDS, SEED);
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines();
        let header = cells(lines.next().unwrap());
        let mut rows: Vec<Vec<String>> = lines.map(cells).collect();
        assert!(rows.iter().all(|row| row.len() == header.len()), "no cell of the hospital holds a comma");
        let ward = header.iter().position(|name| name == "ward").unwrap();
        rows.iter_mut().step_by(7).for_each(|row| row[ward].clear());
        rows.iter_mut().step_by(11).for_each(|row| "two, or \"three\"\nwards".clone_into(&mut row[ward]));
        Self { header, rows }
    }

    fn shuffled(&self) -> Self {
        let mut rows = self.rows.clone();
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        for last in (1..rows.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            rows.swap(last, usize::try_from(state >> 33).unwrap() % (last + 1));
        }
        Self { header: self.header.clone(), rows }
    }

    fn parts(&self) -> impl Iterator<Item = Self> + '_ {
        self.rows.chunks(701).map(|rows| Self { header: self.header.clone(), rows: rows.to_vec() })
    }

    fn csv(&self, delimiter: &str) -> String {
        let quoted = |cell: &String| {
            let plain = !cell.contains(['"', '\n', ',', ';']);
            if plain { cell.clone() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
        };
        let line = |cells: &Vec<String>| cells.iter().map(quoted).collect::<Vec<_>>().join(delimiter) + "\n";
        std::iter::once(&self.header).chain(&self.rows).map(line).collect()
    }

    /// The first line has all columns in their order; after it keys come in any order, and missing ones are left out.
    fn ndjson(&self) -> String {
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let value = |cell: &String| if cell.is_empty() { Value::Null } else { Value::from(cell.as_str()) };
            let pairs = self.header.iter().zip(row).map(|(name, cell)| (name, value(cell)));
            let mut pairs: Vec<_> = pairs.filter(|(_, value)| number == 0 || !value.is_null()).collect();
            if number > 0 {
                pairs.rotate_left(number % row.len() % 3);
            }
            let pairs: Vec<String> =
                pairs.into_iter().map(|(name, value)| format!("{}: {value}", Value::from(name.as_str()))).collect();
            writeln!(text, "{{{}}}", pairs.join(", ")).unwrap();
        }
        text
    }

    fn batch(&self) -> RecordBatch {
        let column = |place: usize| -> ArrayRef {
            let cell = |row: &Vec<String>| Some(row[place].clone()).filter(|cell| !cell.is_empty());
            Arc::new(self.rows.iter().map(cell).collect::<StringArray>())
        };
        let columns = self.header.iter().enumerate().map(|(place, name)| (name, column(place), true));
        RecordBatch::try_from_iter_with_nullable(columns).unwrap()
    }

    fn save_parquet(&self, path: &Path) {
        let batch = self.batch();
        let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    fn save_arrow(&self, file: &Path, stream: &Path) {
        let batch = self.batch();
        let mut writer = FileWriter::try_new(File::create(file).unwrap(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        let mut writer = StreamWriter::try_new(File::create(stream).unwrap(), &batch.schema()).unwrap();
        writer.write(&batch.slice(0, 900)).unwrap();
        writer.write(&batch.slice(900, batch.num_rows() - 900)).unwrap();
        writer.finish().unwrap();
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Writes the table in every way that it can be stored; the names.
fn save_all(folder: &Path) -> Vec<&'static str> {
    let table = Table::hospital();
    let csv = table.csv(",");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("plain.csv", csv.as_bytes());
    write("shuffled.csv", table.shuffled().csv(",").as_bytes());
    write("semicolons.csv", table.csv(";").as_bytes());
    write("utf16.csv", &utf16(&csv));
    write("tabs.tsv", table.csv("\t").as_bytes());
    write("packed.csv.gz", &gzip(&csv));
    write("packed.csv.zst", &zstd::encode_all(csv.as_bytes(), 0).unwrap());
    write("lines.ndjson", table.ndjson().as_bytes());
    write("lines.ndjson.gz", &gzip(&table.shuffled().ndjson()));
    table.save_parquet(&folder.join("table.parquet"));
    table.save_arrow(&folder.join("file.arrow"), &folder.join("stream.arrows"));
    for name in ["csv-parts", "parquet-parts"] {
        fs::create_dir(folder.join(name)).unwrap();
    }
    for (number, part) in table.shuffled().parts().enumerate() {
        part.save_parquet(&folder.join(format!("parquet-parts/{number}.parquet")));
        let text = part.csv(";");
        match number {
            0 => write("csv-parts/0.csv", text.as_bytes()),
            1 => write("csv-parts/1.csv.gz", &gzip(&text)),
            _ => write("csv-parts/2.tsv", part.csv("\t").as_bytes()),
        }
    }
    let texts = ["plain.csv", "shuffled.csv", "semicolons.csv", "utf16.csv", "tabs.tsv", "packed.csv.gz"];
    let others = ["packed.csv.zst", "lines.ndjson", "lines.ndjson.gz", "table.parquet", "file.arrow", "stream.arrows"];
    texts.into_iter().chain(others).chain(["csv-parts", "parquet-parts"]).collect()
}

/// Every file below a folder with its bytes.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for half in ["public", "private"] {
        for entry in fs::read_dir(folder.join(half)).unwrap() {
            let path = entry.unwrap().path();
            found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
        }
    }
    found
}

/// Releases each of these with one and with two threads; all must be the same.
fn assert_same(folder: &Path, policy: &str, names: &[&str]) {
    let mut first = None;
    for (name, threads) in names.iter().flat_map(|name| [(name, "1"), (name, "2")]) {
        let output = hospital::release(folder, policy, name, "out").args(["--threads", threads]).output().unwrap();
        assert!(output.status.success(), "{name}: {output:?}");
        let found = contents(&folder.join("out"));
        fs::remove_dir_all(folder.join("out")).unwrap();
        let first = first.get_or_insert_with(|| found.clone());
        assert_eq!(first.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
        let differing: Vec<_> = found.iter().filter(|(path, bytes)| first[*path] != **bytes).map(|(p, _)| p).collect();
        assert!(differing.is_empty(), "{name} with {threads} threads: {differing:?} differ");
    }
    assert_eq!(first.map(|found| found.len()), Some(7));
}

#[test]
fn csv_has_the_same_bytes_from_every_source() {
    let folder = tempdir().unwrap();
    hospital::write_policy(folder.path());
    // A release would have the delimiter of its input.
    fs::write(folder.path().join("commas.toml"), format!("{POLICY}\n[output]\ndelimiter = \",\"\n")).unwrap();
    let names = save_all(folder.path());
    assert_same(folder.path(), "commas.toml", &names);
}

#[test]
fn parquet_has_the_same_bytes_from_every_source() {
    let folder = tempdir().unwrap();
    hospital::write_policy(folder.path());
    fs::write(folder.path().join("parquet.toml"), format!("{POLICY}\n[output]\nformat = \"parquet\"\n")).unwrap();
    save_all(folder.path());
    assert_same(folder.path(), "parquet.toml", &["plain.csv", "lines.ndjson.gz", "stream.arrows", "parquet-parts"]);
}
