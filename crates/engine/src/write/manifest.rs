//! What a release claims about itself, for whoever receives it.
//!
//! Nothing here was computed from values that are not released, except the number of records and of withheld ones: no
//! loss, no share, no count of the search. Such numbers look harmless and can be solved for what they were computed from.
//! Names and settings come from the policy, everything else from the released bytes. There is no time and no place, so
//! the same release always comes with the same manifest. The audit reads it with code of its own.

use std::collections::BTreeSet;

use equanym_core::card::Parameters;
use equanym_core::hierarchy::LabelRule;
use equanym_core::mask::{ColumnChange, ColumnMask};
use equanym_core::report::{CheckBasis, Guarantee, NewValuesReport, NewWriting, NodeChoice, Report};
use equanym_core::treatment::Treatment;
use equanym_core::variable::Role;
use equanym_core::{loss, method, privacy, search};
use serde::{Deserialize, Serialize};

use crate::mask::{Promise, StoredMask};
use crate::policy::{About, LimitUnit, Output};
use crate::read::{ColumnForm, Encoding, Reading};
use crate::write::sink::typed::KeptType;

/// The claims of a release.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
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
    /// The column of the original that tells people apart, where one was named: its ids are not released.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The share of records, or of people, that the policy permits to withhold.
    pub suppression_limit: f64,
    /// What it is a share of.
    #[serde(default, skip_serializing_if = "LimitUnit::is_usual")]
    pub limit_unit: LimitUnit,
    /// The columns, in the order of the file.
    pub columns: Vec<ColumnClaim>,
    /// The classes.
    pub classes: ClassesClaim,
    /// The privacy models.
    pub privacy: Vec<PrivacyClaim>,
    /// `none` where there is no model: a release that promises nothing says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guarantee: Option<String>,
    /// Cells that were guarded against being taken for formulas.
    pub neutralised_cells: u64,
    /// The method.
    pub method: String,
    /// What the policy told the method about new values.
    #[serde(default, skip_serializing_if = "Parameters::is_empty")]
    pub parameters: Parameters,
    /// How the levels were chosen; absent where they came with a stored mask.
    #[serde(flatten)]
    pub choice: Option<ChoiceClaim>,
    /// What the release is for, in the words of its owner.
    #[serde(default, skip_serializing_if = "About::is_empty")]
    pub about: About,
}

/// The released table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DataFile {
    /// Its name.
    pub file: String,
    /// Its format and the order of its records.
    #[serde(flatten)]
    pub output: Output,
    /// Its hash.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

/// A report beside the table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReportFile {
    /// Its name.
    pub file: String,
    /// Its hash.
    pub sha256: String,
}

/// How many records there were and are.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClaimedRecords {
    /// In the table; not told where a promise rests on chance, because one record more or less would tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<u64>,
    /// In the release.
    pub released: u64,
    /// Withheld; told where the first is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
}

/// What is claimed of a column.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ColumnClaim {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Where it stands on its ladder.
    #[serde(flatten)]
    pub level: Option<LevelClaim>,
    /// How its labels come about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<LabelsClaim>,
    /// The type that it kept in Parquet; text where absent.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kept_type: Option<KeptType>,
    /// Whether it holds numbers, which are written with the decimal sign of the file; absent where that is a point.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub number: bool,
    /// That its numbers were replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_values: Option<NewValuesClaim>,
    /// What happened to its cells before anything else, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub treatments: Vec<Treatment>,
}

/// A place on a ladder.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct LevelClaim {
    /// The level.
    pub level: u8,
    /// How many levels there are, level 0 included.
    pub levels: u8,
}

/// No privacy model looks at a column with new values.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewValuesClaim {
    /// Whether one does: no.
    pub covered: bool,
    /// The format of the values, where they are dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<String>,
    /// The values that occur, where they are words in an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<String>>,
}

impl NewValuesClaim {
    fn new(column: &str, found: Option<&NewValuesReport>) -> Self {
        let place = found.and_then(|found| found.columns.iter().position(|name| name == column));
        let writing = found.zip(place).and_then(|(found, place)| found.writings.get(place));
        let (dates, words) = match writing {
            Some(NewWriting::Dates(format)) => (Some((*format).to_owned()), None),
            Some(NewWriting::Words(words)) => (None, Some(words.clone())),
            Some(NewWriting::Numbers) | None => (None, None),
        };
        Self { covered: false, dates, words }
    }
}

