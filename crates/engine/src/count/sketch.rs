//! What is known of a column that is only looked at, in little memory: about how many distinct values it has, how many of
//! them repeat or are rare, and what its cells hold.
//!
//! Of the hashes of all values the smallest are kept, with how often each occurred and, as far as they are few, whose
//! records they are in: a sample of the distinct values that does not depend on the order of records and can be put together
//! from parts. Up to [`SIZE`] distinct values everything is exact; beyond, a share is off by about a hundredth. What cells
//! hold ([`Content`]) is counted over all of them.
//!
//! Source: Bar-Yossef et al. 2002, Counting distinct elements in a data stream.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, StringArray};
use equanym_core::card::{self, Parameters};
use hashbrown::HashMap;

use super::KeyRows;
use super::content::{Content, Contents, KINDS, Names, hash};
use super::parts::KeyParts;
use super::spelling::folded;
use crate::error::Result;
use crate::read::Source;
use crate::read::cells::{column_as, is_same, text};

/// How many hashes are kept.
const SIZE: usize = 8192;

/// How many records are looked at where that is all a column is read for.
const MOST_RECORDS: usize = 200_000;

/// The most people that are told apart behind a value.
const MOST_FEW: u64 = 100;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct Lookout {
    /// Values of fewer people than this are rare.
    pub few: u64,
    /// Whether the last of the key columns tells people apart; otherwise each record counts as a person.
    pub tells_people: bool,
    /// Words of identifying columns.
    names: Names,
}

impl Lookout {
    /// Looks for values of less than so many people, and for names.
    #[must_use]
    pub(crate) fn new(few: u64, tells_people: bool, names: Names) -> Self {
        Self { few: few.min(MOST_FEW), tells_people, names }
    }
}

/// What is known of a column.
#[derive(Debug, Clone, Default)]
pub struct Sketch {
    kept: BTreeMap<u64, ValueSketch>,
    /// Records whose value is not missing.
    pub present: u64,
    /// For each kind of content the records that hold it.
    holding: [u64; KINDS],
}

/// What is known of a distinct value.
#[derive(Debug, Clone, Default)]
struct ValueSketch {
    times: u64,
    behind: FewPeople,
    contents: Contents,
    /// The hash of its folded form, while everything is exact.
    folded: u64,
}

/// Whose records a value is in, as far as they are few: codes, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct FewPeople(Vec<u32>);

impl FewPeople {
    fn add(&mut self, person: u32, few: u64) {
        if (self.0.len() as u64) < few
            && let Err(place) = self.0.binary_search(&person)
        {
            self.0.insert(place, person);
        }
    }

    fn add_all(&mut self, other: &Self, few: u64) {
        other.0.iter().for_each(|&person| self.add(person, few));
    }
}

/// Values of few people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rare {
    /// How many there are.
    pub values: u64,
    /// In how many records.
    pub records: u64,
    /// Whether that is counted, not estimated.
    pub is_exact: bool,
}

impl Sketch {
    /// How many distinct values there are, about.
    #[must_use]
    pub fn distinct(&self) -> f64 {
        match self.kept.last_key_value() {
            Some((last, _)) if !self.is_exact() => (SIZE - 1) as f64 / (*last as f64 / u64::MAX as f64),
            _ => self.kept.len() as f64,
        }
    }

    /// The share of the distinct values that occur more than once.
    #[must_use]
    pub fn repeating(&self) -> f64 {
        let repeating = self.kept.values().filter(|value| value.times > 1).count();
        if self.kept.is_empty() { 0.0 } else { repeating as f64 / self.kept.len() as f64 }
    }

    /// How many records hold something.
    #[must_use]
    pub(crate) fn holding(&self, content: Content) -> u64 {
        self.holding[content as usize]
    }

    /// How many distinct values hold something, about.
    #[must_use]
    pub(crate) fn distinct_holding(&self, content: Content) -> f64 {
        let holding = self.kept.values().filter(|value| value.contents.kinds().any(|kind| kind == content as usize));
        holding.count() as f64 * self.distinct() / self.kept.len().max(1) as f64
    }

