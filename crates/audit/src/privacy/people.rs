//! People: whose records those of a class are, where something tells people apart.
//!
//! A person counts once in a class, and once there with each value of a variable; so in the whole table. In an original its ids tell
//! people apart. In a release its tokens do, where the column of people is released as a pseudonym: an honest token is one person, so
//! what holds for people holds for tokens. The reverse only the original shows, because somebody may have been given several tokens:
//! `people(class) ≤ tokens(class) ≤ records(class)`.
//!
//! Limit: memory grows with the people and values of each class.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::lkc::people_by_group;
use super::{Class, Promises, WholeTable};
use crate::Check;
use crate::manifest::{Claims, Column};
use crate::treatment::PSEUDONYM;

/// Who was counted already, in classes that are told by `K`.
pub(crate) struct People<K> {
    numbers: HashMap<Box<str>, u32>,
    pub in_class: HashSet<(K, u32)>,
    /// For each variable: class, person and value; person and value.
    pub pairs_of_class: Vec<HashSet<(K, u32, u32)>>,
    pairs: Vec<HashSet<(u32, u32)>>,
    /// Records without a person.
    pub nameless: u64,
}

impl<K: Copy + Eq + Hash> People<K> {
    /// Nobody yet; models look at so many variables.
    pub fn of(variables: usize) -> Self {
        Self {
            numbers: HashMap::new(),
            in_class: HashSet::new(),
            pairs_of_class: vec![HashSet::new(); variables],
            pairs: vec![HashSet::new(); variables],
            nameless: 0,
        }
    }

    /// Takes a record of a person with the values that models look at.
    pub fn count(&mut self, class: K, name: &str, values: &[u32], counted: &mut Class, wholes: &mut [WholeTable]) {
        if name.is_empty() {
            self.nameless += 1;
            return;
        }
        let person = self.number(name);
        counted.size += u64::from(self.in_class.insert((class, person)));
        let seen = self.pairs_of_class.iter_mut().zip(&mut self.pairs).zip(values);
        for (((in_class, pairs), value), (counts, whole)) in seen.zip(counted.counts.iter_mut().zip(wholes)) {
            if in_class.insert((class, person, *value)) {
                *counts.entry(*value).or_default() += 1;
            }
            if pairs.insert((person, *value)) {
                whole.add(*value, 1);
            }
        }
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        self.numbers.insert(name.into(), next);
        next
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.numbers.len() as u64
    }

    /// How many there are, or how many records are nobody's.
    pub fn tell(&self) -> String {
        match self.nameless {
            0 => format!("{} people", self.total()),
            nameless => format!("{nameless} records belong to nobody"),
        }
    }
}

impl People<usize> {
    /// The people of each group of classes, given the group of each class.
    pub fn by_group(&self, group_of: &[usize], groups: usize) -> Vec<Class> {
        let in_class: Vec<_> = self.in_class.iter().copied().collect();
        let pairs: Vec<Vec<_>> = self.pairs_of_class.iter().map(|pairs| pairs.iter().copied().collect()).collect();
        people_by_group((&in_class, &pairs), group_of, groups)
    }
}

/// The people of a release, by the tokens that it shows.
pub(crate) struct TokenPeople {
    /// The place of the column of tokens.
    column: usize,
    name: String,
    pub people: People<usize>,
    /// The classes in people.
    pub classes: Vec<Class>,
    /// For each variable how often each value occurs in the release.
    pub wholes: Vec<WholeTable>,
}

impl TokenPeople {
    /// Nobody yet; nothing where a release shows no tokens of people.
    pub fn of(claims: &Claims, promises: &Promises) -> Option<Self> {
        let person = claims.person.as_ref()?;
        let is_person = |column: &Column| column.name == *person && column.role == PSEUDONYM;
        let column = claims.columns.iter().position(is_person)?;
        let variables = promises.variables.len();
        let wholes = (0..variables).map(|_| WholeTable::default()).collect();
        Some(Self { column, name: person.clone(), people: People::of(variables), classes: Vec::new(), wholes })
    }

    /// Takes a record of the class at a place.
    pub fn see<'r>(&mut self, class: usize, cell: impl Fn(usize) -> &'r str, values: &[u32], promises: &Promises) {
        while self.classes.len() <= class {
            self.classes.push(Class::empty(promises));
        }
        if let Some(counted) = self.classes.get_mut(class) {
            self.people.count(class, cell(self.column), values, counted, &mut self.wholes);
        }
    }

    /// Whether every record has a token.
    pub fn check(&self) -> Check {
        let claim = format!("the tokens of {:?} say whose each record is", self.name);
        Check::new("people", self.people.nameless == 0, claim, self.people.tell())
    }
}
