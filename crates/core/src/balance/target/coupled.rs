//! One budget for each variable: an optimum that its levels can come close to.
//!
//! Source: equanym; see [`crate::balance::coupled`]. Spec: `specs/target/coupled.md`.

use super::TargetMember;
use crate::balance::optimum;
use crate::card::{Card, Promise};

pub(super) const MEMBER: TargetMember = TargetMember {
    card: Card {
        name: "coupled",
        summary: "the optimum with one budget for each variable; the level nearest to it",
        about: "Each variable can show or withhold its own entropy and no other, so each has a budget of its own. The \
                share that is shown is αq/(αq + βr) with q user and r intruder points: twice the user points of a variable \
                that users and intruders wanted alike, and two thirds of its entropy are shown instead of half.",
        promises: &[
            Promise::InWords("lies on the budget line of its variable"),
            Promise::InWords("does not depend on the other variables"),
        ],
        parameters: &[],
        source: "equanym, after M. Zielinski, M. Olivier, DKE 69(5), 2010",
    },
    optimum: optimum::coupled,
    nearest: true,
};
