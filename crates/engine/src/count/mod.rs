//! Counts the distinct keys of a table: records in, one key with its count out.
//!
//! Each chosen column is encoded while it is read (`encode`), and each thread counts the parts that it reads in memory of its
//! own (`tally`). As long as that fits, the parts are added up and that is all. Where it does not, the counts so far go to a
//! sorter, which adds them up on disk. The order of the result is that of chance; whatever is built on it must not depend
//! on it: `tabulate` forgets it.
//!
//! Limit: the distinct keys and values themselves must fit the memory limit; a search needs them there.

pub(crate) mod columns;
pub(crate) mod content;
pub(crate) mod counted_table;
pub mod counter;
pub(crate) mod eaten_zeros;
pub mod encode;
pub mod parts;
pub(crate) mod people;
pub(crate) mod population;
pub(crate) mod sketch;
pub(crate) mod spelling;
pub(crate) mod tabulate;
pub(crate) mod tally;
pub(crate) mod values;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use arrow_array::RecordBatch;
use equanym_core::hierarchy::decimal;

use crate::error::{Error, Result};
use crate::machine::Runtime;
use crate::machine::sorter::{self, Sorter};
use crate::progress::{Progress, Step};
use crate::read::Source;
use crate::read::ahead::read_ahead;
use encode::{Coder, Dictionary};
use parts::KeyParts;
use sketch::Looker;
pub use sketch::{Lookout, Sketch};
use tally::{KeyLayout, Tally, merged};

/// The distinct keys of some columns.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    /// The distinct values of each column.
    pub values: KeyParts<Vec<String>>,
    /// The keys, in the numbers of those values.
    pub rows: KeyRows,
    /// What is known of each column that was only looked at; nothing where nobody looked.
    pub watched: Vec<Sketch>,
}

/// Distinct keys, in the numbers of their values.
#[derive(Debug, Clone, Default)]
pub struct KeyRows {
    /// For each column, for each key, the place of its value.
    pub codes: KeyParts<Vec<u32>>,
    /// For each key the number of its records.
    pub counts: Vec<u64>,
}

impl KeyRows {
    /// The number of records.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many records have each of so many values of a column of these keys.
    pub(crate) fn occurrences(&self, codes: &[u32], values: usize) -> Vec<u64> {
        let mut records = vec![0; values];
        codes.iter().zip(&self.counts).for_each(|(&value, count)| records[value as usize] += count);
        records
    }

    /// The distinct keys of some of the columns: those that `chosen` takes, in its order.
    pub(crate) fn narrowed(&self, chosen: impl Fn(&KeyParts<Vec<u32>>) -> KeyParts<&Vec<u32>>) -> Self {
        let columns = chosen(&self.codes);
        let key = |row: usize| columns.iter().map(|column| column[row]).collect::<Vec<u32>>();
        let mut counts: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        self.counts.iter().enumerate().for_each(|(row, count)| *counts.entry(key(row)).or_default() += count);
        let column = |place: usize| counts.keys().map(|key| key[place]).collect();
        Self {
            codes: columns.like((0..columns.iter().count()).map(column)),
            counts: counts.values().copied().collect(),
        }
    }

    /// Forgets keys without records.
    pub(crate) fn drop_empty(&mut self) {
        let kept: Vec<bool> = self.counts.iter().map(|count| *count > 0).collect();
        let KeyParts { quasi, spread, person } = &mut self.codes;
        for column in quasi.iter_mut().chain(spread).chain(person) {
            let mut kept = kept.iter();
            column.retain(|_| kept.next().is_some_and(|kept| *kept));
        }
        self.counts.retain(|count| *count > 0);
    }
}

/// Keys while they are counted: one column beside the other.
#[derive(Debug, Default)]
pub struct FlatKeys {
    /// For each column its distinct values.
    pub values: Vec<Vec<String>>,
    /// For each column, for each key, the place of its value.
    pub columns: Vec<Vec<u32>>,
    /// For each key the number of its records.
    pub counts: Vec<u64>,
    /// What is known of each column that was only looked at.
    pub watched: Vec<Sketch>,
}

impl FlatKeys {
    /// The keys of these columns.
    #[must_use]
    pub fn of_parts<T>(self, parts: &KeyParts<T>) -> Keys {
        let rows = KeyRows { codes: parts.like(self.columns), counts: self.counts };
        Keys { values: parts.like(self.values), rows, watched: self.watched }
    }

