//! What a report says, as data: the layout of `report.json`.
//!
//! The keys are those of `release --json`, with words for whoever was not there: what a guarantee means, how the labels of
//! a column come about. Keys may be added later; none is renamed or removed. The keys from `search` to `loss` are absent
//! when the levels came with a stored mask.

use equanym_core::card::{Card, Parameters};
use equanym_core::hierarchy::Rule;
use equanym_core::mask::{Change, ColumnMask, Mask, Recoding};
use equanym_core::method::values::Fact;
use equanym_core::report::{
    Balanced, Choice, Guarantee, Levels, LocalFound, LossFound, NewValuesFound, Original, Report, UtilityFound,
};
use equanym_core::risk::linkage::Linkage;
use equanym_core::risk::{Classes, Risk};
use equanym_core::utility::Figure;
use equanym_core::variable::Role;
use equanym_core::{loss, method, privacy, search};
use serde::Serialize;

use super::in_words;

/// The layout of `report.json`.
const FORMAT: u32 = 1;

/// How anybody can check the release.
const VERIFY: &str = "equanym audit DIR/public";

/// What the owner does next.
const NEXT_STEPS: [&str; 3] = [
    "Hand over the folder `public/` as a whole, and nothing else.",
    "Keep `private/` to yourself: `mask.json` holds values of the original, and this report its risk.",
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

/// What anybody may know about a release: the public `report.json`.
#[derive(Debug, Clone, Serialize)]
pub struct Findings<'a> {
    /// The layout of the file.
    pub format: u32,
    /// What wrote it.
    pub program: String,
    /// Records of the table.
    pub records: u64,
    /// Records released.
    pub released: u64,
    /// Records withheld.
    pub suppressed: u64,
    /// The method.
    pub method: &'a str,
    /// The level of each quasi-identifier.
    pub node: &'a Levels,
    /// How the levels were chosen.
    #[serde(flatten)]
    pub choice: Option<Chosen<'a>>,
    /// What local recoding did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<&'a LocalFound>,
    /// What new values are worth and what they risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_values: Option<NewValueFindings<'a>>,
    /// The released classes.
    pub classes: Classes,
    /// The risk of the release.
    pub risk: Risk,
    /// What is guaranteed.
    pub privacy: Vec<Guaranteed<'a>>,
    /// Cells that were guarded against being taken for formulas.
    pub neutralised_cells: u64,
    /// The released columns, in the order of the file.
    pub columns: Vec<ReleasedColumn<'a>>,
    /// The command that checks the release.
    pub verify: &'static str,
}

/// How the levels were chosen.
#[derive(Debug, Clone, Serialize)]
pub struct Chosen<'a> {
    /// The search.
    pub search: &'a str,
    /// How many combinations of levels there were.
    pub lattice: u128,
    /// How many of them had their classes counted.
    pub evaluated: u64,
    /// Whether none that is safe is better.
    pub optimal: bool,
    /// How much of the loss might be avoidable, as a share: 0 where it is optimal, and none where a balance is not.
    pub gap: Option<f64>,
    /// Whether the search was after the balance of utility and privacy, and the loss is measured only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_preferences: bool,
    /// What was made as small as possible.
    pub loss: LossChosen<'a>,
}

/// What was made as small as possible.
#[derive(Debug, Clone, Serialize)]
pub struct LossChosen<'a> {
    /// The loss.
    pub name: &'a str,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: &'a Parameters,
    /// Its value.
    pub value: f64,
    /// Its share of what the fully generalised table loses.
    pub share: f64,
    /// What it measures, in one line.
    pub summary: &'static str,
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

/// What anybody may know about new values: differences and shares, nothing that was measured on the original.
#[derive(Debug, Clone, Serialize)]
pub struct NewValueFindings<'a> {
    /// The columns.
    pub columns: &'a [String],
    /// The method's parameters.
    pub parameters: &'a Parameters,
    /// What no reader may miss.
    pub guarantee: &'static str,
    /// What somebody who knows the original finds again.
    pub linkage: &'a Linkage,
    /// What the columns are still good for.
    pub utility: Vec<UtilityFound>,
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
    pub original: Option<&'a Original>,
    /// How many keys were withheld with their records.
    pub suppressed_keys: usize,
    /// The identifying columns, which were not released.
    pub dropped_columns: Vec<&'a str>,
    /// What the guarantees cost the balance of utility and privacy; absent where none was sought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<&'a Balanced>,
    /// What is known about a change to new values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_value_facts: Option<&'a [Fact]>,
    /// The utility of new values with what was measured before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_value_utility: Option<&'a [UtilityFound]>,
    /// What to know before handing over.
    pub warnings: &'a [String],
    /// What to do next.
    pub next_steps: Vec<&'static str>,
}

