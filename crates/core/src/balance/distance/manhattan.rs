//! The Manhattan distance: what both goods are off, added.
//!
//! Source: by definition. Spec: `specs/distance/manhattan.md`.

use super::{Aim, DistanceMember};
use crate::balance::Goods;
use crate::card::{Card, Promise};

pub(super) const MEMBER: DistanceMember = DistanceMember {
    card: Card {
        name: "manhattan",
        summary: "what utility is off the optimum plus what protection is off",
        about: "Both goods count alike whatever α and β say. It chooses as `weighted` does where users and intruders weigh \
                the same.",
        promises: &[Promise::InWords("equally near levels are decided by satisfaction, then by generality")],
        parameters: &[],
        source: "by definition",
    },
    at,
    least: |aim, low, high| aim.least_at_corners(low, high, at),
};

fn at(aim: &Aim, goods: Goods) -> f64 {
    let (utility, protection) = aim.off(goods);
    utility + protection
}
