//! How far a machine goes: tables of a hundred thousand to a hundred million records, counted and released.
//!
//! Counting is measured beside the same GROUP BY in DuckDB and Polars, on the same file, in the same run, in turns: each
//! is run three times (once for the largest tables) and the median counts. A release runs under a memory limit, in a
//! process of its own whose peak is told, and once more by a cluster of two executors on the same machine.

mod cluster;
mod others;
mod people;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use equanym_engine::count::count;
use equanym_engine::count::parts::KeyParts;
use equanym_engine::error::Error;
use equanym_engine::machine::{Resources, Runtime};
use equanym_engine::policy::Policy;
use equanym_engine::progress::Silent;
use equanym_engine::read::{self, Reading};
use equanym_engine::run::release::{self, ReleaseRequest};

use crate::facts::{Facts, ask_child};
use crate::failure::Result;
use crate::figures::{median, short};
use crate::folder::Folder;
use crate::large::count as counted;
use crate::markdown;
use crate::settings::Settings;

const SIZES: [u64; 4] = [100_000, 1_000_000, 10_000_000, 100_000_000];
const MEMORY: usize = 4 << 30;

/// Measures and describes.
pub fn report(settings: &Settings) -> Result<String> {
    let sizes = if settings.quick {
        &SIZES[..2]
    } else if settings.large {
        &SIZES[..]
    } else {
        &SIZES[..3]
    };
    let folder = Folder::new("scale")?;
    let cluster = cluster::Cluster::start(&folder.0)?;
    let (mut counting, mut releasing, mut clustered) = (Vec::new(), Vec::new(), Vec::new());
    for &size in sizes {
        eprintln!("a table of {size} records");
        let table = folder.0.join("people.parquet");
        people::write(&table, size)?;
        counting.push(count_row(size, &table)?);
        releasing.push(release_row(size, &table, &folder.0.join("out"))?);
        std::fs::remove_dir_all(folder.0.join("out"))?;
        if let Some(cluster) = &cluster {
            clustered.push(cluster.row(size, &table, &folder.0.join("out"))?);
            std::fs::remove_dir_all(folder.0.join("out"))?;
        }
    }
    let head =
        ["records", "keys", "s here", "s DuckDB", "s Polars", "here / DuckDB", "MiB here", "MiB DuckDB", "MiB Polars"];
    let heads = [
        "records",
        "MiB of Parquet",
        "s to count",
        "s to search",
        "s to write",
        "s to audit",
        "MiB spilled",
        "peak MiB",
    ];
    Ok(format!(
        "### Counting the distinct rows of nine text columns\n\n{}\n### A whole release under --memory 4GiB\n\n{}{}",
        markdown::table(&head, 0, &counting),
        markdown::table(&heads, 0, &releasing),
        by_cluster(&clustered)
    ))
}

fn by_cluster(rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let table = markdown::table(&cluster::HEAD, 0, rows);
    format!(
        "\n### The same by a cluster of two executors on this machine, each with half of the cores and 2 GiB\n\n{table}"
    )
}

fn count_row(size: u64, table: &Path) -> Result<Vec<String>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let rounds = if size > 10_000_000 { 1 } else { 3 };
    let path = table.to_string_lossy().into_owned();
    let mut ours: Vec<Facts> = Vec::new();
    let mut theirs: [Vec<Facts>; 2] = Default::default();
    for _ in 0..rounds {
        ours.push(ask_child(&["scale-count".to_owned(), path.clone()])?);
        for (engine, facts) in ["duckdb", "polars"].iter().zip(&mut theirs) {
            facts.extend(others::group_by(engine, table, threads)?);
        }
    }
    let [duckdb, polars] = theirs;
    let seconds = |facts: &[Facts]| median(&facts.iter().filter_map(|one| one.number("seconds")).collect::<Vec<_>>());
    let written = |facts: &[Facts]| seconds(facts).map_or_else(|| "–".to_owned(), short);
    let ratio =
        seconds(&ours).zip(seconds(&duckdb)).map_or_else(|| "–".to_owned(), |(here, there)| short(here / there));
    let peak = |facts: &[Facts]| facts.last().map_or_else(|| "–".to_owned(), Facts::peak);
    let keys = ours.last().map_or_else(String::new, |facts| counted(facts, "keys"));
    let times = [&ours, &duckdb, &polars].map(|facts| written(facts));
    let peaks = [&ours, &duckdb, &polars].map(|facts| peak(facts));
    Ok([&[crate::figures::grouped(size.into()), keys][..], &times, &[ratio], &peaks].concat())
}

fn release_row(size: u64, table: &Path, out: &Path) -> Result<Vec<String>> {
    let paths = [table, out].map(|path| path.to_string_lossy().into_owned());
    let facts = ask_child(&[&["scale-release".to_owned()][..], &paths].concat())?;
    let mebibytes = |bytes: f64| short(bytes / f64::from(1 << 20));
    let parts = ["count", "search", "write", "audit"].map(|part| facts.written(part, short));
    let size_of_file = std::fs::metadata(table)?.len() as f64;
    let row = [crate::figures::grouped(size.into()), mebibytes(size_of_file)];
    Ok([&row[..], &parts, &[facts.written("spilled", mebibytes), facts.peak()]].concat())
}

/// `scale-count FILE`: the distinct rows of all columns.
pub fn count_file(arguments: &[&str]) -> Result<Facts> {
    let [path] = arguments else { return Err("scale-count: one argument".into()) };
    let start = Instant::now();
    let source = Arc::new(read::open(Path::new(path), &Reading::default())?);
    let spill = std::env::temp_dir();
    let runtime = Runtime::start(&Resources { memory: MEMORY, ..Resources::default() }, Some(&spill))?;
    let places = KeyParts::first(source.columns().len());
    let keys = count(&source, &places, &runtime, &Silent)?;
    let facts = Facts::default().with("seconds", start.elapsed().as_secs_f64());
    Ok(facts.with("keys", keys.rows.counts.len()).with_peak())
}

/// `scale-release FILE OUT`: a whole release under the memory limit.
pub fn release_file(arguments: &[&str]) -> Result<Facts> {
    let [path, out] = arguments else { return Err("scale-release: two arguments".into()) };
    let policy = Policy::parse(people::POLICY, &|_| Err(Error::input("no files here")))?;
    let released = release::release(&ReleaseRequest {
        data: Path::new(path),
        policy: &policy,
        out: Path::new(out),
        folder: None,
        against: &[],
        cluster: None,
        resources: Resources { memory: MEMORY, ..Resources::default() },
        show_values: false,
        progress: Arc::new(Silent),
    })?;
    let seconds = released.seconds;
    let facts = Facts::default().with("count", seconds.count).with("search", seconds.search);
    let facts = facts.with("write", seconds.write).with("audit", seconds.audit);
    Ok(facts.with("released", released.report.released).with("spilled", released.spilled).with_peak())
}

/// `scale-table FILE RECORDS`: a table alone, for other programs.
pub fn write_file(arguments: &[&str]) -> Result<Facts> {
    let [path, records] = arguments else { return Err("scale-table: two arguments".into()) };
    people::write(Path::new(path), records.parse()?)?;
    std::fs::write(Path::new(path).with_extension("toml"), people::POLICY)?;
    Ok(Facts::default())
}
