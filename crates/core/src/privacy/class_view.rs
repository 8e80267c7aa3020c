//! A class as models see it: counts of its records, its people and their sensitive values, and of the population.

use crate::frequency::FrequencySet;
use crate::hierarchy::Code;

/// What a model sees of a class.
#[derive(Debug, Clone, Copy)]
pub struct ClassView<'a> {
    set: &'a FrequencySet,
    class: usize,
    /// Whether the counts of values are those that add up.
    is_additive: bool,
}

impl<'a> ClassView<'a> {
    /// A class of a set.
    #[must_use]
    pub fn new(set: &'a FrequencySet, class: usize) -> Self {
        Self { set, class, is_additive: false }
    }

    /// The number of people in the class; of records, where people are not counted.
    #[must_use]
    pub fn people(&self) -> u64 {
        self.set.people()[self.class]
    }

    /// The number of records in the class.
    pub(super) fn records(&self) -> u64 {
        self.set.sizes[self.class]
    }

    /// The values of a sensitive variable in the class, with the number of records that have them, people or no people: what
    /// somebody sees who holds the release.
    #[must_use]
    pub fn record_counts(&self, sensitive: usize) -> &'a [(Code, u64)] {
        self.set.contents.sensitive[sensitive].in_class(self.class)
    }

    /// The number of people of the population in the class; 0 where the table has none.
    #[must_use]
    pub fn population(&self) -> u64 {
        self.set.contents.population(self.class, self.is_additive)
    }

    /// The classes of the population of which the table has no record.
    pub(super) fn absent_classes(&self) -> usize {
        self.set.contents.absent_classes()
    }

    /// Whether numbers of people are those of records, and so add up from the keys on.
    pub(super) fn adds_up(&self) -> bool {
        self.set.contents.adds_up()
    }

    /// The values of a sensitive variable in the class, with how many have them.
    #[must_use]
    pub fn sensitive_counts(&self, sensitive: usize) -> &'a [(Code, u64)] {
        let contents = &self.set.contents;
        let spread = if self.is_additive { contents.additive_spread(sensitive) } else { contents.spread(sensitive) };
        spread.in_class(self.class)
    }

    /// What the counts of a sensitive variable sum to: what shares are taken of.
    #[must_use]
    pub fn whole(&self, sensitive: usize) -> u64 {
        self.sensitive_counts(sensitive).iter().map(|&(_, count)| count).sum()
    }

    /// The same class in counts that add up when classes merge.
    pub(super) fn additive(self) -> Self {
        Self { is_additive: true, ..self }
    }
}
