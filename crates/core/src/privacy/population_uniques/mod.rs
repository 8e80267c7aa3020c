//! Population uniques: few people of the population are alone with their key.
//!
//! A released record that is alone in its class is a danger where its person is alone in the population, too. How many people
//! are is estimated from the sizes of the released classes: at most the share `max` of the population may be. The
//! population is given by its size, or by the fraction that the released records are of it: N = n / `fraction`, to the nearest
//! whole number; digits of the fraction beyond the ninth do not count.
//!
//! Without a class of one the estimate is 0. A released table that is the whole population has as many population uniques as
//! classes of one. An estimator that finds no estimate says so, and the condition does not hold.
//!
//! **At the threshold.** Estimates are computed to about twelve digits. They may exceed `max` by 10⁻⁹, here and in the audit.
//!
//! **What is withheld** are classes of one, at most all of them. How many is found by halving, as for every model of this kind.
//! Merges may raise an estimate, so nothing is promised about nodes above a safe one, and no bound is known.
//!
//! Limit: all estimators take the release for a random sample of the population, and each has a law of its own for how large
//! classes are. `benches/README.md` shows how far off they are on populations that are known.
//!
//! Source: Dankar et al. 2012, and each estimator's own. Spec: `specs/privacy/population-uniques.md`.

mod gamma;
mod pitman;
mod root;
mod snb;
mod zayatz;

use super::ratio::Ratio;
use super::whole_table::{SizedClasses, TableModel, WholeTableModel};
use super::{Closure, ModelError, ModelMember, ModelNeeds, NearestParameter};
use crate::card::{Card, Kind, Parameter, Parameters, Promise, integer, number, text};

const MOST_PEOPLE: u64 = 1 << 40;

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "population-uniques",
        summary: "by estimate, at most a share of the population is alone with its key",
        about: "Estimated from the sizes of all released classes, for a release that is a random sample of the population. Where \
                too many are estimated, or no estimate is found, unique records are withheld until it holds. `dankar` takes \
                `pitman` for a sample of at most a tenth, and otherwise the smaller of `zayatz` and `snb`; where `snb` finds \
                none, `zayatz`. Any k-anonymity leaves no unique record, and then the estimate is 0.",
        promises: &[Promise::InWords("no estimate is no pass")],
        parameters: &[
            Parameter::required("max", Kind::Share, "the share of the population that may be unique"),
            Parameter::defaulting(
                "estimator",
                Kind::Choice(&["dankar", "pitman", "zayatz", "snb"]),
                "dankar",
                "how the number of population uniques is estimated",
            ),
            Parameter::defaulting(
                "known",
                Kind::Choice(&["fraction", "population"]),
                "fraction",
                "what is known of the population: the sampling fraction, or how many people it has",
            ),
            Parameter::required(
                "fraction",
                Kind::WithChoice { parameter: "known", word: "fraction", kind: &Kind::PositiveShare },
                "the fraction of the population that is released",
            ),
            Parameter::required(
                "population_size",
                Kind::WithChoice { parameter: "known", word: "population", kind: &Kind::Integer { min: 1 } },
                "the people of the population; never taken for fewer than are released",
            ),
        ],
        source: "F. Dankar, K. El Emam, A. Neisa, T. Roffey, Estimating the re-identification risk of clinical data sets, BMC \
                 Medical Informatics and Decision Making 12:66, 2012",
    },
    needs: |_| ModelNeeds::Classes,
    build: |parameters, _| {
        let estimator = UniquesEstimator::named(text(parameters, "estimator"));
        let (max, population) = (number(parameters, "max"), PopulationExtent::read(parameters)?);
        Ok(Box::new(WholeTableModel(PopulationUniques { max, estimator, population })))
    },
};

/// How the number of population uniques is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UniquesEstimator {
    /// The rule of Dankar et al.: one of the others, by the sampling fraction.
    Dankar,
    /// Pitman's law, by maximum likelihood.
    Pitman,
    /// The share of classes of one that stem from larger classes, after Zayatz.
    Zayatz,
    /// The slide negative binomial law, by moments.
    Snb,
}

