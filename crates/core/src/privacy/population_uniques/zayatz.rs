//! Zayatz's estimator: how many classes of one are classes of one in the population.
//!
//! A class of i people shows exactly one of them in a sample of n out of N with the probability h(i) of the hypergeometric law.
//! The estimator takes the sizes of the sample's classes for those of the population's: of all classes that show one person, the
//! share w = u₁ h(1) / Σ uᵢ h(i) has one person. So u₁ w of the sample's uniques are population uniques, and with the
//! sampling fraction f the population has u₁ w / f.
//!
//! It needs no search and always answers. With small fractions it answers too much.
//!
//! Source: Zayatz 1991.

use super::SizedClasses;
use super::gamma::log_falling;

pub(super) fn uniques(sample: &SizedClasses, population: u64) -> f64 {
    let (all, unseen) = (population as f64, (population - sample.people()) as f64);
    // h(i) / h(1) is i (N − n)(N − n − 1) … / ((N − 1)(N − 2) …), with i − 1 factors above and below.
    let beside_one = |size: u64| {
        let others = size - 1;
        if others as f64 > unseen {
            return 0.0;
        }
        size as f64 * libm::exp(log_falling(unseen, others) - log_falling(all - 1.0, others))
    };
    let sum: f64 = sample.by_size().iter().map(|&(size, classes)| classes as f64 * beside_one(size)).sum();
    let uniques = sample.uniques() as f64;
    uniques * (uniques / sum) * (all / sample.people() as f64)
}
