//! What is in classes: how sensitive values spread in them, whose records they are, and how many more people there are.
//!
//! A class is known by its key and its size ([`crate::frequency`]); models that look further look here. Contents merge as
//! classes do. Most tables have none, and then nothing here costs anything.

mod distribution;
mod people;
mod population;

use std::borrow::Cow;

pub use distribution::Distribution;
use people::People;
pub(crate) use population::ClassPopulation;
pub use population::RowCounts;

/// What is in the classes of a node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contents {
    /// How the records of each class spread over the values of each sensitive variable.
    pub sensitive: Vec<Distribution>,
    /// Who they are of, where people are counted.
    people: Option<People>,
    /// The population that the table was taken from, where it is known.
    population: Option<ClassPopulation>,
}

impl Contents {
    /// Records that spread so, of nobody in particular.
    pub(crate) fn of_records(sensitive: Vec<Distribution>) -> Self {
        Self { sensitive, ..Self::default() }
    }

    /// The same, given somebody for each row and the class of each row. Rows have entries of the sensitive variables.
    pub(crate) fn of_people(self, classes: usize, class_of: &[u32], persons: &[u32], rows: &[Distribution]) -> Self {
        Self { people: Some(People::count(classes, class_of, persons, rows)), ..self }
    }

    /// The same, taken from a population.
    pub(crate) fn within(self, population: ClassPopulation) -> Self {
        Self { population: Some(population), ..self }
    }

    /// How many people of the population are in a class; or a number that adds up when classes merge, and is not less.
    pub(crate) fn population(&self, class: usize, is_additive: bool) -> u64 {
        let count = if is_additive { ClassPopulation::additive } else { ClassPopulation::people };
        self.population.as_ref().map_or(0, |population| count(population, class))
    }

    /// Whether the population is known: then a class may become an allowed one without a record more.
    pub(crate) fn has_population(&self) -> bool {
        self.population.is_some()
    }

    /// The classes of the population that have no record of the table.
    pub(crate) fn absent_classes(&self) -> usize {
        self.population.as_ref().map_or(0, ClassPopulation::absent_classes)
    }

    /// Whether numbers of people add up from the keys on, those of the population included.
    pub(crate) fn adds_up(&self) -> bool {
        self.people.is_none() && self.population.as_ref().is_none_or(ClassPopulation::adds_up)
    }

    /// Packed keys with those of the population behind them that have no record of the table.
    pub(crate) fn with_absent<'a>(
        &self,
        packed: &'a [Vec<u64>],
        sizes: &'a [u64],
    ) -> (Cow<'a, [Vec<u64>]>, Cow<'a, [u64]>) {
        let Some(population) = &self.population else { return (packed.into(), sizes.into()) };
        let keys = packed.iter().zip(&population.absent).map(|(word, absent)| [word.as_slice(), absent].concat());
        let none = vec![0; population.absent_classes()];
        (keys.collect(), [sizes, &none].concat().into())
    }

    /// Tells the packed keys of the population that have no record of the table.
    pub(crate) fn set_absent(&mut self, absent: impl Iterator<Item = Vec<u64>>) {
        if let Some(population) = &mut self.population {
            population.absent = absent.collect();
        }
    }

    /// The people of each class, where they are counted.
    pub(crate) fn people(&self) -> Option<&[u64]> {
        self.people.as_ref().map(|people| people.counts.as_slice())
    }

    /// The people of some classes together, where they are counted.
    pub(crate) fn people_in(&self, is_meant: impl Fn(usize) -> bool) -> Option<u64> {
        self.people.as_ref().map(|people| people.in_classes(is_meant))
    }

    /// How many people are the only ones with their combination of some classes, where people are counted.
    pub(crate) fn people_alone(&self, is_meant: impl Fn(usize) -> bool) -> Option<u64> {
        self.people.as_ref().map(|people| people.alone(is_meant))
    }

    /// How a sensitive variable spreads in each class, in pairs of a person and a value where people are counted.
    pub(crate) fn spread(&self, sensitive: usize) -> &Distribution {
        self.people.as_ref().map_or(&self.sensitive[sensitive], |people| &people.pairs[sensitive].spread)
    }

    /// The same in numbers that add up when classes merge, and are not less.
    pub(crate) fn additive_spread(&self, sensitive: usize) -> &Distribution {
        self.people.as_ref().map_or(&self.sensitive[sensitive], |people| people.pairs[sensitive].triples())
    }

    /// How often each value of a sensitive variable occurs in all classes together, by its code: records, or people.
    pub(crate) fn totals(&self, sensitive: usize, classes: usize) -> Vec<u64> {
        let one_class = vec![0; classes];
        let together = match &self.people {
            Some(people) => people.pairs[sensitive].merge(&one_class, 1).spread,
            None => self.sensitive[sensitive].merge(&one_class, 1),
        };
        let entries = together.in_class(0);
        let mut counts = vec![0; entries.last().map_or(0, |&(code, _)| code as usize + 1)];
        for &(code, count) in entries {
            counts[code as usize] = count;
        }
        counts
    }

    /// Whether the numbers of people and of their values add up when classes merge.
    pub(crate) fn is_additive(&self) -> bool {
        !self.people.as_ref().is_some_and(People::is_repeated)
            && self.population.as_ref().is_none_or(ClassPopulation::is_additive)
    }

    /// How many things of about 16 bytes it holds.
    pub(crate) fn weight(&self) -> usize {
        let spread: usize = self.sensitive.iter().map(|spread| spread.entries.len()).sum();
        spread
            + self.people.as_ref().map_or(0, People::weight)
            + self.population.as_ref().map_or(0, ClassPopulation::weight)
    }

    /// The contents of coarser classes; classes without a record of the table stay as they are.
    pub(crate) fn merge(&self, class_of: &[u32], classes: usize) -> Self {
        let population = self.population.as_ref().map(|population| population.renumbered(class_of, classes));
        self.merged(class_of, classes, population)
    }

    /// The same where keys of the population without a record of the table come behind `keys` of the table, which become
    /// `classes`. Their packed keys are told later.
    pub(crate) fn merge_all(&self, class_of: &[u32], all: usize, keys: usize, classes: usize) -> Self {
        let population = self.population.as_ref().map(|population| population.merge(class_of, all));
        self.merged(&class_of[..keys], classes, population)
    }

    fn merged(&self, class_of: &[u32], classes: usize, population: Option<ClassPopulation>) -> Self {
        let sensitive = self.sensitive.iter().map(|spread| spread.merge(class_of, classes)).collect();
        Self { sensitive, people: self.people.as_ref().map(|people| people.merge(class_of, classes)), population }
    }

    /// The contents of all classes in another order.
    pub(crate) fn reordered(&self, order: &[u32]) -> Self {
        let mut number_of = vec![0; order.len()];
        (0..).zip(order).for_each(|(number, &class)| number_of[class as usize] = number);
        self.merge(&number_of, order.len())
    }

    /// How many people some of the classes have, and nothing else.
    pub(crate) fn counts_of(&self, classes: &[u32]) -> Self {
        let pick = |people: &People| people.counts_of(classes);
        Self { people: self.people.as_ref().map(pick), ..Self::default() }
    }
}
