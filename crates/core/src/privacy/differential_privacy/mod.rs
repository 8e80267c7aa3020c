//! Differential privacy: whether a person's record is in the table hardly changes what may be released.
//!
//! The promise is not about classes but about how a release comes about: whatever is released, its chance with a person's record in the
//! table is at most e^ε times its chance without it, and the other way round, but for a chance of δ. `SafePub` keeps it without inventing
//! or disturbing a value: each record is drawn into a sample with a chance β, the values are recoded to levels that do not
//! depend on the table, and classes with fewer than k records of the sample are withheld ([`threshold`]). Levels may be drawn, too,
//! under an ε of their own ([`choice`]); the promises add up.
//!
//! In this family the model stands for the threshold; [`Sampling`] tells whoever reads the table what to draw. It keeps what it
//! promises only where everything that is published follows from the sampled classes that are released, and from the policy.
//!
//! Limits: it is about one release. A second one from the same people adds its ε and δ to those of the first. What is learnt
//! about everybody alike (that smokers fall ill, say) is not prevented.
//!
//! Source: Bild, Kuhn, Prasser 2018. Spec: `specs/privacy/differential-privacy.md`.

mod choice;
mod interval;
mod threshold;

use super::{ClassView, Closure, ModelError, ModelMember, ModelNeeds, PrivacyModel, Requirement};
use crate::card::{Card, Kind, Parameter, Parameters, Promise, Value, flag, number};
use crate::random::Stream;
pub use choice::{MOST_NODES, TooManyNodes};
pub use threshold::{Chance, least_class};

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "differential-privacy",
        summary: "whether a person is in the table changes the chance of any release by a factor of e^epsilon at most, but for a \
                  chance of delta",
        about: "A random sample of the records is released, each quasi-identifier at a level that the policy fixes, and only \
                classes with enough records of the sample: SafePub, which adds no noise and invents no record. It is the only \
                model that holds whatever an intruder knows already. It protects whether somebody is in the table, not what is \
                true of everybody, and each further release from the same people adds its epsilon and delta. Every released column must be \
                quasi-identifying, with `levels` that name one level, or `epsilon_search` for levels that are drawn.",
        promises: &[
            Promise::Monotone,
            Promise::InWords("no decision rests on records that are not in the sample"),
            Promise::InWords("the smallest class is computed with bounds that never err to the unsafe side"),
        ],
        parameters: &[
            Parameter::required(
                EPSILON,
                Kind::Above(0),
                "how much a person's record may change the chance of a release, as an exponent; 1 is common, up to 2 is defended",
            ),
            Parameter::required(
                DELTA,
                Kind::PositiveShare,
                "the chance that this bound does not hold; below one by the number of records, such as 0.000001",
            ),
            Parameter::defaulting(
                EPSILON_SEARCH,
                Kind::UpTo(20),
                "0",
                "what drawing the levels may add to epsilon; 0 where the policy fixes all levels",
            ),
            Parameter::defaulting(
                ACKNOWLEDGE_SEED,
                Kind::Flag,
                "false",
                "permits a seed, for tests and demonstrations: whoever knows it knows who was drawn, and the promise is void",
            ),
        ],
        source: "R. Bild, K. A. Kuhn, F. Prasser, SafePub: a truthful data anonymization algorithm with strong privacy guarantees, \
                 PoPETs 2018(1)",
    },
    needs: |_| ModelNeeds::Class,
    build: |parameters, _| Ok(Box::new(DifferentialPrivacy(Sampling::from_parameters(parameters)?))),
};

const EPSILON: &str = "epsilon";
const DELTA: &str = "delta";
const EPSILON_SEARCH: &str = "epsilon_search";
const ACKNOWLEDGE_SEED: &str = "acknowledge_seed";

/// What a release claims besides: the chance, the smallest class, and whether a seed was given.
const BETA: &str = "beta";
const K: &str = "k";
const SEEDED: &str = "seeded";

