//! People in classes: who has several records counts once.
//!
//! Let classes A and B merge. Then
//!
//! > people(A ∪ B) = people(A) + people(B) − people in both.
//!
//! People in several classes are *repeated*: each has a list of the classes they are in. A merge adds the numbers of people and
//! takes away, list by list, what was counted twice. A list shrinks when classes of it merge, and vanishes when one class is left.
//! Where everybody's records share a key there are no lists, and numbers add up.
//!
//! The same holds for a person with a value of a sensitive variable: such *pairs* are what models take shares of.
//!
//! **Triples** (key, person, value) do add up. Each pair of a class has one triple or more in it, which bounds what finer
//! classes may keep ([`crate::privacy::Guard::forced`]).
//!
//! Limit: lists are as long as the (key, person) pairs of those who are in several keys.
//! Source: our own.

use hashbrown::HashMap;
use rayon::prelude::*;

use super::Distribution;
use crate::hierarchy::Code;

/// The people of classes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct People {
    /// How many are in each class.
    pub counts: Vec<u64>,
    /// Those who are in several.
    pub repeated: ClassLists,
    /// For each sensitive variable the pairs of a person and a value.
    pub pairs: Vec<PersonValues>,
}

/// Pairs of a person and a value in classes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PersonValues {
    /// How many there are of each value in each class.
    pub spread: Distribution,
    /// Those that are in several classes.
    repeated: ClassLists,
    /// The triples of each value in each class, where they are not the pairs.
    triples: Option<Distribution>,
}

/// What counts once and is in several classes: for each a code and a list of its classes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ClassLists {
    codes: Vec<Code>,
    /// Where each list ends.
    ends: Vec<usize>,
    classes: Vec<u32>,
}

/// A row of a counted table: somebody in a class with a value.
type PersonRow = (u32, Code, u32);

impl People {
    /// The people of so many classes, given for each row its class, its person and its entries of each sensitive variable.
    pub(super) fn count(classes: usize, class_of: &[u32], persons: &[u32], sensitive: &[Distribution]) -> Self {
        let rows = class_of.iter().zip(persons).map(|(&class, &person)| (person, 0, class)).collect();
        let mut counts = vec![0; classes];
        let repeated = each_once(rows, |class, _| counts[class as usize] += 1);
        let pairs = sensitive.iter().map(|spread| PersonValues::count(classes, class_of, persons, spread)).collect();
        Self { counts, repeated, pairs }
    }

    pub(super) fn merge(&self, class_of: &[u32], classes: usize) -> Self {
        let mut counts = vec![0; classes];
        class_of.iter().zip(&self.counts).for_each(|(&class, count)| counts[class as usize] += count);
        let repeated = self.repeated.merge(class_of, |class, _, twice| counts[class as usize] -= twice);
        let pairs = self.pairs.iter().map(|pairs| pairs.merge(class_of, classes)).collect();
        Self { counts, repeated, pairs }
    }

    /// How many people some of the classes have, and nothing else.
    pub(super) fn counts_of(&self, classes: &[u32]) -> Self {
        Self { counts: classes.iter().map(|&class| self.counts[class as usize]).collect(), ..Self::default() }
    }

    /// The people of some classes together.
    pub(super) fn in_classes(&self, is_meant: impl Fn(usize) -> bool) -> u64 {
        let counts = self.counts.iter().enumerate().filter(|(class, _)| is_meant(*class)).map(|(_, count)| count);
        let twice = self.repeated.lists().map(|(_, classes)| {
            let meant = classes.iter().filter(|&&class| is_meant(class as usize)).count();
            meant.saturating_sub(1) as u64
        });
        counts.sum::<u64>() - twice.sum::<u64>()
    }

    /// How many are the only ones with their combination of these classes: a token that links their records names them to
    /// whoever knows the classes.
    pub(super) fn alone(&self, is_meant: impl Fn(usize) -> bool) -> u64 {
        let mut in_one = self.counts.clone();
        let mut sharing: HashMap<Vec<u32>, u64> = HashMap::new();
        for (_, classes) in self.repeated.lists() {
            for &class in classes {
                in_one[class as usize] -= 1;
            }
            let meant: Vec<u32> = classes.iter().copied().filter(|&class| is_meant(class as usize)).collect();
            match meant.as_slice() {
                [] => {}
                [class] => in_one[*class as usize] += 1,
                _ => *sharing.entry(meant).or_default() += 1,
            }
        }
        let in_one = in_one.iter().enumerate().filter(|(class, _)| is_meant(*class)).map(|(_, count)| count);
        in_one.chain(sharing.values()).filter(|&&count| count == 1).count() as u64
    }

