//! Walks among whole numbers: `integer = "exact"` breaks nothing.
//!
//! Rounding a point moves `left + right - 2 × middle` by up to 2 units, which breaks some localities. So the rounded point is
//! repaired: one value after the other goes to the nearest whole number between its bounds, while anything is broken. If
//! that does not end, the walk starts at the data, which break nothing. Then come sweeps among whole numbers. Each value goes to any
//! number between its bounds. Tails of the segment, and all of it, go to any place where nothing breaks. Distinct
//! values stay distinct where the order is kept.
//!
//! Where equations hold, single values cannot move. Each step then goes along a circuit ([`Circuits`]) of whole numbers, to
//! any place of its chord. Nothing is repaired: a point that breaks something is replaced by the data.
//!
//! Limit: whole numbers may be too few for all to be reached from each other; no law is promised.

use super::circuit::{CircuitMove, Circuits};
use super::locality::NeighbourSide;
use super::region::LinearRelation;
use super::relation::Unknown;
use super::settle::{whole, whole_multiple};
use super::system::{KeptLocalities, SystemTies};
use crate::random::Stream;
use crate::walk::stored;

/// Rounds of repair after which it is given up.
const REPAIRS: u32 = 200;
/// Sweeps among whole numbers.
const SWEEPS: u32 = 16;
/// The same along circuits, which move few values at a time.
const CIRCUIT_SWEEPS: u32 = 64;
/// Shifts of tails after each sweep, for each segment.
const SHIFTS: u32 = 4;

/// A relation in whole numbers: the sum of factor × unknown is at most the bound.
struct WholeRelation {
    terms: Vec<(u32, i128)>,
    bound: i128,
}

/// The values of a system as whole numbers.
pub(super) struct WholeValues {
    pub values: Vec<i128>,
    data: Vec<i128>,
    ends: Vec<(i128, i128)>,
    blocks: Vec<std::ops::Range<usize>>,
    relations: Vec<WholeRelation>,
    incidence: Vec<Vec<(u32, i128)>>,
    equations: Vec<WholeRelation>,
}

impl WholeValues {
    /// From a rounded point, one list of values for each segment.
    pub(super) fn new(tied: &SystemTies<'_>, rounded: &[Vec<i128>]) -> Self {
        let segments = &tied.segments;
        let mut whole = Self {
            values: rounded.concat(),
            data: segments.iter().flat_map(|segment| segment.values.iter().copied()).collect(),
            ends: segments.iter().flat_map(|segment| segment.values.iter().map(|_| segment.ends())).collect(),
            blocks: Vec::new(),
            relations: Vec::new(),
            incidence: Vec::new(),
            equations: Vec::new(),
        };
        whole.incidence = vec![Vec::new(); whole.values.len()];
        for (segment, kept) in segments.iter().zip(&tied.kept) {
            let begin = whole.blocks.last().map_or(0, |block| block.end);
            let block = begin..begin + segment.values.len();
            whole.blocks.push(block.clone());
            whole.take_segment(block, kept, tied.order);
        }
        for relation in &tied.relations {
            let place = |(segment, place): &Unknown| whole.blocks[*segment as usize].start + usize::from(*place);
            let factors = relation.exact.terms.iter().map(|term| term.1);
            let terms: Vec<(usize, i128)> = relation.unknowns.iter().map(place).zip(factors).collect();
            whole.add(&terms, relation.exact.bound, relation.exact.is_equation);
        }
        whole
    }

    fn take_segment(&mut self, block: std::ops::Range<usize>, kept: &KeptLocalities, order: bool) {
        let begin = block.start;
        for one in &kept.localities {
            let sign = if one.nearer == NeighbourSide::Left { 1 } else { -1 };
            let [left, middle, right] = [one.left, one.middle, one.right].map(|place| begin + usize::from(place));
            self.add(&[(left, -sign), (middle, 2 * sign), (right, -sign)], 0, false);
        }
        for tie in &kept.ties {
            let [left, middle, right] = tie.map(|place| begin + usize::from(place));
            self.add(&[(left, -1), (middle, 2), (right, -1)], 0, true);
        }
        for place in block.skip(1).filter(|_| order) {
            self.add(&[(place - 1, 1), (place, -1)], -1, false);
        }
    }

    fn add(&mut self, terms: &[(usize, i128)], bound: i128, is_equation: bool) {
        let number = stored(self.relations.len());
        let place = |unknown: usize| stored(unknown);
        let own = terms.iter().map(|&(unknown, factor)| (place(unknown), factor)).collect();
        let relation = WholeRelation { terms: own, bound };
        if is_equation {
            self.equations.push(relation);
            return;
        }
        for &(unknown, factor) in terms {
            self.incidence[unknown].push((number, factor));
        }
        self.relations.push(relation);
    }

    fn slack(&self, relation: &WholeRelation) -> i128 {
        relation.bound
            - relation.terms.iter().map(|&(unknown, factor)| factor * self.values[unknown as usize]).sum::<i128>()
    }

    /// How many relations are broken.
    pub(super) fn broken(&self) -> usize {
        self.relations.iter().filter(|relation| self.slack(relation) < 0).count()
            + self.equations.iter().filter(|equation| self.slack(equation) != 0).count()
    }

