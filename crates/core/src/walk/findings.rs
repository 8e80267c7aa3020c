//! What a walk did, as numbers that hold no value of the data.

use serde::Serialize;

/// The walked columns, in the order in which they came.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkedColumns {
    /// One for each column.
    pub columns: Vec<WalkedColumn>,
    /// What happened.
    pub findings: WalkFindings,
}

/// A walked column; values in record order.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkedColumn {
    /// The values in the units of the column that came in; missing ones are still missing.
    pub values: Vec<Option<i128>>,
    /// What happened to this column.
    pub findings: ColumnFindings,
}

/// What happened to a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkFindings {
    /// The sampler.
    pub sampler: String,
    /// Single relations that the properties of the policy came to.
    pub properties: u64,
    /// Those of them that rounding broke.
    pub properties_broken: u64,
}

/// What happened to a column.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ColumnFindings {
    /// Its name.
    pub name: String,
    /// Segments.
    pub segments: u64,
    /// Segments that hardly moved: see [`super::FROZEN_SHARE`] and [`super::FROZEN_CHANGE`].
    pub frozen_segments: u64,
    /// Segments whose walk was not as long as ten times the autocorrelation time that was measured.
    pub unmixed_segments: u64,
    /// Comparisons of two distances in the data: all triples of distinct values with unequal distances.
    pub localities: u64,
    /// Those of them that came out the other way, for whatever reason.
    pub reversed: u64,
    /// Relations that were listed: all localities follow from them where the order is kept, and not without it.
    pub extracted: u64,
    /// Those of the extracted relations that were asked to be kept (the share theta), and that the walk kept.
    pub kept: u64,
    /// Those of the kept ones that rounding broke.
    pub broken: u64,
    /// Neighbouring distinct values of a segment that rounding made equal.
    pub merged: u64,
    /// Steps that the sampler made.
    pub steps: u64,
    /// The most sweeps that a segment took.
    pub sweeps: u64,
    /// The share of the values that are what they were.
    pub unchanged: f64,
    /// The mean change, as a share of the range of the column.
    pub mean_change: f64,
}

impl ColumnFindings {
    /// Whether the walk left the column much as it was: it must not be taken for anonymised.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.segments > 0 && self.frozen_segments * 2 > self.segments
    }
}

impl WalkedColumns {
    /// The names of the columns that the walk left much as they were.
    pub fn frozen(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().filter(|column| column.findings.is_frozen()).map(|column| column.findings.name.as_str())
    }
}
