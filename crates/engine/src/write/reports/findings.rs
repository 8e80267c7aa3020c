//! What a report says, as data: the layout of `report.json`.
//!
//! The keys are those of `release --json`, with words for whoever was not there: what a guarantee means, how the labels of
//! a column come about. The keys from `search` to `loss` are absent when the levels came with a stored mask.
//!
//! The public findings are a function of the manifest and of the sizes of the released classes, and of nothing else:
//! whoever holds the release can compute them again, and the audit does. The owner's add what was measured on the table.

use equanym_core::card::{Card, Parameters};
use equanym_core::checklist::Checklist;
use equanym_core::hierarchy::Rule;
use equanym_core::mask::{Change, Mask};
use equanym_core::method::values::Fact;
use equanym_core::report::{
    Balanced, Checked, Choice, ClassFindings, Levels, LocalFound, LossFound, MinimalNode, Report, UtilityFound, Worth,
};
use equanym_core::risk::{Classes, Risk, linkage::Linkage};
use equanym_core::treatment::Treatment;
use equanym_core::utility::{Figure, bars::ColumnFrequencies};
use equanym_core::variable::Role;
use equanym_core::{loss, method, privacy, search};
use serde::Serialize;

use super::in_words;
use super::small::{ShownClasses, ShownRisk, Small};
use crate::write::manifest::{ChoiceClaim, ColumnClaim, LossClaim, Manifest, PrivacyClaim, RuleClaim};

/// The layout of `report.json`.
const FORMAT: u32 = 1;

/// What no reader of a report on new values may miss.
const NO_GUARANTEE: &str = "New values come without a formal guarantee: no privacy model covers these columns. The owner of \
                            the data has measured what somebody who knows the original finds again.";

/// How anybody can check the release.
const VERIFY: &str = "equanym audit DIR/public";

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

/// What anybody may know about a release: the public `report.json`. What is optional and not told by the manifest is
/// added for the owner alone.
#[derive(Debug, Clone, Serialize)]
pub struct Findings<'a> {
    /// The layout of the file.
    pub format: u32,
    /// What wrote it.
    pub program: &'a str,
    /// Records of the table; not public where a promise rests on chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// Its people, for the owner, where a person is named: then classes and risk count people. The release tells records only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Records released.
    pub released: u64,
    /// Records withheld; told where the others are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
    /// People of whom a record is withheld, for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons_suppressed: Option<u64>,
    /// The method.
    pub method: &'a str,
    /// The level of each quasi-identifier.
    pub node: Levels,
    /// The steps of the ladders that are kept; absent where no column stands on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// How the levels were chosen.
    #[serde(flatten)]
    pub choice: Option<Chosen<'a>>,
    /// What local recoding did, for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<&'a LocalFound>,
    /// New values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_values: Option<NewValueFindings<'a>>,
    /// Counts below this are not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_from: Option<u64>,
    /// The released classes.
    pub classes: ShownClasses,
    /// The risk of the release; absent from the public report where columns with new values leave it without a bound, and
    /// where people are counted, whom the release does not tell apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<ShownRisk>,
    /// What is guaranteed.
    pub privacy: Vec<Guaranteed<'a>>,
    /// `none` where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guarantee: Option<&'a str>,
    /// Cells that were guarded against being taken for formulas.
    pub neutralised_cells: Option<u64>,
    /// The released columns, in the order of the file.
    pub columns: Vec<ReleasedColumn<'a>>,
    /// The command that checks the release.
    pub verify: &'static str,
}

/// How much of the ladders is kept: told by levels, which say nothing about values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Detail {
    /// Steps that are kept, over all recoded columns.
    pub kept: u32,
    /// Steps that there are.
    pub of: u32,
}

