//! `preset`: a fragment of a policy that a rule or a guidance asks for, by its name.
//!
//! It stands in a `[[privacy]]` of its own, or at the top for the whole policy; both mean the same. Its models are read as if they
//! stood there. What it asks of columns is checked once the table is counted.

use equanym_core::privacy::preset::{self, Preset};

use super::keys::KeyShape::Words;
use super::keys::{PolicyKey, key};
use super::place::{at_line, quoted};
use super::table::{Item, PolicyTable};
use crate::error::Result;

/// The key that names a preset.
pub(super) const PRESET: &str = "preset";

/// The key, where it means this.
pub(super) const fn preset_key(meaning: &'static str) -> PolicyKey {
    key(PRESET, Words(names), meaning)
}

fn names() -> Vec<&'static str> {
    preset::ALL.iter().map(|preset| preset.card.name).collect()
}

/// A preset that a policy names.
#[derive(Clone, Copy)]
pub struct PresetPolicy {
    /// The preset.
    pub preset: &'static Preset,
    /// The line of the policy.
    pub line: usize,
}

impl std::fmt::Debug for PresetPolicy {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} of line {}", self.preset.card.name, self.line)
    }
}

impl PartialEq for PresetPolicy {
    fn eq(&self, other: &Self) -> bool {
        (self.preset.card.name, self.line) == (other.preset.card.name, other.line)
    }
}

impl PresetPolicy {
    /// The preset that an item names.
    pub(super) fn read(item: &Item<'_>) -> Result<Self> {
        let preset = item.one_of(preset::ALL, |preset| preset.card.name)?;
        Ok(Self { preset, line: item.line() })
    }

    /// The preset of a `[[privacy]]` that names one, and nothing else.
    pub(super) fn read_alone(table: &PolicyTable<'_>) -> Result<Option<Self>> {
        let Some(item) = table.get(PRESET) else { return Ok(None) };
        table.allow(&[PRESET]).map_err(|error| {
            error.hint("a preset stands alone in its [[privacy]]: `equanym explain` shows all of it")
        })?;
        Self::read(&item).map(Some)
    }
}

/// Refuses a preset that stands twice.
pub(super) fn each_once(presets: &[PresetPolicy]) -> Result<()> {
    for (place, one) in presets.iter().enumerate() {
        if let Some(first) = presets[..place].iter().find(|first| first.preset.card.name == one.preset.card.name) {
            let message =
                format!("{} stands twice; the first one is on line {}", quoted(one.preset.card.name), first.line);
            return Err(at_line(one.line, message).hint("keep one of them"));
        }
    }
    Ok(())
}
