//! Rations: the least and the most of a good that a variable must and may keep.
//!
//! A ration is an amount of the good, or a level: `min_protection = { level = 2 }` means as much protection as level 2
//! gives. What it means for a variable, `bounds` says. The same bounds can be set on all variables together; there an amount
//! is a sum, and no level stands for it.

/// Bounds on the goods of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ration {
    /// The least utility.
    pub min_utility: Option<Amount>,
    /// The most utility.
    pub max_utility: Option<Amount>,
    /// The least protection.
    pub min_protection: Option<Amount>,
    /// The most protection.
    pub max_protection: Option<Amount>,
}

/// How much of a good.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// What the variable has at this level.
    Level(u8),
    /// So much.
    Of(f64),
}