    /// The values of few people.
    #[must_use]
    pub(crate) fn rare(&self, lookout: &Lookout) -> Rare {
        let people =
            |value: &&ValueSketch| if lookout.tells_people { value.behind.0.len() as u64 } else { value.times };
        let rare = self.kept.values().filter(|value| people(value) < lookout.few);
        let (values, records) = rare.fold((0, 0), |(values, records), value| (values + 1, records + value.times));
        // Each kept value stands for so many.
        let whole = |number: u64| (number as f64 * self.distinct() / self.kept.len().max(1) as f64).round();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most as many as there are records
        let scaled = |number: u64| if self.is_exact() { number } else { whole(number) as u64 };
        Rare { values: scaled(values), records: scaled(records), is_exact: self.is_exact() }
    }

    /// How many values differ from others only in spelling; nothing is known where there are too many values.
    #[must_use]
    pub(crate) fn alike(&self) -> usize {
        if !self.is_exact() {
            return 0;
        }
        let mut forms: HashMap<u64, usize> = HashMap::new();
        self.kept.values().for_each(|value| *forms.entry(value.folded).or_default() += 1);
        forms.values().filter(|&&count| count > 1).sum()
    }

    /// Whether every value is kept.
    fn is_exact(&self) -> bool {
        self.kept.len() < SIZE
    }

    /// Adds what is known of another part of the column.
    pub(super) fn add_part(&mut self, part: &Self, lookout: &Lookout) {
        self.present += part.present;
        self.holding.iter_mut().zip(part.holding).for_each(|(whole, part)| *whole += part);
        for (&hash, value) in &part.kept {
            match self.kept.get_mut(&hash) {
                Some(known) => {
                    known.times += value.times;
                    known.behind.add_all(&value.behind, lookout.few);
                }
                None => self.keep(hash, || value.clone()),
            }
        }
    }

    fn keep(&mut self, hash: u64, value: impl FnOnce() -> ValueSketch) {
        if self.is_exact() || self.kept.last_key_value().is_some_and(|(last, _)| hash < *last) {
            self.kept.insert(hash, value());
        }
        if self.kept.len() > SIZE {
            self.kept.pop_last();
        }
    }
}

/// What was seen of the columns that are not counted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sketches {
    /// What was looked for.
    pub lookout: Lookout,
    /// The identifying columns but for the person; nothing where nobody looked.
    pub identifying: Vec<Sketch>,
}

impl Sketches {
    /// Looks at the identifying columns at these places, for names among them. Fewer than `few` people are few.
    pub(crate) fn new(source: &Source, identifying: &[usize], few: u64, tells_people: bool) -> Self {
        let IdentifyingColumns { sketches, names } = look(source, identifying);
        Self { lookout: Lookout::new(few, tells_people, names), identifying: sketches }
    }

    /// Where nobody looks.
    pub(crate) fn nothing(few: u64, tells_people: bool) -> Self {
        Self { lookout: Lookout::new(few, tells_people, Names::default()), identifying: Vec::new() }
    }

    /// What the first so many variables look like whose spread is counted.
    pub(crate) fn guarded(&self, count: usize, values: &KeyParts<Vec<String>>, rows: &KeyRows) -> Vec<Sketch> {
        let columns = values.spread.iter().zip(&rows.codes.spread).take(count);
        columns.map(|(values, codes)| look_at_counted(values, codes, rows, &self.lookout)).collect()
    }
}

/// The smallest count that is shown where no class size is promised.
const CELL_SIZE: u64 = 11;

/// Fewer people than this are few: the `k` that privacy models ask for, or the rule for cells where they ask for none.
pub(crate) fn few<'a>(models: impl Iterator<Item = &'a Parameters>) -> u64 {
    greatest_k(models).unwrap_or(CELL_SIZE)
}

/// The greatest class size that models ask for.
pub(crate) fn greatest_k<'a>(models: impl Iterator<Item = &'a Parameters>) -> Option<u64> {
    let k = models.filter_map(|parameters| match parameters.get("k") {
        Some(card::Value::Integer(k)) => u64::try_from(*k).ok(),
        _ => None,
    });
    k.max()
}

/// What is known of the identifying columns, and the words in them.
#[derive(Debug, Default)]
struct IdentifyingColumns {
    /// What is known of each; nothing where they were not looked at.
    sketches: Vec<Sketch>,
    /// Their words.
    names: Names,
}

