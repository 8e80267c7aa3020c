//! The mask as a file: what `apply` needs to do the same to other data.
//!
//! Beside the mask itself it holds how the table was read, what was guaranteed and how the release was written, so that
//! the guarantees can be proved again; and the [ladders](StoredLadder), so that `apply` can look for levels that are safe on
//! other data. What a ladder lists is not told again by the recoding of its column, which lists only what came later. It holds
//! values and stays with the owner.
//!
//! Layout 1 has no ladders. Layouts 2 and 3 differ in how they tell them; in layout 2 recodings repeat them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use equanym_core::card::{Kind, Parameters, Value};
use equanym_core::mask::{ColumnMask, Mask, Recoding};
use equanym_core::privacy::{self, ModelNeeds};
use equanym_core::report::PopulationFindings;
use equanym_core::variable::Role;
use equanym_core::walk::OrderedWords;
use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use super::ladder::StoredLadder;
use super::layout;
use crate::error::{Error, Result};
use crate::policy::{LimitUnit, Output, Policy, PrivacyPolicy, ReleaseNotes, UnknownValues};
use crate::read::Reading;

/// The layout of the file.
const FORMAT: u32 = 3;

/// The layouts that are read.
const KNOWN: std::ops::RangeInclusive<u32> = 1..=FORMAT;

/// A mask with what is needed to apply it again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredMask {
    /// The layout of the file.
    pub format: u32,
    /// What wrote it.
    pub program: String,
    /// How the table was read.
    pub data: Reading,
    /// The column that tells people apart, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// How the release was written.
    pub output: Output,
    /// The method that fitted the mask.
    pub method: String,
    /// What was guaranteed.
    pub privacy: Vec<Promise>,
    /// The presets that its columns keep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presets: Vec<String>,
    /// What models must know of sensitive variables besides their counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meanings: Vec<StoredMeaning>,
    /// The share of records, or of people, that may be withheld.
    pub suppression_limit: f64,
    /// What it is a share of.
    #[serde(default, skip_serializing_if = "LimitUnit::is_usual")]
    pub limit_unit: LimitUnit,
    /// What happens to unknown values: those that the mask has no label for.
    #[serde(default, rename = "new_values")]
    pub unknown_values: UnknownValues,
    /// Whether records were left out by choice, which no model asks for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
    /// How many records it was fitted to; a mask of an older layout does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fitted_to: Option<u64>,
    /// The population that a model looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationFindings>,
    /// The ladders of the recoded columns; a mask of an older layout has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ladders: Vec<StoredLadder>,
    /// Tells the key of pseudonyms and moved dates from others, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_fingerprint: Option<String>,
    /// What the release is for, in the words of its owner.
    #[serde(default, skip_serializing_if = "ReleaseNotes::is_empty")]
    pub notes: ReleaseNotes,
    /// The file of the key, if one is named; it is not stored.
    #[serde(skip)]
    pub key: Option<PathBuf>,
    /// The mask. In the file it goes without the labels that a ladder lists.
    #[serde(skip_serializing)]
    pub mask: Mask,
}

/// A stored mask as it is written.
#[derive(Serialize)]
struct WrittenMaskFile<'a> {
    #[serde(flatten)]
    stored: &'a StoredMask,
    mask: WrittenMask<'a>,
}

#[derive(Serialize)]
struct WrittenMask<'a> {
    columns: Vec<ColumnMask>,
    suppressed: &'a BTreeSet<Vec<String>>,
}

/// What models must know of a sensitive variable besides its counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredMeaning {
    /// The variable.
    pub variable: String,
    /// The order of its values, where they are no numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderedWords>,
    /// Its ladder, in the layout of a hierarchy file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<String>,
}

/// A privacy model with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Promise {
    /// The model.
    pub model: String,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: Parameters,
}

impl Promise {
    /// What a policy asks for.
    #[must_use]
    pub fn all_in(policy: &Policy) -> Vec<Self> {
        let promise = |model: &PrivacyPolicy| Self { model: model.model.clone(), parameters: model.parameters.clone() };
        policy.privacy.iter().map(promise).map(Self::without_address).collect()
    }

    /// The names of parameters that say where a table lies.
    fn tables(&self) -> impl Iterator<Item = &'static str> + use<> {
        let card = privacy::find(&self.model).map(|member| &member.card);
        let parameters = card.into_iter().flat_map(|card| card.parameters);
        parameters.filter(|one| matches!(one.kind.given(), Kind::Table)).map(|one| one.name)
    }

    /// An address may hold a password: what is stored and shown does not say where a server's table lies.
    fn without_address(mut self) -> Self {
        for name in self.tables() {
            if let Some(Value::Text(text)) = self.parameters.get_mut(name)
                && let Some((scheme, _)) = text.split_once("://")
            {
                *text = format!("{scheme}://…");
            }
        }
        self
    }

    /// The parameters that may be public: where a table lies is the owner's.
    #[must_use]
    pub(crate) fn public(mut self) -> Parameters {
        for name in self.tables() {
            self.parameters.remove(name);
        }
        self.parameters
    }
}

