//! The slide negative binomial estimator: classes of the population have one person, and a negative binomial number more.
//!
//! Let K classes of the population have 1 + G people, G negative binomial with mean m = r b and size r. Each person is in the
//! sample with probability f. Thinning a negative binomial number leaves one of mean f m and the same r; the first person is seen
//! with probability f. So a class shows nobody with probability (1 − f) e and one person with probability
//! f e (1 + (1 − f) m / (1 + f b)), where e = (1 + f b)^−r. Three equations determine K, m and b: the population, the number u of classes that
//! are seen, and the number u₁ of those that show one person,
//!
//! > N = K (1 + m),  u = K (1 − (1 − f) e),  u₁ = K f e (1 + (1 − f) m / (1 + f b)),
//!
//! and the population has U = K (1 + b)^−r uniques. Given m, the first equation says K and the second e, which falls with the
//! spread: one root gives f b. The third is solved for m between the two ends at which b is infinite, where all classes
//! that are seen are unique, and 0, where sizes spread as by Poisson's law. If the sample has fewer uniques than even that, no law of
//! this kind fits, and there is no estimate.
//!
//! Source: Chen & Keller-McNulty 1998 for the law; the equations are our own.

use super::{SizedClasses, root};

pub(super) fn uniques(sample: &SizedClasses, population: u64) -> Option<f64> {
    let (people, classes) = (sample.people() as f64, sample.classes() as f64);
    let moments = SnbMoments { population: population as f64, classes, fraction: people / population as f64 };
    let (lowest, beyond) = (people / classes - 1.0, population as f64 / classes - 1.0);
    // Without a class of two or more nothing tells how classes grow.
    if lowest <= 0.0 || beyond - lowest <= 0.0 {
        return None;
    }
    let reach = beyond - lowest;
    let highest =
        root::between(lowest, beyond - reach * TINY, |mean| moments.log_unseen(mean) - moments.fraction * mean);
    let excess = |mean: f64| moments.shown_once(mean, moments.spread(mean)) - sample.uniques() as f64;
    if moments.shown_once(highest, 0.0) >= sample.uniques() as f64 {
        return None;
    }
    let mean = root::between(lowest + (highest - lowest) * TINY, highest - (highest - lowest) * TINY, excess);
    moments.uniques(mean, moments.spread(mean))
}

const TINY: f64 = 1e-12;

struct SnbMoments {
    population: f64,
    /// Those that are seen.
    classes: f64,
    fraction: f64,
}

impl SnbMoments {
    /// The classes of the population.
    fn all_classes(&self, mean: f64) -> f64 {
        self.population / (1.0 + mean)
    }

    /// −ln e.
    fn log_unseen(&self, mean: f64) -> f64 {
        libm::log1p(-self.fraction) - libm::log1p(-self.classes / self.all_classes(mean))
    }

    /// f b: the root of ln (1 + f b) / f b = −ln e / f m.
    fn spread(&self, mean: f64) -> f64 {
        let wanted = self.log_unseen(mean) / (self.fraction * mean);
        let excess = |log: f64| {
            let spread = libm::exp(log);
            libm::log1p(spread) / spread - wanted
        };
        libm::exp(root::between(-36.0, 80.0, excess))
    }

    /// The classes that show one person.
    fn shown_once(&self, mean: f64, spread: f64) -> f64 {
        let unseen = libm::exp(-self.log_unseen(mean));
        self.all_classes(mean) * self.fraction * unseen * (1.0 + (1.0 - self.fraction) * mean / (1.0 + spread))
    }

    fn uniques(&self, mean: f64, spread: f64) -> Option<f64> {
        let size = mean * self.fraction / spread;
        let found = self.all_classes(mean) * libm::exp(-size * libm::log1p(spread / self.fraction));
        found.is_finite().then_some(found)
    }
}
