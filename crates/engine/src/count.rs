//! Counts the distinct keys of a table: rows in, one row per key out.
//!
//! Each chosen column is encoded while it is read, and each part of the table is counted in memory of its own
//! (`tally`). As long as that fits, the parts are added up and that is all. Where it does not, the counts
//! so far go to DataFusion, which groups them on all threads and writes them to disk when memory runs short. The order of
//! the result is that of chance; whatever is built on it must not depend on it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{Array, ArrayRef, Int64Array, UInt32Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use datafusion::execution::memory_pool::MemoryReservation;
use datafusion::functions_aggregate::expr_fn::sum;
use datafusion::prelude::col;
use hashbrown::HashMap;

use crate::encode::{Coder, Dictionary};
use crate::error::{Error, Result};
use crate::progress::{Progress, Step};
use crate::runtime::{Open, Runtime, from_datafusion};
use crate::source::{Batches, Source};
use crate::tally::{Layout, Tally, merged};

/// Rows that are handed on at once.
const BATCH: usize = 8192;

/// The distinct keys of some columns.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    /// For each column its distinct values.
    pub values: Vec<Vec<String>>,
    /// For each column, for each key, the place of its value.
    pub columns: Vec<Vec<u32>>,
    /// For each key the number of its records.
    pub counts: Vec<u64>,
}

impl Keys {
    /// The number of records.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// Counts the keys of the columns at these places.
pub fn count(source: &Arc<Source>, columns: &[usize], runtime: &Runtime, progress: &Arc<dyn Progress>) -> Result<Keys> {
    let counting = Arc::new(Counting {
        source: Arc::clone(source),
        columns: columns.to_vec(),
        dictionaries: columns.iter().map(|_| Dictionary::default()).collect(),
        schema: codes_schema(columns.len()),
        memory: runtime.memory,
        before: source.bytes_read(),
        total: source.bytes(),
        progress: Arc::clone(progress),
        read: AtomicU64::new(0),
        overflowed: AtomicBool::new(false),
        done: Mutex::default(),
    });
    let open = counting.open(runtime);
    let table = runtime.table(&counting.schema, source.partitions(), &open)?;
    let group = (0..columns.len().max(1)).map(|place| col(place.to_string())).collect();
    let plan = table.aggregate(group, vec![sum(col(RECORDS)).alias(RECORDS)]);
    let mut keys = Keys { columns: vec![Vec::new(); columns.len()], ..Keys::default() };
    runtime.for_each(&plan.map_err(|error| from_datafusion(&error))?, |batch| keys.take(&batch, runtime.memory))?;
    keys.values = counting.dictionaries.iter().map(Dictionary::values).collect::<Result<_>>()?;
    let done = std::mem::take(&mut *counting.done.lock().unwrap_or_else(PoisonError::into_inner));
    keys.add(done, runtime)?;
    Ok(keys)
}

/// The column of counts.
const RECORDS: &str = "records";

impl Keys {
    /// Takes counts that went through DataFusion.
    fn take(&mut self, batch: &RecordBatch, memory: usize) -> Result<()> {
        for (place, column) in self.columns.iter_mut().enumerate() {
            column.extend_from_slice(typed::<UInt32Array>(batch.column(place))?.values());
        }
        let counts = typed::<Int64Array>(batch.column(self.columns.len().max(1)))?;
        self.counts.extend(counts.values().iter().map(|&count| u64::try_from(count).unwrap_or_default()));
        self.check(self.counts.len(), memory)
    }

    /// Adds counts that stayed in memory.
    fn add(&mut self, done: Vec<Tally>, runtime: &Runtime) -> Result<()> {
        let sizes: Vec<usize> = self.values.iter().map(Vec::len).collect();
        let Some(layout) = Layout::of(&sizes).filter(|_| !done.is_empty()) else { return Ok(()) };
        let mut parts = runtime.side_by_side(|| merged(done, &layout, runtime.threads()))?;
        self.meet(&mut parts, &layout);
        let keys = self.counts.len() + parts.iter().map(HashMap::len).sum::<usize>();
        self.check(keys, runtime.memory)?;
        self.columns.iter_mut().for_each(|column| column.reserve_exact(keys.saturating_sub(column.len())));
        for (word, count) in parts.into_iter().flatten() {
            for (column, code) in self.columns.iter_mut().rev().zip(layout.unpack(word)) {
                column.push(code);
            }
            self.counts.push(count);
        }
        Ok(())
    }

