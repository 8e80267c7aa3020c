//! t-closeness: `distance(class, whole table) ≤ t`.
//!
//! The distance is what it costs to move the one distribution into the other. With *equal* distances all that is moved
//! costs 1. In an *order* each step between neighbours costs one through the number of steps from end to end, and what
//! passes a step is what both sides of it differ by. On a *ladder* of height H a share that finds its place below a
//! label of level i costs i / H; below each label as much finds its place as the smaller of what is too much and
//! too little there.
//!
//! All is told in parts of the product of both sizes, in whole numbers.
//!
//! Source: Li, Li & Venkatasubramanian, t-closeness, ICDE 2007.

use super::exact::is_at_most;
use super::{ANY, Member, Model, Needs, ValueCounts, WholeTable};
use crate::decimal::Decimal;

pub(super) const MEMBER: Member = Member {
    name: "t-closeness",
    reads: ANY,
    keys: &["variable", "t", "distance"],
    takes: "t-closeness takes a variable, t from 0 to 1, a distance that is known, and nothing else",
    sentence: "t-closeness of {variable} with t = {t} by {distance} distance",
    claim: "every class is at most {t} from the {owner}, by {distance} distance, in how {variable} spreads over {unit}",
    model: |given| {
        let t = given.share("t")?;
        let (name, distance, needs) = given.choice("distance", &DISTANCES.map(|distance| (distance.0, distance)))?;
        let model = Model::of_class(move |class, whole| is_close(class.values, whole, t, distance).unwrap_or(false));
        Some(Model { needs, words: vec![("distance", name.to_owned())], ..model })
    },
};

const DISTANCES: [(&str, Distance, Needs); 3] = [
    ("equal", Distance::Equal, Needs::Whole),
    ("ordered", Distance::Ordered, Needs::Order),
    ("hierarchical", Distance::Hierarchical, Needs::Ladder),
];

/// How far values are apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Distance {
    Equal,
    Ordered,
    Hierarchical,
}

/// Whether a class is near enough; nothing where that cannot be told.
fn is_close(class: &ValueCounts, whole: &WholeTable, t: Decimal, distance: Distance) -> Option<bool> {
    let excess = whole.excess(class)?;
    let (cost, most) = match distance {
        Distance::Equal => (too_much(excess.iter().copied())?, 1),
        Distance::Ordered => (steps(&excess, whole.order.as_deref()?)?, (whole.distinct() as u128).max(2) - 1),
        Distance::Hierarchical => moved(&excess, whole.ladder.as_deref()?)?,
    };
    let [numerator, denominator] = t.ratio()?;
    let sizes = u128::from(class.values().sum::<u64>()).checked_mul(u128::from(whole.total()))?;
    Some(is_at_most([cost, denominator], [numerator.checked_mul(most)?, sizes]))
}

/// The sum of what there is too much of.
fn too_much(excess: impl Iterator<Item = i128>) -> Option<u128> {
    let over = |excess: i128| u128::try_from(excess).unwrap_or(0);
    excess.map(over).try_fold(0_u128, u128::checked_add)
}

/// What passes each step of an order, summed up.
fn steps(excess: &[i128], places: &[usize]) -> Option<u128> {
    let mut sorted = vec![0_i128; excess.len()];
    for (amount, place) in excess.iter().zip(places) {
        *sorted.get_mut(*place)? = *amount;
    }
    let (mut carried, mut cost) = (0_i128, 0_u128);
    for amount in sorted {
        carried = carried.checked_add(amount)?;
        cost = cost.checked_add(carried.unsigned_abs())?;
    }
    Some(cost)
}

/// What finds its place below each label, times its level, and the height.
fn moved(excess: &[i128], ladder: &[Vec<usize>]) -> Option<(u128, u128)> {
    let top = vec![0; excess.len()];
    // For each label of the level below: what is too much or too little, and one of its values.
    let mut below: Vec<(i128, usize)> = excess.iter().copied().zip(0..).collect();
    let mut cost = 0_u128;
    for (level, labels) in (1_u128..).zip(ladder.iter().chain([&top])) {
        let count = labels.iter().max().map_or(0, |most| most + 1);
        let mut here = vec![(0_u128, 0_u128, None); count];
        for (amount, value) in below {
            let (over, under, one) = here.get_mut(*labels.get(value)?)?;
            let sum = if amount > 0 { over } else { under };
            *sum = sum.checked_add(amount.unsigned_abs())?;
            *one = Some(value);
        }
        let found = here.iter().map(|(over, under, _)| *over.min(under)).try_fold(0_u128, u128::checked_add)?;
        cost = cost.checked_add(found.checked_mul(level)?)?;
        let rest = |(over, under, one): (u128, u128, Option<usize>)| {
            Some((i128::try_from(over).ok()? - i128::try_from(under).ok()?, one?))
        };
        below = here.into_iter().filter(|(.., one)| one.is_some()).map(rest).collect::<Option<_>>()?;
    }
    Some((cost, ladder.len() as u128 + 1))
}
