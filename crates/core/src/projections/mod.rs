//! What two variables alone say of a node, before it is counted: bounds from projections, for models that judge parts of keys.
//!
//! Who shares labels in two variables is remembered for each pair of levels ([`PairMemory`]). A key that is rare there is withheld
//! at every node with these levels or lower ones. Three things follow for the nodes from `lowest` to `highest`:
//!
//! * **Levels.** Let variable a be at level i, and b at its highest level j. If
//!
//!   > records of the keys that are rare at (i, j) > the allowance,
//!
//!   no node with a at level i is safe, because b is at j or lower. The lowest level of a goes up.
//! * **Loss.** The charges of rare keys bound what every node loses: see [`sharing`].
//! * **Nodes.** Where at most two variables are known, pairs tell all there is to know of a node ([`counting`]).
//!
//! **Time.** With many variables there are many pairs. When time is over, no more of them are looked at ([`in_time`]).
//!
//! Limits: for limits in records. A third known variable, and what is withheld because others are, suppress more than two
//! variables tell.
//!
//! Source: our own.

mod counting;
mod in_time;
mod sharing;

use std::sync::Arc;

use crate::frequency::Table;
use crate::lattice::Node;
use crate::loss::{CountedNode, Loss, PerCell};
use crate::privacy::{Guard, PairMemory, PartsRule, Unit};
use crate::stop::Stop;

pub(crate) use in_time::AwaitedNodes;

/// What pairs of variables say of the nodes of a table.
pub(crate) struct Projections<'a> {
    table: &'a Table,
    loss: Option<&'a PerCell>,
    allowance: u64,
    /// The one rule that there is, where nodes can be counted from pairs.
    rule: Option<PartsRule>,
    memory: Arc<PairMemory>,
    stop: Option<Stop<'a>>,
}

impl<'a> Projections<'a> {
    /// For guards that judge parts of keys, and limits in records.
    pub(crate) fn new(
        table: &'a Table,
        guard: &Guard,
        loss: &'a dyn Loss,
        allowance: u64,
        stop: Option<Stop<'a>>,
    ) -> Option<Self> {
        if guard.limits() != Unit::Records || allowance >= table.records {
            return None;
        }
        let memory = guard.memory(table, allowance)?;
        let rule = memory.rule.map(|(rule, _)| rule);
        Some(Self { table, loss: loss.shape().per_cell(), allowance, rule, memory, stop })
    }

    /// The lowest node of an interval without levels at which two variables alone suppress more than may be.
    pub(crate) fn raised(&self, lowest: &Node, highest: &Node) -> Node {
        let is_low = |variable: usize, level: u8| {
            let with =
                |other: usize| self.memory.pair((variable, level), (other, highest.0[other])).records > self.allowance;
            level < highest.0[variable] && !self.is_late() && (0..lowest.0.len()).any(with)
        };
        let level = |variable: usize| {
            let floor = self.memory.keys.node.0[variable].min(highest.0[variable]);
            let mut levels = lowest.0[variable].max(floor)..=highest.0[variable];
            levels.find(|&level| !is_low(variable, level)).unwrap_or(highest.0[variable])
        };
        (0..lowest.0.len()).map(level).collect::<Vec<_>>().into()
    }

    /// A number that no node from `lowest` to the node of `highest` falls below.
    pub(crate) fn bound(&self, lowest: &Node, highest: &CountedNode) -> u128 {
        let loss = self.loss.filter(|loss| !loss.charge.is_empty());
        let bound = loss.map_or(0, |loss| sharing::SharedCharges::new(self, loss, lowest, &highest.node).bound());
        // Some pairs were not looked at.
        if self.is_late() { 0 } else { bound }
    }

    /// Whether time is over. Then it says what is true and tells little, at once.
    fn is_late(&self) -> bool {
        self.stop.is_some_and(|stop| stop.is_late(true))
    }
}
