//! k-means with given starts (Lloyd 1982).
//!
//! Our own forty lines because both tables must start from the same records and nothing else about the run may differ;
//! the libraries that allow this bring a whole stack of linear algebra with them, and this crate stays light.
//!
//! Ties go to the centre of the lower number; a centre that loses its last point stays where it is. It ends when no point
//! changes its cluster, or after a hundred rounds.

const ROUNDS: usize = 100;

/// Points of equally many coordinates, one after the other.
#[derive(Debug, Clone)]
pub(super) struct PointCloud {
    pub width: usize,
    pub coordinates: Vec<f64>,
}

impl PointCloud {
    fn point(&self, point: usize) -> &[f64] {
        self.coordinates.get(point * self.width..(point + 1) * self.width).unwrap_or_default()
    }

    fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.coordinates.chunks_exact(self.width.max(1))
    }
}

/// The cluster of each point, starting from these points as centres.
pub(super) fn clusters(points: &PointCloud, starts: &[usize]) -> Vec<usize> {
    let mut centres: Vec<Vec<f64>> = starts.iter().map(|&start| points.point(start).to_vec()).collect();
    let mut cluster_of: Vec<usize> = Vec::new();
    for _ in 0..ROUNDS {
        let nearer: Vec<usize> = points.iter().map(|point| nearest(point, &centres)).collect();
        if nearer == cluster_of {
            break;
        }
        cluster_of = nearer;
        recentre(points, &cluster_of, &mut centres);
    }
    cluster_of
}

fn nearest(point: &[f64], centres: &[Vec<f64>]) -> usize {
    let distance = |centre: &[f64]| point.iter().zip(centre).map(|(one, other)| (one - other).powi(2)).sum::<f64>();
    let mut best = (0, f64::INFINITY);
    for (place, centre) in centres.iter().enumerate() {
        let found = distance(centre);
        if found < best.1 {
            best = (place, found);
        }
    }
    best.0
}

fn recentre(points: &PointCloud, cluster_of: &[usize], centres: &mut [Vec<f64>]) {
    let mut sums = vec![vec![0.0; points.width]; centres.len()];
    let mut counts = vec![0_u64; centres.len()];
    for (point, &cluster) in points.iter().zip(cluster_of) {
        counts[cluster] += 1;
        sums[cluster].iter_mut().zip(point).for_each(|(sum, value)| *sum += value);
    }
    for ((centre, sum), &count) in centres.iter_mut().zip(sums).zip(&counts) {
        if count > 0 {
            *centre = sum.into_iter().map(|sum| sum / count as f64).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_heaps_are_found_from_any_starts() {
        let points = PointCloud { width: 2, coordinates: vec![0.0, 0.0, 0.0, 1.0, 9.0, 9.0, 9.0, 8.0, 1.0, 0.0] };
        for starts in [[0, 2], [0, 1], [3, 4], [2, 3]] {
            let found = clusters(&points, &starts);
            assert!(found[0] == found[1] && found[1] == found[4] && found[2] == found[3] && found[0] != found[2]);
        }
    }

    #[test]
    fn a_centre_without_points_stays() {
        let points = PointCloud { width: 1, coordinates: vec![5.0, 5.0, 5.0] };
        assert_eq!(clusters(&points, &[0, 1]), [0, 0, 0]);
    }
}
