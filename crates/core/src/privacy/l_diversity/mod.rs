//! l-diversity: those who look alike differ in what must not be learnt.
//!
//! The kinds differ in what they count in a class; the missing value counts as a value.
//!
//! * *distinct*: at least `l` values. It bounds what is certain, not what is likely, so a class in which one value is much
//!   more frequent than the others passes.
//! * *entropy* (`entropy.rs`): as uncertain as `l` equally frequent values.
//! * *recursive* (`recursive.rs`): the most frequent value has less than `c` times the records of the l-th and all rarer.
//!
//! Source: Machanavajjhala et al. 2007. Spec: `specs/privacy/l-diversity.md`.

mod entropy;
mod recursive;

use super::ratio::Ratio;
use super::{
    ClassView, Closure, ModelError, ModelMember, ModelNeeds, NearestParameter, PrivacyModel, Requirement, VARIABLE,
    most_alike, sensitive_variable,
};
use crate::card::{Card, Kind, Parameter, Promise, number, text};

use entropy::EntropyEstimator;

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "l-diversity",
        summary: "each class holds at least l values of a sensitive variable, by number, entropy or recursively",
        about: "Whoever finds a person's class cannot be sure of the sensitive value, because at least l different \
                ones occur in it. The distinct kind counts values and not how often they occur: a class in which \
                nine of ten records share a value still passes for l = 2. The entropy and the recursive kind bound how \
                likely the most frequent values may be.",
        promises: &[Promise::InWords(
            "distinct: an allowed class stays allowed when merged; entropy and recursive: with another allowed one, and both \
             say how much of a refused class a finer node can keep. Grassberger's estimator promises neither",
        )],
        parameters: &[
            VARIABLE,
            Parameter::required(
                "l",
                Kind::Above(1),
                "the least number of values in a class; a fraction only by entropy",
            ),
            Parameter::defaulting(
                "kind",
                Kind::Choice(&["distinct", "entropy", "recursive"]),
                "distinct",
                "how diversity is measured",
            ),
            Parameter::required(
                "c",
                Kind::WithChoice { parameter: "kind", word: "recursive", kind: &Kind::Above(0) },
                "how many times the rarer values the most frequent one stays below",
            ),
            Parameter::defaulting(
                "estimator",
                Kind::WithChoice {
                    parameter: "kind",
                    word: "entropy",
                    kind: &Kind::Choice(&["shannon", "grassberger"]),
                },
                "shannon",
                "how the entropy of a class is estimated; grassberger corrects for small classes",
            ),
        ],
        source: "A. Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, ACM TKDD 1(1), 2007",
    },
    needs: |_| ModelNeeds::Class,
    build: |parameters, sensitive| {
        let variable = sensitive_variable(parameters, sensitive);
        let l = number(parameters, "l");
        let measure = match text(parameters, "kind") {
            "entropy" if text(parameters, "estimator") == "grassberger" => {
                Measure::Entropy(EntropyEstimator::Grassberger)
            }
            "entropy" => Measure::Entropy(EntropyEstimator::Shannon),
            "recursive" => Measure::Recursive { c: Ratio::read(parameters, "c") },
            _ => Measure::Distinct,
        };
        if l.fract() > 0.0 && !matches!(measure, Measure::Entropy(_)) {
            return Err(ModelError::Unfit(
                "`l` of `l-diversity` has a fraction only with kind = \"entropy\"".to_owned(),
            ));
        }
        Ok(Box::new(LDiversity { variable, l, measure }))
    },
};

/// What is measured of a class.
#[derive(Debug, Clone, Copy)]
enum Measure {
    Distinct,
    Entropy(EntropyEstimator),
    Recursive { c: Ratio },
}

struct LDiversity {
    variable: usize,
    l: f64,
    measure: Measure,
}

