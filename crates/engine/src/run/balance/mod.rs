//! Price theory on a table: prices, budget, optimum and the levels nearest to it, without releasing anything.
//!
//! Only the values of each quasi-identifier by itself are counted, in one reading of the table, because the theory looks
//! at no more. Guarantees have no say here: `release` with a search that minimises these preferences brings them in.

mod marginals;
pub mod plots;
mod report;
mod sweeps;

use equanym_core::balance::{self, Balance};
use equanym_core::hierarchy::Hierarchy;

pub use report::{BalanceReport, Budget, LevelFound, Optimum, Priced, Totals, VariableFound};
pub use sweeps::{PointsCell, Sweep, Sweeps, SweptPiece, SweptPoints, SweptRatio, SweptVariable};

use crate::count::tabulate::{fit_variables, recode};
use crate::decide::Counted;
use crate::decide::balance::{market, refused};
use crate::decide::columns::Columns;
use crate::decide::ladder_gap;
use crate::error::{Error, Result};
use crate::policy::{Policy, Preferences, ValueKind};
use crate::progress::Progress;
use crate::read::Data;
use crate::treat;
use crate::treat::key::Key;
use crate::words::rule_in_words;

/// What a balance is asked.
pub struct BalanceRequest<'a> {
    /// The table.
    pub data: Data<'a>,
    /// Roles, ladders, points and preferences.
    pub policy: &'a Policy,
    /// Bytes that the distinct values may take.
    pub memory: usize,
    /// Whether messages may show the beginnings of values that do not fit.
    pub show_values: bool,
    /// What is varied.
    pub sweeps: &'a [Sweep],
    /// Hears how far it has come.
    pub progress: &'a dyn Progress,
}

/// A solved balance, to be shown or plotted.
pub struct Solved {
    /// What was found, for people and programs.
    pub report: BalanceReport,
    /// The market and its optimum.
    pub balance: Balance,
    /// What is sought.
    pub sought: balance::Preferences,
    /// For each variable its levels in words.
    pub rungs: Vec<Vec<String>>,
}

/// Balances the quasi-identifiers of a table.
pub fn balance(request: &BalanceRequest<'_>) -> Result<Solved> {
    let policy = request.policy;
    policy.require_balance()?;
    let source = request.data.open(&policy.data)?;
    policy.check_columns(source.columns())?;
    let (source, _) = treat::treated(source, policy.treatments(), Key::fixed()?)?;
    let columns = Columns::of(policy, &source);
    let places = columns.places.get(..columns.quasi.len()).unwrap_or_default();
    let counted = marginals::count(&source, places, request.memory, request.progress)?;
    if counted.records == 0 {
        return Err(Error::unsafe_release("0 records: there is nothing to balance"));
    }
    let values = counted.values();
    let hierarchies = fit_variables(&columns.quasi, &values, |place| counted.occurrences(place))
        .map_err(|found| ladder_gap::explain(&found, &source, &columns, request.show_values))?;
    let counts = counted.by_code(&columns.quasi, &hierarchies);
    let usual = Preferences::default();
    let preferences = policy.preferences.as_ref().unwrap_or(&usual);
    let variables = columns.quasi.iter().copied().zip(hierarchies.iter().zip(&counts));
    let market = market(preferences, variables.map(|(policy, (ladder, counts))| (policy, ladder, counts.as_slice())))?;
    let in_words = |ladder: &Hierarchy| ladder.levels().iter().map(|level| rule_in_words(&level.rule)).collect();
    let rungs = hierarchies.iter().map(in_words).collect();
    Ok(Solved { rungs, ..solve(counted.records, preferences, market, request.sweeps)? })
}

/// The same for a table that is counted already.
pub(crate) fn of_counted(counted: &Counted<'_>) -> Result<Solved> {
    let (policy, keys, columns) = (counted.policy, &counted.keys, &counted.columns);
    if keys.counts.is_empty() {
        return Err(Error::unsafe_release("0 records: there is nothing to balance"));
    }
    let hierarchies = fit_variables(&columns.quasi, &keys.values, |place| keys.occurrences(place))
        .map_err(|found| ladder_gap::explain(&found, counted.source, columns, counted.show_values))?;
    let counts = columns.quasi.iter().zip(&hierarchies).enumerate().map(|(place, (variable, ladder))| {
        let is_number = variable.kind == ValueKind::Number;
        let codes = recode(&keys.columns[place], &keys.values[place], is_number, ladder)?;
        let mut records = vec![0; ladder.values().len()];
        codes.iter().zip(&keys.counts).for_each(|(code, count)| records[*code as usize] += count);
        Ok(records)
    });
    let counts = counts.collect::<Result<Vec<Vec<u64>>>>()?;
    let usual = Preferences::default();
    let preferences = policy.preferences.as_ref().unwrap_or(&usual);
    let variables = columns.quasi.iter().copied().zip(hierarchies.iter().zip(&counts));
    let market = market(preferences, variables.map(|(policy, (ladder, counts))| (policy, ladder, counts.as_slice())))?;
    solve(keys.records(), preferences, market, &[])
}

fn solve(records: u64, preferences: &Preferences, market: balance::Market, sweeps: &[Sweep]) -> Result<Solved> {
    let sought = preferences.sought()?;
    let sweeps = sweeps::of(&market, sought, sweeps).map_err(|error| refused(&error))?;
    let balance = Balance::solve(market, sought).map_err(|error| refused(&error))?;
    let report = BalanceReport::new(records, preferences, &balance, sweeps)?;
    Ok(Solved { report, balance, sought, rungs: Vec::new() })
}