/// How the levels were chosen.
#[derive(Debug, Clone, Serialize)]
pub struct Chosen<'a> {
    /// The search.
    pub search: &'a str,
    /// Whether none that is safe is better.
    pub optimal: bool,
    /// Whether the search was after the balance of utility and privacy, and the loss is measured only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_preferences: bool,
    /// What was made as small as possible.
    pub loss: LossChosen<'a>,
    /// How the search went, for the owner.
    #[serde(flatten)]
    pub course: Option<Course>,
}

/// How a search went: computed from the table.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Course {
    /// How many combinations of levels there were.
    pub lattice: u128,
    /// How many of them had their classes counted.
    pub evaluated: u64,
    /// How much of the loss might be avoidable, as a share: 0 where it is optimal, and none where a balance is not.
    pub gap: Option<f64>,
}

/// What was made as small as possible.
#[derive(Debug, Clone, Serialize)]
pub struct LossChosen<'a> {
    /// The loss.
    pub name: &'a str,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: &'a Parameters,
    /// What it measures, in one line.
    pub summary: &'static str,
    /// How much was lost, for the owner.
    #[serde(flatten)]
    pub amount: Option<LossAmount>,
}

/// How much was lost: computed from the table.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct LossAmount {
    /// Its value.
    pub value: f64,
    /// Its share of what the fully generalised table loses.
    pub share: f64,
}

/// A privacy model, and what it means.
#[derive(Debug, Clone, Serialize)]
pub struct Guaranteed<'a> {
    /// The model.
    pub model: &'a str,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: &'a Parameters,
    /// Whether it was found to hold.
    pub holds: bool,
    /// What it counts, where that is not records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'a str>,
    /// What shows it to whoever checks.
    pub checked: Checked,
    /// What it says, with the numbers filled in.
    pub summary: String,
    /// What it protects against, and what not.
    pub about: &'static str,
}

/// A released column.
#[derive(Debug, Clone, Serialize)]
pub struct ReleasedColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its role.
    pub role: Role,
    /// How it was recoded; absent where values are as collected.
    #[serde(flatten)]
    pub recoded: Option<Recoded<'a>>,
    /// How it was changed otherwise than value by value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Changed>,
    /// What happened to its cells before anything else, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub treatments: Vec<String>,
}

/// How a column was changed otherwise than value by value.
#[derive(Debug, Clone, Serialize)]
pub struct Changed {
    /// The kind.
    #[serde(flatten)]
    pub change: Change,
    /// The same in words.
    pub words: &'static str,
}

/// Columns with new values. What they risk and keep is measured against the table, so only the owner learns it.
#[derive(Debug, Clone, Serialize)]
pub struct NewValueFindings<'a> {
    /// The columns.
    pub columns: Vec<&'a str>,
    /// The method's parameters.
    pub parameters: &'a Parameters,
    /// What no reader may miss.
    pub guarantee: &'static str,
    /// What somebody who knows the original finds again, for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linkage: Option<&'a Linkage>,
    /// What the columns are still good for, for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utility: Option<&'a [UtilityFound]>,
}

/// How a column was recoded.
#[derive(Debug, Clone, Serialize)]
pub struct Recoded<'a> {
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
    pub rule: &'a Rule,
    /// The rule in words.
    pub words: String,
}

/// What only the owner may know: the private `report.json`.
#[derive(Debug, Clone, Serialize)]
pub struct OwnerFindings<'a> {
    /// All that is public.
    #[serde(flatten)]
    pub release: Findings<'a>,
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
    pub balance: Option<&'a Balanced>,
    /// The k-minimal nodes; absent where the policy does not ask for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimal: Option<&'a [MinimalNode]>,
    /// What is known about a change to new values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_value_facts: Option<&'a [Fact]>,
    /// What it is worth, and what would buy detail back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<&'a Worth>,
    /// What to look at before handing over.
    #[serde(flatten)]
    pub checklist: &'a Checklist,
    /// What to do next.
    pub next_steps: Vec<&'static str>,
}

