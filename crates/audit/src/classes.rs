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
use crate::privacy::{Class, KeyLabels, Promises, ValueNumbers, Variable};
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
    classes: HashMap<Box<[u8]>, Class>,
    key: Vec<u8>,
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
            promises,
            quasi: columns.filter(|(_, column)| column.is_recoded()).map(|(index, _)| index).collect(),
            classes: HashMap::new(),
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
        for (key, class) in &self.classes {
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
        let class_sizes = self.classes.values().map(|class| class.size).collect();
        ReleaseCounts { class_sizes, label_counts: named.collect() }
    }

    /// A privacy model that looks at no column always holds.
    fn idle_check(&self) -> Option<Check> {
        let is_idle = self.quasi.is_empty() && !self.promises.models.is_empty();
        let claim = "privacy models look at recoded columns";
        is_idle.then(|| Check::new("privacy-model", false, claim, "no quasi-identifying column is recoded"))
    }

    fn class_check(&self) -> Check {
        let sizes = || self.classes.values().map(|class| class.size);
        let found = (self.classes.len() as u64, sizes().min().unwrap_or(0), sizes().max().unwrap_or(0));
        let claimed = (self.claimed.count, self.claimed.min, self.claimed.max);
        let text = |(count, min, max)| format!("{count} classes of {min} to {max} records");
        Check::new("classes", found == claimed, text(claimed), text(found))
    }
}

impl Observer for ClassObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        self.set_key(record);
        let Self { promises, values, guard, classes, key, .. } = self;
        let number = |place: usize, variable: &Variable| {
            // The guard of a CSV is no part of the value.
            let cell = record.cell(variable.column);
            let bare = formula::bare(*guard, cell);
            values.get_mut(place).map_or(0, |values| values.number(&bare))
        };
        if let Some(class) = classes.get_mut(key.as_slice()) {
            class.add(promises, record.times, number);
        } else {
            let mut class = Class::empty(promises);
            class.add(promises, record.times, number);
            classes.insert(key.as_slice().into(), class);
        }
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        let (keys, classes): (Vec<&[u8]>, Vec<&Class>) =
            self.classes.iter().map(|(key, class)| (&**key, class)).unzip();
        let texts: Vec<Vec<&str>> = self.values.iter().map(ValueNumbers::texts).collect();
        let keys = keys.into_iter().filter(|_| self.promises.look_at_parts());
        let privacy = self.promises.checks(&classes, &KeyLabels::number(keys, self.quasi.len()), &texts);
        let last = self.idle_check().into_iter().chain([self.reports.check(&self.counted())]);
        std::iter::once(self.class_check()).chain(privacy).chain(last).collect()
    }
}
