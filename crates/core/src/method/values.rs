//! New values for columns: what methods of this kind are given, and what they give back.
//!
//! They see the chosen columns in record order and answer with as many values in the same order. They promise nothing about
//! privacy. What an intruder finds in the answer is measured ([`risk::linkage`](crate::risk::linkage)). An answer that changes
//! hardly anything says so.

use serde::Serialize;

use crate::card::Parameters;
use crate::random::Seed;
use crate::walk::{Parcel, Property, SegmentOutcome, WalkColumn, WalkError};

/// How a method chooses and changes columns.
pub struct ValueMethod {
    /// The key with which a policy marks a variable.
    pub mark: &'static str,
    /// Whether the policy may name linear relations to keep.
    pub keeps_properties: bool,
    /// Whether a variable may say how far its values move.
    pub takes_interval: bool,
    /// The parameters among whose settings a balance may choose.
    pub dials: &'static [ValueDial],
    /// Gives new values.
    pub change: fn(&ValueTask<'_>) -> Result<ChangedColumns, WalkError>,
    /// How others can share the work, where they can.
    pub elsewhere: Option<ParcelMethod>,
}

/// A parameter among whose settings a balance may choose.
#[derive(Debug, PartialEq)]
pub struct ValueDial {
    /// Its name.
    pub name: &'static str,
    /// What is told of the setting that was chosen.
    pub fact: &'static str,
}

/// How others can do a share each.
pub struct ParcelMethod {
    /// Whether the task can be dealt out; if not, one machine does it.
    pub fits: fn(&ValueTask<'_>) -> bool,
    /// Deals the work into at most the given number of parcels.
    pub parcels: fn(&ValueTask<'_>, usize) -> Result<Vec<Parcel>, WalkError>,
    /// Puts together what came of all of them, in any order.
    pub changed: fn(&ValueTask<'_>, &[SegmentOutcome]) -> Result<ChangedColumns, WalkError>,
}

/// What is asked.
pub struct ValueTask<'a> {
    /// The columns, in record order.
    pub columns: &'a [WalkColumn],
    /// Linear relations to keep.
    pub properties: &'a [Property],
    /// The method's parameters, checked against its card.
    pub parameters: &'a Parameters,
    /// Where all draws come from.
    pub seed: Seed,
    /// Hears how many pieces of the work are done.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// The columns with new values.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedColumns {
    /// For each column its values in record order, in the units of the column; a missing value stays missing.
    pub columns: Vec<Vec<Option<i128>>>,
    /// What is known about the change; no value of the data is among it.
    pub facts: Vec<ChangeFact>,
    /// How many neighbouring records were treated together, if not all.
    pub segment: Option<usize>,
    /// The columns that the method left much as they were: they must not be taken for changed.
    pub frozen: Vec<String>,
    /// What the owner should know.
    pub warnings: Vec<String>,
}

/// One number about a change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeFact {
    /// What it counts, in words.
    pub name: &'static str,
    /// The column; absent where it is about all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The number.
    pub value: f64,
}

impl ChangeFact {
    /// A fact about all columns.
    #[must_use]
    pub fn of_table(name: &'static str, value: f64) -> Self {
        Self { name, of: None, value }
    }

    /// A fact about one column.
    #[must_use]
    pub fn of_column(name: &'static str, column: &str, value: f64) -> Self {
        Self { name, of: Some(column.to_owned()), value }
    }
}

/// The values as floats, in units of the column; a missing one is not a number.
#[must_use]
pub fn floats(values: &[Option<i128>]) -> Vec<f64> {
    values.iter().map(|value| value.map_or(f64::NAN, |units| units as f64)).collect()
}
