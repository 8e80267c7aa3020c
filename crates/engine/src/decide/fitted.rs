//! Tables with fitted ladders, kept for the next question to the same keys.
//!
//! Sorting hundreds of thousands of keys takes longer than most searches, and does not depend on what people try: `k`, the limit, the
//! loss, level bounds and weights leave the table as it is. Another ladder makes another table; the ladders that did not change are
//! taken over from one that is kept.
//!
//! Questions that come at once have a table made by one of them ([`FittedTables::prepare`]) and wait outside of the pool. Within
//! it no lock is held while a table is made: threads that wait for each other's parts would wait for it, too.
//!
//! Limit: it serves one count of one table, and does not know which; whoever keeps the count keeps this beside it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use equanym_core::frequency::Table;
use equanym_core::hierarchy::{Builder, Hierarchy};

use super::ladders;
use crate::count::counted_table::CountedTable;
use crate::count::tabulate::Spread;
use crate::error::Result;
use crate::machine::Runtime;
use crate::machine::turn::turn;
use crate::policy::{ValueKind, VariablePolicy};
use crate::progress::Step;

/// The most tables that are kept: the newest, and one to go back to.
const MOST: usize = 2;

/// Tables of one count.
#[derive(Default)]
pub(crate) struct FittedTables {
    kept: Mutex<Vec<Arc<FittedTable>>>,
    /// Held by whoever makes one.
    making: Mutex<()>,
}

/// A table, and what it was made by.
struct FittedTable {
    ladders: Vec<LadderOrigin>,
    spread: Vec<Spread>,
    person: Option<String>,
    table: Arc<Table>,
}

/// What the ladder of a variable depends on besides the values.
#[derive(PartialEq)]
struct LadderOrigin {
    name: String,
    kind: ValueKind,
    builder: Builder,
}

impl FittedTables {
    /// Has the table made that a policy asks for, if it is not kept; by one of those who ask at once. No thread of the pool
    /// may call it. Why there is none is told to whoever asks for the table itself.
    pub(crate) fn prepare(&self, counted: &CountedTable<'_>, runtime: &Runtime) {
        let is_kept = || self.lock().iter().any(|one| one.serves(counted));
        if is_kept() || counted.case.columns.quasi.is_empty() || counted.rows.counts.is_empty() {
            return;
        }
        let _turn = turn(&self.making, || counted.case.progress.at(Step::Search, 0));
        if !is_kept() {
            drop(runtime.side_by_side(|| self.table(counted)));
        }
    }

    /// The table that a policy asks for.
    pub(super) fn table(&self, counted: &CountedTable<'_>) -> Result<Arc<Table>> {
        let all: Vec<Arc<FittedTable>> = self.lock().clone();
        let Some(kept) = all.iter().find(|one| one.serves(counted)) else {
            let known = |variable: &VariablePolicy| all.iter().find_map(|one| one.ladder(variable));
            let table = Arc::new(ladders::table(counted, &known)?);
            self.keep(FittedTable::new(counted, Arc::clone(&table)));
            return Ok(table);
        };
        let bounds = counted.case.columns.quasi.iter().zip(&kept.table.variables);
        let bounds = bounds.map(|(one, variable)| one.level_bounds(variable.hierarchy.height()));
        let bounds = bounds.collect::<Result<Vec<(u8, u8)>>>()?;
        let wanted =
            || counted.case.columns.quasi.iter().zip(&bounds).map(|(one, &(min, max))| (min, max, one.weight()));
        let has = kept.table.variables.iter().map(|one| (one.min_level, one.max_level, one.weight));
        if has.eq(wanted()) {
            return Ok(Arc::clone(&kept.table));
        }
        let mut table = Table::clone(&kept.table);
        for (variable, (min, max, weight)) in table.variables.iter_mut().zip(wanted()) {
            (variable.min_level, variable.max_level, variable.weight) = (min, max, weight);
        }
        let table = Arc::new(table);
        self.keep(FittedTable::new(counted, Arc::clone(&table)));
        Ok(table)
    }

    /// Keeps a table in the place of the one that differs in bounds and weights alone, or of the oldest.
    fn keep(&self, table: FittedTable) {
        let mut all = self.lock();
        all.retain(|one| !one.is_like(&table));
        all.insert(0, Arc::new(table));
        all.truncate(MOST);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<FittedTable>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FittedTable {
    fn new(counted: &CountedTable<'_>, table: Arc<Table>) -> Self {
        let columns = &counted.case.columns;
        let ladder = |one: &&VariablePolicy| LadderOrigin {
            name: one.name.clone(),
            kind: one.kind,
            builder: one.hierarchy.clone(),
        };
        let ladders = columns.quasi.iter().map(ladder).collect();
        Self { ladders, spread: columns.spread.clone(), person: columns.person.map(str::to_owned), table }
    }

    /// Whether it is the table of a policy but for bounds and weights.
    fn serves(&self, counted: &CountedTable<'_>) -> bool {
        let columns = &counted.case.columns;
        let is_of = |(ladder, one): (&LadderOrigin, &&VariablePolicy)| ladder.is_of(one);
        self.person.as_deref() == columns.person
            && self.spread == columns.spread
            && self.ladders.len() == columns.quasi.len()
            && self.ladders.iter().zip(&columns.quasi).all(is_of)
    }

    fn is_like(&self, other: &Self) -> bool {
        self.person == other.person && self.spread == other.spread && self.ladders == other.ladders
    }

    /// The ladder of a variable, if it was fitted by the same rule.
    fn ladder(&self, variable: &VariablePolicy) -> Option<Hierarchy> {
        let place = self.ladders.iter().position(|ladder| ladder.is_of(variable))?;
        self.table.variables.get(place).map(|one| one.hierarchy.clone())
    }
}

impl LadderOrigin {
    fn is_of(&self, variable: &VariablePolicy) -> bool {
        self.name == variable.name && self.kind == variable.kind && self.builder == variable.hierarchy
    }
}
