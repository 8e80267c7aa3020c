//! Randomness that is handed in: a seed, and streams that come from it.
//!
//! Every piece of work that draws lots (a segment of a column, say) has a stream of its own, which depends on the seed and
//! on the place of the work and on nothing else. The result is therefore the same at any number of threads.
//!
//! The stream is `ChaCha8`, whose output is specified; the steps from its words to numbers are written out here, and
//! logarithms come from one portable library, so neither a new version of a dependency nor another machine changes a
//! result. A seed of 256 random bits from the operating system cannot be guessed; one made of a small number can, and is for
//! work that is to be repeated by others.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// Where all draws of a piece of work come from.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed(pub [u8; 32]);

impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes.iter_mut().zip(number.to_le_bytes()).for_each(|(place, byte)| *place = byte);
        Self(bytes)
    }
}

impl std::fmt::Debug for Seed {
    /// Says nothing: whoever knows the seed can undo what was drawn from it.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Seed(…)")
    }
}

impl Seed {
    /// The stream of a place.
    #[must_use]
    pub fn stream(self, place: u64) -> Stream {
        let mut generator = ChaCha8Rng::from_seed(self.0);
        generator.set_stream(place);
        Stream { generator, spare: None }
    }
}

/// A stream of draws.
#[derive(Debug, Clone)]
pub struct Stream {
    generator: ChaCha8Rng,
    /// The second of a pair of normal draws.
    spare: Option<f64>,
}

/// 2⁻⁵³, the step between the numbers that [`Stream::unit`] draws.
const STEP: f64 = 1.0 / (1_u64 << 53) as f64;

impl Stream {
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A number in [0, 1[, all alike.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * STEP
    }

    /// A number in ]0, 1[, all alike.
    #[inline]
    pub fn open_unit(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) * STEP
    }

    /// A whole number below the bound, all alike; 0 when the bound is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        let scaled = u128::from(self.bits()) * (bound as u128);
        usize::try_from(scaled >> 64).unwrap_or(0)
    }

    /// A number of the standard normal law (Marsaglia's polar method).
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (self.unit() * 2.0 - 1.0, self.unit() * 2.0 - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                let factor = (-2.0 * libm::log(square) / square).sqrt();
                self.spare = Some(y * factor);
                return x * factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_depend_on_seed_and_place_alone() {
        let draws = |seed: u64, place: u64| -> Vec<u64> {
            let mut stream = Seed::from(seed).stream(place);
            (0..4).map(|_| stream.bits()).collect()
        };
        assert_eq!(draws(1, 2), draws(1, 2));
        assert_ne!(draws(1, 2), draws(1, 3));
        assert_ne!(draws(1, 2), draws(2, 2));
    }

    #[test]
    fn draws_have_the_moments_of_their_laws() {
        let mut stream = Seed::from(7).stream(0);
        let count = 100_000;
        let moments = |draws: Vec<f64>| {
            let mean = draws.iter().sum::<f64>() / f64::from(count);
            (mean, draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / f64::from(count))
        };
        // Five standard errors each.
        let (mean, variance) = moments((0..count).map(|_| stream.unit()).collect());
        assert!((mean - 0.5).abs() < 0.0046 && (variance - 1.0 / 12.0).abs() < 0.0012, "{mean} {variance}");
        let (mean, variance) = moments((0..count).map(|_| stream.normal()).collect());
        assert!(mean.abs() < 0.016 && (variance - 1.0).abs() < 0.023, "{mean} {variance}");
        let (mean, variance) = moments((0..count).map(|_| stream.below(7) as f64).collect());
        assert!((mean - 3.0).abs() < 0.032 && (variance - 4.0).abs() < 0.06, "{mean} {variance}");
        assert_eq!(stream.below(0), 0);
    }

    #[test]
    fn a_seed_does_not_show_itself() {
        assert_eq!(format!("{:?}", Seed::from(12345)), "Seed(…)");
    }
}
