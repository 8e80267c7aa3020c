//! k-map: each record fits k people of the population.
//!
//! k-anonymity asks for k people of the table in each class. An intruder who does not know who is in the table has to reckon with
//! the whole population: a class is safe when k people of it are in there.
//!
//! **With a population table** that is counted: P ≥ k.
//!
//! **Estimated**, where only the sampling fraction f is known. Of k people in a class of the population, a number that follows a
//! Poisson law with λ = k f is in the table. A class with more records than that law makes likely has more than k people in the
//! population. So a class is safe when n ≥ k′, where k′ follows from the significance α, and is never above k:
//!
//! - `poisson`: k′ = i + 2, i the smallest number with P(X ≤ i) ≥ 1 − α. That is one more than the test itself asks for.
//! - `zero-truncated-poisson`, since classes without records are not seen: k′ = i + 1, i the smallest number of at least 1
//!   with P(X ≤ i | X ≥ 1) ≥ 1 − α.
//!
//! Both as ARX 3.9 defines them, but for one thing: where k′ is above the number of records ARX takes that number, and
//! nothing is released here.
//!
//! Limit: estimates take the table for a random sample. Source: Sweeney 2002; Pannekoek 1999; El Emam & Dankar 2008 (D3, D4).
//! Spec: `specs/privacy/k-map.md`.

use super::smallest_class::SmallestClass;
use super::{
    ClassView, Closure, ModelError, ModelMember, ModelNeeds, NearestParameter, POPULATION, PrivacyModel, integer,
};
use crate::card::{Card, Kind, Parameter, Parameters, Promise, number, text};

const ESTIMATORS: [&str; 2] = ["poisson", "zero-truncated-poisson"];

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "k-map",
        summary: "each class fits at least k people of the population, counted or estimated",
        about: "For tables whose people are a sample: whoever does not know who is in the sample has to reckon with everybody of \
                the same class. Give the population as a table, or the sampling fraction, from which the smallest safe class of \
                the sample is estimated; then the table must be a random sample. It does not protect a person who is known to \
                be in the table: k-anonymity does.",
        promises: &[Promise::Monotone],
        parameters: &[
            Parameter::required("k", Kind::Integer { min: 2 }, "the fewest people of the population in a class"),
            Parameter { kind: Kind::Optional(&POPULATION.kind), ..POPULATION },
            Parameter::required(
                "fraction",
                Kind::Optional(&Kind::PositiveShare),
                "the share of the population that is in the table, where there is no population table",
            ),
            Parameter::defaulting(
                "estimator",
                Kind::WithParameter { parameter: "fraction", kind: &Kind::Choice(&ESTIMATORS) },
                ESTIMATORS[0],
                "the law that sizes of classes follow; the truncated one leaves out classes without records",
            ),
            Parameter::defaulting(
                "significance",
                Kind::WithParameter { parameter: "fraction", kind: &Kind::PositiveShare },
                "0.05",
                "how likely a class of fewer than k people may be taken for a safe one",
            ),
        ],
        source: "L. Sweeney, Computational disclosure control, 2001; K. El Emam, F. Dankar, Protecting privacy using k-anonymity, \
                 JAMIA 15(5), 2008 (estimators D3 and D4); J. Pannekoek, Statistica Neerlandica 53(1), 1999",
    },
    needs: |parameters| {
        if parameters.contains_key(POPULATION.name) { ModelNeeds::Population } else { ModelNeeds::Class }
    },
    build,
};

fn build(parameters: &Parameters, _: &[super::SensitiveVariable]) -> Result<Box<dyn PrivacyModel>, ModelError> {
    let k = integer(parameters, "k");
    let is_given = |name| parameters.contains_key(name);
    match (is_given(POPULATION.name), is_given("fraction")) {
        (true, false) => Ok(Box::new(CountedPopulation { k })),
        (false, true) => {
            let (lambda, significance) =
                (k as f64 * number(parameters, "fraction"), number(parameters, "significance"));
            let is_truncated = text(parameters, "estimator") == ESTIMATORS[1];
            let least = least(k, lambda, 1.0 - significance, is_truncated);
            // Another k has another k′, and which one is not worth the search: k is never asked for in vain where so many are there.
            let nearest = |people: u64| Some(NearestParameter::at_most(MEMBER.card.name, "k", people as f64));
            Ok(Box::new(SmallestClass { least, nearest }))
        }
        _ => Err(ModelError::Unfit(format!(
            "`{}` needs either `population`, the table of everybody, or `fraction`, the share that was sampled",
            MEMBER.card.name
        ))),
    }
}

