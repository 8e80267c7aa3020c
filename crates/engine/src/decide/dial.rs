//! Variables that get new values, on the market: what they tell at each setting among which the balance chooses.
//!
//! Level 0 is the column as collected, which no such method releases; each further level is a setting of the method: those that
//! `[preferences.new_values]` lists, or the one of `[method]`. All columns have the same one. Each setting is tried on the whole
//! table, and what the new values tell of the old ones is read as the core has it.
//!
//! Limit: trials have draws of their own, always the same, so the choice does not depend on the seed; a release has others. What is
//! withheld of a release was among the records of the trial.

use equanym_core::balance::{Balance, Market, NewValueReading, Offer, ToldBits, offer_of_new_values};
use equanym_core::card::{Parameters, Value};
use equanym_core::method::values::{ChangeFact, ChangedColumns, ValueDial, ValueTask, floats};
use equanym_core::method::{self, MethodWork};
use equanym_core::random::Seed;
use equanym_core::walk::WalkColumn;
use serde::Serialize;

use super::new_values::{self, ColumnsToChange};
use super::unbalanced::refused;
use crate::error::Result;
use crate::policy::{LevelDial, Policy, Preferences};
use crate::progress::{Progress, Step};
use crate::read::Source;
use crate::workers::no_new_values;

/// The variables with new values that somebody gave points to.
#[derive(Default)]
pub(crate) struct NewValueOffers {
    /// As they stand on the market.
    pub offers: Vec<Offer>,
    /// The settings from level 1 on.
    settings: Vec<NewValueSetting>,
    /// For each variable what was read at each setting.
    readings: Vec<Vec<NewValueReading>>,
    units_per_bit: f64,
}

/// A setting of the method.
struct NewValueSetting {
    parameters: Parameters,
    /// What is turned, and how far; none where the policy has one setting.
    turned: Option<(&'static ValueDial, Value)>,
}

/// The setting that was chosen, with what is known about it.
pub(crate) struct ChosenSetting {
    pub parameters: Parameters,
    pub facts: Vec<ChangeFact>,
}

/// What new values tell of the old ones.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LevelReading {
    /// Read by a grid: by who takes them at their face.
    pub grid: ToldAmounts,
    /// Read by ranks in their segment: by who knows which records got their values together.
    pub ranks: ToldAmounts,
}

/// What is told and what is not, with standard errors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ToldAmounts {
    /// The mutual information of old values and new ones.
    pub told: f64,
    /// Its standard error.
    pub told_error: f64,
    /// The entropy of the old values that is left.
    pub untold: f64,
    /// Its standard error.
    pub untold_error: f64,
}

impl LevelReading {
    fn new(reading: &NewValueReading, units_per_bit: f64) -> Self {
        let found = |bits: ToldBits| ToldAmounts {
            told: units_per_bit * bits.told,
            told_error: units_per_bit * bits.told_error,
            untold: units_per_bit * bits.untold,
            untold_error: units_per_bit * bits.untold_error,
        };
        Self { grid: found(reading.grid), ranks: found(reading.ranks) }
    }
}

impl NewValueOffers {
    /// Tries every setting of a policy on a table; nothing where no variable with new values has points.
    pub(crate) fn measure(policy: &Policy, source: &Source, memory: usize, progress: &dyn Progress) -> Result<Self> {
        let member = method::find(&policy.method.name).map(|member| &member.work);
        let (Some(MethodWork::Values(method)), Some(_)) = (member, priced(policy).next()) else {
            return Ok(Self::default());
        };
        let ColumnsToChange { columns, properties } = new_values::columns_of_all(policy, source, memory)?;
        let usual = Preferences::default();
        let preferences = policy.preferences.as_ref().unwrap_or(&usual);
        let settings = settings(policy, preferences.new_values.as_ref(), method.dials);
        let progress = |segments| progress.at(Step::Walk, segments);
        let mut readings: Vec<Vec<NewValueReading>> = columns.iter().map(|_| Vec::new()).collect();
        for NewValueSetting { parameters, .. } in &settings {
            let (seed, progress) = (Seed::from(0), &progress);
            let task = ValueTask { columns: &columns, properties: &properties, parameters, seed, progress };
            let changed = (method.change)(&task).map_err(|error| no_new_values(&error))?;
            read(&columns, &changed, &mut readings);
        }
        let units_per_bit = preferences.unit.per_bit();
        let of_column = columns.iter().zip(readings).filter_map(|(column, readings)| {
            let variable = priced(policy).find(|variable| variable.name == column.name)?;
            let entropy = units_per_bit * entropy(column);
            let offer = offer_of_new_values(&column.name, entropy, variable.points?, &readings, units_per_bit);
            let ration = preferences.ration.get(&column.name).copied().unwrap_or_default();
            Some((Offer { ration, ..offer }, readings))
        });
        let (offers, readings) = of_column.unzip();
        Ok(Self { offers, settings, readings, units_per_bit })
    }

