//! Localities that came out the other way: of all of them, by their definition.
//!
//! For i < j < k a locality says which of |dⱼ − dᵢ| and |dₖ − dⱼ| is the larger one. It is reversed when, of the new values,
//! the other one is strictly larger. Distances count without their sign: where the order is not kept, a linear relation may hold
//! that says something else. Equal distances of the data say nothing, and equal ones of the new values break nothing.
//!
//! All n³/6 are counted without listing them: for each middle value, both sides are merged by their old distances, and the new ones
//! are kept sorted. That takes O(n² log n) steps, and O(n²) where the order is kept.
//!
//! Source: Xue et al. 2011, Definition 2.

use std::ops::{Add, Sub};

use super::locality::RightEnds;

/// How many localities of the ascending old values are reversed among the new ones.
#[must_use]
pub fn reversed(old: &[i128], new: &[i128]) -> u64 {
    if new.is_sorted() { among_ascending(old, new) } else { among_any(old, new, 0) }
}

/// The same for new values that are not exact: distances that differ by no more than the tolerance are equal.
#[must_use]
pub fn reversed_beyond(tolerance: f64, old: &[i128], new: &[f64]) -> u64 {
    among_any(old, new, tolerance)
}

/// Both count the values to the right that are nearer than a left one; what is nearer in one and farther in the other is reversed.
fn among_ascending(old: &[i128], new: &[i128]) -> u64 {
    let mut count = 0;
    for (middle, (&before, &after)) in old.iter().zip(new).enumerate() {
        let (mut was, mut is) = (RightEnds::beside(middle), RightEnds::beside(middle));
        for (&old_left, &new_left) in old[..middle].iter().zip(&new[..middle]).rev() {
            was.advance(old, before, old_left);
            is.advance(new, after, new_left);
            count += was.nearer_end.saturating_sub(is.farther) + is.nearer_end.saturating_sub(was.farther);
        }
    }
    count as u64
}

/// A value as it is seen from a middle one: its distance before and after.
#[derive(Clone, Copy)]
struct TwoDistances<T> {
    old: i128,
    new: T,
}

fn among_any<T: Copy + PartialOrd + Add<Output = T> + Sub<Output = T>>(old: &[i128], new: &[T], tolerance: T) -> u64 {
    let (mut left, mut right, mut sorted) = (Vec::new(), Vec::new(), Vec::new());
    let mut count = 0;
    for (middle, (&before, &after)) in old.iter().zip(new).enumerate() {
        let apart = |one: T, other: T| if one > other { one - other } else { other - one };
        let seen = |(&old, &new): (&i128, &T)| TwoDistances { old: (old - before).abs(), new: apart(new, after) };
        left.clear();
        left.extend(old[..middle].iter().zip(&new[..middle]).rev().map(seen));
        right.clear();
        right.extend(old[middle + 1..].iter().zip(&new[middle + 1..]).map(seen));
        count += crossings(&left, &right, tolerance, &mut sorted) + crossings(&right, &left, tolerance, &mut sorted);
    }
    count as u64
}

/// The pairs of one that was nearer and another that was farther, of which the first is now the farther one. Both lists ascend by
/// their old distances.
fn crossings<T: Copy + PartialOrd + Add<Output = T>>(
    nearer: &[TwoDistances<T>],
    farther: &[TwoDistances<T>],
    tolerance: T,
    sorted: &mut Vec<T>,
) -> usize {
    sorted.clear();
    let mut nearer = nearer.iter().peekable();
    let mut count = 0;
    for other in farther {
        while let Some(one) = nearer.next_if(|one| one.old < other.old) {
            sorted.insert(sorted.partition_point(|distance| *distance <= one.new), one.new);
        }
        count += sorted.len() - sorted.partition_point(|distance| *distance <= other.new + tolerance);
    }
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every locality by its definition, over all triples.
    fn defined(old: &[i128], new: &[i128]) -> u64 {
        let (mut count, places) = (0, 0..old.len());
        for middle in places.clone() {
            for left in 0..middle {
                for right in middle + 1..old.len() {
                    let leads = |values: &[i128]| {
                        ((values[middle] - values[left]).abs()).cmp(&(values[right] - values[middle]).abs()) as i8
                    };
                    count += u64::from(leads(old) * leads(new) < 0);
                }
            }
        }
        count
    }

    #[test]
    fn by_hand() {
        // 2 was nearer to 0 than to 5. Beyond 0 it still is; with 5 brought close by it is not, though 2 × -1 ≤ 0 - 1.5 holds.
        assert_eq!(reversed(&[0, 2, 5], &[0, -1, 5]), 0);
        assert_eq!(reversed(&[0, 4, 10], &[0, -10, -15]), 1);
        assert_eq!(reversed_beyond(0.0, &[0, 2, 5], &[0.0, -1.0, -1.5]), 1);
        // A tie says nothing before and breaks nothing after.
        assert_eq!((reversed(&[0, 1, 2], &[0, 1, 9]), reversed(&[0, 1, 9], &[0, 1, 2])), (0, 0));
        assert_eq!(reversed_beyond(0.2, &[0, 1, 9], &[0.0, 1.1, 2.1]), 0);
        assert_eq!((reversed(&[], &[]), reversed(&[4], &[7])), (0, 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn sorting_counts_what_the_definition_counts(
            both in proptest::collection::btree_map(-40_i128..40, -40_i128..40, 0..14),
            is_ordered in any::<bool>(),
        ) {
            let (old, mut new): (Vec<i128>, Vec<i128>) = both.into_iter().unzip();
            if is_ordered {
                new.sort_unstable();
            }
            let floats: Vec<f64> = new.iter().map(|value| *value as f64).collect();
            let defined = defined(&old, &new);
            prop_assert_eq!(reversed(&old, &new), defined);
            prop_assert_eq!(among_any(&old, &new, 0), defined);
            prop_assert_eq!(reversed_beyond(0.0, &old, &floats), defined);
        }
    }
}
