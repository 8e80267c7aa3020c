//! What a claim gives besides its name: keys with words and numbers, as they were written.
//!
//! A privacy model takes its own keys and no others. A key that stands twice is an error, and a value of another type is none that
//! a model can read. What is absent may be said by `null`.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;

use crate::decimal::Decimal;

/// The keys of a claim and their values.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Parameters(BTreeMap<String, Value>);

impl Parameters {
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    pub fn value(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Whether all that is given is among these keys.
    pub fn are_among(&self, keys: &[&str]) -> bool {
        self.0.keys().all(|key| keys.contains(&key.as_str()))
    }

    /// The same with another number.
    pub fn with(&self, key: &str, number: u64) -> Self {
        let mut others = self.clone();
        others.0.insert(key.to_owned(), number.into());
        others
    }

    /// The same but for one key.
    pub fn without(&self, key: &str) -> Self {
        let mut others = self.clone();
        others.0.remove(key);
        others
    }

    /// The values that are words, with their keys.
    pub fn words(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
    }

    pub fn word(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str()
    }

    /// One of some words; the first goes without saying.
    pub fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Option<T> {
        let (usual, _) = choices.first()?;
        let word = if self.has(key) { self.word(key)? } else { usual };
        choices.iter().find(|(known, _)| *known == word).map(|(_, choice)| *choice)
    }

    /// The same, where it must be said.
    pub fn said_choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Option<T> {
        self.word(key).and_then(|_| self.choice(key, choices))
    }

    /// Whether a flag is set; it is not where nothing is said.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.0.get(key).map_or(Some(false), Value::as_bool)
    }

    pub fn float(&self, key: &str) -> Option<f64> {
        self.0.get(key)?.as_f64()
    }

    /// A number by its digits; no model takes one below 0.
    pub fn decimal(&self, key: &str) -> Option<Decimal> {
        let Value::Number(number) = self.0.get(key)? else { return None };
        Decimal::collected(&number.to_string()).filter(|number| number.ratio().is_some())
    }

    pub fn positive(&self, key: &str) -> Option<Decimal> {
        self.decimal(key).filter(|number| number.is_positive())
    }

    /// A number from 0 to 1.
    pub fn share(&self, key: &str) -> Option<Decimal> {
        self.decimal(key).filter(|number| Decimal::ONE.is_below(*number) == Some(false))
    }

    pub fn positive_share(&self, key: &str) -> Option<Decimal> {
        self.share(key).filter(|number| number.is_positive())
    }

    pub fn natural(&self, key: &str) -> Option<u64> {
        let [number, 1] = self.decimal(key)?.ratio()? else { return None };
        u64::try_from(number).ok()
    }

    /// A number from 2: a class of one record, or with one value, hides nobody.
    pub fn several(&self, key: &str) -> Option<u64> {
        self.natural(key).filter(|number| *number > 1)
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> = self.0.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        out.write_str(&told.join(", "))
    }
}

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ParameterVisitor)
    }
}

struct ParameterVisitor;

impl<'de> Visitor<'de> for ParameterVisitor {
    type Value = Parameters;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the parameters of a claim")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Parameters, A::Error> {
        let mut known = BTreeMap::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            if known.insert(key, value).is_some() {
                return Err(A::Error::custom("duplicate field among the parameters of a claim"));
            }
        }
        known.retain(|_, value| !value.is_null());
        Ok(Parameters(known))
    }
}