    /// Adds to the keys that are here what the parts know of them, and takes them out there.
    fn meet(&mut self, parts: &mut [HashMap<u64, u64>], layout: &Layout) {
        let mut words = Vec::new();
        layout.pack(&self.columns, self.counts.len(), &mut words);
        for (word, count) in words.iter().zip(&mut self.counts) {
            *count += parts.iter_mut().find_map(|part| part.remove(word)).unwrap_or(0);
        }
    }

    /// Refuses more keys than fit.
    pub(crate) fn check(&self, keys: usize, memory: usize) -> Result<()> {
        if keys.saturating_mul(4 * self.columns.len() + 32) > memory {
            return Err(beyond_memory(&format!("more than {keys} distinct keys do")));
        }
        Ok(())
    }
}

/// The error where counting needs more memory than there is.
pub(crate) fn beyond_memory(what: &str) -> Error {
    Error::environment(format!("{what} not fit the memory limit"))
        .hint("raise --memory, or coarsen near-unique quasi-identifiers in the input first")
}

/// One column of codes per chosen column, at least one, and one of counts.
fn codes_schema(columns: usize) -> SchemaRef {
    let codes = (0..columns.max(1)).map(|place| Field::new(place.to_string(), DataType::UInt32, false));
    let fields = codes.chain([Field::new(RECORDS, DataType::Int64, false)]);
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// What all parts share.
struct Counting {
    source: Arc<Source>,
    columns: Vec<usize>,
    dictionaries: Vec<Dictionary>,
    schema: SchemaRef,
    memory: usize,
    /// Bytes that were read of the table before, and bytes it has.
    before: u64,
    total: u64,
    progress: Arc<dyn Progress>,
    read: AtomicU64,
    /// Whether some counts went to DataFusion.
    overflowed: AtomicBool,
    /// The parts that were counted to their end in memory.
    done: Mutex<Vec<Tally>>,
}

impl Counting {
    fn open(self: &Arc<Self>, runtime: &Runtime) -> Open {
        let (counting, pool) = (Arc::clone(self), runtime.pool());
        Arc::new(move |partition| {
            let batches = counting.source.read_coded(partition, &counting.columns)?;
            let part = Part {
                tally: Layout::of(&vec![0; counting.columns.len()]).map(Tally::new),
                reservation: pool.reserve(),
                coders: counting.columns.iter().map(|_| Coder::default()).collect(),
                codes: vec![Vec::new(); counting.columns.len()],
                words: Vec::new(),
                leaving: Vec::new(),
                batches: Some(batches),
                counting: Arc::clone(&counting),
            };
            Ok(Box::new(part) as Batches)
        })
    }

    fn tell(&self, rows: usize) {
        let records = self.read.fetch_add(rows as u64, Ordering::Relaxed) + rows as u64;
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

/// One part of the table: yields counts that do not stay in memory.
struct Part {
    counting: Arc<Counting>,
    batches: Option<Batches>,
    coders: Vec<Coder>,
    codes: Vec<Vec<u32>>,
    words: Vec<u64>,
    /// None once the keys no longer fit in a word.
    tally: Option<Tally>,
    reservation: MemoryReservation,
    /// Counts on their way out.
    leaving: Vec<RecordBatch>,
}

impl Iterator for Part {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.leaving.pop() {
                return Some(Ok(batch));
            }
            let outcome = match self.batches.as_mut()?.next() {
                Some(Ok(batch)) => self.count(&batch),
                Some(Err(error)) => Err(error),
                None => {
                    self.batches = None;
                    self.end()
                }
            };
            if let Err(error) = outcome {
                self.batches = None;
                return Some(Err(error));
            }
        }
    }
}

impl Part {
    fn count(&mut self, batch: &RecordBatch) -> Result<()> {
        let counting = Arc::clone(&self.counting);
        let columns = batch.columns().iter().zip(&counting.dictionaries);
        for ((column, dictionary), (coder, codes)) in columns.zip(self.coders.iter_mut().zip(&mut self.codes)) {
            coder.encode(column, dictionary, codes)?;
        }
        counting.check_values()?;
        counting.tell(batch.num_rows());
        self.fit_layout()?;
        match &mut self.tally {
            Some(tally) => {
                tally.layout.pack(&self.codes, batch.num_rows(), &mut self.words);
                tally.add(&self.words);
                self.stay_in_memory()
            }
            None => self.pass_on(batch.num_rows()),
        }
    }

    /// Makes the tally wide enough for every code given out so far, or gives it up.
    fn fit_layout(&mut self) -> Result<()> {
        let sizes: Vec<usize> = self.counting.dictionaries.iter().map(Dictionary::size).collect();
        let Some(tally) = self.tally.as_mut().filter(|tally| !tally.layout.fits(&sizes)) else { return Ok(()) };
        if let Some(layout) = Layout::of(&sizes) {
            tally.move_to(layout);
            return Ok(());
        }
        self.empty()?;
        self.tally = None;
        Ok(())
    }

    /// Lets the counts go when memory runs short.
    fn stay_in_memory(&mut self) -> Result<()> {
        let wanted = self.tally.as_ref().map_or(0, Tally::bytes);
        if self.reservation.try_resize(wanted).is_ok() {
            return Ok(());
        }
        self.empty()
    }

    /// The counts so far are on their way out.
    fn empty(&mut self) -> Result<()> {
        self.counting.overflowed.store(true, Ordering::Relaxed);
        let Some(tally) = &mut self.tally else { return Ok(()) };
        let (layout, counts) = (tally.layout.clone(), std::mem::take(&mut tally.counts));
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); self.codes.len()];
        let mut records = Vec::new();
        for (word, count) in counts {
            for (column, code) in columns.iter_mut().rev().zip(layout.unpack(word)) {
                column.push(code);
            }
            records.push(i64::try_from(count).unwrap_or(i64::MAX));
            if records.len() == BATCH {
                self.leaving.push(batch(&self.counting.schema, &mut columns, &mut records)?);
            }
        }
        if !records.is_empty() {
            self.leaving.push(batch(&self.counting.schema, &mut columns, &mut records)?);
        }
        self.reservation.free();
        Ok(())
    }

