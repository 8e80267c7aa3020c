//! Files of every format that are damaged at random: each run ends by itself, with a release or a refusal.
//!
//! A thousand files of a format have bits flipped, parts cut out, repeated or taken from elsewhere, and numbers replaced by
//! huge ones ([`damage`]), before and after they are compressed ([`whole`]). The program reads each of them with
//! 4 GB of address space: a file that makes it ask for more would end it by a signal. Everything is seeded: a number names the
//! same file each time. What fails is kept in the build's folder for temporary files.
//!
//! `EQUANYM_MUTANTS` says how many there are of each format, [`MUTANTS`] unless it does.

pub mod damage;
pub mod whole;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::run::{RunResult, Stage, people_policy};
use damage::Chance;

const MUTANTS: u64 = 100;
/// The address space in KiB.
const SPACE: u64 = 4 << 20;

/// Releases damaged files of a format; `make` damages the one with a number.
fn attack(name: &str, make: impl Fn(&mut Chance) -> Vec<u8>) {
    let mutants = std::env::var("EQUANYM_MUTANTS").map_or(MUTANTS, |mutants| mutants.parse().unwrap());
    let stage = Stage::with("", &people_policy());
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    let mut failed = Vec::new();
    for number in 0..mutants {
        let bytes = make(&mut Chance::of(number));
        stage.write(name, &bytes);
        let ran = stage.release_under(&format!("ulimit -v {SPACE}; exec \"$@\""), name, &["--threads", "2"]);
        if let Err(fault) = judge(&ran) {
            let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{number}-{name}"));
            fs::write(&kept, bytes).unwrap();
            failed.push(format!("{fault}: {}", kept.display()));
        }
        *ends.entry(ran.code.map_or("signal".to_owned(), |code| format!("exit {code}"))).or_default() += 1;
        let _ = fs::remove_dir_all(stage.path("out"));
    }
    eprintln!("{mutants} damaged files {name}: {ends:?}");
    assert!(failed.is_empty(), "{} of {mutants}:\n{}", failed.len(), failed.join("\n"));
}

/// What is wrong with the end of a run: the file is at fault, and the machine only where too much would be unpacked. A
/// cell may well be shown as the name of a column, where the damage made it one.
fn judge(ran: &RunResult) -> Result<(), String> {
    let faults = ["panicked", "internal error", "internal step", "memory allocation"];
    let is_fault = faults.iter().any(|fault| ran.stderr.contains(fault));
    match ran.code {
        Some(0..=2) if !is_fault => Ok(()),
        Some(3) if ran.stderr.contains("size cap reached") => Ok(()),
        _ => Err(format!("{:?}: {}", ran.code, ran.stderr)),
    }
}

#[test]
fn csv() {
    let whole = whole::csv();
    attack("data.csv", |chance| damage::bytes(&whole, chance));
}

#[test]
fn csv_gz() {
    let whole = whole::csv();
    attack("data.csv.gz", |chance| around(&whole, whole::gzip, chance));
}

#[test]
fn csv_zst() {
    let whole = whole::csv();
    attack("data.csv.zst", |chance| around(&whole, whole::zstd, chance));
}

#[test]
fn ndjson() {
    let whole = whole::ndjson();
    attack("data.ndjson", |chance| damage::bytes(&whole, chance));
}

#[test]
fn parquet() {
    let files = whole::parquet();
    attack("data.parquet", |chance| {
        let whole: &Vec<u8> = chance.one_of(&files);
        damage::bytes(whole, chance)
    });
}

#[test]
fn arrow() {
    let files = whole::arrow();
    attack("data.arrow", |chance| {
        let whole: &Vec<u8> = chance.one_of(&files);
        damage::bytes(whole, chance)
    });
}

#[test]
fn xlsx() {
    let parts = whole::workbook();
    attack("data.xlsx", |chance| {
        let mut parts = parts.clone();
        let inside = chance.below(2) == 0;
        if inside {
            let place = chance.below(parts.len());
            parts[place].1 = damage::bytes(&parts[place].1, chance);
        }
        let packed = whole::zip(&parts);
        if inside { packed } else { damage::bytes(&packed, chance) }
    });
}

/// Damage before compression, or after it.
fn around(whole: &[u8], compress: fn(&[u8]) -> Vec<u8>, chance: &mut Chance) -> Vec<u8> {
    if chance.below(2) == 0 { compress(&damage::bytes(whole, chance)) } else { damage::bytes(&compress(whole), chance) }
}
