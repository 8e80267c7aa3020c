//! A point of the map: a policy, and what its release would be.

use equanym_core::risk::linkage::{LinkedBy, WorstLinkage};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::axes::{Axes, MapPlace};
use super::{Outcome, PointFinding, Prospect, Refusal};
use crate::policy::PolicySetting;

/// A point of the map.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// How its policy differs from the given one; the method comes first.
    pub settings: Vec<PolicySetting>,
    /// What its release would be.
    pub outcome: Outcome,
    /// Where it is plotted; nowhere if there is no safe release, or it has no such loss.
    pub plotted: Option<MapPlace>,
    /// Why a safe release is not plotted.
    pub why_unplotted: Option<&'static str>,
    /// Whether another point is worse in neither risk nor loss and better in one; what is not plotted is.
    pub dominated: bool,
}

impl Point {
    pub(super) fn new(settings: Vec<PolicySetting>, found: PointFinding, axes: Axes) -> Self {
        let (plotted, why_unplotted) = axes.place(&found);
        Self { settings, outcome: found.outcome, plotted, why_unplotted, dominated: true }
    }

    pub(super) fn costs(&self) -> Option<(f64, f64)> {
        self.plotted.map(|place| (place.risk, place.loss))
    }

    /// The method.
    #[must_use]
    pub fn method(&self) -> &str {
        let name = |setting: &'_ PolicySetting| matches!(setting, PolicySetting::Method(_));
        match self.settings.iter().find(|setting| name(setting)) {
            Some(PolicySetting::Method(name)) => name,
            _ => "",
        }
    }

    /// How its records are found again, in words, and that nothing is guaranteed where nothing is; nothing where classes tell both.
    #[must_use]
    pub fn linked(&self) -> Option<String> {
        let Outcome::Safe(release) = &self.outcome else { return None };
        let WorstLinkage { by, of, .. } = &release.linkage;
        let of = of.as_ref().map_or_else(String::new, |of| format!(" of {}", of.escape_debug()));
        let guarantee = if release.guaranteed { "" } else { ", no guarantee" };
        (*by != LinkedBy::Class || !release.guaranteed).then(|| format!("{}{of}{guarantee}", by.in_words()))
    }

    /// Its parameters with their values, in words: `k 5, suppression_limit 0.01`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let others = self.settings.iter().filter(|setting| !matches!(setting, PolicySetting::Method(_)));
        let words = others.map(|setting| format!("{} {}", setting.name(), in_words(setting)));
        words.collect::<Vec<_>>().join(", ").escape_debug().to_string()
    }
}

/// The value of a setting as text.
pub(super) fn in_words(setting: &PolicySetting) -> String {
    use equanym_core::card::Value;
    match setting.value() {
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text,
        Value::Bool(flag) => flag.to_string(),
    }
}

impl Serialize for Point {
    /// Settings stand beside the rest, by their names.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (release, refusal) = match &self.outcome {
            Outcome::Safe(release) => (Some(release.as_ref()), None),
            Outcome::Unsafe(refusal) => (None, Some(refusal)),
        };
        let (settings, safe) = (NamedSettings(&self.settings), release.is_some());
        let (plotted, why_unplotted, dominated) = (self.plotted, self.why_unplotted, self.dominated);
        PointJson { settings, safe, release, refusal, plotted, why_unplotted, dominated }.serialize(serializer)
    }
}

/// A point as it is told.
#[derive(Serialize)]
struct PointJson<'a> {
    #[serde(flatten)]
    settings: NamedSettings<'a>,
    safe: bool,
    #[serde(flatten)]
    release: Option<&'a Prospect>,
    #[serde(flatten)]
    refusal: Option<&'a Refusal>,
    #[serde(rename = "drawn")]
    plotted: Option<MapPlace>,
    #[serde(rename = "why_not_drawn", skip_serializing_if = "Option::is_none")]
    why_unplotted: Option<&'static str>,
    dominated: bool,
}

/// Settings by their names.
struct NamedSettings<'a>(&'a [PolicySetting]);

impl Serialize for NamedSettings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for setting in self.0 {
            map.serialize_entry(&setting.name(), &setting.value())?;
        }
        map.end()
    }
}
