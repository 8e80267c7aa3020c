//! The default sampler: mixes within a few sweeps.
//!
//! Where a segment is bounded by localities, order and one domain, [`gibbs`] walks it: single values between short, exact
//! lists of bounds ([`envelope`]), range and location drawn from their law. Where other properties come in, those laws no
//! longer hold, and [`modes`] walks: single values, and hit-and-run along the directions that would be slow. Where equations
//! tie many segments, [`ensemble`] walks them as if they were free, and others answer; whatever else has equations is for
//! [`circling`].
//!
//! Source: our own. Spec: `specs/walk/mixing.md`.

mod bouncing;
mod circling;
mod crew;
mod ensemble;
mod envelope;
mod gibbs;
mod listed;
mod modes;
mod projection;
mod stretching;
#[cfg(test)]
pub(super) use {
    circling::every_circle_inside, ensemble::every_visit_inside, gibbs::every_step_inside, modes::every_mode_inside,
};

use super::{Chain, SamplerMember};
use crate::card::{Card, Promise};
use crate::walk::region::Region;
use circling::CirclingWalk;
use ensemble::Ensemble;
use gibbs::Gibbs;
use modes::Modes;

/// The most factors of the reduced form of equations, which is dense.
const MOST_FACTORS: usize = 4_000_000;

pub(super) const MEMBER: SamplerMember = SamplerMember {
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
    sweeps: None,
    holds,
    start,
};

fn start(region: &Region) -> Box<dyn Chain + '_> {
    if let Some(gibbs) = region.only_block().and_then(|block| Gibbs::new(block, true)) {
        return Box::new(gibbs);
    }
    if region.equations.is_empty() {
        return Box::new(Modes::new(region));
    }
    match Ensemble::new(region) {
        Some(ensemble) => Box::new(ensemble),
        None => Box::new(CirclingWalk::new(region)),
    }
}

/// Whether the equations of a region are few enough, or of the kind that segments answer each other.
fn holds(region: &Region) -> bool {
    region.equations.len().saturating_mul(region.size()) <= MOST_FACTORS || Ensemble::holds(region)
}
