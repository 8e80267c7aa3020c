//! A point of a region with its distances to the boundary: what the hit-and-run samplers move.
//!
//! Along a direction the region is a chord. The slacks of the relations tell its ends. A step adds to the slacks what it
//! changes; so that rounding does not add up, they are computed afresh every [`FRESH`] steps, or after as many steps as a
//! sixteenth of the relations where that is more. Order and domain are read from the point itself. If rounding has carried
//! the point out by more than [`TOLERANCE`], it is pulled towards the data, which lie inside: no relation stays broken.

use crate::walk::locality::NeighbourSide;
use crate::walk::null_space::NullSpace;
use crate::walk::region::Region;
use crate::walk::stored;

/// Steps after which the slacks are computed afresh.
const FRESH: usize = 512;

/// What counts as rounding, in a frame in which a segment reaches from 0 to 1.
const TOLERANCE: f64 = 1e-12;

/// A point with its slacks.
pub(super) struct Slacks {
    pub point: Vec<f64>,
    pub space: NullSpace,
    start: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    /// Whether the unknown may not pass the next one.
    ordered: Vec<bool>,
    /// Relations of three: `sign × (left + right - 2 × middle)` is the slack.
    triples: Vec<([u32; 3], f64)>,
    /// Relations of any length: unknowns, and how the slack changes with them; and the bound.
    general: Vec<(Vec<(u32, f64)>, f64)>,
    /// For each unknown its relations (triples first, then general ones) and how their slack changes with it.
    incidence: Vec<Vec<(u32, f64)>>,
    slack: Vec<f64>,
    /// How the slacks change along the last direction of all unknowns.
    change: Vec<f64>,
    /// The same along the last direction of some, and the relations where it is not nothing.
    partial: Vec<f64>,
    touched: Vec<u32>,
    since: u32,
}

/// The ends of a chord: how far a direction can be followed backwards (negative) and forwards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chord {
    pub back: f64,
    pub ahead: f64,
}

impl Chord {
    pub(super) const LONG: Self = Self { back: f64::NEG_INFINITY, ahead: f64::INFINITY };

    /// Ends the chord where a slack that changes so along the direction is used up.
    #[inline]
    pub(super) fn cut(&mut self, slack: f64, change: f64) {
        let limit = -slack.max(0.0) / change;
        // Without branches, which would be guessed wrong half of the time. A change of 0 cuts nothing.
        let ahead = if change < 0.0 { limit } else { f64::INFINITY };
        let back = if change > 0.0 { limit } else { f64::NEG_INFINITY };
        self.ahead = if ahead < self.ahead { ahead } else { self.ahead };
        self.back = if back > self.back { back } else { self.back };
    }

    /// A point of the chord by random bits: in `mirrored` of 256 cases the mirror image of where one is, otherwise anywhere.
    pub(super) fn point(self, bits: u64, mirrored: u64) -> f64 {
        if bits & 255 < mirrored {
            return self.back + self.ahead;
        }
        self.back + (self.ahead - self.back) * ((bits >> 11) as f64 / (1_u64 << 53) as f64)
    }

    pub(super) fn is_open(self) -> bool {
        self.back.is_finite() && self.ahead.is_finite() && self.back < self.ahead
    }
}

impl Slacks {
    pub(super) fn new(region: &Region) -> Self {
        let start = region.start();
        let size = start.len();
        let mut slacks = Self {
            point: start.clone(),
            space: NullSpace::new(size, &region.equations),
            start,
            low: Vec::with_capacity(size),
            high: Vec::with_capacity(size),
            ordered: Vec::with_capacity(size),
            triples: Vec::new(),
            general: Vec::new(),
            incidence: vec![Vec::new(); size],
            slack: Vec::new(),
            change: Vec::new(),
            partial: Vec::new(),
            touched: Vec::new(),
            since: 0,
        };
        slacks.take_blocks(region);
        slacks.take_relations(region);
        let relations = slacks.triples.len() + slacks.general.len();
        slacks.change = vec![0.0; relations];
        slacks.partial = vec![0.0; relations];
        slacks.slack = vec![0.0; relations];
        slacks.refresh();
        slacks
    }