/// Beyond these bounds a promise is empty, or no table is large enough.
const LEAST_EPSILON: f64 = 1e-6;
const MOST_EPSILON: f64 = 20.0;
const LEAST_DELTA: f64 = 1e-100;

/// What is drawn of a table before anything is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// The bound for the release.
    pub epsilon: f64,
    /// The bound for drawing the levels; 0 where the policy fixes them.
    pub epsilon_search: f64,
    /// The chance that the bounds do not hold.
    pub delta: f64,
    /// The chance with which each record is drawn; each person, where one is named.
    pub chance: Chance,
    /// The smallest class of the sample that may be released.
    pub least: u64,
    /// Whether a seed is permitted.
    pub permits_seed: bool,
}

impl Sampling {
    fn from_parameters(parameters: &Parameters) -> Result<Self, ModelError> {
        let unfit = |what: &str| Err(ModelError::Unfit(what.to_owned()));
        let (epsilon, delta) = (number(parameters, EPSILON), number(parameters, DELTA));
        let epsilon_search = number(parameters, EPSILON_SEARCH);
        if !(LEAST_EPSILON..=MOST_EPSILON).contains(&epsilon) {
            return unfit(
                "`epsilon` must be from 0.000001 to 20: beyond that there is no promise, or no table is large enough",
            );
        }
        if !(LEAST_DELTA..=1.0).contains(&delta) {
            return unfit("`delta` must be from 1e-100 to 1");
        }
        if epsilon_search > 0.0 && epsilon_search < LEAST_EPSILON {
            return unfit("`epsilon_search` must be 0, or from 0.000001 on");
        }
        let chance = Chance::largest(epsilon);
        let least = least_class(epsilon, delta, chance);
        let permits_seed = flag(parameters, ACKNOWLEDGE_SEED);
        Ok(Self { epsilon, epsilon_search, delta, chance, least, permits_seed })
    }

    /// Whether the levels are drawn.
    #[must_use]
    pub fn draws_levels(&self) -> bool {
        self.epsilon_search > 0.0
    }

    /// How many of so many records are drawn, each for itself.
    #[must_use]
    pub fn drawn(&self, records: u64, stream: &mut Stream) -> u64 {
        (0..records).map(|_| u64::from(stream.bits() >> 11 < self.chance.0)).sum()
    }

    /// What a release claims.
    #[must_use]
    pub fn claims(&self, is_seeded: bool) -> Parameters {
        let claim = |name: &str, value| (name.to_owned(), value);
        let mut claims = Parameters::from([
            claim(EPSILON, Value::Number(self.epsilon)),
            claim(DELTA, Value::Number(self.delta)),
            claim(BETA, Value::Number(self.chance.share())),
            claim(K, Value::Integer(i64::try_from(self.least).unwrap_or(i64::MAX))),
        ]);
        claims.extend(self.draws_levels().then(|| claim(EPSILON_SEARCH, Value::Number(self.epsilon_search))));
        claims.extend(is_seeded.then(|| claim(SEEDED, Value::Bool(true))));
        claims
    }
}

/// Whether releases under the model of this name are drawn at random: then a mask cannot be applied again, and counts of the
/// original are nobody's business.
#[must_use]
pub fn draws(model: &str) -> bool {
    model == MEMBER.card.name
}

/// Whether these claims are void, because whoever knows the seed knows who was drawn.
#[must_use]
pub fn is_void(model: &str, claims: &Parameters) -> bool {
    draws(model) && flag(claims, SEEDED)
}

/// What the claims of a release mean for a person in the table; nothing where the card says it all.
#[must_use]
pub fn in_words(model: &str, claims: &Parameters) -> Vec<String> {
    if !draws(model) {
        return Vec::new();
    }
    let [epsilon, search, delta, beta, k] = [EPSILON, EPSILON_SEARCH, DELTA, BETA, K].map(|name| number(claims, name));
    let total = epsilon + search;
    let factor = libm::exp(total);
    let mut words = Vec::new();
    if is_void(model, claims) {
        words.push(VOID.to_owned());
    }
    words.push(format!(
        "Epsilon, {total} in all: whatever somebody concludes from this release, they would have concluded it with at least {} of that \
         chance had your record not been in the table. If the chance of being suspected of something was 1 in 1,000 without it, \
         it is at most {} in 1,000 with it.",
        share(1.0 / factor),
        short(factor)
    ));
    words.push(format!(
        "Delta, {delta}: the chance that this does not hold for you. The draw itself is what protects: each record was taken with the \
         chance {}, and nobody can tell which were. Labels that fewer than {k} drawn records share are not in the release.",
        short(beta)
    ));
    words.push(ADDS_UP.to_owned());
    words
}

