//! What rations cost: the satisfaction that the optimum would have without each, and its shadow price.
//!
//! The shadow price is the share of the satisfaction that is gained when a bound is loosened by one unit of its good, at the
//! margin: the multiplier of the bound. It is taken from the optimum itself, solved again with the bound loosened by a
//! trifle, so it means the same for every target and for bounds on all variables together. A bound that does not bind costs
//! nothing.
//!
//! Limit: this is the price at the optimum, not at the levels that are chosen, which can only jump.

use super::{Amount, Balance, BalanceError, Goods, Market, Ration};

/// What a bound costs.
#[derive(Debug, Clone, PartialEq)]
pub struct RationCost {
    /// The variable; none where the bound is on all of them together.
    pub variable: Option<usize>,
    /// Utility or protection.
    pub good: &'static str,
    /// Whether it is the least; otherwise the most.
    pub is_least: bool,
    /// The amount.
    pub amount: f64,
    /// The satisfaction of the optimum without it.
    pub without: f64,
    /// The share of the satisfaction that a unit less of it would gain; none where the satisfaction vanishes.
    pub price: Option<f64>,
}

/// By what share of its amount a bound is loosened.
const TRIFLE: f64 = 1e-5;

/// What a bound that does not bind seems to cost, by rounding.
const NOISE: f64 = 1e-8;

/// What each bound of a balance costs, in the order of the variables; those on all of them come last.
pub fn ration_costs(balance: &Balance) -> Result<Vec<RationCost>, BalanceError> {
    let market = balance.market();
    let offers = market.offers().iter().enumerate();
    let rations = offers.map(|(place, offer)| (Some(place), offer.ration)).chain([(None, market.total())]);
    let mut costs = Vec::new();
    for (variable, ration) in rations {
        let rationed = RationOwner { balance, variable, ration };
        for bound in BOUNDS {
            costs.extend(rationed.cost(bound)?);
        }
    }
    Ok(costs)
}

/// The rations of a variable, or of all together.
struct RationOwner<'a> {
    balance: &'a Balance,
    variable: Option<usize>,
    ration: Ration,
}

/// One of the four bounds of a ration.
struct RationBound {
    good: &'static str,
    is_least: bool,
    of: fn(&mut Ration) -> &mut Option<Amount>,
    amount: fn(Goods) -> f64,
}

impl RationBound {
    const fn of_utility(is_least: bool, of: fn(&mut Ration) -> &mut Option<Amount>) -> Self {
        Self { good: "utility", is_least, of, amount: |goods| goods.utility }
    }

    const fn of_protection(is_least: bool, of: fn(&mut Ration) -> &mut Option<Amount>) -> Self {
        Self { good: "protection", is_least, of, amount: |goods| goods.protection }
    }
}

const BOUNDS: &[RationBound] = &[
    RationBound::of_utility(true, |ration| &mut ration.min_utility),
    RationBound::of_utility(false, |ration| &mut ration.max_utility),
    RationBound::of_protection(true, |ration| &mut ration.min_protection),
    RationBound::of_protection(false, |ration| &mut ration.max_protection),
];

impl RationOwner<'_> {
    /// What a bound costs, if it is set.
    fn cost(&self, bound: &RationBound) -> Result<Option<RationCost>, BalanceError> {
        let (market, variable) = (self.balance.market(), self.variable);
        let amount = match (*(bound.of)(&mut self.ration.clone()), variable) {
            (None, _) => return Ok(None),
            (Some(Amount::Of(amount)), _) => amount,
            (Some(Amount::Level(level)), Some(place)) => (bound.amount)(market.offers()[place].goods(level.into())),
            (Some(Amount::Level(level)), None) => return Err(BalanceError::LevelOfAll { level }),
        };
        let trifle = TRIFLE * amount;
        let loosened = if bound.is_least { amount - trifle } else { amount + trifle };
        let now = market.satisfaction(self.balance.optimum());
        let then = self.satisfaction_with(bound, Some(Amount::Of(loosened)))?;
        let gained = |trifle: f64| if trifle > 0.0 { (then / now).ln() / trifle } else { 0.0 };
        let price = (now > 0.0).then(|| gained(trifle)).map(|price| if price < NOISE { 0.0 } else { price });
        let without = self.satisfaction_with(bound, None)?;
        Ok(Some(RationCost { variable, good: bound.good, is_least: bound.is_least, amount, without, price }))
    }

    /// The satisfaction of the optimum with another bound in the place of this one.
    fn satisfaction_with(&self, bound: &RationBound, given: Option<Amount>) -> Result<f64, BalanceError> {
        let mut changed = self.ration;
        *(bound.of)(&mut changed) = given;
        let market: Market = self.balance.market().with_ration(self.variable, changed);
        Ok(market.satisfaction(&self.balance.optimum_of(&market)?))
    }
}
