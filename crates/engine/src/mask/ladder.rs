//! The ladders of a stored mask: what `apply` needs to climb.
//!
//! A level by a rule is told by its rule. A level of a list is told by its groups, each label once with what it stands for:
//! labels of the level below, or the values themselves where the level below is no list or is not nested. So a ladder takes
//! little more room than its values, and a person sees at a glance what a label holds.
//!
//! Layout 2 had a label for each value at each level, which is much for a hundred thousand postcodes; it is still read.

use std::collections::BTreeMap;
use std::fmt;

use equanym_core::hierarchy::{Code, Hierarchy, LabelRule, Level};
use equanym_core::mask::Recoding;
use equanym_core::variable::Variable;
use hashbrown::{HashMap, HashSet};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The ladder of a recoded column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLadder {
    /// The column.
    pub variable: String,
    /// The lowest level that a release may use.
    pub min: u8,
    /// The highest.
    pub max: u8,
    /// Its levels, from 0 on.
    pub levels: Vec<StoredLevel>,
}

/// One level of a ladder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "ReadLevel")]
pub struct StoredLevel {
    /// How its labels come about.
    pub rule: LabelRule,
    /// Where they are listed: the level whose labels are joined. Those of level 0 are the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u8>,
    #[serde(skip_serializing_if = "Groups::is_empty")]
    groups: Groups,
}

/// Each label with what it stands for, in the order of the ladder.
#[derive(Debug, Clone, Default, PartialEq)]
struct Groups(Vec<(String, Vec<String>)>);

impl StoredLadder {
    /// The ladder of a variable.
    #[must_use]
    pub fn new(variable: &Variable) -> Self {
        let ladder = &variable.hierarchy;
        Self {
            variable: variable.name.clone(),
            min: variable.min_level,
            max: variable.max_level,
            levels: (0..=ladder.height()).map(|level| StoredLevel::at(ladder, level)).collect(),
        }
    }

    /// The recoding at a level, if there is one.
    pub(crate) fn recoding(&self, level: u8) -> Option<Recoding> {
        let rule = self.level(level)?.rule.clone();
        let levels = u8::try_from(self.levels.len()).unwrap_or(u8::MAX);
        let owned = |(value, label): (&str, &str)| (value.to_owned(), label.to_owned());
        Some(Recoding { level, levels, rule, labels: self.labels(level).into_iter().map(owned).collect() })
    }

    /// The recodings of all levels.
    pub(crate) fn recodings(&self) -> impl Iterator<Item = Recoding> {
        (0..=u8::MAX).map_while(|level| self.recoding(level))
    }

    /// The values that a level lists, each with its label.
    pub(super) fn labels(&self, level: u8) -> Vec<(&str, &str)> {
        let (mut place, mut labels) = (level, self.groups(level).pairs().collect::<Vec<_>>());
        while let Some(below) = self.joined(place) {
            let above: HashMap<&str, &str> = labels.into_iter().collect();
            let pairs = self.groups(below).pairs();
            labels = pairs.filter_map(|(member, label)| Some((member, *above.get(label)?))).collect();
            place = below;
        }
        labels
    }

    /// How many values a level lists.
    pub(super) fn values(&self, level: u8) -> usize {
        self.joined(level).map_or_else(|| self.groups(level).members(), |below| self.values(below))
    }

    /// Whether each level of a list joins all labels of a list below, or values, each of them once.
    pub(super) fn is_sound(&self) -> bool {
        (0..=u8::MAX).zip(&self.levels).all(|(number, level)| {
            let members: HashSet<&str> = level.groups.pairs().map(|(member, _)| member).collect();
            let labels: HashSet<&str> = level.groups.labels().collect();
            let is_once = members.len() == level.groups.members() && labels.len() == level.groups.0.len();
            let below = || self.groups(level.of.unwrap_or(0));
            let joins_all =
                || below().0.len() == members.len() && below().labels().all(|label| members.contains(label));
            is_once && level.of.is_none_or(|of| of == 0 || of < number && joins_all())
        })
    }

    fn level(&self, level: u8) -> Option<&StoredLevel> {
        self.levels.get(usize::from(level))
    }

    fn groups(&self, level: u8) -> &Groups {
        const NONE: &Groups = &Groups(Vec::new());
        self.level(level).map_or(NONE, |level| &level.groups)
    }

