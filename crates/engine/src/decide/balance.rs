//! What a search by preferences minimises, and what a guarantee cost.
//!
//! The market takes entropies from counts, points and rations from the policy. The cost of a guarantee is the node of a
//! release beside the one that the preferences alone would have chosen.

use equanym_core::balance::{self, Balance, Imbalance, Market, Offer};
use equanym_core::entropy;
use equanym_core::frequency::Table;
use equanym_core::hierarchy::Hierarchy;
use equanym_core::loss::Count;
use equanym_core::report::{Balanced, Levels, Unconstrained};

use crate::error::{Error, Result};
use crate::policy::{Policy, Preferences, VariablePolicy};

/// The balance of a counted table, and what its search minimises when so many records may be suppressed.
pub(crate) fn weigh(policy: &Policy, table: &Table, suppressed: u64) -> Result<(Balance, Imbalance)> {
    policy.require_balance()?;
    let usual = Preferences::default();
    let preferences = policy.preferences.as_ref().unwrap_or(&usual);
    let listed = |name: &str| policy.variables.iter().find(|variable| variable.name == *name);
    let counts = (0..).map(|variable| table.value_counts(variable));
    let variables = table.variables.iter().zip(counts);
    let variables = variables.filter_map(|(one, counts)| Some((listed(&one.name)?, &one.hierarchy, counts)));
    let market = market(preferences, variables)?;
    let balance = Balance::solve(market, preferences.sought()?).map_err(|error| refused(&error))?;
    let imbalance = if preferences.charge_suppression {
        Imbalance::charging(&balance, table, suppressed, preferences.unit.per_bit())
    } else {
        Imbalance::new(&balance)
    };
    Ok((balance, imbalance))
}

/// Preferences that no table can satisfy, or that this one cannot.
pub(crate) fn refused(error: &balance::BalanceError) -> Error {
    let hint = match error {
        balance::BalanceError::Deficit { .. } | balance::BalanceError::Impossible { .. } => {
            "lower a minimum: what a variable shows and what it withholds share its entropy"
        }
        balance::BalanceError::Surplus { .. } | balance::BalanceError::Unused { .. } => {
            "raise a maximum: what a variable does not show it withholds"
        }
        balance::BalanceError::NoLevel { .. } => {
            "loosen the ration, give it as a level, or add a level in between to the hierarchy"
        }
        balance::BalanceError::NoSuchLevel { .. } => {
            "level 0 is the value as collected, the last one is the same for all"
        }
        _ => return Error::input(error.to_string()),
    };
    Error::input(error.to_string()).hint(hint)
}

/// The market of these variables, each with its ladder and the records with each value.
pub(crate) fn market<'a>(
    preferences: &Preferences,
    variables: impl Iterator<Item = (&'a VariablePolicy, &'a Hierarchy, &'a [u64])>,
) -> Result<Market> {
    let offer = |(policy, ladder, counts): (&VariablePolicy, &Hierarchy, &[u64])| {
        let (min_level, max_level) = policy.level_bounds(ladder.height())?;
        let entropies =
            entropy::codings(ladder, counts).into_iter().map(|coding| preferences.unit.per_bit() * coding.entropy());
        Ok(Offer {
            min_level: min_level.into(),
            max_level: max_level.into(),
            ration: preferences.ration.get(&policy.name).copied().unwrap_or_default(),
            ..Offer::new(policy.name.clone(), entropies.collect(), policy.points.unwrap_or_default())
        })
    };
    let offers = variables.map(offer).collect::<Result<Vec<_>>>()?;
    Market::new(preferences.alpha, preferences.beta, offers).map_err(|error| refused(&error))
}

/// The counted node of a release beside the one without guarantees.
pub(crate) fn guarantee_cost(policy: &Policy, balance: &Balance, table: &Table, count: &Count<'_>) -> Balanced {
    let usual = Preferences::default();
    let preferences = policy.preferences.as_ref().unwrap_or(&usual);
    let node: Vec<usize> = count.set.node.0.iter().map(|&level| usize::from(level)).collect();
    let free = balance.node();
    let shown: Vec<f64> = if preferences.charge_suppression {
        balance::shown(table, count).iter().map(|bits| preferences.unit.per_bit() * bits).collect()
    } else {
        balance.shown(&node)
    };
    let satisfaction = |shown: &[f64]| balance.market().satisfaction(&balance.goods_at(shown));
    Balanced {
        target: preferences.target.clone(),
        distance: preferences.distance.clone(),
        charge_suppression: preferences.charge_suppression,
        satisfaction: satisfaction(&shown),
        off_optimum: balance.distance_at(&shown),
        unconstrained: Unconstrained {
            node: levels(balance, &free),
            satisfaction: satisfaction(&balance.shown(&free)),
            off_optimum: balance.distance(&free),
        },
    }
}

/// The levels of a node by name.
pub(crate) fn levels(balance: &Balance, node: &[usize]) -> Levels {
    let offers = balance.market().offers().iter().zip(node);
    let number = |level: usize| u8::try_from(level).unwrap_or(u8::MAX);
    Levels(offers.map(|(offer, &level)| (offer.name.clone(), number(level))).collect())
}
