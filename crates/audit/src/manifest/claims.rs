//! The types of what is claimed. What a claim must not be is said by the checks, not here.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::parameters::Parameters;

/// What a manifest of format 1 claims.
#[derive(Deserialize)]
pub(crate) struct Claims {
    pub program: String,
    pub data: Data,
    pub reports: Vec<ReportFile>,
    pub records: RecordCounts,
    /// Kept as written: `0.29` of 100 is 29, and only its digits say so.
    pub suppression_limit: Box<RawValue>,
    /// What the limit is a share of: `records`, or `persons`.
    pub limit_unit: Option<String>,
    pub columns: Vec<Column>,
    pub classes: ClassSizes,
    pub privacy: Vec<PrivacyClaim>,
    /// The column of the original whose values are people, where people are counted. It is not released.
    pub person: Option<String>,
    /// `none` where no privacy model is claimed: a release that promises nothing says so.
    pub guarantee: Option<String>,
    pub neutralised_cells: u64,
    pub method: String,
    /// What a policy told a method that makes new values.
    #[serde(default)]
    pub parameters: Parameters,
    pub search: Option<String>,
    pub optimal: Option<bool>,
    pub by_preferences: Option<bool>,
    pub loss: Option<Loss>,
    /// The owner's own words.
    #[serde(default)]
    pub about: About,
}

#[derive(Deserialize)]
pub(crate) struct Data {
    pub file: String,
    pub format: String,
    pub sha256: String,
    pub bytes: u64,
    pub order: String,
    /// What separates cells, where that is no comma.
    pub delimiter: Option<String>,
    /// How text is encoded, where that is not UTF-8.
    pub encoding: Option<String>,
    /// The decimal sign, where that is no point.
    pub decimal: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct ReportFile {
    pub file: String,
    pub sha256: String,
}

#[derive(Deserialize)]
pub(crate) struct RecordCounts {
    /// Not told where the records were drawn at random.
    pub original: Option<u64>,
    pub released: u64,
    pub suppressed: Option<u64>,
}

#[derive(Deserialize)]
pub(crate) struct Column {
    pub name: String,
    pub role: String,
    pub level: Option<u64>,
    pub levels: Option<u64>,
    pub labels: Option<LabelClaim>,
    /// Its type in Parquet, where that is not text.
    #[serde(rename = "type")]
    pub kept_type: Option<String>,
    /// Whether its numbers have the decimal sign of the file.
    #[serde(default)]
    pub number: bool,
    pub new_values: Option<NewValues>,
    /// What happened to its cells before anything else.
    #[serde(default)]
    pub treatments: Vec<TreatmentClaim>,
}

/// A treatment; its name says which parameters it takes.
#[derive(Deserialize, PartialEq)]
pub(crate) struct TreatmentClaim {
    #[serde(rename = "treatment")]
    pub name: String,
    #[serde(flatten)]
    pub parameters: Parameters,
}

/// A column whose values a method replaced.
#[derive(Deserialize)]
pub(crate) struct NewValues {
    /// Whether a privacy model is said to cover it; none can.
    pub covered: bool,
    /// The format, where they are dates.
    pub dates: Option<String>,
    /// The list, where they are words.
    pub words: Option<Vec<String>>,
}

#[derive(Deserialize)]
pub(crate) struct LabelClaim {
    pub rule: String,
    pub values: Option<Vec<String>>,
    /// Whether values that the ladder does not know are at the top.
    #[serde(default)]
    pub or_top: bool,
    #[serde(flatten)]
    pub parameters: Parameters,
}

#[derive(Deserialize)]
pub(crate) struct ClassSizes {
    pub count: u64,
    pub min: u64,
    pub max: u64,
}

/// A privacy claim; its model says which parameters it takes.
#[derive(Deserialize)]
pub(crate) struct PrivacyClaim {
    pub model: String,
    /// What is counted: `records` or `people`.
    pub unit: Option<String>,
    /// What shows that it holds: `release`, `original` or `population`.
    pub checked: Option<String>,
    #[serde(flatten)]
    pub parameters: Parameters,
}

impl PrivacyClaim {
    /// Whether it is the same promise, whatever shows that it is kept: a mask alone says where the population lies.
    pub fn is_same(&self, other: &Self) -> bool {
        self.model == other.model && self.parameters.without("population") == other.parameters.without("population")
    }
}

impl Claims {
    /// Whether the suppression limit is a share of people.
    pub fn limits_people(&self) -> bool {
        self.limit_unit.as_deref() == Some("persons")
    }
}

impl LabelClaim {
    /// Whether it is the same rule with the same parameters.
    pub fn is_same(&self, other: &Self) -> bool {
        self.rule == other.rule && self.parameters == other.parameters
    }
}

impl Column {
    /// Whether it is recoded, so that its labels make up classes. A column with new values is in no class's key.
    pub fn is_recoded(&self) -> bool {
        self.is_quasi() && self.new_values.is_none()
    }

    /// Whether its level is the last, which has one label for all.
    pub fn is_at_top(&self) -> bool {
        self.level.zip(self.levels).is_some_and(|(level, levels)| level.checked_add(1) == Some(levels))
    }

    /// Whether values that its ladder does not know are at the top.
    pub fn or_top(&self) -> bool {
        self.labels.as_ref().is_some_and(|labels| labels.or_top)
    }

    /// The name of the rule of its labels.
    pub fn label_rule(&self) -> Option<&str> {
        self.labels.as_ref().map(|labels| labels.rule.as_str())
    }

    /// Whether its cells are as they were collected, or treated.
    pub fn is_unrecoded(&self) -> bool {
        matches!(self.role.as_str(), "sensitive" | "insensitive")
    }

    pub fn is_quasi(&self) -> bool {
        self.role == "quasi-identifying"
    }
}

/// A loss; its name says which parameters it takes.
#[derive(Deserialize)]
pub(crate) struct Loss {
    pub name: String,
    #[serde(flatten)]
    pub parameters: Parameters,
}

/// What the owner says of the release. Nothing of it is judged but that it is text, and that its day is one.
#[derive(Default, Deserialize)]
pub(crate) struct About {
    #[serde(rename = "title")]
    _title: Option<String>,
    #[serde(rename = "purpose")]
    _purpose: Option<String>,
    #[serde(rename = "recipient")]
    _recipient: Option<String>,
    pub date: Option<String>,
    #[serde(rename = "version")]
    _version: Option<String>,
}
