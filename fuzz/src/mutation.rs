//! Changes of JSON that leave it JSON: another leaf, a key more, a piece elsewhere.

use serde_json::{Map, Value, json};

use crate::explained::WORDS;
use crate::release;

/// A changed text; nothing where the text is no JSON, or now and then, so that bytes are changed, too.
pub fn mutate(bytes: &[u8], seed: u32) -> Option<Vec<u8>> {
    let mut dice = Dice(u64::from(seed) | 1 << 40);
    if dice.below(16) == 0 {
        return None;
    }
    let mut value: Value = serde_json::from_slice(bytes).ok()?;
    for _ in 0..=dice.below(3) {
        change(&mut value, &mut dice);
    }
    Some(release::written(&value).into_bytes())
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }

    fn word(&mut self) -> String {
        match self.below(12) {
            0 => "any text".to_owned(),
            _ => WORDS[self.below(WORDS.len())].to_owned(),
        }
    }

    fn leaf(&mut self) -> Value {
        match self.below(10) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(20)),
            3 => json!([0.0, 0.05, 0.5, 1.0, 2.5, -1.0, 1e300][self.below(7)]),
            4 => json!({ self.word(): self.word() }),
            5 => json!([self.word()]),
            _ => json!(self.word()),
        }
    }
}

fn change(value: &mut Value, dice: &mut Dice) {
    let places = pointers(value, "");
    let pick = |dice: &mut Dice| places[dice.below(places.len())].clone();
    let (place, other) = (pick(dice), pick(dice));
    let copy = value.pointer(&other).cloned();
    let Some(here) = value.pointer_mut(&place) else { return };
    match (dice.below(6), &mut *here) {
        (0, Value::Object(entries)) => drop(entries.insert(dice.word(), dice.leaf())),
        (1, Value::Object(entries)) => remove(entries, dice),
        (0, Value::Array(items)) => items.push(dice.leaf()),
        (1, Value::Array(items)) if !items.is_empty() => drop(items.remove(dice.below(items.len()))),
        (2, Value::Array(items)) => items.extend(copy),
        (2, Value::Object(entries)) => drop(entries.insert(dice.word(), copy.unwrap_or_default())),
        (3, _) => *here = copy.unwrap_or_default(),
        (_, Value::Object(_) | Value::Array(_)) => {}
        _ => *here = dice.leaf(),
    }
}

fn remove(entries: &mut Map<String, Value>, dice: &mut Dice) {
    let key = entries.keys().nth(dice.below(entries.len())).cloned();
    key.map(|key| entries.remove(&key));
}

/// The places of all values.
fn pointers(value: &Value, here: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(entries) => {
            entries.iter().map(|(key, inner)| (format!("{here}/{}", escaped(key)), inner)).collect()
        }
        Value::Array(items) => items.iter().enumerate().map(|(key, inner)| (format!("{here}/{key}"), inner)).collect(),
        _ => Vec::new(),
    };
    let below = below.into_iter().flat_map(|(path, inner)| pointers(inner, &path));
    std::iter::once(here.to_owned()).chain(below).collect()
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