    fn take_blocks(&mut self, region: &Region) {
        for (offset, block) in region.offsets().zip(&region.blocks) {
            let size = block.data.len();
            self.low.extend(std::iter::repeat_n(block.low, size));
            self.high.extend(std::iter::repeat_n(block.high, size));
            self.ordered.extend((0..size).map(|place| block.order && place + 1 < size));
            for locality in &block.localities {
                let sign = if locality.nearer == NeighbourSide::Left { 1.0 } else { -1.0 };
                let places = [locality.left, locality.middle, locality.right].map(|place| offset + usize::from(place));
                for (place, factor) in places.into_iter().zip([sign, -2.0 * sign, sign]) {
                    self.incidence[place].push((stored(self.triples.len()), factor));
                }
                self.triples.push((places.map(stored), sign));
            }
        }
    }

    fn take_relations(&mut self, region: &Region) {
        for relation in &region.relations {
            let place = stored(self.triples.len() + self.general.len());
            let terms: Vec<(u32, f64)> = relation.terms.iter().map(|&(unknown, factor)| (unknown, -factor)).collect();
            for &(unknown, factor) in &terms {
                self.incidence[unknown as usize].push((place, factor));
            }
            self.general.push((terms, relation.bound));
        }
    }

    /// Computes the slacks afresh and pulls the point inside if it has left.
    pub(super) fn refresh(&mut self) {
        self.since = 0;
        self.space.restore(&mut self.point, &self.start);
        self.compute();
        let pull = self.pull();
        if pull > 0.0 {
            self.point.iter_mut().zip(&self.start).for_each(|(value, start)| *value += pull * (start - *value));
            self.compute();
        }
    }

    fn compute(&mut self) {
        for ((triple, sign), slack) in self.triples.iter().zip(&mut self.slack) {
            *slack = sign * excess(&self.point, *triple);
        }
        for ((terms, bound), slack) in self.general.iter().zip(&mut self.slack[self.triples.len()..]) {
            *slack = bound + sum(terms, &self.point);
        }
    }

    /// How far towards the data the point must go so that nothing is broken: 0 when nothing is, 1 at the data.
    fn pull(&self) -> f64 {
        let mut pull = 0.0_f64;
        let mut see = |slack: f64, at_start: f64| {
            if slack < -TOLERANCE {
                let share = if at_start > 0.0 { (-slack / (at_start - slack)).min(1.0) } else { 1.0 };
                pull = pull.max(share * (1.0 + f64::EPSILON));
            }
        };
        for ((triple, sign), slack) in self.triples.iter().zip(&self.slack) {
            see(*slack, sign * excess(&self.start, *triple));
        }
        for ((terms, bound), slack) in self.general.iter().zip(&self.slack[self.triples.len()..]) {
            see(*slack, bound + sum(terms, &self.start));
        }
        for (place, (&value, &start)) in self.point.iter().zip(&self.start).enumerate() {
            see(value - self.low[place], start - self.low[place]);
            see(self.high[place] - value, self.high[place] - start);
            if self.ordered[place] {
                see(self.point[place + 1] - value, self.start[place + 1] - start);
            }
        }
        pull.min(1.0)
    }

    /// The chord along a direction of all unknowns.
    pub(super) fn chord(&mut self, direction: &[f64]) -> Chord {
        let mut chord = Chord::LONG;
        let relations = self.triples.iter().zip(&self.slack).zip(&mut self.change);
        for (((triple, sign), slack), change) in relations {
            *change = sign * excess(direction, *triple);
            chord.cut(*slack, *change);
        }
        let first = self.triples.len();
        let relations = self.general.iter().zip(&self.slack[first..]).zip(&mut self.change[first..]);
        for (((terms, _), slack), change) in relations {
            *change = sum(terms, direction);
            chord.cut(*slack, *change);
        }
        for place in 0..direction.len() {
            self.cut_by_neighbours(place, direction, &mut chord);
        }
        chord
    }

