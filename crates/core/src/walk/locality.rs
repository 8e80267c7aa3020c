//! Localities: of two distances from a value, which is the larger one.
//!
//! For distinct values d₁ < … < dₙ and i < j < k, the value dⱼ is nearer to dᵢ or nearer to dₖ. Kept for new values x that
//! is a linear relation: `2xⱼ ≤ xᵢ + xₖ` or `≥`. Equal distances say nothing: with either sign the data would lie on the
//! edge of what is allowed, and a walk that starts on many edges at once does not move.
//!
//! There are about n³/6 localities. Given the order of the values, far fewer imply the rest. [`neighbours`] lists those of the
//! published algorithm, about 0.74 n²; [`staircase`] lists about 0.25 n² that imply the same. A share of localities is drawn from
//! the former, so that `theta` means what it means in the paper. Distances are compared in whole numbers.
//!
//! Limit: without order relations neither list implies all localities, and not even all of them imply the order. The published
//! list is kept as it is published; how many localities came out the other way is counted ([`super::reversal`]).
//!
//! Source: Xue et al. 2011, Algorithm 1. Both lists take O(n²) steps: two pointers move along while i goes down.

use std::ops::{Add, Sub};

/// A comparison of the two distances from the middle one of three values; places in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Locality {
    /// The smallest value's place.
    pub left: u16,
    /// The place of the value in between.
    pub middle: u16,
    /// The largest value's place.
    pub right: u16,
    /// Which of the two the middle one is nearer to.
    pub nearer: NeighbourSide,
}

/// One of two neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NeighbourSide {
    /// The smaller one: 2 × middle ≤ left + right.
    Left,
    /// The larger one: 2 × middle ≥ left + right.
    Right,
}

impl Locality {
    /// How far the relation is from being broken: its slack, negative when it is broken.
    #[must_use]
    pub fn slack(self, point: &[f64]) -> f64 {
        let at = |place: u16| point.get(usize::from(place)).copied().unwrap_or(f64::NAN);
        let excess = at(self.left) + at(self.right) - 2.0 * at(self.middle);
        if self.nearer == NeighbourSide::Left { excess } else { -excess }
    }

    /// Whether whole numbers keep it.
    #[must_use]
    pub fn holds(self, values: &[i128]) -> bool {
        let at = |place: u16| values.get(usize::from(place)).copied().unwrap_or(0);
        let excess = at(self.left) + at(self.right) - 2 * at(self.middle);
        if self.nearer == NeighbourSide::Left { excess >= 0 } else { excess <= 0 }
    }
}

/// How many comparisons of distances there are among the values: unequal ones, and equal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComparisonCounts {
    /// Localities.
    pub unequal: u64,
    /// Ties.
    pub equal: u64,
}

/// The localities of the published algorithm: for each pair of a left and a middle value, the last value that is nearer and
/// the first one that is farther. Values ascend strictly; at most 65,535 of them are looked at.
#[must_use]
pub fn neighbours(values: &[i128]) -> Vec<Locality> {
    match in_64_bits(values) {
        Some(distances) => neighbours_of(&distances),
        None => neighbours_of(values),
    }
}

/// Few localities from which, given the order, all others follow: for each middle value, go outwards on both sides at once
/// and compare each step with the one before.
#[must_use]
pub fn staircase(values: &[i128]) -> Vec<Locality> {
    match in_64_bits(values) {
        Some(distances) => staircase_of(&distances),
        None => staircase_of(values),
    }
}

/// The triples of values whose middle one is as far from either side.
#[must_use]
pub fn ties(values: &[i128]) -> Vec<[u16; 3]> {
    let mut list = Vec::new();
    visit(values, &mut |pair| {
        if pair.ends.nearer_end < pair.ends.farther {
            list.push([pair.left, pair.middle, place(pair.ends.nearer_end)]);
        }
    });
    list
}

/// How many comparisons there are, without listing them.
#[must_use]
pub fn count(values: &[i128]) -> ComparisonCounts {
    let mut counts = ComparisonCounts { unequal: 0, equal: 0 };
    visit(values, &mut |pair| {
        let equal = pair.ends.farther - pair.ends.nearer_end;
        counts.equal += equal as u64;
        counts.unequal += (values.len() - usize::from(pair.middle) - 1 - equal) as u64;
    });
    counts
}

/// A whole number in which distances are compared.
pub(super) trait WholeNumber: Copy + Ord + Add<Output = Self> + Sub<Output = Self> {}
impl WholeNumber for i64 {}
impl WholeNumber for i128 {}

/// The distances from the first value, if 64 bits hold twice as much: comparing them is then four times as fast.
fn in_64_bits(values: &[i128]) -> Option<Vec<i64>> {
    let first = *values.first()?;
    let narrow = |value: &i128| i64::try_from(value.checked_sub(first)?).ok().filter(|distance| *distance < 1 << 60);
    values.iter().map(narrow).collect()
}

/// Where the values to the right of a middle one stop being nearer than a left one, and where they begin to be farther.
#[derive(Clone, Copy)]
pub(super) struct RightEnds {
    /// The first value that is as far or farther.
    pub nearer_end: usize,
    /// The first value that is farther.
    pub farther: usize,
}