impl StoredMask {
    /// A mask to store, fitted as a policy asks.
    #[must_use]
    pub fn new(policy: &Policy, mask: Mask) -> Self {
        Self {
            format: FORMAT,
            program: format!("equanym {}", env!("CARGO_PKG_VERSION")),
            data: policy.data.clone(),
            person: policy.person.clone(),
            output: policy.output,
            method: policy.method.name.clone(),
            privacy: Promise::all_in(policy),
            presets: policy.presets.iter().map(|named| named.preset.card.name.to_owned()).collect(),
            meanings: Vec::new(),
            suppression_limit: policy.method.suppression_limit,
            limit_unit: policy.method.limit_unit,
            unknown_values: policy.method.unknown_values,
            left_out: false,
            fitted_to: None,
            population: None,
            ladders: Vec::new(),
            key_fingerprint: None,
            notes: policy.notes.clone(),
            key: policy.key.clone(),
            mask,
        }
    }

    /// Reads a stored mask.
    pub fn from_json(text: &str) -> Result<Self> {
        let mut stored: Self = serde_json::from_str(text).map_err(|error| {
            Error::input(format!("this is not a stored mask (line {}, column {})", error.line(), error.column()))
                .hint("give the `private/mask.json` of a release")
        })?;
        if !KNOWN.contains(&stored.format) {
            let message = format!("the stored mask has layout {}, this program knows 1 to {FORMAT}", stored.format);
            return Err(Error::input(message));
        }
        if !(0.0..=1.0).contains(&stored.suppression_limit) {
            return Err(Error::input("the suppression limit of the stored mask is not a share between 0 and 1"));
        }
        let is_hidden = |name: &String| {
            let is_hidden = |column: &ColumnMask| matches!(column.role, Role::Identifying | Role::Pseudonym);
            stored.mask.columns.iter().any(|column| column.name == *name && is_hidden(column))
        };
        if stored.person.as_ref().is_some_and(|name| !is_hidden(name)) {
            return Err(Error::input(
                "the stored mask releases the column that tells people apart, or does not know it",
            ));
        }
        stored.take_labels().ok_or_else(|| {
            Error::input("the ladders of the stored mask contradict themselves, or its recodings")
                .hint("run `equanym release` with the same policy")
        })?;
        // It is written as such.
        stored.format = FORMAT;
        Ok(stored)
    }

    /// Gives the recodings the labels that their ladders list; nothing where those do not fit.
    fn take_labels(&mut self) -> Option<()> {
        let Self { ladders, mask, .. } = self;
        for ladder in ladders.iter() {
            let column = mask.columns.iter_mut().find(|column| column.name == ladder.variable)?;
            let recoding = column.recoding.as_mut()?;
            let Recoding { labels: mut listed, rule, levels, .. } = ladder.recoding(recoding.level)?;
            let agrees = |(value, label): (&String, &String)| listed.get(value).is_none_or(|known| known == label);
            if !ladder.is_sound()
                || (&rule, levels) != (&recoding.rule, recoding.levels)
                || !recoding.labels.iter().all(agrees)
            {
                return None;
            }
            listed.append(&mut recoding.labels);
            recoding.labels = listed;
        }
        Some(())
    }

    /// What a recoding lists beyond the ladder of its column.
    fn beyond_ladder(&self, name: &str, recoding: &Recoding) -> BTreeMap<String, String> {
        let Some(ladder) = self.ladders.iter().find(|ladder| ladder.variable == name) else {
            return recoding.labels.clone();
        };
        if ladder.values(recoding.level) == recoding.labels.len() {
            return BTreeMap::new();
        }
        let listed: HashSet<&str> = ladder.labels(recoding.level).into_iter().map(|(value, _)| value).collect();
        let labels = recoding.labels.iter().filter(|(value, _)| !listed.contains(value.as_str()));
        labels.map(|(value, label)| (value.clone(), label.clone())).collect()
    }

    /// A column as it is written.
    fn written(&self, column: &ColumnMask) -> ColumnMask {
        let ColumnMask { name, role, number, recoding, change, treatments } = column;
        let written = |recoding: &Recoding| Recoding {
            labels: self.beyond_ladder(name, recoding),
            rule: recoding.rule.clone(),
            ..*recoding
        };
        ColumnMask {
            name: name.clone(),
            role: *role,
            number: *number,
            recoding: recoding.as_ref().map(written),
            change: *change,
            treatments: treatments.clone(),
        }
    }

    /// What the promised models look at that guard a variable.
    pub(crate) fn needs(&self, variable: &str) -> Vec<ModelNeeds> {
        let guards = |one: &&Promise| {
            one.parameters.values().any(|value| matches!(value, Value::Text(name) if name == variable))
        };
        let needs = |one: &Promise| Some((privacy::find(&one.model)?.needs)(&one.parameters));
        self.privacy.iter().filter(guards).filter_map(needs).collect()
    }

    /// The mask as text.
    pub(crate) fn to_json(&self) -> Result<String> {
        let columns = self.mask.columns.iter().map(|column| self.written(column)).collect();
        let mask = WrittenMask { columns, suppressed: &self.mask.suppressed };
        layout::json(&WrittenMaskFile { stored: self, mask })
    }
}
