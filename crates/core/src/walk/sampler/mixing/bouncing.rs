//! Ends of many segments at once: they fly, and bounce off what bounds them.
//!
//! Lines end where the first of many ends meets the domain, so they are short, and ends wander. Here a speed is drawn for every
//! end, normal and without what would change a sum. The ends fly for a while; where one meets its domain, or the range of a
//! segment is used up, the speed is mirrored at that wall within the speeds that keep the sums. Ends so go about as far as
//! they can be apart, in one flight.
//!
//! **Why the law stays.** With shapes held fixed the density of the ends is `∏ range^(n-2)` ([`super::stretching`]), call its
//! logarithm L. A flight is some leaps: half a kick by the slope of L, straight flight with mirrors, half a kick. Kicks shear, mirrors
//! keep lengths: the volume of places and speeds stays. With all speeds turned round a flight goes back the way it came, with as
//! many bounces. So a flight that is taken with probability `exp(L' - v'²/2 - L + v²/2)`, or 1 where that is more, leaves
//! places with density `exp(L)` and normal speeds as they are (Metropolis). One with too many bounces is not taken; nor would
//! be its way back.
//!
//! Source: Neal 2011 for the flight, Mohasel Afshar and Domke 2015 for its mirrors.

use super::projection::{Projection, dot};
use crate::random::Stream;

/// Leaps of a flight: what a bounce gets wrong in the density is as small as a leap is short.
const LEAPS: u32 = 4;

/// The most bounces of a leap, for each segment.
const MOST_BOUNCES: usize = 8;

/// What of a wall counts as nothing: no speed that keeps the sums could meet it.
const NOTHING: f64 = 1e-12;

/// A segment in flight.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlyingSegment {
    /// What is left of the domain below and above.
    pub ends: [f64; 2],
    pub width: f64,
    /// How far the ends go at a speed of 1: none where an end cannot move.
    pub units: [f64; 2],
    pub exponent: f64,
}

impl FlyingSegment {
    fn range(&self) -> f64 {
        self.width - self.ends[0] - self.ends[1]
    }

    /// Its walls: when it meets each at this speed, and how the distance to it changes with the speed.
    fn walls(&self, speed: &[f64]) -> [(f64, [f64; 2]); 3] {
        let [below, above] = self.units;
        let meets = |distance: f64, wall: [f64; 2]| {
            let approach = -(wall[0] * speed[0] + wall[1] * speed[1]);
            (if approach > 0.0 { distance.max(0.0) / approach } else { f64::INFINITY }, wall)
        };
        [meets(self.ends[0], [below, 0.0]), meets(self.ends[1], [0.0, above]), meets(self.range(), [-below, -above])]
    }

    fn fly(&mut self, speed: &[f64], time: f64) {
        for ((end, unit), speed) in self.ends.iter_mut().zip(self.units).zip(speed) {
            *end = (*end + time * unit * speed).clamp(0.0, self.width);
        }
    }
}

/// Lets segments fly for some time; whether they may stay where they come to.
pub(super) fn fly(bodies: &mut [FlyingSegment], projection: &Projection, time: f64, stream: &mut Stream) -> bool {
    let mut speed: Vec<f64> = bodies.iter().flat_map(|_| [stream.normal(), stream.normal()]).collect();
    projection.project(&mut speed);
    let height = libm::log(stream.open_unit());
    let before = log_density(bodies) - dot(&speed, &speed) / 2.0;
    let leap = time / f64::from(LEAPS);
    for _ in 0..LEAPS {
        kick(bodies, projection, leap / 2.0, &mut speed);
        if !bounce(bodies, projection, leap, &mut speed) {
            return false;
        }
        kick(bodies, projection, leap / 2.0, &mut speed);
    }
    log_density(bodies) - dot(&speed, &speed) / 2.0 - before >= height
}

fn log_density(bodies: &[FlyingSegment]) -> f64 {
    bodies.iter().filter(|body| body.exponent > 0.0).map(|body| body.exponent * libm::log(body.range())).sum()
}

fn kick(bodies: &[FlyingSegment], projection: &Projection, time: f64, speed: &mut [f64]) {
    let slope = |body: &FlyingSegment| {
        let steepness = if body.exponent > 0.0 { body.exponent / body.range() } else { 0.0 };
        body.units.map(|unit| -unit * steepness)
    };
    let mut slopes: Vec<f64> = bodies.iter().flat_map(slope).collect();
    projection.project(&mut slopes);
    speed.iter_mut().zip(&slopes).for_each(|(speed, slope)| *speed += time * slope);
}

/// Flies straight, with mirrors; whether that came to an end.
fn bounce(bodies: &mut [FlyingSegment], projection: &Projection, time: f64, speed: &mut [f64]) -> bool {
    let mut left = time;
    let mut normal = vec![0.0; speed.len()];
    for _ in 0..=MOST_BOUNCES * bodies.len() {
        let (mut first, mut met) = (left, None);
        for ((place, body), own) in bodies.iter().enumerate().zip(speed.chunks(2)) {
            for (when, wall) in body.walls(own) {
                if when < first {
                    (first, met) = (when, Some((place, wall)));
                }
            }
        }
        bodies.iter_mut().zip(speed.chunks(2)).for_each(|(body, own)| body.fly(own, first));
        let Some((place, wall)) = met else { return true };
        left -= first;
        normal.fill(0.0);
        let own = place * 2..place * 2 + 2;
        normal[own.clone()].copy_from_slice(&wall);
        projection.project(&mut normal);
        let open = dot(&wall, &normal[own.clone()]);
        if open <= NOTHING * dot(&wall, &wall) {
            return false;
        }
        let twice = 2.0 * dot(&wall, &speed[own]) / open;
        speed.iter_mut().zip(&normal).for_each(|(speed, normal)| *speed -= twice * normal);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn two_ends_under_a_sum_have_their_law() {
        // Two segments of 5 values, of which only what is left below moves, with one sum: x + y = 1/2, density
        // ((1 - x)(1/2 + x))^3 for x in [0, 1/2], symmetric about 1/4.
        let law = |x: f64| ((1.0 - x) * (0.5 + x)).powi(3);
        let (mut all, mut squares) = (0.0, 0.0);
        for place in 0..1000 {
            let x = (f64::from(place) + 0.5) / 2000.0;
            all += law(x);
            squares += law(x) * (x - 0.25).powi(2);
        }
        let mut projection = Projection::default();
        projection.renew((1, 4), &mut [1.0, 0.0, 1.0, 0.0]);
        let body = |below| FlyingSegment { ends: [below, 0.0], width: 1.0, units: [1.0, 0.0], exponent: 3.0 };
        let mut bodies = [body(0.1), body(0.4)];
        let mut stream = Seed::from(5).stream(0);
        let (mut sum, mut seen) = (0.0_f64, 0.0);
        let count = 40_000;
        for _ in 0..count {
            let mut flown = bodies;
            let time = 0.4 * stream.unit();
            if fly(&mut flown, &projection, time, &mut stream) {
                bodies = flown;
            }
            assert!((bodies[0].ends[0] + bodies[1].ends[0] - 0.5).abs() < 1e-9);
            (sum, seen) = (sum + bodies[0].ends[0], seen + (bodies[0].ends[0] - 0.25).powi(2));
        }
        let count = f64::from(count);
        assert!((sum / count - 0.25).abs() < 0.005, "{}", sum / count);
        assert!((seen / count / (squares / all) - 1.0).abs() < 0.03, "{}", seen / count / (squares / all));
    }
}