impl<'a> Findings<'a> {
    /// What the manifest and the sizes of the released classes tell; `small` counts are not shown.
    #[must_use]
    pub fn of(manifest: &'a Manifest, classes: Classes, risk: Risk, small: Small) -> Self {
        let columns: Vec<_> = manifest.columns.iter().map(ReleasedColumn::of).collect();
        let new_values = NewValueFindings::of(manifest);
        let risk = ShownRisk::of(risk, classes, small);
        Self {
            format: FORMAT,
            program: &manifest.program,
            records: manifest.records.original,
            persons: None,
            released: manifest.records.released,
            suppressed: manifest.records.suppressed,
            persons_suppressed: None,
            method: &manifest.method,
            node: levels(manifest),
            detail: Detail::of(manifest),
            choice: manifest.choice.as_ref().map(Chosen::new),
            local: None,
            risk: if new_values.is_some() || manifest.person.is_some() { None } else { Some(risk) },
            new_values,
            shown_from: small.threshold(),
            classes: ShownClasses::of(classes, small),
            privacy: manifest.privacy.iter().map(Guaranteed::new).collect(),
            guarantee: manifest.guarantee.as_deref(),
            neutralised_cells: small.shown(manifest.neutralised_cells),
            columns,
            verify: VERIFY,
        }
    }

    /// Adds what was measured on the table.
    fn for_owner(manifest: &'a Manifest, report: &'a Report) -> Self {
        let mut findings = Self::of(manifest, report.classes, report.risk, Small::Shown);
        findings.risk = Some(ShownRisk::of(report.risk, report.classes, Small::Shown));
        (findings.persons, findings.persons_suppressed) = (report.persons, report.persons_suppressed);
        (findings.records, findings.suppressed) = (Some(report.records), Some(report.suppressed));
        findings.local = report.local.as_ref();
        if let (Some(chosen), Some(choice)) = (&mut findings.choice, &report.choice) {
            chosen.measured(choice);
        }
        if let (Some(shown), Some(found)) = (&mut findings.new_values, &report.new_values) {
            (shown.linkage, shown.utility) = (Some(&found.linkage), Some(found.utility.as_slice()));
        }
        findings
    }

    /// The released columns of a role.
    pub(super) fn columns_of(&self, role: Role) -> impl Iterator<Item = &ReleasedColumn<'a>> {
        self.columns.iter().filter(move |column| column.role == role)
    }

    /// The names of the quasi-identifying columns that are recoded: what privacy models look at.
    pub(super) fn recoded_names(&self) -> Vec<&'a str> {
        let is_renewed =
            |column: &&ReleasedColumn<'a>| column.change.as_ref().is_some_and(|one| one.change == Change::NewValue);
        self.columns_of(Role::QuasiIdentifying).filter(|column| !is_renewed(column)).map(|column| column.name).collect()
    }

    /// What classes and risk count.
    pub(super) fn unit(&self) -> &'static str {
        if self.persons.is_some() { "people" } else { "records" }
    }

    /// The method's card.
    pub(super) fn method_card(&self) -> Option<&'static Card> {
        method::find(self.method).map(|member| &member.card)
    }
}

impl<'a> OwnerFindings<'a> {
    /// Everything that was found.
    #[must_use]
    pub fn new(manifest: &'a Manifest, report: &'a Report, mask: &'a Mask) -> Self {
        let dropped = mask.columns.iter().filter(|column| column.role == Role::Identifying);
        Self {
            release: Findings::for_owner(manifest, report),
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
            next_steps: NEXT_STEPS.into_iter().chain([next_time(mask)]).collect(),
        }
    }
}

/// The level of each column that stands on a ladder.
fn levels(manifest: &Manifest) -> Levels {
    let of_column = |column: &ColumnClaim| Some((column.name.clone(), column.level?.level));
    Levels(manifest.columns.iter().filter_map(of_column).collect())
}

