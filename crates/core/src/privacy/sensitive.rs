//! A sensitive variable as models see it: how its values spread over the whole table, their order and their ladder.

use super::ModelError;
use crate::hierarchy::Code;

/// How a sensitive variable spreads over the whole table, withheld records included, and what is known of its values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SensitiveVariable {
    /// Its name.
    pub name: String,
    /// The records with each value, by code; people, where they are counted ([`crate::frequency::Table::spread_counts`]).
    pub counts: Vec<u64>,
    /// All codes in the order of the values, where they have one.
    pub order: Option<Vec<Code>>,
    /// For each level of the variable's ladder below the top the label of each code, where it has a ladder.
    pub ladder: Option<Vec<Vec<u32>>>,
}

impl SensitiveVariable {
    /// A variable of which only the name is known.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    pub(super) fn order_of_values(&self) -> Result<Vec<Code>, ModelError> {
        let unfit =
            || ModelError::Unfit(format!("the values of `{}` have no order: they are not all numbers", self.name));
        if self.counts.is_empty() { Ok(Vec::new()) } else { self.order.clone().ok_or_else(unfit) }
    }

    pub(super) fn ladder_of_values(&self) -> Result<Vec<Vec<u32>>, ModelError> {
        let unfit = || ModelError::Unfit(format!("the distance \"hierarchical\" needs a hierarchy of `{}`", self.name));
        if self.counts.is_empty() { Ok(Vec::new()) } else { self.ladder.clone().ok_or_else(unfit) }
    }
}