impl LDiversity {
    /// The least number of distinct values.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // above 1
    fn least(&self) -> u64 {
        match self.measure {
            // Short of the threshold by less than a rounding error.
            Measure::Entropy(_) => (self.l * (1.0 - 2.0 * entropy::SHORT)).ceil() as u64,
            Measure::Distinct | Measure::Recursive { .. } => self.l as u64,
        }
    }

    fn rank(&self) -> usize {
        usize::try_from(self.least()).unwrap_or(usize::MAX)
    }

    /// The counts of a class in falling order.
    fn counts(&self, class: &ClassView<'_>) -> Vec<u64> {
        let mut counts: Vec<u64> = class.sensitive_counts(self.variable).iter().map(|&(_, count)| count).collect();
        counts.sort_unstable_by(|one, other| other.cmp(one));
        counts
    }
}

impl PrivacyModel for LDiversity {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        if matches!(self.measure, Measure::Distinct | Measure::Recursive { .. })
            && (class.sensitive_counts(self.variable).len() as u64) < self.least()
        {
            return false;
        }
        match self.measure {
            Measure::Distinct => true,
            Measure::Entropy(estimator) => entropy::allows(&self.counts(class), self.l.log2(), estimator),
            Measure::Recursive { c } => recursive::allows(&self.counts(class), self.rank(), c),
        }
    }

    fn sensitive(&self) -> Option<usize> {
        Some(self.variable)
    }

    fn allows_any(&self, class: &ClassView<'_>, people: u64) -> bool {
        let counts = most_alike(class.record_counts(self.variable), people);
        match self.measure {
            Measure::Distinct => counts.len() as u64 >= self.least(),
            Measure::Entropy(EntropyEstimator::Shannon) => {
                entropy::allows(&counts, self.l.log2(), EntropyEstimator::Shannon)
            }
            Measure::Entropy(EntropyEstimator::Grassberger) => false,
            Measure::Recursive { c } => {
                counts.len() as u64 >= self.least() && recursive::allows(&counts, self.rank(), c)
            }
        }
    }

    fn closure(&self) -> Closure {
        match self.measure {
            Measure::Distinct => Closure::Any,
            Measure::Entropy(EntropyEstimator::Shannon) | Measure::Recursive { .. } => Closure::Union,
            Measure::Entropy(EntropyEstimator::Grassberger) => Closure::None,
        }
    }

    fn most(&self, class: &ClassView<'_>) -> u64 {
        match self.measure {
            Measure::Distinct if !self.allows(class) => 0,
            Measure::Distinct | Measure::Entropy(EntropyEstimator::Grassberger) => u64::MAX,
            Measure::Entropy(EntropyEstimator::Shannon) => entropy::most(&self.counts(class), self.l.log2()),
            Measure::Recursive { c } => recursive::most(&self.counts(class), self.rank(), c),
        }
    }

    fn least_size(&self) -> u64 {
        // By Grassberger's estimator, a class may have more entropy than it has values.
        if matches!(self.measure, Measure::Entropy(EntropyEstimator::Grassberger)) { 0 } else { self.least() }
    }

    fn nearest(&self, class: &ClassView<'_>) -> Vec<NearestParameter> {
        if self.allows(class) {
            return Vec::new();
        }
        let counts = self.counts(class);
        let l = match self.measure {
            Measure::Distinct => counts.len() as f64,
            Measure::Entropy(estimator) => entropy::entropy(&counts, estimator).exp2(),
            Measure::Recursive { c } => {
                (1..=counts.len()).rev().find(|&l| recursive::allows(&counts, l, c)).unwrap_or(0) as f64
            }
        };
        (l > 0.0).then(|| NearestParameter::at_most(MEMBER.card.name, "l", l)).into_iter().collect()
    }

    fn requirements(&self) -> Vec<Requirement> {
        let distinct = Requirement::Distinct { sensitive: self.variable, least: self.least() };
        matches!(self.measure, Measure::Distinct).then_some(distinct).into_iter().collect()
    }
}
