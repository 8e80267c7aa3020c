//! Segments that properties tie together, and the region in which their values may go.
//!
//! Segments are independent unless a property speaks of several. Each group of tied segments is one system, with one region
//! and one random stream: that of its first segment. Localities are listed here, and the share that is to be kept is drawn.

use serde::{Deserialize, Serialize};

use super::locality::{self, Locality};
use super::region::{Block, LinearRelation, Region};
use super::relation::{ExactRelation, Unknown};
use super::segment::Segment;
use super::{TieRule, WalkSettings};
use crate::random::{Seed, Stream};
use crate::walk::stored;

/// Segments that are walked together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct System {
    /// Places of segments.
    pub segments: Vec<usize>,
    /// Places of relations.
    pub relations: Vec<usize>,
}

/// Groups segments by the relations between them.
pub(super) fn group(segments: usize, relations: &[ExactRelation]) -> Vec<System> {
    let mut parents: Vec<usize> = (0..segments).collect();
    for relation in relations {
        let mut members = relation.terms.iter().map(|((segment, _), _)| *segment as usize);
        if let Some(first) = members.next() {
            for member in members {
                let (one, other) = (root(&mut parents, first), root(&mut parents, member));
                parents[one.max(other)] = one.min(other);
            }
        }
    }
    let mut systems: Vec<System> = vec![System::default(); segments];
    for segment in 0..segments {
        systems[root(&mut parents, segment)].segments.push(segment);
    }
    for (place, relation) in relations.iter().enumerate() {
        if let Some(((segment, _), _)) = relation.terms.first() {
            systems[root(&mut parents, *segment as usize)].relations.push(place);
        }
    }
    systems.retain(|system| !system.segments.is_empty());
    systems
}

fn root(parents: &mut [usize], mut place: usize) -> usize {
    while parents[place] != place {
        parents[place] = parents[parents[place]];
        place = parents[place];
    }
    place
}

/// What a random stream of a segment is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum StreamPurpose {
    /// Drawing the localities that are kept.
    Choice,
    /// Walking.
    Walk,
}

/// The stream of a segment.
pub(super) fn stream(seed: Seed, segment: &Segment, purpose: StreamPurpose) -> Stream {
    let purpose = match purpose {
        StreamPurpose::Choice => 0,
        StreamPurpose::Walk => 1,
    };
    seed.stream((segment.column as u64) << 40 | (segment.number as u64) << 1 | purpose)
}

/// The localities of a segment that are to be kept, and how many there were to choose from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeptLocalities {
    pub localities: Vec<Locality>,
    pub extracted: usize,
    /// Equal distances that stay equal.
    pub ties: Vec<[u16; 3]>,
}

impl KeptLocalities {
    pub(super) fn draw(segment: &Segment, settings: &WalkSettings, stream: &mut Stream) -> Self {
        // Few that imply all others, given the order; the published list where a share is to mean what it means there.
        let all = settings.theta >= 1.0;
        let is_short = all && settings.order && settings.ties == TieRule::Free;
        let mut localities =
            if is_short { locality::staircase(&segment.values) } else { locality::neighbours(&segment.values) };
        let extracted = localities.len();
        if !all {
            settings.selection.keep(&mut localities, settings.theta, stream);
        }
        let ties = if settings.ties == TieRule::Equal { locality::ties(&segment.values) } else { Vec::new() };
        Self { localities, extracted, ties }
    }
}

/// The segments of a system and all that ties their values.
pub(super) struct SystemTies<'a> {
    pub segments: Vec<&'a Segment>,
    /// For each segment the localities that are kept.
    pub kept: Vec<KeptLocalities>,
    pub relations: Vec<LocalRelation<'a>>,
    /// Whether the order of the values of a segment is kept.
    pub order: bool,
}

/// A relation of a system; its unknowns name segments by their place in the system.
pub(super) struct LocalRelation<'a> {
    /// One for each term.
    pub unknowns: Vec<Unknown>,
    pub exact: &'a ExactRelation,
}

impl SystemTies<'_> {
    /// Where the values may go.
    pub(super) fn region(&self) -> Region {
        let mut region = Region::default();
        for (segment, kept) in self.segments.iter().zip(&self.kept) {
            let offset = region.size();
            region.equations.extend(kept.ties.iter().map(|tie| equal_distances(*tie, offset)));
            region.blocks.push(block(segment, &kept.localities, self.order));
        }
        let frames = SegmentFrames {
            segments: &self.segments,
            start: region.start(),
            offsets: region.offsets().collect::<Vec<_>>(),
        };
        for relation in &self.relations {
            let in_frame = frames.relation(relation);
            if relation.exact.is_equation { region.equations.push(in_frame) } else { region.relations.push(in_frame) }
        }
        region
    }

    /// Whether sums of the policy are to stay what they are.
    pub(super) fn has_sums(&self) -> bool {
        self.relations.iter().any(|relation| relation.exact.is_equation)
    }
}