impl RightEnds {
    pub(super) fn beside(middle: usize) -> Self {
        Self { nearer_end: middle + 1, farther: middle + 1 }
    }

    /// Goes on to the next left value; they come in descending order.
    pub(super) fn advance<T: WholeNumber>(&mut self, values: &[T], middle: T, left: T) {
        let limit = middle + middle - left;
        while values.get(self.nearer_end).is_some_and(|right| *right < limit) {
            self.nearer_end += 1;
        }
        self.farther = self.farther.max(self.nearer_end);
        while values.get(self.farther).is_some_and(|right| *right <= limit) {
            self.farther += 1;
        }
    }
}

/// A left and a middle value.
struct LeftAndMiddle {
    left: u16,
    middle: u16,
    ends: RightEnds,
}

fn neighbours_of<T: WholeNumber>(values: &[T]) -> Vec<Locality> {
    let mut list = Vec::new();
    visit(values, &mut |pair| {
        let locality = |right, nearer| Locality { left: pair.left, middle: pair.middle, right: place(right), nearer };
        if pair.ends.nearer_end > usize::from(pair.middle) + 1 {
            list.push(locality(pair.ends.nearer_end - 1, NeighbourSide::Right));
        }
        if pair.ends.farther < values.len() {
            list.push(locality(pair.ends.farther, NeighbourSide::Left));
        }
    });
    list
}

/// Shows each pair of a left and a middle value, the left one going down.
fn visit<T: WholeNumber>(values: &[T], see: &mut impl FnMut(&LeftAndMiddle)) {
    for (middle, &value) in values.iter().enumerate().take(usize::from(u16::MAX)) {
        let mut ends = RightEnds::beside(middle);
        for (left, &other) in values.iter().enumerate().take(middle).rev() {
            ends.advance(values, value, other);
            see(&LeftAndMiddle { left: place(left), middle: place(middle), ends });
        }
    }
}

/// The values that are one and the same distance from a middle one.
#[derive(Clone, Copy, Default)]
struct DistanceRing {
    left: Option<u16>,
    right: Option<u16>,
}

fn staircase_of<T: WholeNumber>(values: &[T]) -> Vec<Locality> {
    let mut list = Vec::new();
    for (middle, &value) in values.iter().enumerate().take(usize::from(u16::MAX)) {
        let (mut left, mut right) = (values[..middle].iter().enumerate().rev().peekable(), middle + 1);
        let mut inner = DistanceRing::default();
        loop {
            let ring = next_ring(&mut left, values, &mut right, value);
            if ring.left.is_none() && ring.right.is_none() {
                break;
            }
            let locality = |left, right, nearer| Locality { left, middle: place(middle), right, nearer };
            list.extend(inner.right.zip(ring.left).map(|(right, left)| locality(left, right, NeighbourSide::Right)));
            list.extend(inner.left.zip(ring.right).map(|(left, right)| locality(left, right, NeighbourSide::Left)));
            inner = ring;
        }
    }
    list
}

