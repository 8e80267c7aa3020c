//! What a release is worth, what more detail would take, and what stands around it.

use serde::Serialize;

use super::NamedLevels;

/// What a release is worth: how much detail its columns keep, and what more would take.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Worth {
    /// The quasi-identifiers.
    pub columns: usize,
    /// Those that became `*`.
    pub top: usize,
    /// Those that are as collected.
    pub as_collected: usize,
    /// The same in a sentence.
    pub sentence: String,
    /// What one more level of detail takes, for each column that could have one.
    pub regain: Vec<Regain>,
    /// The best release where one more percent may be suppressed, no column is coarser and none more than a level finer;
    /// absent where it was not looked at, or no column could be finer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_more_percent: Option<OtherRelease>,
    /// The same where `k` is one less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_less_k: Option<OtherRelease>,
    /// Why some of it was not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_looked_at: Option<&'static str>,
    /// The release among those that a little more or less of `k` and of the limit would give; absent where the method leaves
    /// no such choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surroundings: Option<Surroundings>,
}

impl Worth {
    /// What levels are worth, each given with the last one of its ladder; nothing is known about others.
    #[must_use]
    pub fn of_levels(levels: impl Iterator<Item = (u8, u8)> + Clone) -> Self {
        let columns = levels.clone().count();
        let top = levels.clone().filter(|(level, last)| level == last).count();
        let as_collected = levels.filter(|(level, last)| *level == 0 && level < last).count();
        let noun = if columns == 1 { "column" } else { "columns" };
        let part = columns - top - as_collected;
        let keep = if part == 1 { "keeps" } else { "keep" };
        let are = if as_collected == 1 { "is" } else { "are" };
        let sentence = format!(
            "{top} of {columns} {noun} became `*`, {part} {keep} part of the detail, {as_collected} {are} as collected"
        );
        Self {
            columns,
            top,
            as_collected,
            sentence,
            regain: Vec::new(),
            one_more_percent: None,
            one_less_k: None,
            not_looked_at: None,
            surroundings: None,
        }
    }
}

/// What one more level of detail in a column takes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Regain {
    /// The column.
    pub column: String,
    /// The level that it has.
    pub level: u8,
    /// The same in words.
    pub sentence: String,
    /// The next finer level of this column, all others as they are.
    pub alone: FinerColumn,
    /// The best safe release with this column one level finer and no other column finer: within the limit, and with the same
    /// models. Absent where there is none, or where it was not looked at.
    pub within: Option<OtherRelease>,
    /// Whether `within` was looked at.
    pub looked_at: bool,
}

/// A column one level finer, all others as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FinerColumn {
    /// Records that would be withheld.
    pub suppressed: u64,
    /// How many more that is than now.
    pub more: i64,
    /// The greatest `k` at which it would be safe within the limit; absent where there is none, or no model has a `k`.
    pub k: Option<u64>,
}

/// Another release.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherRelease {
    /// Its levels where they are others than now; all would be much where there are many columns.
    pub node: NamedLevels,
    /// Records that it withholds.
    pub suppressed: u64,
    /// How many more that is than now.
    pub more: i64,
}

/// A release among its neighbours: those that differ in `k`, in the suppression limit, or in both.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Surroundings {
    /// The release itself, then its neighbours. Where a neighbour permits more, it is the best safe release with no column
    /// coarser and none more than a level finer; where it permits less, the best with none finer.
    pub releases: Vec<NearRelease>,
    /// How many were looked for and do not exist: no such release is safe.
    pub unsafe_settings: usize,
    /// Why some or all of them were not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_looked_at: Option<&'static str>,
}

/// A release under one `k` and one limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NearRelease {
    /// What its models ask for; absent where none has a `k`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// The share that it may withhold.
    pub suppression_limit: f64,
    /// Its levels.
    pub node: NamedLevels,
    /// The records that it withholds.
    pub suppressed: u64,
    /// What it loses, as a share of what the fully generalised table loses.
    pub loss: f64,
    /// The mean risk of its records.
    pub risk: f64,
}
