//! How many people of a population are alone with their key, estimated from the sizes of the released classes.
//!
//! Without a class of one there are none; a release of the whole population shows them. Dankar's rule takes Pitman's estimate for
//! at most a tenth of the population, and otherwise the smaller of Zayatz's and the slide negative binomial one, where that
//! is found.
//!
//! Each equation is solved by plain halving, sums are taken as products or by the formula of Euler and Maclaurin. This is slow,
//! and done once.

use std::fmt;

use super::laws;
use super::sizes::Sizes;

/// An estimator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Law {
    Dankar,
    Pitman,
    Zayatz,
    SlideNegativeBinomial,
}

impl Law {
    const NAMES: [(&'static str, Self); 4] = [
        ("dankar", Self::Dankar),
        ("pitman", Self::Pitman),
        ("zayatz", Self::Zayatz),
        ("snb", Self::SlideNegativeBinomial),
    ];

    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(one, _)| *one == name).map(|(_, law)| law)
    }
}

impl fmt::Display for Law {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.into_iter().find(|(_, law)| law == self).map_or("", |(name, _)| name);
        out.write_str(name)
    }
}

/// The estimate, if there is one.
pub(super) fn estimated(law: Law, sizes: &Sizes, population: u64) -> Option<f64> {
    if sizes.alone() == 0.0 || population <= sizes.people {
        return Some(sizes.alone());
    }
    let is_small_sample = u128::from(population) >= 10 * u128::from(sizes.people);
    let found = match law {
        Law::Pitman => laws::pitman(sizes, population)?,
        Law::Dankar if is_small_sample => laws::pitman(sizes, population)?,
        Law::Zayatz => laws::zayatz(sizes, population),
        Law::SlideNegativeBinomial => laws::slide_negative_binomial(sizes, population)?,
        Law::Dankar => {
            let other = laws::slide_negative_binomial(sizes, population).unwrap_or(f64::INFINITY);
            laws::zayatz(sizes, population).min(other)
        }
    };
    found.is_finite().then_some(found)
}
