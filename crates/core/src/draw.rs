//! Draws from a stream that is handed in: the only randomness of this crate.
//!
//! A [`Seed`] comes from outside, either a number that somebody wrote down or bytes of the system's generator, and gives as
//! many independent [`Stream`]s as are asked for. A stream belongs to a column, a segment or a start, never to a thread, so
//! the result does not depend on how work is shared. The stream is `ChaCha8`, whose output is specified; the steps from its
//! words to numbers are written out here, so that a new version of a library cannot change a release.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Where all draws of a run start. It can undo what the draws hide, so it is shown to nobody.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// From bytes of a generator that nobody can foresee.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// From a number, for runs that are to be repeated: whoever knows it can repeat the draws.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        let mut key = [0; 32];
        key.iter_mut().zip(number.to_le_bytes()).for_each(|(place, byte)| *place = byte);
        Self(key)
    }

    /// The stream of this number; streams of different numbers do not meet.
    #[must_use]
    pub fn stream(self, number: u64) -> Stream {
        let mut generator = ChaCha8Rng::from_seed(self.0);
        generator.set_stream(number);
        Stream(generator)
    }
}

impl std::fmt::Debug for Seed {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Seed(…)")
    }
}

/// A stream of draws.
#[derive(Debug, Clone)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// A number of `[0, 1[`, a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.0.next_u64() >> 11) as f64 * STEP
    }

    /// A number between two bounds.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number below the bound, all alike to within 1 in 2⁶⁴ / bound; 0 when the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let scaled = u128::from(self.0.next_u64()) * bound as u128;
        usize::try_from(scaled >> 64).unwrap_or(0)
    }

    /// A draw of the standard normal distribution (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// So many different whole numbers below the bound, in random order; all of them where there are no more.
    pub fn choose(&mut self, count: usize, bound: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..bound).collect();
        for place in 0..count.min(bound) {
            let other = place + self.below(bound - place);
            places.swap(place, other);
        }
        places.truncate(count);
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draws = |seed: u64, stream: u64| {
            let mut stream = Seed::from_number(seed).stream(stream);
            (0..4).map(|_| stream.below(1_000_000)).collect::<Vec<_>>()
        };
        assert_eq!(draws(1, 0), draws(1, 0));
        assert_ne!(draws(1, 0), draws(1, 1));
        assert_ne!(draws(1, 0), draws(2, 0));
    }

    #[test]
    fn draws_have_the_moments_of_their_laws() {
        let mut stream = Seed::from_number(7).stream(0);
        let count = 100_000;
        let (mut sum, mut squares, mut units) = (0.0, 0.0, 0.0);
        for _ in 0..count {
            let normal = stream.normal();
            sum += normal;
            squares += normal * normal;
            units += stream.unit();
        }
        let count = f64::from(count);
        // Four standard errors.
        assert!((sum / count).abs() < 0.013 && (squares / count - 1.0).abs() < 0.018, "{sum} {squares}");
        assert!((units / count - 0.5).abs() < 0.004);
    }

    #[test]
    fn chosen_numbers_differ() {
        let mut chosen = Seed::from_number(3).stream(0).choose(5, 6);
        chosen.sort_unstable();
        chosen.dedup();
        assert_eq!(chosen.len(), 5);
        assert_eq!(Seed::from_number(3).stream(0).choose(9, 2).len(), 2);
    }

    #[test]
    fn a_seed_is_not_shown() {
        assert_eq!(format!("{:?}", Seed::from_number(5)), "Seed(…)");
    }
}
