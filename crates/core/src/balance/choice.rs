//! From the optimum to levels: which level of each variable is nearest to what is wanted.
//!
//! Levels that a ration forbids are left out first, because the nearest level may be one of them. Then the lowest [`Score`]
//! wins: nearest (or most satisfying), then the greater satisfaction, then the more general level. Each variable chooses for itself.
//! Only a guarantee, or a ration of all variables together, ties them. Then nodes are looked at from the best on until one
//! meets it.
//!
//! A variable with nothing at stake (no entropy, or points from nobody) has no optimum: [`UnwantedLevel`] says at which end of
//! its ladder it goes.

use super::bounds::{Bounds, MissedBound};
use super::distance::{self, Aim};
use super::score::{MOST_NATS, ScoreParts};
use super::target;
use super::{BalanceError, Goods, Market, Offer, Score, optimum};
use crate::cheapest::{CheapestLevels, OpenNodes};
use crate::lattice::{Lattice, Node};

/// What is sought, and how near is measured.
#[derive(Clone, Copy)]
pub struct Preferences {
    /// Which optimum is sought.
    pub target: &'static target::TargetMember,
    /// Which level is nearest to it.
    pub distance: &'static distance::DistanceMember,
    /// Where a variable goes that has nothing at stake.
    pub unwanted: UnwantedLevel,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { target: &target::ALL[0], distance: &distance::ALL[0], unwanted: UnwantedLevel::default() }
    }
}

/// Where a variable goes that has nothing at stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnwantedLevel {
    /// To the lowest level: as collected, if the policy allows it.
    #[default]
    AsCollected,
    /// To the highest level: withheld.
    Withheld,
}

/// A solved market: the optimum, and how good each level is.
#[derive(Clone)]
pub struct Balance {
    market: Market,
    preferences: Preferences,
    optimum: Vec<Goods>,
    aims: Vec<Aim>,
    /// The largest distance that the variables together can have.
    farthest: f64,
    /// For each variable the levels that may be used.
    allowed: Vec<Vec<bool>>,
    bounds: Vec<Bounds>,
    /// The bounds of all variables together.
    total: Bounds,
    /// The best level of each variable.
    node: Vec<usize>,
}

/// So many nodes are looked at for one that meets a ration of all variables together.
const MOST_NODES: u64 = 1_000_000;

impl Balance {
    /// Finds the optimum, and what levels there are to choose from. Rations must be met by each variable itself.
    pub fn solve(market: Market, preferences: Preferences) -> Result<Self, BalanceError> {
        let optimum = (preferences.target.optimum)(&market)?;
        let bounds = Bounds::of_all(&market)?;
        let allowed = market.offers().iter().zip(&bounds).map(allowed).collect::<Result<Vec<_>, _>>()?;
        let aims: Vec<Aim> =
            market.offers().iter().zip(&optimum).map(|(offer, &goods)| aim(&market, offer, goods)).collect();
        let farthest = aims.iter().map(|aim| farthest(aim, preferences.distance)).sum();
        let total = Bounds::in_total(&market)?;
        let mut balance =
            Self { market, preferences, optimum, aims, farthest, allowed, bounds, total, node: Vec::new() };
        balance.node = balance.best()?;
        Ok(balance)
    }

    /// The optimum of another market by the same preferences.
    pub(super) fn optimum_of(&self, market: &Market) -> Result<Vec<Goods>, BalanceError> {
        (self.preferences.target.optimum)(market)
    }

    /// The market.
    #[must_use]
    pub fn market(&self) -> &Market {
        &self.market
    }

    /// The optimum amounts of the goods of each variable.
    #[must_use]
    pub fn optimum(&self) -> &[Goods] {
        &self.optimum
    }

    /// Whether a level of a variable meets the bounds and the rations.
    #[must_use]
    pub fn is_allowed(&self, variable: usize, level: usize) -> bool {
        self.allowed.get(variable).and_then(|levels| levels.get(level)).copied().unwrap_or(false)
    }

    /// The best level of each variable.
    #[must_use]
    pub fn node(&self) -> Vec<usize> {
        self.node.clone()
    }

    /// The best levels of all that meet the rations.
    fn best(&self) -> Result<Vec<usize>, BalanceError> {
        let best = |(variable, levels): (usize, &Vec<bool>)| {
            let usable = (0..levels.len()).filter(|&level| levels[level]);
            usable.min_by_key(|&level| (self.score(variable, level), level)).unwrap_or_default()
        };
        let node: Vec<usize> = self.allowed.iter().enumerate().map(best).collect();
        if self.miss_in_total(&self.shown(&node)).is_none() { Ok(node) } else { self.best_in_total() }
    }

