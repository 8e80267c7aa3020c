//! What a release claims about itself, for whoever receives it.
//!
//! The manifest repeats no count of the original beyond the number of records, no value that is not in the release, no
//! time and no place, so the same release always comes with the same manifest. The audit reads it with code of its own.

use std::collections::BTreeSet;

use equanym_core::hierarchy::Rule;
use equanym_core::mask::{Change, ColumnMask, Mask};
use equanym_core::report::{LossFound, Report};
use equanym_core::variable::Role;
use serde::Serialize;

use crate::policy::Output;

/// The claims of a release.
#[derive(Debug, Serialize)]
pub(crate) struct Manifest<'a> {
    /// The layout of this file.
    pub format: u32,
    /// What wrote it.
    pub program: String,
    /// The released table.
    pub data: DataFile,
    /// The reports beside it.
    pub reports: Vec<ReportFile>,
    /// Its records.
    pub records: ClaimedRecords,
    /// The share of records that the policy permits to withhold.
    pub suppression_limit: f64,
    /// The columns, in the order of the file.
    pub columns: Vec<ColumnClaim<'a>>,
    /// The classes.
    pub classes: ClassesClaim,
    /// The privacy models.
    pub privacy: Vec<PrivacyClaim<'a>>,
    /// Cells that were guarded against being taken for formulas.
    pub neutralised_cells: u64,
    /// The method.
    pub method: &'a str,
    /// The search, unless the release came from a stored mask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<&'a str>,
    /// The loss, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<&'a LossFound>,
}

/// The released table.
#[derive(Debug, Serialize)]
pub(crate) struct DataFile {
    /// Its name.
    pub file: &'static str,
    /// Its format and the order of its records.
    #[serde(flatten)]
    pub output: Output,
    /// Its hash.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

/// A report beside the table.
#[derive(Debug, Serialize)]
pub(crate) struct ReportFile {
    /// Its name.
    pub file: &'static str,
    /// Its hash.
    pub sha256: String,
}

/// How many records there were and are.
#[derive(Debug, Serialize)]
pub(crate) struct ClaimedRecords {
    /// In the table.
    pub original: u64,
    /// In the release.
    pub released: u64,
    /// Withheld.
    pub suppressed: u64,
}

/// What is claimed of a column.
#[derive(Debug, Serialize)]
pub(crate) struct ColumnClaim<'a> {
    name: &'a str,
    role: Role,
    #[serde(flatten)]
    level: Option<LevelClaim>,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<LabelsClaim<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_values: Option<NewValuesClaim>,
}

#[derive(Debug, Serialize)]
struct LevelClaim {
    level: u8,
    levels: u8,
}

/// No privacy model looks at a column with new values.
#[derive(Debug, Serialize)]
struct NewValuesClaim {
    covered: bool,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum RuleClaim<'a> {
    OneLevel(&'a Rule),
    Local { rule: &'static str },
}

#[derive(Debug, Serialize)]
struct LabelsClaim<'a> {
    #[serde(flatten)]
    rule: RuleClaim<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<&'a str>>,
    /// Whether values that the ladder does not know are at the top.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    or_top: bool,
}

/// What is claimed of the classes.
#[derive(Debug, Serialize)]
pub(crate) struct ClassesClaim {
    count: u64,
    min: u64,
    max: u64,
}

/// A privacy model that is claimed to hold.
#[derive(Debug, Serialize)]
pub(crate) struct PrivacyClaim<'a> {
    model: &'a str,
    #[serde(flatten)]
    parameters: &'a equanym_core::card::Parameters,
}

impl<'a> Manifest<'a> {
    /// The claims of a release; `labels` are the labels that occur in each recoded column.
    #[must_use]
    pub(crate) fn new(
        mask: &'a Mask,
        labels: &'a [BTreeSet<String>],
        report: &'a Report,
        suppression_limit: f64,
        data: DataFile,
        reports: Vec<ReportFile>,
    ) -> Self {
        let mut labels = labels.iter();
        let columns = mask.released().map(|(_, column)| ColumnClaim::new(column, &mut labels));
        let columns: Vec<_> = columns.collect();
        let privacy = report.privacy.iter();
        Self {
            format: 1,
            program: format!("equanym {}", env!("CARGO_PKG_VERSION")),
            data,
            reports,
            records: ClaimedRecords {
                original: report.records,
                released: report.released,
                suppressed: report.suppressed,
            },
            suppression_limit,
            columns,
            classes: ClassesClaim { count: report.classes.count, min: report.classes.min, max: report.classes.max },
            privacy: privacy.map(|held| PrivacyClaim { model: &held.model, parameters: &held.parameters }).collect(),
            neutralised_cells: report.neutralised_cells,
            method: &report.method,
            search: report.choice.as_ref().map(|choice| choice.search.as_str()),
            loss: report.choice.as_ref().map(|choice| &choice.loss),
        }
    }
}

impl<'a> ColumnClaim<'a> {
    /// The claim of a column; `labels` gives those that occur in the next recoded one.
    fn new(column: &'a ColumnMask, labels: &mut impl Iterator<Item = &'a BTreeSet<String>>) -> Self {
        let mut claim = Self { name: &column.name, role: column.role, level: None, labels: None, new_values: None };
        if let Some(recoding) = &column.recoding {
            claim.level = Some(LevelClaim { level: recoding.level, levels: recoding.levels });
            let is_listed = recoding.rule == Rule::Listed;
            let labels = LabelsClaim::new(RuleClaim::OneLevel(&recoding.rule), labels.next(), is_listed);
            claim.labels = Some(LabelsClaim { or_top: recoding.has_strays_at_top(), ..labels });
        }
        match column.change {
            Some(Change::Range) => {
                claim.labels = Some(LabelsClaim::new(RuleClaim::Local { rule: "range" }, labels.next(), false));
            }
            Some(Change::AnyLevel) => {
                claim.labels = Some(LabelsClaim::new(RuleClaim::Local { rule: "any-level" }, labels.next(), true));
            }
            Some(Change::NewValue) => claim.new_values = Some(NewValuesClaim { covered: false }),
            None => {}
        }
        claim
    }
}

impl<'a> LabelsClaim<'a> {
    fn new(rule: RuleClaim<'a>, occurring: Option<&'a BTreeSet<String>>, is_listed: bool) -> Self {
        let values = occurring.filter(|_| is_listed).map(|values| values.iter().map(String::as_str).collect());
        Self { rule, values, or_top: false }
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
