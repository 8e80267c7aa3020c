//! A manifest as it was written: every key in its place, also one that stands twice.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// What a JSON text holds, in its order.
pub(crate) enum ManifestTree {
    Leaf(Value),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl ManifestTree {
    /// The one way in which format 1 writes it.
    pub fn written(&self) -> Option<String> {
        serde_json::to_string_pretty(self).ok().map(|text| text + "\n")
    }
}

impl Serialize for ManifestTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Leaf(value) => value.serialize(serializer),
            Self::List(items) => items.serialize(serializer),
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for ManifestTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = ManifestTree;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<ManifestTree, E> {
        Ok(ManifestTree::Leaf(Value::Null))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<ManifestTree, E> {
        Ok(ManifestTree::Leaf(flag.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<ManifestTree, E> {
        Ok(ManifestTree::Leaf(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<ManifestTree, E> {
        Ok(ManifestTree::Leaf(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<ManifestTree, E> {
        Ok(ManifestTree::Leaf(number.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<ManifestTree, E> {
        Ok(ManifestTree::Leaf(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ManifestTree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(ManifestTree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<ManifestTree, A::Error> {
        let mut object = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            object.push(entry);
        }
        Ok(ManifestTree::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_as_it_stands() {
        let text = "{\n  \"b\": 1,\n  \"a\": [\n    -2,\n    0.5,\n    null,\n    true\n  ],\n  \"b\": \"é\"\n}\n";
        let written = |text: &str| serde_json::from_str::<ManifestTree>(text).unwrap().written().unwrap();
        assert_eq!(written(text), text);
        for other in ["{ \"b\":1}", "{\"b\": 1e0}", "{\"b\": \"\\u00e9\"}"] {
            assert_ne!(written(other), other);
        }
    }
}
