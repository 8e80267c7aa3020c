//! Rounding that keeps equations to the last digit.
//!
//! A walk ends at a point of floats; what is released are whole numbers of units, and their sums must be those of the data
//! exactly. The data are such whole numbers, so it is enough to leave them along whole-number vectors that change no sum:
//!
//! 1. The unknowns of some classes, the pivots, take up what others leave ([`Circuits`]). If one unit of a value asks for
//!    a fraction of a unit of its pivots, the value moves by as many units at once, q, as ask for whole ones.
//! 2. Every value goes to the nearest number that is q steps from its data; order and domain are kept. Nothing is
//!    lost by that where factors are 1: q is 1, and this is plain rounding.
//! 3. What the sums are off by is now a whole number of steps for each pivot class. These steps go to those of its values
//!    that rounding moved farthest the other way, one unit each, within order and domain.
//!
//! So values stay within few units of where the walk left them, and within one where factors are 1 and there is room. At the end
//! the sums are added up in whole numbers, and what is not exact is refused. Then other pivots are drawn and tried. If all
//! fail, the caller walks among whole numbers, from the data.
//!
//! Source: our own; controlled rounding after Cox 1987.

use super::circuit::Circuits;
use super::region::LinearRelation;
use super::relation::Unknown;
use super::stored;
use super::system::SystemTies;
use crate::random::Stream;

/// How often other pivots are tried.
const TRIES: u32 = 8;

/// The most units that a value moves at once.
const MOST_UNITS: u16 = 1000;

/// What counts as a whole number.
const WHOLE: f64 = 1e-6;

/// The values of a system, one after the other.
struct SystemSettlement {
    data: Vec<i128>,
    ends: Vec<(i128, i128)>,
    /// Where the walk left each value: its distance from the data, in units.
    moved: Vec<f64>,
    /// Whether the unknown may not pass the next one.
    ordered: Vec<bool>,
    equations: Vec<ExactSum>,
    values: Vec<i128>,
}

struct ExactSum {
    terms: Vec<(usize, i128)>,
    bound: i128,
}

/// Whole numbers near the point that keep every equation of the properties; `None` where none were found.
pub(super) fn settle(tied: &SystemTies<'_>, point: &[f64], stream: &mut Stream) -> Option<Vec<i128>> {
    let mut settling = SystemSettlement::new(tied, point);
    let framed = |sum: &ExactSum| LinearRelation {
        terms: sum.terms.iter().map(|&(unknown, factor)| (stored(unknown), factor as f64)).collect(),
        bound: 0.0,
    };
    let equations: Vec<LinearRelation> = settling.equations.iter().map(framed).collect();
    let mut circuits = Circuits::new(point.len(), &equations);
    for _ in 0..TRIES {
        if settling.attempt(&circuits).is_some() && settling.is_exact() {
            return Some(settling.values);
        }
        circuits.renew(stream);
    }
    None
}

impl SystemSettlement {
    fn new(tied: &SystemTies<'_>, point: &[f64]) -> Self {
        let mut settling = Self {
            data: Vec::new(),
            ends: Vec::new(),
            moved: Vec::new(),
            ordered: Vec::new(),
            equations: Vec::new(),
            values: Vec::new(),
        };
        let mut offsets = Vec::with_capacity(tied.segments.len());
        let mut rest = point;
        for segment in &tied.segments {
            offsets.push(settling.data.len());
            let (own, after) = rest.split_at(segment.values.len());
            rest = after;
            let origin = segment.origin();
            for (place, (&data, value)) in segment.values.iter().zip(own).enumerate() {
                let distance = if segment.can_move() { value * segment.scale() - (data - origin) as f64 } else { 0.0 };
                settling.moved.push(distance);
                settling.data.push(data);
                settling.ends.push(if segment.can_move() { segment.ends() } else { (data, data) });
                settling.ordered.push(tied.order && place + 1 < own.len());
            }
        }
        let place = |(segment, place): &Unknown| offsets[*segment as usize] + usize::from(*place);
        for relation in tied.relations.iter().filter(|relation| relation.exact.is_equation) {
            let factors = relation.exact.terms.iter().map(|term| term.1);
            let terms = relation.unknowns.iter().map(place).zip(factors).collect();
            settling.equations.push(ExactSum { terms, bound: relation.exact.bound });
        }
        settling
    }

    fn is_exact(&self) -> bool {
        self.equations.iter().all(|sum| self.rest(sum) == Some(0))
    }

    /// What a sum lacks.
    fn rest(&self, sum: &ExactSum) -> Option<i128> {
        let add = |so_far: i128, &(unknown, factor): &(usize, i128)| {
            so_far.checked_sub(factor.checked_mul(self.values[unknown])?)
        };
        sum.terms.iter().try_fold(sum.bound, add)
    }

    fn attempt(&mut self, circuits: &Circuits) -> Option<()> {
        let pivots: Vec<PivotClass> =
            circuits.pivots().map(|(place, members)| PivotClass::new(place, members)).collect();
        let units = self.units(circuits, &pivots)?;
        self.round(&units)?;
        let rest: Vec<f64> = self.equations.iter().map(|sum| Some(self.rest(sum)? as f64)).collect::<Option<_>>()?;
        for (pivot, amount) in pivots.iter().zip(circuits.in_pivots(&rest)?) {
            self.distribute(pivot, amount)?;
        }
        Some(())
    }

