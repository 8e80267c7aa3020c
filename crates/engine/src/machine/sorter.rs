//! Keys in order, each with its count, however little memory there is.
//!
//! Each part of a table counts its keys in memory of its own. When that is full, the keys go to disk in order, as a run.
//! At the end the runs are merged, and counts of equal keys are added up. Counting uses this where its tables of packed
//! words do not suffice, and writing uses it for every release.
//!
//! Limits: the parts share a quarter of the memory limit; what is on disk at a time stays below the disk limit. At most
//! [`MERGED`] runs are read at once; more of them are merged in several rounds. Runs are files without a name: they are
//! gone when the process is, however it ends. Their bytes are the keys: codes of values when a table is counted, cells as
//! they are released when it is written.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::Runtime;
use super::key_counts::{KeyCounts, SortedKeys};
use crate::error::{Error, Result};

/// Runs that are merged at once.
const MERGED: usize = 64;
/// Bytes of a run that are read or written at once.
const BUFFER: usize = 1 << 16;

/// Sorts the keys of the parts of a table.
pub(crate) struct Sorter<'r> {
    runtime: &'r Runtime,
    /// Bytes for the keys of each part.
    room: usize,
    runs: Mutex<Vec<Run>>,
    /// Bytes on disk by now.
    on_disk: AtomicU64,
}

/// Keys in order, each once.
enum Run {
    Memory(SortedKeys),
    Disk { file: File, bytes: u64 },
}

impl<'r> Sorter<'r> {
    /// For a table of so many parts.
    pub(super) fn new(runtime: &'r Runtime, parts: usize) -> Self {
        let room = runtime.memory / 4 / parts.max(1);
        Self { runtime, room, runs: Mutex::default(), on_disk: AtomicU64::new(0) }
    }

    /// Counts the keys of one part.
    #[must_use]
    pub(crate) fn part(&self) -> PartKeys<'_> {
        PartKeys { sorter: self, counts: KeyCounts::default() }
    }

    /// Hands over every key once, in order, with its count.
    pub(crate) fn for_each(self, take: impl FnMut(&[u8], u64) -> Result<()>) -> Result<()> {
        let mut runs = std::mem::take(&mut *self.runs.lock().unwrap_or_else(PoisonError::into_inner));
        while runs.len() > MERGED {
            let rest = runs.split_off(MERGED);
            let read: u64 = runs.iter().map(Run::bytes_on_disk).sum();
            let merged = self.write(|run| merge(runs, |key, times| run.write(key, times)))?;
            self.on_disk.fetch_sub(read, Relaxed);
            runs = rest;
            runs.push(merged);
        }
        merge(runs, take)
    }

    /// Keeps a run on disk, of what `fill` writes: keys in order, each once.
    pub(crate) fn spill(&self, fill: impl FnOnce(&mut RunWriter<'_>) -> Result<()>) -> Result<()> {
        let run = self.write(fill)?;
        self.keep(run);
        Ok(())
    }

    fn keep(&self, run: Run) {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).push(run);
    }

    fn write(&self, put: impl FnOnce(&mut RunWriter<'_>) -> Result<()>) -> Result<Run> {
        let Some(folder) = &self.runtime.spill else {
            return Err(Error::environment("the memory limit does not suffice")
                .hint("raise --memory, or generalise near-unique columns in the input first"));
        };
        let file = tempfile::tempfile_in(folder).map_err(|error| Error::disk(&error))?;
        let (on_disk, limit) = (&self.on_disk, self.runtime.disk);
        let mut run = RunWriter { out: BufWriter::with_capacity(BUFFER, file), bytes: 0, on_disk, limit };
        put(&mut run)?;
        let (bytes, file) = (run.bytes, run.finish()?);
        self.runtime.spilled.fetch_add(bytes, Relaxed);
        Ok(Run::Disk { file, bytes })
    }
}

/// The keys of one part of a table.
pub(crate) struct PartKeys<'s> {
    sorter: &'s Sorter<'s>,
    counts: KeyCounts,
}

impl PartKeys<'_> {
    /// Meets a key so many times more.
    pub(crate) fn add(&mut self, key: &[u8], times: u64) -> Result<()> {
        self.counts.add(key, times)?;
        if self.counts.bytes() <= self.sorter.room {
            return Ok(());
        }
        let keys = self.counts.take_sorted();
        self.sorter.spill(|run| keys.iter().try_for_each(|(key, times)| run.write(key, times)))
    }

    /// The part is at its end; what it has in memory stays there.
    pub(crate) fn finish(mut self) {
        if !self.counts.is_empty() {
            self.sorter.keep(Run::Memory(self.counts.take_sorted()));
        }
    }
}

/// A run in the making: of each key its length, its bytes and its count.
pub(crate) struct RunWriter<'s> {
    out: BufWriter<File>,
    bytes: u64,
    on_disk: &'s AtomicU64,
    limit: u64,
}

impl RunWriter<'_> {
    /// Writes the next key and its count.
    pub(crate) fn write(&mut self, key: &[u8], times: u64) -> Result<()> {
        let length = u32::try_from(key.len()).map_err(|_| Error::input("a record of more than 4 GiB"))?;
        let size = key.len() as u64 + 12;
        self.bytes += size;
        if self.on_disk.fetch_add(size, Relaxed) + size > self.limit {
            return Err(Error::environment("the disk limit does not suffice for what does not fit in memory")
                .hint("raise --disk or --memory"));
        }
        let mut all = || {
            self.out.write_all(&length.to_le_bytes())?;
            self.out.write_all(key)?;
            self.out.write_all(&times.to_le_bytes())
        };
        all().map_err(|error| Error::disk(&error))
    }

    fn finish(self) -> Result<File> {
        self.out.into_inner().map_err(|error| Error::disk(error.error()))
    }
}

