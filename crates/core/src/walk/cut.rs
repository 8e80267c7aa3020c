//! A walk before its first step: checked, cut into segments, and the segments that belong together grouped.

use rayon::prelude::*;

use super::relation::{self, ExactRelation};
use super::sampler::{self, SamplerMember};
use super::segment::{self, Segment};
use super::system::{self, System};
use super::{LARGEST_SEGMENT, Property, Sweeps, WalkColumn, WalkDomain, WalkError, WalkSettings};

/// A walk before its first step.
pub(super) struct WalkStart {
    pub segments: Vec<Segment>,
    pub relations: Vec<ExactRelation>,
    pub systems: Vec<System>,
    pub member: &'static SamplerMember,
}

/// Checks what is asked and cuts the columns.
pub(super) fn cut(
    columns: &[WalkColumn],
    properties: &[Property],
    settings: &WalkSettings,
) -> Result<WalkStart, WalkError> {
    let member = check_settings(settings)?;
    check_columns(columns)?;
    let segments: Vec<Segment> =
        columns.par_iter().enumerate().flat_map_iter(|(place, column)| segment::cut(place, column, settings)).collect();
    check_sizes(&segments, columns)?;
    let relations = relation::expand(properties, columns, &segments)?;
    let systems = system::group(segments.len(), &relations);
    Ok(WalkStart { segments, relations, systems, member })
}

pub(super) fn check_settings(settings: &WalkSettings) -> Result<&'static SamplerMember, WalkError> {
    let bad = |setting, wanted: &str| Err(WalkError::BadSetting { setting, wanted: wanted.to_owned() });
    if !(0.0..=1.0).contains(&settings.theta) {
        return bad("theta", "a number from 0 to 1");
    }
    if !(3..=LARGEST_SEGMENT).contains(&settings.segment) {
        return bad("segment", &format!("a whole number from 3 to {LARGEST_SEGMENT}"));
    }
    if matches!(settings.domain, WalkDomain::Segment { margin } if !(0.0..=1000.0).contains(&margin)) {
        return bad("margin", "a number from 0 to 1000");
    }
    if settings.sweeps == Sweeps::Fixed(0) {
        return bad("sweeps", "a whole number of at least 1");
    }
    let names = sampler::ALL.iter().map(|member| member.card.name).collect::<Vec<_>>().join(", ");
    sampler::find(&settings.sampler)
        .ok_or_else(|| WalkError::BadSetting { setting: "walk", wanted: format!("one of: {names}") })
}

fn check_columns(columns: &[WalkColumn]) -> Result<(), WalkError> {
    let expected = columns.first().map_or(0, |column| column.values.len());
    if u32::try_from(expected).is_err() {
        return Err(WalkError::TooLarge { what: format!("{expected} records"), limit: u32::MAX as usize });
    }
    columns.iter().try_for_each(|column| check_column(column, expected))
}

fn check_column(column: &WalkColumn, expected: usize) -> Result<(), WalkError> {
    let name = || column.name.clone();
    let found = column.values.len();
    if found != expected {
        return Err(WalkError::UnequalLengths { column: name(), found, expected });
    }
    column.check_domain()?;
    let distinct = column.distinct();
    if distinct < 3 { Err(WalkError::TooFewValues { column: name(), distinct }) } else { Ok(()) }
}

/// In value order a segment is counted in distinct values, and in record order it may take in a rest.
fn check_sizes(segments: &[Segment], columns: &[WalkColumn]) -> Result<(), WalkError> {
    let largest = segments.iter().max_by_key(|segment| segment.values.len());
    match largest {
        Some(segment) if segment.values.len() > LARGEST_SEGMENT * 3 / 2 => {
            let what = format!("a segment of {} values in `{}`", segment.values.len(), columns[segment.column].name);
            Err(WalkError::TooLarge { what, limit: LARGEST_SEGMENT })
        }
        _ => Ok(()),
    }
}
