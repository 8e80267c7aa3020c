//! A point of the map: a policy, and what its release would be.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::axes::Axes;
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
    /// Whether another point is worse in neither risk nor loss and better in one; what is not plotted is.
    pub dominated: bool,
}

/// Where a point is plotted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MapPlace {
    /// From left to right.
    pub risk: f64,
    /// From bottom to top.
    pub loss: f64,
}

impl Point {
    pub(super) fn new(settings: Vec<PolicySetting>, found: PointFinding, axes: Axes) -> Self {
        let plotted = axes.costs(&found).map(|(risk, loss)| MapPlace { risk, loss });
        Self { settings, outcome: found.outcome, plotted, dominated: true }
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
        PointJson { settings, safe, release, refusal, plotted: self.plotted, dominated: self.dominated }
            .serialize(serializer)
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
