//! Rations as amounts of the goods of a variable.
//!
//! Bounds are checked for each variable by itself, whatever target is sought: with one budget for all, a ration may be
//! affordable in total and still be impossible, because a variable can only show or withhold its own entropy. Bounds on
//! all variables together are checked on sums.

use super::BalanceError;
use super::market::{Goods, Market, Offer, POINTS, Points, is_amount};
use super::ration::{Amount, Ration};

/// Comparisons with bounds forgive this share of the entropy: levels must meet the rations that they define.
const TOLERANCE: f64 = 1e-9;

/// Bounds as amounts of the goods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub(super) least: Goods,
    pub(super) most: Goods,
}

impl Bounds {
    /// The bounds of each variable of a market.
    pub(super) fn of_all(market: &Market) -> Result<Vec<Self>, BalanceError> {
        market.offers().iter().map(Self::from_offer).collect()
    }

    /// The bounds of a variable; one that contradicts another is an error. Whether it can meet them, [`Self::interval`]
    /// says.
    fn from_offer(offer: &Offer) -> Result<Self, BalanceError> {
        let last = offer.entropies.len().saturating_sub(1);
        let at_level = |level: u8| match usize::from(level) {
            place if place <= last => Ok(offer.goods(place)),
            _ => Err(BalanceError::NoSuchLevel { variable: offer.name.clone(), level, last }),
        };
        NamedGoods { name: &offer.name, at_level: &at_level }.bounds(offer.ration)
    }

    /// The bounds of all variables together.
    pub(super) fn in_total(market: &Market) -> Result<Self, BalanceError> {
        NamedGoods { name: ALL, at_level: &|level| Err(BalanceError::LevelOfAll { level }) }.bounds(market.total())
    }

    /// Whether they bound nothing.
    pub(super) fn are_idle(&self) -> bool {
        let Self { least, most } = self;
        least.utility.max(least.protection) <= 0.0 && most.utility.min(most.protection).is_infinite()
    }

    fn check_crossing(&self, name: &str) -> Result<(), BalanceError> {
        let pairs = [
            ("utility", self.least.utility, self.most.utility),
            ("protection", self.least.protection, self.most.protection),
        ];
        match pairs.into_iter().find(|(_, least, most)| *least > *most * (1.0 + TOLERANCE)) {
            Some((good, least, most)) => Err(BalanceError::Crossed { variable: name.to_owned(), good, least, most }),
            None => Ok(()),
        }
    }

    /// The entropies that the variable may show.
    pub(super) fn interval(&self, offer: &Offer) -> Result<(f64, f64), BalanceError> {
        self.check_points(offer)?;
        let entropy = offer.entropy();
        let slack = TOLERANCE * entropy;
        let (shown, withheld) = (EntropyShare::on(self, offer, true), EntropyShare::on(self, offer, false));
        let needed = shown.least + withheld.least;
        if needed > entropy + slack {
            return Err(BalanceError::Impossible { variable: offer.name.clone(), needed, entropy });
        }
        let most = shown.most + withheld.most;
        if most < entropy - slack {
            return Err(BalanceError::Unused { variable: offer.name.clone(), most, entropy });
        }
        let low = shown.least.max(entropy - withheld.most).clamp(0.0, entropy);
        let high = shown.most.min(entropy - withheld.least).clamp(low, entropy);
        Ok((low, high))
    }

    /// Of a good that nobody wants there is none, so no amount of it can be had.
    fn check_points(&self, offer: &Offer) -> Result<(), BalanceError> {
        let goods = [
            ("utility", self.least.utility, offer.points.user),
            ("protection", self.least.protection, offer.points.intruder),
        ];
        match goods.into_iter().find(|(_, least, points)| *least > 0.0 && *points <= 0.0) {
            Some((good, wanted, _)) => {
                Err(BalanceError::NoLevel { variable: offer.name.clone(), good, found: 0.0, wanted })
            }
            None => Ok(()),
        }
    }

    /// Whether goods are within the bounds; otherwise which good misses its bound, and by how much of the entropy.
    pub(super) fn miss(&self, offer: &Offer, goods: Goods) -> Option<MissedBound> {
        self.miss_of(goods, offer.points, offer.entropy())
    }

    /// The same for the goods of all variables together.
    pub(super) fn miss_in_total(&self, market: &Market, goods: Goods) -> Option<MissedBound> {
        self.miss_of(goods, Points { user: POINTS, intruder: POINTS }, market.income())
    }

