//! Pitman's estimator: the law of classes in which the next person joins a class the more readily the larger it is.
//!
//! Given u classes among n people, the next person makes a new class with probability (θ + u α) / (θ + n), and joins a class of
//! j people with probability (j − α) / (θ + n). The logarithm of the likelihood of a sample, but for a constant, is
//!
//! > Σ ln (θ + i α), i < u  −  Σ ln (θ + i), i < n  +  Σ over classes Σ ln (i − α), i < size,
//!
//! each i from 1. It is maximised over 0 ≤ α < 1 and θ > −α. For each α the best θ is the one root of the derivative by θ, which falls
//! from +∞ at −α to below 0. With that θ, the derivative by α is below 0 near 1: where it is above 0 near 0, the root between is
//! taken, otherwise α = 0. Then U = Γ(θ + 1) / Γ(θ + α) · N^α.
//!
//! There is no estimate where all classes have one person, or there is one class: then the likelihood has no maximum.
//!
//! Source: Pitman 1995; Hoshino 2001 for the estimator.

use super::gamma::{harmonic, log_gamma_step};
use super::{SizedClasses, root};

/// Below this α is taken for 0.
const LEAST_ALPHA: f64 = 1e-6;

/// How near α comes to 1.
const NEAR_ONE: f64 = 1e-9;

pub(super) fn uniques(sample: &SizedClasses, population: u64) -> Option<f64> {
    if sample.classes() < 2 || sample.classes() >= sample.people() {
        return None;
    }
    let law = PitmanLaw { sample };
    let by_alpha = |alpha: f64| law.by_alpha(law.theta(alpha), alpha);
    if by_alpha(LEAST_ALPHA) <= 0.0 {
        return Some(law.theta(0.0));
    }
    if by_alpha(1.0 - NEAR_ONE) >= 0.0 {
        return None;
    }
    let alpha = root::between(LEAST_ALPHA, 1.0 - NEAR_ONE, by_alpha);
    let theta = law.theta(alpha);
    Some(libm::exp(log_gamma_step(theta + alpha, 1.0 - alpha) + alpha * libm::log(population as f64)))
}

struct PitmanLaw<'a> {
    sample: &'a SizedClasses,
}

impl PitmanLaw<'_> {
    /// The best θ for an α.
    fn theta(&self, alpha: f64) -> f64 {
        // Times θ + α, which leaves a number of moderate size.
        let slope = |log: f64| {
            let above = libm::exp(log);
            self.by_theta(above - alpha, alpha) * above
        };
        libm::exp(root::between(-40.0, 60.0, slope)) - alpha
    }

    /// Σ 1 / (θ + i α), i < u.
    fn over_classes(&self, theta: f64, alpha: f64) -> f64 {
        let terms = self.sample.classes() - 1;
        if alpha > 0.0 { harmonic(theta / alpha + 1.0, terms) / alpha } else { terms as f64 / theta }
    }

    fn by_theta(&self, theta: f64, alpha: f64) -> f64 {
        self.over_classes(theta, alpha) - harmonic(theta + 1.0, self.sample.people() - 1)
    }

    fn by_alpha(&self, theta: f64, alpha: f64) -> f64 {
        let grown = ((self.sample.classes() - 1) as f64 - theta * self.over_classes(theta, alpha)) / alpha;
        // From size to size: each adds the terms that the one before lacks.
        let (mut sum, mut joined, mut before) = (0.0, 0.0, 1);
        for &(size, classes) in self.sample.by_size() {
            joined += harmonic(before as f64 - alpha, size - before);
            before = size;
            sum += classes as f64 * joined;
        }
        grown - sum
    }
}
