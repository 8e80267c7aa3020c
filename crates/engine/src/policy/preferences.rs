//! `[preferences]`: what the balance of utility and privacy is worth.

use std::collections::BTreeMap;

use equanym_core::variable::Role;

use super::VariablePolicy;
use super::place::{known, quoted, shown};
use super::table::{Item, Table};
use crate::error::Result;

/// What the balance of utility and privacy is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Preferences {
    /// The weight of information utility.
    pub alpha: f64,
    /// The weight of privacy.
    pub beta: f64,
    /// Which optimum is sought.
    pub target: String,
    /// What a variable must keep at least, by its name.
    pub ration: BTreeMap<String, Ration>,
}

/// What a variable must keep at least.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ration {
    /// The least protection.
    pub min_protection: Option<Least>,
    /// The least utility.
    pub min_utility: Option<Least>,
}

/// A least amount of a good.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Least {
    /// What the variable has at this level.
    Level(u8),
    /// An amount.
    Amount(f64),
}

/// The optima that can be sought; the first one is the default.
const TARGETS: [&str; 3] = ["coupled", "paper", "max-satisfaction"];

/// Reads `[preferences]`.
pub(super) fn preferences(table: &Table<'_>, variables: &[VariablePolicy]) -> Result<Preferences> {
    table.allow(&["alpha", "beta", "target", "ration"])?;
    let weight = |key| table.get(key).map_or(Ok(0.5), |item| item.amount());
    let (alpha, beta) = (weight("alpha")?, weight("beta")?);
    if alpha + beta <= 0.0 {
        return Err(table.fail("`alpha` and `beta` must not both be 0"));
    }
    let target = table.get("target").map_or(Ok(TARGETS[0]), |item| item.choice(TARGETS))?.to_owned();
    let ration = match table.get("ration") {
        Some(item) => rations(&item.table()?, variables)?,
        None => BTreeMap::new(),
    };
    Ok(Preferences { alpha, beta, target, ration })
}

fn rations(table: &Table<'_>, variables: &[VariablePolicy]) -> Result<BTreeMap<String, Ration>> {
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
    table.allow(&["min_protection", "min_utility"])?;
    let at_least = |key| table.get(key).map(|item| least(&item)).transpose();
    Ok(Ration { min_protection: at_least("min_protection")?, min_utility: at_least("min_utility")? })
}

fn least(item: &Item<'_>) -> Result<Least> {
    if !item.raw().is_table() {
        return item.amount().map(Least::Amount);
    }
    let table = item.table()?;
    table.allow(&["level"])?;
    let level = table.get("level").ok_or_else(|| table.fail("`level` is missing"))?;
    super::variable::level(&level).map(Least::Level)
}
