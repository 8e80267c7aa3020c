//! What is asked of a walk.

use serde::{Deserialize, Serialize};

use super::Selection;

/// How a walk is done; [`WalkSettings::default`] is what the policy's silence means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct WalkSettings {
    /// The sampler, by its name; see [`super::ALL`].
    pub sampler: String,
    /// The share of the localities that are kept, 0 to 1.
    pub theta: f64,
    /// Which of them, where that is less than all.
    pub selection: Selection,
    /// Whether the order of the values of a segment is kept.
    pub order: bool,
    /// What becomes of equal distances.
    pub ties: TieRule,
    /// How far values may go where a column has no bounds of its own.
    pub domain: WalkDomain,
    /// Whether a margin stops at zero where no value of the column is on the other side of it.
    pub keep_sign: bool,
    /// How long a segment is: records in record order, distinct values in value order.
    pub segment: usize,
    /// How a column is cut into segments.
    pub segments: Segmentation,
    /// How long the walk goes on.
    pub sweeps: Sweeps,
    /// What becomes of the digits after the last one that the column has.
    pub integer: LastDigits,
}

impl Default for WalkSettings {
    fn default() -> Self {
        Self {
            sampler: super::DEFAULT.to_owned(),
            theta: 1.0,
            selection: Selection::Random,
            order: true,
            ties: TieRule::Free,
            domain: WalkDomain::Segment { margin: MARGIN },
            keep_sign: false,
            segment: 100,
            segments: Segmentation::RecordOrder,
            sweeps: Sweeps::Auto,
            integer: LastDigits::Rounded,
        }
    }
}

/// How far beyond its own range a segment may go where nothing else is said, as a share of that range.
pub const MARGIN: f64 = 0.1;

/// The most records (or distinct values) of a segment: localities grow with the square of it.
pub const LARGEST_SEGMENT: usize = 5000;

/// What becomes of two equal distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieRule {
    /// Either may become the larger one.
    #[default]
    Free,
    /// They stay equal.
    Equal,
}

/// How far values may go where a column has no bounds of its own.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WalkDomain {
    /// The segment's own range, widened on each side by this share of it.
    Segment {
        /// The share.
        margin: f64,
    },
    /// The range of the whole column. A walk spreads each segment over nearly all of it.
    Column,
}

/// How a column is cut into segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Segmentation {
    /// Records that follow each other. Equal values in different segments may become unequal.
    #[default]
    RecordOrder,
    /// Values that follow each other. Equal values stay equal, and the order of the column is kept across segments.
    ValueOrder,
}

impl Segmentation {
    /// The words of policies.
    pub const WORDS: &[&str] = &["record", "value"];

    /// The one of that word.
    #[must_use]
    pub fn of_word(word: &str) -> Self {
        if word == "value" { Self::ValueOrder } else { Self::RecordOrder }
    }
}

/// How long the walk goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sweeps {
    /// As long as ten times the measured autocorrelation time, within the bounds of the sampler.
    #[default]
    Auto,
    /// So many sweeps; steps for samplers that count in steps.
    Fixed(u32),
}

/// What becomes of the digits after the last one that the column has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LastDigits {
    /// Rounded off; the properties that this breaks are counted.
    #[default]
    Rounded,
    /// The walk ends among numbers of the column's digits and breaks nothing.
    Exact,
}

impl Sweeps {
    /// How many sweeps there are, where that is known beforehand: what was asked for, or the sampler's own number.
    pub(super) fn fixed(self, member: &super::SamplerMember) -> Option<u32> {
        match self {
            Self::Fixed(sweeps) => Some(sweeps),
            Self::Auto => member.sweeps,
        }
    }
}