    /// A level in words.
    pub(crate) fn words(&self, level: usize) -> String {
        let setting = level.checked_sub(1).and_then(|place| self.settings.get(place));
        match setting.map(|setting| &setting.turned) {
            None => "as collected".to_owned(),
            Some(Some((dial, value))) => format!("{} {}", dial.name, in_words(value)),
            Some(None) => "new values".to_owned(),
        }
    }

    /// What was read of a variable at a level, in the unit of entropy.
    pub(crate) fn reading(&self, variable: &str, level: usize) -> Option<LevelReading> {
        let place = self.offers.iter().position(|offer| offer.name == variable)?;
        let reading = self.readings[place].get(level.checked_sub(1)?)?;
        Some(LevelReading::new(reading, self.units_per_bit))
    }

    /// The setting that suits a balance best; a market of these variables alone where no balance was sought.
    pub(crate) fn choose(&self, policy: &Policy, sought: Option<&Balance>) -> Result<Option<ChosenSetting>> {
        if self.offers.is_empty() {
            return Ok(None);
        }
        let level = match sought {
            Some(balance) => balance.new_value_level(),
            None => self.alone(policy)?.new_value_level(),
        };
        let level = level.map_err(|error| refused(&error))?.unwrap_or_default();
        let Some(setting) = level.checked_sub(1).and_then(|place| self.settings.get(place)) else { return Ok(None) };
        let turned =
            setting.turned.iter().filter_map(|(dial, value)| Some(ChangeFact::of_table(dial.fact, number(value)?)));
        let of_columns = self
            .offers
            .iter()
            .zip(&self.readings)
            .flat_map(|(offer, readings)| facts(&offer.name, &readings[level - 1]));
        Ok(Some(ChosenSetting { parameters: setting.parameters.clone(), facts: turned.chain(of_columns).collect() }))
    }

    /// The balance of these variables, which have all points.
    fn alone(&self, policy: &Policy) -> Result<Balance> {
        let usual = Preferences::default();
        let preferences = policy.preferences.as_ref().unwrap_or(&usual);
        let market = Market::new(preferences.alpha, preferences.beta, self.offers.clone());
        let market = market.map_err(|error| refused(&error))?.with_total(preferences.total);
        Balance::solve(market, preferences.sought()?).map_err(|error| refused(&error))
    }
}

/// The variables with new values that have points.
fn priced(policy: &Policy) -> impl Iterator<Item = &crate::policy::VariablePolicy> {
    policy.variables.iter().filter(|variable| variable.marked.is_some() && variable.points.is_some())
}

fn settings(policy: &Policy, dial: Option<&LevelDial>, dials: &'static [ValueDial]) -> Vec<NewValueSetting> {
    let parameters = &policy.method.parameters;
    let turned = |dial: &LevelDial| -> Option<Vec<NewValueSetting>> {
        let by = dials.iter().find(|one| one.name == dial.by)?;
        let setting = |value: &Value| {
            let mut parameters = parameters.clone();
            parameters.insert(by.name.to_owned(), value.clone());
            NewValueSetting { parameters, turned: Some((by, value.clone())) }
        };
        Some(dial.levels.iter().map(setting).collect())
    };
    dial.and_then(turned).unwrap_or_else(|| vec![NewValueSetting { parameters: parameters.clone(), turned: None }])
}

/// Reads all columns of a trial.
fn read(columns: &[WalkColumn], changed: &ChangedColumns, readings: &mut [Vec<NewValueReading>]) {
    for ((column, values), readings) in columns.iter().zip(&changed.columns).zip(readings) {
        readings.push(NewValueReading::new(&floats(&column.values), &floats(values), changed.segment));
    }
}

/// The entropy of a column as collected, in bits; a missing value is one of its own.
fn entropy(column: &WalkColumn) -> f64 {
    let mut values = column.values.clone();
    values.sort_unstable();
    let records = values.len() as f64;
    let told = |equal: &[Option<i128>]| equal.len() as f64 / records * (records / equal.len() as f64).log2();
    values.chunk_by(|one, other| one == other).map(told).sum()
}

fn facts(column: &str, reading: &NewValueReading) -> [ChangeFact; 4] {
    let (untold, untold_error) = reading.untold();
    [
        ("bits that a user reads of it", reading.grid.told),
        ("the standard error of that", reading.grid.told_error),
        ("bits that an intruder does not read of it", untold),
        ("the standard error of these", untold_error),
    ]
    .map(|(name, value)| ChangeFact::of_column(name, column, value))
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Bool(_) | Value::Text(_) => String::new(),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        Value::Bool(_) | Value::Text(_) => None,
    }
}