/// Looks at the first records of columns that nothing else reads. What cannot be read there is nobody's concern: then
/// nothing is known.
fn look(source: &Source, columns: &[usize]) -> IdentifyingColumns {
    look_at(source, columns).unwrap_or_default()
}

fn look_at(source: &Source, columns: &[usize]) -> Option<IdentifyingColumns> {
    let lookout = Lookout::default();
    let taking = || Looker { names: Some(Names::default()), ..Looker::new(&lookout) };
    let mut lookers: Vec<Looker<'_>> = columns.iter().map(|_| taking()).collect();
    let mut records = 0;
    let batches = (0..source.parts()).flat_map(|part| match source.read_dictionaries(part, columns) {
        Ok(batches) => batches,
        Err(error) => Box::new(std::iter::once(Err(error))),
    });
    for batch in batches {
        let batch = batch.ok()?;
        lookers.iter_mut().zip(batch.columns()).try_for_each(|(looker, column)| looker.look(column, None)).ok()?;
        records += batch.num_rows();
        if records >= MOST_RECORDS {
            break;
        }
    }
    let mut found = IdentifyingColumns::default();
    for mut looker in lookers {
        looker.end_dictionary().ok()?;
        let Looker { sketch, names, .. } = looker;
        // Columns of remarks have words, too; they are no names.
        if sketch.holding(Content::FreeText) * 10 < sketch.present {
            found.names.join(names.unwrap_or_default());
        }
        found.sketches.push(sketch);
    }
    Some(found)
}

/// Looks at a counted column, given the codes of its keys.
fn look_at_counted(values: &[String], codes: &[u32], rows: &KeyRows, lookout: &Lookout) -> Sketch {
    let mut behind = vec![FewPeople::default(); values.len()];
    for (&code, &person) in codes.iter().zip(rows.codes.person.as_deref().unwrap_or_default()) {
        behind.get_mut(code as usize).into_iter().for_each(|behind| behind.add(person, lookout.few));
    }
    let mut looker = Looker::new(lookout);
    let values = values.iter().zip(rows.occurrences(codes, values.len())).zip(behind);
    values.for_each(|((value, times), behind)| looker.add(value, times, &behind));
    looker.sketch
}

/// Looks at one column of one part of a table. A dictionary that the file brings along is hashed once, when it ends.
#[derive(Debug)]
pub(super) struct Looker<'l> {
    sketch: Sketch,
    lookout: &'l Lookout,
    /// Where this is given, words are taken, and nothing but running text is looked for.
    names: Option<Names>,
    /// The dictionary met last, and how often each of its texts occurred, and whose.
    met: Option<(ArrayRef, Vec<(u64, FewPeople)>)>,
}

impl<'l> Looker<'l> {
    pub(super) fn new(lookout: &'l Lookout) -> Self {
        Self { sketch: Sketch::default(), lookout, names: None, met: None }
    }

    /// Looks at a column, of which each record may be somebody's.
    pub(super) fn look(&mut self, column: &ArrayRef, people: Option<&[u32]>) -> Result<()> {
        let person = |record: usize| people.and_then(|people| people.get(record)).copied();
        let Some(brought) = column.as_dictionary_opt::<Int32Type>() else {
            let values = column_as::<StringArray>(column)?;
            (0..values.len()).for_each(|record| self.add_one(text(values, record), person(record)));
            return Ok(());
        };
        if self.met.as_ref().is_none_or(|(met, _)| !is_same(met, brought.values())) {
            self.end_dictionary()?;
            self.met = Some((ArrayRef::clone(brought.values()), vec![Default::default(); brought.values().len()]));
        }
        let (few, Some((_, met))) = (self.lookout.few, &mut self.met) else { return Ok(()) };
        for (record, key) in brought.keys().iter().enumerate() {
            let place = key.and_then(|key| usize::try_from(key).ok());
            if let Some((times, behind)) = place.and_then(|place| met.get_mut(place)) {
                *times += 1;
                if let Some(person) = person(record) {
                    behind.add(person, few);
                }
            }
        }
        Ok(())
    }

    /// What is known when the part ends.
    pub(super) fn finish(mut self) -> Result<Sketch> {
        self.end_dictionary()?;
        Ok(self.sketch)
    }

