//! The nearest `k` and `c` with which parts of keys would be kept.
//!
//! If a larger `c` alone is enough, `k` stays; otherwise, if a smaller `k` alone is enough, `c` stays; otherwise both move. Each
//! is found by bisection and holds for the set that is looked at.
//! Limit: `c` in thousandths. Nothing is told of `l`.

use super::{MEMBER, PartsRule};
use crate::frequency::FrequencySet;
use crate::privacy::NearestParameter;
use crate::privacy::ratio::Ratio;

impl PartsRule {
    /// What must change of a rule so that few enough classes of a set are withheld besides those that are; nothing where nothing
    /// must. There is no answer where nothing helps.
    pub(in crate::privacy) fn nearest(
        &self,
        set: &FrequencySet,
        withheld: &mut [bool],
        is_overdrawn: impl Fn(&[bool]) -> bool,
    ) -> Option<Vec<NearestParameter>> {
        let start: Vec<bool> = withheld.iter().map(|withheld| !withheld).collect();
        let after = |parts: PartsRule| {
            let mut kept = start.clone();
            parts.withhold(set, &mut kept);
            kept.iter().map(|kept| !kept).collect::<Vec<bool>>()
        };
        let holds = |least: u64, thousandths: u64| {
            let share = share(self, thousandths);
            !is_overdrawn(&after(PartsRule { least, share, ..*self }))
        };
        let (asked, whole) = (self.least, THOUSANDTHS);
        // None of them is looked at where what was asked holds.
        let (least, thousandths) = match () {
            () if holds(asked, 0) => (asked, 0),
            () if holds(asked, whole) => (asked, first(whole, |thousandths| holds(asked, thousandths))),
            () if holds(2, 0) => (asked - first(asked - 2, |fewer| holds(asked - fewer, 0)), 0),
            () if holds(2, whole) => {
                let least = asked - first(asked - 2, |fewer| holds(asked - fewer, whole));
                (least, first(whole, |thousandths| holds(least, thousandths)))
            }
            () => return None,
        };
        withheld.copy_from_slice(&after(PartsRule { least, share: share(self, thousandths), ..*self }));
        let name = MEMBER.card.name;
        let k = (least < asked).then(|| NearestParameter::at_most(name, "k", least as f64));
        let c = (thousandths > 0).then(|| NearestParameter::at_least(name, "c", thousandths as f64 / whole as f64));
        Some(k.into_iter().chain(c).collect())
    }
}

const THOUSANDTHS: u64 = 1000;

/// So many thousandths, if that is more than was asked.
fn share(parts: &PartsRule, thousandths: u64) -> Ratio {
    let share = Ratio { numerator: thousandths.into(), denominator: THOUSANDTHS.into() };
    let is_more = share.numerator * parts.share.denominator > parts.share.numerator * share.denominator;
    if is_more { share } else { parts.share }
}

/// The least number up to `most` for which something holds that holds for `most`, as far as halving finds it.
fn first(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    high
}
