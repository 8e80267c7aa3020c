//! `[preferences]`: what the balance of utility and privacy is worth.
//!
//! Targets and distances are families of the core; nothing here names a member.

use std::collections::BTreeMap;

use equanym_core::balance::{self, Amount, Ration, Suppression, UnwantedLevel, distance, target};
use equanym_core::card::{Kind, Value};
use equanym_core::method;
use equanym_core::variable::Role;

use super::keys::KeyShape::{Either, List, Named, Number, Table, Whole, Words};
use super::keys::{KeyShape, PolicyKey, Section, Word, key, word_of};
use super::method::MethodPolicy;
use super::place::{known, quoted, shown};
use super::table::{Item, PolicyTable};
use super::variable::VariablePolicy;
use crate::error::{Error, Result};

/// What the balance of utility and privacy is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Preferences {
    /// The weight of information utility.
    pub alpha: f64,
    /// The weight of privacy.
    pub beta: f64,
    /// Which optimum is sought.
    pub target: String,
    /// Which level is nearest to it.
    pub distance: String,
    /// Where a variable goes in which nobody has an interest.
    pub unwanted: UnwantedLevel,
    /// How suppressed records count.
    pub suppression: Suppression,
    /// In what entropy is counted.
    pub unit: Unit,
    /// What a variable must keep at least and at most, by its name.
    pub ration: BTreeMap<String, Ration>,
    /// What all variables together must keep at least and at most.
    pub total: Ration,
    /// The settings of a method that gives new values, among which the balance chooses.
    pub new_values: Option<LevelDial>,
}

/// Settings of a method: the levels of all variables with new values.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelDial {
    /// The parameter that is turned.
    pub by: String,
    /// Its settings; the first one is level 1.
    pub levels: Vec<Value>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            alpha: EVEN,
            beta: EVEN,
            target: target::DEFAULT.to_owned(),
            distance: distance::DEFAULT.to_owned(),
            unwanted: UnwantedLevel::default(),
            suppression: Suppression::default(),
            unit: Unit::default(),
            ration: BTreeMap::new(),
            total: Ration::default(),
            new_values: None,
        }
    }
}

/// In what entropy is counted: the base of its logarithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// Base 2.
    #[default]
    Bits,
    /// Base 10, as in the tables of the price paper.
    Digits,
}

impl Word for Unit {
    const WORDS: &'static [(&'static str, Self)] = &[("bits", Self::Bits), ("digits", Self::Digits)];
}

impl Word for UnwantedLevel {
    const WORDS: &'static [(&'static str, Self)] = &[("as-collected", Self::AsCollected), ("withheld", Self::Withheld)];
}

impl Word for Suppression {
    const WORDS: &'static [(&'static str, Self)] =
        &[("free", Self::Free), ("charged", Self::Charged), ("chosen", Self::Chosen)];
}

impl Unit {
    /// The word used in policies and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bits => "bits",
            Self::Digits => "digits",
        }
    }

    /// How many of them make a bit.
    #[must_use]
    pub(crate) fn per_bit(self) -> f64 {
        match self {
            Self::Bits => 1.0,
            Self::Digits => 2_f64.log10(),
        }
    }
}

impl Preferences {
    /// Whether something is rationed, of a variable or of all together.
    #[must_use]
    pub fn rations(&self) -> bool {
        !self.ration.is_empty() || self.total != Ration::default()
    }

    /// What is sought, and how near is measured, as the core has it.
    pub fn sought(&self) -> Result<balance::Preferences> {
        let unknown = |what: &str| Error::input(format!("there is no {what} of that name"));
        Ok(balance::Preferences {
            target: target::find(&self.target).ok_or_else(|| unknown("target"))?,
            distance: distance::find(&self.distance).ok_or_else(|| unknown("distance"))?,
            unwanted: self.unwanted,
        })
    }
}

/// A weight that the policy does not give.
const EVEN: f64 = 0.5;

