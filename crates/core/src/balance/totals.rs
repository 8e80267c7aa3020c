//! The optimum within bounds on all variables together.
//!
//! Maximise Σ w ln e, where each budget is spent on its goods, each good stays within its own bounds, and the sums of
//! utility and of protection stay within theirs. The problem is concave, so two multipliers decide: μ rewards each unit of
//! utility and ν each unit of protection, by as much as makes the sums keep their bounds and by nothing where they do by
//! themselves. For given multipliers a good of p points has the reward c = μp or νp, and of a budget it gets w/(λ − c)
//! within its bounds, with the λ that spends the budget. The sum of utility never falls with μ when ν is set for each μ
//! anew, so μ, ν and λ are found by halving. A good whose reward is above λ is at its upper bound.
//!
//! A good without weight counts as if it had a trifle of it: it takes what the others leave.
//!
//! Limit: multipliers end at e²⁴; what they do not reach is refused with the nearest sums. Beyond, what two goods of a budget
//! are rewarded with would differ by less than their rounding errors.
//!
//! Source: equanym; bounds on single goods are in [`super::spending`].

use super::bounds::{Bounds, MissedBound};
use super::{Demand, Goods};

/// What is spent on its goods and on nothing else.
pub(super) struct GoodsBudget {
    pub(super) income: f64,
    pub(super) goods: Vec<BudgetGood>,
}

/// A good, and what a unit of spending buys of it.
pub(super) struct BudgetGood {
    pub(super) demand: Demand,
    pub(super) points: f64,
    pub(super) is_utility: bool,
}

/// The weight of a good that has none.
const TRIFLE: f64 = 1e-12;

/// Spending that misses its income by this share of it is too little.
const SHORT: f64 = 1e-9;

/// How often intervals are halved.
const HALVINGS: u32 = 48;

/// How far prices and rewards go, as logarithms.
const PRICES: f64 = 60.0;
const REWARDS: f64 = 24.0;

/// What a unit of the goods is rewarded with.
#[derive(Debug, Clone, Copy, Default)]
struct GoodReward {
    utility: f64,
    protection: f64,
}

/// The spending on the goods of each budget that satisfies most; `miss` says by how much sums miss the bounds.
pub(super) fn spend(
    budgets: &[GoodsBudget],
    miss: &dyn Fn(Goods) -> Option<MissedBound>,
    total: &Bounds,
) -> Result<Vec<Vec<f64>>, MissedBound> {
    let within = |utility: f64| {
        let at = |protection: f64| sums(budgets, GoodReward { utility, protection }).protection;
        GoodReward { utility, protection: settle(&at, total.least.protection, total.most.protection) }
    };
    let at = |utility: f64| sums(budgets, within(utility)).utility;
    let reward = within(settle(&at, total.least.utility, total.most.utility));
    match miss(sums(budgets, reward)) {
        Some(miss) => Err(miss),
        None => Ok(budgets.iter().map(|budget| budget.spend(reward)).collect()),
    }
}

/// The multiplier nearest to 0 that brings a sum that never falls between two bounds.
fn settle(sum: &dyn Fn(f64) -> f64, least: f64, most: f64) -> f64 {
    let free = sum(0.0);
    let sign = match (free < least, free > most) {
        (true, _) => 1.0,
        (_, true) => -1.0,
        _ => return 0.0,
    };
    let holds = |logarithm: f64| {
        let found = sum(sign * logarithm.exp());
        if sign > 0.0 { found >= least } else { found <= most }
    };
    sign * halve(REWARDS, &holds).exp()
}

/// The least logarithm at which something holds that goes on to hold.
fn halve(far: f64, holds: &dyn Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (-far, far);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if holds(middle) { high = middle } else { low = middle }
    }
    high
}

/// The goods that all budgets buy together.
fn sums(budgets: &[GoodsBudget], reward: GoodReward) -> Goods {
    let bought = |budget: &GoodsBudget| {
        let goods = budget.goods.iter().zip(budget.spend(reward));
        goods.map(|(good, spent)| good.bought(spent)).sum::<Goods>()
    };
    budgets.iter().map(bought).sum()
}

impl BudgetGood {
    fn bought(&self, spent: f64) -> Goods {
        let amount = self.points * spent;
        if self.is_utility {
            Goods { utility: amount, protection: 0.0 }
        } else {
            Goods { utility: 0.0, protection: amount }
        }
    }

    fn reward(&self, reward: GoodReward) -> f64 {
        self.points * if self.is_utility { reward.utility } else { reward.protection }
    }
}

impl GoodsBudget {
    /// What is spent on each good, given the rewards.
    fn spend(&self, reward: GoodReward) -> Vec<f64> {
        let rewards = || self.goods.iter().map(|good| good.reward(reward));
        let unbounded = self.goods.iter().filter(|good| good.demand.most.is_infinite());
        let endless = unbounded.map(|good| good.reward(reward)).reduce(f64::max);
        let spent = self.spend_above(endless.unwrap_or_else(|| rewards().fold(f64::NEG_INFINITY, f64::max)), reward);
        let is_short = endless.is_none() && spent.iter().sum::<f64>() < self.income * (1.0 - SHORT);
        if is_short { self.spend_above(rewards().fold(f64::INFINITY, f64::min), reward) } else { spent }
    }

    /// What is spent on each good at a price λ above a floor; a good that is rewarded with more than the price is at its bound.
    fn spend_above(&self, floor: f64, reward: GoodReward) -> Vec<f64> {
        let at = |logarithm: f64| {
            let spent = move |good: &BudgetGood| {
                let Demand { weight, least, most } = good.demand;
                let price = logarithm.exp() + (floor - good.reward(reward));
                let spent = if price > 0.0 { weight.max(TRIFLE) / price } else { f64::INFINITY };
                spent.max(least).min(most)
            };
            self.goods.iter().map(spent)
        };
        let holds = |logarithm: f64| at(logarithm).sum::<f64>() <= self.income;
        at(halve(PRICES, &holds)).collect()
    }
}
