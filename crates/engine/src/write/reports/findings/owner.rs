//! What only the owner may know: the private `report.json`.

use equanym_audit::Verdict;
use equanym_core::checklist::Checklist;
use equanym_core::hierarchy::LabelRule;
use equanym_core::mask::Mask;
use equanym_core::method::values::ChangeFact;
use equanym_core::report::{BalanceFindings, ClassFindings, MinimalNode, PopulationFindings, Report, Worth};
use equanym_core::utility::{Figure, bars::ColumnFrequencies};
use equanym_core::variable::Role;
use serde::Serialize;

use super::ReleaseFindings;
use crate::mask::{StoredLadder, StoredMask};
use crate::words::{hex, rule_in_words};
use crate::write::manifest::Manifest;
use crate::write::reports::pictures::example;

/// What the owner does next.
const NEXT_STEPS: [&str; 3] = [
    "Hand over the folder `public/` as a whole, and nothing else.",
    "Keep `private/` to yourself: `mask.json` and this report hold values of the original.",
    "Tell the recipients that anybody can check the release: `equanym audit DIR/public`.",
];

/// What the owner does when there are new data.
fn next_time(mask: &Mask) -> &'static str {
    if mask.fits_other_tables() {
        "When new data of the same kind arrive, `equanym apply` treats them alike with `private/mask.json`."
    } else {
        "When new data of the same kind arrive, run `equanym release` anew: what this method did belongs to these records."
    }
}

/// What only the owner may know: the private `report.json`.
#[derive(Debug, Clone, Serialize)]
pub struct OwnerFindings<'a> {
    /// All that is public.
    #[serde(flatten)]
    pub release: ReleaseFindings<'a>,
    /// The table before the release; absent where it was not measured.
    pub original: Option<&'a ClassFindings>,
    /// What became of the values of the counted columns; absent where none was counted.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub frequencies: &'a [ColumnFrequencies],
    /// The pairs of quasi-identifiers whose association changed most.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub pairs: &'a [Figure],
    /// How many keys were withheld with their records.
    pub suppressed_keys: usize,
    /// The identifying columns, which were not released.
    pub dropped_columns: Vec<&'a str>,
    /// The balance of utility and privacy, and what the guarantees cost it; absent where none was sought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<&'a BalanceFindings>,
    /// The k-minimal nodes; absent where the policy does not ask for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimal: Option<&'a [MinimalNode]>,
    /// What is known about a change to new values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_value_facts: Option<&'a [ChangeFact]>,
    /// What it is worth, and what would buy detail back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<&'a Worth>,
    /// What to look at before handing over.
    #[serde(flatten)]
    pub checklist: &'a Checklist,
    /// The population that a model looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<&'a PopulationFindings>,
    /// What to do next.
    pub next_steps: Vec<&'static str>,
    /// What the table is called, in the words of its owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<&'a str>,
    /// The hash of the policy's text, where it was read from a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_sha256: Option<String>,
    /// The ladders of the recoded columns; a stored mask of an older layout has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ladders: Vec<LadderWords<'a>>,
    /// The share of its bits that each recoded column keeps, where they were counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<KeptShare<'a>>,
    /// What the audit found before the release appeared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<&'a Verdict>,
    /// Whether all of it comes from the public part of a release: what only its owner knows is not known here.
    #[serde(skip)]
    pub of_public: bool,
}

/// The ladder of a column, level by level.
#[derive(Debug, Clone, Serialize)]
pub struct LadderWords<'a> {
    /// The column.
    pub column: &'a str,
    /// Its levels, from 0 on.
    pub rungs: Vec<RungWords>,
}

/// A level of a ladder.
#[derive(Debug, Clone, Serialize)]
pub struct RungWords {
    /// How its labels come about.
    pub words: String,
    /// What it makes of a value that is made up from the rules; absent where they tell none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

/// The share of its bits that a column keeps.
#[derive(Debug, Clone, Serialize)]
pub struct KeptShare<'a> {
    /// The column.
    pub column: &'a str,
    /// The share, 0 to 1.
    pub share: f64,
}

impl<'a> LadderWords<'a> {
    fn new(ladder: &'a StoredLadder) -> Self {
        let rules: Vec<&LabelRule> = ladder.levels.iter().map(|level| &level.rule).collect();
        let value = example::value(&rules);
        let rung = |rule: &&LabelRule| RungWords {
            words: rule_in_words(rule),
            example: value.as_deref().and_then(|value| example::label(rule, value)),
        };
        Self { column: &ladder.variable, rungs: rules.iter().map(rung).collect() }
    }
}

impl<'a> OwnerFindings<'a> {
    /// Everything that was found, with the verdict of the audit where there is one.
    #[must_use]
    pub fn new(manifest: &'a Manifest, report: &'a Report, stored: &'a StoredMask, audit: Option<&'a Verdict>) -> Self {
        let (mask, notes) = (&stored.mask, &stored.notes);
        let dropped = mask.columns.iter().filter(|column| column.role == Role::Identifying);
        let kept = report.pictured.kept.iter();
        Self {
            release: ReleaseFindings::for_owner(manifest, report),
            original: report.original.as_ref(),
            frequencies: &report.frequencies,
            pairs: &report.pairs,
            suppressed_keys: mask.suppressed.len(),
            dropped_columns: dropped.map(|column| column.name.as_str()).collect(),
            balance: report.choice.as_ref().and_then(|choice| choice.balance.as_ref()),
            minimal: report.choice.as_ref().filter(|choice| choice.lists_minimal).map(|choice| &*choice.minimal),
            new_value_facts: report.new_values.as_ref().map(|found| found.facts.as_slice()),
            worth: report.worth.as_ref(),
            checklist: &report.checklist,
            population: report.population.as_ref(),
            next_steps: NEXT_STEPS.into_iter().chain([next_time(mask)]).collect(),
            table: notes.table.as_deref(),
            policy_sha256: notes.policy_sha256.map(|hash| hex(&hash)),
            ladders: stored.ladders.iter().map(LadderWords::new).collect(),
            kept: kept.map(|(column, share)| KeptShare { column, share: *share }).collect(),
            audit,
            of_public: false,
        }
    }
}