pub(super) const PREFERENCES: Section = Section::new(
    "[preferences]",
    "What the balance of utility and privacy is worth, for `balance` and for a search by preferences.",
    &[
        key("alpha", KeyShape::Amount, "the weight of information utility").usually("0.5"),
        key("beta", KeyShape::Amount, "the weight of privacy").usually("0.5"),
        key("target", Words(targets), "which optimum is sought").usually(target::DEFAULT),
        key("distance", Words(distances), "which level is nearest to it").usually(distance::DEFAULT),
        key("unwanted", word_of::<UnwantedLevel>(), "where a variable goes in which nobody has an interest")
            .usually("as-collected"),
        key("suppression", word_of::<Suppression>(), "how suppressed records count").usually("free"),
        key("unit", word_of::<Unit>(), "in what entropy is counted").usually("bits"),
        key("ration", Named(&Table(&RATION)), "what a variable must keep at least and at most, by its name"),
        key("total", Table(&TOTAL), "what all variables together must keep at least and at most"),
        key(NEW_VALUES, Table(&NEW_VALUES_OF), "the levels of variables with new values: settings of the method")
            .usually("the one of [method]"),
    ],
);

const RATION: Section = Section::new(
    "[preferences.ration.<name>]",
    "Bounds in the unit of entropy, or as a level: `{ level = 2 }`.",
    &bounds_of(BOUND),
);

const TOTAL: Section = Section::new(
    "[preferences.total]",
    "Bounds on all variables together, in the unit of entropy.",
    &bounds_of(KeyShape::Amount),
);

/// The key of the settings of new values.
pub(super) const NEW_VALUES: &str = "new_values";

const NEW_VALUES_OF: Section = Section::new(
    "[preferences.new_values]",
    "Settings of the method among which the balance chooses for all variables that get new values. Each is tried on the table.",
    &[
        key("by", Words(dials), "the parameter that is turned; compulsory"),
        key("levels", List(&Number), "its settings, the first one being level 1; compulsory"),
    ],
);

/// The most settings that are tried.
const MOST_SETTINGS: usize = 50;

fn dials() -> Vec<&'static str> {
    let values = method::ALL.iter().filter_map(method::MethodMember::values);
    values.flat_map(|values| values.dials).map(|dial| dial.name).collect()
}

const fn bounds_of(takes: KeyShape) -> [PolicyKey; 4] {
    [
        key("min_protection", takes, "protection must not be less"),
        key("min_utility", takes, "utility must not be less"),
        key("max_protection", takes, "protection must not be more"),
        key("max_utility", takes, "utility must not be more"),
    ]
}

const BOUND: KeyShape = Either(&[KeyShape::Amount, Table(&AMOUNT)]);

const AMOUNT: Section = Section::new(
    "[preferences.ration.<name>] bound",
    "What a level of the ladder has.",
    &[key("level", Whole(0), "the level; compulsory")],
);

fn targets() -> Vec<&'static str> {
    target::ALL.iter().map(|one| one.card.name).collect()
}

fn distances() -> Vec<&'static str> {
    distance::ALL.iter().map(|one| one.card.name).collect()
}

/// Reads `[preferences]`.
pub(super) fn preferences(
    table: &PolicyTable<'_>,
    variables: &[VariablePolicy],
    method: &MethodPolicy,
) -> Result<Preferences> {
    table.allow(&PREFERENCES.names())?;
    let weight = |key| table.read(key, Item::amount);
    let (alpha, beta) = (weight("alpha")?.unwrap_or(EVEN), weight("beta")?.unwrap_or(EVEN));
    if alpha + beta <= 0.0 {
        return Err(table.fail("`alpha` and `beta` must not both be 0"));
    }
    let word = |key, default: &str, words: Vec<&'static str>| -> Result<String> {
        Ok(table.read(key, |item| item.choice(words))?.unwrap_or(default).to_owned())
    };
    Ok(Preferences {
        alpha,
        beta,
        target: word("target", target::DEFAULT, targets())?,
        distance: word("distance", distance::DEFAULT, distances())?,
        unwanted: table.word("unwanted")?,
        suppression: table.word("suppression")?,
        unit: table.word("unit")?,
        ration: table.read("ration", |item| rations(&item.table()?, variables))?.unwrap_or_default(),
        total: table.read("total", total)?.unwrap_or_default(),
        new_values: table.read(NEW_VALUES, |item| dial(item, method))?,
    })
}

