//! Presets: what rules and guidance ask for, as fragments of a policy.
//!
//! A preset brings models with their parameters, rules for columns, or both. Whoever names it gets what it shows, no more:
//! `explain` prints all of it with its source. Rules for columns look at what every released column holds, as far as its name
//! and its cells tell, and at the finest labels that the policy lets out; each column that breaks one is named.
//!
//! Limit: a preset is no legal advice. What a column holds is guessed, and an owner who knows better is right.

mod cms_11;
mod ema_0_09;
mod hipaa_safe_harbor;

use crate::card::{Card, Parameters, Value};
use crate::hierarchy::LabelRule;
use crate::role::Role;
use crate::treatment::Treatment;

/// A member of the family.
pub struct Preset {
    /// How it introduces itself.
    pub card: Card,
    /// The models that it asks for.
    pub models: &'static [PresetModel],
    /// What it asks of released columns; nothing where it does not look at them.
    pub columns: Option<ColumnRules>,
}

/// A model with its numbers.
#[derive(Debug, Clone, Copy)]
pub struct PresetModel {
    /// The name of the model.
    pub model: &'static str,
    /// Its parameters.
    pub numbers: &'static [(&'static str, i64)],
}

/// What a preset asks of released columns.
#[derive(Clone, Copy)]
pub struct ColumnRules {
    /// The rules, one for each thing that a column may hold.
    pub rules: &'static [(ColumnContent, &'static str)],
    /// Why a column breaks them; nothing where it keeps them.
    pub breach: fn(&ReleasedColumn<'_>) -> Option<PresetBreach>,
}

/// Every preset.
pub const ALL: &[Preset] = &[ema_0_09::PRESET, cms_11::PRESET, hipaa_safe_harbor::PRESET];

/// The member of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Preset> {
    ALL.iter().find(|preset| preset.card.name == name)
}

/// What a column may hold that rules speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColumnContent {
    /// Names, numbers and addresses of people.
    Identity,
    /// E-mail addresses or telephone numbers.
    Contact,
    /// Running text.
    FreeText,
    /// Days and months of events.
    Date,
    /// Days or years of birth.
    Birth,
    /// Ages.
    Age,
    /// Postal codes.
    PostalCode,
    /// Places smaller than a state.
    Place,
}

/// A column on its way out.
#[derive(Debug, Clone)]
pub struct ReleasedColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its role.
    pub role: Role,
    /// What it holds, going by its name, its cells and its ladder.
    pub holds: Vec<ColumnContent>,
    /// How labels come about at each level that may be released, the finest first; none where it is not recoded.
    pub levels: Vec<(u8, &'a LabelRule)>,
    /// What happens to its cells before anything else.
    pub treatments: &'a [Treatment],
}

impl<'a> ReleasedColumn<'a> {
    /// The rule of the finest labels; as collected where it is not recoded.
    fn finest(&self) -> &'a LabelRule {
        self.levels.first().map_or(&LabelRule::AsCollected, |(_, rule)| rule)
    }

    /// The lowest level from which on all labels are fine.
    fn lowest(&self, is_fine: impl Fn(&LabelRule) -> bool) -> Option<u8> {
        let fine = self.levels.iter().rev().take_while(|(_, rule)| is_fine(rule));
        fine.last().map(|(level, _)| *level)
    }
}

/// Why a column breaks a preset, and what would help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresetBreach {
    /// What it tells.
    pub why: &'static str,
    /// What to do.
    pub remedy: String,
}

impl Preset {
    /// The models that it asks for, with their parameters.
    pub fn privacy(&self) -> impl Iterator<Item = (&'static str, Parameters)> {
        let number = |&(name, number): &(&str, i64)| (name.to_owned(), Value::Integer(number));
        self.models.iter().map(move |asked| (asked.model, asked.numbers.iter().map(number).collect()))
    }

    /// All that it asks for, as lines that people read; the models as a policy writes them.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let model = |asked: &PresetModel| {
            let numbers = asked.numbers.iter().map(|(name, number)| format!(", {name} = {number}"));
            format!("[[privacy]] model = \"{}\"{}", asked.model, numbers.collect::<String>())
        };
        let rules = self.columns.iter().flat_map(|columns| columns.rules).map(|(_, rule)| (*rule).to_owned());
        self.models.iter().map(model).chain(rules).collect()
    }
}
