//! The conditions of a walk: the paper's, and ours.
//!
//! The paper bounds a column by the domain of its attribute (ages by 1 and 120), and its relations hold no order. Ours keep the order
//! and bound each segment by its own range and a tenth of it to either side. The published sampler is walked under both.

use equanym_core::walk::{DEFAULT, Sweeps, WalkSettings};

use super::data::Data;

/// Which walk, under which conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walker {
    /// The published sampler, as published: the domain of the attribute, no order.
    Published,
    /// The published sampler under our conditions.
    Ordered,
    /// Our sampler under our conditions.
    Ours,
}

impl Walker {
    pub const ALL: [Self; 3] = [Self::Published, Self::Ordered, Self::Ours];

    /// In a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Ordered => "published, ordered",
            Self::Ours => "ours",
        }
    }

    /// In a sentence.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Published => "the published walk under the paper's conditions (the attribute's domain, no order)",
            Self::Ordered => "the published walk under our conditions (the segment's range and a tenth, order kept)",
            Self::Ours => "our walk under our conditions",
        }
    }

    /// The table as it is walked.
    pub fn data(self, data: &Data) -> Data {
        if self == Self::Published { data.in_its_domain() } else { data.clone() }
    }

    /// How it is walked; the published sampler takes so many steps.
    pub fn settings(self, segment: usize, theta: f64, steps: u32) -> WalkSettings {
        let is_ours = self == Self::Ours;
        let sampler = if is_ours { DEFAULT } else { "paper" }.to_owned();
        let sweeps = if is_ours { Sweeps::Auto } else { Sweeps::Fixed(steps) };
        WalkSettings { sampler, segment, theta, sweeps, order: self != Self::Published, ..WalkSettings::default() }
    }
}

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimOutcome {
    Confirmed,
    NotConfirmed,
    /// There was no case in which both sides distort alike and differ.
    NotComparable,
}

impl ClaimOutcome {
    /// Confirmed if nine of ten cases that can be compared speak for it.
    pub fn by_nine_of_ten(speaking: usize, comparable: usize) -> Self {
        match comparable {
            0 => Self::NotComparable,
            _ if speaking * 10 >= comparable * 9 => Self::Confirmed,
            _ => Self::NotConfirmed,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Confirmed => "Confirmed",
            Self::NotConfirmed => "Not confirmed",
            Self::NotComparable => "Not comparable",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nothing_is_comparable_nothing_is_refuted() {
        let words = [(0, 0), (9, 10), (8, 10), (0, 1)].map(|(one, all)| ClaimOutcome::by_nine_of_ten(one, all).word());
        assert_eq!(words, ["Not comparable", "Confirmed", "Not confirmed", "Not confirmed"]);
    }
}
