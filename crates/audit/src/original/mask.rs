//! The stored mask: `private/mask.json`, read as strictly as the manifest.
//!
//! The public rules say how numbers, codes and dates became labels. The labels of a list are the owner's: the mask has
//! them, in the ladder of the column ([`rungs`](super::rungs)) and, where they came later, in its recoding. It must be the mask of this release, with the same columns, roles, levels and rules, and it says what was promised:
//! a manifest that claims less than that is another one.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::ladder::{Ladder, ValueMeaning};
use super::rungs::Rungs;
use crate::AuditError;
use crate::manifest::{Claims, Column, Data, LabelClaim, PrivacyClaim, TreatmentClaim};

/// Lists of labels can be long; beyond this it is no mask.
const SIZE_LIMIT: u64 = 1 << 30;

/// The mask of a release.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredMask {
    format: u64,
    #[serde(rename = "program")]
    _program: IgnoredAny,
    #[serde(rename = "data")]
    _data: IgnoredAny,
    output: Output,
    method: String,
    privacy: Vec<PrivacyClaim>,
    person: Option<String>,
    suppression_limit: Box<RawValue>,
    limit_unit: Option<String>,
    #[serde(default)]
    meanings: Vec<StoredMeaning>,
    #[serde(rename = "new_values", default)]
    _new_values: IgnoredAny,
    #[serde(rename = "left_out", default)]
    _left_out: IgnoredAny,
    // What `apply` needs to climb and to refuse; nothing here is claimed by it.
    #[serde(rename = "presets", default)]
    _presets: IgnoredAny,
    #[serde(rename = "fitted_to", default)]
    _fitted_to: IgnoredAny,
    ladders: Option<Box<RawValue>>,
    #[serde(rename = "population", default)]
    _population: IgnoredAny,
    key_fingerprint: Option<String>,
    // What the owner says of the release; the manifest repeats what is public of it.
    #[serde(rename = "notes", default)]
    _notes: IgnoredAny,
    mask: Mask,
}

/// What models must know of the values of a sensitive variable.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredMeaning {
    variable: String,
    /// All values in order.
    order: Option<Vec<String>>,
    /// A hierarchy file.
    ladder: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Output {
    format: String,
    order: String,
    delimiter: Option<String>,
    encoding: Option<String>,
    decimal: Option<String>,
    #[serde(rename = "types", default)]
    _types: IgnoredAny,
}

impl Output {
    /// Whether a release was written so. What was not asked follows the input, and what is usual is not claimed.
    fn is_of(&self, data: &Data) -> bool {
        let said = |asked: &Option<String>, claimed: &Option<String>, usual: &str| {
            asked.as_ref().is_none_or(|asked| asked == claimed.as_deref().unwrap_or(usual))
        };
        (&self.format, &self.order) == (&data.format, &data.order)
            && said(&self.delimiter, &data.delimiter, ",")
            && said(&self.encoding, &data.encoding, "utf-8")
            && said(&self.decimal, &data.decimal, ".")
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mask {
    columns: Vec<MaskColumn>,
    #[serde(rename = "suppressed")]
    _suppressed: IgnoredAny,
}

/// What the mask does to a column.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MaskColumn {
    name: String,
    role: String,
    /// Whether its values are numbers, written in one way only.
    #[serde(default)]
    pub number: bool,
    recoding: Option<Recoding>,
    change: Option<Change>,
    #[serde(default)]
    treatments: Vec<TreatmentClaim>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recoding {
    level: u64,
    levels: u64,
    rule: LabelClaim,
    #[serde(default)]
    labels: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    kind: String,
}

impl StoredMask {
    pub fn read(path: &Path) -> Result<Self, AuditError> {
        let file = File::open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => refused("it was not found"),
            kind => AuditError::Io { what: "the mask", kind },
        })?;
        let mut bytes = Vec::new();
        file.take(SIZE_LIMIT + 1).read_to_end(&mut bytes).map_err(AuditError::io("the mask"))?;
        if bytes.len() as u64 > SIZE_LIMIT {
            return Err(refused("it is too large to be one"));
        }
        Self::parse(&bytes)
    }

    /// The mask that a file holds.
    pub fn parse(bytes: &[u8]) -> Result<Self, AuditError> {
        let stored: Self = serde_json::from_slice(bytes).map_err(|_| refused("it is not a stored mask"))?;
        match stored.format {
            // Its recodings list all labels.
            1 | 2 => Ok(stored),
            3 => stored.with_ladders().ok_or_else(|| refused("its ladders and recodings do not fit together")),
            _ => Err(refused("its format is not known to this audit")),
        }
    }