/// How labels come about.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RuleClaim {
    /// By one rule, the same for each value.
    OneLevel(LabelRule),
    /// By class.
    Local {
        /// The kind of label.
        rule: LocalRule,
    },
}

/// Labels that differ from class to class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LocalRule {
    /// A number or a range.
    Range,
    /// A label of any level.
    AnyLevel,
}

/// How labels come about, and which occur.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LabelsClaim {
    /// The rule.
    #[serde(flatten)]
    pub rule: RuleClaim,
    /// The labels, where no rule tells them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
    /// Whether values that the ladder does not know are at the top.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub or_top: bool,
}

/// What is claimed of the classes.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ClassesClaim {
    /// How many there are.
    pub count: u64,
    /// The smallest.
    pub min: u64,
    /// The largest.
    pub max: u64,
}

/// A privacy model that is claimed to hold.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PrivacyClaim {
    /// The model.
    pub model: String,
    /// What it counts, where that is not records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What shows it: the bytes of the release, or the original table beside them. How values spread over the original is
    /// not published, because it tells the values of withheld records; and the release does not tell who is who.
    #[serde(default)]
    pub checked: CheckBasis,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: Parameters,
}

/// How the levels were chosen, as far as that tells nothing about the table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChoiceClaim {
    /// The search.
    pub search: String,
    /// Whether no safe node is better.
    pub optimal: bool,
    /// Whether the search was after the balance of utility and privacy.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_preferences: bool,
    /// What was made as small as possible.
    pub loss: LossClaim,
}

/// The measure that was made small; its value stays with the owner.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LossClaim {
    /// The loss.
    pub name: String,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: Parameters,
}

/// What a manifest is made of besides the data file.
#[derive(Clone, Copy)]
pub struct ClaimBasis<'a> {
    /// The mask that was applied, with what was asked.
    pub stored: &'a StoredMask,
    /// The labels that occur in each recoded column.
    pub labels: &'a [BTreeSet<String>],
    /// What was found.
    pub report: &'a Report,
}

impl Manifest {
    /// The claims of a release; the reports are listed once they are written.
    #[must_use]
    pub fn new(claimed: ClaimBasis<'_>, data: DataFile) -> Self {
        let ClaimBasis { stored, labels, report } = claimed;
        let mut labels = labels.iter();
        let has_commas = data.output.decimal.is_some();
        let claim = |(_, column): (usize, &ColumnMask)| ColumnClaim {
            number: column.number && has_commas,
            ..ColumnClaim::new(column, &mut labels, report.new_values.as_ref())
        };
        let columns = stored.mask.released().map(claim).collect();
        let classes = &report.by_records.classes;
        let is_drawn = report.privacy.iter().any(|held| privacy::draws(&held.model));
        Self {
            format: 1,
            program: program(),
            data,
            reports: Vec::new(),
            records: ClaimedRecords {
                original: (!is_drawn).then_some(report.records),
                released: report.released,
                suppressed: (!is_drawn).then_some(report.suppressed),
            },
            person: stored.person.clone(),
            suppression_limit: stored.suppression_limit,
            limit_unit: stored.limit_unit,
            columns,
            classes: ClassesClaim { count: classes.count, min: classes.min, max: classes.max },
            privacy: report.privacy.iter().map(PrivacyClaim::new).collect(),
            guarantee: report.privacy.is_empty().then(|| "none".to_owned()),
            neutralised_cells: report.neutralised_cells,
            method: report.method.clone(),
            parameters: report.new_values.as_ref().map(|found| found.parameters.clone()).unwrap_or_default(),
            choice: report.choice.as_ref().map(ChoiceClaim::new),
            about: stored.notes.about.clone(),
        }
    }
}

impl Manifest {
    /// Whether this version wrote it: what it names is known, and reports on it have their bytes.
    pub(crate) fn is_of_this_version(&self) -> bool {
        let choice = self.choice.as_ref();
        self.program == program()
            && method::find(&self.method).is_some()
            && self.privacy.iter().all(|claim| privacy::find(&claim.model).is_some())
            && choice.is_none_or(|one| search::find(&one.search).is_some() && loss::find(&one.loss.name).is_some())
    }
}

