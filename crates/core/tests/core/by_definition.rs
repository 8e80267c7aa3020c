//! Compares guards and exact searches with a definition: what it withholds at every node, and the best node at several limits.

use equanym_core::card::Promise;
use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::lattice::Node;
use equanym_core::loss::Loss;
use equanym_core::privacy::{Guard, Unit, Verdict};
use equanym_core::search::{self, Problem, SearchError};
use proptest::prelude::*;

use crate::questions::{classes, units};
use crate::tables::all_nodes;

/// The best node: its loss, how many it withholds, its height and its levels.
type Best = Option<(u128, u64, u32, Node)>;

/// What is searched, and how it is called where something fails.
pub struct Case<'a> {
    pub table: &'a Table,
    pub guard: &'a Guard,
    pub loss: &'a dyn Loss,
    pub name: String,
}

impl Case<'_> {
    pub fn attack(&self, definition: impl Fn(&FrequencySet) -> Verdict) -> Result<(), TestCaseError> {
        let Self { table, guard, name, .. } = self;
        let defined = all_nodes(&table.lattice()).into_iter().map(|node| {
            let set = classes(table, &node);
            let verdict = definition(&set);
            (set, verdict)
        });
        let defined: Vec<(FrequencySet, Verdict)> = defined.collect();
        for (set, verdict) in &defined {
            prop_assert_eq!(&guard.judge(set), verdict, "{} at {:?}", name, set.node);
        }
        let all = if guard.limits() == Unit::People { table.persons() } else { None }.unwrap_or(table.records);
        [0, 5, 30, 100].into_iter().try_for_each(|percent| self.search(&defined, all * percent / 100))
    }

    /// Every exact search that takes these models finds the best node.
    fn search(&self, defined: &[(FrequencySet, Verdict)], allowance: u64) -> Result<(), TestCaseError> {
        let Self { table, guard, loss, name } = self;
        let expected = self.best(defined, allowance);
        let problem = Problem::new(table, guard, *loss, allowance);
        for search in search::ALL.iter().filter(|one| one.card.keeps(Promise::Exact)) {
            let found = match (search.run)(&problem) {
                Err(SearchError::NotMonotone { .. } | SearchError::NotNested { .. }) => continue,
                found => found.ok(),
            };
            prop_assert!(found.as_ref().is_none_or(search::SearchAnswer::is_optimal), "{} {}", search.card.name, name);
            let found = found.map(|found| found.best);
            let found = found.map(|best| (best.summary.units, best.suppressed, best.node.height(), best.node));
            prop_assert_eq!(&found, &expected, "{} {} with {} withheld", search.card.name, name, allowance);
        }
        Ok(())
    }

    fn best(&self, defined: &[(FrequencySet, Verdict)], allowance: u64) -> Best {
        let Self { table, guard, loss, .. } = self;
        let is_safe =
            |verdict: &Verdict| verdict.limited(guard.limits()) <= allowance && verdict.suppressed < table.records;
        let safe = defined.iter().filter(|(_, verdict)| is_safe(verdict));
        let ranked = safe.map(|(set, verdict)| {
            (units(table, *loss, set, verdict), verdict.suppressed, set.node.height(), set.node.clone())
        });
        ranked.min()
    }
}
