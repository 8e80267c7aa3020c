//! A share of people who may be in small classes: what records at risk and sample uniques have in common.
//!
//! Withholding a small class takes as many from the small ones as from all, so the share falls. A merge of classes makes none
//! of them smaller.
//!
//! **How much is withheld below** ([`TableModel::forced`]). A class that is small stays so when it is divided. Let b records be in
//! the other classes. If x people are kept in small classes, x is at most the share a of x + b, so at most a · b / (1 − a). All
//! other people of small classes are withheld, each with a record or more.

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
