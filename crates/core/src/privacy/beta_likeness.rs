//! β-likeness: no sensitive value is much more likely in a class than in the whole table.
//!
//! Let p be the share of a value in the class, and q its share in the table, withheld records included. A class is safe when
//! for every value
//!
//! > p ≤ (1 + β) q (*basic*), or p ≤ (1 + min(β, −ln q)) q (*enhanced*, stricter for frequent values).
//!
//! Only gains count: a value may be as rare in a class as it likes.
//!
//! The basic kind is decided in whole numbers. The logarithm of the enhanced kind is rounded once to 2⁻⁴⁰; no share of whole
//! numbers lies on such a threshold.
//!
//! **How much a division may keep** (`most`): see [`Caps`].
//!
//! Source: Cao & Karras 2012. Spec: `specs/privacy/beta-likeness.md`.

use super::caps::Caps;
use super::ratio::Ratio;
use super::{
    ClassView, Closure, ModelMember, ModelNeeds, NearestParameter, PrivacyModel, SensitiveVariable, VARIABLE,
    sensitive_variable,
};
use crate::card::{Card, Kind, Parameter, Promise, text};
use crate::entropy::fixed;

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "beta-likeness",
        summary: "in no class a sensitive value is more than 1 + beta times as likely as in the whole table",
        about: "Whoever finds a person's class may become surer of a sensitive value by the factor 1 + beta at most. Unlike \
                t-closeness it looks at each value, so rare ones are protected as well; that a value is rarer in a class than \
                elsewhere is allowed.",
        promises: &[Promise::ClosedUnderUnion, Promise::Bounded],
        parameters: &[
            VARIABLE,
            Parameter::required("beta", Kind::Above(0), "the largest relative gain; 1 lets a probability double"),
            Parameter::defaulting(
                "kind",
                Kind::Choice(&["basic", "enhanced"]),
                "basic",
                "enhanced allows frequent values less",
            ),
        ],
        source: "J. Cao, P. Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012",
    },
    needs: |_| ModelNeeds::Table,
    build: |parameters, sensitive| {
        let variable = sensitive_variable(parameters, sensitive);
        let known = sensitive.get(variable).cloned().unwrap_or_default();
        let (beta, enhanced) = (Ratio::read(parameters, "beta"), text(parameters, "kind") == "enhanced");
        Ok(Box::new(BetaLikeness { caps: caps(variable, &known, beta, enhanced), enhanced, known }))
    },
};

struct BetaLikeness {
    caps: Caps,
    enhanced: bool,
    known: SensitiveVariable,
}

/// The share that each value may have: its share of the table, times one more than what it may gain.
fn caps(variable: usize, known: &SensitiveVariable, beta: Ratio, enhanced: bool) -> Caps {
    let records: u64 = known.counts.iter().sum();
    let (factor, point) = (beta.plus_one(), 1_u128 << 40);
    let basic = factor.numerator * point / factor.denominator;
    let cap = |&count: &u64| {
        let gain = 1.0 - (count.max(1) as f64 / records.max(1) as f64).ln();
        u128::from(count) * if enhanced { basic.min(fixed(gain).into()) } else { basic }
    };
    if enhanced {
        return Caps {
            variable,
            numerators: known.counts.iter().map(cap).collect(),
            denominator: point * u128::from(records),
        };
    }
    let numerators = known.counts.iter().map(|&count| u128::from(count) * factor.numerator).collect();
    Caps { variable, numerators, denominator: factor.denominator * u128::from(records) }
}

impl PrivacyModel for BetaLikeness {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        self.caps.hold(class)
    }

    fn sensitive(&self) -> Option<usize> {
        Some(self.caps.variable)
    }

    fn allows_any(&self, class: &ClassView<'_>, people: u64) -> bool {
        self.caps.hold_for_any(class, people)
    }

    fn closure(&self) -> Closure {
        Closure::Union
    }

    fn most(&self, class: &ClassView<'_>) -> u64 {
        self.caps.most(class)
    }

    fn nearest(&self, class: &ClassView<'_>) -> Vec<NearestParameter> {
        let (records, whole) = (self.known.counts.iter().sum::<u64>() as f64, class.whole(self.caps.variable) as f64);
        let share = |code: u32| self.known.counts.get(code as usize).copied().unwrap_or(0) as f64 / records;
        let gains = class.sensitive_counts(self.caps.variable).iter().map(|&(code, count)| {
            let q = share(code);
            (q, count as f64 / whole / q - 1.0)
        });
        // Beyond the logarithm no β helps.
        let is_hopeless = self.enhanced && gains.clone().any(|(q, gain)| gain > -q.ln() + HAIR);
        if self.allows(class) || is_hopeless {
            return Vec::new();
        }
        vec![NearestParameter::at_least(MEMBER.card.name, "beta", gains.map(|(_, gain)| gain).fold(0.0, f64::max))]
    }
}

/// Less is a matter of rounding.
const HAIR: f64 = 1e-12;
