//! The sizes of the released classes, as estimators see them.

use std::collections::BTreeMap;

/// Released classes.
pub(super) struct Sizes {
    /// How many there are of each size.
    pub classes: BTreeMap<u64, u64>,
    pub people: u64,
}

impl Sizes {
    pub fn of(sizes: impl Iterator<Item = u64>) -> Self {
        let (mut classes, mut people) = (BTreeMap::new(), 0);
        for size in sizes {
            *classes.entry(size).or_default() += 1;
            people += size;
        }
        Self { classes, people }
    }

    pub fn alone(&self) -> f64 {
        self.classes.get(&1).map_or(0.0, |classes| *classes as f64)
    }

    pub fn count(&self) -> u64 {
        self.classes.values().sum()
    }
}
