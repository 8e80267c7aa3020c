//! The release among its neighbours: what half or double the `k`, and no or double the suppression limit, would give.
//!
//! A release is a point on a risk–utility map, and its owner wants to see what lies beside it. The whole map is that of
//! `equanym frontier`; this one is small enough to come with every release. Where a neighbour permits more than the release, it is
//! the best safe node in which no column is coarser and none more than a level finer; where it permits less, the best in which none
//! is finer. So the first begin at the merged keys that the prices of detail have (`super`), the others at the classes of the
//! release, and that is what makes them cheap.
//!
//! Limits: together the searches may visit a share of the classes that prices may ([`PART`]). A neighbour that takes more is left
//! out, and that is said. The measure is work and not time. There are no neighbours where the levels were not found by a proof,
//! where classes are not what is at risk (new values), or where the table is a sample.

use equanym_core::lattice::{Lattice, Node};
use equanym_core::loss;
use equanym_core::method::{self, MethodWork};
use equanym_core::privacy::Guard;
use equanym_core::report::{ClassFindings, NearRelease, Surroundings};
use rayon::prelude::*;

use super::DetailPrices;
use crate::decide::fit::levels;
use crate::policy::share_of;

/// The searches here may take one of so many parts of what those for prices may.
const PART: u64 = 2;

/// Why a neighbour is left out.
const TOO_MUCH: &str = "the table or its lattice is too large to search again for each of them";

/// The most neighbours.
const MOST: u64 = 6;

/// The limit that stands for more where nothing may be withheld.
const SOME: f64 = 0.01;

/// A `k`, where models have one, and a suppression limit.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Setting {
    k: Option<i64>,
    limit: f64,
}

/// What stands around the best node; `hindered` says why nothing is looked for.
pub(super) fn look_around(
    pricing: &DetailPrices<'_>,
    finest: Node,
    hindered: Option<&'static str>,
) -> Option<Surroundings> {
    let policy = pricing.case.policy;
    let is_levels = method::find(&policy.method.name).is_some_and(|one| matches!(one.work, MethodWork::Levels));
    if !is_levels || policy.privacy.is_empty() || policy.sampling().is_some() {
        return None;
    }
    if hindered.is_some() {
        return Some(Surroundings { not_looked_at: hindered, ..Surroundings::default() });
    }
    let (own, node) = (Setting { k: pricing.k(), limit: policy.method.suppression_limit }, &pricing.best.node);
    let classes = pricing.is_nested.then(|| pricing.table.collected_at(node));
    let coarser = pricing.on(classes.as_ref().unwrap_or(pricing.table));
    let more = Lattice { bottom: finest, top: node.clone() };
    let less = Lattice { bottom: node.clone(), top: pricing.table.lattice().top };
    let near = |setting: Setting| {
        let permits_less = setting.k > own.k || setting.limit < own.limit;
        if permits_less { near(&coarser, setting, &less) } else { near(pricing, setting, &more) }
    };
    let found: Vec<NearAnswer> = own.neighbours().into_par_iter().map(near).collect();
    let unknown = found.iter().any(|one| matches!(one, NearAnswer::Unknown));
    let unsafe_settings = found.iter().filter(|one| matches!(one, NearAnswer::Nothing)).count();
    let own = described(pricing, own, &pricing.fitting.guard, pricing.best);
    let neighbours =
        found.into_iter().filter_map(|one| if let NearAnswer::Found(release) = one { Some(*release) } else { None });
    Some(Surroundings {
        releases: [own].into_iter().chain(neighbours).collect(),
        unsafe_settings,
        not_looked_at: unknown.then_some(TOO_MUCH),
    })
}

impl Setting {
    /// Half and double `k`, none and double the limit, and the two corners: the strictest and the loosest of them.
    fn neighbours(self) -> Vec<Self> {
        let Self { k, limit } = self;
        let half = k.map(|k| k - k / 2).filter(|half| *half > 1);
        let double = k.map(|k| k.saturating_mul(2));
        let more = if limit > 0.0 { (2.0 * limit).min(1.0) } else { SOME };
        let all = [(half.or(k), limit), (double, limit), (k, 0.0), (k, more), (double, 0.0), (half.or(k), more)];
        let mut kept: Vec<Self> = Vec::new();
        for one in all.map(|(k, limit)| Self { k, limit }) {
            if one != self && !kept.contains(&one) {
                kept.push(one);
            }
        }
        kept
    }
}

/// What was found under a setting.
enum NearAnswer {
    Found(Box<NearRelease>),
    /// No release is safe.
    Nothing,
    Unknown,
}

fn near(pricing: &DetailPrices<'_>, setting: Setting, lattice: &Lattice) -> NearAnswer {
    let nodes = pricing.nodes(PART * MOST);
    let Some(guard) = pricing.guard_where(|asked| setting.k.unwrap_or(asked)) else { return NearAnswer::Nothing };
    let mut is_whole = true;
    let allowance = share_of(setting.limit, pricing.whole);
    match pricing.search(&guard, allowance, lattice.clone(), nodes).take(&mut is_whole) {
        Some(found) => NearAnswer::Found(Box::new(described(pricing, setting, &guard, &found.best))),
        None if is_whole => NearAnswer::Nothing,
        None => NearAnswer::Unknown,
    }
}

/// A node under a setting, with its risk and loss.
fn described(pricing: &DetailPrices<'_>, setting: Setting, guard: &Guard, best: &loss::CountedNode) -> NearRelease {
    let (loss, table) = (pricing.loss, &pricing.fitting.table);
    let set = pricing.classes(&best.node);
    let verdict = guard.judge(&set);
    let kept = set.people().iter().zip(&verdict.kept).filter(|(_, kept)| **kept);
    let risk = ClassFindings::from_sizes(&kept.map(|(size, _)| *size).collect::<Vec<_>>()).risk;
    let nothing = loss::as_number(loss, loss::units_of_full_generalisation(loss, table));
    let own = loss::as_number(loss, best.summary.units);
    NearRelease {
        k: setting.k.and_then(|k| u64::try_from(k).ok()),
        suppression_limit: setting.limit,
        node: levels(table, &best.node),
        suppressed: best.suppressed,
        loss: if nothing > 0.0 { own / nothing } else { 0.0 },
        risk: risk.prosecutor_mean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_few_and_none_is_the_release_itself() {
        let around = |k, limit| Setting { k, limit }.neighbours();
        assert_eq!(around(Some(5), 0.01).len(), 6);
        assert_eq!(around(Some(5), 0.01)[0], Setting { k: Some(3), limit: 0.01 });
        assert_eq!(around(None, 0.0), [Setting { k: None, limit: SOME }]);
        assert!(around(Some(2), 1.0).iter().all(|one| one.k > Some(1) && one.limit <= 1.0));
        assert!(around(Some(i64::MAX), 0.0).iter().all(|one| one.k > Some(1)));
    }
}
