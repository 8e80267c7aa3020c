//! k-anonymity: nobody stands alone.
//!
//! A class is safe when it holds `k` people or more: a key learnt elsewhere then fits all of them or none. Where the table
//! does not know whose records are whose, each record stands for a person.
//! What those people share stays visible; l-diversity looks at that.
//!
//! Source: Sweeney 2002. Spec: `specs/privacy/k-anonymity.md`.

use super::{ClassView, Closure, Member, Nearest, Needs, PrivacyModel, Requirement, integer};
use crate::card::{Card, Kind, Parameter, Promise};

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "k-anonymity",
        summary: "each class holds at least k people",
        about: "Whoever knows a person's quasi-identifiers finds the records of at least k people that fit, or none. Records \
                count as people unless `[data] person` says whose they are. It protects \
                against recognition, not against what all records of a class have in common: add l-diversity where \
                a sensitive variable must not be learnt.",
        promises: &[Promise::Monotone],
        parameters: &[Parameter {
            name: "k",
            kind: Kind::Integer { min: 2 },
            default: None,
            summary: "the smallest class that may be released; 5 is common, health agencies ask for 11 or 12",
        }],
        source: "L. Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002",
    },
    needs: |_| Needs::Class,
    build: |parameters, _| Ok(Box::new(KAnonymity { k: integer(parameters, "k") })),
};

struct KAnonymity {
    k: u64,
}

impl PrivacyModel for KAnonymity {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        class.people() >= self.k
    }

    fn closure(&self) -> Closure {
        Closure::Any
    }

    fn least_size(&self) -> u64 {
        self.k
    }

    fn nearest(&self, class: &ClassView<'_>) -> Vec<Nearest> {
        let near = || Nearest::at_most(MEMBER.card.name, "k", class.people() as f64);
        (!self.allows(class)).then(near).into_iter().collect()
    }

    fn requirements(&self) -> Vec<Requirement> {
        vec![Requirement::People { least: self.k }]
    }
}
