//! Shares of a walk that can be done anywhere.
//!
//! Systems share nothing, and each draws from streams of its own. So the values do not depend on who walks them, nor in which
//! order. A parcel holds some systems with all that they need. Within it segments have numbers of its own; its outcomes name
//! them as the whole walk does. What arrives from elsewhere is checked before it is used.

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::column::LIMIT;
use super::cut::{WalkStart, check_settings};
use super::job::{SegmentOutcome, WalkJob};
use super::relation::{ExactRelation, Unknown};
use super::segment::Segment;
use super::system::System;
use super::{LARGEST_SEGMENT, WalkError, WalkSettings};
use crate::random::Seed;
use crate::walk::stored;

/// Some systems of a walk. It holds values of the data.
#[derive(Clone, Serialize, Deserialize)]
pub struct Parcel {
    settings: WalkSettings,
    seed: Seed,
    segments: Vec<Segment>,
    relations: Vec<ExactRelation>,
    systems: Vec<System>,
    /// The places of the segments in the whole walk.
    places: Vec<usize>,
}

impl std::fmt::Debug for Parcel {
    /// Says nothing of its values.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Parcel({} systems)", self.systems.len())
    }
}

impl Parcel {
    /// Walks its systems, one after the other.
    pub fn walk(&self) -> Result<Vec<SegmentOutcome>, WalkError> {
        let member = check_settings(&self.settings)?;
        if !self.is_sound() {
            return Err(WalkError::Unsound);
        }
        let (settings, seed) = (&self.settings, self.seed);
        let job =
            WalkJob { segments: &self.segments, relations: &self.relations, settings, member, seed, swept: &|| {} };
        let mut outcomes = Vec::with_capacity(self.segments.len());
        for system in &self.systems {
            outcomes.extend(job.walk(system)?);
        }
        for outcome in &mut outcomes {
            outcome.segment = *self.places.get(outcome.segment).ok_or(WalkError::Unsound)?;
        }
        Ok(outcomes)
    }

    /// Whether every number in it stands for something that is there.
    fn is_sound(&self) -> bool {
        let is_segment = |segment: &Segment| {
            let ascends = segment.values.windows(2).all(|pair| pair[0] < pair[1]);
            let is_large = |value: &i128| value.unsigned_abs() >= LIMIT.unsigned_abs();
            ascends
                && (1..=LARGEST_SEGMENT * 3 / 2).contains(&segment.values.len())
                && !segment.values.iter().any(is_large)
                // A domain may reach a thousand ranges beyond its segment.
                && [segment.low, segment.high].iter().all(|end| end.abs() < 4000.0 * LIMIT as f64)
        };
        self.places.len() == self.segments.len()
            && self.segments.iter().all(is_segment)
            && self.systems.iter().all(|system| self.is_system(system))
    }

    fn is_system(&self, system: &System) -> bool {
        let is_known = |&((segment, place), _): &(Unknown, i128)| {
            let segment = segment as usize;
            system.segments.binary_search(&segment).is_ok()
                && self.segments.get(segment).is_some_and(|segment| usize::from(place) < segment.values.len())
        };
        let value = |(segment, place): Unknown| {
            let segment = self.segments.get(segment as usize);
            segment.and_then(|segment| segment.values.get(usize::from(place)).copied()).unwrap_or(0)
        };
        let is_relation = |place: &usize| {
            let relation = self.relations.get(*place);
            relation.is_some_and(|one| one.terms.iter().all(is_known) && one.slack(value).is_some())
        };
        system.segments.windows(2).all(|pair| pair[0] < pair[1])
            && system.segments.last().is_some_and(|last| *last < self.segments.len())
            && system.relations.iter().all(is_relation)
    }
}

/// Deals the systems of a walk into at most `most` parcels.
pub(super) fn parcels(cut: &WalkStart, settings: &WalkSettings, seed: Seed, most: usize) -> Vec<Parcel> {
    let length = cut.systems.len().div_ceil(most.max(1)).max(1);
    cut.systems.chunks(length).map(|systems| parcel(cut, systems, settings, seed)).collect()
}

