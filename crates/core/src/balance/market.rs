//! Variables, prices, income and satisfaction.
//!
//! For a variable of entropy H as collected, shown with entropy u: utility x = q·u, protection y = r·(H − u), prices 1/q
//! and 1/r. Hence x/q + y/r = H for every u: whatever level is chosen, the variable spends its entropy, and all together
//! spend the income. Satisfaction is ∏ x^(αq/100) · y^(βr/100).
//!
//! Only the ratio of α to β counts: they are kept as shares of their sum, so 3 and 7 are 0.3 and 0.7 everywhere.
//!
//! Of a variable that gets new values part of the entropy is neither read by a user nor kept from an intruder: x/q + y/r ≤ H
//! ([`super::reading`]). Its levels are settings of the method.
//!
//! A good without points is no good: it has no price and no exponent. A variable without entropy has no goods, and
//! neither does one without points; such a variable has nothing at stake.

use std::iter::Sum;

use super::BalanceError;
use super::ration::Ration;

/// The points that a user, or an intruder, shares among the variables.
pub const POINTS: f64 = 100.0;

/// How far a sum of points may be off, for points with a fraction.
const TOLERANCE: f64 = 1e-6;

/// The points of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Points {
    /// How much the user wants to know it.
    pub user: f64,
    /// How much an intruder does.
    pub intruder: f64,
}

/// An amount of both goods of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Goods {
    /// x: what a user learns.
    pub utility: f64,
    /// y: what an intruder does not.
    pub protection: f64,
}

impl Sum for Goods {
    fn sum<I: Iterator<Item = Self>>(goods: I) -> Self {
        let add = |sum: Self, one: Self| Self {
            utility: sum.utility + one.utility,
            protection: sum.protection + one.protection,
        };
        goods.fold(Self::default(), add)
    }
}

/// What a unit of a good costs; nothing where nobody wants it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Of utility.
    pub utility: Option<f64>,
    /// Of protection.
    pub protection: Option<f64>,
}

/// A variable on the market.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// Its name.
    pub name: String,
    /// The entropy of each level, in any unit that is the same everywhere.
    pub entropies: Vec<f64>,
    /// Its points.
    pub points: Points,
    /// The lowest level that may be used.
    pub min_level: usize,
    /// The highest.
    pub max_level: usize,
    /// Bounds on its goods.
    pub ration: Ration,
    /// For a variable that gets new values: the entropy that nobody learns at each level. Empty where whatever is not shown is
    /// withheld.
    pub untold: Vec<f64>,
}

impl Offer {
    /// A variable that may use all its levels and is not rationed.
    #[must_use]
    pub fn new(name: impl Into<String>, entropies: Vec<f64>, points: Points) -> Self {
        let max_level = entropies.len().saturating_sub(1);
        Self {
            name: name.into(),
            entropies,
            points,
            min_level: 0,
            max_level,
            ration: Ration::default(),
            untold: Vec::new(),
        }
    }

    /// The entropy as collected.
    #[must_use]
    pub fn entropy(&self) -> f64 {
        self.entropies.first().copied().unwrap_or_default()
    }

    /// Whether the policy permits a level.
    #[must_use]
    pub fn permits(&self, level: usize) -> bool {
        (self.min_level..=self.max_level).contains(&level)
    }

    /// What is shown and withheld at an entropy.
    #[must_use]
    pub fn goods_at(&self, entropy: f64) -> Goods {
        let withheld = (self.entropy() - entropy).max(0.0);
        Goods { utility: self.points.user * entropy, protection: self.points.intruder * withheld }
    }

    /// What is shown and withheld at a level.
    #[must_use]
    pub fn goods(&self, level: usize) -> Goods {
        let goods = self.goods_at(self.entropies.get(level).copied().unwrap_or_default());
        match self.untold.get(level) {
            Some(untold) => Goods { protection: self.points.intruder * untold, ..goods },
            None => goods,
        }
    }

    /// Whether it gets new values. All such variables have the same level: a method has one setting.
    #[must_use]
    pub fn gets_new_values(&self) -> bool {
        !self.untold.is_empty()
    }

    /// What a unit of each good costs.
    #[must_use]
    pub fn price(&self) -> Price {
        let price = |points: f64| (points > 0.0).then(|| 1.0 / points);
        Price { utility: price(self.points.user), protection: price(self.points.intruder) }
    }

    fn check(&self) -> Result<(), BalanceError> {
        for (whose, found) in [("user", self.points.user), ("intruder", self.points.intruder)] {
            if !is_amount(found) {
                return Err(BalanceError::Point { whose, variable: self.name.clone(), found });
            }
        }
        let fit = !self.entropies.is_empty()
            && self
                .entropies
                .iter()
                .chain(&self.untold)
                .all(|&entropy| is_amount(entropy) && entropy <= self.entropy())
            && (self.untold.is_empty() || self.untold.len() == self.entropies.len());
        if fit { Ok(()) } else { Err(BalanceError::Entropy { variable: self.name.clone() }) }
    }
}

/// All variables, and what utility and privacy are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Market {
    alpha: f64,
    beta: f64,
    offers: Vec<Offer>,
    total: Ration,
}

