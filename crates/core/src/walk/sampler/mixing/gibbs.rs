//! One value at a time between its bounds, and the segment's range and location drawn exactly.
//!
//! **A step** computes the interval that all bounds leave to one unknown, from the other unknowns and nothing else: there are
//! no slacks that could drift. The unknown goes to a random point of the interval, or to the mirror image of where it is;
//! both leave the uniform law as it is, and mirror images do not hesitate (over-relaxation).
//!
//! **Range and location.** Localities and order are the same for `a + b x` as for `x`. Of a point that is uniform in the
//! region, shape, range R and location are therefore independent: with n unknowns in a domain of width W the share R / W has
//! the law Beta(n - 1, 2), which is that of `U₁^(1/n) × U₂^(1/(n-1))`, and the location is uniform. After each sweep both are
//! drawn anew. These are the directions in which one-at-a-time steps are slowest.
//!
//! The unknowns themselves stay where they are: it is the domain that is drawn, around them. A new range costs two
//! numbers instead of n, and the lists of the envelope stay right to the last bit.
//!
//! Source: our own; over-relaxation after Creutz 1987 and Neal 1998.

use super::envelope::{BoundSum, Envelope, Multiples};
use crate::random::Stream;
use crate::walk::region::Block;
use crate::walk::sampler::Chain;

/// Sweeps after which the box is drawn around the point anew: it only grows in between.
const RENEW: u32 = 256;

/// Mirror images in 2,048 steps: nine in ten. With half as many it mixes half as fast; without any draws, not at all.
const MIRRORED: u64 = 1843;

/// The walk of one segment.
pub(super) struct Gibbs<'a> {
    block: &'a Block,
    /// The unknowns in the walk's own frame, and what the bounds are made of.
    values: Vec<f64>,
    multiples: Multiples,
    /// The domain in the walk's own frame.
    low: f64,
    high: f64,
    envelope: Envelope<'a>,
    /// Whether bounds that cannot matter are left off.
    pruned: bool,
    since: u32,
    steps: u64,
    point: Vec<f64>,
}

impl<'a> Gibbs<'a> {
    /// Starts at the data; `None` where there are too few or too many unknowns.
    pub(super) fn new(block: &'a Block, pruned: bool) -> Option<Self> {
        let size = block.data.len();
        if size < 2 {
            return None;
        }
        let mut gibbs = Self {
            block,
            values: block.data.clone(),
            multiples: Multiples::new()?,
            low: block.low,
            high: block.high,
            envelope: Envelope::new(size, &block.localities)?,
            pruned,
            since: 0,
            steps: 0,
            point: block.data.clone(),
        };
        for (place, value) in block.data.iter().enumerate() {
            gibbs.multiples.write(size, place, *value, *value);
        }
        gibbs.renew();
        Some(gibbs)
    }

    /// Draws the box around the point: each side half as far again as the present interval.
    fn renew(&mut self) {
        self.since = 0;
        let size = self.values.len();
        self.envelope.enclose(&vec![f64::NEG_INFINITY; size], &vec![f64::INFINITY; size]);
        if !self.pruned {
            return;
        }
        let sides = |place: usize| {
            let (low, high) = self.interval(place);
            let width = high - low;
            (low - width * 0.5, high + width * 0.5)
        };
        let (low, high): (Vec<f64>, Vec<f64>) = (0..size).map(sides).unzip();
        self.envelope.enclose(&low, &high);
    }

    /// What the listed bounds leave to an unknown.
    #[inline]
    fn interval(&self, place: usize) -> (f64, f64) {
        let (mut low, mut high) = (self.low, self.high);
        if self.block.order {
            low = if place > 0 { self.values[place - 1] } else { low };
            high = self.values.get(place + 1).copied().unwrap_or(high);
        }
        (
            tightest(&self.multiples, &self.envelope.lower[place], low, |sum, bound| sum > bound),
            tightest(&self.multiples, &self.envelope.upper[place], high, |sum, bound| sum < bound),
        )
    }

    /// What all bounds leave to an unknown.
    #[inline]
    fn full_interval(&mut self, place: usize) -> (f64, f64) {
        loop {
            let (low, high) = self.interval(place);
            let (down, up) = (low < self.envelope.corners.low[place], high > self.envelope.corners.high[place]);
            if !down && !up {
                return (low, high);
            }
            self.envelope.widen(place, down, up);
        }
    }

