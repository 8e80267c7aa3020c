//! Many segments that few equations tie: each walks as if it were free, and partners answer.
//!
//! The state of a segment is its shape, where its values stand between its first and its last one, and how much of its domain is
//! left below and above. A visit to a segment draws partners ([`Crew`]), whose shapes stay fixed meanwhile, and then
//!
//! * moves its values one after the other between their bounds ([`ListedBounds`]), some at a time. The sums that this changes are
//!   made good by the partners, who move and stretch as little as they can. The change is taken or refused as a whole, by the
//!   ratio of the volumes of the partners (Metropolis): single values move sums so little that it is nearly always taken. Whether
//!   the values go up or down the list is drawn each time, so that the proposal is as likely as its way back;
//! * moves its ends, with the same partners, along lines whose density is known ([`stretching`]);
//! * lets the ends of the partners fly ([`bouncing`]).
//!
//! What was slow are the ends. Without equations an end is about one value's share of the domain away from where this ends. Kept
//! totals change that: where the values of the data lie lower than uniform ones would, segments stay away from the upper
//! end by several such shares, and lines that stop at the first of fifty ends take long to cover these. So the units in which
//! ends go are learned, below and above apart, from how much the segments differ in the first sweeps; then they stay, and all
//! that follows has one law. And flights bounce where lines stop.
//!
//! The answer depends on the shapes of the partners and the units, which do not change, and on no value: that keeps the law uniform. No
//! step looks at more values than those of one segment, however many there are.
//!
//! A segment with an equation of its own can find no partner for that. It walks by [`CirclingWalk`], together with one
//! partner for the other equations.
//!
//! Source: our own; Metropolis et al. 1953.

use std::ops::Range;

use super::bouncing::{self, FlyingSegment};
use super::circling::CirclingWalk;
use super::crew::{Crew, CrewSegment};
use super::envelope::Multiples;
use super::listed::{ListedBounds, SegmentVisit};
use super::projection::Projection;
use super::stretching::{self, StretchedSegment};
use crate::random::Stream;
use crate::walk::region::{Block, LinearRelation, Region};
use crate::walk::sampler::Chain;
use crate::walk::sampler::slacks::Chord;
use crate::walk::stored;

/// How many values move before partners answer, in each round through all values: many where bounds are narrow, few where
/// they are wide. There are several rounds because to know the partners costs more than one.
const ROUNDS: [usize; 3] = [16, 4, 8];

/// Lines along which the ends of each segment go in a visit.
const LINES: usize = 2;

/// The longest time for which ends fly, in which each goes about as many units.
const LONGEST_FLIGHT: f64 = 1.5;

/// The sweeps after which units are learned; later they stay.
const LEARNED_AFTER: [u32; 4] = [4, 8, 16, 32];

/// The least that a unit may become, as a share of what it would be without equations.
const LEAST_UNIT: f64 = 0.1;

/// The most equations in which a segment may stand: each visit costs their square.
const MOST_EQUATIONS: usize = 64;

/// The walk of many segments.
pub(super) struct Ensemble<'a> {
    region: &'a Region,
    crew: Crew,
    parts: Vec<EnsembleSegment>,
    /// The bounds of each segment.
    listed: Vec<ListedBounds>,
    partners: Vec<usize>,
    projection: Projection,
    wanted: Vec<f64>,
    answer: Vec<f64>,
    /// Room for the segment that is visited.
    multiples: Multiples,
    point: Vec<f64>,
    sweeps: u32,
    steps: u64,
}

/// A segment.
struct EnsembleSegment {
    /// Where its values stand: 0 is the first, 1 the last.
    shape: Vec<f64>,
    /// What of the domain is left below the first value and above the last.
    below: f64,
    above: f64,
    width: f64,
    /// How far the lower and the upper end go in a step of 1.
    units: [f64; 2],
    exponent: f64,
    /// For each of its equations the sum of the factors, and of the factors times the shape.
    sums: Vec<(f64, f64)>,
}

impl EnsembleSegment {
    fn new(block: &Block, member: &CrewSegment) -> Self {
        let size = block.data.len();
        let width = (block.high - block.low).max(0.0);
        let mut part = Self {
            shape: vec![0.0; size],
            below: 0.0,
            above: 0.0,
            width,
            units: [width / size.max(1) as f64; 2],
            exponent: size.saturating_sub(2) as f64,
            sums: Vec::new(),
        };
        part.take(&block.data, block, member);
        part
    }

    fn range(&self) -> f64 {
        self.width - self.below - self.above
    }