/// The next ring outwards: on one side, or on both where the distances are equal.
fn next_ring<'a, T: WholeNumber + 'a>(
    left: &mut std::iter::Peekable<impl Iterator<Item = (usize, &'a T)>>,
    values: &[T],
    right: &mut usize,
    middle: T,
) -> DistanceRing {
    let left_distance = left.peek().map(|(_, value)| middle - **value);
    let right_distance = values.get(*right).map(|value| *value - middle);
    let takes_left = left_distance.is_some_and(|near| right_distance.is_none_or(|far| near <= far));
    let takes_right = right_distance.is_some_and(|near| left_distance.is_none_or(|far| near <= far));
    let mut ring = DistanceRing::default();
    if takes_left {
        ring.left = left.next().map(|(at, _)| place(at));
    }
    if takes_right {
        ring.right = Some(place(*right));
        *right += 1;
    }
    ring
}

/// A place among the values; a segment has fewer than 65,536.
fn place(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every locality, from the definition.
    fn all(values: &[i128]) -> Vec<Locality> {
        let mut list = Vec::new();
        for middle in 0..values.len() {
            for left in 0..middle {
                for right in middle + 1..values.len() {
                    let (near, far) = (values[middle] - values[left], values[right] - values[middle]);
                    if near != far {
                        let nearer = if near < far { NeighbourSide::Left } else { NeighbourSide::Right };
                        list.push(Locality { left: place(left), middle: place(middle), right: place(right), nearer });
                    }
                }
            }
        }
        list
    }

    /// The published algorithm, from its definition: no pointers.
    fn published(values: &[i128]) -> Vec<Locality> {
        let mut list = Vec::new();
        for middle in 0..values.len() {
            for left in (0..middle).rev() {
                let limit = 2 * values[middle] - values[left];
                let rights = || middle + 1..values.len();
                let locality =
                    |right, nearer| Locality { left: place(left), middle: place(middle), right: place(right), nearer };
                list.extend(rights().rev().find(|&k| values[k] < limit).map(|k| locality(k, NeighbourSide::Right)));
                list.extend(rights().find(|&k| values[k] > limit).map(|k| locality(k, NeighbourSide::Left)));
            }
        }
        list
    }

    fn numbered(list: &[Locality]) -> Vec<(u16, u16, u16, &'static str)> {
        let sign = |locality: &Locality| if locality.nearer == NeighbourSide::Left { "<=" } else { ">=" };
        list.iter().map(|one| (one.left + 1, one.middle + 1, one.right + 1, sign(one))).collect()
    }

    /// Whether the order and a listed locality add up to this one: the listed one reaches no less far on the side of the
    /// smaller distance and no farther on the other.
    fn is_implied(one: Locality, list: &[Locality]) -> bool {
        list.iter().filter(|other| other.middle == one.middle && other.nearer == one.nearer).any(|other| {
            match one.nearer {
                NeighbourSide::Left => other.left <= one.left && other.right <= one.right,
                NeighbourSide::Right => other.left >= one.left && other.right >= one.right,
            }
        })
    }

    #[test]
    fn the_constructed_example_comes_out() {
        let values = [1, 3, 6, 8, 10, 13];
        assert_eq!((count(&values), all(&values).len()), (ComparisonCounts { unequal: 18, equal: 2 }, 18));
        assert_eq!(
            numbered(&neighbours(&values)),
            [
                (1, 2, 3, "<="),
                (2, 3, 4, ">="),
                (2, 3, 5, "<="),
                (1, 3, 5, ">="),
                (1, 3, 6, "<="),
                (3, 4, 6, "<="),
                (2, 4, 5, ">="),
                (1, 4, 6, ">="),
                (4, 5, 6, "<="),
                (3, 5, 6, ">="),
                (2, 5, 6, ">="),
                (1, 5, 6, ">="),
            ]
        );
        let mut stairs = numbered(&staircase(&values));
        let mut wanted = vec![
            (1, 2, 3, "<="),
            (2, 3, 4, ">="),
            (2, 3, 5, "<="),
            (1, 3, 5, ">="),
            (1, 3, 6, "<="),
            (2, 4, 5, ">="),
            (3, 4, 6, "<="),
            (1, 4, 6, ">="),
            (4, 5, 6, "<="),
            (3, 5, 6, ">="),
        ];
        stairs.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(stairs, wanted);
    }

    #[test]
    fn equal_distances_say_nothing() {
        let values = [20, 21, 22, 24];
        assert_eq!(numbered(&neighbours(&values)), [(1, 2, 4, "<="), (2, 3, 4, "<=")]);
        assert_eq!(ties(&values), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(count(&values), ComparisonCounts { unequal: 2, equal: 2 });
    }

    #[test]
    fn localities_do_not_imply_the_order() {
        let [locality] = neighbours(&[0, 2, 5])[..] else { panic!("one locality") };
        assert!(locality.holds(&[0, -1, 5]) && locality.slack(&[0.0, -1.0, 5.0]) > 0.0);
        // Nor is the relation one of absolute distances without it: the last value is nearer, the relation holds.
        assert!(locality.slack(&[0.0, -1.0, -1.5]) > 0.0);
    }

    #[test]
    fn the_share_of_listed_localities_is_as_derived() {
        let mut stream = crate::random::Seed::from(3).stream(0);
        let mut values: Vec<i128> = (0..100).map(|_| i128::from(stream.bits() >> 20)).collect();
        values.sort_unstable();
        let (listed, stairs) = (neighbours(&values).len() as f64, staircase(&values).len() as f64);
        assert!((listed / 1e4 - 0.74).abs() < 0.05 && (stairs / 1e4 - 0.25).abs() < 0.02, "{listed} {stairs}");
    }

    #[test]
    fn decimals_have_the_localities_of_their_units() {
        let tenths = |list: &[&str]| {
            let column = super::super::WalkColumn::parse("x", list.iter().copied(), None).unwrap();
            column.values.into_iter().flatten().collect::<Vec<_>>()
        };
        assert_eq!(tenths(&["0.1", "0.2", "0.3", "0.7"]), [1, 2, 3, 7]);
        assert_eq!(ties(&tenths(&["0.1", "0.2", "0.3", "0.7"])), [[0, 1, 2]]);
    }

    proptest! {
        #[test]
        fn pointers_find_what_the_definition_says(
            values in proptest::collection::btree_set(-60_i128..60, 0..30),
            factor in prop_oneof![Just(1_i128), Just(1 << 80)],
        ) {
            let values: Vec<i128> = values.into_iter().map(|value| value * factor).collect();
            let all = all(&values);
            prop_assert_eq!(neighbours(&values), published(&values));
            prop_assert_eq!(count(&values).unequal, all.len() as u64);
            prop_assert_eq!(count(&values).equal, ties(&values).len() as u64);
            let (listed, stairs) = (neighbours(&values), staircase(&values));
            prop_assert!(stairs.len() <= listed.len());
            for one in &all {
                prop_assert!(one.holds(&values));
                prop_assert!(is_implied(*one, &listed) && is_implied(*one, &stairs));
            }
            prop_assert!(listed.iter().chain(&stairs).all(|one| all.contains(one)));
        }
    }
}