fn parcel(cut: &WalkStart, systems: &[System], settings: &WalkSettings, seed: Seed) -> Parcel {
    let places: Vec<usize> = systems.iter().flat_map(|system| system.segments.iter().copied()).collect();
    let local: HashMap<usize, usize> = places.iter().copied().zip(0..).collect();
    let local_of = |segment: usize| local.get(&segment).copied().unwrap_or(0);
    let mut relations = Vec::new();
    let mut dealt = Vec::with_capacity(systems.len());
    for system in systems {
        let first = relations.len();
        relations.extend(system.relations.iter().map(|place| renamed(&cut.relations[*place], local_of)));
        let segments = system.segments.iter().map(|segment| local_of(*segment)).collect();
        dealt.push(System { segments, relations: (first..relations.len()).collect() });
    }
    // Who has which value is of no use elsewhere.
    let segment = |place: &usize| Segment { records: Vec::new(), ..cut.segments[*place].clone() };
    let segments = places.iter().map(segment).collect();
    Parcel { settings: settings.clone(), seed, segments, relations, systems: dealt, places }
}

/// A relation with other names for segments.
fn renamed(relation: &ExactRelation, of: impl Fn(usize) -> usize) -> ExactRelation {
    let term = |&((segment, place), factor): &(Unknown, i128)| ((stored(of(segment as usize)), place), factor);
    ExactRelation { terms: relation.terms.iter().map(term).collect(), ..relation.clone() }
}

/// Whether each segment has one outcome, with as many values.
pub(super) fn are_complete(outcomes: &[SegmentOutcome], segments: &[Segment]) -> bool {
    let mut met = vec![false; segments.len()];
    for outcome in outcomes {
        let fits = segments.get(outcome.segment).is_some_and(|segment| segment.values.len() == outcome.values.len());
        if !fits || std::mem::replace(&mut met[outcome.segment], true) {
            return false;
        }
    }
    met.into_iter().all(|met| met)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::{Property, RecordPair, Relation, WalkColumn, WalkTask};

    fn columns() -> Vec<WalkColumn> {
        let cells =
            |factor: u32| (0..90_u32).map(|place| (place * place * factor % 101).to_string()).collect::<Vec<_>>();
        let column = |name, factor| WalkColumn::parse(name, cells(factor).iter().map(String::as_str), None).unwrap();
        vec![column("a", 1), column("b", 7)]
    }

    fn settings() -> WalkSettings {
        WalkSettings { segment: 10, ..WalkSettings::default() }
    }

    #[test]
    fn parcels_give_the_walk_that_one_machine_gives() {
        let (columns, settings) = (columns(), settings());
        let tied = Property::difference(RecordPair { column: 0, record: 3, other: 47 }, Relation::Equal, None);
        for properties in [&[][..], &[tied]] {
            let task =
                WalkTask { columns: &columns, properties, settings: &settings, seed: Seed::from(5), progress: &|_| {} };
            let whole = task.walk().unwrap();
            for most in [1, 3, 1000] {
                let mut parcels = task.parcels(most).unwrap();
                assert!(parcels.len() <= most);
                parcels.reverse();
                let outcomes: Vec<SegmentOutcome> = parcels.iter().flat_map(|parcel| parcel.walk().unwrap()).collect();
                assert_eq!(task.put_together(&outcomes).unwrap(), whole);
                assert_eq!(task.put_together(&outcomes[1..]), Err(WalkError::Unsound));
            }
        }
    }

    #[test]
    fn nonsense_from_elsewhere_is_refused() {
        let (columns, settings) = (columns(), settings());
        let task = WalkTask {
            columns: &columns,
            properties: &[],
            settings: &settings,
            seed: Seed::from(5),
            progress: &|_| {},
        };
        let parcel = task.parcels(1).unwrap().pop().unwrap();
        let broken: [fn(&mut Parcel); 7] = [
            |parcel| parcel.places.truncate(1),
            |parcel| parcel.systems[0].segments = vec![99],
            |parcel| parcel.systems[0].segments.clear(),
            |parcel| parcel.systems[0].relations = vec![0],
            |parcel| parcel.segments[0].values.reverse(),
            |parcel| parcel.segments[0].values.push(i128::MAX),
            |parcel| parcel.segments[0].high = f64::NAN,
        ];
        for spoil in broken {
            let mut parcel = parcel.clone();
            spoil(&mut parcel);
            assert_eq!(parcel.walk(), Err(WalkError::Unsound));
        }
    }
}
