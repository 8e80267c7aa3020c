//! Draws the levels of a release so that the draw itself keeps a promise: the exponential mechanism.
//!
//! A node is worth its detail times the records that it would keep: those in classes of K records or more, where K = ⌈k / β⌉ is what
//! a class needs to have k records of a sample on average. The detail is the mean of what the levels leave of their ladders, and does
//! not depend on the table. A further record makes no node worth less, and none worth more by more than K: it adds itself, or
//! completes a class of K. So drawing a node with a chance in proportion to exp(ε worth / K) keeps ε: with the record each
//! weight is larger by a factor of e^ε at most, and so is their sum, and none is smaller. (Scores that may fall as well as rise
//! would need half of the exponent.)
//!
//! The draw looks at the whole table and not at the sample. It is independent of it, so the two promises add up.
//!
//! Nothing is rounded: worths are whole numbers, and the weights are never computed. A node is drawn with equal chances and accepted
//! with the chance exp(−x), x the fraction that it is short of the best; such a coin is tossed by whole random numbers alone.
//!
//! Source: `McSherry` & Talwar 2007; monotone scores: Dwork & Roth 2014, section 3.4; the coin: Canonne, Kamath, Steinke 2020. `SafePub`'s score for
//! precision charges withheld records instead, and is as sensitive.

use rayon::prelude::*;

use super::Sampling;
use super::threshold::whole;
use crate::frequency::Table;
use crate::lattice::{Lattice, Node};
use crate::random::Stream;

/// The most nodes among which levels are drawn: each of them is counted.
pub const MOST_NODES: u64 = 100_000;

/// There are too many nodes to draw from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the ladders leave {nodes} combinations of levels to draw from; at most {MOST_NODES} can be counted")]
pub struct TooManyNodes {
    /// How many there are.
    pub nodes: u128,
}

/// The detail of a release as collected.
const WHOLE: u64 = 1 << 20;

/// ε is rounded down to a multiple of one by this.
const PARTS: u64 = 1 << 32;

impl Sampling {
    /// Draws the levels of a release of a table, of which each record stands for a person.
    pub fn draw_levels(&self, table: &Table, stream: &mut Stream) -> Result<Node, TooManyNodes> {
        let lattice = table.lattice();
        if lattice.size() > u128::from(MOST_NODES) {
            return Err(TooManyNodes { nodes: lattice.size() });
        }
        let least = self.least_of_table();
        let nodes = nodes(&lattice);
        let worths: Vec<u128> = nodes.par_iter().map(|node| worth(table, node, least)).collect();
        let place = NodeWeights { worths, least, epsilon: self.epsilon_search }.draw(stream);
        Ok(nodes.into_iter().nth(place).unwrap_or(lattice.top))
    }

    /// What a class of the table needs to have enough records of the sample on average.
    fn least_of_table(&self) -> u64 {
        whole((self.least as f64 / self.chance.share()).ceil()).max(1)
    }
}

fn nodes(lattice: &Lattice) -> Vec<Node> {
    (0..=lattice.height()).flat_map(|steps| lattice.nodes_at(steps)).collect()
}

/// The records that a node keeps, times its detail.
fn worth(table: &Table, node: &Node, least: u64) -> u128 {
    let set = table.roll_up(table.keys(), node).set;
    let kept: u64 = set.sizes.iter().filter(|size| **size >= least).sum();
    u128::from(kept) * u128::from(detail(table, node))
}

/// What the levels leave of their ladders, on average.
fn detail(table: &Table, node: &Node) -> u64 {
    let left = |(level, height): (&u8, u8)| {
        let height = u64::from(height.max(1));
        height.saturating_sub(u64::from(*level)) * WHOLE / height
    };
    let heights = table.variables.iter().map(|variable| variable.hierarchy.height());
    node.0.iter().zip(heights).map(left).sum::<u64>() / (node.0.len() as u64).max(1)
}

/// Worths, of which a further record adds at most `least` times [`WHOLE`] to each.
struct NodeWeights {
    worths: Vec<u128>,
    least: u64,
    epsilon: f64,
}