    /// The level whose labels a level joins, unless it joins values.
    fn joined(&self, level: u8) -> Option<u8> {
        self.level(level)?.of.filter(|of| (1..level).contains(of))
    }
}

impl StoredLevel {
    /// A level whose labels follow from a rule.
    #[must_use]
    pub fn by_rule(rule: LabelRule) -> Self {
        Self { rule, of: None, groups: Groups::default() }
    }

    /// A level of a ladder.
    fn at(ladder: &Hierarchy, number: u8) -> Self {
        let level = |number: u8| ladder.levels().get(usize::from(number));
        let below = number.saturating_sub(1);
        let is_list = level(below).is_some_and(|level| level.rule == LabelRule::Listed);
        let joined = if is_list && ladder.is_nested_between(below, number) { below } else { 0 };
        match (level(number), level(joined)) {
            (Some(this), Some(below)) if this.rule == LabelRule::Listed => {
                Self { rule: LabelRule::Listed, of: Some(joined), groups: Groups::joining(below, this) }
            }
            (this, _) => Self::by_rule(this.map_or(LabelRule::Top, |level| level.rule.clone())),
        }
    }
}

impl Groups {
    /// How one level joins the labels of another.
    fn joining(below: &Level, level: &Level) -> Self {
        let mut parents = vec![None; below.labels.len()];
        for (label, parent) in below.of.iter().zip(&level.of) {
            if let Some(known) = parents.get_mut(*label as usize) {
                *known = Some(*parent);
            }
        }
        let mut groups: Vec<_> = level.labels.iter().map(|label| (label.clone(), Vec::new())).collect();
        for (label, parent) in below.labels.iter().zip(parents) {
            if let Some((_, members)) = parent.and_then(|parent: Code| groups.get_mut(parent as usize)) {
                members.push(label.clone());
            }
        }
        Self(groups)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn labels(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(label, _)| label.as_str())
    }

    /// What is joined, each with its label.
    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(label, members)| members.iter().map(|member| (member.as_str(), label.as_str())))
    }

    /// How much is joined.
    fn members(&self) -> usize {
        self.0.iter().map(|(_, members)| members.len()).sum()
    }

    /// The groups of values with the same label.
    fn of_labels(labels: BTreeMap<String, String>) -> Self {
        let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (value, label) in labels {
            groups.entry(label).or_default().push(value);
        }
        Self(groups.into_iter().collect())
    }
}

impl Serialize for Groups {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(label, members)| (label, members)))
    }
}

impl<'de> Deserialize<'de> for Groups {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(GroupVisitor)
    }
}

struct GroupVisitor;

impl<'de> Visitor<'de> for GroupVisitor {
    type Value = Groups;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("labels with what they stand for")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Groups, A::Error> {
        let mut groups = Vec::new();
        while let Some(group) = map.next_entry()? {
            groups.push(group);
        }
        Ok(Groups(groups))
    }
}

/// A level as this layout or layout 2 has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadLevel {
    rule: LabelRule,
    of: Option<u8>,
    #[serde(default)]
    groups: Groups,
    #[serde(default)]
    labels: BTreeMap<String, String>,
    #[serde(rename = "level", default)]
    _level: IgnoredAny,
    #[serde(rename = "levels", default)]
    _levels: IgnoredAny,
}

impl From<ReadLevel> for StoredLevel {
    fn from(read: ReadLevel) -> Self {
        let ReadLevel { rule, of, groups, labels, .. } = read;
        if labels.is_empty() {
            Self { rule, of, groups }
        } else {
            Self { rule, of: Some(0), groups: Groups::of_labels(labels) }
        }
    }
}

#[cfg(test)]
mod tests {
    use equanym_core::hierarchy::csv::HierarchyFile;

    use super::*;

    fn ladder(text: &str) -> (StoredLadder, Hierarchy) {
        let hierarchy = HierarchyFile::parse(text).unwrap().fit(&[String::new()]).unwrap();
        let (name, max_level) = ("zip".to_owned(), hierarchy.height());
        let variable = Variable { name, hierarchy: hierarchy.clone(), min_level: 0, max_level, weight: 0.0 };
        (StoredLadder::new(&variable), hierarchy)
    }