    /// The first node from the best on that meets the ration of all variables together; of those that are as good the
    /// lowest, as everywhere.
    fn best_in_total(&self) -> Result<Vec<usize>, BalanceError> {
        let costs = self.costs(|variable, level| self.score(variable, level).packed());
        let top = |levels: &Vec<Option<u128>>| u8::try_from(levels.len().saturating_sub(1)).unwrap_or(u8::MAX);
        let top: Node = costs.iter().map(top).collect::<Vec<u8>>().into();
        let lattice = Lattice { bottom: vec![0; costs.len()].into(), top };
        let (mut best, mut nearest, mut looked_at): (Option<(u128, Node)>, Option<MissedBound>, u64) = (None, None, 0);
        let choices = CheapestLevels::new(&costs, &lattice);
        let mut open = choices.as_ref().map(OpenNodes::new);
        while let Some((cost, node)) = open.as_mut().and_then(OpenNodes::next) {
            looked_at += 1;
            if best.as_ref().is_some_and(|(least, _)| cost > *least) || looked_at > MOST_NODES {
                break;
            }
            let is_better = best.as_ref().is_none_or(|best| (cost, &node) < (best.0, &best.1));
            match self.miss_in_total(&self.shown(&levels_of(&node))) {
                None if is_better => best = Some((cost, node)),
                Some(miss) if nearest.as_ref().is_none_or(|nearest| miss.by < nearest.by) => nearest = Some(miss),
                _ => {}
            }
        }
        match (best, nearest) {
            (Some((_, node)), _) => Ok(levels_of(&node)),
            (None, Some(MissedBound { good, found, wanted, .. })) if looked_at <= MOST_NODES => {
                Err(BalanceError::Total { good, found, wanted })
            }
            _ => Err(BalanceError::Endless { looked_at: MOST_NODES }),
        }
    }

    /// For each variable and level what it costs; nothing where it may not be used.
    pub(super) fn costs(&self, cost: impl Fn(usize, usize) -> u128) -> Vec<Vec<Option<u128>>> {
        let levels = |(variable, allowed): (usize, &Vec<bool>)| {
            allowed.iter().enumerate().map(|(level, &is_allowed)| is_allowed.then(|| cost(variable, level))).collect()
        };
        self.allowed.iter().enumerate().map(levels).collect()
    }

    /// Whether shown entropies meet every ration.
    #[must_use]
    pub fn keeps_rations(&self, shown: &[f64]) -> bool {
        let goods = self.goods_at(shown);
        let mut each = self.market.offers().iter().zip(&self.bounds).zip(goods);
        each.all(|((offer, bounds), goods)| bounds.miss(offer, goods).is_none()) && self.miss_in_total(shown).is_none()
    }

    /// Whether shown entropies meet the ration of all variables together.
    pub(super) fn keeps_total(&self, shown: &[f64]) -> bool {
        self.miss_in_total(shown).is_none()
    }

    fn miss_in_total(&self, shown: &[f64]) -> Option<MissedBound> {
        if self.total.are_idle() {
            return None;
        }
        self.total.miss_in_total(&self.market, self.goods_at(shown).into_iter().sum())
    }

    /// How good a level of a variable is.
    #[must_use]
    pub fn score(&self, variable: usize, level: usize) -> Score {
        let shown = self.market.offers()[variable].entropies[level];
        self.score_at(variable, level, shown)
    }

    /// How good a level is that shows less than its entropy, because records were suppressed.
    #[must_use]
    pub fn score_at(&self, variable: usize, level: usize, shown: f64) -> Score {
        let aim = &self.aims[variable];
        let distance = if self.preferences.target.nearest { (self.preferences.distance.at)(aim, shown) } else { 0.0 };
        self.weigh(variable, level, distance, self.lacking(aim, shown)).score()
    }

    /// No score of a level that shows at least `low` of its entropy is below this.
    #[must_use]
    pub fn least_score(&self, variable: usize, level: usize, low: f64) -> Score {
        let (aim, high) = (&self.aims[variable], self.market.offers()[variable].entropies[level]);
        let low = low.min(high);
        if low >= high {
            return self.score(variable, level);
        }
        let distance =
            if self.preferences.target.nearest { (self.preferences.distance.least)(aim, low, high) } else { 0.0 };
        let retained = optimum::retained(&self.market, &self.market.offers()[variable]);
        // A good may vanish at one end of the interval and be there everywhere else.
        let places = [(retained * aim.entropy).clamp(low, high), low, high];
        let shortfall =
            places.map(|shown| self.lacking(aim, shown).shortfall).into_iter().fold(f64::INFINITY, f64::min);
        self.weigh(variable, level, distance, SatisfactionGap { vanishing: 0.0, shortfall }).score().below()
    }

    /// The entropy that each variable shows at a node.
    #[must_use]
    pub fn shown(&self, node: &[usize]) -> Vec<f64> {
        self.market.offers().iter().zip(node).map(|(offer, &level)| offer.entropies[level]).collect()
    }

    /// The goods that a node gives.
    #[must_use]
    pub fn goods(&self, node: &[usize]) -> Vec<Goods> {
        self.goods_at(&self.shown(node))
    }

    /// The goods that shown entropies give.
    #[must_use]
    pub fn goods_at(&self, shown: &[f64]) -> Vec<Goods> {
        self.market.offers().iter().zip(shown).map(|(offer, &shown)| offer.goods_at(shown)).collect()
    }

