//! The ladder of a column in a stored mask: which value has which label of a list.
//!
//! A level of a list has groups: each label with what it joins, labels of a list below or values. A label is followed down
//! to the values that it stands for. What is joined twice, or hangs in the air, makes no ladder.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde::de::IgnoredAny;

/// A ladder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rungs {
    /// The column.
    pub variable: String,
    // Which levels another release may have is not claimed by this one.
    #[serde(rename = "min")]
    _min: IgnoredAny,
    #[serde(rename = "max")]
    _max: IgnoredAny,
    levels: Vec<Rung>,
}

/// A level.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rung {
    // The recoding of the column has the rule that was used.
    #[serde(rename = "rule")]
    _rule: IgnoredAny,
    /// The level whose labels are joined; those of level 0 are the values.
    #[serde(default)]
    of: u64,
    #[serde(default)]
    groups: BTreeMap<String, Vec<String>>,
}

impl Rungs {
    /// The values that a level lists with their labels; nothing where there is no such level, or no sense in it.
    pub(super) fn labels(&self, level: u64) -> Option<HashMap<&str, &str>> {
        let mut rung = self.rung(level)?;
        let mut labels = rung.joined(Some)?;
        let mut at = level;
        while rung.of > 0 {
            if rung.of >= at {
                return None;
            }
            at = rung.of;
            rung = self.rung(at)?;
            // Every label must be one of the level below, and the other way round.
            let (above, known) = (labels, rung.groups.len());
            if above.len() != known {
                return None;
            }
            labels = rung.joined(|label| above.get(label).copied())?;
        }
        Some(labels)
    }

    fn rung(&self, level: u64) -> Option<&Rung> {
        self.levels.get(usize::try_from(level).ok()?)
    }
}

impl Rung {
    /// What is joined, with what becomes of its label.
    fn joined<'a>(&'a self, becomes: impl Fn(&'a str) -> Option<&'a str>) -> Option<HashMap<&'a str, &'a str>> {
        let mut joined = HashMap::new();
        for (label, members) in &self.groups {
            let label = becomes(label)?;
            for member in members {
                if joined.insert(member.as_str(), label).is_some() {
                    return None;
                }
            }
        }
        Some(joined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(levels: &str, level: u64, expected: Option<&[(&str, &str)]>) {
        let levels = levels.replace('!', "\"rule\":{\"rule\":\"listed\"}");
        let rungs: Rungs =
            serde_json::from_str(&format!(r#"{{"variable":"zip","min":0,"max":1,"levels":[{levels}]}}"#)).unwrap();
        let found = rungs.labels(level).map(|labels| labels.into_iter().collect::<BTreeMap<_, _>>());
        assert_eq!(found, expected.map(|labels| labels.iter().copied().collect()), "{levels}");
    }

    #[test]
    fn labels_are_followed_down_to_the_values() {
        let levels = r#"{!},{!,"of":0,"groups":{"x":["a","b"],"y":["c"]}},{!,"of":1,"groups":{"z":["x","y"]}},{!}"#;
        check(levels, 0, Some(&[]));
        check(levels, 1, Some(&[("a", "x"), ("b", "x"), ("c", "y")]));
        check(levels, 2, Some(&[("a", "z"), ("b", "z"), ("c", "z")]));
        check(levels, 3, Some(&[]));
        check(levels, 4, None);
    }

    #[test]
    fn what_makes_no_sense_is_no_ladder() {
        check(r#"{!},{!,"of":0,"groups":{"x":["a"],"y":["a"]}}"#, 1, None);
        check(r#"{!},{!,"of":0,"groups":{"x":["a"],"y":["b"]}},{!,"of":1,"groups":{"z":["x"]}}"#, 2, None);
        check(r#"{!},{!,"of":0,"groups":{"x":["a"],"y":["b"]}},{!,"of":1,"groups":{"z":["x","w"]}}"#, 2, None);
        check(r#"{!},{!,"of":1,"groups":{"x":["x"]}}"#, 1, None);
        check(r#"{!},{!,"of":2,"groups":{"x":["x"]}},{!,"of":1,"groups":{"x":["x"]}}"#, 2, None);
        check(r#"{!},{!,"of":9,"groups":{"x":["x"]}}"#, 1, None);
    }
}
