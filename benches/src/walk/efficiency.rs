//! Effective samples per second of processor time: how many independent draws a walk is worth.
//!
//! Of a walk up to [`RECORDS`] points are taken down, evenly. Each number that is looked at (every
//! coordinate; mean and spread; the places of some values between the first and the last, the shape) has an integrated
//! autocorrelation time, and the walk is worth its length divided by that. A number that drifts all the time, so that no
//! time can be estimated, is worth at most one draw: such a figure is an upper limit.

use equanym_core::random::Seed;
use equanym_core::walk::SamplerMember;
use equanym_core::walk::pace::autocorrelation_time;
use equanym_core::walk::region::Region;

use crate::processor::{Stopwatch, Whose};

/// Points that are taken down.
pub const RECORDS: usize = 4000;

/// Points without which nothing can be said.
const FEWEST: usize = 40;

/// How much less often points are taken down when that was too often.
const FACTOR: u32 = 8;

/// Places of the shape that are looked at.
const PLACES: usize = 8;

/// A rate of effective samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Effective samples per second.
    pub value: f64,
    /// Whether it is no more than an upper limit.
    pub is_limit: bool,
}

/// What a walk is worth.
#[derive(Debug, Clone, Copy)]
pub struct Efficiency {
    pub steps_per_second: f64,
    /// The least over all coordinates.
    pub coordinate: Rate,
    pub mean: Rate,
    pub spread: Rate,
    /// The least over the places looked at.
    pub shape: Rate,
}

impl Efficiency {
    /// The least of all.
    pub fn least(&self) -> Rate {
        [self.coordinate, self.mean, self.spread, self.shape].into_iter().fold(self.coordinate, Rate::smaller)
    }

    /// From points taken down in so many seconds.
    pub fn of(points: &[Vec<f64>], steps: f64, seconds: f64) -> Self {
        let size = points.first().map_or(0, Vec::len);
        let line = |measure: &dyn Fn(&[f64]) -> f64| points.iter().map(|point| measure(point)).collect::<Vec<f64>>();
        let rate = |measure: &dyn Fn(&[f64]) -> f64| Rate::of(&line(measure), seconds);
        let least = |rates: &mut dyn Iterator<Item = Rate>| rates.reduce(Rate::smaller).unwrap_or(Rate::NONE);
        let between = |place: usize, point: &[f64]| (point[place] - point[0]) / (point[size - 1] - point[0]);
        let places = (0..PLACES.min(size)).map(|number| (2 * number + 1) * size / (2 * PLACES.min(size)));
        Self {
            steps_per_second: steps / seconds,
            coordinate: least(&mut (0..size).map(|place| rate(&|point| point[place]))),
            mean: rate(&mean),
            spread: rate(&spread),
            shape: least(&mut places.map(|place| rate(&|point| between(place, point)))),
        }
    }
}

fn mean(point: &[f64]) -> f64 {
    point.iter().sum::<f64>() / point.len() as f64
}

fn spread(point: &[f64]) -> f64 {
    let mean = mean(point);
    (point.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / point.len() as f64).sqrt()
}

impl Rate {
    const NONE: Self = Self { value: 0.0, is_limit: true };

    fn of(series: &[f64], seconds: f64) -> Self {
        let time = autocorrelation_time(series);
        if time.is_finite() {
            Self { value: series.len() as f64 / time / seconds, is_limit: false }
        } else {
            Self { value: 1.0 / seconds, is_limit: true }
        }
    }

    fn smaller(self, other: Self) -> Self {
        if other.value < self.value { other } else { self }
    }
}

/// Lets a sampler walk for a while. Points are taken down after every sweep first; as long as some number drifts through
/// all of them, they are taken down less often, until the time is up. How fast the walk is, is measured afterwards, without
/// taking anything down.
pub fn measure(region: &Region, member: &SamplerMember, budget: f64) -> Efficiency {
    let mut stream = Seed::from(1).stream(0);
    let mut chain = (member.start)(region);
    let watch = Stopwatch::start(Whose::Thread);
    while watch.seconds() < budget / 20.0 {
        chain.sweep(&mut stream);
    }
    let mut every = 1_u32;
    let points = loop {
        let mut points = Vec::with_capacity(RECORDS);
        while points.len() < RECORDS
            && (watch.seconds() < budget || points.len() < FEWEST && watch.seconds() < budget * 2.0)
        {
            for _ in 0..every {
                chain.sweep(&mut stream);
            }
            points.push(chain.point().to_vec());
        }
        if !Efficiency::of(&points, 1.0, 1.0).least().is_limit || watch.seconds() > budget / 2.0 {
            break points;
        }
        every = every.saturating_mul(FACTOR);
    };
    let (before, watch) = (chain.steps(), Stopwatch::start(Whose::Thread));
    // In ever larger parts, because looking at the watch takes longer than some sweeps.
    let (mut sweeps, mut part) = (0_u32, 1_u32);
    while watch.seconds() < budget / 5.0 {
        for _ in 0..part {
            chain.sweep(&mut stream);
        }
        sweeps += part;
        part = (sweeps / 8).max(1);
    }
    let seconds = watch.seconds();
    let steps = (chain.steps() - before) as f64;
    // The time that the walk between the points would take.
    let between = seconds / f64::from(sweeps) * f64::from(every) * points.len() as f64;
    Efficiency::of(&points, steps / seconds * between, between)
}
