//! Counts the highest nodes of intervals from the rows that the intervals carry.
//!
//! For losses that charge each cell by its level, and models that look at the size of classes only. Only rows that an
//! interval does not suppress everywhere are looked at, and what the others are charged is carried on.
//!
//! Source: our own; Paige & Tarjan 1987 for partition refinement.

use rayon::prelude::*;

use super::optimal::{Below, Task};
use super::{Problem, SearchError};
use crate::frequency::Refinement;
use crate::lattice::Node;
use crate::loss::{Counted, Loss, PerCell};

pub(super) struct Refiner<'a> {
    problem: &'a Problem<'a>,
    loss: &'a PerCell,
    /// Classes below this size are suppressed.
    least: u64,
}

impl<'a> Refiner<'a> {
    /// For problems that it can count for.
    pub(super) fn new(problem: &'a Problem<'a>) -> Option<Self> {
        let records = u64::from(i32::try_from(problem.table.records).ok()?.unsigned_abs());
        let least = problem.guard.least_size()?.min(records + 1);
        Some(Self { problem, loss: problem.loss.per_cell()?, least })
    }

    /// Counts the top first: where it is not safe, nothing is.
    pub(super) fn top(&self) -> Result<(Counted, Refinement), SearchError> {
        let lattice = &self.problem.lattice;
        let classes = Refinement::between(self.problem.table, &lattice.bottom, &lattice.top, self.least);
        let dropped = classes.dropped();
        let suppressed = dropped.iter().map(|&row| classes.rows.sizes[row as usize]).sum();
        let summary = self.loss.summary(self.problem.table, &lattice.top, (&classes.rows, &dropped), None);
        let top = Counted { node: lattice.top.clone(), suppressed, summary };
        if self.problem.is_safe(&top) { Ok((top, classes)) } else { Err(self.problem.no_safe_node(&top)) }
    }

    /// Counts the nodes of tasks side by side, and gives their classes where something better than `best` may come of
    /// them.
    pub(super) fn count(&self, tasks: &mut [Task], best: u128) -> Vec<Below> {
        tasks.par_iter_mut().with_max_len(1).map(|task| self.count_one(task, best)).collect()
    }

    fn count_one(&self, task: &mut Task, best: u128) -> Below {
        let (table, interval) = (self.problem.table, &mut task.interval);
        let (lowest, highest) = (&interval.lowest, &interval.highest);
        let changed = (0..lowest.0.len()).find(|&variable| task.node.0[variable] != highest.node.0[variable]);
        let step = changed.map_or((0, highest.node.0[0]), |variable| (variable, task.node.0[variable]));
        let classes = self.classes(interval.classes.take(), lowest, &highest.node);
        // Which rows an unsafe node drops, and what it loses, is of no use to anybody.
        let is_safe = |records| self.problem.permits(highest.suppressed + records);
        let (counted, below) = classes.lowered(table, step, self.least, is_safe, |dropped| {
            let suppressed = highest.suppressed + dropped.records;
            let summary = self.loss.summary(table, &task.node, (&classes.rows, dropped.rows), Some(&highest.summary));
            let counted = Counted { node: task.node.clone(), suppressed, summary };
            let is_wanted = self.loss.bound(lowest, None, Some(&counted)) <= best;
            (counted, is_wanted)
        });
        interval.classes = Some(classes);
        Below { counted, classes: below }
    }

    /// The classes that an interval carries, merged where that pays.
    fn classes(&self, carried: Option<Refinement>, lowest: &Node, highest: &Node) -> Refinement {
        let table = self.problem.table;
        let classes = carried.unwrap_or_else(|| Refinement::between(table, lowest, highest, self.least));
        classes.merged(table, lowest).unwrap_or(classes)
    }
}
