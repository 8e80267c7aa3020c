//! δ-presence: nobody can tell who is in the table, nor who is not.
//!
//! The table is part of a population that an intruder knows. Let a class have P people of the population, n of them in the
//! table. Whoever finds a person's class believes with probability n / P that the person is in the table. A class is safe when
//!
//! > `min` ≤ n / P ≤ `max`.
//!
//! A class of the population with n = 0 tells that its people are absent. Where `min` is above 0, a node that leaves
//! such a class refuses all its classes.
//!
//! **How much a division may keep** (`most`). n / P of a union lies between those of its parts, so unions of safe classes are
//! safe, and
//!
//! > n kept ≤ `max` · P.
//!
//! Where n / P < `min`, one of the parts is below `min` too. It is refused, and it has a record, so n kept ≤ n − 1. Absent classes of a
//! node are absent in all finer ones.
//!
//! Limits: withheld records count as present in the table, although no class shows them. The population must hold everybody of the
//! table. Source: Nergiz, Atzori & Clifton 2007. Spec: `specs/privacy/delta-presence.md`.

use super::ratio::Ratio;
use super::{ClassView, Closure, ModelError, ModelMember, ModelNeeds, NearestParameter, POPULATION, PrivacyModel};
use crate::card::{Card, Kind, Parameter, Promise, number};

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "delta-presence",
        summary: "the share of each class of the population that is in the table lies between min and max",
        about: "For tables in which being listed is the secret: patients of a clinic, debtors, members. Whoever knows the \
                population, say a register, and finds a person's class, believes with a probability between min and max that \
                the person is in the table. Withheld records count as listed. A class of the population without a record makes \
                a node unsafe where min is above 0. It says nothing about what the records tell.",
        promises: &[Promise::ClosedUnderUnion, Promise::Bounded],
        parameters: &[
            Parameter::defaulting(
                "min",
                Kind::Share,
                "0",
                "the smallest share; above 0 nobody can be told to be absent",
            ),
            Parameter::required(
                "max",
                Kind::PositiveShare,
                "the largest share: how sure somebody may be that a person is in the table",
            ),
            POPULATION,
        ],
        source: "M. Nergiz, M. Atzori, C. Clifton, Hiding the presence of individuals from shared databases, SIGMOD 2007",
    },
    needs: |_| ModelNeeds::Population,
    build: |parameters, _| {
        let (least, most) = (number(parameters, "min"), number(parameters, "max"));
        if least > most {
            return Err(ModelError::Unfit(format!("`min` of `{}` is above its `max`", MEMBER.card.name)));
        }
        Ok(Box::new(DeltaPresence { min: least.into(), max: most.into() }))
    },
};

struct DeltaPresence {
    min: Ratio,
    max: Ratio,
}

impl DeltaPresence {
    fn tells_absence(&self, class: &ClassView<'_>) -> bool {
        self.min.numerator > 0 && class.absent_classes() > 0
    }

    fn is_above(&self, class: &ClassView<'_>) -> bool {
        is_more(class.people(), self.max, class.population())
    }

    fn is_below(&self, class: &ClassView<'_>) -> bool {
        u128::from(class.people()) * self.min.denominator < self.min.numerator * u128::from(class.population())
    }
}

/// Whether so many are more than a share of others.
fn is_more(people: u64, share: Ratio, of: u64) -> bool {
    u128::from(people) * share.denominator > share.numerator * u128::from(of)
}

impl PrivacyModel for DeltaPresence {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        !self.tells_absence(class) && !self.is_above(class) && !self.is_below(class)
    }

    fn closure(&self) -> Closure {
        Closure::Union
    }

    fn whole(&self, class: &ClassView<'_>) -> Option<u64> {
        Some(class.people())
    }

    fn most(&self, class: &ClassView<'_>) -> u64 {
        if self.tells_absence(class) {
            return 0;
        }
        let within = self.max.numerator * u128::from(class.population()) / self.max.denominator;
        let lost = u64::from(class.adds_up() && self.is_below(class));
        u64::try_from(within).unwrap_or(u64::MAX).min(class.people().saturating_sub(lost))
    }

    fn nearest(&self, class: &ClassView<'_>) -> Vec<NearestParameter> {
        let name = MEMBER.card.name;
        let share = class.people() as f64 / class.population().max(1) as f64;
        let low = if class.absent_classes() > 0 { 0.0 } else { share };
        let least =
            (self.tells_absence(class) || self.is_below(class)).then(|| NearestParameter::at_most(name, "min", low));
        let most = self.is_above(class).then(|| NearestParameter::at_least(name, "max", share));
        least.into_iter().chain(most).collect()
    }
}
