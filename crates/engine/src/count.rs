//! Counts the distinct keys of a table: rows in, one row per key out.
//!
//! Each chosen column is encoded while it is read; DataFusion groups the codes on all threads and spills them when
//! memory runs short. The order of the result is that of chance; whatever is built on it must not depend on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{Array, ArrayRef, Int64Array, StringArray, UInt32Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use datafusion::functions_aggregate::expr_fn::count as count_of;
use datafusion::prelude::{col, lit};

use crate::encode::Dictionary;
use crate::error::{Error, Result};
use crate::progress::{Progress, Step};
use crate::runtime::{Open, Runtime, from_datafusion};
use crate::source::{Batches, Source};

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
    let dictionaries: Arc<Vec<Dictionary>> = Arc::new(columns.iter().map(|_| Dictionary::default()).collect());
    let schema = codes_schema(columns.len());
    let open = encoded(source, columns, &dictionaries, &schema, runtime.memory, progress);
    let table = runtime.table(&schema, source.partitions(), &open)?;
    let group = (0..=columns.len()).map(|place| col(place.to_string())).collect();
    let plan = table.aggregate(group, vec![count_of(lit(1)).alias("records")]);
    let mut keys = Keys { columns: vec![Vec::new(); columns.len()], ..Keys::default() };
    runtime.for_each(plan.map_err(|error| from_datafusion(&error))?, |batch| keys.take(&batch, runtime.memory))?;
    keys.values = dictionaries.iter().map(Dictionary::values).collect::<Result<_>>()?;
    Ok(keys)
}

impl Keys {
    fn take(&mut self, batch: &RecordBatch, memory: usize) -> Result<()> {
        let places = self.columns.len();
        for (place, column) in self.columns.iter_mut().enumerate() {
            column.extend_from_slice(typed::<UInt32Array>(batch.column(place))?.values());
        }
        let counts = typed::<Int64Array>(batch.column(places + 1))?;
        self.counts.extend(counts.values().iter().map(|&count| u64::try_from(count).unwrap_or_default()));
        if self.counts.len().saturating_mul(4 * places + 32) > memory {
            return Err(beyond_memory(&format!("more than {} distinct keys do", self.counts.len())));
        }
        Ok(())
    }
}

fn beyond_memory(what: &str) -> Error {
    Error::environment(format!("{what} not fit the memory limit"))
        .hint("raise --memory, or coarsen near-unique quasi-identifiers in the input first")
}

/// One column of codes per chosen column, and one that is always 0: a table without columns has no rows either.
fn codes_schema(columns: usize) -> SchemaRef {
    let field = |place: usize| Field::new(place.to_string(), DataType::UInt32, false);
    Arc::new(Schema::new((0..=columns).map(field).collect::<Vec<_>>()))
}

fn encoded(
    source: &Arc<Source>,
    columns: &[usize],
    dictionaries: &Arc<Vec<Dictionary>>,
    schema: &SchemaRef,
    memory: usize,
    progress: &Arc<dyn Progress>,
) -> Open {
    let (source, columns, schema) = (Arc::clone(source), columns.to_vec(), Arc::clone(schema));
    let (dictionaries, progress) = (Arc::clone(dictionaries), Arc::clone(progress));
    let read = Arc::new(AtomicU64::new(0));
    Arc::new(move |partition| {
        let (schema, dictionaries) = (Arc::clone(&schema), Arc::clone(&dictionaries));
        let (progress, read) = (Arc::clone(&progress), Arc::clone(&read));
        let batches = source.read(partition, &columns)?;
        let encoded: Batches = Box::new(batches.map(move |batch| {
            let batch = batch?;
            let rows = batch.num_rows();
            let done = read.fetch_add(rows as u64, Ordering::Relaxed) + rows as u64;
            progress.at(Step::Count, done);
            encode(&batch, &dictionaries, &schema, memory)
        }));
        Ok(encoded)
    })
}

fn encode(batch: &RecordBatch, dictionaries: &[Dictionary], schema: &SchemaRef, memory: usize) -> Result<RecordBatch> {
    let mut columns: Vec<ArrayRef> = Vec::with_capacity(dictionaries.len() + 1);
    for (values, dictionary) in batch.columns().iter().zip(dictionaries) {
        columns.push(Arc::new(dictionary.encode(typed::<StringArray>(values)?)?));
    }
    if dictionaries.iter().map(Dictionary::bytes).sum::<usize>() > memory {
        return Err(beyond_memory("the distinct values do"));
    }
    columns.push(Arc::new(UInt32Array::from(vec![0; batch.num_rows()])));
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(|_| Error::environment("an internal step failed"))
}

/// A column as the type it must have.
pub(crate) fn typed<T: Array + 'static>(column: &ArrayRef) -> Result<&T> {
    column.as_any().downcast_ref().ok_or_else(|| Error::environment("an internal step met a column of another type"))
}
