//! k-anonymity: nobody stands alone.
//!
//! A class is safe when it holds `k` people or more: a key learnt elsewhere then fits all of them or none. Where the table
//! does not know whose records are whose, each record stands for a person.
//! What those people share stays visible; l-diversity looks at that.
//!
//! Source: Sweeney 2002. Spec: `specs/privacy/k-anonymity.md`.

use super::smallest_class::SmallestClass;
use super::{ModelMember, ModelNeeds, NearestParameter, integer};
use crate::card::{Card, Kind, Parameter, Promise};

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "k-anonymity",
        summary: "each class holds at least k people",
        about: "Whoever knows a person's quasi-identifiers finds the records of at least k people that fit, or none. Records \
                count as people unless `[data] person` says whose they are. It protects \
                against recognition, not against what all records of a class have in common: add l-diversity where \
                a sensitive variable must not be learnt.",
        promises: &[Promise::Monotone],
        parameters: &[Parameter::required(
            "k",
            Kind::Integer { min: 2 },
            "the smallest class that may be released; 5 is common, health agencies ask for 11 or 12",
        )],
        source: "L. Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002",
    },
    needs: |_| ModelNeeds::Class,
    build: |parameters, _| {
        let nearest = |people: u64| Some(NearestParameter::at_most(MEMBER.card.name, "k", people as f64));
        Ok(Box::new(SmallestClass { least: integer(parameters, "k"), nearest }))
    },
};
