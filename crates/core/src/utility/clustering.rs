//! Clustering error: do the same people still fall into the same groups?
//!
//! k-means runs on the table before and after, from the same records as starts, with each column in units of its original
//! standard deviation. Clusters have no names, so they are matched in the way that agrees best (the assignment problem);
//! the error is the share of records that then stand in another cluster. Several starts, because k-means depends on them.
//!
//! Records with a missing cell, before or after, are left out.
//!
//! Source: Xue et al. 2011; matching: Kuhn 1955, Munkres 1957. Spec: `specs/utility/clustering.md`.

use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;
use rayon::prelude::*;

use super::k_means::{PointCloud, clusters};
use super::{Figure, MetricMember, choose, mean_and_deviation};
use crate::card::{Card, Kind, Parameter, Promise, integer};
use crate::random::Seed;

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "clustering",
        summary: "the share of records that k-means puts into another cluster than before",
        about: "k-means runs on both tables from the same records as starts; clusters are matched in the best way. 0 means \
                that the groups are the same; random groups give about 1 - 1/clusters. On data without groups the number \
                says little, because k-means is then at the mercy of small changes.",
        promises: &[Promise::ZeroOnItself, Promise::InWords("names of clusters do not matter")],
        parameters: &[
            Parameter::defaulting("clusters", Kind::Integer { min: 2 }, "5", "how many groups k-means looks for"),
            Parameter::defaulting(
                "starts",
                Kind::Integer { min: 1 },
                "5",
                "how often k-means starts anew; mean and spread are given",
            ),
            Parameter::defaulting("seed", Kind::Integer { min: 0 }, "1", "chooses the starting records"),
        ],
        source: "M. Xue et al., CIKM 2011; H. W. Kuhn, Naval Research Logistics Quarterly 2, 1955",
    },
    needs_alignment: true,
    in_reports: false,
    measure: |pair, parameters| {
        let whole = |name| usize::try_from(integer(parameters, name)).unwrap_or(usize::MAX);
        let settings = ClusteringSettings {
            clusters: whole("clusters"),
            starts: whole("starts"),
            seed: integer(parameters, "seed"),
        };
        let (before, after) = pair.values();
        let errors = errors(&before, &after, settings);
        let (mean, deviation) = mean_and_deviation(&errors);
        if errors.is_empty() {
            return Vec::new();
        }
        vec![Figure::of_table("mean over starts", mean), Figure::of_table("standard deviation over starts", deviation)]
    },
};

/// More clusters than this are not looked for: matching them would take forever.
const MOST: usize = 500;

/// How the clusters are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusteringSettings {
    /// How many.
    pub clusters: usize,
    /// From how many starts.
    pub starts: usize,
    /// Chooses the starting records.
    pub seed: u64,
}

/// The clustering error of each start; nothing where no record is complete.
#[must_use]
pub fn errors(original: &[&[f64]], released: &[&[f64]], settings: ClusteringSettings) -> Vec<f64> {
    let (before, after) = complete(original, released);
    let records = before.coordinates.len() / before.width.max(1);
    if records == 0 {
        return Vec::new();
    }
    let of_start = |start: usize| {
        let mut stream = Seed::from(settings.seed).stream(start as u64);
        let starts = choose(settings.clusters.min(MOST), records, &mut stream);
        let (left, right) = rayon::join(|| clusters(&before, &starts), || clusters(&after, &starts));
        disagreement(&left, &right, starts.len())
    };
    (0..settings.starts).into_par_iter().map(of_start).collect()
}

/// The records without missing cells, each column centred and in units of its original standard deviation.
fn complete(original: &[&[f64]], released: &[&[f64]]) -> (PointCloud, PointCloud) {
    let units: Vec<(f64, f64)> = original.iter().map(|column| mean_and_deviation(column)).collect();
    let records = original.first().map_or(0, |column| column.len());
    let mut points = [original, released].map(|columns| PointCloud { width: columns.len(), coordinates: Vec::new() });
    for record in 0..records {
        let point = |columns: &[&[f64]]| -> Vec<f64> {
            let scaled = |(column, (mean, deviation)): (&&[f64], &(f64, f64))| {
                let value = column.get(record).copied().unwrap_or(f64::NAN) - mean;
                if *deviation > 0.0 { value / deviation } else { value }
            };
            columns.iter().zip(&units).map(scaled).collect()
        };
        let pair = [point(original), point(released)];
        if pair.iter().flatten().all(|value| !value.is_nan()) {
            points.iter_mut().zip(pair).for_each(|(points, point)| points.coordinates.extend(point));
        }
    }
    points.into()
}

/// The share of records whose clusters are not matched to each other, under the matching that agrees best.
#[must_use]
pub fn disagreement(left: &[usize], right: &[usize], clusters: usize) -> f64 {
    if left.is_empty() || clusters == 0 {
        return 0.0;
    }
    let mut shared = Matrix::new(clusters, clusters, 0_i64);
    for (&one, &other) in left.iter().zip(right) {
        if let Some(count) = shared.get_mut((one, other)) {
            *count += 1;
        }
    }
    let (agreeing, _) = kuhn_munkres(&shared);
    1.0 - agreeing as f64 / left.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn disagreement_by_hand() {
        // Two of six records changed sides; the names are swapped as well.
        let found = disagreement(&[0, 0, 0, 1, 1, 1], &[1, 1, 0, 0, 0, 1], 2);
        assert!((found - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_shift_of_one_heap_moves_its_records() {
        let before = [0.0, 0.1, 0.2, 10.0, 10.1, 10.2];
        let after = [0.0, 0.1, 10.3, 10.0, 10.1, 10.2];
        let found = errors(&[&before], &[&after], ClusteringSettings { clusters: 2, starts: 4, seed: 1 });
        assert!(found.iter().all(|error| (error - 1.0 / 6.0).abs() < 1e-12), "{found:?}");
    }

    proptest! {
        #[test]
        fn names_of_clusters_do_not_matter(left in prop::collection::vec(0_usize..4, 1..60), turn in 0_usize..4) {
            let renamed: Vec<usize> = left.iter().map(|cluster| (cluster + turn) % 4).collect();
            prop_assert!(disagreement(&left, &renamed, 4).abs() < 1e-12);
        }

        #[test]
        fn the_best_matching_is_found(pairs in prop::collection::vec((0_usize..3, 0_usize..3), 1..40)) {
            let (left, right): (Vec<usize>, Vec<usize>) = pairs.into_iter().unzip();
            let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            let agree = |order: &[usize; 3]| left.iter().zip(&right).filter(|(one, other)| order[**one] == **other).count();
            let best = orders.iter().map(agree).max().unwrap();
            prop_assert!((disagreement(&left, &right, 3) - (1.0 - best as f64 / left.len() as f64)).abs() < 1e-12);
        }
    }
}
