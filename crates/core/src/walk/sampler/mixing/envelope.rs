//! Which bounds can matter: an exact short list.
//!
//! `2m ≤ l + r` says `m ≤ l/2 + r/2`, `l ≥ 2m - r` and `r ≥ 2m - l`. Every bound on an unknown is thus the sum of two
//! [`Multiples`]: half, double or minus other unknowns. Of the many bounds on an unknown few are ever the tightest. A box is
//! kept around the point, and a bound that can cut the box nowhere is not listed. When the interval of an unknown reaches
//! out of the box, the box is widened and the bounds that can now cut it are listed.
//!
//! Rounding is monotone, so a bound computed at a corner of the box is never tighter than the same bound computed inside:
//! leaving it off changes no bit of the walk.
//!
//! Source: our own.

use crate::walk::locality::{Locality, NeighbourSide};

/// Entries of [`Multiples`]: as many as a pair of 16-bit numbers can name, so that no index needs a check.
pub(super) const ENTRIES: usize = 1 << 16;

/// The most unknowns whose halves, doubles and negatives have room.
const LARGEST: usize = ENTRIES / 3;

/// The least by which a box is widened, so that widening comes to an end.
const NARROWEST: f64 = 1e-12;

/// Half, double and minus each unknown, one list after the other.
pub(super) struct Multiples(Box<[f64; ENTRIES]>);

/// Two entries of [`Multiples`] whose sum is a bound.
pub(super) type BoundSum = [u16; 2];

impl Multiples {
    /// Of no unknown yet; made on the heap, because it is too large for some stacks.
    pub(super) fn new() -> Option<Self> {
        vec![0.0; ENTRIES].into_boxed_slice().try_into().ok().map(Self)
    }

    /// Writes one of `size` unknowns; where these are the ends of a box, `other` is the other end.
    #[inline]
    pub(super) fn write(&mut self, size: usize, place: usize, value: f64, other: f64) {
        self.0[place & (ENTRIES - 1)] = value * 0.5;
        self.0[(size + place) & (ENTRIES - 1)] = value * 2.0;
        self.0[(2 * size + place) & (ENTRIES - 1)] = -other;
    }

    /// Reads a bound.
    #[inline]
    pub(super) fn read(&self, [one, other]: BoundSum) -> f64 {
        self.0[usize::from(one)] + self.0[usize::from(other)]
    }
}

/// A bound on an unknown.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnknownBound {
    /// The unknown.
    target: u16,
    pub sum: BoundSum,
    is_upper: bool,
}

impl UnknownBound {
    /// The number of its list where each unknown has two, lower bounds and upper ones.
    pub(super) fn list(self) -> usize {
        usize::from(self.target) * 2 + usize::from(self.is_upper)
    }
}

/// The three bounds of a locality among `size` unknowns.
pub(super) fn bounds(locality: Locality, size: u16) -> [UnknownBound; 3] {
    let Locality { left, middle, right, nearer } = locality;
    let is_upper = nearer == NeighbourSide::Left;
    let bound = |target, one, other, is_upper| UnknownBound { target, sum: [one, other], is_upper };
    [
        bound(middle, left, right, is_upper),
        bound(left, size + middle, 2 * size + right, !is_upper),
        bound(right, size + middle, 2 * size + left, !is_upper),
    ]
}

/// The listed bounds of each unknown.
pub(super) struct Envelope<'a> {
    localities: &'a [Locality],
    size: u16,
    /// The localities of each unknown, one list after the other, and where each begins.
    incidence: Vec<u32>,
    begins: Vec<usize>,
    /// Which of the three bounds of a locality are listed.
    listed: Vec<[bool; 3]>,
    /// The listed upper and lower bounds of each unknown.
    pub upper: Vec<Vec<BoundSum>>,
    pub lower: Vec<Vec<BoundSum>>,
    pub corners: Corners,
}

