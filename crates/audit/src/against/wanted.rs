//! What a release promises, in terms of the columns that both releases hold as collected.
//!
//! Who is left over by a subtraction is a class of their own, and must keep every promise that can be judged from counts
//! by value. t-closeness, β-likeness and δ-disclosure compare them with the release that promises, the table that everybody can
//! see. The classes of two releases meet in unions of classes, so only models that unions keep are asked.
//!
//! **People.** Where people are promised, people are counted: by the tokens that both releases show. Without tokens nobody
//! knows how many people some records are of, and no number of them is enough.
//!
//! Limits: a release says nothing of ladders and given orders: the hierarchical distance and given orders, Grassberger's estimator
//! and δ-disclosure that ignores absent values are not judged.

use std::collections::{BTreeMap, HashSet};

use super::side::{Combinations, Counts};
use crate::manifest::Claims;
use crate::privacy::{
    ClassView, Needs, Promise, Promises, Unit, ValueCounts, ValueNumbers, WholeTable, numeric_places,
};
use crate::treatment::PSEUDONYM;

/// What must hold of those who can be told apart.
pub(super) struct Demands<'a> {
    pub people: u64,
    /// Places among the common columns, with the number of distinct values that every promise implies.
    pub distinct: Vec<(usize, u64)>,
    judges: Vec<Judge>,
    people_counter: PeopleCounter<'a>,
    /// Whether something is promised of a column that both releases have, but not alike.
    is_open: bool,
}

/// A promise about a common column.
struct Judge {
    promise: Promise,
    place: usize,
    /// For each value of the column the number of what a reader sees.
    seen: Vec<u32>,
    whole: WholeTable,
}

/// How records become people.
struct PeopleCounter<'a> {
    combinations: &'a Combinations,
    unit: Unit,
    /// The place of the tokens among the common columns.
    tokens: Option<usize>,
}

/// The columns that both releases hold as collected, as a release has them.
pub(super) struct CommonColumns<'a> {
    /// Their places in this release.
    pub places: Vec<usize>,
    /// Columns that both have, but not alike.
    pub unlike: Vec<usize>,
    pub combinations: &'a Combinations,
}

impl<'a> Demands<'a> {
    /// What a release promises that holds all of these.
    pub fn new(claims: &Claims, columns: &CommonColumns<'a>, all: &Counts) -> Self {
        let people_counter = PeopleCounter::new(claims, columns);
        let mut wanted = Self { people: 2, distinct: Vec::new(), judges: Vec::new(), people_counter, is_open: false };
        for promise in Promises::read(claims).models.into_iter().flatten() {
            let least = &promise.model.least;
            wanted.people = wanted.people.max(least.size.unwrap_or(0));
            wanted.is_open |= promise.column.is_some_and(|column| columns.unlike.contains(&column));
            let Some(place) = columns.places.iter().position(|place| Some(*place) == promise.column) else { continue };
            wanted.distinct.extend(least.values.map(|l| (place, l)));
            wanted.judges.extend(Judge::new(promise, place, all, &wanted.people_counter));
        }
        wanted
    }

    /// Whether these are nobody by themselves: they keep what is promised.
    pub fn are_hidden(&self, counts: &Counts) -> bool {
        !self.is_open
            && self.are_enough(counts)
            && self.judges.iter().all(|judge| judge.holds(counts, &self.people_counter))
    }

    /// Whether they are as many people as promised.
    pub fn are_enough(&self, counts: &Counts) -> bool {
        self.people_counter.people(counts).is_some_and(|people| people >= self.people)
    }

    /// Whether they have as many distinct values as promised.
    pub fn are_diverse(&self, counts: &Counts) -> bool {
        self.distinct.iter().all(|(place, least)| {
            let judge = self.judges.iter().find(|judge| judge.place == *place);
            let seen = |value: u32| judge.and_then(|judge| judge.seen.get(value as usize).copied()).unwrap_or(value);
            let values = counts.keys().filter_map(|row| self.people_counter.combinations.value(*row, *place));
            values.map(seen).collect::<HashSet<u32>>().len() as u64 >= *least
        })
    }