    /// Takes over values of the region's frame.
    fn take(&mut self, values: &[f64], block: &Block, member: &CrewSegment) {
        let (first, last) = extremes(values);
        self.below = (first - block.low).max(0.0);
        // One value has a place and no range: what is left above it is its range.
        self.above = if values.len() > 1 { (block.high - last).max(0.0) } else { 0.0 };
        self.reshape(values, (first, last), member);
    }

    /// Takes over a shape in any frame.
    fn reshape(&mut self, values: &[f64], (first, last): (f64, f64), member: &CrewSegment) {
        let range = if last > first { last - first } else { 1.0 };
        self.shape.iter_mut().zip(values).for_each(|(shape, value)| *shape = (value - first) / range);
        self.sums.clear();
        self.sums.resize(member.equations.len(), (0.0, 0.0));
        for &(unknown, equation, factor) in &member.terms {
            let (all, shaped) = &mut self.sums[equation as usize];
            *all += factor;
            *shaped += factor * self.shape[unknown as usize];
        }
    }

    /// How an equation changes when a unit is taken from below, and from above.
    fn changes(&self, (all, shaped): (f64, f64)) -> [f64; 2] {
        [(all - shaped) * self.units[0], -shaped * self.units[1]]
    }

    /// Its values in the region's frame.
    fn values<'p>(&'p self, block: &'p Block) -> impl Iterator<Item = f64> + 'p {
        let range = if self.shape.len() > 1 { self.range() } else { 0.0 };
        self.shape.iter().map(move |shape| (block.low + self.below + shape * range).clamp(block.low, block.high))
    }
}

impl<'a> Ensemble<'a> {
    /// Starts at the data; `None` where other segments could not answer, or more than equations ties the values.
    pub(super) fn new(region: &'a Region) -> Option<Self> {
        let crew = Crew::new(region);
        if !can_answer(region, &crew) {
            return None;
        }
        Some(Self {
            region,
            parts: region
                .blocks
                .iter()
                .zip(&crew.members)
                .map(|(block, member)| EnsembleSegment::new(block, member))
                .collect(),
            listed: region.blocks.iter().map(ListedBounds::new).collect::<Option<_>>()?,
            crew,
            partners: Vec::new(),
            projection: Projection::default(),
            wanted: Vec::new(),
            answer: Vec::new(),
            multiples: Multiples::new()?,
            point: region.start(),
            sweeps: 0,
            steps: 0,
        })
    }

    /// Whether it can walk a region.
    pub(super) fn holds(region: &Region) -> bool {
        can_answer(region, &Crew::new(region))
    }

    fn visit(&mut self, lead: usize, stream: &mut Stream) {
        self.crew.draw(lead, &mut self.partners, stream);
        if self.crew.members[lead].has_own {
            self.circle(lead, stream);
        }
        self.ask_partners(lead);
        self.move_values(lead, stream);
        for _ in 0..LINES {
            self.move_ends(lead, stream);
        }
        self.fly(stream);
    }

    /// Moves the ends of all partners.
    fn fly(&mut self, stream: &mut Stream) {
        self.steps += 1;
        let mut bodies: Vec<FlyingSegment> = self.partners.iter().map(|partner| self.parts[*partner].body()).collect();
        let time = LONGEST_FLIGHT * stream.unit();
        if bouncing::fly(&mut bodies, &self.projection, time, stream) {
            for (&partner, body) in self.partners.iter().zip(&bodies) {
                [self.parts[partner].below, self.parts[partner].above] = body.ends;
            }
        }
    }

    /// Makes the units of all segments as large as their ends differ: equations can give ends far more room than a
    /// segment without equations has, above, below or on both sides.
    fn learn_units(&mut self) {
        let shares = |part: &EnsembleSegment| {
            let free = part.width / part.shape.len() as f64;
            [part.below / free, part.above / free]
        };
        let all: Vec<[f64; 2]> =
            self.parts.iter().filter(|part| part.width > 0.0 && part.shape.len() > 1).map(shares).collect();
        let units = [0, 1].map(|end| deviation(all.iter().map(|shares| shares[end])).max(LEAST_UNIT));
        for part in &mut self.parts {
            part.units = units.map(|unit| unit * part.width / part.shape.len().max(1) as f64);
        }
    }

    /// Learns how the partners can answer.
    fn ask_partners(&mut self, lead: usize) {
        let lines = self.crew.number_lines(std::iter::once(lead).chain(self.partners.iter().copied()));
        let width = self.partners.len() * 2;
        let mut matrix = vec![0.0; lines * width];
        for (place, &partner) in self.partners.iter().enumerate() {
            let part = &self.parts[partner];
            for (line, sums) in self.crew.lines_of(partner).zip(&part.sums) {
                let begin = line * width + place * 2;
                matrix[begin..begin + 2].copy_from_slice(&part.changes(*sums));
            }
        }
        self.projection.renew((lines, width), &mut matrix);
        self.wanted.clear();
        self.wanted.resize(lines, 0.0);
    }

