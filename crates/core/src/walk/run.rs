//! The whole way of a walk: check, cut, tie together, walk, round, count.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::cut::{WalkStart, cut};
use super::findings::{ColumnFindings, WalkFindings, WalkedColumn, WalkedColumns};
use super::job::{SegmentOutcome, WalkJob};
use super::parcel::{self, Parcel};
use super::relation::{ExactRelation, Unknown};
use super::segment::Segment;
use super::{FROZEN_CHANGE, FROZEN_SHARE, Property, WalkColumn, WalkError, WalkSettings};
use crate::random::Seed;

/// Walks the columns of a table: values move, and the properties of the data stay.
///
/// Every segment has a random stream of its own, so the result depends on the input, the settings and the seed alone.
pub fn walk(
    columns: &[WalkColumn],
    properties: &[Property],
    settings: &WalkSettings,
    seed: Seed,
) -> Result<WalkedColumns, WalkError> {
    WalkTask { columns, properties, settings, seed, progress: &|_| {} }.walk()
}

/// What is asked of a walk.
#[derive(Clone, Copy)]
pub struct WalkTask<'a> {
    /// The columns, in record order.
    pub columns: &'a [WalkColumn],
    /// The relations to keep besides localities.
    pub properties: &'a [Property],
    /// How the walk is done.
    pub settings: &'a WalkSettings,
    /// Where all draws come from.
    pub seed: Seed,
    /// Hears how many segments are done, after each sweep.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl WalkTask<'_> {
    /// Walks here.
    pub fn walk(&self) -> Result<WalkedColumns, WalkError> {
        let cut = self.cut()?;
        let WalkStart { segments, relations, member, .. } = &cut;
        let done = AtomicU64::new(0);
        let swept = || (self.progress)(done.load(Ordering::Relaxed));
        let job = WalkJob { segments, relations, settings: self.settings, member, seed: self.seed, swept: &swept };
        let walk = |system| {
            let outcome = job.walk(system);
            (self.progress)(done.fetch_add(1, Ordering::Relaxed) + 1);
            outcome
        };
        let outcomes = cut.systems.par_iter().map(walk).collect::<Result<Vec<_>, _>>()?;
        Ok(record_order(self.columns, &cut, &outcomes.concat()))
    }

    /// The same walk in at most `most` parcels, each for whoever walks it.
    pub fn parcels(&self, most: usize) -> Result<Vec<Parcel>, WalkError> {
        Ok(parcel::parcels(&self.cut()?, self.settings, self.seed, most))
    }

    /// Puts together what came of all parcels, in any order.
    pub fn put_together(&self, outcomes: &[SegmentOutcome]) -> Result<WalkedColumns, WalkError> {
        let cut = self.cut()?;
        if !parcel::are_complete(outcomes, &cut.segments) {
            return Err(WalkError::Unsound);
        }
        Ok(record_order(self.columns, &cut, outcomes))
    }

    fn cut(&self) -> Result<WalkStart, WalkError> {
        cut(self.columns, self.properties, self.settings)
    }
}

/// Puts the values of all segments back in record order and adds up what happened.
fn record_order(columns: &[WalkColumn], cut: &WalkStart, outcomes: &[SegmentOutcome]) -> WalkedColumns {
    let WalkStart { segments, relations, member, .. } = cut;
    let mut walked: Vec<WalkedColumn> = columns.iter().map(untouched).collect();
    let mut by_segment: Vec<&[i128]> = vec![&[]; segments.len()];
    for outcome in outcomes {
        let segment = &segments[outcome.segment];
        by_segment[outcome.segment] = &outcome.values;
        add_up(&mut walked[segment.column], segment, outcome);
    }
    for (walked, column) in walked.iter_mut().zip(columns) {
        measure(walked, column);
    }
    let value = |(segment, place): Unknown| by_segment[segment as usize].get(usize::from(place)).copied().unwrap_or(0);
    let is_broken = |relation: &&ExactRelation| !relation.slack(value).is_some_and(|slack| relation.allows(slack));
    let findings = WalkFindings {
        sampler: member.card.name.to_owned(),
        properties: relations.len() as u64,
        properties_broken: relations.iter().filter(is_broken).count() as u64,
    };
    WalkedColumns { columns: walked, findings }
}

fn untouched(column: &WalkColumn) -> WalkedColumn {
    let findings = ColumnFindings { name: column.name.clone(), ..ColumnFindings::default() };
    WalkedColumn { values: vec![None; column.values.len()], findings }
}

fn add_up(walked: &mut WalkedColumn, segment: &Segment, outcome: &SegmentOutcome) {
    let (mut same, mut change) = (0_usize, 0.0);
    for &(record, place) in &segment.records {
        let (old, new) = (segment.values[usize::from(place)], outcome.values[usize::from(place)]);
        walked.values[record as usize] = Some(new);
        same += usize::from(old == new);
        change += (old - new).unsigned_abs() as f64;
    }
    let records = segment.records.len() as f64;
    let is_frozen =
        same as f64 >= FROZEN_SHARE * records || change / records < FROZEN_CHANGE * (segment.high - segment.low);
    let findings = &mut walked.findings;
    findings.segments += 1;
    findings.frozen_segments += u64::from(is_frozen);
    findings.unmixed_segments += u64::from(!outcome.mixed);
    findings.localities += outcome.localities;
    findings.reversed += outcome.reversed;
    findings.extracted += outcome.extracted;
    findings.kept += outcome.kept;
    findings.broken += outcome.broken;
    findings.merged += outcome.merged;
    findings.steps += outcome.steps;
    findings.sweeps = findings.sweeps.max(outcome.sweeps);
}

/// How much of a column changed.
fn measure(walked: &mut WalkedColumn, column: &WalkColumn) {
    let pairs = || column.values.iter().zip(&walked.values).filter_map(|(old, new)| (*old).zip(*new));
    let count = pairs().count().max(1) as f64;
    let range = column.extremes().map_or(0.0, |(low, high)| (high - low) as f64);
    let same = pairs().filter(|(old, new)| old == new).count() as f64;
    let change: f64 = pairs().map(|(old, new)| (old - new).unsigned_abs() as f64).sum();
    walked.findings.unchanged = same / count;
    walked.findings.mean_change = if range > 0.0 { change / count / range } else { 0.0 };
}
