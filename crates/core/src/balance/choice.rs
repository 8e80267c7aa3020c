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
    /// The best level of each variable, or why none of some variable meets its ration.
    node: Result<Vec<usize>, BalanceError>,
}

/// So many nodes are looked at for one that meets a ration of all variables together.
const MOST_NODES: u64 = 1_000_000;

impl Balance {
    /// Finds the optimum, and what levels there are to choose from. Rations must be met by each variable itself.
    pub fn solve(market: Market, preferences: Preferences) -> Result<Self, BalanceError> {
        let balance = Self::before_withholding(market, preferences)?;
        balance.node.clone()?;
        Ok(balance)
    }

    /// The same where records may be withheld: then a ration may be met that no level meets as it stands.
    pub fn before_withholding(market: Market, preferences: Preferences) -> Result<Self, BalanceError> {
        let optimum = (preferences.target.optimum)(&market)?;
        let bounds = Bounds::of_all(&market)?;
        for (offer, bounds) in market.offers().iter().zip(&bounds) {
            bounds.interval(offer)?;
        }
        let levels = |(offer, bounds): (&Offer, &Bounds)| usable(offer, bounds);

        let allowed: Vec<Vec<bool>> = market.offers().iter().zip(&bounds).map(levels).collect();
        let aims: Vec<Aim> =
            market.offers().iter().zip(&optimum).map(|(offer, &goods)| aim(&market, offer, goods)).collect();
        let farthest =
            aims.iter().zip(market.offers()).map(|(aim, offer)| farthest(aim, offer, preferences.distance)).sum();
        let total = Bounds::in_total(&market)?;
        let mut balance =
            Self { market, preferences, optimum, aims, farthest, allowed, bounds, total, node: Ok(Vec::new()) };
        balance.node = balance.best();
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

    /// The best level of each variable; none where no levels meet the rations unless records are withheld.
    #[must_use]
    pub fn free_node(&self) -> Option<Vec<usize>> {
        self.node.clone().ok()
    }

    /// The same of a balance that was solved.
    #[must_use]
    pub fn node(&self) -> Vec<usize> {
        self.free_node().unwrap_or_default()
    }

    /// The best levels of all that meet the rations.
    fn best(&self) -> Result<Vec<usize>, BalanceError> {
        self.check_levels(&self.allowed)?;
        let shared = self.new_value_level()?;
        let best = |(variable, levels): (usize, &Vec<bool>)| {
            if let Some(level) = shared.filter(|_| self.market.offers()[variable].gets_new_values()) {
                return level;
            }
            let usable = (0..levels.len()).filter(|&level| levels[level]);
            usable.min_by_key(|&level| (self.score(variable, level), level)).unwrap_or_default()
        };
        let node: Vec<usize> = self.allowed.iter().enumerate().map(best).collect();
        if self.miss_of_node(&node).is_none() { Ok(node) } else { self.best_in_total() }
    }

    /// The level that suits all variables with new values best together; none where there are no such variables.
    pub fn new_value_level(&self) -> Result<Option<usize>, BalanceError> {
        let variables: Vec<usize> = self.new_value_variables().collect();
        let Some(&first) = variables.first() else { return Ok(None) };
        let is_allowed = |level: &usize| variables.iter().all(|&variable| self.is_allowed(variable, *level));
        let score =
            |level: usize| variables.iter().fold(Score::default(), |sum, &variable| sum + self.score(variable, level));
        let levels = (0..self.allowed[first].len()).filter(is_allowed);
        levels.min_by_key(|&level| (score(level), level)).map(Some).ok_or(BalanceError::NoSharedLevel)
    }

    fn new_value_variables(&self) -> impl Iterator<Item = usize> {
        let offers = self.market.offers().iter().enumerate();
        offers.filter(|(_, offer)| offer.gets_new_values()).map(|(variable, _)| variable)
    }

    /// Whether the variables with new values have one level.
    fn shares_level(&self, node: &Node) -> bool {
        let mut levels = self.new_value_variables().map(|variable| node.0[variable]);
        levels.next().is_none_or(|first| levels.all(|level| level == first))
    }

    /// The first node from the best on that meets the ration of all variables together; of those that are as good the
    /// lowest, as everywhere.
    fn best_in_total(&self) -> Result<Vec<usize>, BalanceError> {
        let costs = costs(&self.allowed, |variable, level| self.score(variable, level).packed());
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
            if !self.shares_level(&node) {
                continue;
            }
            let is_better = best.as_ref().is_none_or(|best| (cost, &node) < (best.0, &best.1));
            match self.miss_of_node(&levels_of(&node)) {
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

    /// For each recoded variable and level what it costs; nothing where it may not be used.
    pub(super) fn costs(&self, cost: impl Fn(usize, usize) -> u128) -> Vec<Vec<Option<u128>>> {
        costs(&self.allowed[..self.recoded()], cost)
    }

    /// How many variables are recoded: they come before those that get new values, which are in no lattice.
    fn recoded(&self) -> usize {
        self.market.offers().iter().take_while(|offer| !offer.gets_new_values()).count()
    }

    /// The same where withheld records lower what a level shows, at most to `low` of it: a level may be used if something
    /// between `low` and its entropy meets the rations. An error where no level of a variable may.
    pub(super) fn costs_down_to(
        &self,
        low: impl Fn(usize, usize) -> f64,
        cost: impl Fn(usize, usize) -> u128,
    ) -> Result<Vec<Vec<Option<u128>>>, BalanceError> {
        let levels = |(variable, (offer, bounds)): (usize, (&Offer, &Bounds))| {
            let meets = |level: usize| {
                let (low, high) = (low(variable, level), offer.entropies[level]);
                bounds.miss_between(offer.goods_at(low.min(high)), offer.goods_at(high), offer).is_none()
            };
            (0..offer.entropies.len()).map(|level| offer.permits(level) && meets(level)).collect()
        };
        let recoded = self.market.offers().iter().zip(&self.bounds).take(self.recoded());
        let allowed: Vec<Vec<bool>> = recoded.enumerate().map(levels).collect();
        self.check_levels(&allowed)?;
        Ok(costs(&allowed, cost))
    }

    /// Refuses a variable without a level that may be used, with the level that misses its ration least.
    fn check_levels(&self, allowed: &[Vec<bool>]) -> Result<(), BalanceError> {
        let mut each = self.market.offers().iter().zip(&self.bounds).zip(allowed);
        match each.find(|(_, levels)| !levels.contains(&true)) {
            Some(((offer, bounds), _)) => Err(no_level(offer, bounds)),
            None => Ok(()),
        }
    }

    /// Whether shown entropies meet every ration.
    #[must_use]
    pub fn keeps_rations(&self, shown: &[f64]) -> bool {
        let goods = self.goods_at(shown);
        let mut each = self.market.offers().iter().zip(&self.bounds).zip(goods);
        each.all(|((offer, bounds), goods)| bounds.miss(offer, goods).is_none())
            && self.miss_in_total(self.goods_at(shown)).is_none()
    }

    /// Whether shown entropies between these may meet the ration of all variables together.
    pub(super) fn may_keep_total(&self, low: &[f64], high: &[f64]) -> bool {
        let total = |shown: &[f64]| self.goods_at(shown).into_iter().sum();
        self.total.are_idle() || self.total.miss_in_total_between(total(low), total(high), &self.market).is_none()
    }

    fn miss_of_node(&self, node: &[usize]) -> Option<MissedBound> {
        self.miss_in_total(self.goods(node))
    }

    fn miss_in_total(&self, goods: Vec<Goods>) -> Option<MissedBound> {
        if self.total.are_idle() {
            return None;
        }
        self.total.miss_in_total(&self.market, goods.into_iter().sum())
    }

    /// How good a level of a variable is.
    #[must_use]
    pub fn score(&self, variable: usize, level: usize) -> Score {
        self.score_of(variable, level, self.market.offers()[variable].goods(level))
    }

    /// How good a level is that shows less than its entropy, because records were suppressed.
    #[must_use]
    pub fn score_at(&self, variable: usize, level: usize, shown: f64) -> Score {
        self.score_of(variable, level, self.market.offers()[variable].goods_at(shown))
    }

    fn score_of(&self, variable: usize, level: usize, goods: Goods) -> Score {
        let aim = &self.aims[variable];
        let distance = if self.preferences.target.nearest { (self.preferences.distance.at)(aim, goods) } else { 0.0 };
        self.weigh(variable, level, distance, lacking(aim, goods)).score()
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
            places.map(|shown| lacking(aim, aim.goods(shown)).shortfall).into_iter().fold(f64::INFINITY, f64::min);
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
        self.market.offers().iter().zip(node).map(|(offer, &level)| offer.goods(level)).collect()
    }

    /// The goods that shown entropies give.
    #[must_use]
    pub fn goods_at(&self, shown: &[f64]) -> Vec<Goods> {
        self.market.offers().iter().zip(shown).map(|(offer, &shown)| offer.goods_at(shown)).collect()
    }

    /// How far a node is from the optimum, by the distance that was chosen.
    #[must_use]
    pub fn distance(&self, node: &[usize]) -> f64 {
        self.distance_of(&self.goods(node))
    }

    /// How far goods are from the optimum.
    #[must_use]
    pub fn distance_of(&self, goods: &[Goods]) -> f64 {
        self.aims.iter().zip(goods).map(|(aim, &goods)| (self.preferences.distance.at)(aim, goods)).sum()
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
}

fn lacking(aim: &Aim, goods: Goods) -> SatisfactionGap {
    let (vanishing, nats) = nats(aim, goods);
    let shortfall = (most_nats(aim) - nats).clamp(0.0, MOST_NATS * (aim.alpha + aim.beta));
    SatisfactionGap { vanishing, shortfall }
}

fn levels_of(node: &Node) -> Vec<usize> {
    node.0.iter().map(|&level| usize::from(level)).collect()
}

/// For each variable and level what it costs; nothing where it may not be used.
fn costs(allowed: &[Vec<bool>], cost: impl Fn(usize, usize) -> u128) -> Vec<Vec<Option<u128>>> {
    let levels = |(variable, allowed): (usize, &Vec<bool>)| {
        allowed.iter().enumerate().map(|(level, &is_allowed)| is_allowed.then(|| cost(variable, level))).collect()
    };
    allowed.iter().enumerate().map(levels).collect()
}

/// What a shown entropy lacks of satisfaction; all exponents sum to 1.
#[derive(Debug, Clone, Copy)]
struct SatisfactionGap {
    /// The exponents of the goods that vanish.
    vanishing: f64,
    /// What the other goods lack, in nats.
    shortfall: f64,
}

/// The levels of a variable that the policy permits and that miss no ration.
fn usable(offer: &Offer, bounds: &Bounds) -> Vec<bool> {
    let levels = 0..offer.entropies.len();
    levels.map(|level| offer.permits(level) && bounds.miss(offer, offer.goods(level)).is_none()).collect()
}

/// Why no level of a variable may be used: the level that misses its ration least.
fn no_level(offer: &Offer, bounds: &Bounds) -> BalanceError {
    let permitted = (0..offer.entropies.len()).filter(|&level| offer.permits(level));
    let misses = permitted.filter_map(|level| bounds.miss(offer, offer.goods(level)));
    let variable = offer.name.clone();
    match misses.min_by(|one, other| one.by.total_cmp(&other.by)) {
        Some(MissedBound { good, found, wanted, .. }) => BalanceError::NoLevel { variable, good, found, wanted },
        None => BalanceError::Entropy { variable },
    }
}

fn aim(market: &Market, offer: &Offer, optimum: Goods) -> Aim {
    let (alpha, beta) = market.exponents(offer);
    let (user, intruder) = (offer.points.user, offer.points.intruder);
    Aim { user, intruder, alpha, beta, entropy: offer.entropy(), optimum }
}

/// The largest distance of an aim: at an end of the ladder, where the satisfaction is greatest, or at a level of new values.
fn farthest(aim: &Aim, offer: &Offer, distance: &distance::DistanceMember) -> f64 {
    let exponents = aim.alpha + aim.beta;
    let peak = if exponents > 0.0 { aim.entropy * aim.alpha / exponents } else { 0.0 };
    let on_the_line = [0.0, peak, aim.entropy].map(|shown| aim.goods(shown));
    let beside_it = (0..offer.untold.len()).map(|level| offer.goods(level));
    on_the_line.into_iter().chain(beside_it).map(|goods| (distance.at)(aim, goods)).fold(0.0, f64::max)
}

/// The exponents of the goods that vanish, and the logarithm of the product of the others.
fn nats(aim: &Aim, goods: Goods) -> (f64, f64) {
    let goods = [(aim.alpha, goods.utility), (aim.beta, goods.protection)];
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
    [0.0, peak, aim.entropy].map(|shown| nats(aim, aim.goods(shown)).1).into_iter().fold(f64::NEG_INFINITY, f64::max)
}
