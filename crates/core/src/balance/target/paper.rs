//! One budget for all variables: the optimum as it was published.
//!
//! Source: Zielinski & Olivier 2010, sections 4 to 6; see [`crate::balance::rationed`]. Spec: `specs/target/paper.md`.

use super::TargetMember;
use crate::balance::optimum;
use crate::card::{Card, Promise};

pub(super) const MEMBER: TargetMember = TargetMember {
    card: Card {
        name: "paper",
        summary: "the published optimum with a single budget for all variables; the level nearest to it",
        about: "The entropy of all variables together is one income that is spent wherever it satisfies most. With more \
                than one variable the optimum of some lies beyond anything that their levels reach, because entropy of \
                one variable cannot be shown by another. A variable with one value takes its share of the \
                income, too, as published. Use it to compare with the publication; otherwise `coupled`.",
        promises: &[Promise::InWords("all goods together cost the income")],
        parameters: &[],
        source: "M. Zielinski, M. Olivier, On the use of economic price theory to find the optimum levels of privacy and \
                 information utility in non-perturbative microdata anonymisation, DKE 69(5), 2010",
    },
    optimum: optimum::rationed,
    nearest: true,
};