    /// Moves the values of a segment between their bounds.
    fn move_values(&mut self, lead: usize, stream: &mut Stream) {
        let Self { crew, parts, listed, partners, projection, wanted, answer, multiples, steps, .. } = self;
        let (part, member) = (&parts[lead], &crew.members[lead]);
        let (size, range) = (part.shape.len(), part.range());
        *steps += (size * ROUNDS.len()) as u64;
        if size < 2 || range <= 0.0 {
            return;
        }
        let domain = (-part.below / range, 1.0 + part.above / range);
        let mut visit = SegmentVisit::new(&listed[lead], multiples, part.shape.clone(), domain);
        let mut answering = StepPartners { parts, partners, projection, wanted, answer };
        let lines: Vec<usize> = crew.lines_of(lead).collect();
        for (begin, count) in ROUNDS.iter().flat_map(|count| (0..size).step_by(*count).map(move |begin| (begin, count)))
        {
            let is_upward = stream.bits() & 1 == 0;
            let places = begin..(begin + count).min(size);
            let before = visit.values[places.clone()].to_vec();
            visit.walk(places.clone(), is_upward, stream);
            answering.wanted.fill(0.0);
            for &(unknown, equation, factor) in member.terms_of(places) {
                let place = unknown as usize;
                answering.wanted[lines[equation as usize]] -=
                    factor * range * (visit.values[place] - before[place - begin]);
            }
            let height = libm::log(stream.open_unit());
            // Mirror images of values on the edge can meet; a segment without a range has no shape.
            let (first, last) = extremes(&visit.values);
            if last <= first || !answering.partners_answer(height) {
                visit.put_back(begin, &before);
            }
        }
        let (first, last) = extremes(&visit.values);
        let part = &mut answering.parts[lead];
        part.below = (first - visit.low).max(0.0) * range;
        part.above = (visit.high - last).max(0.0) * range;
        part.reshape(&visit.values, (first, last), member);
    }

    /// Moves the ends of a segment along a line.
    fn move_ends(&mut self, lead: usize, stream: &mut Stream) {
        self.steps += 1;
        let part = &self.parts[lead];
        let step = [stream.normal(), if part.shape.len() > 1 { stream.normal() } else { 0.0 }];
        self.wanted.fill(0.0);
        for (line, sums) in self.crew.lines_of(lead).zip(&part.sums) {
            let [below, above] = part.changes(*sums);
            self.wanted[line] -= below * step[0] + above * step[1];
        }
        if part.width <= 0.0 || !self.projection.answer(&self.wanted, &mut self.answer) {
            return;
        }
        let mut chord = Chord::LONG;
        let mut stretched = vec![part.along(&step, &mut chord)];
        for (&partner, step) in self.partners.iter().zip(self.answer.chunks(2)) {
            stretched.push(self.parts[partner].along(step, &mut chord));
        }
        if chord.is_open() {
            let length = stretching::draw(chord, &stretched, stream);
            self.parts[lead].step(&step, length);
            move_partners(&mut self.parts, &self.partners, &self.answer, length);
        }
    }

    /// Walks a segment with an equation of its own, and one partner.
    fn circle(&mut self, lead: usize, stream: &mut Stream) {
        let mut pair: Vec<usize> = std::iter::once(lead).chain(self.partners.first().copied()).collect();
        pair.sort_unstable();
        let mut region = Region::default();
        let mut sums: Vec<(u32, Vec<(u32, f64)>)> = Vec::new();
        for &place in &pair {
            let (block, member) = (&self.region.blocks[place], &self.crew.members[place]);
            let offset = stored(region.size());
            for &(unknown, equation, factor) in &member.terms {
                sums.push((member.equations[equation as usize], vec![(offset + unknown, factor)]));
            }
            region.blocks.push(Block { data: self.parts[place].values(block).collect(), ..block.clone() });
        }
        sums.sort_by_key(|(equation, _)| *equation);
        let start = region.start();
        for same in sums.chunk_by(|one, other| one.0 == other.0) {
            let terms: Vec<(u32, f64)> = same.iter().flat_map(|(_, terms)| terms.iter().copied()).collect();
            let sum = LinearRelation { terms, bound: 0.0 };
            region.equations.push(LinearRelation { bound: -sum.slack(&start), ..sum });
        }
        let mut chain = CirclingWalk::new(&region);
        chain.sweep(stream);
        let mut rest = chain.point();
        for &place in &pair {
            let (own, after) = rest.split_at(self.parts[place].shape.len());
            self.parts[place].take(own, &self.region.blocks[place], &self.crew.members[place]);
            rest = after;
        }
    }

