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
//! A variable without entropy takes no part; its share of the exponents goes to the others.
//!
//! Source: Zielinski & Olivier 2010, sections 4 to 6; the coupled form is our own.

use super::bounds::Bounds;
use super::spending::{Demand, Unaffordable, spend};
use super::{BalanceError, Goods, Market, Offer, Price};

/// The optimum with one budget for all and without rations, by the formula.
#[must_use]
pub fn closed_form(market: &Market) -> Vec<Goods> {
    let total: f64 = market.offers().iter().map(|offer| sum(market.exponents(offer))).sum();
    let tau = if total > 0.0 { market.income() / total } else { 0.0 };
    let goods = |offer: &Offer| {
        let (alpha, beta) = market.exponents(offer);
        Goods { utility: offer.points.user * alpha * tau, protection: offer.points.intruder * beta * tau }
    };
    market.offers().iter().map(goods).collect()
}

/// The optimum with one budget for all, within the rations.
pub fn rationed(market: &Market) -> Result<Vec<Goods>, BalanceError> {
    let bounds = Bounds::of_all(market)?;
    let mut demands = Vec::new();
    for (offer, bounds) in market.offers().iter().zip(&bounds).filter(|(offer, _)| offer.entropy() > 0.0) {
        let (alpha, beta) = market.exponents(offer);
        let Price { utility, protection } = offer.price();
        let utility = utility.map(|price| demand(alpha, price, bounds.least.utility, bounds.most.utility));
        let protection = protection.map(|price| demand(beta, price, bounds.least.protection, bounds.most.protection));
        demands.extend([utility, protection].into_iter().flatten());
    }
    if demands.is_empty() {
        return Ok(vec![Goods::default(); market.offers().len()]);
    }
    let income = market.income();
    let spent = spend(&demands, income).map_err(|error| unaffordable(error, income))?;
    Ok(quantities(market, spent.into_iter()))
}

/// The optimum with one budget for each variable, within the rations.
pub fn coupled(market: &Market) -> Result<Vec<Goods>, BalanceError> {
    let bounds = Bounds::of_all(market)?;
    let optimum = |(offer, bounds): (&Offer, &Bounds)| {
        let (low, high) = bounds.interval(offer)?;
        Ok(offer.goods_at((retained(market, offer) * offer.entropy()).clamp(low, high)))
    };
    market.offers().iter().zip(&bounds).map(optimum).collect()
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
            let is_good = offer.entropy() > 0.0 && points > 0.0;
            if is_good { points * spent.next().unwrap_or_default() } else { 0.0 }
        };
        let utility = buy(offer.points.user);
        Goods { utility, protection: buy(offer.points.intruder) }
    };
    market.offers().iter().map(goods).collect()
}

fn unaffordable(error: Unaffordable, income: f64) -> BalanceError {
    match error {
        Unaffordable::Surplus(most) => BalanceError::Surplus { most, income },
        Unaffordable::Deficit(needed) => BalanceError::Deficit { needed, income },
        // The bounds of each good were compared before.
        Unaffordable::Crossed(_) => BalanceError::Deficit { needed: income, income },
    }
}

fn sum((alpha, beta): (f64, f64)) -> f64 {
    alpha + beta
}
