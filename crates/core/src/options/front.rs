//! The Pareto front of points with two costs.
//!
//! A point dominates another if it is worse in neither cost and better in one. The front holds the points that none dominates:
//! whoever wants less of one cost pays with the other. Points with the same costs do not dominate each other.
//!
//! Source: V. Pareto, Manuale di economia politica, 1906; the two costs of a risk–utility map: Duncan et al. 2001.

use std::cmp::Ordering;

/// The places of the points that none dominates, from the least of the first cost on. What has no costs, or costs that are no
/// numbers, is not among them and dominates nothing.
///
/// ```
/// use equanym_core::options::front;
///
/// let points = [Some((0.5, 0.1)), Some((0.2, 0.4)), Some((0.5, 0.4)), None];
/// assert_eq!(front(&points), [1, 0]);
/// ```
#[must_use]
pub fn front(points: &[Option<(f64, f64)>]) -> Vec<usize> {
    let is_number = |(one, other): &(f64, f64)| one.is_finite() && other.is_finite();
    // A negative zero is a zero; adding turns it into one.
    let costs = |costs: &Option<(f64, f64)>| costs.filter(is_number).map(|(one, other)| (one + 0.0, other + 0.0));
    let known = points.iter().enumerate().filter_map(|(place, point)| Some((place, costs(point)?)));
    let mut known: Vec<(usize, (f64, f64))> = known.collect();
    known.sort_by(|(one_place, one), (place, other)| by_costs(*one, *other).then(one_place.cmp(place)));
    let mut least = f64::INFINITY;
    let mut front = Vec::new();
    for alike in known.chunk_by(|(_, one), (_, other)| one.0.total_cmp(&other.0).is_eq()) {
        let Some((_, (_, best))) = alike.first() else { continue };
        if *best < least {
            front.extend(alike.iter().filter(|(_, costs)| costs.1.total_cmp(best).is_eq()).map(|(place, _)| *place));
            least = *best;
        }
    }
    front
}

fn by_costs(one: (f64, f64), other: (f64, f64)) -> Ordering {
    one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dominates(one: (f64, f64), other: (f64, f64)) -> bool {
        one.0 <= other.0 && one.1 <= other.1 && one != other
    }

    #[test]
    fn what_is_no_number_is_not_compared() {
        assert_eq!(front(&[Some((f64::NAN, 0.0)), Some((1.0, f64::INFINITY)), None, Some((2.0, 2.0))]), [3]);
        assert_eq!(front(&[Some((0.0, 1.0)), Some((-0.0, 1.0))]), [0, 1]);
        assert!(front(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn the_front_is_what_nothing_dominates(costs in prop::collection::vec((0_u8..6, 0_u8..6), 0..20)) {
            let costs: Vec<(f64, f64)> = costs.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
            let points: Vec<Option<(f64, f64)>> = costs.iter().copied().map(Some).collect();
            let mut found = front(&points);
            prop_assert!(found.is_sorted_by_key(|place| costs[*place].0));
            found.sort_unstable();
            let free = |place: &usize| !costs.iter().any(|other| dominates(*other, costs[*place]));
            prop_assert_eq!(found, (0..costs.len()).filter(free).collect::<Vec<_>>());
        }
    }
}
