//! The records of one of two releases, in numbers: their classes, and how often each combination of common values occurs in each.
//!
//! Labels and values get numbers as they come. Memory grows with the distinct records of both releases.

use std::collections::HashMap;

use super::read;
use crate::AuditError;
use crate::decimal::Decimal;
use crate::folder::Folder;
use crate::manifest::Claims;

/// How often each combination of common values occurs, by its number.
pub(super) type Counts = HashMap<u32, u64>;

/// Texts with numbers.
#[derive(Default)]
pub(super) struct TextNumbers {
    numbers: HashMap<Box<str>, u32>,
    pub texts: Vec<Box<str>>,
}

impl TextNumbers {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.numbers.insert(text.into(), number);
        self.texts.push(text.into());
        number
    }
}

/// The values of the columns that both releases hold as collected.
#[derive(Default)]
pub(super) struct Combinations {
    /// For each of these columns.
    pub values: Vec<TextNumbers>,
    numbers: HashMap<Box<[u32]>, u32>,
    /// The values of each combination.
    pub rows: Vec<Box<[u32]>>,
}

impl Combinations {
    fn number(&mut self, row: &[u32]) -> u32 {
        if let Some(number) = self.numbers.get(row) {
            return *number;
        }
        let number = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        self.numbers.insert(row.into(), number);
        self.rows.push(row.into());
        number
    }

    /// The number of a combination's value in one of the columns.
    pub fn value(&self, combination: u32, place: usize) -> Option<u32> {
        self.rows.get(combination as usize)?.get(place).copied()
    }
}

/// The records that share a key.
pub(super) struct ClassCounts {
    /// Their labels in the quasi-identifiers that both releases have.
    pub labels: Box<[u32]>,
    /// Their labels in the others.
    pub others: Box<[u32]>,
    pub counts: Counts,
    pub size: u64,
}

/// Which columns of a release are looked at, by their places.
pub(super) struct ColumnPlaces {
    pub labels: Vec<usize>,
    pub others: Vec<usize>,
    pub common: Vec<usize>,
    /// Whether numbers of each common column are taken in the one way to write them.
    pub are_respelt: Vec<bool>,
}

/// A release.
pub(super) struct ReleaseSide {
    /// For each shared quasi-identifier the labels that occur.
    pub labels: Vec<Vec<Box<str>>>,
    others: Vec<Vec<Box<str>>>,
    pub classes: Vec<ClassCounts>,
}

impl ReleaseSide {
    pub fn read(
        folder: &Folder<'_>,
        claims: &Claims,
        places: &ColumnPlaces,
        combinations: &mut Combinations,
    ) -> Result<Self, AuditError> {
        let numbered = |places: &Vec<usize>| places.iter().map(|_| TextNumbers::default()).collect::<Vec<_>>();
        let (mut labels, mut others) = (numbered(&places.labels), numbered(&places.others));
        combinations.values.resize_with(places.common.len(), TextNumbers::default);
        let mut classes: HashMap<Box<[u32]>, Counts> = HashMap::new();
        let (mut key, mut row) = (Vec::new(), Vec::new());
        read(folder, claims, |record| {
            let columns = labels.iter_mut().chain(&mut others).zip(places.labels.iter().chain(&places.others));
            key.clear();
            key.extend(columns.map(|(column, place)| column.number(&record.cell(*place))));
            row.clear();
            let common = places.common.iter().zip(&places.are_respelt);
            row.extend(combinations.values.iter_mut().zip(common).map(|(values, (place, is_respelt))| {
                let cell = record.cell(*place);
                let number = if *is_respelt { Decimal::collected(&cell) } else { None };
                values.number(&number.map_or(cell, |number| number.to_string().into()))
            }));
            let combination = combinations.number(&row);
            if !classes.contains_key(key.as_slice()) {
                classes.insert(key.as_slice().into(), Counts::new());
            }
            if let Some(counts) = classes.get_mut(key.as_slice()) {
                *counts.entry(combination).or_default() += 1;
            }
        })?;
        let texts = |numbered: Vec<TextNumbers>| numbered.into_iter().map(|one| one.texts).collect::<Vec<_>>();
        let mut classes: Vec<ClassCounts> =
            classes.into_iter().map(|(key, counts)| ClassCounts::new(&key, places.labels.len(), counts)).collect();
        classes.sort_unstable_by(|one, other| (&one.labels, &one.others).cmp(&(&other.labels, &other.others)));
        Ok(Self { labels: texts(labels), others: texts(others), classes })
    }

    pub fn class(&self, class: u32) -> Option<&ClassCounts> {
        self.classes.get(class as usize)
    }

    /// The labels of a class.
    pub fn key(&self, class: u32) -> Vec<String> {
        let Some(class) = self.class(class) else { return Vec::new() };
        let columns = self.labels.iter().chain(&self.others).zip(class.labels.iter().chain(&class.others));
        columns.filter_map(|(texts, label)| texts.get(*label as usize)).map(ToString::to_string).collect()
    }

    /// What the whole release holds.
    pub fn all(&self) -> Counts {
        sum(self.classes.iter().map(|class| &class.counts))
    }
}

impl ClassCounts {
    fn new(key: &[u32], shared: usize, counts: Counts) -> Self {
        let (labels, others) = key.split_at(shared.min(key.len()));
        Self { labels: labels.into(), others: others.into(), size: counts.values().sum(), counts }
    }
}

/// All of these together.
pub(super) fn sum<'a>(counts: impl Iterator<Item = &'a Counts>) -> Counts {
    let mut sum = Counts::new();
    for (combination, count) in counts.flatten() {
        *sum.entry(*combination).or_default() += count;
    }
    sum
}
