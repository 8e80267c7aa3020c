//! Regions with equations of any kind: circuits of values, and segments that move and stretch together.
//!
//! A sweep goes along one circuit from each unknown, with mirror images: values anywhere in the region give and take what
//! the equations want back. That leaves what is slow for single values: where segments are, and how far they
//! reach. Each segment in turn is therefore moved and stretched, others answer ([`Crew`]), and where on the line the step ends
//! is drawn from its density ([`stretching`]).
//!
//! Source: our own.

use super::crew::Crew;
use super::projection::Projection;
use super::stretching::{self, StretchedSegment};
use crate::random::Stream;
use crate::walk::circuit::{CircuitMove, Circuits};
use crate::walk::region::Region;
use crate::walk::sampler::Chain;
use crate::walk::sampler::slacks::Slacks;

/// Mirror images in 256 steps.
const MIRRORED: u64 = 128;

/// Lines along which each segment goes in a sweep.
const LINES: usize = 4;

/// What of a direction counts as nothing.
const NOTHING: f64 = 1e-9;

/// The walk of a region with equations.
pub(super) struct CirclingWalk {
    slacks: Slacks,
    circuits: Circuits,
    crew: Crew,
    projection: Projection,
    direction: Vec<f64>,
    movers: Vec<usize>,
    moves: Vec<CircuitMove>,
    partners: Vec<usize>,
    steps: u64,
}

/// A segment as it stands: where its middle is, how far it reaches, and between them its shape.
struct SegmentStand {
    mean: f64,
    deviation: f64,
}

impl CirclingWalk {
    pub(super) fn new(region: &Region) -> Self {
        Self {
            slacks: Slacks::new(region),
            circuits: Circuits::new(region.size(), &region.equations),
            crew: Crew::new(region),
            projection: Projection::default(),
            direction: vec![0.0; region.size()],
            movers: Vec::new(),
            moves: Vec::new(),
            partners: Vec::new(),
            steps: 0,
        }
    }

    /// Goes along a circuit from an unknown.
    fn circle(&mut self, unknown: usize, stream: &mut Stream) {
        self.circuits.draw(unknown, &mut self.moves, stream);
        self.movers.clear();
        for &(mover, step) in &self.moves {
            self.direction[mover] = step;
            self.movers.push(mover);
        }
        let bits = stream.bits();
        let chord = self.slacks.chord_of(&self.movers, &self.direction);
        if chord.is_open() {
            self.slacks.advance_of(&self.movers, &self.direction, chord.point(bits, MIRRORED));
        }
        self.movers.iter().for_each(|mover| self.direction[*mover] = 0.0);
        self.steps += 1;
    }

    fn stand(&self, segment: usize) -> SegmentStand {
        let values = &self.slacks.point[self.crew.members[segment].range.clone()];
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        SegmentStand {
            mean,
            deviation: (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt(),
        }
    }

    /// Moves and stretches a segment, and others so that the equations hold.
    fn stretch(&mut self, lead: usize, stream: &mut Stream) {
        self.steps += 1;
        self.crew.draw(lead, &mut self.partners, stream);
        let crew: Vec<usize> = std::iter::once(lead).chain(self.partners.iter().copied()).collect();
        let stands: Vec<SegmentStand> = crew.iter().map(|segment| self.stand(*segment)).collect();
        let Some(line) = self.line(&crew, &stands, stream) else { return };
        self.movers.clear();
        let mut stretched = Vec::with_capacity(crew.len());
        for ((segment, stand), step) in crew.iter().zip(&stands).zip(line.chunks(2)) {
            let range = self.crew.members[*segment].range.clone();
            let reach = if stand.deviation > 0.0 { step[1] / stand.deviation } else { 0.0 };
            for mover in range.clone() {
                self.direction[mover] = step[0] + reach * (self.slacks.point[mover] - stand.mean);
            }
            // Two values have a range and no more; one has not even that.
            stretched.push(StretchedSegment { change: reach, exponent: range.len().saturating_sub(2) as f64 });
            self.movers.extend(range);
        }
        let chord = self.slacks.chord_of(&self.movers, &self.direction);
        if chord.is_open() {
            let length = stretching::draw(chord, &stretched, stream);
            self.slacks.advance_of(&self.movers, &self.direction, length);
        }
        self.movers.iter().for_each(|mover| self.direction[*mover] = 0.0);
    }

    /// A line of the coordinates of some segments, mean and deviation each, that keeps the equations.
    fn line(&mut self, crew: &[usize], stands: &[SegmentStand], stream: &mut Stream) -> Option<Vec<f64>> {
        let width = crew.len() * 2;
        let lines = self.crew.number_lines(crew.iter().copied());
        let mut matrix = vec![0.0; lines * width];
        for (place, (&segment, stand)) in crew.iter().zip(stands).enumerate() {
            let member = &self.crew.members[segment];
            let line_of: Vec<usize> = self.crew.lines_of(segment).collect();
            for &(unknown, equation, factor) in &member.terms {
                let begin = line_of[equation as usize] * width + place * 2;
                let from_mean = self.slacks.point[member.range.start + unknown as usize] - stand.mean;
                matrix[begin] += factor;
                matrix[begin + 1] += if stand.deviation > 0.0 { factor * from_mean / stand.deviation } else { 0.0 };
            }
        }
        self.projection.renew((lines, width), &mut matrix);
        let mut line = vec![0.0; width];
        line[0] = stream.normal();
        let reach = stream.normal();
        line[1] = if stands.first()?.deviation > 0.0 { reach } else { 0.0 };
        self.projection.project(&mut line);
        line.iter().any(|step| step.abs() > NOTHING).then_some(line)
    }
}

impl Chain for CirclingWalk {
    fn sweep(&mut self, stream: &mut Stream) {
        self.circuits.renew(stream);
        for unknown in 0..self.direction.len() {
            self.circle(unknown, stream);
        }
        for _ in 0..LINES {
            for segment in 0..self.crew.members.len() {
                self.stretch(segment, stream);
            }
        }
    }

    fn point(&mut self) -> &[f64] {
        self.slacks.refresh();
        &self.slacks.point
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// The least slack of the bare point after any of some sweeps: how near it came to breaking something.
#[cfg(test)]
pub(in crate::walk) fn every_circle_inside(region: &Region, sweeps: usize, stream: &mut Stream) -> f64 {
    let mut chain = CirclingWalk::new(region);
    let look = |_| {
        chain.sweep(stream);
        region.slack(&chain.slacks.point)
    };
    (0..sweeps).map(look).fold(f64::INFINITY, f64::min)
}