/// A box around the point, and the smallest and largest multiples that each unknown can have within it.
pub(super) struct Corners {
    pub low: Vec<f64>,
    pub high: Vec<f64>,
    smallest: Multiples,
    largest: Multiples,
}

impl Corners {
    fn set(&mut self, place: usize, low: f64, high: f64) {
        let size = self.low.len();
        (self.low[place], self.high[place]) = (low, high);
        self.smallest.write(size, place, low, high);
        self.largest.write(size, place, high, low);
    }

    /// Whether a bound cuts the box for some point of it.
    fn can_be_cut_by(&self, bound: UnknownBound) -> bool {
        let target = usize::from(bound.target);
        if bound.is_upper {
            self.smallest.read(bound.sum) < self.high[target]
        } else {
            self.largest.read(bound.sum) > self.low[target]
        }
    }
}

impl<'a> Envelope<'a> {
    /// Around nothing yet: no bound is listed.
    pub(super) fn new(size: usize, localities: &'a [Locality]) -> Option<Self> {
        let (begins, incidence) = incidence(size, localities);
        Some(Self {
            localities,
            size: u16::try_from(size).ok().filter(|size| usize::from(*size) <= LARGEST)?,
            incidence,
            begins,
            listed: vec![[false; 3]; localities.len()],
            upper: vec![Vec::new(); size],
            lower: vec![Vec::new(); size],
            corners: Corners {
                low: vec![0.0; size],
                high: vec![0.0; size],
                smallest: Multiples::new()?,
                largest: Multiples::new()?,
            },
        })
    }

    /// Lists anew, for a box of these ends.
    pub(super) fn enclose(&mut self, low: &[f64], high: &[f64]) {
        self.upper.iter_mut().chain(&mut self.lower).for_each(Vec::clear);
        for place in 0..low.len() {
            self.corners.set(place, low[place], high[place]);
        }
        for (locality, listed) in self.localities.iter().zip(&mut self.listed) {
            *listed = [false; 3];
            for (bound, listed) in bounds(*locality, self.size).into_iter().zip(listed) {
                *listed = self.corners.can_be_cut_by(bound);
                if *listed {
                    list(bound, &mut self.upper, &mut self.lower);
                }
            }
        }
    }

    /// Widens the box at one unknown by half its width on the sides asked for, and lists what can now matter.
    pub(super) fn widen(&mut self, place: usize, down: bool, up: bool) {
        let (low, high) = (self.corners.low[place], self.corners.high[place]);
        let half = ((high - low) * 0.5).max(NARROWEST);
        self.corners.set(place, if down { low - half } else { low }, if up { high + half } else { high });
        for &number in &self.incidence[self.begins[place]..self.begins[place + 1]] {
            let place = number as usize;
            for (bound, listed) in bounds(self.localities[place], self.size).into_iter().zip(&mut self.listed[place]) {
                if !*listed && self.corners.can_be_cut_by(bound) {
                    *listed = true;
                    list(bound, &mut self.upper, &mut self.lower);
                }
            }
        }
    }
}

fn list(bound: UnknownBound, upper: &mut [Vec<BoundSum>], lower: &mut [Vec<BoundSum>]) {
    let lists = if bound.is_upper { upper } else { lower };
    lists[usize::from(bound.target)].push(bound.sum);
}

/// The numbers of the localities in which each unknown stands.
fn incidence(size: usize, localities: &[Locality]) -> (Vec<usize>, Vec<u32>) {
    let places = |one: &Locality| [one.left, one.middle, one.right].map(usize::from);
    let mut begins = vec![0; size + 1];
    localities.iter().flat_map(places).for_each(|place| begins[place + 1] += 1);
    for place in 0..size {
        begins[place + 1] += begins[place];
    }
    let mut next = begins.clone();
    let mut incidence = vec![0; localities.len() * 3];
    for (number, locality) in (0_u32..).zip(localities) {
        for place in places(locality) {
            incidence[next[place]] = number;
            next[place] += 1;
        }
    }
    (begins, incidence)
}