/// How the table of a release is read, as its manifest says: numbers become plain decimals again.
pub(crate) fn reading_of(manifest: &serde_json::Value) -> Option<Reading> {
    let claim = |key: &str| manifest.get("data")?.get(key)?.as_str();
    let is_number = |column: &&serde_json::Value| column.get("number").is_some_and(|number| number == true);
    let columns = manifest.get("columns").and_then(serde_json::Value::as_array);
    let numbers = columns.into_iter().flatten().filter(is_number);
    let form = |column: &serde_json::Value| Some((column.get("name")?.as_str()?.to_owned(), ColumnForm::Released));
    Some(Reading {
        delimiter: claim("delimiter").map_or(Some(Some(b',')), |sign| sign.bytes().next().map(Some))?,
        encoding: claim("encoding").map_or(Some(Encoding::Utf8), Encoding::named)?,
        forms: numbers.filter_map(form).collect(),
        ..Reading::default()
    })
}

/// What writes manifests.
fn program() -> String {
    format!("equanym {}", env!("CARGO_PKG_VERSION"))
}

impl PrivacyClaim {
    fn new(held: &Guarantee) -> Self {
        let unit = held.unit.map(str::to_owned);
        let promise = Promise { model: held.model.clone(), parameters: held.parameters.clone() };
        Self { model: held.model.clone(), unit, checked: held.checked, parameters: promise.public() }
    }
}

impl ColumnClaim {
    /// The claim of a column; `labels` gives those that occur in the next recoded one.
    fn new<'a>(
        column: &ColumnMask,
        labels: &mut impl Iterator<Item = &'a BTreeSet<String>>,
        found: Option<&NewValuesReport>,
    ) -> Self {
        let mut claim = Self {
            name: column.name.clone(),
            role: column.role,
            level: None,
            labels: None,
            kept_type: None,
            number: false,
            new_values: None,
            treatments: column.treatments.clone(),
        };
        if let Some(recoding) = &column.recoding {
            claim.level = Some(LevelClaim { level: recoding.level, levels: recoding.levels });
            let is_listed = recoding.rule == LabelRule::Listed;
            let labels = LabelsClaim::new(RuleClaim::OneLevel(recoding.rule.clone()), labels.next(), is_listed);
            claim.labels = Some(LabelsClaim { or_top: recoding.has_strays_at_top(), ..labels });
        }
        let local = |rule| RuleClaim::Local { rule };
        match column.change {
            Some(ColumnChange::Range) => {
                claim.labels = Some(LabelsClaim::new(local(LocalRule::Range), labels.next(), false));
            }
            Some(ColumnChange::AnyLevel) => {
                claim.labels = Some(LabelsClaim::new(local(LocalRule::AnyLevel), labels.next(), true));
            }
            Some(ColumnChange::NewValue) => claim.new_values = Some(NewValuesClaim::new(&column.name, found)),
            None => {}
        }
        claim
    }

    /// How it was changed otherwise than value by value.
    #[must_use]
    pub fn change(&self) -> Option<ColumnChange> {
        let local = match self.labels.as_ref().map(|labels| &labels.rule) {
            Some(RuleClaim::Local { rule: LocalRule::Range }) => Some(ColumnChange::Range),
            Some(RuleClaim::Local { rule: LocalRule::AnyLevel }) => Some(ColumnChange::AnyLevel),
            _ => None,
        };
        local.or(self.new_values.as_ref().map(|_| ColumnChange::NewValue))
    }
}

impl LabelsClaim {
    fn new(rule: RuleClaim, occurring: Option<&BTreeSet<String>>, is_listed: bool) -> Self {
        let values = occurring.filter(|_| is_listed).map(|values| values.iter().cloned().collect());
        Self { rule, values, or_top: false }
    }
}

impl ChoiceClaim {
    fn new(choice: &NodeChoice) -> Self {
        let loss = LossClaim { name: choice.loss.name.clone(), parameters: choice.loss.parameters.clone() };
        Self { search: choice.search.clone(), optimal: choice.optimal, by_preferences: choice.balance.is_some(), loss }
    }
}