    /// Moves along the direction whose chord was asked for last.
    pub(super) fn advance(&mut self, direction: &[f64], length: f64) {
        self.slack.iter_mut().zip(&self.change).for_each(|(slack, change)| *slack += length * change);
        for (place, step) in direction.iter().enumerate() {
            self.shift(place, length * step);
        }
        self.count_step();
    }

    /// The chord along a direction in which only these unknowns move.
    pub(super) fn chord_of(&mut self, movers: &[usize], direction: &[f64]) -> Chord {
        self.touched.iter().for_each(|relation| self.partial[*relation as usize] = 0.0);
        self.touched.clear();
        for &mover in movers {
            for &(relation, factor) in &self.incidence[mover] {
                let change = &mut self.partial[relation as usize];
                if *change == 0.0 {
                    self.touched.push(relation);
                }
                *change += factor * direction[mover];
            }
        }
        let mut chord = Chord::LONG;
        self.touched
            .iter()
            .for_each(|relation| chord.cut(self.slack[*relation as usize], self.partial[*relation as usize]));
        for &mover in movers {
            self.cut_by_neighbours(mover, direction, &mut chord);
            if mover > 0 && self.ordered[mover - 1] {
                self.cut_by_neighbours(mover - 1, direction, &mut chord);
            }
        }
        chord
    }

    /// Moves these unknowns along the direction whose chord was asked for last.
    pub(super) fn advance_of(&mut self, movers: &[usize], direction: &[f64], length: f64) {
        for relation in self.touched.drain(..) {
            // A relation that is listed twice has no change left the second time.
            self.slack[relation as usize] += length * std::mem::take(&mut self.partial[relation as usize]);
        }
        for &mover in movers {
            self.shift(mover, length * direction[mover]);
        }
        self.count_step();
    }

    /// The chord along one unknown.
    pub(super) fn chord_at(&self, place: usize) -> Chord {
        let value = self.point[place];
        let mut chord = Chord { back: self.low[place] - value, ahead: self.high[place] - value };
        for &(relation, factor) in &self.incidence[place] {
            chord.cut(self.slack[relation as usize], factor);
        }
        if self.ordered[place] {
            chord.ahead = chord.ahead.min(self.point[place + 1] - value);
        }
        if place > 0 && self.ordered[place - 1] {
            chord.back = chord.back.max(self.point[place - 1] - value);
        }
        chord
    }

    /// Moves one unknown.
    pub(super) fn advance_at(&mut self, place: usize, length: f64) {
        for &(relation, factor) in &self.incidence[place] {
            self.slack[relation as usize] += length * factor;
        }
        self.shift(place, length);
        self.count_step();
    }

    /// Domain, and order with the next unknown.
    fn cut_by_neighbours(&self, place: usize, direction: &[f64], chord: &mut Chord) {
        let (value, step) = (self.point[place], direction[place]);
        chord.cut(value - self.low[place], step);
        chord.cut(self.high[place] - value, -step);
        if self.ordered[place] {
            chord.cut(self.point[place + 1] - value, direction[place + 1] - step);
        }
    }

    fn shift(&mut self, place: usize, length: f64) {
        self.point[place] = (self.point[place] + length).clamp(self.low[place], self.high[place]);
    }

    fn count_step(&mut self) {
        self.since += 1;
        if self.since as usize >= FRESH.max(self.slack.len() / 16) {
            self.refresh();
        }
    }
}

/// By how much the distance to the right exceeds the distance to the left.
fn excess(point: &[f64], [left, middle, right]: [u32; 3]) -> f64 {
    point[left as usize] + point[right as usize] - 2.0 * point[middle as usize]
}

fn sum(terms: &[(u32, f64)], point: &[f64]) -> f64 {
    terms.iter().map(|&(unknown, factor)| factor * point[unknown as usize]).sum()
}
