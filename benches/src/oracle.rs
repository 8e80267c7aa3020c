//! Every node of a lattice, looked at once for many cells: what `exhaustive` answers to each of them.
//!
//! The classes of a node are the same for every k, limit and loss, so one walk along the tree of `exhaustive` answers
//! the whole grid. By definition and from public parts of the core alone: no search takes part.

use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::lattice::Node;
use equanym_core::loss::{CountedNode, JudgedClasses, Loss};
use equanym_core::privacy::Guard;
use rayon::prelude::*;

use crate::cell::{SearchCell, guard, measure};
use crate::failure::Result;

/// For each cell the best of all safe nodes, if there is a safe one. The table's ladders are nested.
pub fn answers(table: &Table, cells: &[SearchCell]) -> Result<Vec<Option<CountedNode>>> {
    let mut oracle = Oracle { table, guards: Vec::new(), losses: Vec::new(), questions: Vec::new() };
    for cell in cells {
        let guard_place = place(&mut oracle.guards, cell.k, || guard(cell.k))?;
        let loss_place = place(&mut oracle.losses, cell.loss, || measure(table, cell.loss))?;
        let most = cell.budget(table).min(table.records.saturating_sub(1));
        oracle.questions.push(OracleQuestion { guard: guard_place, loss: loss_place, most });
    }
    Ok(oracle.visit(table.keys(), 0))
}

/// The best of all safe nodes by one loss, if there is a safe one. The table's ladders are nested.
pub fn answer(table: &Table, k: u32, most: u64, loss: Box<dyn Loss>) -> Result<Option<CountedNode>> {
    let questions = vec![OracleQuestion { guard: 0, loss: 0, most: most.min(table.records.saturating_sub(1)) }];
    let oracle = Oracle { table, guards: vec![(k, guard(k)?)], losses: vec![("", loss)], questions };
    Ok(oracle.visit(table.keys(), 0).into_iter().flatten().next())
}

/// The place of what belongs to a key, which is made when it is met for the first time.
fn place<K: PartialEq, V>(list: &mut Vec<(K, V)>, key: K, make: impl FnOnce() -> Result<V>) -> Result<usize> {
    if let Some(place) = list.iter().position(|(known, _)| *known == key) {
        return Ok(place);
    }
    list.push((key, make()?));
    Ok(list.len() - 1)
}

struct Oracle<'a> {
    table: &'a Table,
    guards: Vec<(u32, Guard)>,
    losses: Vec<(&'static str, Box<dyn Loss>)>,
    questions: Vec<OracleQuestion>,
}

struct OracleQuestion {
    guard: usize,
    loss: usize,
    /// The most records that may be suppressed.
    most: u64,
}

type Answers = Vec<Option<CountedNode>>;

impl Oracle<'_> {
    /// The best nodes among this one and all that are reached from it by raising variables from `first` on.
    fn visit(&self, set: &FrequencySet, first: usize) -> Answers {
        let mine = self.judge(set);
        let open = (first..set.node.0.len()).into_par_iter().filter(|&variable| self.may_rise(&set.node, variable));
        let above = open.map(|variable| {
            let node = set.node.with(variable, set.node.0[variable] + 1);
            self.visit(&self.table.roll_up(set, &node).set, variable)
        });
        above.reduce_with(better).map_or_else(|| mine.clone(), |above| better(mine.clone(), above))
    }

    fn may_rise(&self, node: &Node, variable: usize) -> bool {
        node.0[variable] < self.table.variables[variable].max_level
    }

    fn judge(&self, set: &FrequencySet) -> Answers {
        let by_guard = |(_, guard): &(u32, Guard)| {
            let verdict = guard.judge(set);
            let count = JudgedClasses { set, verdict: &verdict, finer: None };
            let summarise = |(_, loss): &(&str, Box<dyn Loss>)| CountedNode {
                node: set.node.clone(),
                suppressed: verdict.suppressed,
                limited: verdict.suppressed,
                summary: loss.summarise(self.table, &count),
                forced: None,
            };
            self.losses.iter().map(summarise).collect()
        };
        let counted: Vec<Vec<CountedNode>> = self.guards.iter().map(by_guard).collect();
        let answer = |question: &OracleQuestion| {
            let counted = &counted[question.guard][question.loss];
            (counted.suppressed <= question.most).then(|| counted.clone())
        };
        self.questions.iter().map(answer).collect()
    }
}

/// The better answer to each question.
fn better(one: Answers, other: Answers) -> Answers {
    let rank = |counted: &CountedNode| {
        (counted.summary.units, counted.suppressed, counted.node.height(), counted.node.clone())
    };
    let pick = |pair: (Option<CountedNode>, Option<CountedNode>)| match pair {
        (Some(one), Some(other)) if rank(&other) < rank(&one) => Some(other),
        (one, other) => one.or(other),
    };
    one.into_iter().zip(other).map(pick).collect()
}