    /// How far a node is from the optimum, by the distance that was chosen.
    #[must_use]
    pub fn distance(&self, node: &[usize]) -> f64 {
        self.distance_at(&self.shown(node))
    }

    /// How far shown entropies are from the optimum.
    #[must_use]
    pub fn distance_at(&self, shown: &[f64]) -> f64 {
        self.aims.iter().zip(shown).map(|(aim, &shown)| (self.preferences.distance.at)(aim, shown)).sum()
    }

    fn weigh(&self, variable: usize, level: usize, distance: f64, lacking: SatisfactionGap) -> ScoreParts {
        let aim = &self.aims[variable];
        let offer = &self.market.offers()[variable];
        let from_below = level.saturating_sub(offer.min_level);
        let from_above = offer.max_level.saturating_sub(level);
        let is_staked = aim.alpha + aim.beta > 0.0;
        let generality = match self.preferences.unwanted {
            UnwantedLevel::AsCollected if !is_staked => from_below,
            _ => from_above,
        };
        let distance = if self.farthest > 0.0 { distance / self.farthest } else { 0.0 };
        let SatisfactionGap { vanishing, shortfall } = lacking;
        ScoreParts { distance, vanishing, shortfall, generality: u8::try_from(generality).unwrap_or(u8::MAX) }
    }

    fn lacking(&self, aim: &Aim, shown: f64) -> SatisfactionGap {
        let whole = self.market.alpha() + self.market.beta();
        let (vanishing, nats) = nats(aim, shown);
        let lacking = (most_nats(aim) - nats).clamp(0.0, MOST_NATS * (aim.alpha + aim.beta));
        SatisfactionGap { vanishing: vanishing / whole, shortfall: lacking / whole }
    }
}

fn levels_of(node: &Node) -> Vec<usize> {
    node.0.iter().map(|&level| usize::from(level)).collect()
}

/// What a shown entropy lacks of satisfaction, per unit of all exponents.
#[derive(Debug, Clone, Copy)]
struct SatisfactionGap {
    /// The exponents of the goods that vanish.
    vanishing: f64,
    /// What the other goods lack, in nats.
    shortfall: f64,
}

/// The levels of a variable that meet its bounds and rations; an error if none does.
fn allowed((offer, bounds): (&Offer, &Bounds)) -> Result<Vec<bool>, BalanceError> {
    bounds.interval(offer)?;
    let misses: Vec<_> = (0..offer.entropies.len()).map(|level| bounds.miss(offer, offer.goods(level))).collect();
    let within = |level: usize| (offer.min_level..=offer.max_level).contains(&level);
    let allowed: Vec<bool> = misses.iter().enumerate().map(|(level, miss)| miss.is_none() && within(level)).collect();
    if allowed.contains(&true) {
        return Ok(allowed);
    }
    let usable = misses.into_iter().enumerate().filter(|(level, _)| within(*level)).filter_map(|(_, miss)| miss);
    let nearest = usable.min_by(|one, other| one.by.total_cmp(&other.by));
    Err(match nearest {
        Some(miss) => BalanceError::NoLevel {
            variable: offer.name.clone(),
            good: miss.good,
            found: miss.found,
            wanted: miss.wanted,
        },
        None => BalanceError::Entropy { variable: offer.name.clone() },
    })
}

fn aim(market: &Market, offer: &Offer, optimum: Goods) -> Aim {
    let (alpha, beta) = market.exponents(offer);
    let (user, intruder) = (offer.points.user, offer.points.intruder);
    Aim { user, intruder, alpha, beta, entropy: offer.entropy(), optimum }
}

/// The largest distance of an aim: at an end of the ladder, or where the satisfaction is greatest.
fn farthest(aim: &Aim, distance: &distance::DistanceMember) -> f64 {
    let exponents = aim.alpha + aim.beta;
    let peak = if exponents > 0.0 { aim.entropy * aim.alpha / exponents } else { 0.0 };
    [0.0, peak, aim.entropy].map(|shown| (distance.at)(aim, shown)).into_iter().fold(0.0, f64::max)
}

/// The exponents of the goods that vanish at a shown entropy, and the logarithm of the product of the others.
fn nats(aim: &Aim, shown: f64) -> (f64, f64) {
    let withheld = (aim.entropy - shown).max(0.0);
    let goods = [(aim.alpha, aim.user * shown), (aim.beta, aim.intruder * withheld)];
    let wanted = goods.into_iter().filter(|(exponent, _)| *exponent > 0.0);
    wanted.fold((0.0, 0.0), |(vanishing, nats), (exponent, good)| {
        if good > 0.0 { (vanishing, nats + exponent * good.ln()) } else { (vanishing + exponent, nats) }
    })
}

/// The largest logarithm that there is, inside the ladder or at one of its ends.
fn most_nats(aim: &Aim) -> f64 {
    let exponents = aim.alpha + aim.beta;
    if exponents <= 0.0 {
        return 0.0;
    }
    let peak = aim.entropy * aim.alpha / exponents;
    [0.0, peak, aim.entropy].map(|shown| nats(aim, shown).1).into_iter().fold(f64::NEG_INFINITY, f64::max)
}
