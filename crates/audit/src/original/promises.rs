//! The promises that only the original shows.
//!
//! **Against all records.** t-closeness, β-likeness and δ-disclosure compare a class with all records of the original,
//! withheld ones included. The classes are counted in the release, the whole table in the original.
//!
//! **In people.** Who a record belongs to is not released. Each record of the original is recoded to its class with code of
//! this crate; a person counts once in a class, and once with each value of a variable. Shares are over these pairs, in
//! the classes and in the whole table. Only classes that are released are judged. Records of nobody fail.
//!
//! Limits: people cannot be counted where the class of a record cannot be told (local recoding, lists without the mask).
//! An order or a ladder comes from the policy. Memory grows with the distinct people and values of each class.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Findings;
use super::ladder::ValueMeaning;
use super::tally::Tally;
use crate::cells::Stamp;
use crate::manifest::Claims;
use crate::privacy::{
    Class, KeyLabels, Needs, People, Promise, Promises, Rule, Unit, ValueNumbers, WholeTable, numeric_places,
    people_by_group,
};
use crate::records::suppression_check;
use crate::{Check, Evidence};

/// Counts what the promises need.
pub(super) struct Ledger {
    promises: Promises,
    /// The column of people, where they are counted: its name, and its place in the original.
    person: Option<(String, Option<usize>)>,
    /// Whether no record is withheld.
    is_whole: bool,
    /// The suppression limit, where it is a share of people.
    limit: Option<String>,
    values: Vec<ValueNumbers>,
    /// The values of the record at hand.
    record: Vec<u32>,
    classes: HashMap<Stamp, Class>,
    /// For each variable how often each value occurs in the original.
    wholes: Vec<WholeTable>,
    people: People<Stamp>,
    /// The labels of each class, where parts of keys are looked at.
    labels: Option<LabelLedger>,
}

/// The labels of classes by number.
#[derive(Default)]
struct LabelLedger {
    /// For each recoded column, by its number.
    values: BTreeMap<usize, ValueNumbers>,
    /// Those of the record at hand.
    record: Vec<u32>,
    of_class: HashMap<Stamp, Vec<u32>>,
}

impl Ledger {
    pub fn new(claims: &Claims, original: &[String]) -> Self {
        let mut promises = Promises::read(claims);
        if claims.person.is_none() && promises.understood().all(Promise::is_shown_by_bytes) {
            // Nothing is left to count.
            promises.variables.clear();
        }
        let count = promises.variables.len();
        let place = |name: &String| original.iter().position(|column| column == name);
        Self {
            person: claims.person.as_ref().map(|name| (name.clone(), place(name))),
            is_whole: claims.records.suppressed == Some(0),
            limit: claims.limits_people().then(|| claims.suppression_limit.get().to_owned()),
            values: (0..count).map(|_| ValueNumbers::default()).collect(),
            record: vec![0; count],
            classes: HashMap::new(),
            wholes: (0..count).map(|_| WholeTable::default()).collect(),
            people: People::of(count),
            labels: promises.look_at_parts().then(LabelLedger::default),
            promises,
        }
    }

    /// Takes a cell of the record at hand, by the number of its column.
    pub fn value(&mut self, column: usize, cell: &str) {
        let variables = self.promises.variables.iter().zip(&mut self.values).zip(&mut self.record);
        for ((_, values), number) in variables.filter(|((variable, _), _)| variable.column == column) {
            *number = values.number(cell);
        }
    }

    /// Takes the label of a recoded column of the record at hand.
    pub fn label(&mut self, column: usize, label: Option<&str>) {
        if let (Some(known), Some(label)) = (&mut self.labels, label) {
            known.record.push(known.values.entry(column).or_default().number(label));
        }
    }

    /// The record at hand is one of the original, in this class.
    pub fn collected(&mut self, class: Stamp, cells: &[&str]) {
        if let Some(known) = &mut self.labels {
            let labels = std::mem::take(&mut known.record);
            known.of_class.entry(class).or_insert(labels);
        }
        let Some((_, place)) = &self.person else {
            for (whole, value) in self.wholes.iter_mut().zip(&self.record) {
                whole.add(*value, 1);
            }
            return;
        };
        let name = place.and_then(|place| cells.get(place)).copied().unwrap_or_default();
        let counted = self.classes.entry(class).or_insert_with(|| Class::empty(&self.promises));
        self.people.count(class, name, &self.record, counted, &mut self.wholes);
    }

    /// The record at hand is one of the release, in this class.
    pub fn released(&mut self, class: Stamp) {
        if self.person.is_none() && !self.record.is_empty() {
            let class = self.classes.entry(class).or_insert_with(|| Class::empty(&self.promises));
            class.add(&self.promises, 1, |place, _| self.record.get(place).copied().unwrap_or(0));
        }
    }

    /// Whether every record of the original belongs to a person.
    pub fn person_check(&self) -> Option<Check> {
        let (name, place) = self.person.as_ref()?;
        let found = match place {
            None => "the original has no such column".to_owned(),
            Some(_) => self.people.tell(),
        };
        let passed = place.is_some() && self.people.nameless == 0;
        Some(Check::new("original-people", passed, format!("column {name:?} says whose each record is"), found))
    }