    /// What the relations and the domain leave to an unknown; the lower end may be above the upper one.
    fn interval(&self, place: usize) -> (i128, i128) {
        let (mut low, mut high) = self.ends[place];
        let value = self.values[place];
        for &(number, factor) in &self.incidence[place] {
            let room = self.slack(&self.relations[number as usize]).div_euclid(factor.abs());
            if factor > 0 {
                high = high.min(value + room);
            } else {
                low = low.max(value - room);
            }
        }
        (low, high)
    }

    /// Walks until nothing is broken, and on.
    pub(super) fn walk(&mut self, stream: &mut Stream) {
        if !self.equations.is_empty() {
            return self.walk_along_circuits(stream);
        }
        if !self.repair() {
            self.values.clone_from(&self.data);
        }
        for _ in 0..SWEEPS {
            for place in 0..self.values.len() {
                let (low, high) = self.interval(place);
                self.values[place] = between(low, high, stream).unwrap_or(self.values[place]);
            }
            for number in 0..self.blocks.len() {
                let block = self.blocks[number].clone();
                self.shift(block.clone(), stream);
                for _ in 0..SHIFTS {
                    self.shift(block.start + stream.below(block.len())..block.end, stream);
                }
            }
        }
    }

    fn walk_along_circuits(&mut self, stream: &mut Stream) {
        if self.broken() > 0 {
            self.values.clone_from(&self.data);
        }
        let framed = |equation: &WholeRelation| LinearRelation {
            terms: equation.terms.iter().map(|&(unknown, factor)| (unknown, factor as f64)).collect(),
            bound: 0.0,
        };
        let equations: Vec<LinearRelation> = self.equations.iter().map(framed).collect();
        let mut circuits = Circuits::new(self.values.len(), &equations);
        let mut moves = Vec::new();
        for _ in 0..CIRCUIT_SWEEPS {
            circuits.renew(stream);
            for place in 0..self.values.len() {
                circuits.draw(place, &mut moves, stream);
                self.circle(&moves, stream);
            }
        }
        if self.broken() > 0 {
            self.values.clone_from(&self.data);
        }
    }

    /// Goes along a direction to any place where nothing breaks.
    fn circle(&mut self, moves: &[CircuitMove], stream: &mut Stream) {
        let Some(units) = whole_multiple(&moves.iter().map(|one| one.1)) else { return };
        let steps: Vec<(usize, i128)> =
            moves.iter().map(|&(mover, step)| (mover, whole(step * f64::from(units)))).collect();
        let (mut back, mut ahead) = (i128::MIN, i128::MAX);
        let mut cut = |slack: i128, change: i128| {
            if change > 0 {
                ahead = ahead.min(slack.div_euclid(change));
            } else if change < 0 {
                back = back.max(-slack.div_euclid(-change));
            }
        };
        let mut touched: Vec<u32> = Vec::new();
        for &(mover, step) in &steps {
            let (low, high) = self.ends[mover];
            cut(high - self.values[mover], step);
            cut(self.values[mover] - low, -step);
            touched.extend(self.incidence[mover].iter().map(|relation| relation.0));
        }
        touched.sort_unstable();
        touched.dedup();
        let step_of = |unknown: u32| steps.iter().find(|step| step.0 == unknown as usize).map_or(0, |step| step.1);
        for number in touched {
            let relation = &self.relations[number as usize];
            let change: i128 = relation.terms.iter().map(|&(unknown, factor)| factor * step_of(unknown)).sum();
            cut(self.slack(relation), change);
        }
        if back <= 0
            && ahead >= 0
            && let Some(length) = between(back, ahead, stream)
        {
            for &(mover, step) in &steps {
                self.values[mover] += length * step;
            }
        }
    }

    /// Whether single values, moved one after the other, come to break nothing.
    fn repair(&mut self) -> bool {
        for _ in 0..REPAIRS {
            if self.broken() == 0 {
                return true;
            }
            for place in 0..self.values.len() {
                let (low, high) = self.interval(place);
                self.values[place] = if low <= high { self.values[place].clamp(low, high) } else { high.midpoint(low) };
            }
        }
        self.broken() == 0
    }

    /// Moves a run of values by the same amount, to any place where nothing breaks.
    fn shift(&mut self, run: std::ops::Range<usize>, stream: &mut Stream) {
        let (mut back, mut ahead) = (i128::MIN, i128::MAX);
        for place in run.clone() {
            back = back.max(self.ends[place].0 - self.values[place]);
            ahead = ahead.min(self.ends[place].1 - self.values[place]);
        }
        for relation in &self.relations {
            let moving = relation.terms.iter().filter(|(unknown, _)| run.contains(&(*unknown as usize)));
            let change: i128 = moving.map(|(_, factor)| factor).sum();
            if change != 0 {
                let room = self.slack(relation).div_euclid(change.abs());
                if change > 0 { ahead = ahead.min(room) } else { back = back.max(-room) }
            }
        }
        if let Some(amount) = between(back, ahead, stream) {
            self.values[run].iter_mut().for_each(|value| *value += amount);
        }
    }
}

/// Any whole number between two, both included.
fn between(low: i128, high: i128, stream: &mut Stream) -> Option<i128> {
    let count = usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?;
    (count > 0).then(|| low + stream.below(count) as i128)
}
