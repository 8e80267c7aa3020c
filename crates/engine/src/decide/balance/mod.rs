//! Price theory on a table: prices, budget, optimum and the levels nearest to it.
//!
//! | File | Idea |
//! |---|---|
//! | `market` | the market of a table, and what a search by preferences minimises |
//! | `report` | what a balance is, as data |
//! | `sweeps` | what becomes of it when preferences vary |

mod market;
mod report;
mod sweeps;

use equanym_core::balance::{self, Balance};
use equanym_core::frequency::Table;
use equanym_core::hierarchy::Hierarchy;

pub(crate) use market::{SoughtBalance, balanced, weigh};
pub use report::{BalanceReport, Budget, GoodPrices, MarketLevel, MarketVariable, Optimum, Totals};
pub(crate) use sweeps::over_points;
pub use sweeps::{PointsCell, Sweep, Sweeps, SweptPiece, SweptPoints, SweptRatio, SweptVariable};

use crate::decide::dial::NewValueOffers;
use crate::decide::unbalanced::refused;
use crate::error::Result;
use crate::policy::{Policy, Preferences, VariablePolicy};
use crate::words::rule_in_words;

/// A solved balance, to be shown or drawn.
pub struct BalanceSolution {
    /// What was found, for people and programs.
    pub report: BalanceReport,
    /// The market and its optimum.
    pub balance: Balance,
    /// What is sought.
    pub sought: balance::Preferences,
    /// For each variable its levels in words.
    pub rungs: Vec<Vec<String>>,
}

/// The balance of columns, each with its ladder and the records with each of its values.
pub(crate) fn solve(
    policy: &Policy,
    records: u64,
    columns: &[(&VariablePolicy, &Hierarchy, &[u64])],
    new_values: &NewValueOffers,
    sweeps: &[Sweep],
) -> Result<BalanceSolution> {
    let usual = Preferences::default();
    let preferences = policy.preferences.as_ref().unwrap_or(&usual);
    let market = market::market(preferences, columns.iter().copied(), new_values)?;
    let sought = preferences.sought()?;
    let sweeps = sweeps::vary(&market, sought, sweeps).map_err(|error| refused(&error))?;
    let balance = Balance::solve(market, sought).map_err(|error| refused(&error))?;
    let report = BalanceReport::new(records, preferences, &balance, new_values, sweeps)?;
    let in_words = |(_, ladder, _): &(&VariablePolicy, &Hierarchy, &[u64])| rungs_in_words(ladder);
    let settings =
        new_values.offers.iter().map(|offer| (0..offer.entropies.len()).map(|level| new_values.words(level)).collect());
    Ok(BalanceSolution { report, balance, sought, rungs: columns.iter().map(in_words).chain(settings).collect() })
}

fn rungs_in_words(ladder: &Hierarchy) -> Vec<String> {
    ladder.levels().iter().map(|level| rule_in_words(&level.rule)).collect()
}

/// The balance of a table.
pub(crate) fn of_table(
    policy: &Policy,
    table: &Table,
    new_values: &NewValueOffers,
    sweeps: &[Sweep],
) -> Result<BalanceSolution> {
    let listed = |name: &str| policy.variables.iter().find(|variable| variable.name == *name);
    let columns = table.variables.iter().enumerate();
    let columns = columns
        .filter_map(|(place, one)| Some((listed(&one.name)?, &one.hierarchy, table.value_counts(place))))
        .collect::<Vec<_>>();
    solve(policy, table.records, &columns, new_values, sweeps)
}