    /// Judges what the released bytes do not show; `tally` has the classes of the original, if they are known.
    pub fn judge(&self, tally: Result<&Tally, Evidence>, known: &[ValueMeaning]) -> Findings {
        let texts: Vec<Vec<&str>> = self.values.iter().map(ValueNumbers::texts).collect();
        let mut found = Findings::default();
        for promise in self.promises.understood() {
            let is_elsewhere = promise.is_of_population();
            if is_elsewhere || self.person.is_none() && promise.is_shown_by_bytes() {
                found.shown.push(None);
                continue;
            }
            let check = self.check(promise, tally, known, &texts);
            found.shown.push(Some(check.as_ref().map_or_else(|why| *why, |_| Evidence::Original)));
            found.checks.extend(check);
        }
        if let Some(limit) = &self.limit {
            found.limit = Some(tally.map_or_else(|why| why, |_| Evidence::Original));
            found.checks.extend(tally.map(|tally| self.limit_check(limit, tally)));
        }
        found
    }

    /// Whether few enough people lose a record.
    fn limit_check(&self, limit: &str, tally: &Tally) -> Check {
        let losers = self.people.in_class.iter().filter(|(class, _)| !tally.is_released(class));
        let losers: HashSet<u32> = losers.map(|(_, person)| *person).collect();
        suppression_check(limit, losers.len() as u64, self.people.total(), Unit::People)
    }

    fn check(
        &self,
        promise: &Promise,
        tally: Result<&Tally, Evidence>,
        known: &[ValueMeaning],
        texts: &[Vec<&str>],
    ) -> Result<Check, Evidence> {
        let tally = if self.person.is_some() { Some(tally?) } else { None };
        if let (Rule::Parts(_), Some(tally)) = (&promise.model.rule, tally) {
            return Ok(self.check_parts(promise, tally));
        }
        let is_judged = |class: &Stamp| tally.is_none_or(|tally| tally.is_released(class));
        let classes = self.classes.iter().filter(|(class, _)| is_judged(class)).map(|(_, class)| class);
        let known = known.iter().find(|known| known.name == promise.variable);
        let variable = self.promises.place(promise);
        let whole = match variable.and_then(|place| Some((self.wholes.get(place)?, texts.get(place)?))) {
            Some((whole, texts)) => self.whole(promise, &whole.counts, texts, known)?,
            None => WholeTable::default(),
        };
        Ok(promise.check(variable, &classes.collect::<Vec<_>>(), &whole, "original"))
    }

    /// Judges parts of keys in people: those of the released classes.
    fn check_parts(&self, promise: &Promise, tally: &Tally) -> Check {
        let known = self.labels.iter().flat_map(|known| &known.of_class);
        let released: Vec<(&Stamp, &Vec<u32>)> = known.filter(|(class, _)| tally.is_released(class)).collect();
        let places: HashMap<&Stamp, usize> =
            released.iter().enumerate().map(|(place, (class, _))| (*class, place)).collect();
        let columns = released.first().map_or(0, |(_, labels)| labels.len());
        let of_column = |column: usize| released.iter().filter_map(|(_, labels)| labels.get(column).copied()).collect();
        let labels = KeyLabels((0..columns).map(of_column).collect());
        let people = self.people.in_class.iter();
        let people: Vec<(usize, u32)> =
            people.filter_map(|(class, person)| Some((*places.get(class)?, *person))).collect();
        let pairs = |pairs: &HashSet<(Stamp, u32, u32)>| -> Vec<(usize, u32, u32)> {
            pairs.iter().filter_map(|(class, person, value)| Some((*places.get(class)?, *person, *value))).collect()
        };
        let pairs: Vec<_> = self.people.pairs_of_class.iter().map(pairs).collect();
        let share = |group_of: &[usize], groups: usize| people_by_group((&people, &pairs), group_of, groups);
        promise.check_parts(self.promises.place(promise), &labels, share)
    }

    /// What the classes are compared with; or what it would take to know it.
    fn whole(
        &self,
        promise: &Promise,
        counts: &[u64],
        texts: &[&str],
        known: Option<&ValueMeaning>,
    ) -> Result<WholeTable, Evidence> {
        // Where the release has every record it shows the order of numbers: what needs the original is another one.
        let is_given = self.is_whole && self.person.is_none();
        let (order, ladder) = match (promise.model.needs, known) {
            (Needs::Nothing | Needs::Whole | Needs::Population, _) => (None, None),
            (Needs::Order, Some(known)) if is_given && known.order.is_none() => (None, None),
            (Needs::Order, Some(known)) => (known.places(texts), None),
            (Needs::Order, None) if is_given => return Err(Evidence::NeedsPolicy),
            (Needs::Order, None) => (Some(numeric_places(texts).ok_or(Evidence::NeedsPolicy)?), None),
            (Needs::Ladder, Some(known)) => (None, known.levels(texts)),
            (Needs::Ladder, None) => return Err(Evidence::NeedsPolicy),
        };
        let mut counts = counts.to_vec();
        counts.resize(texts.len(), 0);
        Ok(WholeTable { counts, order, ladder })
    }
}