const VOID: &str = "The promise is void. The sample was drawn from a seed that somebody chose. Whoever knows or guesses it draws the same sample again \
                    and sees who is in it. This release shows how the model works and must not be handed over as private.";
const ADDS_UP: &str = "The bounds of all releases from the same people add up: two releases like this one promise twice the epsilon and twice \
                       the delta. How many records the table has, and how many were withheld, is not told: that would tell about single records.";

fn share(share: f64) -> String {
    format!("{}%", short(share * 100.0))
}

/// A number as people read it.
fn short(number: f64) -> String {
    let digits = if number < 10.0 { 2 } else { 0 };
    let text = format!("{number:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.to_owned()
}

struct DifferentialPrivacy(Sampling);

impl PrivacyModel for DifferentialPrivacy {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        class.people() >= self.0.least
    }

    fn closure(&self) -> Closure {
        Closure::Any
    }

    fn least_size(&self) -> u64 {
        self.0.least
    }

    fn requirements(&self) -> Vec<Requirement> {
        vec![Requirement::People { least: self.0.least }]
    }

    fn sampling(&self) -> Option<Sampling> {
        Some(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    fn sampling(epsilon: f64, delta: f64) -> Result<Sampling, ModelError> {
        let given = [(EPSILON, epsilon), (DELTA, delta)].map(|(name, number)| (name.to_owned(), Value::Number(number)));
        let model = super::super::build(MEMBER.card.name, &Parameters::from(given), &[])?;
        Ok(model.sampling().unwrap())
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for (epsilon, delta) in [
            (0.0, 0.1),
            (-1.0, 0.1),
            (f64::NAN, 0.1),
            (f64::INFINITY, 0.1),
            (1e-9, 0.1),
            (21.0, 0.1),
            (1.0, 0.0),
            (1.0, -0.1),
            (1.0, 1.1),
            (1.0, f64::NAN),
            (1.0, 1e-200),
        ] {
            assert!(sampling(epsilon, delta).is_err(), "{epsilon} {delta}");
        }
    }

    #[test]
    fn records_are_drawn_as_often_as_the_chance_says() {
        let sampling = sampling(1.0, 1e-5).unwrap();
        let mut stream = Seed::from(11).stream(0);
        let drawn = sampling.drawn(1_000_000, &mut stream) as f64;
        // Five standard deviations.
        assert!((drawn - 632_120.6).abs() < 5.0 * 482.3, "{drawn}");
        assert_eq!(sampling.drawn(0, &mut stream), 0);
    }

    #[test]
    fn claims_say_what_was_promised_and_a_seed_voids_it() {
        let sampling = sampling(1.0, 1e-5).unwrap();
        let (kept, void) = (sampling.claims(false), sampling.claims(true));
        assert_eq!(kept.get(K), Some(&Value::Integer(61)));
        assert_eq!(kept.keys().collect::<Vec<_>>(), [BETA, DELTA, EPSILON, K]);
        assert!(!is_void(MEMBER.card.name, &kept) && is_void(MEMBER.card.name, &void));
        let words = |claims| in_words(MEMBER.card.name, claims).join(" ");
        assert!(words(&void).starts_with("The promise is void.") && !words(&kept).contains("void"));
        assert!(words(&kept).contains("at most 2.72 in 1,000") && words(&kept).contains("37%"), "{}", words(&kept));
        assert!(in_words("k-anonymity", &kept).is_empty() && !is_void("k-anonymity", &void));
    }
}