    /// Refuses more keys than fit.
    pub fn check(&self, keys: usize, memory: usize) -> Result<()> {
        if keys.saturating_mul(4 * self.columns.len() + 32) > memory {
            return Err(beyond_memory(&format!("more than {keys} distinct keys do")));
        }
        Ok(())
    }
}

/// The error where counting needs more memory than there is.
#[must_use]
pub fn beyond_memory(what: &str) -> Error {
    Error::environment(format!("{what} not fit the memory limit"))
        .hint("raise --memory, or coarsen near-unique quasi-identifiers in the input first")
}

/// A value as it is compared: numbers have one way of writing, texts stay as they are.
pub(crate) fn canonical(value: &str, number: bool) -> String {
    let canonical = if number { decimal::canonical(value) } else { None };
    canonical.unwrap_or_else(|| value.to_owned())
}

/// The places of the columns that are read for counting.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a> {
    /// Those that make up the keys.
    pub keys: &'a KeyParts<usize>,
    /// Those that are only looked at.
    pub watched: &'a [usize],
    /// What is looked for there; nobody looks where this is absent.
    pub lookout: Option<&'a Lookout>,
}

impl<'a> From<&'a KeyParts<usize>> for Places<'a> {
    /// Keys alone.
    fn from(keys: &'a KeyParts<usize>) -> Self {
        Self { keys, watched: &[], lookout: None }
    }
}

/// Counts the keys of the columns at these places on this machine.
pub fn count<'a>(
    source: &Source,
    places: impl Into<Places<'a>>,
    runtime: &Runtime,
    progress: &dyn Progress,
) -> Result<Keys> {
    let places = places.into();
    let columns: Vec<usize> = places.keys.iter().copied().collect();
    let watched = if places.lookout.is_some() { places.watched } else { &[] };
    let all = [&columns, watched].concat();
    let counting = Counting {
        source,
        columns: &all,
        lookout: places.lookout,
        tells_people: places.keys.person.is_some(),
        watched: Mutex::new(vec![Sketch::default(); watched.len()]),
        dictionaries: columns.iter().map(|_| Dictionary::default()).collect(),
        memory: runtime.memory,
        idle: Mutex::default(),
        in_use: AtomicUsize::new(0),
        before: source.bytes_read(),
        total: source.bytes(),
        progress,
        read: AtomicU64::new(0),
        overflowed: AtomicBool::new(false),
    };
    let sorter = runtime.sorter(source.parts());
    runtime.each(source.parts(), |part| counting.part(part, &sorter))?;
    let tallies = counting.idle.into_inner().unwrap_or_default();
    let tallies: Vec<Tally> = tallies.into_iter().map(|(tally, _)| tally).collect();
    let mut keys = FlatKeys { columns: vec![Vec::new(); columns.len()], ..FlatKeys::default() };
    keys.watched = counting.watched.into_inner().unwrap_or_default();
    keys.values = counting.dictionaries.into_iter().map(Dictionary::into_values).collect::<Result<_>>()?;
    if counting.overflowed.into_inner() {
        runtime.side_by_side(|| tallies.into_iter().try_for_each(|tally| spill(tally, &sorter)))?;
        keys.take_sorted(sorter, runtime.memory)?;
    } else {
        keys.add_up(tallies, runtime)?;
    }
    Ok(keys.of_parts(places.keys))
}

impl FlatKeys {
    /// Takes counts that went to disk.
    fn take_sorted(&mut self, sorter: Sorter<'_>, memory: usize) -> Result<()> {
        sorter.for_each(|key, times| {
            for (column, code) in self.columns.iter_mut().zip(key.as_chunks().0) {
                column.push(u32::from_be_bytes(*code));
            }
            self.counts.push(times);
            self.check(self.counts.len(), memory)
        })
    }

