//! Population uniques: `estimated people who are alone with their key ≤ max · people of the population`.
//!
//! The estimate comes from the sizes of the released classes. Without a class of one nobody is alone, and a release of the whole
//! population shows who is. Dankar's rule takes Pitman's estimate where at most a tenth of the population is released. Otherwise it
//! takes the smaller of Zayatz's and the slide negative binomial one, where that is found.
//!
//! An estimate may exceed the share by 10⁻⁹, and one that is not found fails. Each equation is solved by plain halving, sums are
//! taken as products or by the formula of Euler and Maclaurin. This is slow, and done once.

mod laws;
mod sizes;

use std::fmt;

use super::{ANY, Member, Model};
use crate::decimal::Decimal;
use sizes::SizeSpectrum;

pub(super) const MEMBER: Member = Member {
    name: "population-uniques",
    reads: ANY,
    keys: &["max", "estimator", "known", "fraction", "population_size"],
    takes: "population-uniques takes max, an estimator that is known, a fraction or the size of the population, and nothing else",
    sentence: "population-uniques with max = {max}, as {law} estimates for a population {population}",
    claim: "at most {max} of a population {population} is alone with its key, as {law} estimates it by {unit}",
    model: |given| {
        let (max, law) = (given.share("max")?.as_float(), given.said_choice("estimator", &LAWS)?);
        let has_size = given.said_choice("known", &[("fraction", false), ("population", true)])?;
        let population = match (has_size, given.has("fraction"), given.has("population_size")) {
            (false, true, false) => PopulationSize::Fraction(given.share("fraction")?),
            (true, false, true) => PopulationSize::Count(given.natural("population_size")?),
            _ => return None,
        };
        let words = vec![("law", law.to_string()), ("population", population.to_string())];
        Some(Model { words, ..Model::of_all(move |sizes, _| judge(sizes, max, law, population)) })
    },
};

/// What is known of the population.
#[derive(Clone, Copy)]
enum PopulationSize {
    Fraction(Decimal),
    Count(u64),
}

/// An estimator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Law {
    Dankar,
    Pitman,
    Zayatz,
    SlideNegativeBinomial,
}

const LAWS: [(&str, Law); 4] =
    [("dankar", Law::Dankar), ("pitman", Law::Pitman), ("zayatz", Law::Zayatz), ("snb", Law::SlideNegativeBinomial)];

/// By how much an estimate may exceed a share.
const HAIR: f64 = 1e-9;

fn judge(sizes: &[u64], max: f64, law: Law, population: PopulationSize) -> (bool, String) {
    let sizes = SizeSpectrum::count(sizes);
    let Some(population) = population.people(sizes.people) else {
        return (false, "the size of the population is not known".to_owned());
    };
    let Some(found) = law.estimate(&sizes, population) else {
        return (false, format!("the estimator {law} finds no estimate"));
    };
    let share = found / (population as f64).max(1.0);
    (share <= max + HAIR, format!("by estimate {found:.1} of {population}, a share of {share:.6}"))
}

impl Law {
    /// How many people of a population are alone with their key; nothing where that is not found.
    fn estimate(self, sizes: &SizeSpectrum, population: u64) -> Option<f64> {
        if sizes.alone() == 0.0 || population <= sizes.people {
            return Some(sizes.alone());
        }
        let is_small_sample = u128::from(population) >= 10 * u128::from(sizes.people);
        let found = match self {
            Self::Pitman => laws::pitman(sizes, population)?,
            Self::Dankar if is_small_sample => laws::pitman(sizes, population)?,
            Self::Zayatz => laws::zayatz(sizes, population),
            Self::SlideNegativeBinomial => laws::slide_negative_binomial(sizes, population)?,
            Self::Dankar => {
                let other = laws::slide_negative_binomial(sizes, population).unwrap_or(f64::INFINITY);
                laws::zayatz(sizes, population).min(other)
            }
        };
        found.is_finite().then_some(found)
    }
}

impl fmt::Display for Law {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(LAWS.iter().find(|(_, law)| law == self).map_or("", |(name, _)| name))
    }
}

impl PopulationSize {
    /// Its people, given how many are released: to the nearest whole number, never fewer. Of a fraction nine digits count.
    fn people(self, people: u64) -> Option<u64> {
        const NINE: u128 = 1_000_000_000;
        match self {
            Self::Count(size) => Some(size.max(people)),
            Self::Fraction(fraction) => {
                let [part, whole] = fraction.ratio()?;
                let part = part.checked_mul(NINE)?.checked_div(whole)?;
                let doubled = (2 * u128::from(people)).checked_mul(NINE)?.checked_add(part)?;
                u64::try_from(doubled.checked_div(2 * part)?).ok().map(|size| size.max(people))
            }
        }
    }
}

impl fmt::Display for PopulationSize {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fraction(fraction) => write!(out, "of which {fraction} is released"),
            Self::Count(size) => write!(out, "of {size}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_estimated_fails() {
        for (law, fraction, sizes, is_kept) in [
            ("pitman", 0.1, &[1, 1, 1][..], false),
            ("dankar", 0.1, &[1, 1, 1], false),
            ("dankar", 0.5, &[1, 1, 1], true),
            ("pitman", 0.1, &[2, 2], true),
            ("zayatz", 1e-10, &[1, 2], false),
        ] {
            let claim = json!({"model": "population-uniques", "max": 1, "estimator": law, "known": "fraction", "fraction": fraction});
            assert_eq!(crate::privacy::tests::holds_together(claim, sizes), is_kept, "{law} {fraction}");
        }
    }

    #[test]
    fn a_population_is_the_nearest_whole_number() {
        let fraction = |text: &str| PopulationSize::Fraction(Decimal::collected(text).unwrap());
        assert_eq!(
            [fraction("0.3"), fraction("1"), PopulationSize::Count(3)].map(|size| size.people(5)),
            [17, 5, 5].map(Some)
        );
    }
}
