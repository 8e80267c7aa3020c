//! Which level is nearest to an optimum: the family of distances.
//!
//! The published rule is not legible in the copies that are known; it holds an absolute difference and the symbols α, β,
//! q and r. The default is the reading that uses all of them. A distance looks at one variable at a time; a node is as far
//! away as its variables together.
//!
//! Each member gives the distance of goods, and the least distance of an interval of entropies that are shown; the second bounds
//! the first where suppressed records move what is shown, and a test attacks it.

mod euclidean;
mod manhattan;
mod satisfaction_gap;
mod weighted;

use super::Goods;
use crate::card::Card;

/// A member of the family.
pub struct DistanceMember {
    /// How it introduces itself.
    pub card: Card,
    /// The distance of goods from the optimum.
    pub at: fn(&Aim, Goods) -> f64,
    /// No entropy between two is nearer than this.
    pub least: fn(&Aim, f64, f64) -> f64,
}

/// Every distance; the first one is the default.
pub const ALL: &[DistanceMember] = &[weighted::MEMBER, manhattan::MEMBER, euclidean::MEMBER, satisfaction_gap::MEMBER];

/// The distance of preferences that name none.
pub const DEFAULT: &str = "weighted";

/// The member of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static DistanceMember> {
    ALL.iter().find(|member| member.card.name == name)
}

/// What a variable aims at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    /// Its user points.
    pub user: f64,
    /// Its intruder points.
    pub intruder: f64,
    /// The exponent of its utility.
    pub alpha: f64,
    /// The exponent of its protection.
    pub beta: f64,
    /// Its entropy as collected.
    pub entropy: f64,
    /// The optimum.
    pub optimum: Goods,
}

impl Aim {
    /// The goods at a shown entropy.
    pub(super) fn goods(&self, shown: f64) -> Goods {
        let withheld = (self.entropy - shown).max(0.0);
        Goods { utility: self.user * shown, protection: self.intruder * withheld }
    }

    /// How far both goods are from the optimum.
    fn off(&self, goods: Goods) -> (f64, f64) {
        ((self.optimum.utility - goods.utility).abs(), (self.optimum.protection - goods.protection).abs())
    }

    /// The entropies at which one of the goods is as it should be.
    fn corners(&self) -> impl Iterator<Item = f64> {
        let utility = (self.user > 0.0).then(|| self.optimum.utility / self.user);
        let protection = (self.intruder > 0.0).then(|| self.entropy - self.optimum.protection / self.intruder);
        utility.into_iter().chain(protection)
    }

    /// The least of a distance that has corners and is straight between them.
    fn least_at_corners(&self, low: f64, high: f64, at: fn(&Self, Goods) -> f64) -> f64 {
        let corners = self.corners().map(|corner| corner.clamp(low, high));
        corners.chain([low, high]).map(|shown| at(self, self.goods(shown))).fold(f64::INFINITY, f64::min)
    }
}
