//! How levels are compared: by a few whole numbers, one after the other, the smaller the better.
//!
//! 1. the distance from the optimum (0 where the greatest satisfaction is sought),
//! 2. the exponents of the goods that vanish,
//! 3. what the other goods lack of the satisfaction that the variable could give,
//! 4. how far the level is from the more general end of the ladder.
//!
//! The score of a node is the sum of those of its levels, part by part. Numbers are rounded once, to a fixed point, so
//! that ties are ties whatever the order of additions: distances to 2⁻³⁰ of the largest that the variables together can
//! have, exponents to 2⁻²⁶, logarithms to 2⁻²⁸. For searches the four parts are packed into one number.

use std::ops::Add;

/// How good a level or a node is; smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Score {
    pub(super) distance: u64,
    pub(super) vanishing: u64,
    pub(super) shortfall: u64,
    pub(super) generality: u64,
}

const DISTANCE: f64 = (1_u64 << 30) as f64;
const VANISHING: f64 = (1_u64 << 26) as f64;
const SHORTFALL: f64 = (1_u64 << 28) as f64;

/// Bits of each part in a packed score.
const BITS: [u32; 4] = [36, 28, 37, 27];

/// No logarithm counts more than this: a good that is smaller than e⁻⁵⁰⁰ has vanished for all we can compute.
pub(super) const MOST_NATS: f64 = 500.0;

/// The parts of a score as numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScoreParts {
    /// As a share of the largest that all variables together can have.
    pub(super) distance: f64,
    /// As a share of all exponents.
    pub(super) vanishing: f64,
    /// In nats, per unit of all exponents.
    pub(super) shortfall: f64,
    pub(super) generality: u8,
}

impl ScoreParts {
    /// Rounded to the fixed point.
    pub(super) fn score(self) -> Score {
        Score {
            distance: fixed(self.distance.min(1.0), DISTANCE),
            vanishing: fixed(self.vanishing, VANISHING),
            shortfall: fixed(self.shortfall.min(MOST_NATS), SHORTFALL),
            generality: u64::from(self.generality),
        }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // not negative, and small
fn fixed(number: f64, one: f64) -> u64 {
    (number.max(0.0) * one).round() as u64
}

impl Score {
    /// The same, less one unit of each part that is computed: no rounding error makes it more than a score of which the
    /// parts are bounds.
    pub(super) fn below(self) -> Self {
        let [distance, vanishing, shortfall] =
            [self.distance, self.vanishing, self.shortfall].map(|part| part.saturating_sub(1));
        Self { distance, vanishing, shortfall, ..self }
    }

    /// One number that compares as the score does; sums of packed scores are packed sums.
    #[must_use]
    pub fn packed(self) -> u128 {
        let parts = [self.distance, self.vanishing, self.shortfall, self.generality];
        parts.into_iter().zip(BITS).fold(0, |packed, (part, bits)| (packed << bits) + u128::from(part))
    }

    /// How many packed units make a distance of all that is possible.
    pub(super) fn units_per_one() -> f64 {
        2_f64.powi(i32::try_from(BITS[1] + BITS[2] + BITS[3]).unwrap_or(0)) * DISTANCE
    }
}

impl Add for Score {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            distance: self.distance + other.distance,
            vanishing: self.vanishing + other.vanishing,
            shortfall: self.shortfall + other.shortfall,
            generality: self.generality + other.generality,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_order_and_sums() {
        let score = |parts: [u64; 4]| {
            let [distance, vanishing, shortfall, generality] = parts;
            Score { distance, vanishing, shortfall, generality }
        };
        let scores = [[0, 0, 0, 3], [0, 0, 7, 0], [0, 5, 0, 9], [0, 5, 1, 0], [2, 0, 0, 0]].map(score);
        assert!(scores.windows(2).all(|pair| pair[0] < pair[1] && pair[0].packed() < pair[1].packed()));
        for (one, other) in scores.iter().zip(scores.iter().rev()) {
            assert_eq!((*one + *other).packed(), one.packed() + other.packed());
        }
        assert_eq!(BITS.iter().sum::<u32>(), u128::BITS);
    }

    #[test]
    fn parts_stay_in_their_bits_for_half_a_million_variables() {
        let most =
            ScoreParts { distance: f64::INFINITY, vanishing: 1.0, shortfall: f64::INFINITY, generality: 255 }.score();
        // Distances are shares of a sum, exponents and logarithms are weighted by shares: only generality adds up.
        assert!(most.distance < 1 << BITS[0] && most.vanishing < 1 << BITS[1] && most.shortfall < 1 << BITS[2]);
        assert!(most.generality * (1 << 19) < 1 << BITS[3]);
    }
}
