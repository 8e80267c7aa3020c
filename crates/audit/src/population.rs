//! The population: who else could be meant by a class, and who is known to be absent.
//!
//! δ-presence and k-map compare each released class with the people of the population who would be in it. Every record of the
//! population is recoded by the claimed rules, with the code that recodes an original, and counted by class. A class that
//! has more records than the population fails.
//!
//! **People.** Where a person is claimed, a population that has that column counts people, and otherwise records. How many people of a
//! class are in the table only the original tells.
//!
//! **Absence.** Where a share above 0 is promised, each class of the population needs a record of the table. The original shows
//! that. Without it, classes that are not released may be withheld ones, and there can be no more of them than withheld records.
//!
//! Limits: the labels of lists need the mask. Local recoding cannot be compared. Memory grows with the classes of the population,
//! and with its people where they are counted.

use std::collections::{HashMap, HashSet};

use crate::cells::{CellHash, Stamp};
use crate::folder::Content;
use crate::key::Key;
use crate::manifest::{Claims, Column};
use crate::original::{Findings, Original, Recoder, StoredMask, columns_check};
use crate::privacy::{Promise, Promises};
use crate::treatment::Treater;
use crate::{AuditError, Check, Evidence, Options, original, table};
/// How many are in each class.
type HeadCounts = HashMap<Stamp, u64>;

/// Judges the promises about a population; the data of the release lie at `data`.
pub(crate) fn checks(
    population: &dyn Original,
    options: &Options<'_>,
    claims: &Claims,
    data: Option<&Content>,
) -> Result<Findings, AuditError> {
    let promises = Promises::read(claims);
    if !promises.understood().any(Promise::is_of_population) {
        return Ok(Findings::default());
    }
    let recoded = claims.columns.iter().filter(|column| column.is_recoded());
    let claim = "each quasi-identifying column is one of the population's";
    let check = columns_check("population-columns", claim, population, recoded);
    let mut found = Findings { checks: vec![check], ..Findings::default() };
    let (Some(data), true) = (data, found.checks.iter().all(|check| check.passed)) else { return Ok(found) };
    let mask = match (options.stored, options.mask) {
        (Some(bytes), _) => Some(StoredMask::parse(bytes)?),
        (None, path) => path.map(StoredMask::read).transpose()?,
    };
    let mask = mask.filter(|mask| mask.is_of(claims));
    let key = options.key.map(Key::read).transpose()?;
    let sides = Sides::count(population, options, claims, (mask.as_ref(), key.as_ref(), data))?;
    for promise in promises.understood() {
        let judged = promise
            .is_of_population()
            .then(|| sides.as_ref().map_err(|why| *why).and_then(|sides| sides.check(promise, claims)));
        found
            .shown
            .push(judged.as_ref().map(|judged| judged.as_ref().map_or_else(|why| *why, |_| Evidence::Population)));
        found.checks.extend(judged.and_then(Result::ok));
    }
    Ok(found)
}

/// How many are in each class of the population, of the release and of the original.
struct Sides {
    population: HeadCounts,
    released: HeadCounts,
    /// Records, or people where they are claimed.
    original: Option<HeadCounts>,
}

impl Sides {
    /// Counts all that is given; or says what it would take to recode it.
    #[allow(clippy::type_complexity)] // one of the two is no failure: the promise stays open
    fn count(
        population: &dyn Original,
        options: &Options<'_>,
        claims: &Claims,
        (mask, key, data): (Option<&StoredMask>, Option<&Key>, &Content),
    ) -> Result<Result<Self, Evidence>, AuditError> {
        let counter = |table: &dyn Original| Counter::new(claims, (mask, key), table.columns());
        let everybody = match counter(population) {
            Ok(counter) => counter,
            Err(why) => return Ok(Err(why)),
        };
        let original = match options.original.map(|table| (table, counter(table))) {
            Some((table, Ok(counter))) => Some(counter.count(table)?),
            Some((_, Err(why))) => return Ok(Err(why)),
            None => None,
        };
        let released = everybody.released(data, claims)?;
        Ok(Ok(Self { population: everybody.count(population)?, released, original }))
    }

