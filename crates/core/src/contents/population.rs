//! The population that a table was taken from: how many of its people share each class.
//!
//! Models that look beyond the table compare a class with everybody who would be in it. The population is counted once, by the
//! same keys. Most of its keys have no record of the table. They are kept beside the classes: at a higher node such a key may fall
//! into a class. What is left without a record tells who is not in the table.
//!
//! Where the population knows people, somebody with records in several keys counts once, as in the table. **Pairs** of a key
//! and a person add up when classes merge, and are not less; bounds take them.
//!
//! Limit: costs grow with the distinct keys of the population. Source: our own.

use super::people::People;
use crate::hierarchy::Code;
use crate::variable::Variable;

/// Counted rows, in the codes of a table's ladders.
#[derive(Debug, Clone, Copy)]
pub struct RowCounts<'a> {
    /// For each quasi-identifier the value of each row.
    pub columns: &'a [Vec<Code>],
    /// The records of each row.
    pub counts: &'a [u64],
    /// Whose they are, where people are told apart.
    pub persons: Option<&'a [u32]>,
}

impl RowCounts<'_> {
    /// Whether they are rows of these variables.
    pub(crate) fn fit(&self, variables: &[Variable]) -> bool {
        let fits = |(column, variable): (&Vec<Code>, &Variable)| {
            let values = variable.hierarchy.levels()[0].of.len();
            column.len() == self.counts.len() && column.iter().all(|&code| (code as usize) < values)
        };
        self.columns.len() == variables.len()
            && self.columns.iter().zip(variables).all(fits)
            && self.persons.is_none_or(|persons| persons.len() == self.counts.len())
    }
}

/// How much of a population the keys of a table lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PopulationLack {
    /// Keys of which the table has more than the population.
    pub keys: u64,
    /// How many people, or records, that are too many.
    pub people: u64,
}

/// The population of the classes of a node.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ClassPopulation {
    /// The people of each class of the table, and after them those of the classes that have no record of it.
    people: People,
    /// The pairs of a key and a person of each class, where they are not the people.
    pairs: Option<Vec<u64>>,
    /// The packed keys of the classes that have no record of the table, one list for each word of a key.
    pub absent: Vec<Vec<u64>>,
}

impl ClassPopulation {
    /// The population of so many classes, given the class of each row. Whoever made the keys tells which are absent.
    pub(crate) fn count(classes: usize, class_of: &[u32], rows: &RowCounts<'_>) -> Self {
        let people = match rows.persons {
            Some(persons) => People::count(classes, class_of, persons, &[]),
            None => People { counts: added_up(class_of, rows.counts, classes), ..People::default() },
        };
        let pairs = people.is_repeated().then(|| people.counts.clone());
        Self { people, pairs, absent: Vec::new() }
    }

    /// The population of coarser classes, those without a record of the table included.
    pub(super) fn merge(&self, class_of: &[u32], classes: usize) -> Self {
        let people = self.people.merge(class_of, classes);
        let pairs = self.pairs.as_ref().map(|pairs| added_up(class_of, pairs, classes));
        Self { people, pairs, absent: Vec::new() }
    }

    /// The same where the classes of the table have other numbers and no others come to them.
    pub(super) fn renumbered(&self, class_of: &[u32], classes: usize) -> Self {
        let absent = self.people.counts.len().saturating_sub(class_of.len());
        let numbers: Vec<u32> = class_of.iter().copied().chain((0..).skip(classes).take(absent)).collect();
        Self { absent: self.absent.clone(), ..self.merge(&numbers, classes + absent) }
    }

    /// How many people of the population are in a class.
    pub(super) fn people(&self, class: usize) -> u64 {
        self.people.counts.get(class).copied().unwrap_or(0)
    }

    /// The same in a number that adds up when classes merge, and is not less.
    pub(super) fn additive(&self, class: usize) -> u64 {
        self.pairs.as_ref().unwrap_or(&self.people.counts).get(class).copied().unwrap_or(0)
    }

    /// Whether nobody counts in two keys.
    pub(super) fn adds_up(&self) -> bool {
        self.pairs.is_none()
    }

    /// Whether nobody counts in two classes.
    pub(super) fn is_additive(&self) -> bool {
        !self.people.is_repeated()
    }

    /// The classes that have no record of the table.
    pub(super) fn absent_classes(&self) -> usize {
        self.absent.first().map_or(0, Vec::len)
    }

    /// What keys with so many people lack in the population.
    pub(crate) fn lack(&self, people: &[u64]) -> PopulationLack {
        let lacking = people.iter().enumerate().map(|(key, people)| people.saturating_sub(self.people(key)));
        let lacking = lacking.filter(|people| *people > 0);
        lacking.fold(PopulationLack { keys: 0, people: 0 }, |all, people| PopulationLack {
            keys: all.keys + 1,
            people: all.people + people,
        })
    }

    pub(super) fn weight(&self) -> usize {
        self.people.counts.len() + self.people.weight()
    }
}

/// What classes have together, given the class of each part.
fn added_up(class_of: &[u32], parts: &[u64], classes: usize) -> Vec<u64> {
    let mut sums = vec![0; classes];
    class_of.iter().zip(parts).for_each(|(&class, part)| sums[class as usize] += part);
    sums
}
