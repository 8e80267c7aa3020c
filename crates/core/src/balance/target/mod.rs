//! Which optimum is sought: the family of targets.
//!
//! A target gives the optimum amounts of both goods of each variable, within the rations, and says whether the level
//! nearest to it is wanted or the level that satisfies most.

mod coupled;
mod max_satisfaction;
mod paper;

use super::{BalanceError, Goods, Market};
use crate::card::Card;

/// A member of the family.
pub struct TargetMember {
    /// How it introduces itself.
    pub card: Card,
    /// The optimum amounts of the goods of each variable.
    pub optimum: fn(&Market) -> Result<Vec<Goods>, BalanceError>,
    /// Whether the level nearest to the optimum is chosen, by a distance; otherwise the one that satisfies most.
    pub nearest: bool,
}

/// Every target; the first one is the default.
pub const ALL: &[TargetMember] = &[coupled::MEMBER, paper::MEMBER, max_satisfaction::MEMBER];

/// The target of preferences that name none.
pub const DEFAULT: &str = "coupled";

/// The member of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static TargetMember> {
    ALL.iter().find(|member| member.card.name == name)
}