    /// Adds what the ladders list to the recodings; nothing where they contradict each other.
    fn with_ladders(mut self) -> Option<Self> {
        for ladder in &self.rungs()? {
            let column = self.mask.columns.iter_mut().find(|column| column.name == ladder.variable)?;
            let recoding = column.recoding.as_mut()?;
            for (value, label) in ladder.labels(recoding.level)? {
                let known = recoding.labels.entry(value.to_owned()).or_insert_with(|| label.to_owned());
                if known != label {
                    return None;
                }
            }
        }
        Some(self)
    }

    fn rungs(&self) -> Option<Vec<Rungs>> {
        self.ladders.as_ref().map_or(Some(Vec::new()), |text| serde_json::from_str(text.get()).ok())
    }

    /// The labels of the values of a column that a list joins at a level; nothing where the mask does not have them.
    pub fn labels(&self, column: &str, level: u64) -> Option<HashMap<String, String>> {
        let own = self.column(column)?.recoding.as_ref()?;
        if own.level == level {
            return Some(own.labels.clone().into_iter().collect());
        }
        let ladder = self.rungs()?.into_iter().find(|ladder| ladder.variable == column)?;
        let labels = ladder.labels(level)?;
        Some(labels.into_iter().map(|(value, label)| (value.to_owned(), label.to_owned())).collect())
    }

    /// Whether it does what the release claims, column by column, and promised as much.
    pub fn is_of(&self, claims: &Claims) -> bool {
        let released = || self.mask.columns.iter().filter(|column| column.role != "identifying");
        let same = released().zip(&claims.columns).all(|(masked, claimed)| masked.is_of(claimed));
        same && released().count() == claims.columns.len() && self.promises(claims)
    }

    fn promises(&self, claims: &Claims) -> bool {
        let is_same = self.privacy.len() == claims.privacy.len()
            && self.privacy.iter().zip(&claims.privacy).all(|(one, other)| one.is_same(other));
        is_same
            && self.suppression_limit.get() == claims.suppression_limit.get()
            && (&self.person, &self.limit_unit) == (&claims.person, &claims.limit_unit)
            && self.output.is_of(&claims.data)
            && self.method == claims.method
    }

    /// What tells its key from others.
    pub fn key_fingerprint(&self) -> Option<&str> {
        self.key_fingerprint.as_deref()
    }

    /// What it says of the values of sensitive variables.
    pub fn known(&self) -> Vec<ValueMeaning> {
        let known = |column: &MaskColumn| {
            let meaning = self.meanings.iter().find(|meaning| meaning.variable == column.name);
            ValueMeaning {
                name: column.name.clone(),
                order: meaning.and_then(|meaning| meaning.order.clone()),
                ladder: meaning.and_then(|meaning| Ladder::from_file(meaning.ladder.as_deref()?)),
            }
        };
        self.mask.columns.iter().filter(|column| column.role == "sensitive").map(known).collect()
    }

    pub fn column(&self, name: &str) -> Option<&MaskColumn> {
        self.mask.columns.iter().find(|column| column.name == name)
    }
}

impl MaskColumn {
    /// The labels of the values that it lists.
    pub fn labels(&self) -> Option<&BTreeMap<String, String>> {
        self.recoding.as_ref().map(|recoding| &recoding.labels)
    }

    fn is_of(&self, claimed: &Column) -> bool {
        let change = match (&claimed.new_values, claimed.label_rule()) {
            (Some(_), _) => Some("new-value"),
            (None, Some(local @ ("range" | "any-level"))) => Some(local),
            _ => None,
        };
        let levels = |recoding: &Recoding| (Some(recoding.level), Some(recoding.levels));
        let is_recoded = match (&self.recoding, &claimed.labels) {
            (Some(recoding), Some(labels)) => {
                levels(recoding) == (claimed.level, claimed.levels) && recoding.rule.is_same(labels)
            }
            (recoding, labels) => recoding.is_none() && (labels.is_none() || change.is_some()),
        };
        let same = self.name == claimed.name && self.role == claimed.role && self.treatments == claimed.treatments;
        same && is_recoded && self.change.as_ref().map(|change| change.kind.as_str()) == change
    }
}

fn refused(what: &str) -> AuditError {
    AuditError::Mask { what: what.to_owned() }
}
