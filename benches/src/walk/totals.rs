//! `bench totals`: a whole table with kept totals, to equilibrium.
//!
//! 100,000 records of three columns in segments of 100; the total of each column and of each of 20 groups of records is kept.
//! The criterion is that of the whole table without totals ([`super::large`]). Every total is added up again here.

use std::time::Instant;

use equanym_core::random::Seed;
use equanym_core::walk::{
    Property, RecordGroups, Relation, TermRecords, WalkColumn, WalkSettings, WalkedColumns, walk,
};

use super::census;
use crate::failure::Result;
use crate::figures::{grouped, short};
use crate::markdown;
use crate::processor::{Stopwatch, Whose};

const RECORDS: usize = 100_000;
const GROUPS: usize = 20;

/// Measures, and writes a table of it.
pub fn report(quick: bool) -> Result<String> {
    let records = if quick { RECORDS / 10 } else { RECORDS };
    let columns = census::columns(records, 1);
    let mut stream = Seed::from(3).stream(0);
    let groups = RecordGroups((0..records).map(|_| u32::try_from(stream.below(GROUPS)).ok()).collect());
    let properties: Vec<Property> = (0..columns.len())
        .flat_map(|column| {
            let all = Property::sum(column, TermRecords::All, Relation::Equal, None);
            [all, Property::totals(column, groups.clone())]
        })
        .collect();
    let mut rows = Vec::new();
    for theta in [1.0, 0.1] {
        let settings = WalkSettings { theta, ..WalkSettings::default() };
        let (start, watch) = (Instant::now(), Stopwatch::start(Whose::Process));
        let walked = walk(&columns, &properties, &settings, Seed::from(1))?;
        let seconds = (start.elapsed().as_secs_f64(), watch.seconds());
        rows.push(row(theta, seconds, &walked, missed(&columns, &walked, &groups)));
    }
    let head = [
        "theta",
        "seconds",
        "of processor time",
        "segments",
        "not at equilibrium",
        "most sweeps",
        "least mean change",
        "totals that are off",
    ];
    Ok(format!(
        "{} records × 3 columns in segments of 100, the total of each column and of each of {GROUPS} groups kept, on {} threads:\n\n{}",
        grouped(records as u128),
        rayon::current_num_threads(),
        markdown::table(&head, 0, &rows)
    ))
}

fn row(theta: f64, seconds: (f64, f64), walked: &WalkedColumns, missed: usize) -> Vec<String> {
    let findings = || walked.columns.iter().map(|column| &column.findings);
    vec![
        theta.to_string(),
        short(seconds.0),
        short(seconds.1),
        grouped(findings().map(|found| found.segments).sum::<u64>().into()),
        grouped(findings().map(|found| found.unmixed_segments).sum::<u64>().into()),
        grouped(findings().map(|found| found.sweeps).max().unwrap_or(0).into()),
        format!("{:.2} %", findings().map(|found| found.mean_change).fold(1.0, f64::min) * 100.0),
        missed.to_string(),
    ]
}

/// How many totals of groups are not what they were.
fn missed(columns: &[WalkColumn], walked: &WalkedColumns, groups: &RecordGroups) -> usize {
    let totals = |values: &[Option<i128>]| {
        let mut sums = [0_i128; GROUPS];
        for (value, group) in values.iter().zip(groups.0.iter()) {
            if let (Some(value), Some(sum)) = (value, group.and_then(|group| sums.get_mut(group as usize))) {
                *sum += value;
            }
        }
        sums
    };
    let of_column = |(old, new): (&WalkColumn, &equanym_core::walk::WalkedColumn)| {
        let (old, new) = (totals(&old.values), totals(&new.values));
        old.iter().zip(new).filter(|(old, new)| **old != *new).count()
    };
    columns.iter().zip(&walked.columns).map(of_column).sum()
}
