//! Draws of whole numbers from a seeded stream.
//!
//! The stream is `ChaCha8`, whose output is specified. How its words become a number in a range is written out here: a new
//! version of a library cannot change the example table.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A seeded stream of draws.
pub(super) struct Draw(ChaCha8Rng);

impl Draw {
    /// The stream whose key is this number, least byte first, and zeros.
    pub(super) fn seeded(seed: u64) -> Self {
        let mut key = [0; 32];
        key.iter_mut().zip(seed.to_le_bytes()).for_each(|(place, byte)| *place = byte);
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number below the bound, all alike (to within 1 in 2³² / bound); 0 when the bound is 0.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        let scaled = u64::from(self.0.next_u32()) * u64::from(bound);
        u32::try_from(scaled >> 32).unwrap_or(0)
    }

    /// A number of the range, both ends included.
    pub(super) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// A number below the bound, small ones more often: the smaller of two draws.
    pub(super) fn mostly_low(&mut self, bound: u32) -> u32 {
        self.below(bound).min(self.below(bound))
    }

    /// True in so many of a thousand draws.
    pub(super) fn happens(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille
    }

    /// One of the choices, all alike.
    pub(super) fn any<T: Copy + Default>(&mut self, choices: &[T]) -> T {
        self.by_weight(choices, |_| 1)
    }

    /// One of the choices, each as often as its weight says.
    pub(super) fn weighted<T: Copy + Default>(&mut self, choices: &[(u32, T)]) -> T {
        self.by_weight(choices, |(weight, _)| *weight).1
    }

    /// One of the choices, each as often as the weight given to it; the default when no choice has weight.
    pub(super) fn by_weight<T: Copy + Default>(&mut self, choices: &[T], weight: impl Fn(&T) -> u32) -> T {
        let mut left = self.below(choices.iter().map(&weight).sum());
        for choice in choices {
            let own = weight(choice);
            if left < own {
                return *choice;
            }
            left -= own;
        }
        T::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected numbers: the first words of `ChaCha8` for key 1, computed by another implementation, times 1000, over 2³².
    #[test]
    fn the_stream_is_fixed() {
        let mut draw = Draw::seeded(1);
        let first: Vec<u32> = (0..6).map(|_| draw.below(1000)).collect();
        assert_eq!(first, [628, 381, 929, 294, 397, 798]);
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut draw = Draw::seeded(2);
        for _ in 0..1000 {
            assert!(draw.below(7) < 7);
            assert!((3..=5).contains(&draw.between(3, 5)));
            assert!(draw.mostly_low(4) < 4);
        }
        assert_eq!(draw.below(0), 0);
        assert_eq!(draw.between(9, 9), 9);
    }

    #[test]
    fn weights_are_kept() {
        let mut draw = Draw::seeded(3);
        let drawn: Vec<u32> = (0..4000).map(|_| draw.weighted(&[(3, 10), (0, 20), (1, 30)])).collect();
        let tens = drawn.iter().filter(|d| **d == 10).count();
        assert!((2850..3150).contains(&tens), "{tens}");
        assert!(!drawn.contains(&20));
        assert_eq!(draw.weighted(&[(0, 5)]), 0);
    }
}