impl Market {
    /// A market on which everything adds up: weights that are not both 0, points that sum to 100.
    pub fn new(alpha: f64, beta: f64, offers: Vec<Offer>) -> Result<Self, BalanceError> {
        let (alpha, beta) = shares(alpha, beta)?;
        for offer in &offers {
            offer.check()?;
        }
        // A sum of nothing is −0.
        let sum = |points: fn(&Points) -> f64| 0.0 + offers.iter().map(|offer| points(&offer.points)).sum::<f64>();
        for (whose, sum) in [("user", sum(|points| points.user)), ("intruder", sum(|points| points.intruder))] {
            if (sum - POINTS).abs() > TOLERANCE {
                return Err(BalanceError::Points { whose, sum });
            }
        }
        Ok(Self { alpha, beta, offers, total: Ration::default() })
    }

    /// The same market with bounds on the goods of all variables together.
    #[must_use]
    pub fn with_total(mut self, total: Ration) -> Self {
        self.total = total;
        self
    }

    /// The same market with other preferences.
    pub fn with_weights(&self, alpha: f64, beta: f64) -> Result<Self, BalanceError> {
        let (alpha, beta) = shares(alpha, beta)?;
        Ok(Self { alpha, beta, ..self.clone() })
    }

    /// The same market where a variable has other points, and the others share the rest as before. A variable that is
    /// alone has all points.
    pub fn with_points(&self, variable: usize, points: Points) -> Result<Self, BalanceError> {
        let mut offers = self.offers.clone();
        let given = offers[variable].points;
        let others = offers.len().saturating_sub(1).max(1) as f64;
        let rest = |before: f64, given: f64, points: f64| match POINTS - given {
            shared if shared > TOLERANCE => before * (POINTS - points) / shared,
            _ => (POINTS - points) / others,
        };
        for (place, offer) in offers.iter_mut().enumerate() {
            let Points { user, intruder } = offer.points;
            offer.points = if place == variable {
                points
            } else {
                Points {
                    user: rest(user, given.user, points.user),
                    intruder: rest(intruder, given.intruder, points.intruder),
                }
            };
        }
        Ok(Self::new(self.alpha, self.beta, offers)?.with_total(self.total))
    }

    /// The same market with one ration of one variable changed, or of all variables together.
    #[must_use]
    pub(super) fn with_ration(&self, variable: Option<usize>, ration: Ration) -> Self {
        let mut market = self.clone();
        match variable {
            Some(variable) => market.offers[variable].ration = ration,
            None => market.total = ration,
        }
        market
    }

    /// The weight of utility, as a share of both.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The weight of privacy, as a share of both.
    #[must_use]
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The variables.
    #[must_use]
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// Bounds on the goods of all variables together.
    #[must_use]
    pub fn total(&self) -> Ration {
        self.total
    }

    /// What there is to spend: the entropy of all variables.
    #[must_use]
    pub fn income(&self) -> f64 {
        self.offers.iter().map(Offer::entropy).sum()
    }

    /// The exponents of the two goods of a variable; 0 for a good that is none.
    #[must_use]
    pub fn exponents(&self, offer: &Offer) -> (f64, f64) {
        if offer.entropy() > 0.0 { self.published_exponents(offer) } else { (0.0, 0.0) }
    }

    /// The same as published: a variable without entropy has them, too.
    #[must_use]
    pub fn published_exponents(&self, offer: &Offer) -> (f64, f64) {
        (self.alpha * offer.points.user / POINTS, self.beta * offer.points.intruder / POINTS)
    }

    /// What the goods of a variable contribute to the satisfaction, as a factor.
    #[must_use]
    pub fn satisfaction_with(&self, offer: &Offer, goods: Goods) -> f64 {
        let (alpha, beta) = self.exponents(offer);
        // A good without an exponent contributes 0⁰ = 1.
        goods.utility.powf(alpha) * goods.protection.powf(beta)
    }

    /// The satisfaction with goods of each variable.
    #[must_use]
    pub fn satisfaction(&self, goods: &[Goods]) -> f64 {
        self.offers.iter().zip(goods).map(|(offer, &goods)| self.satisfaction_with(offer, goods)).product()
    }

    /// What goods of each variable cost.
    #[must_use]
    pub fn cost(&self, goods: &[Goods]) -> f64 {
        let cost = |(offer, goods): (&Offer, &Goods)| {
            let price = offer.price();
            goods.utility * price.utility.unwrap_or(0.0) + goods.protection * price.protection.unwrap_or(0.0)
        };
        self.offers.iter().zip(goods).map(cost).sum()
    }
}

/// Both weights as shares of their sum.
fn shares(alpha: f64, beta: f64) -> Result<(f64, f64), BalanceError> {
    for (name, found) in [("alpha", alpha), ("beta", beta)] {
        if !is_amount(found) {
            return Err(BalanceError::Weight { name, found });
        }
    }
    // Halves have a sum where the weights have none.
    let scale = if (alpha + beta).is_finite() { 1.0 } else { 0.5 };
    match scale * alpha + scale * beta {
        0.0 => Err(BalanceError::NoPreference),
        sum => Ok((scale * alpha / sum, scale * beta / sum)),
    }
}

/// Whether it is a finite number that is not negative.
pub(super) fn is_amount(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}