    /// Every level gives every value the label that it had, also when it was written and read.
    fn check(text: &str, groups: &str) {
        let (stored, hierarchy) = ladder(text);
        let written = serde_json::to_string(&stored.levels).unwrap();
        assert_eq!(written, groups);
        let read = StoredLadder { levels: serde_json::from_str(&written).unwrap(), ..stored.clone() };
        assert!(read == stored && read.is_sound());
        for (number, level) in (0..).zip(hierarchy.levels()).filter(|(_, level)| level.rule == LabelRule::Listed) {
            let recoding = read.recoding(number).unwrap();
            assert_eq!(
                (recoding.labels.len(), read.values(number)),
                (hierarchy.values().len(), hierarchy.values().len())
            );
            for (value, code) in hierarchy.values().iter().zip(&level.of) {
                assert_eq!(recoding.labels[value], level.labels[*code as usize]);
            }
        }
        assert_eq!(read.recodings().count(), hierarchy.levels().len());
    }

    #[test]
    fn each_label_is_told_once() {
        check(
            "11;1;west;*\n12;1;west;*\n21;2;west;*\n31;3;east;*\n",
            r#"[{"rule":{"rule":"as-collected"}},{"rule":{"rule":"listed"},"of":0,"groups":{"1":["11","12"],"2":["21"],"3":["31"],"":[""]}},{"rule":{"rule":"listed"},"of":1,"groups":{"west":["1","2"],"east":["3"],"":[""]}},{"rule":{"rule":"top"}}]"#,
        );
    }

    #[test]
    fn a_level_that_splits_labels_joins_values() {
        check(
            "a;x;p;all\nb;x;q;all\nc;y;q;all\n",
            r#"[{"rule":{"rule":"as-collected"}},{"rule":{"rule":"listed"},"of":0,"groups":{"x":["a","b"],"y":["c"],"":[""]}},{"rule":{"rule":"listed"},"of":0,"groups":{"p":["a"],"q":["b","c"],"":[""]}},{"rule":{"rule":"listed"},"of":2,"groups":{"all":["p","q",""]}}]"#,
        );
    }

    #[test]
    fn ladders_that_contradict_themselves_are_unsound() {
        let check = |levels: &str, is_sound: bool| {
            let levels = serde_json::from_str(&format!("[{}]", levels.replace('!', r#""rule":{"rule":"listed"}"#)));
            let stored = StoredLadder { variable: String::new(), min: 0, max: 1, levels: levels.unwrap() };
            assert_eq!(stored.is_sound(), is_sound);
            // Whatever it says, it is read to an end.
            stored.recodings().for_each(drop);
        };
        check(r#"{!},{!,"of":0,"groups":{"x":["a"],"y":["b"]}},{!,"of":1,"groups":{"z":["x","y"]}}"#, true);
        check(r#"{!},{!,"of":0,"groups":{"x":["a"],"y":["a"]}}"#, false);
        check(r#"{!},{!,"of":0,"groups":{"x":["a"],"x":["b"]}}"#, false);
        check(r#"{!},{!,"of":0,"groups":{"x":["a"],"y":["b"]}},{!,"of":1,"groups":{"z":["x"]}}"#, false);
        check(r#"{!},{!,"of":0,"groups":{"x":["a"]}},{!,"of":1,"groups":{"z":["x","y"]}}"#, false);
        check(r#"{!},{!,"of":1,"groups":{"x":["a"]}}"#, false);
        check(r#"{!},{!,"of":2,"groups":{"x":["a"]}},{!,"of":1,"groups":{"a":["x"]}}"#, false);
        check(r#"{!},{!,"of":9,"groups":{"x":["a"]}}"#, false);
    }

    #[test]
    fn layout_2_is_read() {
        let level = r#"{"level":1,"levels":3,"rule":{"rule":"listed"},"labels":{"11":"1","12":"1","21":"2"}}"#;
        let level: StoredLevel = serde_json::from_str(level).unwrap();
        let of = |label: &str, members: &[&str]| (label.to_owned(), members.iter().map(ToString::to_string).collect());
        assert_eq!((level.of, level.groups), (Some(0), Groups(vec![of("1", &["11", "12"]), of("2", &["21"])])));
    }
}
