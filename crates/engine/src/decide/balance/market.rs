//! What a search by preferences minimises, and what a guarantee cost.
//!
//! The market takes entropies from counts, points and rations from the policy. The cost of a guarantee is the node of a
//! release beside the one that the preferences alone would have chosen.

use equanym_core::balance::{self, Balance, Goods, Imbalance, Market, Offer, Ration, RationCost, ration_costs};
use equanym_core::entropy;
use equanym_core::frequency::Table;
use equanym_core::hierarchy::Hierarchy;
use equanym_core::loss::JudgedClasses;
use equanym_core::report::{BalanceFindings, FreeChoice, NamedLevels, RationFindings, VariableBalance};

use crate::decide::dial::NewValueOffers;
use crate::decide::fitting::Fitting;
use crate::decide::unbalanced::refused;
use crate::error::{Error, Result};
use crate::policy::{Policy, Preferences, Suppression, VariablePolicy};

/// A balance, and what its search minimises.
pub(crate) struct SoughtBalance {
    pub balance: Balance,
    pub imbalance: Imbalance,
}

/// The balance of a counted table, and what its search minimises when so many records may be suppressed.
pub(crate) fn weigh(policy: &Policy, fitting: &Fitting, suppressed: u64) -> Result<SoughtBalance> {
    let Fitting { table, new_values, .. } = fitting;
    policy.require_balance()?;
    let usual = Preferences::default();
    let preferences = policy.preferences.as_ref().unwrap_or(&usual);
    let listed = |name: &str| policy.variables.iter().find(|variable| variable.name == *name);
    let counts = (0..).map(|variable| table.value_counts(variable));
    let variables = table.variables.iter().zip(counts);
    let variables = variables.filter_map(|(one, counts)| Some((listed(&one.name)?, &one.hierarchy, counts)));
    if !new_values.offers.is_empty() && preferences.total != Ration::default() {
        return Err(no_total());
    }
    let market = market(preferences, variables, new_values)?;
    let unit = preferences.unit.per_bit();
    let make = |balance: &Balance| match preferences.suppression {
        Suppression::Free => Ok(Imbalance::new(balance)),
        Suppression::Charged => Imbalance::charging(balance, table, suppressed, unit),
        Suppression::Chosen => Imbalance::choosing(balance, table, suppressed, unit),
    };
    // What is withheld may meet a ration that no level meets as it stands.
    let solve = if preferences.suppression == Suppression::Free { Balance::solve } else { Balance::before_withholding };
    let balance = solve(market, preferences.sought()?).map_err(|error| refused(&error))?;
    let imbalance = make(&balance).map_err(|error| refused(&error))?;
    Ok(SoughtBalance { balance, imbalance })
}

/// Levels are searched for, and settings of new values are tried: nobody looks at both at once.
fn no_total() -> Error {
    let message = "[preferences.total] bounds recoded variables and those with new values together, which a release does not keep";
    Error::input(message).hint("bound single variables by [preferences.ration], or look at it with `equanym balance`")
}

/// The market of these variables, each with its ladder and the records with each value.
pub(super) fn market<'a>(
    preferences: &Preferences,
    variables: impl Iterator<Item = (&'a VariablePolicy, &'a Hierarchy, &'a [u64])>,
    new_values: &NewValueOffers,
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
    let recoded = variables.map(offer).collect::<Result<Vec<_>>>()?;
    let offers = recoded.into_iter().chain(new_values.offers.iter().cloned()).collect();
    let market = Market::new(preferences.alpha, preferences.beta, offers).map_err(|error| refused(&error))?;
    Ok(market.with_total(preferences.total))
}

/// The counted node of a release, with what is released of it, beside the one without guarantees.
pub(crate) fn balanced(
    policy: &Policy,
    balance: &Balance,
    table: &Table,
    count: &JudgedClasses<'_>,
) -> Result<BalanceFindings> {
    let usual = Preferences::default();
    let preferences = policy.preferences.as_ref().unwrap_or(&usual);
    let recoded = count.set.node.0.iter().map(|&level| usize::from(level));
    let new_values = balance.new_value_level().map_err(|error| refused(&error))?.unwrap_or_default();
    let others = balance.market().offers().len().saturating_sub(table.variables.len());
    let node: Vec<usize> = recoded.chain(std::iter::repeat_n(new_values, others)).collect();
    let mut goods = balance.goods(&node);
    if preferences.suppression != Suppression::Free {
        let shown = balance::shown(table, count).into_iter().map(|bits| preferences.unit.per_bit() * bits);
        let left = balance.goods_at(&shown.collect::<Vec<f64>>());
        goods.iter_mut().zip(left).for_each(|(goods, left)| *goods = left);
    }
    let total = |goods: &[Goods]| goods.iter().copied().sum::<Goods>().into();
    let variable = |((offer, &goods), &optimum): ((&Offer, &Goods), &Goods)| VariableBalance {
        name: offer.name.clone(),
        goods: goods.into(),
        optimum: optimum.into(),
        levels: (0..offer.entropies.len()).map(|level| offer.goods(level).into()).collect(),
    };
    Ok(BalanceFindings {
        target: preferences.target.clone(),
        distance: preferences.distance.clone(),
        suppression: preferences.suppression.name(),
        left_out: None,
        satisfaction: balance.market().satisfaction(&goods),
        off_optimum: balance.distance_of(&goods),
        total: total(&goods),
        optimum: total(balance.optimum()),
        variables: balance.market().offers().iter().zip(&goods).zip(balance.optimum()).map(variable).collect(),
        rations: rations(balance)?,
        unconstrained: balance.free_node().map(|node| free_choice(balance, &node)),
    })
}

/// What the preferences choose where nothing has to be guaranteed and nothing is withheld.
fn free_choice(balance: &Balance, node: &[usize]) -> FreeChoice {
    let goods = balance.goods(node);
    FreeChoice {
        node: levels(balance, node),
        satisfaction: balance.market().satisfaction(&goods),
        off_optimum: balance.distance(node),
        total: goods.iter().copied().sum::<Goods>().into(),
    }
}

/// What each ration costs.
pub(super) fn rations(balance: &Balance) -> Result<Vec<RationFindings>> {
    let offers = balance.market().offers();
    let found = |cost: RationCost| {
        let RationCost { variable, good, is_least, amount, without, price } = cost;
        let side = if is_least { "min" } else { "max" };
        RationFindings {
            variable: variable.map(|place| offers[place].name.clone()),
            bound: format!("{side}_{good}"),
            amount,
            satisfaction_without: without,
            price,
        }
    };
    let costs = ration_costs(balance).map_err(|error| refused(&error))?;
    Ok(costs.into_iter().map(found).collect())
}

/// Level numbers are bytes.
pub(super) fn number(level: usize) -> u8 {
    u8::try_from(level).unwrap_or(u8::MAX)
}

/// The levels of a node by name.
pub(super) fn levels(balance: &Balance, node: &[usize]) -> NamedLevels {
    let offers = balance.market().offers().iter().zip(node);
    NamedLevels(offers.map(|(offer, &level)| (offer.name.clone(), number(level))).collect())
}
