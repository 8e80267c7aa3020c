//! When the published walk moves: its conditions, size of the partitions, steps, share of the localities, and ties.
//!
//! The paper's costs and clusters have partitions of 100 and 4,000 steps, its averages partitions of 20 and 40,000 steps.
//! Both are walked here, and both mixtures, on incomes (hardly two alike) and on ages (whole years, many alike).

use equanym_core::random::Seed;
use equanym_core::utility::distortion::distortion;
use equanym_core::walk::walk;

use super::conditions::Walker;
use super::data::{Data, floats};
use crate::failure::Result;

const THETAS: [f64; 4] = [0.05, 0.2, 0.6, 1.0];
/// Records of a partition, and steps.
pub const WAYS: [(usize, u32); 4] = [(100, 4000), (100, 40_000), (20, 4000), (20, 40_000)];

/// One walk.
pub struct MoveTrial {
    pub data: &'static str,
    pub walker: Walker,
    pub partition: usize,
    pub steps: u32,
    pub theta: f64,
    pub distortion: f64,
    /// The share of the values that came out as they went in.
    pub unchanged: f64,
}

/// Walks a table of one column in every way.
pub fn measure(data: &Data) -> Result<Vec<MoveTrial>> {
    let mut trials = Vec::new();
    for walker in [Walker::Published, Walker::Ordered] {
        let data = walker.data(data);
        for ((partition, steps), theta) in WAYS.into_iter().flat_map(|way| THETAS.map(|theta| (way, theta))) {
            let settings = walker.settings(partition, theta, steps);
            let walked = walk(&data.columns, &[], &settings, Seed::from(61))?;
            let Some((old, new)) = data.columns.first().zip(walked.columns.first()) else { continue };
            let distortion = distortion(&[&floats(&old.values)], &[&floats(&new.values)]);
            let unchanged = new.findings.unchanged;
            trials.push(MoveTrial { data: data.name, walker, partition, steps, theta, distortion, unchanged });
        }
    }
    Ok(trials)
}