/// The equation of a tie: both distances from the middle value are the same.
fn equal_distances(tie: [u16; 3], offset: usize) -> LinearRelation {
    let [left, middle, right] = tie.map(|place| stored(offset + usize::from(place)));
    LinearRelation { terms: vec![(left, 1.0), (middle, -2.0), (right, 1.0)], bound: 0.0 }
}

fn block(segment: &Segment, localities: &[Locality], order: bool) -> Block {
    let scale = if segment.scale() > 0.0 { segment.scale() } else { 1.0 };
    let origin = segment.origin();
    Block {
        data: segment.values.iter().map(|value| (value - origin) as f64 / scale).collect(),
        localities: localities.to_vec(),
        order,
        low: segment.low / scale,
        high: segment.high / scale,
    }
}

/// The segments of a system with their places in its region.
struct SegmentFrames<'a> {
    segments: &'a [&'a Segment],
    /// Where the unknowns of each segment begin.
    offsets: Vec<usize>,
    /// The data.
    start: Vec<f64>,
}

impl SegmentFrames<'_> {
    /// An exact relation in the frames of the segments.
    fn relation(&self, relation: &LocalRelation<'_>) -> LinearRelation {
        let LocalRelation { unknowns, exact } = relation;
        let place = |(segment, place): Unknown| self.offsets[segment as usize] + usize::from(place);
        let value = |(segment, place): Unknown| self.segments[segment as usize].values[usize::from(place)];
        let terms = exact.terms.iter().zip(unknowns);
        let sum =
            terms.clone().try_fold(0_i128, |sum, ((_, factor), unknown)| sum.checked_add(factor * value(*unknown)));
        let slack = sum.map_or(0.0, |sum| (exact.bound - sum) as f64);
        let factor = |factor: i128, (segment, _): Unknown| factor as f64 * self.segments[segment as usize].scale();
        let largest = terms.clone().map(|((_, own), unknown)| factor(*own, *unknown).abs()).fold(0.0, f64::max);
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let framed = |((_, own), unknown): (&(Unknown, i128), &Unknown)| {
            (stored(place(*unknown)), factor(*own, *unknown) / unit)
        };
        let terms: Vec<(u32, f64)> = terms.map(framed).collect();
        let at_start: f64 = terms.iter().map(|&(unknown, factor)| factor * self.start[unknown as usize]).sum();
        LinearRelation { terms, bound: slack / unit + at_start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(segments: &[u32]) -> ExactRelation {
        let terms = segments.iter().map(|segment| ((*segment, 0), 1)).collect();
        ExactRelation { terms, bound: 9, is_equation: false }
    }

    #[test]
    fn relations_join_segments() {
        let systems = group(5, &[relation(&[3, 1]), relation(&[2]), relation(&[1, 4])]);
        let found: Vec<_> = systems.iter().map(|one| (one.segments.clone(), one.relations.clone())).collect();
        assert_eq!(found, [(vec![0], vec![]), (vec![1, 3, 4], vec![0, 2]), (vec![2], vec![1])]);
    }

    #[test]
    fn exact_relations_keep_their_slack_in_the_frame() {
        let segment =
            Segment { column: 0, number: 0, values: vec![10, 14, 30], records: Vec::new(), low: -2.0, high: 22.0 };
        let relation = ExactRelation { terms: vec![((0, 0), 3), ((0, 2), -2)], bound: -20, is_equation: false };
        let frames = SegmentFrames { segments: &[&segment], offsets: vec![0], start: vec![0.0, 0.2, 1.0] };
        let in_frame = frames.relation(&LocalRelation { unknowns: vec![(0, 0), (0, 2)], exact: &relation });
        // A slack of 10 units, in frames of 20 units and after division by the largest factor, 3 × 20.
        assert!((in_frame.slack(&[0.0, 0.2, 1.0]) - 10.0 / 60.0).abs() < 1e-12);
        // One unit more for the first value: three units less.
        assert!((in_frame.slack(&[0.05, 0.2, 1.0]) - 7.0 / 60.0).abs() < 1e-12);
    }
}