    fn end_dictionary(&mut self) -> Result<()> {
        let Some((values, met)) = self.met.take() else { return Ok(()) };
        let values = column_as::<StringArray>(&values)?;
        met.into_iter().enumerate().for_each(|(place, (times, behind))| self.add(text(values, place), times, &behind));
        Ok(())
    }

    fn add_one(&mut self, value: &str, person: Option<u32>) {
        match person {
            Some(person) => self.add(value, 1, &FewPeople(vec![person])),
            None => self.add(value, 1, &FewPeople::default()),
        }
    }

    fn add(&mut self, value: &str, times: u64, behind: &FewPeople) {
        if value.is_empty() || times == 0 {
            return;
        }
        let (sketch, few) = (&mut self.sketch, self.lookout.few);
        sketch.present += times;
        let hash = hash(value);
        let contents = if let Some(known) = sketch.kept.get_mut(&hash) {
            known.times += times;
            known.behind.add_all(behind, few);
            known.contents
        } else {
            let (contents, folded) = if let Some(names) = &mut self.names {
                names.take(value);
                (Contents::of_text(value), 0)
            } else {
                let folded = if sketch.is_exact() { self::hash(&folded(value)) } else { 0 };
                (Contents::in_cell(value, &self.lookout.names), folded)
            };
            sketch.keep(hash, || ValueSketch { times, behind: behind.clone(), contents, folded });
            contents
        };
        contents.kinds().for_each(|kind| sketch.holding[kind] += times);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookout() -> Lookout {
        Lookout::new(3, false, Names::default())
    }

    fn sketch(values: impl Iterator<Item = u64>) -> Sketch {
        let lookout = lookout();
        let mut looker = Looker::new(&lookout);
        values.for_each(|value| looker.add_one(&value.to_string(), None));
        looker.finish().unwrap()
    }

    #[test]
    fn few_values_are_counted() {
        let found = sketch((0..1000).chain(0..100));
        assert_eq!((found.present, found.distinct(), found.repeating()), (1100, 1000.0, 0.1));
        let found = sketch((0..1000).chain(0..100).chain(0..50));
        assert_eq!(found.rare(&lookout()), Rare { values: 950, records: 1000, is_exact: true });
    }

    #[test]
    fn many_values_are_estimated() {
        let found = sketch((0..200_000).chain(0..50_000));
        assert!((found.distinct() / 200_000.0 - 1.0).abs() < 0.05, "{}", found.distinct());
        assert!((found.repeating() - 0.25).abs() < 0.03, "{}", found.repeating());
        let rare = found.rare(&lookout());
        assert!(!rare.is_exact && rare.values.abs_diff(200_000) < 10_000 && rare.records.abs_diff(250_000) < 15_000);
    }

    #[test]
    fn parts_and_order_do_not_matter() {
        let whole = sketch(0..50_000);
        let mut parts = sketch((25_000..50_000).rev());
        parts.add_part(&sketch(0..25_000), &lookout());
        let seen = |sketch: &Sketch| sketch.kept.iter().map(|(&hash, value)| (hash, value.times)).collect::<Vec<_>>();
        assert_eq!(seen(&whole), seen(&parts));
    }

    /// Ten records of one person are one person, in one part and in two.
    #[test]
    fn people_are_told_apart() {
        let lookout = Lookout::new(3, true, Names::default());
        let part = |people: [u32; 2]| {
            let mut looker = Looker::new(&lookout);
            for person in people {
                (0..5).for_each(|_| looker.add_one("x", Some(person)));
            }
            looker.finish().unwrap()
        };
        let mut whole = part([7, 7]);
        assert_eq!(whole.rare(&lookout), Rare { values: 1, records: 10, is_exact: true });
        whole.add_part(&part([7, 9]), &lookout);
        assert_eq!(whole.rare(&lookout).records, 20);
        whole.add_part(&part([8, 9]), &lookout);
        assert_eq!(whole.rare(&lookout).values, 0);
    }

    #[test]
    fn spellings_meet() {
        let lookout = lookout();
        let mut looker = Looker::new(&lookout);
        for value in ["A1", "a1 ", "a1", "b", "c"] {
            looker.add_one(value, None);
        }
        assert_eq!(looker.finish().unwrap().alike(), 3);
    }
}
