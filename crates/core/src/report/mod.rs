//! What was found, as data; nothing here renders.
//!
//! The same findings feed the program's `--json`, the report for the data owner and the one that goes with the release.

mod worth;

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::balance::Goods;
use crate::card::Parameters;
use crate::checklist::Checklist;
use crate::method::values::ChangeFact;
use crate::risk::linkage::Linkage;
use crate::risk::{self, ClassTotals, Risk};
use crate::utility::Figure;
use crate::utility::bars::ColumnFrequencies;
pub use worth::{FinerColumn, NearRelease, OtherRelease, Regain, Surroundings, Worth};

/// What a release is and what it cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Records of the table.
    pub records: u64,
    /// People of the table, where a person is named. Classes and risk count people then: a person whose records lie in
    /// several classes counts in each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Records released.
    pub released: u64,
    /// Records withheld.
    pub suppressed: u64,
    /// People of whom a record is withheld, where a person is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons_suppressed: Option<u64>,
    /// The method.
    pub method: String,
    /// The level of each quasi-identifier.
    pub node: NamedLevels,
    /// How the node was chosen; absent when it came with a stored mask.
    #[serde(flatten)]
    pub choice: Option<NodeChoice>,
    /// What local recoding did; absent where each variable stands at one level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<LocalFindings>,
    /// What new values are worth and what they risk; absent where no column has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_values: Option<NewValuesReport>,
    /// The released classes.
    pub classes: ClassTotals,
    /// The risk of the release. Where columns have new values no bound is proven, and it counts as certain.
    pub risk: Risk,
    /// The released classes and their risk by records: what whoever holds the release can count.
    #[serde(skip)]
    pub by_records: ClassFindings,
    /// The privacy models, which hold.
    pub privacy: Vec<Guarantee>,
    /// The population that a model looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationFindings>,
    /// `none` where there is no model: a release that promises nothing says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guarantee: Option<&'static str>,
    /// Cells that were guarded against being taken for formulas by a spreadsheet.
    pub neutralised_cells: u64,
    /// The table before the release; for the owner's eyes.
    pub original: Option<ClassFindings>,
    /// What became of the values of the counted columns; holds values, for the owner's report alone.
    #[serde(skip)]
    pub frequencies: Vec<ColumnFrequencies>,
    /// The pairs of quasi-identifiers whose association changed most; for the owner's report alone.
    #[serde(skip)]
    pub pairs: Vec<Figure>,
    /// What pictures are made from; for the reports alone.
    #[serde(skip)]
    pub pictured: PictureCounts,
    /// What the release is worth, and what would buy detail back; absent where no column has a level everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<Worth>,
    /// What the owner should look at before handing it over.
    #[serde(flatten)]
    pub checklist: Checklist,
}

/// Counts that pictures are made from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PictureCounts {
    /// What whoever holds the release can count.
    pub told: PublicCounts,
    /// The sizes of the released classes in people, where a person is named; as [`PublicCounts::sizes`] otherwise.
    pub people: SizeHistogram,
    /// The sizes of the classes of the original; for the owner's eyes.
    pub original: SizeHistogram,
    /// The share of its bits that each column keeps, where they were counted; for the owner's eyes.
    pub kept: Vec<(String, f64)>,
}

/// What whoever holds a release can count.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PublicCounts {
    /// The sizes of the classes in records.
    pub sizes: SizeHistogram,
    /// The recoded columns, in the order of the data.
    pub labels: Vec<LabelCounts>,
}

/// Sizes of classes in their order, and how many classes have each.
pub type SizeHistogram = Vec<(u64, u64)>;

/// How many records have each label of a column; which label it is is not told.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelCounts {
    /// The column.
    pub column: String,
    /// The counts, the largest first.
    pub counts: Vec<u64>,
}

impl LabelCounts {
    /// The counts in their order.
    #[must_use]
    pub fn new(column: impl Into<String>, counts: impl IntoIterator<Item = u64>) -> Self {
        let mut counts: Vec<u64> = counts.into_iter().filter(|count| *count > 0).collect();
        counts.sort_unstable_by(|one, other| other.cmp(one));
        Self { column: column.into(), counts }
    }
}

/// The classes of a table and their risk.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClassFindings {
    /// Its classes.
    pub classes: ClassTotals,
    /// Its risk.
    pub risk: Risk,
}

impl ClassFindings {
    /// Measures classes of these sizes.
    #[must_use]
    pub fn from_sizes(sizes: &[u64]) -> Self {
        Self { classes: risk::classes(sizes), risk: risk::prosecutor(sizes) }
    }
}

/// How a node was chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeChoice {
    /// The search.
    pub search: String,
    /// How many nodes there were to choose from.
    pub lattice: u128,
    /// How many had their classes counted.
    pub evaluated: u64,
    /// How many more were met and decided from the counts of others.
    pub tagged: u64,
    /// The place among the safe nodes, where the owner chose one by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// Whether no safe node is better.
    pub optimal: bool,
    /// How much of the loss might be avoidable, as a share: 0 where the node is optimal. There is none where a search by
    /// preferences was stopped: scores of a balance are compared, and their ratios mean nothing.
    pub gap: Option<f64>,
    /// The loss.
    pub loss: LossFindings,
    /// The best safe node, where the search was after one whose choice tells nothing: its price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<MinimalNode>,
    /// The k-minimal nodes; empty where the search does not look for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub minimal: Vec<MinimalNode>,
    /// Whether the owner's reports list them.
    #[serde(skip)]
    pub lists_minimal: bool,
    /// The balance that was sought; absent where the search minimises the loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<BalanceFindings>,
}

