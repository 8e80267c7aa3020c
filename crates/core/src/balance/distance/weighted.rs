//! The weighted distance: what the goods are off, times what they are worth.
//!
//! Source: Zielinski & Olivier 2010, in the reading that uses all its symbols. Spec: `specs/distance/weighted.md`.

use super::{Aim, DistanceMember};
use crate::balance::Goods;
use crate::card::{Card, Promise};

pub(super) const MEMBER: DistanceMember = DistanceMember {
    card: Card {
        name: "weighted",
        summary: "αq/100 times what utility is off the optimum, plus βr/100 times what protection is off",
        about: "The reading of the published rule that uses all its symbols. With the target `coupled` it picks the level \
                whose entropy is nearest to the optimum. With `paper` and equal points every level between the two optima \
                is equally near, and the greater satisfaction decides.",
        promises: &[Promise::InWords("equally near levels are decided by satisfaction, then by generality")],
        parameters: &[],
        source: "M. Zielinski, M. Olivier, DKE 69(5), 2010, section 5",
    },
    at,
    least: |aim, low, high| aim.least_at_corners(low, high, at),
};

fn at(aim: &Aim, goods: Goods) -> f64 {
    let (utility, protection) = aim.off(goods);
    aim.alpha * utility + aim.beta * protection
}
