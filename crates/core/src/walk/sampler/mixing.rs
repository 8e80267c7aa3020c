//! The default sampler: mixes within a few sweeps.
//!
//! Where a segment is bounded by localities, order and one domain, [`gibbs`] walks it: single values between short, exact
//! lists of bounds ([`envelope`]), range and location drawn from their law. Where properties or equations come in, those
//! laws no longer hold, and [`modes`] walks: single values, and hit-and-run along the directions that would be slow.
//!
//! Source: our own. Spec: `specs/walk/mixing.md`.

mod envelope;
mod gibbs;
mod modes;
#[cfg(test)]
pub(super) use {gibbs::every_step_inside, modes::every_mode_inside};

use super::{Chain, Member};
use crate::card::{Card, Promise};
use crate::walk::region::Region;
use gibbs::Gibbs;
use modes::Modes;

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "mixing",
        summary: "single values between exact bounds; range and location of the segment drawn from their law",
        about: "Draws all points alike, and gets there within tens of sweeps where the published walk does not get there at \
                all. It measures how long it must go on: ten times the autocorrelation time, 64 to 2,000 sweeps.",
        promises: &[Promise::StaysInRegion, Promise::Uniform],
        parameters: &[],
        source: "this project; over-relaxation after R. M. Neal, Suppressing random walks in Markov chain Monte Carlo using \
                 ordered overrelaxation, 1998",
    },
    uniform: true,
    sweeps: None,
    start,
};

fn start(region: &Region) -> Box<dyn Chain + '_> {
    match region.only_block().and_then(|block| Gibbs::new(block, true)) {
        Some(gibbs) => Box::new(gibbs),
        None => Box::new(Modes::new(region)),
    }
}
