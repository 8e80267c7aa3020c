//! What all released classes together must keep: mean risk, small classes, and uniques here and in the population.
//!
//! Shares are compared by the digits of the claim, in whole numbers. An estimate may exceed the share by 10⁻⁹, and one that is
//! not found fails: the estimators are in [`estimate`].

mod estimate;
mod laws;
mod sizes;

use std::fmt;

use super::exact::is_at_most;
use super::{Rule, Unit};
use crate::decimal::Decimal;
pub(crate) use estimate::Law;
use estimate::estimated;
use sizes::Sizes;

/// What is known of the population.
#[derive(Clone, Copy)]
pub(crate) enum Population {
    Fraction(Decimal),
    Size(u64),
}

/// By how much an estimate may exceed a share.
const HAIR: f64 = 1e-9;

/// Whether classes of these sizes keep a rule, and what they are; nothing where the rule is about single classes.
pub(super) fn judged<I: Iterator<Item = u64>>(
    rule: &Rule,
    sizes: impl Fn() -> I,
    unit: Unit,
) -> Option<(bool, String)> {
    let people: u64 = sizes().sum();
    let below = |is_small: &dyn Fn(u64) -> bool| sizes().filter(|size| is_small(*size)).sum::<u64>();
    match *rule {
        Rule::AverageRisk { max } => {
            let classes = sizes().count() as u64;
            Some((is_share(classes, people, max), format!("{classes} classes of {people} {unit}")))
        }
        Rule::RecordsAtRisk { highest, share } => {
            let small = below(&|size| is_small(size, highest));
            Some((is_share(small, people, share), format!("{small} of {people} {unit} are")))
        }
        Rule::SampleUniques { max } => {
            let alone = below(&|size| size == 1);
            Some((is_share(alone, people, max), format!("{alone} of {people} {unit} are")))
        }
        Rule::PopulationUniques { max, law, population } => Some(by_estimate(max, law, population, sizes())),
        _ => None,
    }
}

/// Whether some are at most a share of all.
fn is_share(some: u64, all: u64, share: Decimal) -> bool {
    share.ratio().is_some_and(|[part, whole]| is_at_most([some.into(), whole], [all.into(), part]))
}

/// Whether a class is smaller than one divided by a risk.
fn is_small(size: u64, highest: Decimal) -> bool {
    highest.ratio().is_none_or(|[part, whole]| !is_at_most([whole, 1], [size.into(), part]))
}

fn by_estimate(max: Decimal, law: Law, population: Population, sizes: impl Iterator<Item = u64>) -> (bool, String) {
    let sizes = Sizes::of(sizes);
    let Some(population) = population.size(sizes.people) else {
        return (false, "the size of the population is not known".to_owned());
    };
    let Some(found) = estimated(law, &sizes, population) else {
        return (false, format!("the estimator {law} finds no estimate"));
    };
    let share = found / (population as f64).max(1.0);
    (share <= max.as_float() + HAIR, format!("by estimate {found:.1} of {population}, a share of {share:.6}"))
}

impl Population {
    /// Its people, given how many are released: to the nearest whole number, never fewer. Of a fraction nine digits count.
    fn size(self, people: u64) -> Option<u64> {
        const NINE: u128 = 1_000_000_000;
        match self {
            Self::Size(size) => Some(size.max(people)),
            Self::Fraction(fraction) => {
                let [part, whole] = fraction.ratio()?;
                let part = part.checked_mul(NINE)?.checked_div(whole)?;
                let doubled = (2 * u128::from(people)).checked_mul(NINE)?.checked_add(part)?;
                u64::try_from(doubled.checked_div(2 * part)?).ok().map(|size| size.max(people))
            }
        }
    }
}

impl fmt::Display for Population {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fraction(fraction) => write!(out, "of which {fraction} is released"),
            Self::Size(size) => write!(out, "of {size}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::collected(text).unwrap()
    }

    fn holds(rule: &Rule, sizes: &[u64]) -> bool {
        judged(rule, || sizes.iter().copied(), Unit::Records).unwrap().0
    }

    #[test]
    fn shares_hold_up_to_the_last_digit() {
        // Three classes of ten; 0.3 is three tenths here, although no binary number is.
        let average = |max: &str| holds(&Rule::AverageRisk { max: decimal(max) }, &[1, 2, 7]);
        assert_eq!([average("0.3"), average("0.29999999")], [true, false]);
        let at_risk = |highest: &str, share: &str| {
            let (highest, share) = (decimal(highest), decimal(share));
            holds(&Rule::RecordsAtRisk { highest, share }, &[1, 2, 7])
        };
        assert_eq!([at_risk("0.5", "0.1"), at_risk("0.49", "0.1"), at_risk("0.49", "0.3")], [true, false, true]);
        let alone = |max: &str| holds(&Rule::SampleUniques { max: decimal(max) }, &[1, 2, 7]);
        assert_eq!([alone("0.1"), alone("0.09")], [true, false]);
    }

    #[test]
    fn what_is_not_estimated_fails() {
        let rule = |law: &str, fraction: &str| Rule::PopulationUniques {
            max: decimal("1"),
            law: Law::named(law).unwrap(),
            population: Population::Fraction(decimal(fraction)),
        };
        assert!(!holds(&rule("pitman", "0.1"), &[1, 1, 1]) && !holds(&rule("dankar", "0.1"), &[1, 1, 1]));
        assert!(holds(&rule("dankar", "0.5"), &[1, 1, 1]) && holds(&rule("pitman", "0.1"), &[2, 2]));
        assert!(!holds(&rule("zayatz", "0.0000000001"), &[1, 2]));
    }

    #[test]
    fn a_population_is_the_nearest_whole_number() {
        assert_eq!(Population::Fraction(decimal("0.3")).size(5), Some(17));
        assert_eq!(Population::Fraction(decimal("1")).size(5), Some(5));
        assert_eq!(Population::Size(3).size(5), Some(5));
    }
}
