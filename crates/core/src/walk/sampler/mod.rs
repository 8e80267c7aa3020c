//! The family of samplers: how a point moves through its region.
//!
//! A [`Chain`] starts at the data and moves; each stands on the promise that it never leaves the region. Those that say so on
//! their card draw, in the long run, all points of the region alike.

mod coordinate;
mod hit_and_run;
#[cfg(test)]
mod inside;
mod mixing;
mod paper;
mod slacks;

use super::region::Region;
use crate::card::{Card, Promise};
use crate::random::Stream;

/// A walk in progress.
pub trait Chain {
    /// Goes on for one sweep: as many steps as there are unknowns, unless the sampler counts in steps.
    fn sweep(&mut self, stream: &mut Stream);

    /// Where the walk is.
    fn point(&mut self) -> &[f64];

    /// How many steps it has made.
    fn steps(&self) -> u64;
}

/// A member of the family.
pub struct SamplerMember {
    /// How it introduces itself.
    pub card: Card,
    /// The sweeps of a policy that does not say how many; `None` when the walk measures how many it needs.
    pub sweeps: Option<u32>,
    /// Whether it can walk a region with as many equations.
    pub holds: fn(&Region) -> bool,
    /// Puts a walk at the data.
    pub start: for<'a> fn(&'a Region) -> Box<dyn Chain + 'a>,
}

impl SamplerMember {
    /// Whether it visits all points alike in the long run.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.card.keeps(Promise::Uniform)
    }
}

/// The most unknowns of a region with equations, whose reduced form is dense.
const MOST_WITH_EQUATIONS: usize = 2000;

/// Whether a region has no equations, or few unknowns.
fn is_small(region: &Region) -> bool {
    region.equations.is_empty() || region.size() <= MOST_WITH_EQUATIONS
}

/// Every sampler.
pub const ALL: &[SamplerMember] = &[mixing::MEMBER, hit_and_run::MEMBER, coordinate::MEMBER, paper::MEMBER];

/// The sampler of a policy that names none.
pub const DEFAULT: &str = "mixing";

/// The member of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static SamplerMember> {
    ALL.iter().find(|member| member.card.name == name)
}
