//! What a guarantee cost: the node of a release beside the one that the preferences alone would have chosen.

use equanym_core::balance::{self, Balance};
use equanym_core::frequency::Table;
use equanym_core::loss::Count;
use equanym_core::report::{Balanced, Unconstrained};

use super::report::levels;
use crate::policy::{Policy, Preferences};

/// The counted node of a release beside the one without guarantees.
pub(crate) fn guarantee_cost(policy: &Policy, balance: &Balance, table: &Table, count: &Count<'_>) -> Balanced {
    let usual = Preferences::default();
    let preferences = policy.preferences.as_ref().unwrap_or(&usual);
    let node: Vec<usize> = count.set.node.0.iter().map(|&level| usize::from(level)).collect();
    let free = balance.node();
    let shown: Vec<f64> = if preferences.charge_suppression {
        balance::shown(table, count).iter().map(|bits| preferences.unit.per_bit() * bits).collect()
    } else {
        balance.shown(&node)
    };
    let satisfaction = |shown: &[f64]| balance.market().satisfaction(&balance.goods_at(shown));
    Balanced {
        target: preferences.target.clone(),
        distance: preferences.distance.clone(),
        charge_suppression: preferences.charge_suppression,
        satisfaction: satisfaction(&shown),
        off_optimum: balance.distance_at(&shown),
        unconstrained: Unconstrained {
            node: levels(balance, &free),
            satisfaction: satisfaction(&balance.shown(&free)),
            off_optimum: balance.distance(&free),
        },
    }
}
