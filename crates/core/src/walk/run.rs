//! The whole way of a walk: check, cut, tie together, walk, round, count.

use rayon::prelude::*;

use super::findings::{ColumnFindings, Findings, Walked, WalkedColumn};
use super::locality;
use super::pace;
use super::parcel::{self, Outcome, Parcel};
use super::relation::{self, Exact, Unknown};
use super::sampler::{self, Member};
use super::segment::{self, Segment};
use super::system::{self, Kept, Purpose, System};
use super::whole::Whole;
use super::{
    Column, Domain, FROZEN_CHANGE, FROZEN_SHARE, Integer, LARGEST_SEGMENT, Property, Settings, Sweeps, WalkError,
};
use crate::random::Seed;

/// Walks the columns of a table: values move, and the properties of the data stay.
///
/// Every segment has a random stream of its own, so the result depends on the input, the settings and the seed alone.
pub fn walk(columns: &[Column], properties: &[Property], settings: &Settings, seed: Seed) -> Result<Walked, WalkError> {
    let cut = cut(columns, properties, settings)?;
    let job = Job { segments: &cut.segments, relations: &cut.relations, settings, member: cut.member, seed };
    let outcomes = cut.systems.par_iter().map(|system| job.walk(system)).collect::<Result<Vec<_>, _>>()?;
    Ok(gather(columns, &cut.segments, &cut.relations, &outcomes.concat(), cut.member))
}

/// The same walk in at most so many parcels, each for whoever walks it.
pub fn parcels(
    columns: &[Column],
    properties: &[Property],
    settings: &Settings,
    seed: Seed,
    most: usize,
) -> Result<Vec<Parcel>, WalkError> {
    Ok(parcel::parcels(&cut(columns, properties, settings)?, settings, seed, most))
}

/// Puts together what came of all parcels, in any order.
pub fn put_together(
    columns: &[Column],
    properties: &[Property],
    settings: &Settings,
    outcomes: &[Outcome],
) -> Result<Walked, WalkError> {
    let cut = cut(columns, properties, settings)?;
    if !parcel::are_complete(outcomes, &cut.segments) {
        return Err(WalkError::Unsound);
    }
    Ok(gather(columns, &cut.segments, &cut.relations, outcomes, cut.member))
}

/// A walk before its first step.
pub(super) struct Cut {
    pub segments: Vec<Segment>,
    pub relations: Vec<Exact>,
    pub systems: Vec<System>,
    pub member: &'static Member,
}

fn cut(columns: &[Column], properties: &[Property], settings: &Settings) -> Result<Cut, WalkError> {
    let member = check_settings(settings)?;
    check_columns(columns)?;
    let segments: Vec<Segment> =
        columns.par_iter().enumerate().flat_map_iter(|(place, column)| segment::cut(place, column, settings)).collect();
    check_sizes(&segments, columns)?;
    let relations = relation::expand(properties, columns, &segments)?;
    let systems = system::group(segments.len(), &relations);
    Ok(Cut { segments, relations, systems, member })
}

pub(super) fn check_settings(settings: &Settings) -> Result<&'static Member, WalkError> {
    let bad = |setting, wanted: &str| Err(WalkError::BadSetting { setting, wanted: wanted.to_owned() });
    if !(0.0..=1.0).contains(&settings.theta) {
        return bad("theta", "a number from 0 to 1");
    }
    if !(3..=LARGEST_SEGMENT).contains(&settings.segment) {
        return bad("segment", &format!("a whole number from 3 to {LARGEST_SEGMENT}"));
    }
    if matches!(settings.domain, Domain::Segment { margin } if !(0.0..=1000.0).contains(&margin)) {
        return bad("margin", "a number from 0 to 1000");
    }
    if settings.sweeps == Sweeps::Fixed(0) {
        return bad("sweeps", "a whole number of at least 1");
    }
    let names = sampler::ALL.iter().map(|member| member.card.name).collect::<Vec<_>>().join(", ");
    sampler::find(&settings.sampler)
        .ok_or_else(|| WalkError::BadSetting { setting: "walk", wanted: format!("one of: {names}") })
}