/// A safe node that is the best, or has no safe node below it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MinimalNode {
    /// Its levels.
    pub node: NamedLevels,
    /// The records that it withholds.
    pub suppressed: u64,
    /// What it loses.
    pub loss: f64,
}

impl Report {
    /// The word for a release that promises nothing, given what it promises.
    #[must_use]
    pub fn no_guarantee(privacy: &[Guarantee]) -> Option<&'static str> {
        privacy.is_empty().then_some("none")
    }
}

/// The balance of utility and privacy that a release has, and what a guarantee cost it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BalanceFindings {
    /// Which optimum was sought.
    pub target: String,
    /// How its distance is measured.
    pub distance: String,
    /// How suppressed records count: `free`, `charged` or `chosen`.
    pub suppression: &'static str,
    /// Records that were left out because that suits the preferences better; absent where that is no choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u64>,
    /// The satisfaction that the release gives.
    pub satisfaction: f64,
    /// How far it is from the optimum.
    pub off_optimum: f64,
    /// What the release gives, over all variables.
    pub total: GoodsAmounts,
    /// What the optimum would give, over all variables.
    pub optimum: GoodsAmounts,
    /// The quasi-identifiers, in the order of the data.
    pub variables: Vec<VariableBalance>,
    /// What each ration costs at the optimum.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rations: Vec<RationFindings>,
    /// What the preferences would have chosen without guarantees; none where no levels meet the rations unless records are
    /// withheld.
    pub unconstrained: Option<FreeChoice>,
}

/// What preferences choose where nothing has to be guaranteed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FreeChoice {
    /// The level of each quasi-identifier.
    pub node: NamedLevels,
    /// The satisfaction.
    pub satisfaction: f64,
    /// How far it is from the optimum.
    pub off_optimum: f64,
    /// What it would give, over all variables.
    pub total: GoodsAmounts,
}

/// Amounts of both goods: entropy times points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GoodsAmounts {
    /// What a user learns.
    pub utility: f64,
    /// What an intruder does not.
    pub protection: f64,
}

impl From<Goods> for GoodsAmounts {
    fn from(goods: Goods) -> Self {
        Self { utility: goods.utility, protection: goods.protection }
    }
}

/// A quasi-identifier in a balance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariableBalance {
    /// Its name.
    pub name: String,
    /// What it gives in the release.
    #[serde(flatten)]
    pub goods: GoodsAmounts,
    /// The optimum.
    pub optimum: GoodsAmounts,
    /// What each of its levels gives where nothing is suppressed.
    pub levels: Vec<GoodsAmounts>,
}

/// A ration, and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RationFindings {
    /// The variable; absent where all variables together are rationed.
    pub variable: Option<String>,
    /// The key of the policy: `min_utility` and the like.
    pub bound: String,
    /// The amount.
    pub amount: f64,
    /// The satisfaction that the optimum would give without it.
    pub satisfaction_without: f64,
    /// Its shadow price: the share of the satisfaction that is gained when it is loosened by one unit. Absent where the
    /// satisfaction vanishes.
    pub price: Option<f64>,
}

/// What local recoding did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LocalFindings {
    /// The method's parameters.
    pub parameters: Parameters,
    /// For each quasi-identifier how much of its detail is lost, 0 to 1.
    pub lost: Vec<DetailLoss>,
}

/// How much of a variable's detail is lost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DetailLoss {
    /// The variable.
    pub variable: String,
    /// The mean share of its values, or of its range, that a label covers.
    pub share: f64,
}

/// What new values are worth and what they risk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NewValuesReport {
    /// The columns.
    pub columns: Vec<String>,
    /// How the new values of each are written.
    #[serde(skip)]
    pub writings: Vec<NewWriting>,
    /// The method's parameters.
    pub parameters: Parameters,
    /// What no reader may miss.
    pub guarantee: &'static str,
    /// What somebody who knows the original finds again.
    pub linkage: Linkage,
    /// What the columns are still good for.
    pub utility: Vec<UtilityFindings>,
    /// What is known about the change.
    pub facts: Vec<ChangeFact>,
}

/// How new values are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewWriting {
    /// As decimal numbers.
    Numbers,
    /// As dates in this format.
    Dates(&'static str),
    /// As words: those that occur, sorted.
    Words(Vec<String>),
}

/// What a utility metric found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UtilityFindings {
    /// The metric.
    pub metric: &'static str,
    /// What it measures.
    pub summary: &'static str,
    /// Its numbers.
    pub figures: Vec<Figure>,
}

/// Levels by name, in the order of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedLevels(pub Vec<(String, u8)>);

impl Serialize for NamedLevels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, level) in &self.0 {
            map.serialize_entry(name, level)?;
        }
        map.end()
    }
}

/// What the release lost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LossFindings {
    /// The loss's name.
    pub name: String,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: Parameters,
    /// Its value.
    pub value: f64,
    /// Its share of what the fully generalised table loses.
    pub share: f64,
}

/// A privacy model that the release satisfies.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Guarantee {
    /// The model.
    pub model: String,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: Parameters,
    /// Whether it was found to hold.
    pub holds: bool,
    /// What it counts, where that is not records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// What shows it to whoever checks.
    pub checked: CheckBasis,
}

/// What a check of a privacy model needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckBasis {
    /// The bytes of the release.
    #[default]
    Release,
    /// The table before the release, which its owner has.
    Original,
    /// The population that the table was taken from.
    Population,
}

/// The population that a table was compared with; for the owner's eyes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopulationFindings {
    /// Its records.
    pub records: u64,
    /// Its people, where it tells them apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Its distinct keys.
    pub keys: u64,
    /// The hash of its keys with their counts, in order: the same whatever the format and the order of records.
    pub sha256: String,
}
