//! Tables that are in memory already: record batches, or the bytes of a file.
//!
//! Batches are read where they lie: nothing is copied but what is written as text, piece by piece, as from a file with the
//! same types. Whoever handed them over may still be able to write to their buffers; a hash of all of them, taken when the
//! table is made and again when all is read, tells (`watch.rs` says why a table must not change).
//!
//! Limit: batches that were sliced from longer ones are hashed with all that their buffers hold.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, RecordBatch, RecordBatchOptions};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use bytes::Bytes;
use twox_hash::XxHash3_128;

use super::as_text::AsText;
use super::clean::Cleaner;
use super::{Batches, FileHead, ReadRequest, Reading, columns, failure, one_by_one};
use crate::error::{Error, Result};

/// The most records of a piece that is read by itself.
const PIECE: usize = 1 << 16;

/// A table in memory. Clones share it.
#[derive(Clone)]
pub struct MemoryTable(pub(super) Arc<MemoryContent>);

/// What is in memory.
pub(super) enum MemoryContent {
    /// Batches of typed columns.
    Batches(Pieces),
    /// A file, by its name.
    File(String, Bytes),
}

/// Batches, cut so that threads can share them.
pub(super) struct Pieces {
    schema: SchemaRef,
    cut: Vec<RecordBatch>,
    /// As they were handed over.
    whole: Vec<RecordBatch>,
    seed: u64,
    hash: u128,
}

impl std::fmt::Debug for MemoryTable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.0.name())
    }
}

impl MemoryTable {
    /// A table of batches that all have this schema.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
    /// use equanym_engine::read::MemoryTable;
    ///
    /// let ages: ArrayRef = Arc::new(Int64Array::from(vec![34, 36]));
    /// let batch = RecordBatch::try_from_iter([("age", ages)]).unwrap();
    /// assert_eq!(MemoryTable::new(batch.schema(), vec![batch])?.records(), 2);
    /// # Ok::<(), equanym_engine::error::Error>(())
    /// ```
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self> {
        let is_same = |batch: &RecordBatch| {
            let both = batch.schema_ref().fields().iter().zip(schema.fields());
            batch.num_columns() == schema.fields().len()
                && both.into_iter().all(|(one, other)| one.data_type() == other.data_type())
        };
        if let Some(place) = batches.iter().position(|batch| !is_same(batch)) {
            return Err(Error::input(format!("batch {} has other columns than the schema", place + 1)));
        }
        let mut pieces = Vec::new();
        for batch in batches.iter().map(with_usual_keys) {
            let batch = batch?;
            let starts = (0..batch.num_rows()).step_by(PIECE);
            pieces.extend(starts.map(|start| batch.slice(start, PIECE.min(batch.num_rows() - start))));
        }
        let seed = RandomState::new().hash_one(0);
        let hash = hash(&batches, seed);
        Ok(Self(Arc::new(MemoryContent::Batches(Pieces { schema, cut: pieces, whole: batches, seed, hash }))))
    }

    /// The bytes of a file; its name tells the format.
    #[must_use]
    pub fn file(name: &str, bytes: Bytes) -> Self {
        Self(Arc::new(MemoryContent::File(name.to_owned(), bytes)))
    }

    /// How many records there are; 0 for the bytes of a file, which nobody has read yet.
    #[must_use]
    pub fn records(&self) -> u64 {
        match &*self.0 {
            MemoryContent::Batches(pieces) => pieces.sizes().sum(),
            MemoryContent::File(..) => 0,
        }
    }
}

impl MemoryContent {
    /// As messages show it.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Batches(_) => "the table in memory",
            Self::File(name, _) => name,
        }
    }

    /// Whether it still is what it was.
    pub(super) fn is_unchanged(&self) -> bool {
        match self {
            Self::Batches(pieces) => hash(&pieces.whole, pieces.seed) == pieces.hash,
            Self::File(..) => true,
        }
    }
}

impl Pieces {
    /// The records of each piece.
    pub(super) fn sizes(&self) -> impl Iterator<Item = u64> {
        self.cut.iter().map(|piece| piece.num_rows() as u64)
    }
}

