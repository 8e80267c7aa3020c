//! The random walk as published: ahead in a random direction, never back.
//!
//! A direction is drawn from the sphere, and the walk goes a random share of the way to the boundary ahead. This is kept to
//! the letter for comparison. It does not draw points alike: on an interval its law is the arcsine law, in more dimensions it
//! crowds at the boundary, because the density of a step depends on the way ahead, which is not the same from both ends.
//!
//! How far it gets depends on the settings. With partitions of 100 and 4,000 steps, as in the paper's figures on costs and
//! clusters, it hardly moves: the region is a needle, along which few directions of the sphere lead, and whole numbers with
//! many ties come out as they went in. With partitions of 20 and 40,000 steps, as in the paper's figure on averages, it
//! moves, and the more so the fewer localities are kept. `benches/REPRODUCE_WALK.md` has the numbers of both.
//!
//! Source: Xue et al. 2011. Spec: `specs/walk/paper.md`.

use super::slacks::Slacks;
use super::{Chain, SamplerMember, is_small};
use crate::card::{Card, Promise};
use crate::random::Stream;
use crate::walk::region::Region;

pub(super) const MEMBER: SamplerMember = SamplerMember {
    card: Card {
        name: "paper",
        summary: "the published random walk, one-sided; for comparison: it needs small segments and many steps",
        about: "Kept to the letter. It does not draw all points alike. How far it gets depends on the settings: with all \
                localities of segments of 100 values, 4,000 steps move a value by about 0.0001 of the range, and most whole \
                numbers come out as they went in; with segments of 20 and 40,000 steps it moves, and theta matters. What it \
                leaves as it was is found and reported, and is not anonymous. Sweeps are steps; 4,000 if the policy does not say.",
        promises: &[Promise::StaysInRegion],
        parameters: &[],
        source: "M. Xue, P. Karras, C. Raïssi, H. K. Pung, Utility-driven anonymization in data publishing, CIKM 2011",
    },
    sweeps: Some(4000),
    holds: is_small,
    start,
};

fn start(region: &Region) -> Box<dyn Chain + '_> {
    Box::new(SphereWalk::new(region, StepReach::Ahead, 1))
}

/// Where on a chord a step ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StepReach {
    /// Ahead of where it begins.
    Ahead,
    /// Anywhere.
    Both,
}

/// A walk along directions of the sphere.
pub(super) struct SphereWalk {
    slacks: Slacks,
    reach: StepReach,
    /// Steps of a sweep.
    sweep: usize,
    direction: Vec<f64>,
    steps: u64,
}

impl SphereWalk {
    pub(super) fn new(region: &Region, reach: StepReach, sweep: usize) -> Self {
        Self { slacks: Slacks::new(region), reach, sweep, direction: vec![0.0; region.size()], steps: 0 }
    }

    fn step(&mut self, stream: &mut Stream) {
        self.steps += 1;
        draw_direction(&self.slacks, &mut self.direction, stream);
        let chord = self.slacks.chord(&self.direction);
        let back = if self.reach == StepReach::Both { chord.back } else { 0.0 };
        let length = back + stream.unit() * (chord.ahead - back);
        if chord.ahead > back && length.is_finite() {
            self.slacks.advance(&self.direction, length);
        }
    }
}

#[cfg(test)]
impl SphereWalk {
    /// Makes a step and shows the point as it is, before anything is computed afresh.
    pub(super) fn step_bare(&mut self, stream: &mut Stream) -> &[f64] {
        self.step(stream);
        &self.slacks.point
    }
}

/// A direction of the sphere; where equations hold, the free unknowns draw it and the others follow.
pub(super) fn draw_direction(slacks: &Slacks, direction: &mut [f64], stream: &mut Stream) {
    for &unknown in &slacks.space.free {
        direction[unknown] = stream.normal();
    }
    slacks.space.complete(direction);
    let norm = direction.iter().map(|step| step * step).sum::<f64>().sqrt();
    if norm > 0.0 {
        for step in direction {
            *step /= norm;
        }
    }
}

impl Chain for SphereWalk {
    fn sweep(&mut self, stream: &mut Stream) {
        for _ in 0..self.sweep {
            self.step(stream);
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