    #[inline]
    fn step(&mut self, place: usize, stream: &mut Stream) {
        let (low, high) = self.full_interval(place);
        let bits = stream.bits();
        if low >= high {
            return;
        }
        let value = moved(self.values[place], (low, high), bits);
        self.values[place] = value;
        self.multiples.write(self.values.len(), place, value, value);
    }

    fn extremes(&self) -> (f64, f64) {
        match (self.block.order, self.values.first(), self.values.last()) {
            (true, Some(first), Some(last)) => (*first, *last),
            _ => self
                .values
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value))),
        }
    }

    /// Draws range and location: a domain around the values.
    fn draw_domain(&mut self, stream: &mut Stream) {
        let (first, last) = self.extremes();
        let share = range_share(self.values.len(), stream);
        let place = stream.unit();
        let range = last - first;
        if range > 0.0 {
            let room = range / share - range;
            self.low = first - room * place;
            self.high = last + room * (1.0 - place);
        }
        if !(0.25..4.0).contains(&range) || first.abs() > 16.0 {
            self.reframe(first, range);
        }
    }

    /// Brings values that have drifted far off back to where floats are fine.
    fn reframe(&mut self, first: f64, range: f64) {
        if range <= 0.0 || !range.is_finite() {
            return;
        }
        let size = self.values.len();
        for place in 0..size {
            let value = (self.values[place] - first) / range;
            self.values[place] = value;
            self.multiples.write(size, place, value, value);
        }
        self.low = (self.low - first) / range;
        self.high = (self.high - first) / range;
        self.renew();
    }
}

/// Where a value of an interval goes: to its mirror image, or anywhere.
#[inline]
pub(super) fn moved(value: f64, (low, high): (f64, f64), bits: u64) -> f64 {
    let value = if bits & 2047 < MIRRORED {
        mirrored(value, low, high)
    } else {
        low + (high - low) * ((bits >> 11) as f64 / (1_u64 << 53) as f64)
    };
    value.max(low).min(high)
}

/// The mirror image of a value in an interval.
#[inline]
fn mirrored(value: f64, low: f64, high: f64) -> f64 {
    low + high - value
}

/// The share of the domain that `size` values reach over, drawn from its exact law.
pub(super) fn range_share(size: usize, stream: &mut Stream) -> f64 {
    let size = size as f64;
    let (one, other) = (stream.open_unit(), stream.open_unit());
    libm::pow(one, 1.0 / size) * libm::pow(other, 1.0 / (size - 1.0).max(f64::MIN_POSITIVE))
}

/// The tightest of many bounds, four at a time.
#[inline]
pub(super) fn tightest(
    multiples: &Multiples,
    sums: &[BoundSum],
    start: f64,
    is_tighter: impl Fn(f64, f64) -> bool,
) -> f64 {
    let tighter = |sum: f64, bound: f64| if is_tighter(sum, bound) { sum } else { bound };
    let mut best = [start; 4];
    let (chunks, rest) = sums.as_chunks::<4>();
    for chunk in chunks {
        for (best, sum) in best.iter_mut().zip(chunk) {
            *best = tighter(multiples.read(*sum), *best);
        }
    }
    let [one, two, three, four] = best;
    let best = tighter(tighter(one, two), tighter(three, four));
    rest.iter().fold(best, |best, sum| tighter(multiples.read(*sum), best))
}

