//! Losses that charge each cell by its level alone.
//!
//! Such a loss is a look-up: `cost[variable][level]` for all records together, and, where suppression is charged, what a
//! suppressed cell pays beyond that until it costs as much as a fully generalised one: `charge[variable][level][value]`.
//! Costs never fall and charges never rise from level to level.
//!
//! **Bound** of an interval from `lo` to `hi`. For every node x of it
//!
//! > loss(x) ≥ cost(`lo`) + charge at the levels of `lo` of the records that `hi` suppresses,
//!
//! because every record pays at least its cells at `lo`, and what `hi` suppresses x suppresses too. The summary of `hi` keeps
//! the charge for each variable and level, so the bound is a look-up. A class names a value by one of its own. The sums are
//! therefore exact from the level of the finest known classes on ([`JudgedClasses::finer`]); below it the sum at that level is
//! used, which is never more.

use super::{CountedNode, FIXED_POINT, JudgedClasses, Loss, LossShape, LossSummary};
use crate::frequency::{FrequencySet, Table};
use crate::hierarchy::Code;
use crate::lattice::Node;
use crate::privacy::Verdict;

/// A loss that charges each cell by its level alone.
#[derive(Debug, Clone, Default)]
pub struct PerCell {
    /// For each variable and level what all records together lose, in units.
    pub cost: Vec<Vec<u128>>,
    /// For each variable, level and value what a suppressed record loses on top; empty where suppression is free.
    pub charge: Vec<Vec<Vec<u64>>>,
    /// What the sum over all cells is divided by to give the loss: 1 for a sum, the number of cells for a mean.
    pub divisor: f64,
}

/// Classes that are suppressed at a node.
pub(crate) struct SuppressedClasses<'a> {
    /// The set of the node, or a finer one.
    pub set: &'a FrequencySet,
    /// Those of its classes that are suppressed.
    pub classes: &'a [u32],
}

impl PerCell {
    fn cost_of(&self, node: &Node) -> u128 {
        self.cost.iter().zip(&node.0).map(|(levels, &level)| levels[level as usize]).sum()
    }

    /// What a node loses, given its charges.
    pub(crate) fn summary(&self, node: &Node, charges: Vec<u128>) -> LossSummary {
        LossSummary { units: self.cost_of(node) + self.charge_at(node, &charges), parts: charges }
    }

    /// What suppressed records are charged: for each variable, for each of its levels, a sum. The sums stand one after the
    /// other.
    pub(crate) fn charges(&self, table: &Table, suppressed: &SuppressedClasses<'_>) -> Vec<u128> {
        let &SuppressedClasses { set, classes } = suppressed;
        let by_value = table.records_by_value(set, classes);
        let mut sums = Vec::new();
        for ((levels, records), &counted_at) in self.charge.iter().zip(&by_value).zip(&set.node.0) {
            let sum = |charge: &Vec<u64>| -> u128 {
                let paid = |&(value, records): &(Code, u64)| u128::from(records) * u128::from(charge[value as usize]);
                records.iter().map(paid).sum()
            };
            sums.extend((0..levels.len()).map(|level| sum(&levels[level.max(counted_at as usize)])));
        }
        sums
    }

    /// Adds what some records of classes are charged at least: each of them no less than the cheapest value below its label.
    fn add_cheapest(
        &self,
        table: &Table,
        set: &FrequencySet,
        records: impl Fn(usize) -> Option<u64>,
        sums: &mut [u128],
    ) {
        let some: Vec<(usize, u64)> =
            (0..set.len()).filter_map(|class| Some((class, records(class).filter(|records| *records > 0)?))).collect();
        let mut start = 0;
        for (variable, levels) in self.charge.iter().enumerate().filter(|_| !some.is_empty()) {
            let label_of = &table.variables[variable].hierarchy.levels()[usize::from(set.node.0[variable])].of;
            let label = |class: usize| label_of[table.value(set, class, variable) as usize] as usize;
            let mut records = vec![0; label_of.iter().max().map_or(0, |most| *most as usize + 1)];
            for &(class, count) in &some {
                records[label(class)] += count;
            }
            for (sum, charge) in sums.iter_mut().skip(start).zip(levels) {
                let mut cheapest = vec![u64::MAX; records.len()];
                for ((&label, &charge), &there) in label_of.iter().zip(charge).zip(table.value_counts(variable)) {
                    if there > 0 {
                        cheapest[label as usize] = cheapest[label as usize].min(charge);
                    }
                }
                let paid = records.iter().zip(&cheapest).filter(|(records, _)| **records > 0);
                *sum += paid.map(|(&records, &charge)| u128::from(records) * u128::from(charge)).sum::<u128>();
            }
            start += levels.len();
        }
    }

    /// For each variable what one level more than at `lowest` costs the records that `highest` does not suppress; 0 where
    /// `highest` is no higher.
    pub(crate) fn steps(&self, lowest: &Node, highest: &CountedNode) -> Vec<u128> {
        let mut start = 0;
        let mut steps = Vec::with_capacity(self.cost.len());
        for (variable, cost) in self.cost.iter().enumerate() {
            let (low, high) = (lowest.0[variable], highest.node.0[variable]);
            let charge = |level: usize| highest.forced_parts().get(start + level).copied().unwrap_or(0);
            let paid = |level: usize| cost[level] + charge(level);
            let low = low as usize;
            steps.push(if low < high as usize { paid(low + 1).saturating_sub(paid(low)) } else { 0 });
            start += self.charge.get(variable).map_or(0, Vec::len);
        }
        steps
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
    fn summarise(&self, table: &Table, count: &JudgedClasses<'_>) -> LossSummary {
        let (set, classes) = count.suppressed();
        self.summary(&count.set.node, self.charges(table, &SuppressedClasses { set, classes: &classes }))
    }

    fn forced_parts(&self, table: &Table, count: &JudgedClasses<'_>, forced: &[u64]) -> Vec<u128> {
        if forced.iter().all(|records| *records == 0) {
            return vec![0; self.charge.iter().map(Vec::len).sum()];
        }
        let kept = forced.iter().zip(&count.set.sizes).map(|(forced, size)| forced < size).collect();
        let whole = Verdict::keeping(kept, count.set);
        let whole_classes = JudgedClasses { verdict: &whole, ..*count };
        let (set, classes) = whole_classes.suppressed();
        let mut sums = self.charges(table, &SuppressedClasses { set, classes: &classes });
        self.add_cheapest(table, count.set, |class| Some(forced[class]).filter(|_| whole.kept[class]), &mut sums);
        sums
    }

    fn bound(&self, lowest: &Node, _: Option<&CountedNode>, high: Option<&CountedNode>) -> u128 {
        self.cost_of(lowest) + high.map_or(0, |high| self.charge_at(lowest, high.forced_parts()))
    }

    fn shape(&self) -> LossShape<'_> {
        LossShape::ByCell(self)
    }

    fn units_per_one(&self) -> f64 {
        FIXED_POINT * self.divisor
    }
}
