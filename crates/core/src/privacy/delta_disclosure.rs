//! δ-disclosure privacy: no sensitive value is much more, or much less, likely in a class than in the whole table.
//!
//! Let p be the share of a value in the class, and q its share in the table, withheld records included. A class is safe when
//!
//! > |log₂(p / q)| < δ for every value of the table.
//!
//! A value that the class lacks violates this. With `absent = "ignored"` only values that occur in the class are looked at.
//!
//! The ratio is compared with 2^δ, rounded once to 2⁻⁴⁰: whole numbers δ are decided exactly.
//!
//! **How much a division may keep** (`most`). Let K records be kept, c of the value in the class. Then
//!
//! > p ≤ c / K and p > 2^−δ q ⇒ K < c 2^δ / q, and p < 2^δ q: the records are within [`Caps`] of 2^δ q.
//!
//! The first holds where absent values violate. There a union of safe classes is safe too, because its shares lie between those
//! of its parts. Where absent values are ignored, a union may dilute a value too much, so safety is not closed; the caps
//! hold all the same.
//!
//! Source: Brickell & Shmatikov 2008. Spec: `specs/privacy/delta-disclosure.md`.

use super::caps::Caps;
use super::{
    ClassView, Closure, ModelMember, ModelNeeds, NearestParameter, PrivacyModel, SensitiveVariable, VARIABLE, largest,
    sensitive_variable,
};
use crate::card::{Card, Kind, Parameter, Promise, number, text};
use crate::entropy::fixed;

/// Larger δ are taken for this one: no table has shares that differ so much.
const MOST: f64 = 19.0;

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "delta-disclosure",
        summary: "in each class every sensitive value is as likely as in the whole table, up to a factor below 2 to the delta",
        about: "Whoever finds a person's class learns little about any sensitive value, not even that it is unlikely: each \
                share differs from that of the table by less than a factor of two to the delta. Every class must hold every \
                value, which few tables allow; `absent = \"ignored\"` looks only at values that a class holds.",
        promises: &[
            Promise::Bounded,
            Promise::InWords(
                "where absent values violate: an allowed class stays allowed when merged with another allowed one",
            ),
        ],
        parameters: &[
            VARIABLE,
            Parameter::required(
                "delta",
                Kind::Above(0),
                "the logarithm, to base 2, of the factor that shares may differ by",
            ),
            Parameter::defaulting(
                "absent",
                Kind::Choice(&["violates", "ignored"]),
                "violates",
                "what a value means that the table has and the class has not",
            ),
        ],
        source: "J. Brickell, V. Shmatikov, The cost of privacy: destruction of data-mining utility in anonymized data \
                 publishing, KDD 2008",
    },
    needs: |_| ModelNeeds::Table,
    build: |parameters, sensitive| {
        let variable = sensitive_variable(parameters, sensitive);
        let known = sensitive.get(variable).cloned().unwrap_or_default();
        let factor = u128::from(fixed(number(parameters, "delta").min(MOST).exp2()));
        Ok(Box::new(DeltaDisclosure::new(variable, factor, text(parameters, "absent") == "ignored", known)))
    },
};

struct DeltaDisclosure {
    caps: Caps,
    /// 2^δ, in 2⁻⁴⁰.
    factor: u128,
    ignores_absent: bool,
    known: SensitiveVariable,
    records: u128,
}

/// How much the factor is multiplied by.
const POINT: u128 = 1 << 40;

impl DeltaDisclosure {
    fn new(variable: usize, factor: u128, ignores_absent: bool, known: SensitiveVariable) -> Self {
        let records: u128 = known.counts.iter().map(|&count| u128::from(count)).sum();
        let numerators = known.counts.iter().map(|&count| u128::from(count) * factor).collect();
        let caps = Caps { variable, numerators, denominator: POINT * records };
        Self { caps, factor, ignores_absent, known, records }
    }

    /// Whether a value with so many of `whole` is neither too frequent nor too rare.
    fn is_near(&self, code: u32, count: u64, whole: u64) -> bool {
        let here = u128::from(count) * self.records;
        let there = u128::from(self.known.counts.get(code as usize).copied().unwrap_or(0)) * u128::from(whole);
        here * POINT < there * self.factor && there * POINT < here * self.factor
    }

    /// Codes that the table has and the class has not.
    fn lacks_a_value(&self, class: &ClassView<'_>) -> bool {
        let there = self.known.counts.iter().filter(|count| **count > 0).count();
        class.sensitive_counts(self.caps.variable).len() < there
    }
}

impl PrivacyModel for DeltaDisclosure {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        let (mut counts, whole) = (class.sensitive_counts(self.caps.variable).iter(), class.whole(self.caps.variable));
        (self.ignores_absent || !self.lacks_a_value(class))
            && counts.all(|&(code, count)| self.is_near(code, count, whole))
    }

    fn sensitive(&self) -> Option<usize> {
        Some(self.caps.variable)
    }

    fn allows_any(&self, class: &ClassView<'_>, people: u64) -> bool {
        let counts = class.record_counts(self.caps.variable);
        let whole: u64 = counts.iter().map(|(_, count)| count).sum();
        let there = self.known.counts.iter().filter(|count| **count > 0).count();
        let is_near = |&(code, count): &(u32, u64)| {
            let others = whole - count;
            // Somebody has a value that is looked at; the largest group with one of them alone has it rarest.
            let size = if self.ignores_absent { people.max(others + 1) } else { people };
            self.is_near(code, size.saturating_sub(others), size) && self.is_near(code, count.min(people), people)
        };
        (self.ignores_absent || counts.len() == there) && counts.iter().all(is_near)
    }

    fn closure(&self) -> Closure {
        if self.ignores_absent { Closure::None } else { Closure::Union }
    }

    fn most(&self, class: &ClassView<'_>) -> u64 {
        let capped = self.caps.most(class);
        if self.ignores_absent {
            return capped;
        }
        if self.lacks_a_value(class) {
            return 0;
        }
        let counts = class.sensitive_counts(self.caps.variable);
        let is_frequent = |kept: u64| {
            let is_frequent = |&(code, count): &(u32, u64)| {
                let there = u128::from(self.known.counts.get(code as usize).copied().unwrap_or(0)) * u128::from(kept);
                there * POINT < u128::from(count) * self.records * self.factor
            };
            kept == 0 || counts.iter().all(is_frequent)
        };
        largest(capped, is_frequent)
    }

    fn nearest(&self, class: &ClassView<'_>) -> Vec<NearestParameter> {
        if self.allows(class) || (!self.ignores_absent && self.lacks_a_value(class)) {
            return Vec::new();
        }
        let (counts, whole) = (class.sensitive_counts(self.caps.variable).iter(), class.whole(self.caps.variable));
        let delta = |&(code, count): &(u32, u64)| {
            let there = self.known.counts.get(code as usize).copied().unwrap_or(0) as f64 * whole as f64;
            (count as f64 * self.records as f64 / there).log2().abs()
        };
        vec![NearestParameter::above(MEMBER.card.name, "delta", counts.map(delta).fold(0.0, f64::max))]
    }
}
