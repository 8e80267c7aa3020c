//! The classes: records that share every quasi-identifying cell, grouped anew. Columns with new values do not count: no
//! privacy model covers them, and the check on each of them says so. Without a recoded column all records are one class,
//! and a privacy model would hold whatever they say: it fails instead.
//!
//! Memory is held per class, not per record.

use std::collections::HashMap;

use crate::Check;
use crate::cells::{first_cell, push_cell};
use crate::formula::{self, Guard};
use crate::manifest::ClassSizes;
use crate::observer::{Observer, Record};
use crate::privacy::{Class, KeyLabels, Promises, ReleasedClasses, TokenPeople, ValueNumbers, Variable};
use crate::reports::{ReleaseCounts, Reports};

/// Groups the records, then judges the classes and every privacy model.
pub(crate) struct ClassObserver<'a> {
    claimed: &'a ClassSizes,
    reports: Reports<'a>,
    promises: Promises,
    /// Those of each variable that a model looks at.
    values: Vec<ValueNumbers>,
    guard: Option<Guard>,
    quasi: Vec<usize>,
    /// The place of each key's class.
    places: HashMap<Box<[u8]>, usize>,
    classes: Vec<Class>,
    key: Vec<u8>,
    /// Where people are counted and their tokens released.
    tokens: Option<TokenPeople>,
}

impl<'a> ClassObserver<'a> {
    pub fn new(reports: Reports<'a>) -> Self {
        let claims = &reports.manifest.claims;
        let columns = claims.columns.iter().enumerate();
        let promises = Promises::read(claims);
        Self {
            claimed: &claims.classes,
            reports,
            guard: Guard::for_release(claims),
            values: promises.variables.iter().map(|_| ValueNumbers::default()).collect(),
            tokens: TokenPeople::of(claims, &promises),
            promises,
            quasi: columns.filter(|(_, column)| column.is_recoded()).map(|(index, _)| index).collect(),
            places: HashMap::new(),
            classes: Vec::new(),
            key: Vec::new(),
        }
    }

    fn set_key(&mut self, record: &Record<'_>) {
        self.key.clear();
        for column in &self.quasi {
            push_cell(&mut self.key, record.cell(*column));
        }
    }

    /// What reports may be written from.
    fn counted(&self) -> ReleaseCounts {
        let columns = &self.reports.manifest.claims.columns;
        let mut labels: Vec<HashMap<&[u8], u64>> = self.quasi.iter().map(|_| HashMap::new()).collect();
        for (key, class) in self.places.iter().filter_map(|(key, place)| Some((key, self.classes.get(*place)?))) {
            let mut rest = &**key;
            for counts in &mut labels {
                let (cell, next) = first_cell(rest);
                rest = next;
                *counts.entry(cell).or_default() += class.size;
            }
        }
        let named = self.quasi.iter().zip(labels).filter_map(|(place, counts)| {
            let column = columns.get(*place)?;
            Some((column.name.clone(), counts.into_values().collect()))
        });
        let class_sizes = self.classes.iter().map(|class| class.size).collect();
        ReleaseCounts { class_sizes, label_counts: named.collect() }
    }

    /// A privacy model that looks at no column always holds.
    fn idle_check(&self) -> Option<Check> {
        let is_idle = self.quasi.is_empty() && !self.promises.models.is_empty();
        let claim = "privacy models look at recoded columns";
        is_idle.then(|| Check::new("privacy-model", false, claim, "no quasi-identifying column is recoded"))
    }

    fn class_check(&self) -> Check {
        let sizes = || self.classes.iter().map(|class| class.size);
        let found = (self.classes.len() as u64, sizes().min().unwrap_or(0), sizes().max().unwrap_or(0));
        let claimed = (self.claimed.count, self.claimed.min, self.claimed.max);
        let text = |(count, min, max)| format!("{count} classes of {min} to {max} records");
        Check::new("classes", found == claimed, text(claimed), text(found))
    }
}

impl Observer for ClassObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        self.set_key(record);
        let Self { promises, values, guard, places, classes, key, tokens, .. } = self;
        let mut number = |place: usize, variable: &Variable| {
            // The guard of a CSV is no part of the value.
            let cell = record.cell(variable.column);
            let bare = formula::bare(*guard, cell);
            values.get_mut(place).map_or(0, |values| values.number(&bare))
        };
        let place = places.get(key.as_slice()).copied().unwrap_or_else(|| {
            places.insert(key.as_slice().into(), classes.len());
            classes.push(Class::empty(promises));
            classes.len() - 1
        });
        if let Some(tokens) = tokens {
            let values = promises.variables.iter().enumerate().map(|(place, variable)| number(place, variable));
            tokens.see(place, |column| record.cell(column), &values.collect::<Vec<_>>(), promises);
        }
        if let Some(class) = classes.get_mut(place) {
            class.add(promises, record.times, number);
        }
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        let mut keys: Vec<(usize, &[u8])> = self.places.iter().map(|(key, place)| (*place, &**key)).collect();
        keys.sort_unstable();
        let keys = keys.into_iter().map(|(_, key)| key).filter(|_| self.promises.look_at_parts());
        let released = ReleasedClasses {
            classes: self.classes.iter().collect(),
            labels: KeyLabels::number(keys, self.quasi.len()),
            texts: self.values.iter().map(ValueNumbers::texts).collect(),
            is_whole: self.reports.manifest.claims.records.suppressed == Some(0),
            tokens: self.tokens.as_ref(),
        };
        let people = self.tokens.as_ref().map(TokenPeople::check);
        let privacy = self.promises.checks(&released);
        let last = self.idle_check().into_iter().chain([self.reports.check(&self.counted())]);
        std::iter::once(self.class_check()).chain(people).chain(privacy).chain(last).collect()
    }
}