    /// Whether somebody, or some pair, is in several classes.
    pub(super) fn is_repeated(&self) -> bool {
        !self.repeated.is_empty() || self.pairs.iter().any(|pairs| !pairs.repeated.is_empty())
    }

    /// How many things of about 16 bytes it holds.
    pub(super) fn weight(&self) -> usize {
        self.repeated.classes.len() / 4 + self.pairs.iter().map(PersonValues::weight).sum::<usize>()
    }
}

impl PersonValues {
    fn count(classes: usize, class_of: &[u32], persons: &[u32], values: &Distribution) -> Self {
        let of_row = |(row, (&class, &person)): (usize, (&u32, &u32))| {
            values.in_class(row).iter().map(move |&(code, _)| (person, code, class))
        };
        let rows: Vec<PersonRow> = class_of.iter().zip(persons).enumerate().flat_map(of_row).collect();
        let mut entries = Vec::with_capacity(rows.len());
        let repeated = each_once(rows, |class, code| entries.push((class, (code, 1))));
        let spread = Distribution::from_entries(classes, &entries);
        let triples = (!repeated.is_empty()).then(|| spread.clone());
        Self { spread, repeated, triples }
    }

    pub(super) fn merge(&self, class_of: &[u32], classes: usize) -> Self {
        let mut spread = self.spread.merge(class_of, classes);
        let repeated = self.repeated.merge(class_of, |class, code, twice| spread.take_away(class, code, twice));
        let triples = self.triples.as_ref().map(|triples| triples.merge(class_of, classes));
        Self { spread, repeated, triples }
    }

    /// The triples of each value in each class.
    pub(super) fn triples(&self) -> &Distribution {
        self.triples.as_ref().unwrap_or(&self.spread)
    }

    fn weight(&self) -> usize {
        let entries = |spread: &Distribution| spread.entries.len();
        entries(&self.spread) + self.repeated.classes.len() / 4 + self.triples.as_ref().map_or(0, entries)
    }
}

impl ClassLists {
    fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    fn lists(&self) -> impl Iterator<Item = (Code, &[u32])> {
        let mut start = 0;
        self.codes.iter().zip(&self.ends).map(move |(&code, &end)| {
            let list = &self.classes[start..end];
            start = end;
            (code, list)
        })
    }

    /// Takes a list, in order and without repetition, if it is longer than one.
    fn push(&mut self, code: Code, classes: impl ExactSizeIterator<Item = u32>) {
        if classes.len() > 1 {
            self.codes.push(code);
            self.classes.extend(classes);
            self.ends.push(self.classes.len());
        }
    }

    /// The lists after a merge; hears what was counted so many times too often in a class.
    fn merge(&self, class_of: &[u32], mut too_often: impl FnMut(u32, Code, u64)) -> Self {
        let mut merged = Self::default();
        let mut list = Vec::new();
        for (code, classes) in self.lists() {
            list.clear();
            list.extend(classes.iter().map(|&class| class_of[class as usize]));
            list.sort_unstable();
            for run in list.chunk_by(|one, other| one == other).filter(|run| run.len() > 1) {
                too_often(run[0], code, run.len() as u64 - 1);
            }
            list.dedup();
            merged.push(code, list.iter().copied());
        }
        merged
    }
}

/// Hears once of every code that somebody has in a class; keeps what is in several classes.
fn each_once(mut rows: Vec<PersonRow>, mut hear: impl FnMut(u32, Code)) -> ClassLists {
    rows.par_sort_unstable();
    rows.dedup();
    let mut repeated = ClassLists::default();
    for run in rows.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
        for &(_, code, class) in run {
            hear(class, code);
        }
        repeated.push(run[0].1, run.iter().map(|&(_, _, class)| class));
    }
    repeated
}