fn check_columns(columns: &[Column]) -> Result<(), WalkError> {
    let expected = columns.first().map_or(0, |column| column.values.len());
    if u32::try_from(expected).is_err() {
        return Err(WalkError::TooLarge { what: format!("{expected} records"), limit: u32::MAX as usize });
    }
    columns.iter().try_for_each(|column| check_column(column, expected))
}

fn check_column(column: &Column, expected: usize) -> Result<(), WalkError> {
    let name = || column.name.clone();
    let found = column.values.len();
    if found != expected {
        return Err(WalkError::UnequalLengths { column: name(), found, expected });
    }
    if let Some((low, high)) = column.bounds {
        if low >= high {
            return Err(WalkError::EmptyDomain { column: name() });
        }
        let outside = |value: &Option<i128>| value.is_some_and(|value| value < low || value > high);
        let count = column.values.iter().filter(|value| outside(value)).count();
        if let Some(first) = column.values.iter().position(outside) {
            return Err(WalkError::OutsideDomain { column: name(), count, first: first + 1 });
        }
    }
    let distinct = column.distinct();
    if distinct < 3 { Err(WalkError::TooFewValues { column: name(), distinct }) } else { Ok(()) }
}

/// In value order a segment is counted in distinct values, and in record order it may take in a rest.
fn check_sizes(segments: &[Segment], columns: &[Column]) -> Result<(), WalkError> {
    let largest = segments.iter().max_by_key(|segment| segment.values.len());
    match largest {
        Some(segment) if segment.values.len() > LARGEST_SEGMENT * 3 / 2 => {
            let what = format!("a segment of {} values in `{}`", segment.values.len(), columns[segment.column].name);
            Err(WalkError::TooLarge { what, limit: LARGEST_SEGMENT })
        }
        _ => Ok(()),
    }
}

pub(super) struct Job<'a> {
    pub segments: &'a [Segment],
    pub relations: &'a [Exact],
    pub settings: &'a Settings,
    pub member: &'static Member,
    pub seed: Seed,
}

