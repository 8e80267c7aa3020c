//! l-diversity: those who look alike differ in what must not be learnt.
//!
//! A class is safe when its records hold at least `l` distinct values of a sensitive variable; the missing value counts
//! as one. This is the distinct kind: it bounds what is certain, not what is likely, so a class in which one value is
//! much more frequent than the others passes.
//!
//! Source: Machanavajjhala et al. 2007. Spec: `specs/privacy/l-diversity.md`.

use super::{ClassView, Member, Nearest, PrivacyModel, Requirement, integer, sensitive_variable};
use crate::card::{Card, Kind, Parameter, Promise};

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "l-diversity",
        summary: "each class holds at least l distinct values of a sensitive variable",
        about: "Whoever finds a person's class cannot be sure of the sensitive value, because at least l different \
                ones occur in it. The distinct kind counts values and not how often they occur: a class in which \
                nine of ten records share a value still passes for l = 2.",
        promises: &[Promise::Monotone],
        parameters: &[
            Parameter {
                name: "variable",
                kind: Kind::SensitiveVariable,
                default: None,
                summary: "the sensitive variable that must stay uncertain",
            },
            Parameter {
                name: "l",
                kind: Kind::Integer { min: 2 },
                default: None,
                summary: "the least number of distinct values in a class",
            },
            Parameter {
                name: "kind",
                kind: Kind::Choice(&["distinct"]),
                default: Some("distinct"),
                summary: "how diversity is measured",
            },
        ],
        source: "A. Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, ACM TKDD 1(1), 2007",
    },
    build: |parameters, sensitive| {
        let variable = sensitive_variable(parameters, "variable", sensitive);
        Box::new(LDiversity { variable, l: integer(parameters, "l") })
    },
};

struct LDiversity {
    variable: usize,
    l: u64,
}

impl LDiversity {
    fn distinct(&self, class: &ClassView<'_>) -> u64 {
        class.sensitive_counts(self.variable).len() as u64
    }
}

impl PrivacyModel for LDiversity {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        self.distinct(class) >= self.l
    }

    fn is_monotone(&self) -> bool {
        true
    }

    fn nearest(&self, whole: &ClassView<'_>) -> Option<Nearest> {
        (!self.allows(whole)).then(|| Nearest { model: MEMBER.card.name, parameter: "l", value: self.distinct(whole) })
    }

    fn requirement(&self) -> Option<Requirement> {
        Some(Requirement::Distinct { sensitive: self.variable, least: self.l })
    }
}