    /// Whether people are promised, and nothing tells them.
    pub fn cannot_count(&self) -> bool {
        self.people_counter.unit == Unit::People && self.people_counter.tokens.is_none()
    }

    /// The models that are judged besides the number of people.
    pub fn models(&self) -> String {
        let mut names: Vec<&str> = self.judges.iter().map(|judge| judge.promise.name).collect();
        names.dedup();
        if names.is_empty() { String::new() } else { format!(", who keep {}", names.join(" and ")) }
    }
}

impl<'a> PeopleCounter<'a> {
    fn new(claims: &Claims, columns: &CommonColumns<'a>) -> Self {
        let is_of_people =
            claims.person.is_some() || Promises::read(claims).understood().any(|promise| promise.unit == Unit::People);
        let is_token = |place: &&usize| {
            let column = claims.columns.get(**place);
            column.is_some_and(|column| column.role == PSEUDONYM && claims.person.as_ref() == Some(&column.name))
        };
        let tokens = columns.places.iter().position(|place| is_token(&place));
        let unit = if is_of_people { Unit::People } else { Unit::Records };
        Self { combinations: columns.combinations, unit, tokens }
    }

    /// How many people these are; nothing where that cannot be told.
    fn people(&self, counts: &Counts) -> Option<u64> {
        match (self.unit, self.tokens) {
            (Unit::Records, _) => Some(counts.values().sum()),
            (Unit::People, None) => None,
            (Unit::People, Some(tokens)) => {
                let token = |row: &u32| self.combinations.value(*row, tokens);
                Some(counts.keys().filter_map(token).collect::<HashSet<u32>>().len() as u64)
            }
        }
    }

    /// How many of them have each value; with tokens a person counts once for a value.
    fn by_value(&self, counts: &Counts, value: impl Fn(u32) -> u32) -> ValueCounts {
        let mut by_value = ValueCounts::new();
        match (self.unit, self.tokens) {
            (Unit::People, Some(tokens)) => {
                let both = |row: &u32| Some((value(*row), self.combinations.value(*row, tokens)?));
                for (value, _) in counts.keys().filter_map(both).collect::<HashSet<(u32, u32)>>() {
                    *by_value.entry(value).or_default() += 1;
                }
            }
            _ => counts.iter().for_each(|(row, count)| *by_value.entry(value(*row)).or_default() += count),
        }
        by_value
    }
}

impl Judge {
    fn new(promise: Promise, place: usize, all: &Counts, people: &PeopleCounter<'_>) -> Option<Self> {
        let mut values = ValueNumbers::default();
        let texts = &people.combinations.values.get(place)?.texts;
        let seen: Vec<u32> = texts.iter().map(|text| values.number(text)).collect();
        let mut judge = Self { promise, place, seen, whole: WholeTable::default() };
        let counts: BTreeMap<u32, u64> = people.by_value(all, |row| judge.value(row, people));
        // Values that only the other release has are there, too: no one here has them.
        for value in judge.seen.iter().copied().collect::<HashSet<u32>>() {
            judge.whole.add(value, counts.get(&value).copied().unwrap_or(0));
        }
        judge.whole.order = numeric_places(&values.texts());
        let is_known = match judge.promise.model.needs {
            Needs::Nothing | Needs::Whole => true,
            Needs::Order => judge.whole.order.is_some(),
            Needs::Ladder | Needs::Population => false,
        };
        (is_known && judge.promise.model.is_closed).then_some(judge)
    }

    fn value(&self, row: u32, people: &PeopleCounter<'_>) -> u32 {
        let value = people.combinations.value(row, self.place).and_then(|value| self.seen.get(value as usize).copied());
        value.unwrap_or(u32::MAX)
    }

    fn holds(&self, counts: &Counts, people: &PeopleCounter<'_>) -> bool {
        let by_value = people.by_value(counts, |row| self.value(row, people));
        let size = people.people(counts).unwrap_or(0);
        self.promise.model.allows(ClassView { size, values: &by_value }, &self.whole)
    }
}
