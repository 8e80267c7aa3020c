//! The nearest of many points, by a k-d tree over the distinct ones.
//!
//! Points that coincide are one point with a count, so heavy ties cost nothing. In a few dimensions a search looks at a
//! handful of points; in many it looks at most of them, which is why no more than [`MOST`] records are tried.
//!
//! Source: Bentley 1975; Friedman, Bentley & Finkel 1977.

use rayon::prelude::*;

use crate::statistics::by_cells;

/// The most records that are tried.
pub(super) const MOST: usize = 20_000;

/// Points in a leaf of the tree.
const LEAF: usize = 16;

/// Up to [`MOST`] of all records, evenly chosen.
pub(super) fn evenly(records: usize) -> impl Iterator<Item = usize> {
    let tried = records.min(MOST);
    (0..tried).map(move |place| usize::try_from(place as u128 * records as u128 / tried as u128).unwrap_or(0))
}

/// How many of the tried points are expected to be matched with their own partner, when each takes a nearest one by chance.
pub(super) fn matched(before: &[Vec<f64>], after: &[Vec<f64>], tried: &[usize]) -> f64 {
    let tree = PointTree::from_points(after);
    let right = |&record: &usize| {
        let own = distance(&before[record], &after[record]);
        let NearestPoints { distance, count } = tree.nearest(&before[record]);
        if own <= distance { 1.0 / count as f64 } else { 0.0 }
    };
    tried.par_iter().map(right).collect::<Vec<f64>>().iter().sum()
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum()
}

struct PointTree<'a> {
    /// Distinct points with their counts; each subtree is a run of them.
    points: Vec<(&'a [f64], u64)>,
    width: usize,
}

/// The least squared distance, and how many points have it.
#[derive(Debug, Clone, Copy)]
struct NearestPoints {
    distance: f64,
    count: u64,
}

impl<'a> PointTree<'a> {
    fn from_points(points: &'a [Vec<f64>]) -> Self {
        let mut sorted: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
        sorted.sort_unstable_by(|one, other| by_cells(one, other));
        let runs = sorted.chunk_by(|one, other| by_cells(one, other).is_eq());
        let mut tree = Self {
            points: runs.filter_map(|run| Some((*run.first()?, run.len() as u64))).collect(),
            width: points.first().map_or(0, Vec::len),
        };
        arrange(&mut tree.points, 0, tree.width);
        tree
    }

    fn nearest(&self, target: &[f64]) -> NearestPoints {
        let mut best = NearestPoints { distance: f64::INFINITY, count: 0 };
        self.look(&self.points, 0, target, &mut best);
        best
    }

    /// Looks into a subtree; its depth is the logarithm of the number of points.
    fn look(&self, subtree: &[(&[f64], u64)], axis: usize, target: &[f64], best: &mut NearestPoints) {
        if subtree.len() <= LEAF || self.width == 0 {
            return subtree.iter().for_each(|(point, count)| best.meet(distance(point, target), *count));
        }
        let (below, rest) = subtree.split_at(subtree.len() / 2);
        let Some(((middle, count), above)) = rest.split_first() else { return };
        best.meet(distance(middle, target), *count);
        let apart = target[axis] - middle[axis];
        let (near, far) = if apart < 0.0 { (below, above) } else { (above, below) };
        let next = (axis + 1) % self.width;
        self.look(near, next, target, best);
        if apart * apart <= best.distance {
            self.look(far, next, target, best);
        }
    }
}

impl NearestPoints {
    fn meet(&mut self, distance: f64, count: u64) {
        if distance < self.distance {
            *self = Self { distance, count };
        } else if distance <= self.distance {
            self.count += count;
        }
    }
}

/// Puts the median of each subtree in its middle, axis after axis.
fn arrange(subtree: &mut [(&[f64], u64)], axis: usize, width: usize) {
    if subtree.len() <= LEAF || width == 0 {
        return;
    }
    let middle = subtree.len() / 2;
    let (below, _, above) = subtree.select_nth_unstable_by(middle, |one, other| one.0[axis].total_cmp(&other.0[axis]));
    arrange(below, (axis + 1) % width, width);
    arrange(above, (axis + 1) % width, width);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_records_are_tried_evenly() {
        assert_eq!(evenly(5).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        let chosen: Vec<usize> = evenly(3 * MOST).collect();
        assert_eq!((chosen.len(), chosen[1], chosen[MOST - 1]), (MOST, 3, 3 * MOST - 3));
    }
}
