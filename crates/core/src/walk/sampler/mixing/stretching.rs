//! Where on a line of moved and stretched segments a step ends.
//!
//! Write the values of a segment as `a + b × shape`. In these coordinates the volume of n values is `b^(n-2)` for each unit
//! of a, b and shape. With the shapes held fixed, a point that is uniform among those that keep some equations has
//! therefore, along any line of the coordinates a and b, the density `∏ b^(n-2)` over the segments that the line moves. Equations
//! are linear in a and b, so they leave a flat set of lines and add no factor. Which line is taken may depend on the shapes,
//! which do not change along it, and on nothing else.
//!
//! The place on the line is drawn by slices: a height below the present density, then points of the chord until one is as
//! high, the chord shrinking to the present point each time. That leaves the density as it is.
//!
//! Source: Neal 2003 for slices.

use crate::random::Stream;
use crate::walk::sampler::slacks::Chord;

/// Points after which a step stays where it is: the chord is then narrower than rounding.
const MOST: u32 = 64;

/// A stretched segment: how its range changes along the line, as a share of what it is, and the exponent of its volume.
#[derive(Debug, Clone, Copy)]
pub(super) struct StretchedSegment {
    pub change: f64,
    pub exponent: f64,
}

/// The logarithm of the density at a place of the line, compared with where it begins.
pub(super) fn log_density(stretched: &[StretchedSegment], place: f64) -> f64 {
    let mut sum = 0.0;
    for one in stretched {
        let range = 1.0 + place * one.change;
        if range <= 0.0 {
            return f64::NEG_INFINITY;
        }
        sum += one.exponent * libm::log(range);
    }
    sum
}

/// A place on the chord.
pub(super) fn draw(chord: Chord, stretched: &[StretchedSegment], stream: &mut Stream) -> f64 {
    let height = libm::log(stream.open_unit());
    let Chord { mut back, mut ahead } = chord;
    for _ in 0..MOST {
        let place = back + (ahead - back) * stream.unit();
        if log_density(stretched, place) >= height {
            return place;
        }
        if place < 0.0 {
            back = place;
        } else {
            ahead = place;
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn places_have_their_density() {
        // On [-1, 1] a range of 1 + t to the power of 3: the mean of t is 3/5, that of its square 7/15.
        let mut stream = Seed::from(9).stream(0);
        let (mut at, mut sum, mut squares) = (0.0_f64, 0.0, 0.0);
        let count = 40_000;
        for _ in 0..count {
            let stretched = [StretchedSegment { change: 1.0 / (1.0 + at), exponent: 3.0 }];
            at += draw(Chord { back: -1.0 - at, ahead: 1.0 - at }, &stretched, &mut stream);
            (sum, squares) = (sum + at, squares + at * at);
        }
        let count = f64::from(count);
        assert!((sum / count - 0.6).abs() < 0.01 && (squares / count - 7.0 / 15.0).abs() < 0.01, "{sum} {squares}");
    }
}