/// The settings of the method of the policy.
fn dial(item: &Item<'_>, method: &MethodPolicy) -> Result<LevelDial> {
    let table = item.table()?.titled("[preferences.new_values]");
    table.allow(&NEW_VALUES_OF.names())?;
    let member = method::find(&method.name);
    let Some((member, values)) = member.and_then(|member| Some((member, member.values()?))) else {
        return Err(item.error(format!("`new_values` has no effect: the method {} gives none", quoted(&method.name))));
    };
    let by = table.need("by")?.choice(values.dials.iter().map(|dial| dial.name))?.to_owned();
    let levels = table.need("levels")?;
    let parameter = member.card.parameters.iter().find(|parameter| parameter.name == by);
    let is_whole = parameter.is_some_and(|parameter| matches!(parameter.kind, Kind::Integer { .. }));
    let setting = |item: &Item<'_>| {
        let number = item.number()?;
        let value = if is_whole { Value::Integer(item.whole()?) } else { Value::Number(number) };
        let others = method.parameters.iter().filter(|(name, _)| **name != by);
        let others = others.map(|(name, value)| (name.clone(), value.clone()));
        let given = others.chain([(by.clone(), value.clone())]).collect();
        let checked = member.card.check(&given, |_| None);
        checked.map_err(|error| item.error(format!("{error}; found {number}")))?;
        Ok(value)
    };
    let settings = levels.each(setting)?;
    if settings.len() > MOST_SETTINGS {
        return Err(levels.fail(format!("may name {MOST_SETTINGS} settings at most: each is tried on the table")));
    }
    Ok(LevelDial { by, levels: settings })
}

/// Bounds on all variables together: amounts, because no level stands for a sum.
fn total(item: &Item<'_>) -> Result<Ration> {
    let table = item.table()?.titled("[preferences.total]".to_owned());
    table.allow(&TOTAL.names())?;
    let leveled = TOTAL.names().into_iter().filter_map(|key| table.get(key)).find(|item| item.raw().is_table());
    if let Some(item) = leveled {
        return Err(item.fail("must be an amount: all variables together have no level"));
    }
    bounds(&table)
}

fn bounds(table: &PolicyTable<'_>) -> Result<Ration> {
    let given = |key| table.read(key, amount);
    Ok(Ration {
        min_utility: given("min_utility")?,
        max_utility: given("max_utility")?,
        min_protection: given("min_protection")?,
        max_protection: given("max_protection")?,
    })
}

fn rations(table: &PolicyTable<'_>, variables: &[VariablePolicy]) -> Result<BTreeMap<String, Ration>> {
    table.items().iter().map(|item| Ok((rationed(item, variables)?, ration(item)?))).collect()
}

/// The variable that a ration names.
fn rationed(item: &Item<'_>, variables: &[VariablePolicy]) -> Result<String> {
    let quasi = variables.iter().filter(|variable| variable.role == Role::QuasiIdentifying);
    let names = quasi.map(|variable| variable.name.as_str());
    if names.clone().any(|name| name == item.key()) {
        return Ok(item.key().to_owned());
    }
    let message = format!("a ration for {}, which is no quasi-identifying variable", quoted(item.key()));
    Err(item.error(message).hint(known(item.key(), names)))
}

fn ration(item: &Item<'_>) -> Result<Ration> {
    let table = item.table()?.titled(format!("[preferences.ration.{}]", shown(item.key())));
    table.allow(&RATION.names())?;
    bounds(&table)
}

fn amount(item: &Item<'_>) -> Result<Amount> {
    if !item.raw().is_table() {
        return item.amount().map(Amount::Of);
    }
    let table = item.table()?;
    table.allow(&AMOUNT.names())?;
    let level = table.need("level")?;
    super::variable::level(&level).map(Amount::Level)
}
