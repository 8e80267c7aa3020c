//! Single values, and hit-and-run along the slow directions.
//!
//! For regions with properties that do not stay true when a segment is moved or stretched: range and location have no
//! simple law there. A sweep moves each unknown once, with mirror images. Then it goes along a few directions:
//!
//! * for each segment a random mixture of translation and dilation, and a shift of all values from a random one on;
//! * for all segments together the same mixture of translation and dilation.
//!
//! No direction depends on the point, which keeps the uniform law.
//!
//! Source: our own; directions as in hit-and-run.

use std::ops::Range;

use crate::random::Stream;
use crate::walk::region::Region;
use crate::walk::sampler::Chain;
use crate::walk::sampler::coordinate::UnknownMoves;

/// Mirror images in 256 steps.
const MIRRORED: u64 = 128;

/// The walk of a region with properties.
pub(super) struct Modes {
    single: UnknownMoves,
    blocks: Vec<Range<usize>>,
    /// The data of each block, centred.
    shapes: Vec<f64>,
    direction: Vec<f64>,
    movers: Vec<usize>,
    steps: u64,
}

impl Modes {
    pub(super) fn new(region: &Region) -> Self {
        let blocks: Vec<Range<usize>> =
            region.offsets().zip(&region.blocks).map(|(offset, block)| offset..offset + block.data.len()).collect();
        let mut shapes = region.start();
        for block in &blocks {
            let mean = shapes[block.clone()].iter().sum::<f64>() / block.len().max(1) as f64;
            shapes[block.clone()].iter_mut().for_each(|value| *value -= mean);
        }
        let size = region.size();
        Self {
            single: UnknownMoves::new(region),
            blocks,
            shapes,
            direction: vec![0.0; size],
            movers: Vec::with_capacity(size),
            steps: 0,
        }
    }

    /// Moves along a direction that is given for these unknowns.
    fn go(&mut self, range: Range<usize>, stream: &mut Stream) {
        self.steps += 1;
        let slacks = &mut self.single.slacks;
        self.movers.clear();
        self.movers.extend(range);
        let chord = slacks.chord_of(&self.movers, &self.direction);
        let share = stream.unit();
        if chord.is_open() {
            slacks.advance_of(&self.movers, &self.direction, chord.back + (chord.ahead - chord.back) * share);
        }
        self.direction.fill(0.0);
    }

    /// A random mixture of translation and dilation of these unknowns.
    fn stretch(&mut self, range: Range<usize>, stream: &mut Stream) {
        let (shift, stretch) = (stream.normal(), stream.normal());
        for place in range.clone() {
            self.direction[place] = shift + stretch * self.shapes[place];
        }
        self.go(range, stream);
    }

    /// A shift of all unknowns of a block from a random one on.
    fn shift_tail(&mut self, block: Range<usize>, stream: &mut Stream) {
        let tail = block.start + stream.below(block.len())..block.end;
        self.direction[tail.clone()].fill(1.0);
        self.go(tail, stream);
    }
}

impl Chain for Modes {
    fn sweep(&mut self, stream: &mut Stream) {
        let free = self.single.slacks.space.free.len();
        for place in 0..free {
            self.single.step(place, MIRRORED, stream);
        }
        self.steps += free as u64;
        for number in 0..self.blocks.len() {
            let block = self.blocks[number].clone();
            for _ in 0..4 {
                self.stretch(block.clone(), stream);
                self.shift_tail(block.clone(), stream);
            }
        }
        if self.blocks.len() > 1 {
            self.stretch(0..self.direction.len(), stream);
        }
    }

    fn point(&mut self) -> &[f64] {
        self.single.slacks.refresh();
        &self.single.slacks.point
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// The least slack of the bare point after any of some sweeps: how near it came to breaking something.
#[cfg(test)]
pub(in crate::walk) fn every_mode_inside(region: &Region, sweeps: usize, stream: &mut Stream) -> f64 {
    let mut chain = Modes::new(region);
    let look = |_| {
        chain.sweep(stream);
        region.slack(&chain.single.slacks.point)
    };
    (0..sweeps).map(look).fold(f64::INFINITY, f64::min)
}
