//! The optimum levels of utility and protection: with one budget for all, and with one for each variable.
//!
//! **One budget** (the paper's): maximise the satisfaction where all goods together cost the income. Without rations
//! each good gets its share of the exponents, x = αq²I/(100(α+β)) and y = βr²I/(100(α+β)) ([`closed_form`]); with them
//! [`rationed`] spends the income good by good. The budget is one number, so entropy of one variable can be spent on
//! another, and the optimum of a variable may lie beyond anything that its levels reach.
//!
//! **One budget each** ([`coupled`]): every level of a variable spends exactly its entropy H, so the optimum does too. The
//! retained share is π = αq/(αq + βr); x = qHπ and y = rH(1 − π); rations narrow what may be retained to an interval.
//!
//! Bounds on all variables together are met by [`super::totals`], with either kind of budget.
//!
//! A variable without entropy has no budget of its own. One budget for all grants it its share of the income, as published,
//! though no level of it gives anything: what others get does not depend on it.
//!
//! Source: Zielinski & Olivier 2010, sections 4 to 6; the coupled form is our own.

use super::bounds::{Bounds, MissedBound};
use super::spending::{Demand, SpendingError, spend};
use super::totals::{self, BudgetGood, GoodsBudget};
use super::{BalanceError, Goods, Market, Offer, Price};

/// The optimum with one budget for all and without rations, by the formula.
#[must_use]
pub fn closed_form(market: &Market) -> Vec<Goods> {
    let total: f64 = market.offers().iter().map(|offer| sum(market.published_exponents(offer))).sum();
    let tau = if total > 0.0 { market.income() / total } else { 0.0 };
    let goods = |offer: &Offer| {
        let (alpha, beta) = market.published_exponents(offer);
        Goods { utility: offer.points.user * alpha * tau, protection: offer.points.intruder * beta * tau }
    };
    market.offers().iter().map(goods).collect()
}

/// The optimum with one budget for all, within the rations.
pub fn rationed(market: &Market) -> Result<Vec<Goods>, BalanceError> {
    let bounds = Bounds::of_all(market)?;
    let goods: Vec<BudgetGood> = market.offers().iter().zip(&bounds).flat_map(|pair| goods_of(market, pair)).collect();
    let income = market.income();
    let demands: Vec<Demand> = goods.iter().map(|good| good.demand).collect();
    let spent = spend(&demands, income).map_err(|error| unaffordable(error, income))?;
    let total = Bounds::in_total(market)?;
    if total.are_idle() {
        return Ok(quantities(market, spent.into_iter()));
    }
    let spent = within(market, &[GoodsBudget { income, goods }], &total)?;
    Ok(quantities(market, spent.into_iter().flatten()))
}

/// The goods of a variable that have a price.
fn goods_of(market: &Market, (offer, bounds): (&Offer, &Bounds)) -> Vec<BudgetGood> {
    let (alpha, beta) = market.published_exponents(offer);
    let Price { utility, protection } = offer.price();
    let Bounds { least, most } = bounds;
    let good = |demand, points, is_utility| BudgetGood { demand, points, is_utility };
    let utility = utility.map(|price| demand(alpha, price, least.utility, most.utility));
    let protection = protection.map(|price| demand(beta, price, least.protection, most.protection));
    let utility = utility.map(|demand| good(demand, offer.points.user, true));
    let protection = protection.map(|demand| good(demand, offer.points.intruder, false));
    [utility, protection].into_iter().flatten().collect()
}

/// The optimum with one budget for each variable, within the rations.
pub fn coupled(market: &Market) -> Result<Vec<Goods>, BalanceError> {
    let bounds = Bounds::of_all(market)?;
    let intervals = market.offers().iter().zip(&bounds).map(|(offer, bounds)| bounds.interval(offer));
    let intervals = intervals.collect::<Result<Vec<_>, _>>()?;
    let shown =
        |(offer, &(low, high)): (&Offer, &(f64, f64))| (retained(market, offer) * offer.entropy()).clamp(low, high);
    let mut shown: Vec<f64> = market.offers().iter().zip(&intervals).map(shown).collect();
    let total = Bounds::in_total(market)?;
    if !total.are_idle() {
        let budgets: Vec<GoodsBudget> = market
            .offers()
            .iter()
            .zip(&intervals)
            .map(|(offer, interval)| own_budget(market, offer, *interval))
            .collect();
        // The first good of each budget is its utility.
        shown = within(market, &budgets, &total)?.into_iter().map(|spent| spent[0]).collect();
    }
    Ok(market.offers().iter().zip(shown).map(|(offer, shown)| offer.goods_at(shown)).collect())
}

/// The budget of a variable, which shows an entropy of this interval and withholds the rest.
fn own_budget(market: &Market, offer: &Offer, (low, high): (f64, f64)) -> GoodsBudget {
    let (alpha, beta) = market.exponents(offer);
    let income = offer.entropy();
    let good = |weight, least, most, points, is_utility| BudgetGood {
        demand: Demand { weight, least, most },
        points,
        is_utility,
    };
    let utility = good(alpha, low, high, offer.points.user, true);
    GoodsBudget { income, goods: vec![utility, good(beta, income - high, income - low, offer.points.intruder, false)] }
}

/// What is spent where the goods of all variables together have bounds.
fn within(market: &Market, budgets: &[GoodsBudget], total: &Bounds) -> Result<Vec<Vec<f64>>, BalanceError> {
    let miss = |goods: Goods| total.miss_in_total(market, goods);
    totals::spend(budgets, &miss, total).map_err(|MissedBound { good, found, wanted, .. }| BalanceError::Total {
        good,
        found,
        wanted,
    })
}

/// The share of its entropy that a variable keeps at its own optimum.
pub(super) fn retained(market: &Market, offer: &Offer) -> f64 {
    let (alpha, beta) = market.exponents(offer);
    if alpha + beta > 0.0 { alpha / (alpha + beta) } else { 0.0 }
}

fn demand(weight: f64, price: f64, least: f64, most: f64) -> Demand {
    Demand { weight, least: least * price, most: most * price }
}

/// Amounts of the goods that spendings buy, given in the order of the demands.
fn quantities(market: &Market, mut spent: impl Iterator<Item = f64>) -> Vec<Goods> {
    let goods = |offer: &Offer| {
        let mut buy = |points: f64| {
            if points > 0.0 { points * spent.next().unwrap_or_default() } else { 0.0 }
        };
        let utility = buy(offer.points.user);
        Goods { utility, protection: buy(offer.points.intruder) }
    };
    market.offers().iter().map(goods).collect()
}

fn unaffordable(error: SpendingError, income: f64) -> BalanceError {
    match error {
        SpendingError::Surplus(most) => BalanceError::Surplus { most, income },
        SpendingError::Deficit(needed) => BalanceError::Deficit { needed, income },
        // The bounds of each good were compared before.
        SpendingError::Crossed(_) => BalanceError::Deficit { needed: income, income },
    }
}

fn sum((alpha, beta): (f64, f64)) -> f64 {
    alpha + beta
}
