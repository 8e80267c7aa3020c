//! One system walked: from the data to new values, rounded to the units of the columns.

use serde::{Deserialize, Serialize};

use super::locality;
use super::pace;
use super::relation::{ExactRelation, Unknown};
use super::reversal;
use super::sampler::SamplerMember;
use super::segment::Segment;
use super::settle::settle;
use super::system::{self, KeptLocalities, LocalRelation, StreamPurpose, System, SystemTies};
use super::whole::WholeValues;
use super::{LastDigits, WalkError, WalkSettings};
use crate::random::{Seed, Stream};

/// What came of a segment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SegmentOutcome {
    pub(super) segment: usize,
    /// The new values, in the order of the old ones.
    pub(super) values: Vec<i128>,
    pub(super) localities: u64,
    pub(super) reversed: u64,
    pub(super) extracted: u64,
    pub(super) kept: u64,
    pub(super) broken: u64,
    pub(super) merged: u64,
    pub(super) steps: u64,
    pub(super) sweeps: u64,
    pub(super) mixed: bool,
}

/// What the systems of a walk have in common.
pub(super) struct WalkJob<'a> {
    pub segments: &'a [Segment],
    pub relations: &'a [ExactRelation],
    pub settings: &'a WalkSettings,
    pub member: &'static SamplerMember,
    pub seed: Seed,
    /// Hears of each sweep, and may unwind there.
    pub swept: &'a (dyn Fn() + Sync),
}

impl WalkJob<'_> {
    pub(super) fn walk(&self, system: &System) -> Result<Vec<SegmentOutcome>, WalkError> {
        let segments: Vec<&Segment> = system.segments.iter().map(|place| &self.segments[*place]).collect();
        let draw = |segment: &&Segment| {
            KeptLocalities::draw(segment, self.settings, &mut system::stream(self.seed, segment, StreamPurpose::Choice))
        };
        let kept = segments.iter().map(draw).collect();
        let tied = SystemTies { segments, kept, relations: self.localised(system), order: self.settings.order };
        let mut outcomes = self.move_through(&tied)?;
        for ((outcome, place), kept) in outcomes.iter_mut().zip(&system.segments).zip(&tied.kept) {
            outcome.segment = *place;
            self.count(outcome, &self.segments[*place], kept);
        }
        Ok(outcomes)
    }

    /// The relations of a system.
    fn localised(&self, system: &System) -> Vec<LocalRelation<'_>> {
        let place = |segment: u32| system.segments.binary_search(&(segment as usize)).unwrap_or(0);
        let local = |&((segment, own), _): &(Unknown, i128)| (u32::try_from(place(segment)).unwrap_or(0), own);
        let relations = system.relations.iter().map(|relation| &self.relations[*relation]);
        relations.map(|exact| LocalRelation { unknowns: exact.terms.iter().map(local).collect(), exact }).collect()
    }

    /// Walks, and rounds to the units of the columns.
    fn move_through(&self, tied: &SystemTies<'_>) -> Result<Vec<SegmentOutcome>, WalkError> {
        let segments = &tied.segments;
        let Some(first) = segments.iter().find(|segment| segment.can_move()) else {
            return Ok(segments.iter().map(|segment| unmoved(segment)).collect());
        };
        let region = tied.region();
        if !(self.member.holds)(&region) {
            let (sampler, equations) = (self.member.card.name, region.equations.len());
            return Err(WalkError::TooManyEquations { sampler, equations, values: region.size() });
        }
        let mut stream = system::stream(self.seed, first, StreamPurpose::Walk);
        let mut chain = (self.member.start)(&region);
        let fixed = self.settings.sweeps.fixed(self.member);
        let pace = pace::run(chain.as_mut(), &region, fixed, &mut stream, self.swept);
        let steps = chain.steps();
        let rounded = self.round(tied, chain.point(), &mut stream);
        let size = region.size().max(1) as u64;
        let outcome = |values: Vec<i128>| SegmentOutcome {
            steps: steps * values.len() as u64 / size,
            sweeps: u64::from(pace.sweeps),
            mixed: pace.mixed,
            values,
            ..SegmentOutcome::default()
        };
        Ok(rounded.into_iter().map(outcome).collect())
    }

    /// A point as whole numbers, one list for each segment. Sums of the policy stay exact.
    fn round(&self, tied: &SystemTies<'_>, point: &[f64], stream: &mut Stream) -> Vec<Vec<i128>> {
        let mut rest = point;
        let mut rounded: Vec<Vec<i128>> = Vec::with_capacity(tied.segments.len());
        for segment in &tied.segments {
            let (own, after) = rest.split_at(segment.values.len());
            let units = |value: &f64| if segment.can_move() { segment.units(*value) } else { segment.origin() };
            rounded.push(own.iter().map(units).collect());
            rest = after;
        }
        let settled = if tied.has_sums() { settle(tied, point, stream) } else { None };
        let is_off = tied.has_sums() && settled.is_none();
        if let Some(settled) = &settled {
            deal(settled, &mut rounded);
        }
        if is_off || self.settings.integer == LastDigits::Exact {
            let mut whole = WholeValues::new(tied, &rounded);
            whole.walk(stream);
            deal(&whole.values, &mut rounded);
        }
        rounded
    }

    /// Counts what there was to keep, what came out the other way, and what rounding broke.
    fn count(&self, outcome: &mut SegmentOutcome, segment: &Segment, kept: &KeptLocalities) {
        let values = &outcome.values;
        let tie_broken = |tie: &&[u16; 3]| {
            let [left, middle, right] = tie.map(|place| values[usize::from(place)]);
            left + right != 2 * middle
        };
        outcome.localities = locality::count(&segment.values).unequal;
        outcome.reversed = reversal::reversed(&segment.values, values);
        outcome.extracted = kept.extracted as u64;
        outcome.kept = kept.localities.len() as u64;
        let broken = kept.localities.iter().filter(|locality| !locality.holds(values)).count();
        outcome.broken = (broken + kept.ties.iter().filter(tie_broken).count()) as u64;
        if self.settings.order {
            outcome.merged = values.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        }
    }
}

/// Deals values to the segments.
fn deal(values: &[i128], segments: &mut [Vec<i128>]) {
    let mut rest = values;
    for segment in segments {
        let (own, after) = rest.split_at(segment.len());
        segment.copy_from_slice(own);
        rest = after;
    }
}

fn unmoved(segment: &Segment) -> SegmentOutcome {
    SegmentOutcome { values: segment.values.clone(), mixed: true, ..SegmentOutcome::default() }
}
