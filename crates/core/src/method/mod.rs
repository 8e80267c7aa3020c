//! Fits a mask: the family of methods.
//!
//! A method changes the quasi-identifiers of a table so that it can be released. [`MethodWork`] says what a method must see:
//!
//! * one level for each variable, found by a search;
//! * classes with labels of their own, found from the counted keys;
//! * new values for columns, found from the records in their order.
//!
//! Whoever runs a release looks at the work, never at the name. Each member is one file.

pub mod global_recoding;
mod goal;
pub mod mondrian;
pub mod partition;
pub mod perturbation;
pub mod random_walk;
pub mod values;

use crate::card::Card;

/// A member of the family.
pub struct MethodMember {
    /// How it introduces itself.
    pub card: Card,
    /// What it does.
    pub work: MethodWork,
}

/// What a method must see, and what it gives.
pub enum MethodWork {
    /// One level for each variable, everywhere; a search finds them.
    Levels,
    /// Classes with labels of their own, from the counted keys.
    Classes(partition::PartitionFit),
    /// New values for chosen columns, from the records in their order.
    Values(values::ValueMethod),
}

/// Every method.
pub const ALL: &[MethodMember] =
    &[global_recoding::MEMBER, mondrian::MEMBER, perturbation::MEMBER, random_walk::MEMBER];

/// The method of a policy that names none.
pub const DEFAULT: &str = "global-recoding";

/// The member of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static MethodMember> {
    ALL.iter().find(|member| member.card.name == name)
}

impl MethodMember {
    /// How it chooses and changes columns, if it does.
    #[must_use]
    pub fn values(&self) -> Option<&values::ValueMethod> {
        if let MethodWork::Values(values) = &self.work { Some(values) } else { None }
    }
}
