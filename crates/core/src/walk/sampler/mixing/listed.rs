//! All bounds of a segment, listed once: for walks that come back to it for one sweep at a time.
//!
//! Which bounds can matter changes too much between two visits to be worth finding out: reading all of them once costs
//! less. The lists hold no values, so one room for [`Multiples`] serves all segments.

use super::envelope::{BoundSum, Multiples, bounds};
use super::gibbs::{moved, tightest};
use crate::random::Stream;
use crate::walk::region::Block;

/// The bounds of each unknown of a segment, lower ones and upper ones in turn.
pub(super) struct ListedBounds {
    sums: Vec<BoundSum>,
    begins: Vec<u32>,
    order: bool,
}

impl ListedBounds {
    /// `None` where there are too many unknowns to be named.
    pub(super) fn new(block: &Block) -> Option<Self> {
        let size = u16::try_from(block.data.len()).ok().filter(|size| *size < u16::MAX / 3)?;
        let all = || block.localities.iter().flat_map(move |locality| bounds(*locality, size));
        let mut begins = vec![0_u32; usize::from(size) * 2 + 1];
        all().for_each(|bound| begins[bound.list() + 1] += 1);
        for place in 1..begins.len() {
            begins[place] += begins[place - 1];
        }
        let mut next = begins.clone();
        let mut sums = vec![[0, 0]; block.localities.len() * 3];
        for bound in all() {
            let place = &mut next[bound.list()];
            sums[*place as usize] = bound.sum;
            *place += 1;
        }
        Some(Self { sums, begins, order: block.order })
    }

    fn list(&self, number: usize) -> &[BoundSum] {
        &self.sums[self.begins[number] as usize..self.begins[number + 1] as usize]
    }
}

/// A segment that is being visited.
pub(super) struct SegmentVisit<'v> {
    pub values: Vec<f64>,
    pub low: f64,
    pub high: f64,
    listed: &'v ListedBounds,
    multiples: &'v mut Multiples,
}

impl<'v> SegmentVisit<'v> {
    /// Of these values within this domain, in any frame.
    pub(super) fn new(
        listed: &'v ListedBounds,
        multiples: &'v mut Multiples,
        values: Vec<f64>,
        (low, high): (f64, f64),
    ) -> Self {
        for (place, value) in values.iter().enumerate() {
            multiples.write(values.len(), place, *value, *value);
        }
        Self { values, low, high, listed, multiples }
    }

    /// Moves some values, one after the other, up the list or down.
    pub(super) fn walk(&mut self, places: std::ops::Range<usize>, is_upward: bool, stream: &mut Stream) {
        for step in 0..places.len() {
            self.step(if is_upward { places.start + step } else { places.end - 1 - step }, stream);
        }
    }

    fn step(&mut self, place: usize, stream: &mut Stream) {
        let (mut low, mut high) = (self.low, self.high);
        if self.listed.order {
            low = if place > 0 { self.values[place - 1] } else { low };
            high = self.values.get(place + 1).copied().unwrap_or(high);
        }
        low = tightest(self.multiples, self.listed.list(place * 2), low, |sum, bound| sum > bound);
        high = tightest(self.multiples, self.listed.list(place * 2 + 1), high, |sum, bound| sum < bound);
        let bits = stream.bits();
        if low < high {
            self.put(place, moved(self.values[place], (low, high), bits));
        }
    }

    /// Puts some values back to where they were.
    pub(super) fn put_back(&mut self, first: usize, before: &[f64]) {
        for (place, value) in (first..).zip(before) {
            self.put(place, *value);
        }
    }

    fn put(&mut self, place: usize, value: f64) {
        self.values[place] = value;
        self.multiples.write(self.values.len(), place, value, value);
    }
}
