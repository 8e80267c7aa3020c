//! Privacy models: what each claim says about a class.
//!
//! A model that this audit does not know, or a parameter that it cannot read, is a failed check: an unjudged promise must
//! not look like a kept one. A class of one record, or with one value, hides nobody: k and l begin with 2. Missing values
//! count as a value of their own; spellings of one value count once.
//!
//! Sources: k-anonymity, Sweeney 2002; distinct l-diversity, Machanavajjhala et al. 2007.

use std::collections::HashSet;

use serde_json::Number;

use crate::Check;
use crate::manifest::{Column, Privacy};
use crate::observer::Record;
use crate::{formula, spelling};

/// What the models need to know of the records that share a key.
pub(crate) struct Class {
    pub size: u64,
    /// For each privacy claim, the distinct values of its variable, as many as it asks for.
    distinct: Box<[HashSet<Box<str>>]>,
}

/// A claim, as far as it is understood.
pub(crate) enum Model {
    /// Every class holds `k` records or more.
    KAnonymity { k: u64 },
    /// Every class holds `l` distinct values of a variable or more.
    DistinctDiversity { variable: usize, name: String, l: u64 },
    /// Nothing can be said.
    Unknown { why: &'static str },
}

impl Model {
    /// Understands a claim about a table with these columns.
    pub fn of(claim: &Privacy, columns: &[Column]) -> Self {
        match (claim.model.as_str(), claim.kind.as_deref()) {
            ("k-anonymity", None) => Self::k_anonymity(claim),
            ("l-diversity", None | Some("distinct")) => Self::diversity(claim, columns),
            ("l-diversity", Some(_)) => Self::Unknown { why: "this kind of l-diversity is not known to this audit" },
            _ => Self::Unknown { why: "not known to this audit" },
        }
    }

    fn k_anonymity(claim: &Privacy) -> Self {
        match (at_least_two(claim.k.as_ref()), &claim.variable, &claim.l) {
            (Some(k), None, None) => Self::KAnonymity { k },
            _ => Self::Unknown { why: "k-anonymity takes k, a whole number from 2, and nothing else" },
        }
    }

    fn diversity(claim: &Privacy, columns: &[Column]) -> Self {
        let name = claim.variable.clone().unwrap_or_default();
        let variable = columns.iter().position(|column| Some(&column.name) == claim.variable.as_ref());
        let sensitive = variable.and_then(|place| columns.get(place)).is_some_and(|column| column.role == "sensitive");
        match (at_least_two(claim.l.as_ref()), variable, &claim.k) {
            (Some(_), Some(_), None) if !sensitive => Self::Unknown { why: "its variable is not sensitive" },
            (Some(l), Some(variable), None) => Self::DistinctDiversity { variable, name, l },
            (Some(_), None, None) => Self::Unknown { why: "its variable is not in the release" },
            _ => Self::Unknown { why: "l-diversity takes a variable and l, a whole number from 2, and nothing else" },
        }
    }

    /// Judges all classes; `place` is the claim's place in the manifest.
    pub fn judge<'a>(&self, place: usize, classes: impl Iterator<Item = &'a Class>) -> Check {
        match self {
            Self::KAnonymity { k } => {
                let claim = format!("every class holds {k} records or more");
                let promise = Promise { name: "k-anonymity", claim, least: *k, unit: "records" };
                promise.check(classes.map(|class| class.size))
            }
            Self::DistinctDiversity { name, l, .. } => {
                let claim = format!("every class holds {l} distinct values of {name:?} or more");
                let promise = Promise { name: "l-diversity", claim, least: *l, unit: "distinct values" };
                promise.check(classes.map(|class| class.distinct.get(place).map_or(0, |values| values.len() as u64)))
            }
            Self::Unknown { why } => {
                Check::new("privacy-model", false, format!("privacy model {} of the manifest", place + 1), *why)
            }
        }
    }
}

impl Class {
    pub fn empty(models: &[Model]) -> Self {
        Self { size: 0, distinct: models.iter().map(|_| HashSet::new()).collect() }
    }

    /// Counts a record in, as often as it stands there.
    pub fn add(&mut self, models: &[Model], record: &Record<'_>, csv: bool) {
        self.size += record.times;
        let mut seen = String::new();
        for (model, distinct) in models.iter().zip(&mut self.distinct) {
            if let Model::DistinctDiversity { variable, l, .. } = model
                && (distinct.len() as u64) < *l
            {
                // The guard of a CSV is no part of the value.
                let cell = record.cell(*variable);
                let bare = if csv { formula::unguarded(cell) } else { cell.into() };
                spelling::read(&bare, &mut seen);
                if !distinct.contains(seen.as_str()) {
                    distinct.insert(seen.as_str().into());
                }
            }
        }
    }
}

fn at_least_two(number: Option<&Number>) -> Option<u64> {
    number.and_then(Number::as_u64).filter(|number| *number > 1)
}

/// A number that every class must reach.
struct Promise {
    name: &'static str,
    claim: String,
    least: u64,
    unit: &'static str,
}

impl Promise {
    /// Compares what was counted in each class.
    fn check(self, amounts: impl Iterator<Item = u64>) -> Check {
        let (mut total, mut failing, mut smallest) = (0_u64, 0_u64, None::<u64>);
        for amount in amounts {
            total += 1;
            failing += u64::from(amount < self.least);
            smallest = Some(smallest.map_or(amount, |smallest| smallest.min(amount)));
        }
        let found = match smallest {
            Some(smallest) if failing > 0 => {
                format!("{failing} of {total} classes hold fewer, down to {smallest} {}", self.unit)
            }
            _ => format!("all of {total} classes do"),
        };
        Check::new(self.name, failing == 0, self.claim, found)
    }
}

#[cfg(test)]
mod tests {
    use csv::StringRecord;

    use super::*;

    #[test]
    fn a_class_remembers_no_more_values_than_a_promise_asks_for() {
        let models = [Model::DistinctDiversity { variable: 0, name: String::new(), l: 2 }, Model::KAnonymity { k: 2 }];
        let mut class = Class::empty(&models);
        for value in ["a", "a", "b", "c", "d"] {
            let cells = StringRecord::from(vec![value]);
            class.add(&models, &Record { number: 1, times: 1, cells: &cells, previous: None }, false);
        }
        assert_eq!((class.size, class.distinct[0].len(), class.distinct[1].len()), (5, 2, 0));
    }
}
