//! What it costs to read a table as people keep it: Windows-1252 with semicolons and decimal commas, beside the same table in UTF-8
//! with commas and points.
//!
//! Both files hold the same million made-up records. They are read in turns, every column, to the last record; the fastest of
//! the turns counts, because a neighbour on the machine only slows a reader down. Files are in the system's cache.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use equanym_engine::read::notation::Notation;
use equanym_engine::read::{self, ColumnForm, Encoding, Reading};

use crate::failure::Result;
use crate::figures::{grouped, percent, short};
use crate::folder::Folder;
use crate::markdown;
use crate::settings::Settings;

const RECORDS: u64 = 1_000_000;
const TURNS: usize = 7;
const TOWNS: [&str; 5] = ["Köln", "München", "Görlitz", "Überlingen", "Ulm"];

/// Measures and describes.
pub fn report(settings: &Settings) -> Result<String> {
    let records = if settings.quick { RECORDS / 10 } else { RECORDS };
    let folder = Folder::new("read")?;
    let (plain, german) = (folder.0.join("plain.csv"), folder.0.join("german.csv"));
    std::fs::write(&plain, table(records, ',', '.'))?;
    std::fs::write(&german, in_windows_1252(&table(records, ';', ','))?)?;
    let forms = BTreeMap::from(["gewicht", "kosten"].map(|name| (name.to_owned(), ColumnForm::Number)));
    let usual = Reading { forms, ..Reading::default() };
    let as_kept = Reading {
        encoding: Encoding::named("windows-1252").ok_or("there is no such encoding")?,
        notation: Notation { decimal: ',', thousands: None },
        ..usual.clone()
    };
    let (mut fast, mut slow) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..TURNS {
        fast = fast.min(seconds(&plain, &usual, records)?);
        slow = slow.min(seconds(&german, &as_kept, records)?);
    }
    let row = |name: &str, seconds: f64| {
        let rate = format!("{:.2} million", records as f64 / seconds / 1e6);
        vec![name.to_owned(), grouped(records.into()), short(seconds), rate, percent(fast / seconds)]
    };
    let rows = [row("UTF-8, points", fast), row("Windows-1252, decimal commas", slow)];
    Ok(markdown::table(&["table", "records", "s", "records a second", "speed"], 1, &rows))
}

/// How long it takes to read all cells.
fn seconds(path: &Path, reading: &Reading, expected: u64) -> Result<f64> {
    let start = Instant::now();
    let source = read::open(path, reading)?;
    let columns: Vec<usize> = (0..source.columns().len()).collect();
    let mut records = 0;
    for part in 0..source.parts() {
        for batch in source.read(part, &columns)? {
            records += batch?.num_rows() as u64;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    if records == expected { Ok(seconds) } else { Err(format!("{records} of {expected} records were read").into()) }
}

/// The made-up table; no cell needs quotes.
fn table(records: u64, delimiter: char, decimal: char) -> String {
    let mut text = ["fall", "ort", "geburt", "gewicht", "kosten", "diagnose"].join(&delimiter.to_string()) + "\n";
    for record in 0..records {
        // Any numbers that differ from record to record.
        let mixed = record.wrapping_mul(2_654_435_761) % 1_000_003;
        let town = TOWNS[(mixed % 5) as usize];
        let (weight, cost) = (40 + mixed % 90, mixed % 30_000);
        let d = delimiter;
        let _ = writeln!(
            text,
            "{record}{d}{town}{d}19{:02}-0{}-1{}{d}{weight}{decimal}{}{d}{cost}{decimal}{:02}{d}I{:02}",
            mixed % 100,
            1 + mixed % 9,
            mixed % 10,
            mixed % 10,
            mixed % 100,
            mixed % 99
        );
    }
    text
}

/// Letters of western Europe are one byte each there, with the number that they have in Unicode.
fn in_windows_1252(text: &str) -> Result<Vec<u8>> {
    let bytes: std::result::Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
    Ok(bytes.map_err(|_| "a letter of the table is not in Windows-1252")?)
}