    fn check(&self, promise: &Promise, claims: &Claims) -> Result<Check, Evidence> {
        // In people the release does not tell how many of a class are in the table.
        let here = match (&claims.person, &self.original) {
            (None, _) => &self.released,
            (Some(_), Some(original)) => original,
            (Some(_), None) => return Err(Evidence::NeedsOriginal),
        };
        let total = self.released.len();
        let count = |counts: &HeadCounts, class: &Stamp| counts.get(class).copied().unwrap_or(0);
        let holds = |class: &Stamp| {
            let (people, population) = (count(here, class), count(&self.population, class));
            people <= population && promise.model.allows_in(people, population)
        };
        let failing = self.released.keys().filter(|class| !holds(class)).count();
        let known = self.original.as_ref().unwrap_or(&self.released);
        let absent = self.population.keys().filter(|class| !known.contains_key(*class)).count() as u64;
        let most = if self.original.is_some() { 0 } else { claims.records.suppressed.unwrap_or(0) };
        let tells_absence = promise.model.least.presence && absent > most;
        let mut found = if failing == 0 {
            format!("all of {total} classes do")
        } else {
            format!("{failing} of {total} classes do not")
        };
        if tells_absence {
            found =
                format!("{found}; {absent} classes of the population are in no record, {most} may be withheld ones");
        }
        Ok(Check::new(promise.name, failing == 0 && !tells_absence, promise.claim("population"), found))
    }
}

/// Recodes the records of a table to their classes.
struct Counter<'a> {
    columns: Vec<ClassColumn<'a>>,
    /// The place of the column that tells people apart, where they are claimed.
    person: Option<usize>,
}

/// A column that makes up classes.
struct ClassColumn<'a> {
    /// Its place in the table, and in the release.
    place: usize,
    released: usize,
    treater: Treater<'a>,
    recoder: Recoder<'a>,
}

impl<'a> Counter<'a> {
    fn new(
        claims: &'a Claims,
        (mask, key): (Option<&'a StoredMask>, Option<&'a Key>),
        names: &[String],
    ) -> Result<Self, Evidence> {
        let place = |name: &String| names.iter().position(|column| column == name);
        let recoded = |(released, column): (usize, &'a Column)| {
            let treater = Treater::new(column, names, key).ok_or(Evidence::NeedsKey)?;
            let why = if column.label_rule() == Some("listed") { Evidence::NeedsMask } else { Evidence::NotRebuilt };
            let recoder = Recoder::new(column, mask).ok_or(why)?;
            Ok(ClassColumn { place: place(&column.name).ok_or(Evidence::NotRebuilt)?, released, treater, recoder })
        };
        let columns = claims.columns.iter().enumerate().filter(|(_, column)| column.is_recoded()).map(recoded);
        Ok(Self { columns: columns.collect::<Result<_, _>>()?, person: claims.person.as_ref().and_then(place) })
    }

    /// How many records, or people, of a table are in each class. Records of nobody count each.
    fn count(&self, table: &dyn Original) -> Result<HeadCounts, AuditError> {
        let mut counts = HeadCounts::new();
        let mut met: HashSet<(Stamp, Box<str>)> = HashSet::new();
        table.read(&mut |cells| {
            let label = |column: &ClassColumn<'_>| {
                let cell = column.treater.treat(cells.get(column.place).copied().unwrap_or_default(), cells);
                column.recoder.label(&cell).into_owned()
            };
            let class = stamp(self.columns.iter().map(label));
            let person = self.person.and_then(|place| cells.get(place)).filter(|person| !person.is_empty());
            let is_new = person.is_none_or(|person| met.insert((class, (*person).into())));
            *counts.entry(class).or_default() += u64::from(is_new);
        })?;
        Ok(counts)
    }

    /// How many records of the release are in each class.
    fn released(&self, data: &Content, claims: &Claims) -> Result<HeadCounts, AuditError> {
        let mut counts = HeadCounts::new();
        let released = table::read(data, claims, |record| {
            let label = |column: &ClassColumn<'_>| column.recoder.released(&record.cell(column.released)).into_owned();
            *counts.entry(stamp(self.columns.iter().map(label))).or_default() += 1;
        });
        released.map_err(|error| original::unreadable(&error))?;
        Ok(counts)
    }
}

fn stamp(labels: impl Iterator<Item = String>) -> Stamp {
    let mut hash = CellHash::default();
    labels.for_each(|label| hash.push(&label));
    hash.stamp()
}
