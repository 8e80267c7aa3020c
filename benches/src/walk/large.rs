//! A whole table, to equilibrium: 75,000 records of three columns in segments of 100.
//!
//! **Criterion.** A segment is at equilibrium when its walk was ten times as long as the longest autocorrelation time of its
//! mean, its spread and eight places of its shape, measured on the walk itself. As a check from outside, the same table is
//! walked 2,000 sweeps from another seed, and the mean changes of all segments of both walks are compared by the statistic of
//! Kolmogorov and Smirnov (its 5 % point is 1.36).

use std::time::Instant;

use equanym_core::random::Seed;
use equanym_core::utility::kolmogorov_smirnov::distance;
use equanym_core::walk::{Sweeps, WalkColumn, WalkSettings, WalkedColumns, walk};

use super::census;
use crate::failure::Result;
use crate::figures::{grouped, short};
use crate::markdown;
use crate::processor::{Stopwatch, Whose};

/// Measures, and writes a table of it.
pub fn report(quick: bool) -> Result<String> {
    let records = if quick { census::RECORDS / 10 } else { census::RECORDS };
    let columns = census::columns(records, 1);
    let mut rows = Vec::new();
    for theta in [1.0, 0.1] {
        let settings = WalkSettings { theta, ..WalkSettings::default() };
        let (start, watch) = (Instant::now(), Stopwatch::start(Whose::Process));
        let walked = walk(&columns, &[], &settings, Seed::from(1))?;
        let seconds = (start.elapsed().as_secs_f64(), watch.seconds());
        let longer = WalkSettings { sweeps: Sweeps::Fixed(2000), ..settings };
        let other = walk(&columns, &[], &longer, Seed::from(2))?;
        rows.push(row(theta, &walked, seconds, &statistics(&columns, &walked, &other)));
    }
    let head = [
        "theta",
        "seconds",
        "of processor time",
        "segments",
        "not at equilibrium",
        "most sweeps",
        "statistic: age",
        "birth place",
        "occupation",
    ];
    Ok(format!(
        "{} records × 3 columns in segments of 100, on {} threads:\n\n{}",
        grouped(records as u128),
        rayon::current_num_threads(),
        markdown::table(&head, 0, &rows)
    ))
}

fn row(theta: f64, walked: &WalkedColumns, seconds: (f64, f64), statistics: &[f64]) -> Vec<String> {
    let sum = |count: &dyn Fn(usize) -> u64| (0..walked.columns.len()).map(count).sum::<u64>();
    let findings = |place: usize| &walked.columns[place].findings;
    let sweeps = walked.columns.iter().map(|column| column.findings.sweeps).max().unwrap_or(0);
    let mut row = vec![
        theta.to_string(),
        short(seconds.0),
        short(seconds.1),
        grouped(sum(&|place| findings(place).segments).into()),
        grouped(sum(&|place| findings(place).unmixed_segments).into()),
        grouped(sweeps.into()),
    ];
    row.extend(statistics.iter().map(|statistic| short(*statistic)));
    row
}

/// For each column, how differently the mean changes of segments are distributed.
fn statistics(columns: &[WalkColumn], one: &WalkedColumns, other: &WalkedColumns) -> Vec<f64> {
    let of_column = |(place, column): (usize, &WalkColumn)| {
        let [one, other] = [one, other].map(|walked| changes(column, &walked.columns[place].values));
        distance(&one, &other) * (one.len() as f64 * other.len() as f64 / (one.len() + other.len()) as f64).sqrt()
    };
    columns.iter().enumerate().map(of_column).collect()
}

/// The mean change of each segment.
fn changes(column: &WalkColumn, new: &[Option<i128>]) -> Vec<f64> {
    let change = |(old, new): (&Option<i128>, &Option<i128>)| (new.unwrap_or(0) - old.unwrap_or(0)) as f64;
    let segments = column.values.chunks(100).zip(new.chunks(100));
    segments.map(|(old, new)| old.iter().zip(new).map(change).sum::<f64>() / old.len() as f64).collect()
}