/// The columns and their types.
pub(super) fn head(name: &str, pieces: &Pieces, reading: &Reading) -> Result<FileHead> {
    let fields = pieces.schema.fields();
    let names = Cleaner::new(reading).names(fields.iter().map(|field| field.name().as_str()));
    columns::check(name, &names)?;
    let is_uuid = |field: &Field| field.extension_type_name() == Some("arrow.uuid");
    let types = fields.iter().map(|field| (field.data_type().clone(), is_uuid(field))).collect();
    Ok(FileHead { columns: names, types, delimiter: None, timed: Vec::new() })
}

/// The batches of the columns asked for.
pub(super) fn read(request: &ReadRequest<'_>) -> Result<Batches> {
    let name = request.file.name();
    let Some(table) = request.file.memory().cloned() else { return Err(Error::internal()) };
    let MemoryContent::Batches(pieces) = &*table.0 else { return Err(Error::internal()) };
    let wanted = request.groups.clone().unwrap_or(0..pieces.cut.len());
    let mut typed = AsText::new(request, pieces.sizes().take(wanted.start).sum())?;
    let batch_size = request.reading.batch_records.max(1);
    let chosen = pieces.cut.get(wanted).unwrap_or_default().to_vec();
    let mut slices = chosen.into_iter().flat_map(move |piece| {
        let starts = (0..piece.num_rows()).step_by(batch_size);
        starts.map(move |start| piece.slice(start, batch_size.min(piece.num_rows() - start))).collect::<Vec<_>>()
    });
    let mut next = move || {
        let Some(slice) = slices.next() else { return Ok(None) };
        typed.text(slice.num_rows(), |column| slice.columns().get(column).cloned()).map(Some)
    };
    Ok(one_by_one(move || failure::guarded(&name, &mut next)))
}

/// Dictionaries are looked up by numbers of 32 bits, whatever counted them before.
fn with_usual_keys(batch: &RecordBatch) -> Result<RecordBatch> {
    let arrays = batch.columns().iter().map(usual_keys).collect::<Result<Vec<_>>>()?;
    let fields = batch.schema_ref().fields().iter().zip(&arrays);
    let fields = fields.map(|(field, array)| Field::new(field.name(), array.data_type().clone(), true));
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    RecordBatch::try_new_with_options(schema, arrays, &options).map_err(|_| Error::internal())
}

fn usual_keys(array: &ArrayRef) -> Result<ArrayRef> {
    let is_other = matches!(array.data_type(), DataType::Dictionary(keys, _) if **keys != DataType::Int32);
    let Some(dictionary) = array.as_any_dictionary_opt().filter(|_| is_other) else { return Ok(Arc::clone(array)) };
    let too_many = || Error::input("a dictionary has more values than 32 bits count").hint("hand it over as text");
    if dictionary.values().is_empty() {
        let none = Int32Array::new_null(array.len());
        let made = DictionaryArray::try_new(none, Arc::clone(dictionary.values())).map_err(|_| too_many())?;
        return Ok(Arc::new(made));
    }
    let keys = dictionary.normalized_keys().into_iter().map(|key| i32::try_from(key).map_err(|_| too_many()));
    let keys = keys.collect::<Result<Vec<_>>>()?;
    let keys = Int32Array::try_new(keys.into(), dictionary.keys().logical_nulls());
    let made = DictionaryArray::try_new(keys.map_err(|_| too_many())?, Arc::clone(dictionary.values()));
    Ok(Arc::new(made.map_err(|_| too_many())?))
}

/// A hash of all that the batches hold, each buffer once.
fn hash(batches: &[RecordBatch], seed: u64) -> u128 {
    let mut hashes: Vec<u8> = Vec::new();
    let mut met = BTreeSet::new();
    let mut left: Vec<_> = batches.iter().flat_map(RecordBatch::columns).map(Array::to_data).collect();
    while let Some(data) = left.pop() {
        let nulls = data.nulls().map(NullBuffer::buffer);
        for buffer in data.buffers().iter().chain(nulls) {
            if met.insert((buffer.as_ptr() as usize, buffer.len())) {
                hashes.extend(XxHash3_128::oneshot_with_seed(seed, buffer.as_slice()).to_le_bytes());
            }
        }
        left.extend(data.child_data().iter().cloned());
    }
    XxHash3_128::oneshot_with_seed(seed, &hashes)
}