impl Detail {
    fn of(manifest: &Manifest) -> Option<Self> {
        let ladders = manifest.columns.iter().filter_map(|column| column.level);
        let (mut kept, mut of) = (0, 0);
        for ladder in ladders {
            let steps = u32::from(ladder.levels).saturating_sub(1);
            of += steps;
            kept += steps.saturating_sub(ladder.level.into());
        }
        (of > 0).then_some(Self { kept, of })
    }
}

impl<'a> Chosen<'a> {
    fn new(claim: &'a ChoiceClaim) -> Self {
        let ChoiceClaim { search, optimal, by_preferences, loss } = claim;
        Self { search, optimal: *optimal, by_preferences: *by_preferences, loss: LossChosen::new(loss), course: None }
    }

    /// Adds what was measured on the table.
    fn measured(&mut self, choice: &Choice) {
        let Choice { lattice, evaluated, gap, loss: LossFound { value, share, .. }, .. } = choice;
        self.course = Some(Course { lattice: *lattice, evaluated: *evaluated, gap: *gap });
        self.loss.amount = Some(LossAmount { value: *value, share: *share });
    }

    /// What the search does, in one line.
    pub(super) fn search_summary(&self) -> &'static str {
        search::find(self.search).map_or("", |member| member.card.summary)
    }
}

impl<'a> LossChosen<'a> {
    fn new(claim: &'a LossClaim) -> Self {
        let LossClaim { name, parameters } = claim;
        Self { name, parameters, summary: loss::find(name).map_or("", |member| member.card.summary), amount: None }
    }

    /// When to use it, and its limits.
    pub(super) fn about(&self) -> &'static str {
        loss::find(self.name).map_or("", |member| member.card.about)
    }
}

impl<'a> Guaranteed<'a> {
    /// A claim of a manifest: a release that breaks it is never put in place, and fails the audit.
    fn new(claim: &'a PrivacyClaim) -> Self {
        let PrivacyClaim { model, unit, checked, parameters } = claim;
        let card = privacy::find(model).map(|member| &member.card);
        let summary = card.map_or_else(String::new, |card| in_words::with_numbers(card.summary, parameters));
        // Cards speak of people; without a person to tell them apart they are records.
        let summary = if unit.is_some() { summary } else { summary.replace("people", "records") };
        let (unit, about, holds) =
            (unit.as_deref(), card.map_or("", |card| card.about), !privacy::is_void(model, parameters));
        Self { model, parameters, holds, unit, checked: *checked, summary, about }
    }
}

/// What is said of cells that nothing happened to.
const AS_COLLECTED: &str = "as collected";

impl<'a> ReleasedColumn<'a> {
    /// Whether its labels differ from class to class.
    pub(super) fn is_local(&self) -> bool {
        self.change.as_ref().is_some_and(|one| matches!(one.change, Change::Range | Change::AnyLevel))
    }

    /// What a manifest claims of a column, in words.
    #[must_use]
    pub fn of(column: &'a ColumnClaim) -> Self {
        let change = column.change().map(|change| Changed { change, words: in_words::change(change) });
        let treatments = column.treatments.iter().map(Treatment::words).collect();
        Self { name: &column.name, role: column.role, recoded: Recoded::of(column), change, treatments }
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

impl<'a> NewValueFindings<'a> {
    fn of(manifest: &'a Manifest) -> Option<Self> {
        let renewed = manifest.columns.iter().filter(|column| column.new_values.is_some());
        let columns: Vec<&str> = renewed.map(|column| column.name.as_str()).collect();
        let (parameters, guarantee) = (&manifest.parameters, NO_GUARANTEE);
        (!columns.is_empty()).then_some(Self { columns, parameters, guarantee, linkage: None, utility: None })
    }
}

impl<'a> Recoded<'a> {
    fn of(column: &'a ColumnClaim) -> Option<Self> {
        let (ladder, RuleClaim::OneLevel(rule)) = (column.level?, &column.labels.as_ref()?.rule) else { return None };
        Some(Self { level: ladder.level, levels: ladder.levels, labels: Labels { rule, words: in_words::rule(rule) } })
    }
}