    /// Rows as they are, each counted once.
    fn pass_on(&mut self, rows: usize) -> Result<()> {
        let mut columns = std::mem::replace(&mut self.codes, vec![Vec::new(); self.counting.columns.len()]);
        self.leaving.push(batch(&self.counting.schema, &mut columns, &mut vec![1; rows])?);
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        if self.counting.overflowed.load(Ordering::Relaxed) {
            return self.empty();
        }
        let mut done = self.counting.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.extend(self.tally.take());
        Ok(())
    }
}

/// A batch of what was gathered, which is taken.
fn batch(schema: &SchemaRef, columns: &mut [Vec<u32>], records: &mut Vec<i64>) -> Result<RecordBatch> {
    let rows = records.len();
    let mut arrays: Vec<ArrayRef> =
        columns.iter_mut().map(|column| Arc::new(UInt32Array::from(std::mem::take(column))) as ArrayRef).collect();
    if arrays.is_empty() {
        arrays.push(Arc::new(UInt32Array::from(vec![0; rows])));
    }
    arrays.push(Arc::new(Int64Array::from(std::mem::take(records))));
    RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|_| Error::environment("an internal step failed"))
}

/// A column as the type it must have.
pub(crate) fn typed<T: Array + 'static>(column: &ArrayRef) -> Result<&T> {
    column.as_any().downcast_ref().ok_or_else(|| Error::environment("an internal step met a column of another type"))
}
