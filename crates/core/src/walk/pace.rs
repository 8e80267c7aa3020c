//! How long a walk must go on.
//!
//! After each sweep a few numbers are recorded: mean and standard deviation of a segment, and where some of its values stand
//! between the others. Their autocorrelation time says how many sweeps it takes to forget the start. A walk is long enough
//! at ten times the longest of these times. That is checked after 64 sweeps and whenever they have doubled; the walk ends
//! after 2,000 in any case. The first quarter of the record is left out: the data are no random point.
//!
//! Source: Sokal 1997 for the window of five autocorrelation times.

use super::region::Region;
use super::sampler::Chain;
use crate::random::Stream;

/// The fewest and the most sweeps of a walk that measures itself.
pub const FEWEST: u32 = 64;
/// See [`FEWEST`].
pub const MOST: u32 = 2000;

/// How many autocorrelation times a walk goes on.
const TIMES: f64 = 10.0;

/// Values of a block that are followed, and blocks of a region.
const FOLLOWED: usize = 8;

/// How a walk went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    /// Sweeps.
    pub sweeps: u32,
    /// Whether they were ten times the autocorrelation time.
    pub mixed: bool,
}

/// Walks a fixed number of sweeps, or as many as it takes; `swept` hears of each.
pub(super) fn run(
    chain: &mut dyn Chain,
    region: &Region,
    fixed: Option<u32>,
    stream: &mut Stream,
    swept: &dyn Fn(),
) -> Pace {
    let most = fixed.unwrap_or(MOST);
    // Some thousand numbers say as much as a million.
    let every = most.div_ceil(MOST).max(1);
    let mut traces = Traces::new(region);
    let mut asked = FEWEST;
    for sweep in 1..=most {
        chain.sweep(stream);
        swept();
        if sweep % every == 0 {
            traces.take(chain.point());
        }
        if fixed.is_none() && (sweep == asked || sweep == most) {
            asked *= 2;
            if traces.longest_time() * TIMES <= f64::from(sweep) {
                return Pace { sweeps: sweep, mixed: true };
            }
        }
    }
    let time = traces.longest_time() * f64::from(every);
    Pace { sweeps: most, mixed: time * TIMES <= f64::from(most) }
}

/// Numbers taken down after each sweep.
struct Traces {
    /// For each followed block where it begins, and its size.
    blocks: Vec<(usize, usize)>,
    lines: Vec<Vec<f64>>,
}

impl Traces {
    fn new(region: &Region) -> Self {
        let all: Vec<(usize, usize)> =
            region.offsets().zip(&region.blocks).map(|(offset, block)| (offset, block.data.len())).collect();
        let blocks: Vec<(usize, usize)> = spaced(all.len(), FOLLOWED).map(|place| all[place]).collect();
        let lines = blocks.iter().map(|&(_, size)| 2 + spaced(shape_size(size), FOLLOWED).count()).sum();
        Self { blocks, lines: vec![Vec::new(); lines] }
    }

    fn take(&mut self, point: &[f64]) {
        let mut lines = self.lines.iter_mut();
        for &(offset, size) in &self.blocks {
            let values = &point[offset..offset + size];
            let mean = values.iter().sum::<f64>() / size as f64;
            let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / size as f64).sqrt();
            let shape = spaced(shape_size(size), FOLLOWED).map(|place| (values[place] - mean) / deviation);
            // Numbers first: the other way round, one line would be lost after each block.
            for (number, line) in [mean, deviation].into_iter().chain(shape).zip(lines.by_ref()) {
                line.push(number);
            }
        }
    }

    /// The longest autocorrelation time, in the steps of the trace.
    fn longest_time(&self) -> f64 {
        let moving = |line: &&[f64]| line.iter().any(|number| (number - line[0]).abs() > 1e-12);
        let settled = self.lines.iter().map(|line| &line[line.len() / 4..]);
        let longest = settled.filter(moving).map(autocorrelation_time).fold(0.0, f64::max);
        // Where nothing moves there is no time in which it would.
        if longest > 0.0 { longest } else { f64::INFINITY }
    }
}

/// Two values have no shape.
fn shape_size(size: usize) -> usize {
    if size < 3 { 0 } else { size }
}

/// Up to `count` places of a list, evenly spaced.
fn spaced(size: usize, count: usize) -> impl Iterator<Item = usize> {
    let count = count.min(size);
    (0..count).map(move |number| (2 * number + 1) * size / (2 * count))
}

/// The integrated autocorrelation time of a series: how many of its numbers say as much as one independent draw. At least 1;
/// infinite when the series is too short to say.
#[must_use]
pub fn autocorrelation_time(series: &[f64]) -> f64 {
    let count = series.len();
    let mean = series.iter().sum::<f64>() / count.max(1) as f64;
    let centred: Vec<f64> = series.iter().map(|number| number - mean).collect();
    let covariance = |lag: usize| centred.iter().zip(&centred[lag..]).map(|(one, other)| one * other).sum::<f64>();
    let variance = centred.iter().map(|number| number * number).sum::<f64>();
    let mut time = 1.0;
    for lag in 1..count / 2 {
        time += 2.0 * covariance(lag) / variance;
        if lag as f64 >= 5.0 * time {
            return time.max(1.0);
        }
    }
    f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn an_autoregression_has_its_known_time() {
        let mut stream = Seed::from(11).stream(0);
        for coefficient in [0.0, 0.5, 0.9] {
            let mut value = 0.0;
            let series: Vec<f64> = (0..40_000)
                .map(|_| {
                    value = coefficient * value + stream.normal();
                    value
                })
                .collect();
            let known = (1.0 + coefficient) / (1.0 - coefficient);
            assert!((autocorrelation_time(&series) / known - 1.0).abs() < 0.15, "{coefficient}");
        }
    }

    #[test]
    fn a_series_that_only_drifts_has_no_time() {
        let series: Vec<f64> = (0..100).map(f64::from).collect();
        assert!(autocorrelation_time(&series).is_infinite());
        assert!(autocorrelation_time(&[]).is_infinite());
    }

    #[test]
    fn places_are_spread_over_the_list() {
        assert_eq!(spaced(100, 4).collect::<Vec<_>>(), [12, 37, 62, 87]);
        assert_eq!(spaced(2, 4).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(spaced(0, 4).count(), 0);
    }
}
