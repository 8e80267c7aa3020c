//! What the audited release promises, in terms of the columns that both releases hold as collected.
//!
//! Who is left over by a subtraction is a class of their own, and must keep every promise that can be judged from counts
//! by value. t-closeness, β-likeness and δ-disclosure compare them with the audited release, the table that everybody can
//! see. The classes of two releases meet in unions of classes, so only models that unions keep are asked.
//!
//! Limits: a release says nothing of people, ladders and given orders. Promises in people are judged by records, which are as
//! many or more; the hierarchical distance and given orders, Grassberger's estimator and δ-disclosure that ignores absent
//! values are not judged.

use super::{Classes, CombinationCounts, SharedColumns, spelt};
use crate::manifest::Claims;
use crate::privacy::{ClassView, Needs, Promise, Promises, ValueCounts, ValueNumbers, WholeTable, numeric_places};

/// What must hold of those who can be told apart.
pub(super) struct Demands {
    pub people: u64,
    /// Places among the common columns, with the number of distinct values that every promise implies.
    pub distinct: Vec<(usize, u64)>,
    judges: Vec<Judge>,
}

/// A promise about a common column.
struct Judge {
    promise: Promise,
    place: usize,
    values: ValueNumbers,
    whole: WholeTable,
}

impl Demands {
    pub fn new(claims: &Claims, shared: &SharedColumns, releases: [&Classes; 2]) -> Self {
        let mut wanted = Self { people: 2, distinct: Vec::new(), judges: Vec::new() };
        for promise in Promises::read(claims).models.into_iter().flatten() {
            let least = &promise.model.least;
            wanted.people = wanted.people.max(least.size.unwrap_or(0));
            let Some(place) = shared.common.iter().position(|(new, _)| Some(*new) == promise.column) else { continue };
            wanted.distinct.extend(least.values.map(|l| (place, l)));
            wanted.judges.extend(Judge::new(promise, place, releases));
        }
        wanted
    }

    /// Whether so many people, with these values, keep what is promised.
    pub fn are_hidden(&self, people: u64, counts: &CombinationCounts) -> bool {
        people >= self.people && self.judges.iter().all(|judge| judge.holds(people, counts))
    }

    /// The models that are judged besides the number of people.
    pub fn models(&self) -> String {
        let mut names: Vec<&str> = self.judges.iter().map(|judge| judge.promise.name).collect();
        names.dedup();
        if names.is_empty() { String::new() } else { format!(", who keep {}", names.join(" and ")) }
    }
}

impl Judge {
    fn new(promise: Promise, place: usize, [ours, theirs]: [&Classes; 2]) -> Option<Self> {
        let mut values = ValueNumbers::default();
        let mut whole = WholeTable::default();
        for (is_ours, release) in [(true, ours), (false, theirs)] {
            for (cells, count) in release.values().flat_map(|by_rest| by_rest.values()).flatten() {
                let value = values.number(cells.get(place)?);
                whole.add(value, if is_ours { *count } else { 0 });
            }
        }
        whole.order = numeric_places(&values.texts());
        let is_known = match promise.model.needs {
            Needs::Nothing | Needs::Whole => true,
            Needs::Order => whole.order.is_some(),
            Needs::Ladder | Needs::Population => false,
        };
        (is_known && promise.model.is_closed).then_some(Self { promise, place, values, whole })
    }

    fn holds(&self, people: u64, counts: &CombinationCounts) -> bool {
        let mut by_value = ValueCounts::new();
        for (cells, count) in counts {
            let value = cells.get(self.place).and_then(|cell| self.values.known(&spelt(cell)));
            *by_value.entry(value.unwrap_or(u32::MAX)).or_default() += count;
        }
        self.promise.model.allows(ClassView { size: people, values: &by_value }, &self.whole)
    }
}
