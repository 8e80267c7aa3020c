//! Coordinate hit-and-run: one unknown at a time, anywhere between its bounds.
//!
//! The chord along one unknown touches only the relations in which it stands, so a step is far cheaper than one in a random
//! direction, and a needle that does not lie along an axis is as slow to follow. Unknowns are chosen at random.
//!
//! Where equations hold, a free unknown moves and the others follow.
//!
//! Source: Smith 1984; Berbee et al. 1987 for the choice of directions. Spec: `specs/walk/coordinate.md`.

use super::slacks::Slacks;
use super::{Chain, SamplerMember, is_small};
use crate::card::{Card, Promise};
use crate::random::Stream;
use crate::walk::region::Region;

pub(super) const MEMBER: SamplerMember = SamplerMember {
    card: Card {
        name: "coordinate",
        summary: "one value at a time, anywhere between its bounds",
        about: "Draws all points alike in the long run, with cheap steps; translation and dilation of a whole segment, \
                which no single value can make, take many of them. For comparison.",
        promises: &[Promise::StaysInRegion, Promise::Uniform],
        parameters: &[],
        source: "H. C. P. Berbee et al., Hit-and-run algorithms for the identification of nonredundant linear \
                 inequalities, Mathematical Programming 37, 1987",
    },
    sweeps: None,
    holds: is_small,
    start,
};

fn start(region: &Region) -> Box<dyn Chain + '_> {
    Box::new(Coordinate { single: UnknownMoves::new(region), steps: 0 })
}

struct Coordinate {
    single: UnknownMoves,
    steps: u64,
}

impl Chain for Coordinate {
    fn sweep(&mut self, stream: &mut Stream) {
        let free = self.single.slacks.space.free.len();
        for _ in 0..free {
            let chosen = stream.below(free);
            self.single.step(chosen, 0, stream);
        }
        self.steps += free as u64;
    }

    fn point(&mut self) -> &[f64] {
        self.single.slacks.refresh();
        &self.single.slacks.point
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// Moves of one free unknown, with those that equations make follow it.
pub(super) struct UnknownMoves {
    pub slacks: Slacks,
    direction: Vec<f64>,
    /// For each free unknown, by its place among the free ones, the unknowns that move with it, with how far.
    followers: Vec<Vec<(usize, f64)>>,
    movers: Vec<usize>,
}

impl UnknownMoves {
    pub(super) fn new(region: &Region) -> Self {
        let slacks = Slacks::new(region);
        let mut places = vec![None; region.size()];
        slacks.space.free.iter().enumerate().for_each(|(place, &unknown)| places[unknown] = Some(place));
        let mut followers = vec![Vec::new(); slacks.space.free.len()];
        for (pivot, sum) in &slacks.space.pivots {
            for &(unknown, factor) in sum {
                if let Some(place) = places[unknown] {
                    followers[place].push((*pivot, factor));
                }
            }
        }
        Self { slacks, direction: vec![0.0; region.size()], followers, movers: Vec::new() }
    }

    /// Moves the free unknown of this place. In `mirrored` of 256 steps it goes to the mirror image of where it is, otherwise
    /// anywhere between its bounds.
    pub(super) fn step(&mut self, place: usize, mirrored: u64, stream: &mut Stream) {
        let unknown = self.slacks.space.free[place];
        let bits = stream.bits();
        let is_single = self.followers[place].is_empty();
        let chord = if is_single { self.slacks.chord_at(unknown) } else { self.chord_with_followers(place, unknown) };
        if !chord.is_open() {
            return;
        }
        let length = chord.point(bits, mirrored);
        if is_single {
            self.slacks.advance_at(unknown, length);
        } else {
            self.slacks.advance_of(&self.movers, &self.direction, length);
        }
    }

    fn chord_with_followers(&mut self, place: usize, unknown: usize) -> super::slacks::Chord {
        self.movers.iter().for_each(|mover| self.direction[*mover] = 0.0);
        self.movers.clear();
        self.movers.push(unknown);
        self.direction[unknown] = 1.0;
        for &(follower, factor) in &self.followers[place] {
            self.movers.push(follower);
            self.direction[follower] = factor;
        }
        self.slacks.chord_of(&self.movers, &self.direction)
    }
}