    fn range_of(&self, place: usize) -> Range<usize> {
        self.crew.members[place].range.clone()
    }
}

/// The partners of a step, with what is wanted of them.
struct StepPartners<'s> {
    parts: &'s mut [EnsembleSegment],
    partners: &'s [usize],
    projection: &'s mut Projection,
    wanted: &'s mut [f64],
    answer: &'s mut Vec<f64>,
}

impl StepPartners<'_> {
    /// Whether the partners can make good what is wanted, and by their volume do.
    fn partners_answer(&mut self, height: f64) -> bool {
        if !self.projection.answer(self.wanted, self.answer) {
            return false;
        }
        let mut volume = 0.0;
        for (&partner, step) in self.partners.iter().zip(self.answer.chunks(2)) {
            let part = &self.parts[partner];
            let (below, above) = (part.below + step[0] * part.units[0], part.above + step[1] * part.units[1]);
            let range = part.width - below - above;
            if below < 0.0 || above < 0.0 || range <= 0.0 && part.width > 0.0 {
                return false;
            }
            if part.exponent > 0.0 {
                volume += part.exponent * libm::log(range / part.range());
            }
        }
        if volume < height {
            return false;
        }
        move_partners(self.parts, self.partners, self.answer, 1.0);
        true
    }
}

fn move_partners(parts: &mut [EnsembleSegment], partners: &[usize], answer: &[f64], length: f64) {
    for (&partner, step) in partners.iter().zip(answer.chunks(2)) {
        parts[partner].step(step, length);
    }
}

impl EnsembleSegment {
    fn body(&self) -> FlyingSegment {
        // One value has no end above.
        let units = if self.shape.len() > 1 { self.units } else { [self.units[0], 0.0] };
        FlyingSegment { ends: [self.below, self.above], width: self.width, units, exponent: self.exponent }
    }

    /// Moves its ends.
    fn step(&mut self, step: &[f64], length: f64) {
        self.below = (self.below + length * step[0] * self.units[0]).clamp(0.0, self.width);
        self.above = (self.above + length * step[1] * self.units[1]).clamp(0.0, self.width);
    }

    /// Cuts a chord where the domain ends; how its range changes on the way.
    fn along(&self, step: &[f64], chord: &mut Chord) -> StretchedSegment {
        let (below, above) = (step[0] * self.units[0], step[1] * self.units[1]);
        chord.cut(self.below, below);
        chord.cut(self.above, above);
        chord.cut(self.range(), -below - above);
        let range = self.range();
        // One value may use up its range, which is what is left above it.
        let change = if self.shape.len() > 1 && range > 0.0 { -(below + above) / range } else { 0.0 };
        StretchedSegment { change, exponent: self.exponent }
    }
}

/// Whether nothing but equations ties segments, and few enough that other segments can answer a change of one.
fn can_answer(region: &Region, crew: &Crew) -> bool {
    let most = crew.most_equations();
    let others = region.blocks.len().saturating_sub(1);
    region.relations.is_empty() && most <= MOST_EQUATIONS && others * 2 > most
}

/// The standard deviation of some numbers.
fn deviation(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = numbers.clone().count().max(1) as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    (numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt()
}

fn extremes(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
}

impl Chain for Ensemble<'_> {
    fn sweep(&mut self, stream: &mut Stream) {
        for lead in 0..self.parts.len() {
            self.visit(lead, stream);
        }
        self.sweeps = self.sweeps.saturating_add(1);
        if LEARNED_AFTER.contains(&self.sweeps) {
            self.learn_units();
        }
    }

    fn point(&mut self) -> &[f64] {
        for place in 0..self.parts.len() {
            let range = self.range_of(place);
            let values = self.parts[place].values(&self.region.blocks[place]);
            self.point[range].iter_mut().zip(values).for_each(|(point, value)| *point = value);
        }
        &self.point
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// The least slack after any of some sweeps: how near the values came to breaking something.
#[cfg(test)]
pub(in crate::walk) fn every_visit_inside(region: &Region, sweeps: usize, stream: &mut Stream) -> Option<f64> {
    let mut chain = Ensemble::new(region)?;
    let look = |_| {
        chain.sweep(stream);
        region.slack(chain.point())
    };
    Some((0..sweeps).map(look).fold(f64::INFINITY, f64::min))
}