    /// Adds up counts that stayed in memory.
    fn add_up(&mut self, tallies: Vec<Tally>, runtime: &Runtime) -> Result<()> {
        let sizes: Vec<usize> = self.values.iter().map(Vec::len).collect();
        let Some(layout) = KeyLayout::fitting(&sizes).filter(|_| !tallies.is_empty()) else { return Ok(()) };
        let shares = runtime.side_by_side(|| merged(tallies, &layout, runtime.threads()));
        let keys = shares.iter().map(hashbrown::HashMap::len).sum::<usize>();
        self.check(keys, runtime.memory)?;
        self.columns.iter_mut().for_each(|column| column.reserve_exact(keys));
        self.counts.reserve_exact(keys);
        for (word, count) in shares.into_iter().flatten() {
            for (column, code) in self.columns.iter_mut().rev().zip(layout.unpack(word)) {
                column.push(code);
            }
            self.counts.push(count);
        }
        Ok(())
    }
}

/// What all parts share.
struct Counting<'c> {
    source: &'c Source,
    /// Those of the keys, and after them those that are only looked at.
    columns: &'c [usize],
    lookout: Option<&'c Lookout>,
    /// Whether the last column of the keys tells people apart.
    tells_people: bool,
    watched: Mutex<Vec<Sketch>>,
    dictionaries: Vec<Dictionary>,
    memory: usize,
    /// Tallies that no part works with now, each with the bytes it is known to take. The next part goes on with one of
    /// them: there are as many as parts that are read at a time, and a key is held as often.
    idle: Mutex<Vec<(Tally, usize)>>,
    /// Bytes that all tallies take.
    in_use: AtomicUsize,
    /// Bytes that were read of the table before, and bytes it has.
    before: u64,
    total: u64,
    progress: &'c dyn Progress,
    read: AtomicU64,
    /// Whether some counts went to the sorter.
    overflowed: AtomicBool,
}

impl Counting<'_> {
    /// Counts a part of the table. What can be kept in memory becomes idle.
    fn part(&self, number: usize, sorter: &Sorter<'_>) -> Result<()> {
        let failed = |_| Error::environment("a reading thread failed");
        let idle = self.idle.lock().map_err(failed)?.pop();
        let (tally, bytes) = match idle {
            Some((tally, bytes)) => (Some(tally), bytes),
            None => (KeyLayout::fitting(&vec![0; self.dictionaries.len()]).map(Tally::new), 0),
        };
        let mut part = PartCount {
            counting: self,
            sorter,
            coders: self.dictionaries.iter().map(|_| Coder::default()).collect(),
            codes: vec![Vec::new(); self.dictionaries.len()],
            words: Vec::new(),
            lookers: self.lookers(),
            tally,
            bytes,
            wide: sorter.part(),
        };
        let batches = self.source.read_dictionaries(number, self.columns)?;
        read_ahead(self.source.parts(), batches, |batch| part.count(&batch))?;
        part.wide.finish();
        self.take_sketches(part.lookers)?;
        let bytes = part.bytes;
        self.idle.lock().map_err(failed)?.extend(part.tally.map(|tally| (tally, bytes)));
        Ok(())
    }

    /// One for each column that is only looked at.
    fn lookers(&self) -> Vec<Looker<'_>> {
        let watched = self.columns.iter().skip(self.dictionaries.len());
        self.lookout.map(|lookout| watched.map(|_| Looker::new(lookout)).collect()).unwrap_or_default()
    }

    fn take_sketches(&self, lookers: Vec<Looker<'_>>) -> Result<()> {
        let Some(lookout) = self.lookout else { return Ok(()) };
        let sketches = lookers.into_iter().map(Looker::finish).collect::<Result<Vec<_>>>()?;
        let mut watched = self.watched.lock().map_err(|_| Error::environment("a reading thread failed"))?;
        watched.iter_mut().zip(&sketches).for_each(|(whole, part)| whole.add_part(part, lookout));
        Ok(())
    }

    fn tell(&self, records: usize) {
        let records = self.read.fetch_add(records as u64, Ordering::Relaxed) + records as u64;
        let bytes = self.source.bytes_read().saturating_sub(self.before);
        self.progress.at(Step::Count, records);
        self.progress.bytes(Step::Count, bytes, self.total);
    }

    fn check_values(&self) -> Result<()> {
        if self.dictionaries.iter().map(Dictionary::bytes).sum::<usize>() > self.memory {
            return Err(beyond_memory("the distinct values do"));
        }
        Ok(())
    }
}