/// Beyond this k, k itself is asked for: it is always enough, and nobody waits for the sum.
const MOST: u64 = 10_000_000;

/// The smallest class of the sample that is taken to have k people in the population.
fn least(k: u64, lambda: f64, threshold: f64, is_truncated: bool) -> u64 {
    if k > MOST {
        return k;
    }
    // Logarithms, because exp(-λ) is 0 for large λ.
    let mut log_probability = -lambda;
    let seen = if is_truncated { -(-lambda).exp_m1() } else { 1.0 };
    let mut sum = if is_truncated { 0.0 } else { log_probability.exp() };
    let mut count = 0_u64;
    while count < k && (sum / seen < threshold || is_truncated && count == 0) {
        count += 1;
        log_probability += (lambda / count as f64).ln();
        sum += log_probability.exp();
    }
    (count + if is_truncated { 1 } else { 2 }).min(k)
}

struct CountedPopulation {
    k: u64,
}

impl PrivacyModel for CountedPopulation {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        class.population() >= self.k
    }

    fn closure(&self) -> Closure {
        Closure::Any
    }

    fn nearest(&self, class: &ClassView<'_>) -> Vec<NearestParameter> {
        let near = || NearestParameter::at_most(MEMBER.card.name, "k", class.population() as f64);
        (!self.allows(class)).then(near).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of the law, by its definition.
    fn expected(k: u64, lambda: f64, significance: f64, is_truncated: bool) -> u64 {
        let mass = |count: u64| (1..=count).fold((-lambda).exp(), |mass, one| mass * lambda / one as f64);
        let (first, seen) = if is_truncated { (1, 1.0 - mass(0)) } else { (0, 1.0) };
        let holds = |count: &u64| (first..=*count).map(mass).sum::<f64>() / seen >= 1.0 - significance;
        let smallest = (first..10_000).find(holds).unwrap();
        (smallest + if is_truncated { 1 } else { 2 }).min(k)
    }

    #[test]
    fn the_smallest_class_follows_from_the_law() {
        for k in [2, 3, 5, 11, 50, 200] {
            for fraction in [0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 1.0] {
                for significance in [0.001, 0.01, 0.05, 0.1, 0.5] {
                    for is_truncated in [false, true] {
                        let lambda = k as f64 * fraction;
                        let found = least(k, lambda, 1.0 - significance, is_truncated);
                        assert_eq!(
                            found,
                            expected(k, lambda, significance, is_truncated),
                            "{k} {fraction} {significance}"
                        );
                    }
                }
            }
        }
    }

    /// λ = 0.5: P(X ≤ 1) = 0.9098, P(X ≤ 2) = 0.9856; given that there is one, 0.7707 and 0.9634.
    #[test]
    fn cases_by_hand() {
        assert_eq!(least(5, 0.5, 0.95, false), 4);
        assert_eq!(least(5, 0.5, 0.95, true), 3);
        assert_eq!(least(5, 0.5, 0.90, false), 3);
        assert_eq!(least(3, 0.5, 0.95, false), 3);
        // Beyond what exp(-λ) can hold nothing breaks, and k is enough.
        assert_eq!(least(1_000, 1_000.0, 0.95, false), 1_000);
        assert_eq!(least(100_000, 10_000.0, 0.95, true), 10_166);
    }

    #[test]
    fn a_population_is_counted_or_estimated_not_both_and_not_neither() {
        let build = |given: &[(&str, crate::card::Value)]| {
            let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            crate::privacy::build(MEMBER.card.name, &given, &[]).map(|_| ()).map_err(|error| error.to_string())
        };
        let k = ("k", crate::card::Value::Integer(5));
        let table = ("population", crate::card::Value::Text("all.csv".into()));
        let fraction = |number| ("fraction", crate::card::Value::Number(number));
        assert!(build(&[k.clone(), table.clone()]).is_ok() && build(&[k.clone(), fraction(0.1)]).is_ok());
        assert!(build(std::slice::from_ref(&k)).unwrap_err().contains("either `population`"));
        assert!(build(&[k.clone(), table.clone(), fraction(0.1)]).unwrap_err().contains("either `population`"));
        assert!(build(&[k.clone(), fraction(0.0)]).is_err() && build(&[k.clone(), fraction(1.5)]).is_err());
        let beside = build(&[k, table, ("significance", crate::card::Value::Number(0.1))]).unwrap_err();
        assert!(beside.contains("it goes with `fraction` only"), "{beside}");
    }
}
