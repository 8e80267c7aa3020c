//! Makes a messy table of a clinic: `cargo run --example clinic -- FILE [RECORDS [SEED]]`.
//!
//! The ending of the file says the format: `.csv` (Windows-1252, semicolons, decimal commas), `.xlsx` or `.parquet`.

mod file;
mod table;
mod words;

use std::error::Error;
use std::path::Path;

/// Admissions, unless told otherwise.
const RECORDS: usize = 20_000;

/// The seed, unless told otherwise.
const SEED: u64 = 18;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = arguments.first() else { return Err("a file to make is needed: .csv, .xlsx or .parquet".into()) };
    let records = arguments.get(1).map_or(Ok(RECORDS), |number| number.parse())?;
    let seed = arguments.get(2).map_or(Ok(SEED), |number| number.parse())?;
    file::write(Path::new(path), &table::admissions(records, seed))?;
    println!("{records} admissions in {path}");
    Ok(())
}
