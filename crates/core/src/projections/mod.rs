//! What two variables alone say of a node, before it is counted: bounds from projections, for models that judge parts of keys.
//!
//! Who shares labels in two variables is remembered for each pair of levels ([`PairMemory`]). Keys that are rare there are withheld at every
//! node that has these levels or lower ones.
//!
//! **Levels.** In an interval of the lattice each variable at its lowest level meets each other one at its highest. Where rare
//! keys are more than may be withheld, its lowest level goes up. **Loss.** See [`sharing`].
//! **Nodes.** Where at most two variables are known, pairs tell all there is to know of a node ([`counting`]).
//!
//! **Time.** Pairs take long where there are many variables: when time is over, no more of them are looked at ([`in_time`]).
//!
//! Limits: for limits in records. Only as sharp as two variables are: with a known third, and with what is withheld because
//! others are, more is suppressed.
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