/// One part of the table.
struct PartCount<'c> {
    counting: &'c Counting<'c>,
    sorter: &'c Sorter<'c>,
    coders: Vec<Coder>,
    codes: Vec<Vec<u32>>,
    words: Vec<u64>,
    lookers: Vec<Looker<'c>>,
    /// None once the keys no longer fit in a word.
    tally: Option<Tally>,
    /// Bytes that the tally is known to take.
    bytes: usize,
    /// Keys that do not fit in a word.
    wide: sorter::PartKeys<'c>,
}

impl PartCount<'_> {
    fn count(&mut self, batch: &RecordBatch) -> Result<()> {
        let columns = batch.columns().iter().zip(&self.counting.dictionaries);
        for ((column, dictionary), (coder, codes)) in columns.zip(self.coders.iter_mut().zip(&mut self.codes)) {
            coder.encode(column, dictionary, codes)?;
        }
        let watched = batch.columns().iter().skip(self.coders.len());
        let people = self.codes.last().filter(|_| self.counting.tells_people);
        let people = people.map(Vec::as_slice);
        self.lookers.iter_mut().zip(watched).try_for_each(|(looker, column)| looker.look(column, people))?;
        self.counting.check_values()?;
        self.counting.tell(batch.num_rows());
        self.fit_layout()?;
        match &mut self.tally {
            Some(tally) => {
                tally.layout.pack(&self.codes, batch.num_rows(), &mut self.words);
                tally.add(&self.words);
                self.stay_in_memory()
            }
            None => self.add_wide(batch.num_rows()),
        }
    }

    /// Makes the tally wide enough for every code given out so far, or gives it up.
    fn fit_layout(&mut self) -> Result<()> {
        let sizes: Vec<usize> = self.counting.dictionaries.iter().map(Dictionary::size).collect();
        let Some(tally) = self.tally.as_mut().filter(|tally| !tally.layout.fits(&sizes)) else { return Ok(()) };
        if let Some(layout) = KeyLayout::fitting(&sizes) {
            tally.move_to(layout);
            return Ok(());
        }
        self.empty()?;
        self.tally = None;
        Ok(())
    }

    /// Lets the counts go when all tallies take more than half of the memory.
    fn stay_in_memory(&mut self) -> Result<()> {
        let wanted = self.tally.as_ref().map_or(0, Tally::bytes);
        let in_use = &self.counting.in_use;
        // Never more than there is, not even for a moment: others look at it meanwhile.
        in_use.fetch_sub(self.bytes.saturating_sub(wanted), Ordering::Relaxed);
        in_use.fetch_add(wanted.saturating_sub(self.bytes), Ordering::Relaxed);
        self.bytes = wanted;
        if in_use.load(Ordering::Relaxed) <= self.counting.memory / 2 { Ok(()) } else { self.empty() }
    }

    /// The counts so far go to the sorter.
    fn empty(&mut self) -> Result<()> {
        self.counting.overflowed.store(true, Ordering::Relaxed);
        let Some(tally) = &mut self.tally else { return Ok(()) };
        let full = std::mem::replace(tally, Tally::new(tally.layout.clone()));
        spill(full, self.sorter)?;
        self.counting.in_use.fetch_sub(self.bytes, Ordering::Relaxed);
        self.bytes = 0;
        Ok(())
    }

    /// Counts keys that do not fit in a word.
    fn add_wide(&mut self, records: usize) -> Result<()> {
        let mut key = Vec::new();
        for record in 0..records {
            key.clear();
            let codes = self.codes.iter().map(|column| column.get(record).copied().unwrap_or_default());
            codes.for_each(|code| key.extend_from_slice(&code.to_be_bytes()));
            self.wide.add(&key, 1)?;
        }
        Ok(())
    }
}

/// Puts counts on disk. Words in their order are codes in theirs, and so are their bytes.
fn spill(tally: Tally, sorter: &Sorter<'_>) -> Result<()> {
    let Tally { layout, counts } = tally;
    let mut counts: Vec<(u64, u64)> = counts.into_iter().collect();
    counts.sort_unstable();
    sorter.spill(|run| {
        let (mut codes, mut key) = (Vec::new(), Vec::new());
        for (word, times) in counts {
            codes.clear();
            codes.extend(layout.unpack(word));
            key.clear();
            codes.iter().rev().for_each(|code: &u32| key.extend_from_slice(&code.to_be_bytes()));
            run.write(&key, times)?;
        }
        Ok(())
    })
}
