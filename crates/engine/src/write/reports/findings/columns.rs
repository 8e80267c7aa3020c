//! The released columns: what each went through.

use equanym_core::hierarchy::LabelRule;
use equanym_core::mask::ColumnChange;
use equanym_core::treatment::Treatment;
use equanym_core::variable::Role;
use serde::Serialize;

use crate::words::rule_in_words;
use crate::write::manifest::{ColumnClaim, RuleClaim};
use crate::write::reports::in_words;

/// A released column.
#[derive(Debug, Clone, Serialize)]
pub struct ReleasedColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its role.
    pub role: Role,
    /// How it was recoded; absent where values are as collected.
    #[serde(flatten)]
    pub recoded: Option<ColumnRecoding<'a>>,
    /// How it was changed otherwise than value by value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<OtherChange>,
    /// What happened to its cells before anything else, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub treatments: Vec<String>,
}

/// How a column was changed otherwise than value by value.
#[derive(Debug, Clone, Serialize)]
pub struct OtherChange {
    /// The kind.
    #[serde(flatten)]
    pub change: ColumnChange,
    /// The same in words.
    pub words: &'static str,
}

/// How a column was recoded.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnRecoding<'a> {
    /// The level.
    pub level: u8,
    /// The number of levels of its ladder, level 0 included.
    pub levels: u8,
    /// How its labels come about.
    pub labels: Labels<'a>,
}

/// How labels come about.
#[derive(Debug, Clone, Serialize)]
pub struct Labels<'a> {
    /// The rule, as in the manifest; a list is not repeated here.
    #[serde(flatten)]
    pub rule: &'a LabelRule,
    /// The rule in words.
    pub words: String,
}

/// What is said of cells that nothing happened to.
const AS_COLLECTED: &str = "as collected";

impl<'a> ReleasedColumn<'a> {
    /// Whether its labels differ from class to class.
    pub(in crate::write::reports) fn is_local(&self) -> bool {
        self.change.as_ref().is_some_and(|one| matches!(one.change, ColumnChange::Range | ColumnChange::AnyLevel))
    }

    /// What a manifest claims of a column, in words.
    #[must_use]
    pub fn new(column: &'a ColumnClaim) -> Self {
        let change = column.change().map(|change| OtherChange { change, words: in_words::change(change) });
        let treatments = column.treatments.iter().map(Treatment::words).collect();
        Self { name: &column.name, role: column.role, recoded: ColumnRecoding::from_claim(column), change, treatments }
    }

    /// What is in the data, in words.
    #[must_use]
    pub fn words(&self) -> String {
        let recoded = self.recoded.as_ref().map(|recoded| recoded.labels.words.as_str());
        let change = recoded.or(self.change.as_ref().map(|change| change.words)).unwrap_or(AS_COLLECTED);
        let treated = self.treatments.iter().map(String::as_str);
        let words: Vec<&str> =
            treated.chain((change != AS_COLLECTED || self.treatments.is_empty()).then_some(change)).collect();
        words.join("; then ")
    }
}

impl<'a> ColumnRecoding<'a> {
    fn from_claim(column: &'a ColumnClaim) -> Option<Self> {
        let (ladder, RuleClaim::OneLevel(rule)) = (column.level?, &column.labels.as_ref()?.rule) else { return None };
        Some(Self { level: ladder.level, levels: ladder.levels, labels: Labels { rule, words: rule_in_words(rule) } })
    }
}