    /// For each value by how many units it moves at once.
    fn units(&self, circuits: &Circuits, pivots: &[PivotClass]) -> Option<Vec<u16>> {
        let mut units = vec![1; self.data.len()];
        for (members, followers) in circuits.classes() {
            let pivot = |class: u32| pivots.iter().find(|pivot| pivot.class == class);
            let shares: Vec<f64> =
                followers.iter().map(|(class, factor)| Some(factor / pivot(*class)?.step)).collect::<Option<_>>()?;
            for &(unknown, factor) in members {
                units[unknown as usize] = whole_multiple(&shares.iter().map(|share| share * factor))?;
            }
        }
        for pivot in pivots {
            for &(unknown, factor) in &pivot.others {
                units[unknown as usize] = whole_multiple(&std::iter::once(factor / pivot.step))?;
            }
        }
        Some(units)
    }

    /// Each value to the nearest number that is so many steps from the data, in order and in its domain.
    fn round(&mut self, units: &[u16]) -> Option<()> {
        self.values.clear();
        for (place, &units) in units.iter().enumerate() {
            let (data, unit) = (self.data[place], i128::from(units));
            let (low, high) = self.ends[place];
            let before = place.checked_sub(1).filter(|before| self.ordered[*before]).map(|before| self.values[before]);
            let low = before.map_or(low, |before| before.max(low));
            let least = -(data - low).div_euclid(unit);
            let most = (high - data).div_euclid(unit);
            if least > most {
                return None;
            }
            let steps = whole(self.moved[place] / f64::from(units));
            self.values.push(data + steps.clamp(least, most) * unit);
        }
        Some(())
    }

    /// Gives steps to the values of a pivot class.
    fn distribute(&mut self, pivot: &PivotClass, amount: f64) -> Option<()> {
        let steps = (amount / pivot.step).round();
        if (amount / pivot.step - steps).abs() > WHOLE * (1.0 + steps.abs()) {
            return None;
        }
        let mut left = whole(steps.abs());
        // How far beyond its place a value is once it has gone one unit the way that it must.
        let way = |is_opposite: bool| if (steps < 0.0) == is_opposite { 1_i128 } else { -1 };
        let beyond = |&(unknown, is_opposite): &(u32, bool)| {
            let place = unknown as usize;
            way(is_opposite) as f64 * ((self.values[place] - self.data[place]) as f64 - self.moved[place])
        };
        let mut members: Vec<(f64, (u32, bool))> = pivot.members.iter().map(|one| (beyond(one), *one)).collect();
        members.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        while left > 0 {
            let before = left;
            let at_once = (left / members.len().max(1) as i128).max(1);
            for &(_, (unknown, is_opposite)) in &members {
                left -= self.step(unknown as usize, way(is_opposite), at_once.min(left));
            }
            if left == before {
                return None;
            }
        }
        Some(())
    }

    /// Moves a value up or down by at most so many units; how many it were.
    fn step(&mut self, place: usize, way: i128, most: i128) -> i128 {
        let value = self.values[place];
        let (low, high) = self.ends[place];
        let above = self.values.get(place + 1).copied().filter(|_| self.ordered[place]);
        let below = place.checked_sub(1).filter(|below| self.ordered[*below]).map(|below| self.values[below]);
        let room = if way > 0 {
            above.map_or(high, |above| above.min(high)) - value
        } else {
            value - below.map_or(low, |below| below.max(low))
        };
        let moved = room.clamp(0, most);
        self.values[place] += way * moved;
        moved
    }
}

/// A class that takes up what others leave.
struct PivotClass {
    class: u32,
    /// The least factor of its members.
    step: f64,
    /// The members of that factor, and whether theirs has the other sign.
    members: Vec<(u32, bool)>,
    /// The other members.
    others: Vec<(u32, f64)>,
}

impl PivotClass {
    fn new(class: u32, members: &[(u32, f64)]) -> Self {
        let step = members.iter().map(|member| member.1.abs()).fold(f64::INFINITY, f64::min);
        let is_least = |factor: f64| factor.abs() <= step * (1.0 + WHOLE);
        Self {
            class,
            step,
            members: members.iter().filter(|one| is_least(one.1)).map(|one| (one.0, one.1 < 0.0)).collect(),
            others: members.iter().filter(|one| !is_least(one.1)).copied().collect(),
        }
    }
}

/// The least number of units of which all shares are whole numbers.
pub(super) fn whole_multiple(shares: &(impl Iterator<Item = f64> + Clone)) -> Option<u16> {
    let is_whole = |share: f64| (share - share.round()).abs() <= WHOLE * (1.0 + share.abs() * WHOLE);
    (1..=MOST_UNITS).find(|units| shares.clone().all(|share| is_whole(share * f64::from(*units))))
}

/// A float as the nearest whole number.
#[allow(clippy::cast_possible_truncation)] // distances within a domain of less than 2^101 units
pub(super) fn whole(number: f64) -> i128 {
    number.round() as i128
}
