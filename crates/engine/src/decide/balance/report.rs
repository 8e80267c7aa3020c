//! What a balance is, as data: the layout of `balance --json`.
//!
//! Keys may be added later; none is renamed or removed. `optimum.x` and `optimum.y` are amounts of utility and protection,
//! as are `levels[].utility` and `levels[].protection`: entropy times points.

use equanym_core::balance::{Balance, Goods, Offer};
use equanym_core::report::{GoodsAmounts, NamedLevels, RationFindings};
use serde::Serialize;

use super::market::{levels, number, rations};
use super::sweeps::Sweeps;
use crate::decide::dial::{LevelReading, NewValueOffers};
use crate::error::Result;
use crate::policy::Preferences;

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BalanceReport {
    /// Records of the table.
    pub records: u64,
    /// The weight of utility.
    pub alpha: f64,
    /// The weight of privacy.
    pub beta: f64,
    /// Which optimum was sought.
    pub target: String,
    /// Which level is nearest to it.
    pub distance: String,
    /// In what entropy is counted.
    pub unit: &'static str,
    /// The entropy of all variables together.
    pub income: f64,
    /// What is spent of it.
    pub budget: Budget,
    /// The chosen level of each variable.
    pub node: NamedLevels,
    /// The satisfaction with the chosen levels.
    pub satisfaction: f64,
    /// The satisfaction that the optimum would give.
    pub optimum_satisfaction: f64,
    /// What all variables give together.
    pub total: Totals,
    /// The variables, in the order of the data.
    pub variables: Vec<MarketVariable>,
    /// What each ration costs at the optimum.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rations: Vec<RationFindings>,
    /// What was varied.
    #[serde(flatten)]
    pub sweeps: Sweeps,
}

/// Total utility and total protection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Totals {
    /// Of the chosen levels.
    pub chosen: GoodsAmounts,
    /// Of the optimum.
    pub optimum: GoodsAmounts,
    /// Of all levels as collected: the most utility.
    pub as_collected: GoodsAmounts,
    /// Of all levels at their tops: the most protection.
    pub at_the_top: GoodsAmounts,
}

/// What the income is spent on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Budget {
    /// What the optimum costs.
    pub optimum: f64,
    /// What the chosen levels cost.
    pub chosen: f64,
}

/// A variable on the market.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarketVariable {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Pair,
    /// Its entropy as collected.
    pub entropy: f64,
    /// What a unit of each good costs; absent where a good has no points.
    pub price: GoodPrices,
    /// The optimum.
    pub optimum: Optimum,
    /// The chosen level.
    pub level: u8,
    /// The utility at that level.
    pub utility: f64,
    /// The protection at that level.
    pub protection: f64,
    /// Its factor of the satisfaction.
    pub satisfaction: f64,
    /// All its levels.
    pub levels: Vec<MarketLevel>,
}

/// Points of both kinds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Pair {
    /// Of the user.
    pub user: f64,
    /// Of the intruder.
    pub intruder: f64,
}

/// What a unit of each good costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GoodPrices {
    /// Of utility.
    pub utility: Option<f64>,
    /// Of protection.
    pub protection: Option<f64>,
}

/// The optimum of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Optimum {
    /// Utility.
    pub x: f64,
    /// Protection.
    pub y: f64,
    /// Whether the variable has the entropy that it takes.
    pub attainable: bool,
}

/// A level of a variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarketLevel {
    /// Its number; 0 is as collected.
    pub level: u8,
    /// Its entropy; of new values what a user reads of it.
    pub entropy: f64,
    /// What a user learns.
    pub utility: f64,
    /// What an intruder does not.
    pub protection: f64,
    /// The factor of the satisfaction that it gives.
    pub satisfaction: f64,
    /// Whether bounds and rations allow it.
    pub allowed: bool,
    /// Of new values the setting of the method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// Of new values what was read of them, in entropy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<LevelReading>,
}

/// Rounding errors of an optimum that is just attainable.
const TOLERANCE: f64 = 1e-9;

impl BalanceReport {
    pub(super) fn new(
        records: u64,
        preferences: &Preferences,
        balance: &Balance,
        new_values: &NewValueOffers,
        sweeps: Sweeps,
    ) -> Result<Self> {
        let market = balance.market();
        let node = balance.node();
        let goods = balance.goods(&node);
        let found = |(place, offer): (usize, &Offer)| variable((balance, new_values), place, offer, node[place]);
        let total = |goods: &[Goods]| goods.iter().copied().sum::<Goods>().into();
        let shown = |entropy: fn(&Offer) -> f64| market.offers().iter().map(entropy).collect::<Vec<f64>>();
        Ok(Self {
            records,
            alpha: market.alpha(),
            beta: market.beta(),
            target: preferences.target.clone(),
            distance: preferences.distance.clone(),
            unit: preferences.unit.name(),
            income: market.income(),
            budget: Budget { optimum: market.cost(balance.optimum()), chosen: market.cost(&goods) },
            satisfaction: market.satisfaction(&goods),
            optimum_satisfaction: market.satisfaction(balance.optimum()),
            total: Totals {
                chosen: total(&goods),
                optimum: total(balance.optimum()),
                as_collected: total(&balance.goods_at(&shown(Offer::entropy))),
                at_the_top: total(&balance.goods_at(&shown(|_| 0.0))),
            },
            variables: market.offers().iter().enumerate().map(found).collect(),
            rations: rations(balance)?,
            sweeps,
            node: levels(balance, &node),
        })
    }
}

fn variable(
    (balance, new_values): (&Balance, &NewValueOffers),
    place: usize,
    offer: &Offer,
    chosen: usize,
) -> MarketVariable {
    let level = |level| MarketLevel {
        setting: offer.gets_new_values().then(|| new_values.words(level)),
        reading: new_values.reading(&offer.name, level),
        ..level_found(balance, place, offer, level)
    };
    let optimum = balance.optimum().get(place).copied().unwrap_or_default();
    let Goods { utility, protection } = offer.goods(chosen);
    let price = offer.price();
    let cost = optimum.utility * price.utility.unwrap_or(0.0) + optimum.protection * price.protection.unwrap_or(0.0);
    MarketVariable {
        name: offer.name.clone(),
        points: Pair { user: offer.points.user, intruder: offer.points.intruder },
        entropy: offer.entropy(),
        price: GoodPrices { utility: price.utility, protection: price.protection },
        optimum: Optimum {
            x: optimum.utility,
            y: optimum.protection,
            attainable: cost <= offer.entropy() * (1.0 + TOLERANCE),
        },
        level: number(chosen),
        utility,
        protection,
        satisfaction: balance.market().satisfaction_with(offer, Goods { utility, protection }),
        levels: (0..offer.entropies.len()).map(level).collect(),
    }
}

fn level_found(balance: &Balance, place: usize, offer: &Offer, level: usize) -> MarketLevel {
    let Goods { utility, protection } = offer.goods(level);
    let entropy = offer.entropies.get(level).copied().unwrap_or_default();
    let satisfaction = balance.market().satisfaction_with(offer, Goods { utility, protection });
    let allowed = balance.is_allowed(place, level);
    let (setting, reading) = (None, None);
    MarketLevel { level: number(level), entropy, utility, protection, satisfaction, allowed, setting, reading }
}