impl NodeWeights {
    /// Draws a place with a chance in proportion to the exponential of ε times its worth.
    fn draw(&self, stream: &mut Stream) -> usize {
        let best = self.worths.iter().max().copied().unwrap_or(0);
        let epsilon = u128::from(whole(self.epsilon * PARTS as f64));
        let whole = u128::from(PARTS) * u128::from(WHOLE) * u128::from(self.least);
        loop {
            let place = stream.below(self.worths.len());
            let short = best - self.worths.get(place).copied().unwrap_or(best);
            if accepts(epsilon.saturating_mul(short), whole, stream) {
                return place;
            }
        }
    }
}

/// A coin that shows heads with the chance exp(−part / whole).
fn accepts(part: u128, whole: u128, stream: &mut Stream) -> bool {
    let whole = whole.max(1);
    (0..part / whole).all(|_| coin(whole, whole, stream)) && coin(part % whole, whole, stream)
}

/// The same for at most one: how often in a row a number below the part is drawn from ever larger wholes is even with that chance.
fn coin(part: u128, whole: u128, stream: &mut Stream) -> bool {
    let mut run = 1_u128;
    while below(whole * run, stream) < part {
        run += 1;
    }
    run % 2 == 1
}

/// A whole number below the bound, all alike: words that would favour some are drawn again.
fn below(bound: u128, stream: &mut Stream) -> u128 {
    let fair = u128::MAX - u128::MAX % bound.max(1);
    loop {
        let word = u128::from(stream.bits()) << 64 | u128::from(stream.bits());
        if word < fair {
            return word % bound.max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    fn frequencies(weights: &NodeWeights, draws: usize) -> Vec<f64> {
        let mut stream = Seed::from(5).stream(0);
        let mut found = vec![0.0; weights.worths.len()];
        (0..draws).for_each(|_| found[weights.draw(&mut stream)] += 1.0 / draws as f64);
        found
    }

    #[test]
    fn a_coin_shows_heads_as_often_as_it_should() {
        let mut stream = Seed::from(3).stream(0);
        for (part, whole) in [(0, 7), (1, 7), (7, 7), (3, 2), (20, 7)] {
            let heads = (0..40_000).filter(|_| accepts(part, whole, &mut stream)).count() as f64 / 40_000.0;
            let chance = libm::exp(-(part as f64) / whole as f64);
            assert!((heads - chance).abs() < 5.0 * (0.25_f64 / 40_000.0).sqrt(), "{heads} of {chance}");
        }
    }

    #[test]
    fn places_are_drawn_by_their_weights() {
        let unit = u128::from(WHOLE) * 10;
        let weights = NodeWeights { worths: vec![0, unit, 2 * unit, 2 * unit], least: 10, epsilon: 1.0 };
        let found = frequencies(&weights, 40_000);
        let sum = 1.0 + libm::exp(1.0) + 2.0 * libm::exp(2.0);
        for (found, weight) in found.iter().zip([1.0, libm::exp(1.0), libm::exp(2.0), libm::exp(2.0)]) {
            assert!((found - weight / sum).abs() < 0.0125, "{found} of {}", weight / sum);
        }
    }

    #[test]
    fn one_more_record_changes_no_chance_by_more_than_its_bound() {
        // Worst cases of a record that is added: it completes a class for some nodes and not for others.
        let unit = u128::from(WHOLE) * 10;
        let epsilon = 0.7;
        let chances = |worths: &[u128]| {
            let weight = |worth: &u128| libm::exp(epsilon * (*worth as f64) / unit as f64);
            let sum: f64 = worths.iter().map(weight).sum();
            worths.iter().map(weight).map(|weight| weight / sum).collect::<Vec<_>>()
        };
        for (before, after) in
            [([0, unit], [unit, unit]), ([3 * unit, unit], [3 * unit, 2 * unit]), ([unit, unit], [2 * unit, 2 * unit])]
        {
            for (one, other) in chances(&before).iter().zip(chances(&after)) {
                assert!((one / other).ln().abs() <= epsilon + 1e-12, "{before:?} {after:?}");
            }
        }
    }
}
