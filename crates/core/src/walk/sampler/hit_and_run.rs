//! Hit-and-run: anywhere on the chord of a random direction.
//!
//! A direction is drawn from the sphere, and the next point from the whole chord through the present one. The step is as
//! likely one way as the other, so in the long run all points are alike.
//!
//! Limit: the run is long. The region of a segment is a needle along translation and dilation, and a direction of the sphere
//! seldom points along it.
//!
//! Source: Smith 1984. Spec: `specs/walk/hit-and-run.md`.

use super::paper::{SphereWalk, StepReach};
use super::{Chain, SamplerMember, is_small};
use crate::card::{Card, Promise};
use crate::walk::region::Region;

pub(super) const MEMBER: SamplerMember = SamplerMember {
    card: Card {
        name: "hit-and-run",
        summary: "a random point of the chord along a random direction",
        about: "Draws all points alike in the long run, which is long for the needle-shaped region of a segment. For \
                comparison, and for regions of few unknowns.",
        promises: &[Promise::StaysInRegion, Promise::Uniform],
        parameters: &[],
        source: "R. L. Smith, Efficient Monte Carlo procedures for generating points uniformly distributed over bounded \
                 regions, Operations Research 32(6), 1984",
    },
    sweeps: None,
    holds: is_small,
    start,
};

fn start(region: &Region) -> Box<dyn Chain + '_> {
    Box::new(SphereWalk::new(region, StepReach::Both, region.size()))
}
