//! Columns as categories: what a cell says about the value that it stands for.
//!
//! A label of a release stands for one value of the original, for any one of several, or for nothing that is known. The
//! values are numbered by their place in a list, and a label names runs of places: a band of a million numbers is one run.
//!
//! **Evenly.** Where a label may stand for several values, each of them gets the same part of its records. This is what a
//! reader of the release can do who knows which values there are and not how often each occurs.

use std::ops::Range;

/// What a cell says about its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// It is one of these values, by runs of their places. The runs do not touch, grow, and hold a value at least.
    Among(Vec<Range<u32>>),
    /// Nothing is said: `*`.
    Unknown,
    /// No value of the original is known to have this label.
    Unmatched,
}

impl Meaning {
    /// One value.
    #[must_use]
    pub fn value(place: u32) -> Self {
        Self::Among(std::iter::once(place..place + 1).collect())
    }

    /// Any of these values; none is no match.
    #[must_use]
    pub fn among(mut places: Vec<u32>) -> Self {
        places.sort_unstable();
        places.dedup();
        let mut runs: Vec<Range<u32>> = Vec::new();
        for place in places {
            match runs.last_mut() {
                Some(last) if last.end == place => last.end += 1,
                _ => runs.push(place..place + 1),
            }
        }
        if runs.is_empty() { Self::Unmatched } else { Self::Among(runs) }
    }

    /// The runs of places of the values that it may be.
    pub(crate) fn runs(&self) -> &[Range<u32>] {
        match self {
            Self::Among(runs) => runs,
            Self::Unknown | Self::Unmatched => &[],
        }
    }

    /// How many values it may be.
    pub(crate) fn size(&self) -> u64 {
        self.runs().iter().map(|run| u64::from(run.end - run.start)).sum()
    }
}

/// A column as categories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryColumn {
    /// Its name.
    pub name: String,
    /// For each record the number of its label.
    pub cells: Vec<u32>,
    /// What each label says; its number is its place here.
    pub labels: Vec<Meaning>,
    /// How many values the original has: the same before and after.
    pub values: u32,
    /// The place of the missing value among them, where there is one.
    pub missing: Option<u32>,
    /// Whether it is compared as numbers, too. Its values are in their order then.
    pub is_number: bool,
}

impl CategoryColumn {
    /// How many records have each label.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.labels.len()];
        self.cells.iter().for_each(|&label| counts[label as usize] += 1);
        counts
    }

    /// Whether a label is the missing value.
    pub(crate) fn is_missing(&self, label: u32) -> bool {
        let meaning = &self.labels[label as usize];
        self.missing.is_some_and(|place| meaning.size() == 1 && meaning.runs().iter().any(|run| run.start == place))
    }

    /// Whether labels and places are those that there are.
    pub(super) fn is_sound(&self) -> bool {
        let within = |meaning: &Meaning| {
            let runs = meaning.runs();
            runs.iter().all(|run| run.start < run.end && run.end <= self.values)
                && runs.is_sorted_by(|one, next| one.end <= next.start)
        };
        self.cells.iter().all(|&label| (label as usize) < self.labels.len()) && self.labels.iter().all(within)
    }
}