impl Job<'_> {
    pub(super) fn walk(&self, system: &System) -> Result<Vec<Outcome>, WalkError> {
        let segments: Vec<&Segment> = system.segments.iter().map(|place| &self.segments[*place]).collect();
        let kept: Vec<Kept> = segments
            .iter()
            .map(|segment| Kept::draw(segment, self.settings, &mut system::stream(self.seed, segment, Purpose::Choice)))
            .collect();
        let relations = self.localised(system);
        let has_equations =
            kept.iter().any(|kept| !kept.ties.is_empty()) || relations.iter().any(|(_, relation)| relation.is_equation);
        system::check_size(system, self.segments, has_equations)?;
        let mut outcomes = self.move_through(&segments, &kept, &relations);
        for ((outcome, place), kept) in outcomes.iter_mut().zip(&system.segments).zip(&kept) {
            outcome.segment = *place;
            self.count(outcome, &self.segments[*place], kept);
        }
        Ok(outcomes)
    }

    /// The relations of a system, with unknowns that name segments by their place in it.
    fn localised(&self, system: &System) -> Vec<(Vec<Unknown>, &Exact)> {
        let place = |segment: u32| system.segments.binary_search(&(segment as usize)).unwrap_or(0);
        let local = |&((segment, own), _): &(Unknown, i128)| (u32::try_from(place(segment)).unwrap_or(0), own);
        let relations = system.relations.iter().map(|relation| &self.relations[*relation]);
        relations.map(|relation| (relation.terms.iter().map(local).collect(), relation)).collect()
    }

    /// Walks, and rounds to the units of the columns.
    fn move_through(&self, segments: &[&Segment], kept: &[Kept], relations: &[(Vec<Unknown>, &Exact)]) -> Vec<Outcome> {
        let Some(first) = segments.iter().find(|segment| segment.can_move()) else {
            return segments.iter().map(|segment| unmoved(segment)).collect();
        };
        let region = system::region(segments, kept, relations, self.settings.order);
        let mut stream = system::stream(self.seed, first, Purpose::Walk);
        let mut chain = (self.member.start)(&region);
        let pace = pace::run(chain.as_mut(), &region, self.member, self.settings.sweeps, &mut stream);
        let steps = chain.steps();
        let point = chain.point();
        let rounded = |(offset, segment): (usize, &&Segment)| -> Vec<i128> {
            let values = &point[offset..offset + segment.values.len()];
            values
                .iter()
                .map(|value| if segment.can_move() { segment.units(*value) } else { segment.origin() })
                .collect()
        };
        let mut rounded: Vec<Vec<i128>> = region.offsets().zip(segments).map(rounded).collect();
        if self.settings.integer == Integer::Exact {
            let mut whole = Whole::new(segments, &rounded, kept, relations, self.settings.order);
            whole.walk(&mut stream);
            let mut rest = whole.values.as_slice();
            for part in &mut rounded {
                let (own, after) = rest.split_at(part.len());
                part.copy_from_slice(own);
                rest = after;
            }
        }
        let size = region.size().max(1) as u64;
        let outcome = |values: Vec<i128>| Outcome {
            steps: steps * values.len() as u64 / size,
            sweeps: u64::from(pace.sweeps),
            mixed: pace.mixed,
            values,
            ..Outcome::default()
        };
        rounded.into_iter().map(outcome).collect()
    }

    /// Counts what there was to keep, and what rounding broke.
    fn count(&self, outcome: &mut Outcome, segment: &Segment, kept: &Kept) {
        let values = &outcome.values;
        let tie_broken = |tie: &&[u16; 3]| {
            let [left, middle, right] = tie.map(|place| values[usize::from(place)]);
            left + right != 2 * middle
        };
        outcome.localities = locality::count(&segment.values).unequal;
        outcome.extracted = kept.extracted as u64;
        outcome.kept = kept.localities.len() as u64;
        let broken = kept.localities.iter().filter(|locality| !locality.holds(values)).count();
        outcome.broken = (broken + kept.ties.iter().filter(tie_broken).count()) as u64;
        if self.settings.order {
            outcome.merged = values.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        }
    }
}

fn unmoved(segment: &Segment) -> Outcome {
    Outcome { values: segment.values.clone(), mixed: true, ..Outcome::default() }
}

/// Puts the values of all segments back in record order and adds up what happened.
fn gather(
    columns: &[Column],
    segments: &[Segment],
    relations: &[Exact],
    outcomes: &[Outcome],
    member: &Member,
) -> Walked {
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
    let is_broken = |relation: &&Exact| !relation.slack(value).is_some_and(|slack| relation.allows(slack));
    let findings = Findings {
        sampler: member.card.name.to_owned(),
        properties: relations.len() as u64,
        properties_broken: relations.iter().filter(is_broken).count() as u64,
    };
    Walked { columns: walked, findings }
}

fn untouched(column: &Column) -> WalkedColumn {
    let findings = ColumnFindings { name: column.name.clone(), ..ColumnFindings::default() };
    WalkedColumn { values: vec![None; column.values.len()], findings }
}

fn add_up(walked: &mut WalkedColumn, segment: &Segment, outcome: &Outcome) {
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
    findings.extracted += outcome.extracted;
    findings.kept += outcome.kept;
    findings.broken += outcome.broken;
    findings.merged += outcome.merged;
    findings.steps += outcome.steps;
    findings.sweeps = findings.sweeps.max(outcome.sweeps);
}

/// How much of a column changed.
fn measure(walked: &mut WalkedColumn, column: &Column) {
    let pairs = || column.values.iter().zip(&walked.values).filter_map(|(old, new)| (*old).zip(*new));
    let count = pairs().count().max(1) as f64;
    let range = column.extremes().map_or(0.0, |(low, high)| (high - low) as f64);
    let same = pairs().filter(|(old, new)| old == new).count() as f64;
    let change: f64 = pairs().map(|(old, new)| (old - new).unsigned_abs() as f64).sum();
    walked.findings.unchanged = same / count;
    walked.findings.mean_change = if range > 0.0 { change / count / range } else { 0.0 };
}
