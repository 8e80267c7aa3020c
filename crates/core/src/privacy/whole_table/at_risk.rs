//! A share of people who may be in small classes: what records at risk and sample uniques have in common.
//!
//! Let x people be in small classes, and b in the others. The condition is x ≤ a (x + b), a the share that is allowed.
//!
//! **What is withheld.** A small class that goes lowers x and x + b by the same number, so the share falls. A merge makes no
//! class smaller.
//!
//! **How much is withheld below** ([`TableModel::forced`]). A part of a small class is small. A node below keeps at most b
//! records of the other classes, so for the x people that it keeps in small classes
//!
//! > x ≤ a (x + b) ⇒ x ≤ a b / (1 − a).
//!
//! All other people of small classes are withheld, each with a record or more.

use super::super::ratio::Ratio;
use super::super::{Closure, NearestParameter};
use super::{BoundedClasses, SizedClasses, TableModel};

/// At most a share of all people is in classes that are too small.
pub(in super::super) struct AtRisk {
    /// The model, and its parameter for the share.
    pub name: &'static str,
    pub parameter: &'static str,
    /// A class is too small where its size times this is below 1.
    pub highest: Ratio,
    pub share: Ratio,
}

impl AtRisk {
    fn is_small(&self, size: u64) -> bool {
        u128::from(size) * self.highest.numerator < self.highest.denominator
    }

    /// How many people are in small classes.
    fn people(&self, kept: &SizedClasses) -> u64 {
        let small = kept.by_size().iter().take_while(|(size, _)| self.is_small(*size));
        small.map(|(size, classes)| size * classes).sum()
    }
}

impl TableModel for AtRisk {
    fn name(&self) -> &'static str {
        self.name
    }

    fn holds(&self, kept: &SizedClasses) -> bool {
        let Ratio { numerator, denominator } = self.share;
        u128::from(self.people(kept)) * denominator <= numerator * u128::from(kept.people())
    }

    fn closure(&self) -> Closure {
        Closure::Union
    }

    fn forced(&self, classes: &BoundedClasses<'_>) -> u64 {
        let Ratio { numerator, denominator } = self.share;
        if numerator >= denominator {
            return classes.all_forced();
        }
        let (mut small, mut large) = (0, 0);
        for (people, records) in classes.classes() {
            if self.is_small(people) { small += people } else { large += records }
        }
        let most = u128::from(large) * numerator / (denominator - numerator);
        let forced = |is_wanted: bool| -> u64 {
            let classes = classes.people.iter().zip(classes.forced);
            classes.filter(|(people, _)| self.is_small(**people) == is_wanted).map(|(_, forced)| forced).sum()
        };
        let of_small = small.saturating_sub(u64::try_from(most).unwrap_or(u64::MAX));
        forced(false) + of_small.max(forced(true))
    }

    fn nearest(&self, kept: &SizedClasses) -> Option<NearestParameter> {
        let attained = self.people(kept) as f64 / kept.people().max(1) as f64;
        Some(NearestParameter::at_least(self.name, self.parameter, attained))
    }
}