impl<'a> Findings<'a> {
    /// Picks what anybody may know.
    #[must_use]
    pub fn new(report: &'a Report, mask: &'a Mask) -> Self {
        Self {
            format: FORMAT,
            program: format!("equanym {}", env!("CARGO_PKG_VERSION")),
            records: report.records,
            released: report.released,
            suppressed: report.suppressed,
            method: &report.method,
            node: &report.node,
            choice: report.choice.as_ref().map(Chosen::new),
            local: report.local.as_ref(),
            new_values: report.new_values.as_ref().map(NewValueFindings::new),
            classes: report.classes,
            risk: report.risk,
            privacy: report.privacy.iter().map(Guaranteed::new).collect(),
            neutralised_cells: report.neutralised_cells,
            columns: mask.released().map(|(_, column)| ReleasedColumn::new(column)).collect(),
            verify: VERIFY,
        }
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

    /// The method's card.
    pub(super) fn method_card(&self) -> Option<&'static Card> {
        method::find(self.method).map(|member| &member.card)
    }
}

impl<'a> OwnerFindings<'a> {
    /// Everything that was found.
    #[must_use]
    pub fn new(report: &'a Report, mask: &'a Mask) -> Self {
        let dropped = mask.columns.iter().filter(|column| column.role == Role::Identifying);
        Self {
            release: Findings::new(report, mask),
            original: report.original.as_ref(),
            suppressed_keys: mask.suppressed.len(),
            dropped_columns: dropped.map(|column| column.name.as_str()).collect(),
            balance: report.choice.as_ref().and_then(|choice| choice.balance.as_ref()),
            new_value_facts: report.new_values.as_ref().map(|found| found.facts.as_slice()),
            new_value_utility: report.new_values.as_ref().map(|found| found.utility.as_slice()),
            warnings: &report.warnings,
            next_steps: NEXT_STEPS.into_iter().chain([next_time(mask)]).collect(),
        }
    }
}

impl<'a> Chosen<'a> {
    fn new(choice: &'a Choice) -> Self {
        let Choice { search, lattice, evaluated, tagged: _, optimal, gap, loss, balance } = choice;
        let loss = LossChosen::new(loss);
        let by_preferences = balance.is_some();
        Self { search, lattice: *lattice, evaluated: *evaluated, optimal: *optimal, gap: *gap, by_preferences, loss }
    }

    /// What the search does, in one line.
    pub(super) fn search_summary(&self) -> &'static str {
        search::find(self.search).map_or("", |member| member.card.summary)
    }
}

impl<'a> LossChosen<'a> {
    fn new(found: &'a LossFound) -> Self {
        let summary = loss::find(&found.name).map_or("", |member| member.card.summary);
        let LossFound { name, parameters, value, share } = found;
        Self { name, parameters, value: *value, share: *share, summary }
    }

    /// When to use it, and its limits.
    pub(super) fn about(&self) -> &'static str {
        loss::find(self.name).map_or("", |member| member.card.about)
    }
}

impl<'a> Guaranteed<'a> {
    fn new(guarantee: &'a Guarantee) -> Self {
        let Guarantee { model, parameters, holds } = guarantee;
        let card = privacy::find(model).map(|member| &member.card);
        let summary = card.map_or_else(String::new, |card| in_words::with_numbers(card.summary, parameters));
        Self { model, parameters, holds: *holds, summary, about: card.map_or("", |card| card.about) }
    }
}

impl<'a> ReleasedColumn<'a> {
    fn new(column: &'a ColumnMask) -> Self {
        let change = column.change.map(|change| Changed { change, words: in_words::change(change) });
        Self { name: &column.name, role: column.role, recoded: column.recoding.as_ref().map(Recoded::new), change }
    }
}

impl<'a> NewValueFindings<'a> {
    fn new(found: &'a NewValuesFound) -> Self {
        let bare = |figure: &Figure| Figure { original: None, released: None, ..figure.clone() };
        let bare = |one: &UtilityFound| UtilityFound { figures: one.figures.iter().map(bare).collect(), ..one.clone() };
        let NewValuesFound { columns, parameters, guarantee, linkage, utility, facts: _ } = found;
        Self { columns, parameters, guarantee, linkage, utility: utility.iter().map(bare).collect() }
    }
}

impl<'a> Recoded<'a> {
    fn new(recoding: &'a Recoding) -> Self {
        let Recoding { level, levels, rule, .. } = recoding;
        Self { level: *level, levels: *levels, labels: Labels { rule, words: in_words::rule(rule) } }
    }
}