impl Run {
    fn bytes_on_disk(&self) -> u64 {
        match self {
            Self::Memory(_) => 0,
            Self::Disk { bytes, .. } => *bytes,
        }
    }
}

/// Hands over every key of the runs once, in order, with the sum of its counts.
fn merge(runs: Vec<Run>, mut take: impl FnMut(&[u8], u64) -> Result<()>) -> Result<()> {
    let mut heads = BinaryHeap::with_capacity(runs.len());
    for run in runs {
        let mut head = RunHead { key: Vec::new(), times: 0, rest: Rest::from_run(run)? };
        if head.advance()? {
            heads.push(head);
        }
    }
    let mut key = Vec::new();
    while let Some(first) = heads.peek() {
        key.clone_from(&first.key);
        let mut sum = 0;
        while let Some(mut head) = heads.peek_mut().filter(|head| head.key == key) {
            sum += head.times;
            if !head.advance()? {
                PeekMut::pop(head);
            }
        }
        take(&key, sum)?;
    }
    Ok(())
}

/// The first key of a run that was not handed over yet, and those behind it.
struct RunHead {
    key: Vec<u8>,
    times: u64,
    rest: Rest,
}

/// What is left of a run.
enum Rest {
    Memory { keys: SortedKeys, next: usize },
    Disk { file: BufReader<File>, left: u64 },
}

impl Rest {
    fn from_run(run: Run) -> Result<Self> {
        Ok(match run {
            Run::Memory(keys) => Self::Memory { keys, next: 0 },
            Run::Disk { mut file, bytes } => {
                file.rewind().map_err(|error| Error::disk(&error))?;
                Self::Disk { file: BufReader::with_capacity(BUFFER, file), left: bytes }
            }
        })
    }
}

impl RunHead {
    /// Goes on to the next key; whether there is one.
    fn advance(&mut self) -> Result<bool> {
        self.key.clear();
        match &mut self.rest {
            Rest::Memory { keys, next } => {
                let Some((key, times)) = keys.get(*next) else { return Ok(false) };
                self.key.extend_from_slice(key);
                (self.times, *next) = (times, *next + 1);
            }
            Rest::Disk { left: 0, .. } => return Ok(false),
            Rest::Disk { file, left } => {
                let mut read = || {
                    let (mut length, mut times) = ([0; 4], [0; 8]);
                    file.read_exact(&mut length)?;
                    self.key.resize(u32::from_le_bytes(length) as usize, 0);
                    file.read_exact(&mut self.key)?;
                    file.read_exact(&mut times)?;
                    self.times = u64::from_le_bytes(times);
                    Ok(())
                };
                read().map_err(|error| Error::disk(&error))?;
                *left = left.saturating_sub(self.key.len() as u64 + 12);
            }
        }
        Ok(true)
    }
}

/// The head with the smallest key is the greatest: heaps hand out the greatest first.
impl Ord for RunHead {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}

impl PartialOrd for RunHead {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RunHead {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for RunHead {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::machine::Resources;

    fn runtime(memory: usize, disk: u64, spill: Option<&std::path::Path>) -> Runtime {
        Runtime::start(&Resources { threads: 2, memory, disk }, spill).unwrap()
    }

    /// Keys in no order, some of them several times.
    fn key(number: u64) -> Vec<u8> {
        let mixed = (number / 3).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed.to_be_bytes().iter().copied().cycle().take(8 + (mixed % 30) as usize).collect()
    }

    fn sorted(runtime: &Runtime, keys: u64) -> Result<Vec<(Vec<u8>, u64)>> {
        let sorter = runtime.sorter(2);
        runtime.each(2, |part| {
            let mut counts = sorter.part();
            for number in (part as u64..keys).step_by(2) {
                counts.add(&key(number), 1 + number % 2)?;
            }
            counts.finish();
            Ok(())
        })?;
        let mut all = Vec::new();
        sorter.for_each(|key, times| {
            all.push((key.to_vec(), times));
            Ok(())
        })?;
        Ok(all)
    }

    #[test]
    fn nothing_is_lost_in_memory_on_disk_and_in_several_rounds() {
        let folder = tempfile::tempdir().unwrap();
        let keys = 40_000;
        let mut wanted: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
        (0..keys).for_each(|number| *wanted.entry(key(number)).or_default() += 1 + number % 2);
        let wanted: Vec<(Vec<u8>, u64)> = wanted.into_iter().collect();
        for (memory, spills) in [(1 << 30, false), (1 << 20, true), (40 << 10, true)] {
            let runtime = runtime(memory, 1 << 30, Some(folder.path()));
            assert_eq!(sorted(&runtime, keys).unwrap(), wanted, "{memory}");
            assert_eq!(runtime.spilled() > 0, spills, "{memory}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "runs have no names");
    }

    #[test]
    fn limits_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let error = sorted(&runtime(1 << 16, 1 << 10, Some(folder.path())), 10_000).unwrap_err();
        assert!(error.message.contains("disk limit") && error.exit_code() == 3, "{error}");
        let error = sorted(&runtime(1 << 16, 1 << 30, None), 10_000).unwrap_err();
        assert!(error.message.contains("memory limit") && error.exit_code() == 3, "{error}");
    }

    #[test]
    fn no_keys_are_no_keys() {
        assert_eq!(sorted(&runtime(1 << 20, 0, None), 0).unwrap(), []);
    }
}