    /// Whether some goods between those where least and where most is shown may be within the bounds; otherwise what misses.
    pub(super) fn miss_between(&self, low: Goods, high: Goods, offer: &Offer) -> Option<MissedBound> {
        let (mended, harmed) = self.by_withholding();
        mended.miss(offer, low).or_else(|| harmed.miss(offer, high))
    }

    /// The same for the goods of all variables together.
    pub(super) fn miss_in_total_between(&self, low: Goods, high: Goods, market: &Market) -> Option<MissedBound> {
        let (mended, harmed) = self.by_withholding();
        mended.miss_in_total(market, low).or_else(|| harmed.miss_in_total(market, high))
    }

    /// The bounds that a variable comes nearer to when it shows less, and those that it leaves.
    fn by_withholding(&self) -> (Self, Self) {
        let Self { least, most } = *self;
        let (none, any) = (0.0, f64::INFINITY);
        let goods = |utility, protection| Goods { utility, protection };
        let mended = Self { least: goods(none, least.protection), most: goods(most.utility, any) };
        (mended, Self { least: goods(least.utility, none), most: goods(any, most.protection) })
    }

    fn miss_of(&self, goods: Goods, points: Points, entropy: f64) -> Option<MissedBound> {
        let slack = TOLERANCE * entropy;
        let sides = [
            ("utility", goods.utility, self.least.utility, self.most.utility, points.user),
            ("protection", goods.protection, self.least.protection, self.most.protection, points.intruder),
        ];
        let miss = |(good, found, least, most, points): (&'static str, f64, f64, f64, f64)| {
            let wanted = if found < least { least } else { most };
            let by = (wanted - found).abs() / points.max(f64::MIN_POSITIVE);
            ((found < least || found > most) && by > slack).then_some(MissedBound { good, found, wanted, by })
        };
        sides.into_iter().filter_map(miss).max_by(|one, other| one.by.total_cmp(&other.by))
    }
}

/// A bound that is missed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MissedBound {
    pub(super) good: &'static str,
    pub(super) found: f64,
    pub(super) wanted: f64,
    /// The entropy that is missing, or too much.
    pub(super) by: f64,
}

/// What the bounds on a good mean for the entropy spent on it. A good without points takes any share of it.
struct EntropyShare {
    least: f64,
    most: f64,
}

impl EntropyShare {
    fn on(bounds: &Bounds, offer: &Offer, utility: bool) -> Self {
        let Bounds { least, most } = bounds;
        let (least, most, points) = if utility {
            (least.utility, most.utility, offer.points.user)
        } else {
            (least.protection, most.protection, offer.points.intruder)
        };
        if points > 0.0 {
            Self { least: least / points, most: most / points }
        } else {
            Self { least: 0.0, most: f64::INFINITY }
        }
    }
}

/// How the rations of all variables together are named in a message.
const ALL: &str = "all variables together";

/// A variable, or all of them, with what it has at a level.
struct NamedGoods<'a> {
    name: &'a str,
    at_level: &'a dyn Fn(u8) -> Result<Goods, BalanceError>,
}

impl NamedGoods<'_> {
    fn bounds(&self, ration: Ration) -> Result<Bounds, BalanceError> {
        let (utility, protection) = (|goods: Goods| goods.utility, |goods: Goods| goods.protection);
        let Ration { min_utility, max_utility, min_protection, max_protection } = ration;
        let least = Goods {
            utility: self.amount(min_utility, 0.0, utility)?,
            protection: self.amount(min_protection, 0.0, protection)?,
        };
        let most = Goods {
            utility: self.amount(max_utility, f64::INFINITY, utility)?,
            protection: self.amount(max_protection, f64::INFINITY, protection)?,
        };
        let bounds = Bounds { least, most };
        bounds.check_crossing(self.name)?;
        Ok(bounds)
    }

    fn amount(&self, given: Option<Amount>, absent: f64, good: fn(Goods) -> f64) -> Result<f64, BalanceError> {
        match given {
            None => Ok(absent),
            Some(Amount::Of(found)) if is_amount(found) => Ok(found),
            Some(Amount::Of(found)) => Err(BalanceError::Amount { variable: self.name.to_owned(), found }),
            Some(Amount::Level(level)) => (self.at_level)(level).map(good),
        }
    }
}
