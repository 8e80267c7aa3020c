//! What is in classes: how sensitive values spread in them, and whose records they are.
//!
//! A class is known by its key and its size ([`crate::frequency`]); models that look further look here. Contents merge as
//! classes do. Most tables have none, and then nothing here costs anything.

mod distribution;
mod people;

pub use distribution::Distribution;
use people::People;

/// What is in the classes of a node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contents {
    /// How the records of each class spread over the values of each sensitive variable.
    pub sensitive: Vec<Distribution>,
    /// Who they are of, where people are counted.
    people: Option<People>,
}

impl Contents {
    /// Records that spread so, of nobody in particular.
    pub(crate) fn of_records(sensitive: Vec<Distribution>) -> Self {
        Self { sensitive, people: None }
    }

    /// The same, given somebody for each row and the class of each row. Rows have entries of the sensitive variables.
    pub(crate) fn of_people(self, classes: usize, class_of: &[u32], persons: &[u32], rows: &[Distribution]) -> Self {
        Self { people: Some(People::of(classes, class_of, persons, rows)), ..self }
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
        let entries = together.of(0);
        let mut counts = vec![0; entries.last().map_or(0, |&(code, _)| code as usize + 1)];
        for &(code, count) in entries {
            counts[code as usize] = count;
        }
        counts
    }

    /// Whether the numbers of people and of their values add up when classes merge.
    pub(crate) fn is_additive(&self) -> bool {
        !self.people.as_ref().is_some_and(People::is_repeated)
    }

    /// How many things of about 16 bytes it holds.
    pub(crate) fn weight(&self) -> usize {
        let spread: usize = self.sensitive.iter().map(|spread| spread.entries.len()).sum();
        spread + self.people.as_ref().map_or(0, People::weight)
    }

    /// The contents of coarser classes.
    pub(crate) fn merge(&self, class_of: &[u32], classes: usize) -> Self {
        let sensitive = self.sensitive.iter().map(|spread| spread.merge(class_of, classes)).collect();
        Self { sensitive, people: self.people.as_ref().map(|people| people.merge(class_of, classes)) }
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
        Self { sensitive: Vec::new(), people: self.people.as_ref().map(pick) }
    }
}
