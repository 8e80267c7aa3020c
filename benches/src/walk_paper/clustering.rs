//! Figures 3b and 4: what walking costs, and clusters found again after it and after noise of the same distortion.
//!
//! Both figures have the same settings, so the same walks serve both.

use equanym_core::method::perturbation::{Noise, perturb};
use equanym_core::random::Seed;
use equanym_core::utility::clustering::{ClusteringSettings as Clustering, errors};
use equanym_core::utility::distortion::distortion;
use equanym_core::walk::walk;

use super::conditions::Walker;
use super::data::{Data, floats};
use crate::failure::Result;
use crate::processor::{Stopwatch, Whose};

/// The shares of localities.
const THETAS: [f64; 3] = [0.2, 0.6, 1.0];
/// The numbers of clusters.
pub const CLUSTERS: [usize; 3] = [3, 5, 10];
/// The laws of noise.
pub const LAWS: [(&str, Noise); 2] = [("normal", Noise::Normal), ("uniform", Noise::Uniform)];
/// Records of a segment, and steps of the published walk.
const SEGMENT: usize = 100;
const STEPS: u32 = 4000;
/// Starts of the clustering.
const STARTS: usize = 3;

/// One walk of a table.
pub struct Walk {
    pub data: &'static str,
    pub records: usize,
    pub walker: Walker,
    pub theta: f64,
    /// Localities kept, over all segments.
    pub kept: u64,
    /// Its processor time.
    pub seconds: f64,
}

/// One measurement.
pub struct ClusterTrial {
    pub data: &'static str,
    pub records: usize,
    pub walker: Walker,
    pub theta: f64,
    pub clusters: usize,
    /// The distortion of the walk; that of the noise is the same or lower.
    pub distortion: f64,
    /// The clustering error after the walk, and after noise of each law: mean and standard deviation over starts.
    pub walk: (f64, f64),
    pub noise: [(f64, f64); LAWS.len()],
}

impl ClusterTrial {
    /// Whether the errors differ by more than the larger of their standard deviations, and which way.
    pub fn verdict(&self, law: usize) -> std::cmp::Ordering {
        let noise = self.noise[law];
        let doubt = self.walk.1.max(noise.1).max(0.005);
        let difference = self.walk.0 - noise.0;
        if difference.abs() <= doubt { std::cmp::Ordering::Equal } else { difference.total_cmp(&0.0) }
    }
}

/// Walks the table in every way, adds as much noise to it, and looks for clusters.
pub fn compare(data: &Data) -> Result<(Vec<Walk>, Vec<ClusterTrial>)> {
    let (mut walks, mut trials) = (Vec::new(), Vec::new());
    for walker in Walker::ALL {
        for theta in THETAS {
            let (walk, trial) = trial(&walker.data(data), walker, theta)?;
            walks.push(walk);
            trials.extend(trial);
        }
    }
    Ok((walks, trials))
}

fn trial(data: &Data, walker: Walker, theta: f64) -> Result<(Walk, Vec<ClusterTrial>)> {
    let watch = Stopwatch::start(Whose::Process);
    let outcome = walk(&data.columns, &[], &walker.settings(SEGMENT, theta, STEPS), Seed::from(41))?;
    let records = data.records();
    let kept = outcome.columns.iter().map(|column| column.findings.kept).sum();
    let walk = Walk { data: data.name, records, walker, theta, kept, seconds: watch.seconds() };
    let old: Vec<Vec<f64>> = data.columns.iter().map(|column| floats(&column.values)).collect();
    let new: Vec<Vec<f64>> = outcome.columns.iter().map(|column| floats(&column.values)).collect();
    let reached = distortion(&slices(&old), &slices(&new));
    let mut noisy = Vec::new();
    for (_, law) in LAWS {
        let perturbed = perturb(&data.columns, law, reached, Seed::from(42))?;
        noisy.push(perturbed.columns.iter().map(|values| floats(values)).collect::<Vec<_>>());
    }
    let error = |released: &[Vec<f64>], clusters: usize| {
        spread(&errors(&slices(&old), &slices(released), Clustering { clusters, starts: STARTS, seed: 43 }))
    };
    let one = |clusters: usize| ClusterTrial {
        data: data.name,
        records,
        walker,
        theta,
        clusters,
        distortion: reached,
        walk: error(&new, clusters),
        noise: std::array::from_fn(|law| error(&noisy[law], clusters)),
    };
    Ok((walk, CLUSTERS.into_iter().map(one).collect()))
}

fn slices(columns: &[Vec<f64>]) -> Vec<&[f64]> {
    columns.iter().map(Vec::as_slice).collect()
}

/// Mean and standard deviation.
fn spread(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (mean, (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt())
}