impl Chain for Gibbs<'_> {
    fn sweep(&mut self, stream: &mut Stream) {
        let size = self.values.len();
        for place in 0..size {
            self.step(place, stream);
        }
        self.steps += size as u64;
        self.draw_domain(stream);
        self.since += 1;
        if self.since >= RENEW {
            self.renew();
        }
    }

    fn point(&mut self) -> &[f64] {
        let width = self.high - self.low;
        let (low, high) = (self.block.low, self.block.high);
        for (point, value) in self.point.iter_mut().zip(&self.values) {
            *point = (low + (value - self.low) / width * (high - low)).max(low).min(high);
        }
        &self.point
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// The least slack after any step of some sweeps: how near the values came to breaking something.
#[cfg(test)]
pub(in crate::walk) fn every_step_inside(block: &Block, sweeps: usize, stream: &mut Stream) -> Option<(f64, u64)> {
    let mut chain = Gibbs::new(block, true)?;
    let mut least = f64::INFINITY;
    for _ in 0..sweeps {
        for place in 0..chain.values.len() {
            chain.step(place, stream);
            let framed = Block { low: chain.low, high: chain.high, ..block.clone() };
            least = least.min(framed.slack(&chain.values));
        }
        chain.draw_domain(stream);
        least = least.min(block.slack(chain.point()));
    }
    Some((least, (sweeps * block.data.len()) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use crate::walk::locality;
    use proptest::prelude::*;

    fn block(values: &[i128], share: usize, order: bool) -> Block {
        let (first, last) = (values[0], values[values.len() - 1]);
        let data = values.iter().map(|value| (value - first) as f64 / (last - first) as f64).collect();
        let localities = locality::neighbours(values).into_iter().step_by(share).collect();
        Block { data, localities, order, low: -0.2, high: 1.1 }
    }

    fn bits(chain: &mut Gibbs<'_>) -> Vec<u64> {
        chain.point().iter().map(|value| value.to_bits()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn short_lists_change_no_bit(
            values in proptest::collection::btree_set(0_i128..2000, 3..40),
            share in 1_usize..12,
            order in any::<bool>(),
            seed in any::<u64>(),
        ) {
            let values: Vec<i128> = values.into_iter().collect();
            let block = block(&values, share, order);
            let (mut short, mut full) = (Gibbs::new(&block, true).unwrap(), Gibbs::new(&block, false).unwrap());
            let (mut one, mut other) = (Seed::from(seed).stream(0), Seed::from(seed).stream(0));
            for sweep in 0..600 {
                short.sweep(&mut one);
                full.sweep(&mut other);
                prop_assert_eq!(bits(&mut short), bits(&mut full), "sweep {}", sweep);
            }
        }

        #[test]
        fn a_mirror_image_of_a_mirror_image_is_where_it_was(
            low in -10.0..10.0_f64, width in 1e-6..10.0_f64, share in 0.0..1.0_f64,
        ) {
            let value = low + share * width;
            let image = mirrored(value, low, low + width);
            prop_assert!((low - 1e-12..=low + width + 1e-12).contains(&image));
            prop_assert!((mirrored(image, low, low + width) - value).abs() < 1e-13);
        }
    }

    #[test]
    fn lists_are_short() {
        let mut stream = Seed::from(4).stream(0);
        let mut values: Vec<i128> = (0..200).map(|_| i128::from(stream.bits() >> 24)).collect();
        values.sort_unstable();
        let block = block(&values, 1, true);
        let mut chain = Gibbs::new(&block, true).unwrap();
        for _ in 0..300 {
            chain.sweep(&mut stream);
        }
        let listed: usize = chain.envelope.upper.iter().chain(&chain.envelope.lower).map(Vec::len).sum();
        assert!(listed * 5 < block.localities.len() * 3, "{listed} of {}", block.localities.len() * 3);
    }

    #[test]
    fn the_range_has_its_law() {
        // R / W ~ Beta(n - 1, 2): P(R / W <= r) = n r^(n-1) - (n - 1) r^n. Kolmogorov's 1.95 has a level of 0.1 %.
        for (size, unknowns) in [(2_i32, 2), (3, 3), (10, 10), (100, 100)] {
            let mut stream = Seed::from(8).stream(0);
            let count = 20_000;
            let mut draws: Vec<f64> = (0..count).map(|_| range_share(unknowns, &mut stream)).collect();
            draws.sort_unstable_by(f64::total_cmp);
            let law = |r: f64| f64::from(size) * r.powi(size - 1) - f64::from(size - 1) * r.powi(size);
            let distance =
                (0..).zip(&draws).map(|(rank, draw)| (law(*draw) - f64::from(rank) / f64::from(count)).abs());
            assert!(distance.fold(0.0, f64::max) * f64::from(count).sqrt() < 1.95, "{size}");
        }
    }
}
