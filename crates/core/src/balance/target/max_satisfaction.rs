//! The levels that satisfy most: the exact optimum among what there is to choose from.
//!
//! The logarithm of the satisfaction is a sum over variables, so each variable is decided by itself. Level 0 protects
//! nothing and the top tells nothing: there a good vanishes and with it the whole product. Levels are therefore compared
//! first by the exponents of the goods that vanish, the fewer the better, and then by the product of the others; that is
//! the limit of adding a trifle to every good. Levels in between, where there are any, always win over the two ends.
//!
//! Source: equanym. Spec: `specs/target/max-satisfaction.md`.

use super::TargetMember;
use crate::balance::optimum;
use crate::card::{Card, Promise};

pub(super) const MEMBER: TargetMember = TargetMember {
    card: Card {
        name: "max-satisfaction",
        summary: "no optimum to be near to: the levels of greatest satisfaction among all there are",
        about: "Compares the levels by the satisfaction itself. A level that shows nothing or protects nothing makes the \
                satisfaction vanish, so it is taken only where there is no other; between those two ends the greater \
                exponent decides. The optimum that is shown beside it is that of `coupled`.",
        promises: &[
            Promise::InWords("no other node satisfies more"),
            Promise::InWords("does not depend on the unit of entropy"),
        ],
        parameters: &[],
        source: "equanym, after M. Zielinski, M. Olivier, DKE 69(5), 2010",
    },
    optimum: optimum::coupled,
    nearest: false,
};
