//! A column of the table that is recoded.

pub use crate::role::Role;

/// A quasi-identifying column with its ladder of generalisations.
#[derive(Debug, Clone)]
pub struct Variable {
    /// The column's name.
    pub name: String,
    /// Its ladder.
    pub hierarchy: crate::hierarchy::Hierarchy,
    /// The lowest level a release may use.
    pub min_level: u8,
    /// The highest level a release may use.
    pub max_level: u8,
    /// The share of interest that the recipient gives to this variable, 0 to 1: the weight of weighted losses.
    pub weight: f64,
}
