//! (α, k)-anonymity: nobody stands alone, and no sensitive value is likely.
//!
//! A class of n records is safe when n ≥ `k`, and c ≤ `alpha` · n for each of its sensitive values, c the records with it.
//!
//! **How much a division may keep** (`most`): see [`Caps`]. A union of safe classes is safe, because both inequalities add up.
//!
//! Source: Wong, Li, Fu & Wang 2006. Spec: `specs/privacy/alpha-k.md`.

use super::caps::Caps;
use super::ratio::Ratio;
use super::{
    ClassView, Closure, ModelMember, ModelNeeds, NearestParameter, PrivacyModel, Requirement, VARIABLE, integer,
    sensitive_variable,
};
use crate::card::{Card, Kind, Parameter, Promise, number};

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "alpha-k",
        summary: "each class holds at least k records, and no sensitive value makes up more than alpha of them",
        about: "Whoever finds a person's class can guess the sensitive value with a probability of at most alpha. Where a \
                value is more frequent than that in the whole table, records must be withheld or nothing can be released.",
        promises: &[Promise::ClosedUnderUnion, Promise::Bounded],
        parameters: &[
            VARIABLE,
            Parameter::required("alpha", Kind::PositiveShare, "the largest share of a value in a class"),
            Parameter::required("k", Kind::Integer { min: 2 }, "the smallest class that may be released"),
        ],
        source: "R. Wong, J. Li, A. Fu, K. Wang, (α, k)-anonymity, KDD 2006",
    },
    needs: |_| ModelNeeds::Class,
    build: |parameters, sensitive| {
        let variable = sensitive_variable(parameters, sensitive);
        let alpha = Ratio::read(parameters, "alpha");
        let values = sensitive.get(variable).map_or(0, |known| known.counts.len());
        let caps = Caps { variable, numerators: vec![alpha.numerator; values], denominator: alpha.denominator };
        Ok(Box::new(AlphaK { caps, alpha: number(parameters, "alpha"), k: integer(parameters, "k") }))
    },
};

struct AlphaK {
    caps: Caps,
    alpha: f64,
    k: u64,
}

impl PrivacyModel for AlphaK {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        class.people() >= self.k && self.caps.hold(class)
    }

    fn sensitive(&self) -> Option<usize> {
        Some(self.caps.variable)
    }

    fn allows_any(&self, class: &ClassView<'_>, people: u64) -> bool {
        people >= self.k && self.caps.hold_for_any(class, people)
    }

    fn closure(&self) -> Closure {
        Closure::Union
    }

    fn most(&self, class: &ClassView<'_>) -> u64 {
        Some(self.caps.most(class)).filter(|most| *most >= self.k).unwrap_or(0)
    }

    fn least_size(&self) -> u64 {
        self.k
    }

    fn nearest(&self, class: &ClassView<'_>) -> Vec<NearestParameter> {
        let counts = class.sensitive_counts(self.caps.variable);
        let share = counts.iter().map(|(_, count)| *count).max().unwrap_or(0) as f64
            / class.whole(self.caps.variable).max(1) as f64;
        let size =
            (class.people() < self.k).then(|| NearestParameter::at_most(MEMBER.card.name, "k", class.people() as f64));
        let share = (!self.caps.hold(class)).then(|| NearestParameter::at_least(MEMBER.card.name, "alpha", share));
        size.into_iter().chain(share).collect()
    }

    fn requirements(&self) -> Vec<Requirement> {
        let share = Requirement::Share { sensitive: self.caps.variable, most: self.alpha };
        vec![Requirement::People { least: self.k }, share]
    }
}