impl UniquesEstimator {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Dankar, Self::Pitman, Self::Zayatz, Self::Snb];

    /// The word used in policies.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dankar => "dankar",
            Self::Pitman => "pitman",
            Self::Zayatz => "zayatz",
            Self::Snb => "snb",
        }
    }

    fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|one| one.name() == name).unwrap_or(Self::Dankar)
    }
}

/// How many people of a population are alone with their key, by estimate, given the classes of a sample. None where the
/// estimator finds no estimate. A population is never smaller than the sample.
#[must_use]
pub fn estimate(estimator: UniquesEstimator, sample: &SizedClasses, population: u64) -> Option<f64> {
    let population = population.clamp(sample.people(), MOST_PEOPLE.max(sample.people()));
    if sample.uniques() == 0 || population == sample.people() {
        return Some(sample.uniques() as f64);
    }
    let found = match estimator {
        UniquesEstimator::Pitman => pitman::uniques(sample, population),
        UniquesEstimator::Zayatz => Some(zayatz::uniques(sample, population)),
        UniquesEstimator::Snb => snb::uniques(sample, population),
        UniquesEstimator::Dankar if u128::from(sample.people()) * 10 <= u128::from(population) => {
            pitman::uniques(sample, population)
        }
        UniquesEstimator::Dankar => {
            let zayatz = zayatz::uniques(sample, population);
            Some(snb::uniques(sample, population).map_or(zayatz, |snb| snb.min(zayatz)))
        }
    };
    found.filter(|found| found.is_finite())
}

/// What is known of the population.
enum PopulationExtent {
    Fraction(Ratio),
    Size(u64),
}

impl PopulationExtent {
    fn read(parameters: &Parameters) -> Result<Self, ModelError> {
        if text(parameters, "known") == "population" {
            return Ok(Self::Size(integer(parameters, "population_size")));
        }
        match Ratio::read(parameters, "fraction") {
            Ratio { numerator: 0, .. } => {
                Err(ModelError::Unfit("a fraction below 0.000000001 is not told from 0".to_owned()))
            }
            fraction => Ok(Self::Fraction(fraction)),
        }
    }

    /// Its people, given a sample.
    fn size(&self, sample: &SizedClasses) -> u64 {
        match self {
            Self::Size(people) => *people,
            Self::Fraction(Ratio { numerator, denominator }) => {
                let (people, numerator) = (u128::from(sample.people()), (*numerator).max(1));
                let nearest = (2 * people * denominator + numerator) / (2 * numerator);
                u64::try_from(nearest).unwrap_or(u64::MAX)
            }
        }
        .max(sample.people())
    }
}

struct PopulationUniques {
    max: f64,
    estimator: UniquesEstimator,
    population: PopulationExtent,
}

/// By how much an estimate may exceed the share.
const HAIR: f64 = 1e-9;

impl PopulationUniques {
    /// The share of the population that is unique, by estimate.
    fn share(&self, kept: &SizedClasses) -> Option<f64> {
        let population = self.population.size(kept);
        Some(estimate(self.estimator, kept, population)? / population.max(1) as f64)
    }
}

impl TableModel for PopulationUniques {
    fn name(&self) -> &'static str {
        MEMBER.card.name
    }

    fn holds(&self, kept: &SizedClasses) -> bool {
        self.share(kept).is_some_and(|share| share <= self.max + HAIR)
    }

    fn is_silent(&self, kept: &SizedClasses) -> bool {
        self.share(kept).is_none()
    }

    fn closure(&self) -> Closure {
        Closure::None
    }

    fn nearest(&self, kept: &SizedClasses) -> Option<NearestParameter> {
        Some(NearestParameter::at_least(self.name(), "max", self.share(kept)?))
    }
}

#[cfg(test)]
mod tests;
