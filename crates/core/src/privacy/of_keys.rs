//! What models ask of keys alone, and what they allow whatever the sensitive values are.
//!
//! Somebody who knows all keys can judge classes as far as models look at keys. What sensitive values decide beyond that is what they
//! learn: [`crate::minimality`].
//!
//! **The most alike group.** Let a class have the counts c₁ ≥ c₂ ≥ …, and let g of its people have x₁ ≥ x₂ ≥ …. Taking the most frequent
//! values first makes every sum x₁ + … + xᵢ as large as it can be. Distinct values, entropy and the recursive rule only fall as these
//! sums grow, so they allow every group of g people if they allow this one.

use std::sync::{Arc, OnceLock};

use super::{ClassView, Closure, Guard, PrivacyModel, Requirement, Verdict};
use crate::frequency::FrequencySet;
use crate::hierarchy::Code;

impl Guard {
    /// What these models ask of keys alone: every class and every node that it refuses is refused whatever the sensitive values
    /// are.
    #[must_use]
    pub fn of_keys(&self) -> Self {
        let (of_values, mut models): (Vec<_>, Vec<_>) =
            self.models.iter().cloned().partition(|model| model.looks_at_values());
        models.extend(of_values.iter().filter_map(|model| model.of_keys()).map(Arc::from));
        models.push(Arc::new(FewestRecords(of_values.iter().map(|model| model.least_size()).max().unwrap_or(0))));
        Self { models, limits: self.limits, memory: OnceLock::new() }
    }

    /// Whether a model looks at sensitive values.
    #[must_use]
    pub fn looks_at_values(&self) -> bool {
        self.models.iter().any(|model| model.looks_at_values())
    }

    /// Whether every model that looks at sensitive values allows every group of so many people of a class, whichever they are.
    #[must_use]
    pub fn allows_any(&self, set: &FrequencySet, class: usize, people: u64) -> bool {
        let view = ClassView::new(set, class);
        self.models.iter().filter(|model| model.looks_at_values()).all(|model| model.allows_any(&view, people))
    }

    /// For each class of a judged set whether it is withheld although keys alone would allow it.
    #[must_use]
    pub fn refused_for_values(&self, set: &FrequencySet, verdict: &Verdict) -> Vec<bool> {
        self.of_keys().judge(set).kept.iter().zip(&verdict.kept).map(|(by_keys, kept)| *by_keys && !kept).collect()
    }

    /// The people from which on a class is allowed, if no model looks at anything else.
    #[must_use]
    pub fn least_size(&self) -> Option<u64> {
        self.models.iter().try_fold(0, |most: u64, model| match model.requirements().as_slice() {
            [Requirement::People { least }] => Some(most.max(*least)),
            _ => None,
        })
    }

    /// No class with fewer records is allowed.
    #[must_use]
    pub fn necessary_size(&self) -> u64 {
        self.models.iter().map(|model| model.least_size()).max().unwrap_or(0)
    }

    /// No class with fewer people is allowed.
    #[must_use]
    pub fn necessary_people(&self) -> u64 {
        let asked = self.requirements().into_iter().flatten().filter_map(|requirement| match requirement {
            Requirement::People { least } => Some(least),
            Requirement::Distinct { .. } | Requirement::Share { .. } => None,
        });
        asked.max().unwrap_or(1).max(1)
    }
}

/// Classes of fewer records are refused.
struct FewestRecords(u64);

impl PrivacyModel for FewestRecords {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        class.records() >= self.0
    }

    fn closure(&self) -> Closure {
        Closure::Any
    }

    fn least_size(&self) -> u64 {
        self.0
    }
}

/// The counts of the most alike group of so many people that a class can have, in falling order: its most frequent values. Any other
/// group has a less frequent most frequent value, fewer of the two most frequent ones, and so on.
pub(super) fn most_alike(counts: &[(Code, u64)], people: u64) -> Vec<u64> {
    let mut counts: Vec<u64> = counts.iter().map(|&(_, count)| count).collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    let mut left = people;
    let taken = counts.into_iter().map(|count| {
        let taken = count.min(left);
        left -= taken;
        taken
    });
    taken.take_while(|count| *count > 0).collect()
}
