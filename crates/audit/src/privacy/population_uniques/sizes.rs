//! The sizes of the released classes, as estimators see them.

use std::collections::BTreeMap;

/// Released classes.
pub(super) struct SizeSpectrum {
    /// How many there are of each size.
    pub of_size: BTreeMap<u64, u64>,
    pub people: u64,
}

impl SizeSpectrum {
    pub fn count(sizes: &[u64]) -> Self {
        let (mut of_size, mut people) = (BTreeMap::new(), 0);
        for size in sizes {
            *of_size.entry(*size).or_default() += 1;
            people += size;
        }
        Self { of_size, people }
    }

    pub fn alone(&self) -> f64 {
        self.of_size.get(&1).map_or(0.0, |classes| *classes as f64)
    }

    pub fn classes(&self) -> u64 {
        self.of_size.values().sum()
    }
}
