//! Figure 4: clusters found again after the walk, and after noise of the same distortion.

use equanym_core::method::perturbation::{Noise, perturb};
use equanym_core::random::Seed;
use equanym_core::utility::clustering::{ClusteringSettings as Clustering, errors};
use equanym_core::utility::distortion::distortion;
use equanym_core::walk::{Settings, Sweeps, walk};

use super::data::{Data, floats};
use crate::failure::Result;

/// The shares of localities.
pub const THETAS: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];
/// The numbers of clusters.
pub const CLUSTERS: [usize; 3] = [3, 5, 10];
/// Starts of the clustering.
const STARTS: usize = 5;

/// One measurement.
pub struct Trial {
    pub data: &'static str,
    pub sampler: &'static str,
    pub theta: f64,
    pub clusters: usize,
    /// The distortion of the walk, and that of the noise: the same or lower.
    pub distortions: (f64, f64),
    /// The clustering error after the walk and after noise: mean and standard deviation over starts.
    pub walk: (f64, f64),
    pub noise: (f64, f64),
}

impl Trial {
    /// Whether the errors differ by more than the larger of their standard deviations, and which way.
    pub fn verdict(&self) -> std::cmp::Ordering {
        let doubt = self.walk.1.max(self.noise.1).max(0.005);
        let difference = self.walk.0 - self.noise.0;
        if difference.abs() <= doubt { std::cmp::Ordering::Equal } else { difference.total_cmp(&0.0) }
    }
}

/// Walks the table with both samplers, adds as much noise to it, and looks for clusters.
pub fn compare(data: &Data) -> Result<Vec<Trial>> {
    let mut trials = Vec::new();
    for (sampler, sweeps) in [("paper", Sweeps::Fixed(4000)), ("mixing", Sweeps::Auto)] {
        for theta in THETAS {
            trials.extend(trial(data, sampler, sweeps, theta)?);
        }
    }
    Ok(trials)
}

fn trial(data: &Data, sampler: &'static str, sweeps: Sweeps, theta: f64) -> Result<Vec<Trial>> {
    let settings = Settings { sampler: sampler.to_owned(), theta, sweeps, ..Settings::default() };
    let walked = walk(&data.columns, &[], &settings, Seed::from(41))?;
    let old: Vec<Vec<f64>> = data.columns.iter().map(|column| floats(&column.values)).collect();
    let new: Vec<Vec<f64>> = walked.columns.iter().map(|column| floats(&column.values)).collect();
    let reached = distortion(&slices(&old), &slices(&new));
    let perturbed = perturb(&data.columns, Noise::Normal, reached, Seed::from(42))?;
    let noise: Vec<Vec<f64>> = perturbed.columns.iter().map(|values| floats(values)).collect();
    let error = |released: &[Vec<f64>], clusters: usize| {
        spread(&errors(&slices(&old), &slices(released), Clustering { clusters, starts: STARTS, seed: 43 }))
    };
    let one = |clusters: usize| Trial {
        data: data.name,
        sampler,
        theta,
        clusters,
        distortions: (reached, perturbed.distortion),
        walk: error(&new, clusters),
        noise: error(&noise, clusters),
    };
    Ok(CLUSTERS.into_iter().map(one).collect())
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
