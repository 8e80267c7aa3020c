//! The Euclidean distance, squared: what both goods are off, as the crow flies.
//!
//! Squares add up over variables to the square of the distance between two points that hold the goods of all of them.
//!
//! Source: by definition. Spec: `specs/distance/euclidean.md`.

use super::{Aim, DistanceMember};
use crate::balance::Goods;
use crate::card::{Card, Promise};

pub(super) const MEMBER: DistanceMember = DistanceMember {
    card: Card {
        name: "euclidean",
        summary: "the square of what utility is off the optimum plus that of what protection is off",
        about: "Large differences count more than small ones. Over several variables it is the squared distance between \
                the optimum and the node.",
        promises: &[Promise::InWords("equally near levels are decided by satisfaction, then by generality")],
        parameters: &[],
        source: "by definition",
    },
    at,
    least,
};

fn at(aim: &Aim, goods: Goods) -> f64 {
    let (utility, protection) = aim.off(goods);
    utility * utility + protection * protection
}

/// A parabola: least at its vertex, or at the end that is nearest to it.
fn least(aim: &Aim, low: f64, high: f64) -> f64 {
    let Aim { user, intruder, entropy, optimum, .. } = *aim;
    let curvature = user * user + intruder * intruder;
    if curvature <= 0.0 {
        return at(aim, aim.goods(low));
    }
    let vertex = (user * optimum.utility + intruder * (intruder * entropy - optimum.protection)) / curvature;
    at(aim, aim.goods(vertex.clamp(low, high)))
}
