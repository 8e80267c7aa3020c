//! The demo's hospital with nine coarse quasi-identifiers, as large as one likes.
//!
//! Coarse, because cost after counting should follow distinct keys and not records: with days and postal codes as
//! collected nearly every record would be a key of its own. How coarse birth and region are can be chosen; the ladders stay
//! the same, so tables of the same lattice differ in their keys alone.
//!
//! Records are made in pieces of [`PIECE`], each with a seed of its own, so memory does not grow with the table.

use std::fmt::Write;
use std::path::Path;

use equanym_core::frequency::Table;
use equanym_core::hierarchy::Builder;
use equanym_engine::count::Keys;
use equanym_engine::error::Error;
use equanym_engine::policy::Policy;
use equanym_engine::run::demo::{self, Admission};
use rayon::prelude::*;

use crate::failure::Result;
use crate::table::{Encoder, tabulate};

/// The columns.
pub const COLUMNS: [&str; 9] =
    ["birth", "sex", "region", "marital_status", "education", "admitted", "ward", "diagnosis", "stay"];

/// Records that are made, and written to a file, at a time.
const PIECE: usize = 100_000;

/// What a release of the table is asked.
const POLICY: &str = r#"
variables.birth = { role = "quasi-identifying", hierarchy = { intervals = [20, 40] } }
variables.sex = { role = "quasi-identifying" }
variables.region = { role = "quasi-identifying", hierarchy = { intervals = [10000] } }
variables.marital_status = { role = "quasi-identifying" }
variables.education = { role = "quasi-identifying", hierarchy = { file = "hierarchies/education.csv" } }
variables.admitted = { role = "quasi-identifying", hierarchy = { date = ["year"] } }
variables.ward = { role = "quasi-identifying" }
variables.diagnosis = { role = "quasi-identifying" }
variables.stay = { role = "quasi-identifying", hierarchy = { intervals = [28] } }
method = { suppression_limit = 0.05 }
[[privacy]]
model = "k-anonymity"
k = 5
"#;

/// How coarse values are: years of birth and postal codes are rounded down to multiples.
#[derive(Debug, Clone, Copy)]
pub struct Detail {
    /// Years.
    pub birth: u32,
    /// Postal codes.
    pub region: u32,
}

impl Detail {
    /// From few keys to many.
    pub const ALL: [Self; 4] = [
        Self { birth: 10, region: 1000 },
        Self { birth: 5, region: 1000 },
        Self { birth: 5, region: 100 },
        Self { birth: 1, region: 100 },
    ];
}

/// What a release of the table is asked.
pub fn policy() -> Result<Policy> {
    let file = |name: &str| {
        let found = demo::HIERARCHIES.iter().find(|(path, _)| *path == name);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| Error::input("there is no such hierarchy"))
    };
    Ok(Policy::parse(POLICY, &file)?)
}

/// The table of counted keys.
pub fn table_of(keys: &Keys) -> Result<Table> {
    let ladders: Vec<Builder> = policy()?.variables.into_iter().map(|variable| variable.hierarchy).collect();
    tabulate(&COLUMNS.map(str::to_owned), &ladders, keys)
}

/// The table of so many records, counted here.
pub fn table(records: usize, detail: Detail) -> Result<Table> {
    let mut encoder = Encoder::new(COLUMNS.len());
    for (piece, size) in pieces(records) {
        for admission in admissions(piece, size) {
            encoder.push(&cells(&admission, detail));
        }
    }
    table_of(&encoder.keys())
}

/// Writes the table as a folder of CSV files.
pub fn write(folder: &Path, records: usize, detail: Detail) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let write = |(piece, size): (u64, usize)| {
        let mut text = COLUMNS.join(",") + "\n";
        for admission in admissions(piece, size) {
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{}", cells(&admission, detail).join(","));
        }
        std::fs::write(folder.join(format!("{piece:05}.csv")), text)
    };
    Ok(pieces(records).collect::<Vec<_>>().into_par_iter().try_for_each(write)?)
}

/// The numbers of the pieces and how many records each has.
fn pieces(records: usize) -> impl Iterator<Item = (u64, usize)> {
    (0..).zip((0..records).step_by(PIECE).map(move |start| PIECE.min(records - start)))
}

fn admissions(piece: u64, size: usize) -> Vec<Admission> {
    demo::strangers(size, demo::SEED + piece)
}

fn cells(admission: &Admission, detail: Detail) -> [String; 9] {
    let rounded = |number: u32, to: u32| (number - number % to).to_string();
    [
        rounded(part(&admission.birth_date.to_string(), 0), detail.birth),
        admission.sex.to_owned(),
        rounded(admission.zip, detail.region),
        admission.marital_status.to_owned(),
        admission.education.to_owned(),
        quarter(&admission.admitted.to_string()),
        admission.ward.to_owned(),
        admission.diagnosis.chars().take(1).collect(),
        rounded(admission.length_of_stay, 7),
    ]
}

/// The first day of the quarter of a date.
fn quarter(date: &str) -> String {
    let month = part(date, 1);
    format!("{}-{:02}-01", part(date, 0), month - month.saturating_sub(1) % 3)
}

/// A number of a date in the form `YYYY-MM-DD`.
fn part(date: &str, place: usize) -> u32 {
    date.split('-').nth(place).and_then(|part| part.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_up_the_table() {
        assert_eq!(pieces(PIECE * 2 + 5).collect::<Vec<_>>(), [(0, PIECE), (1, PIECE), (2, 5)]);
        assert_eq!(pieces(0).count(), 0);
    }

    #[test]
    fn quarters_begin_with_their_first_month() {
        let days = ["2024-01-31", "2024-03-31", "2024-04-01", "2025-12-24"].map(quarter);
        assert_eq!(days, ["2024-01-01", "2024-01-01", "2024-04-01", "2025-10-01"]);
    }

    #[test]
    fn finer_values_make_more_keys_in_the_same_lattice() {
        let [coarse, .., fine] = Detail::ALL.map(|detail| table(3000, detail).unwrap());
        assert!(coarse.keys().len() < fine.keys().len());
        assert_eq!((coarse.lattice(), coarse.records), (fine.lattice(), 3000));
        assert!(fine.first_unnested().is_none());
    }
}
