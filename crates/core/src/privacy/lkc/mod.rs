//! LKC-privacy: whoever knows a few quasi-identifiers finds many records, and no sensitive value is likely among them.
//!
//! A *part* of a key is its labels in some variables. Let a part of at most `l` variables be shared by n released records, m of
//! them with the same sensitive value. For every part and value
//!
//! > n ≥ `k` and m ≤ `c` · n.
//!
//! A key as a whole may stand alone. With many variables that keeps far more detail than k-anonymity, which is the case of all
//! of them.
//!
//! **What is withheld.** Whether records may be released depends on which others are, so a node is judged as a whole, after the
//! models that judge classes:
//!
//! 1. Withhold all records with a part that fewer than `k` share. Repeat until there is none. The order does not matter:
//!    what is left is the largest set of records in which every part has n ≥ `k`.
//! 2. Withhold, at once, all records with a part of `l` variables in which m > `c` · n. If there were any, begin anew.
//!
//! Variables in which all records that are left look alike do not count among the `l`. Records with the same key go together.
//!
//! **Fewer variables need no look** where counts add up. Let A be shared by fewer labels than the parts B₁, B₂, … that it is
//! the union of:
//!
//! > n(A) = Σ n(Bᵢ) ≥ `k` and m(A) = Σ m(Bᵢ) ≤ `c` Σ n(Bᵢ) = `c` · n(A).
//!
//! Pairs of a person and a value do not add up where somebody has several keys. Then, where no part of `l` variables has a
//! fault, parts of fewer variables are looked at, down to none.
//!
//! **What a search may prune.** Let n′, m′ belong to a part of a finer node, and n, m to the part of this node that contains
//! it. Then n′ ≤ n, and those n′ records are within `c`. So a finer node keeps nothing of a part where
//!
//! > n < `k`, or no `k` of its records are within `c`.
//!
//! Such records go, then those that fail without them, until there are none ([`PartsRule::hopeless`]). Before a node is counted,
//! two variables alone say much of it ([`crate::projections`]).
//!
//! Limits: at most 4 variables known at once. Not for local recoding: its labels overlap, and a part is more than equal labels.
//! Source: Mohammed, Fung, Hung & Lee 2009; what is withheld, and the bounds, are our own. Spec: `specs/privacy/lkc.md`.

mod groups;
mod near;
mod pairs;
mod parts;

use super::ratio::Ratio;
use super::{ClassView, Closure, ModelMember, ModelNeeds, PrivacyModel, VARIABLE, integer, sensitive_variable};
use crate::card::{Card, Kind, Parameter, Promise};

pub(crate) use groups::GroupFault;
pub(crate) use pairs::{LabelPair, PairMemory, Rung};
pub use parts::PartsRule;

/// The most variables that may be known at once.
const MOST: i64 = 4;

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "lkc",
        summary: "whoever knows at most l quasi-identifiers finds at least k records, and no sensitive value above the share c",
        about: "For tables with so many quasi-identifiers that nobody knows all of them: k-anonymity would leave little of \
                such a table. It does not protect against somebody who knows more than l of them. Records are withheld \
                until every choice of at most l quasi-identifiers keeps the promise.",
        promises: &[
            Promise::InWords("where nothing is withheld, every node above a safe one is safe; with c = 1 always"),
            Promise::Bounded,
        ],
        parameters: &[
            VARIABLE,
            Parameter::required(
                "l",
                Kind::Between { min: 1, max: MOST },
                "how many quasi-identifiers an intruder knows at most",
            ),
            Parameter::required("k", Kind::Integer { min: 2 }, "the fewest records that share what is known"),
            Parameter::required("c", Kind::PositiveShare, "the largest share of a value among them"),
        ],
        source: "N. Mohammed, B. Fung, P. Hung, C. Lee, Anonymizing healthcare data: a case study on the blood transfusion \
                 service, KDD 2009",
    },
    needs: |_| ModelNeeds::Parts,
    build: |parameters, sensitive| {
        let known = usize::try_from(integer(parameters, "l")).unwrap_or(1);
        let (least, share) = (integer(parameters, "k"), Ratio::read(parameters, "c"));
        Ok(Box::new(Lkc(PartsRule { variable: sensitive_variable(parameters, sensitive), known, least, share })))
    },
};

struct Lkc(PartsRule);

impl PrivacyModel for Lkc {
    /// No class by itself is refused.
    fn allows(&self, _: &ClassView<'_>) -> bool {
        true
    }

    fn looks_at_values(&self) -> bool {
        self.0.has_shares()
    }

    fn of_keys(&self) -> Option<Box<dyn PrivacyModel>> {
        Some(Box::new(Self(PartsRule { share: Ratio::from(1.0), ..self.0 })))
    }

    fn closure(&self) -> Closure {
        if self.0.has_shares() { Closure::Union } else { Closure::Any }
    }

    fn parts(&self) -> Option<&PartsRule> {
        Some(&self.0)
    }
}
