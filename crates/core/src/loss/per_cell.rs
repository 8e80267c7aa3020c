//! Losses that charge each cell by its level alone.
//!
//! Such a loss is a look-up: `cost[variable][level]` for all records together, and, where suppression is charged, what a
//! suppressed cell pays beyond that until it costs as much as a fully generalised one: `charge[variable][level][value]`.
//! Costs never fall and charges never rise from level to level.
//!
//! Bound of an interval from `lo` to `hi`: every record pays at least its cells at `lo`, and the records that `hi`
//! suppresses, which every node of the interval suppresses too, pay the charge at the level of `lo` on top. The summary
//! of `hi` keeps that sum per variable and level, so the bound is a look-up as well. The classes of `hi` name a value by
//! one of its class; charges are therefore exact from the level at which they were counted on, and below it the sum at
//! the counted level is used, which is never more.

use super::{Counted, FIXED_POINT, Loss, Summary};
use crate::frequency::{FrequencySet, Table};
use crate::lattice::Node;
use crate::privacy::Verdict;

/// A loss that charges each cell by its level alone.
#[derive(Debug, Clone, Default)]
pub struct PerCell {
    /// For each variable and level what all records together lose, in units.
    pub cost: Vec<Vec<u128>>,
    /// For each variable, level and value what a suppressed record loses on top; empty where suppression is free.
    pub charge: Vec<Vec<Vec<u64>>>,
    /// How many units make one, divided by the fixed point.
    pub cells: f64,
}

impl PerCell {
    fn cost_of(&self, node: &Node) -> u128 {
        self.cost.iter().zip(&node.0).map(|(levels, &level)| levels[level as usize]).sum()
    }

    /// For each variable the sums of the charges at each of its levels, one after the other.
    fn charges(&self, table: &Table, set: &FrequencySet, verdict: &Verdict) -> Vec<u128> {
        let suppressed: Vec<usize> = (0..set.len()).filter(|&class| !verdict.kept[class]).collect();
        let mut sums = Vec::new();
        for (variable, levels) in self.charge.iter().enumerate() {
            let counted_at = set.node.0[variable] as usize;
            for level in 0..levels.len() {
                let charge = &levels[level.max(counted_at)];
                let of = |&class: &usize| {
                    let value = table.value(variable, set.keys[class]) as usize;
                    u128::from(set.sizes[class]) * u128::from(charge[value])
                };
                sums.push(suppressed.iter().map(of).sum());
            }
        }
        sums
    }

    fn charge_at(&self, node: &Node, sums: &[u128]) -> u128 {
        let mut start = 0;
        let mut total = 0;
        for (levels, &level) in self.charge.iter().zip(&node.0) {
            total += sums[start + level as usize];
            start += levels.len();
        }
        total
    }
}

impl Loss for PerCell {
    fn summarise(&self, table: &Table, set: &FrequencySet, verdict: &Verdict) -> Summary {
        let parts = self.charges(table, set, verdict);
        Summary { units: self.cost_of(&set.node) + self.charge_at(&set.node, &parts), parts }
    }

    fn bound(&self, lowest: &Node, _: Option<&Counted>, high: Option<&Counted>) -> u128 {
        self.cost_of(lowest) + high.map_or(0, |high| self.charge_at(lowest, &high.summary.parts))
    }

    fn needs_low(&self) -> bool {
        false
    }

    fn units_per_one(&self) -> f64 {
        FIXED_POINT * self.cells
    }
}
