//! The satisfaction gap: how much less, or more, a variable satisfies than its optimum would.
//!
//! Source: Zielinski & Olivier 2010, in the reading that compares levels of satisfaction.
//! Spec: `specs/distance/satisfaction-gap.md`.

use super::{Aim, DistanceMember};
use crate::balance::Goods;
use crate::card::{Card, Promise};

pub(super) const MEMBER: DistanceMember = DistanceMember {
    card: Card {
        name: "satisfaction-gap",
        summary: "the difference between the satisfaction of the optimum and that of the level",
        about: "Another reading of the published rule. For one variable, and with the target `coupled`, it is the same as \
                the greatest satisfaction. With `paper` an optimum out of reach can make it prefer a level that is \
                further away but as unsatisfactory as the optimum; use it to compare readings.",
        promises: &[Promise::InWords("equally near levels are decided by satisfaction, then by generality")],
        parameters: &[],
        source: "M. Zielinski, M. Olivier, DKE 69(5), 2010, section 5",
    },
    at,
    least,
};

fn satisfaction(aim: &Aim, goods: Goods) -> f64 {
    goods.utility.powf(aim.alpha) * goods.protection.powf(aim.beta)
}

fn at(aim: &Aim, goods: Goods) -> f64 {
    (satisfaction(aim, aim.optimum) - satisfaction(aim, goods)).abs()
}

/// The satisfaction rises to one peak and falls: between two entropies it takes all values from the lower end to the
/// peak, and the gap is 0 if the wanted value is among them.
fn least(aim: &Aim, low: f64, high: f64) -> f64 {
    let exponents = aim.alpha + aim.beta;
    let peak = if exponents > 0.0 { aim.entropy * aim.alpha / exponents } else { low };
    let wanted = satisfaction(aim, aim.optimum);
    let [one, other, top] = [low, high, peak.clamp(low, high)].map(|shown| satisfaction(aim, aim.goods(shown)));
    (wanted - top).max(one.min(other) - wanted).max(0.0)
}
