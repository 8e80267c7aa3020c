//! Tables from and to other libraries, through the Arrow C stream in a capsule.
//!
//! The only unsafe code of the house. A capsule is taken over as the Arrow `PyCapsule` interface says: the stream in it is moved out, so
//! that nobody else reads it. What it yields is validated before anything looks at it, because a buffer that is not what it claims
//! to be would be read beyond its end. Messages of the producer are not passed on: they may quote a cell.

use std::sync::Arc;

use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, RecordBatch, RecordBatchIterator, RecordBatchReader};
use equanym_engine::error::{Error, Result};
use equanym_engine::machine::Resources;
use equanym_engine::read::{Data, MemoryTable};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::failure::raised;

const STREAM: &std::ffi::CStr = c"arrow_array_stream";

/// A table in memory.
#[pyclass(frozen, module = "equanym._equanym")]
pub(crate) struct Table(MemoryTable);

#[pymethods]
impl Table {
    /// Takes all batches of the Arrow stream in a capsule. What is made while it is read must fit in half of the memory that is free.
    #[new]
    fn new(py: Python<'_>, capsule: &Bound<'_, PyCapsule>, is_made: bool) -> PyResult<Self> {
        let reader = reader(capsule)?;
        let most = if is_made { Resources::default().memory } else { usize::MAX };
        // Producers may need the lock to produce.
        py.detach(|| collected(reader, most)).map(Self).map_err(|error| raised(py, &error))
    }

    /// How many records it has.
    #[getter]
    fn records(&self) -> u64 {
        self.0.records()
    }
}

/// A table, wherever it is.
pub(crate) enum TableInput {
    At(std::path::PathBuf),
    Memory(MemoryTable),
}

impl TableInput {
    pub(crate) fn data(&self) -> Data<'_> {
        match self {
            Self::At(path) => path.into(),
            Self::Memory(table) => table.into(),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for TableInput {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(table) = object.cast::<Table>() {
            return Ok(Self::Memory(table.get().0.clone()));
        }
        object.extract().map(Self::At).map_err(|_| PyTypeError::new_err("a table or a path"))
    }
}

/// The stream of a capsule, taken out of it.
#[allow(unsafe_code)]
fn reader(capsule: &Bound<'_, PyCapsule>) -> PyResult<ArrowArrayStreamReader> {
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: a capsule of this name holds an `ArrowArrayStream`, by the Arrow `PyCapsule` interface. `from_raw` moves it out and
    // leaves an empty one, which the capsule's own destructor may release.
    let reader = unsafe { ArrowArrayStreamReader::from_raw(pointer.as_ptr().cast()) };
    let no_table = || {
        Error::input("what was handed over is no table of columns")
            .hint("a single column becomes one with `.to_frame()`; anything else: hand over the path of its file")
    };
    reader.map_err(|_| raised(capsule.py(), &no_table()))
}

fn collected(reader: ArrowArrayStreamReader, most: usize) -> Result<MemoryTable> {
    let schema = reader.schema();
    let (mut batches, mut bytes, mut records) = (Vec::new(), 0_usize, 0);
    for batch in reader {
        let batch = validated(batch.map_err(|_| broken())?)?;
        let sizes = batch.columns().iter().map(|column| column.to_data().get_slice_memory_size().unwrap_or(0));
        bytes = bytes.saturating_add(sizes.sum());
        if bytes > most {
            let message =
                format!("the table does not fit in memory: its first {records} records take {} MB", bytes >> 20);
            return Err(Error::input(message).hint("write it to a file of Parquet, and hand over its path"));
        }
        records += batch.num_rows();
        batches.push(batch);
    }
    MemoryTable::new(schema, batches)
}

fn validated(batch: RecordBatch) -> Result<RecordBatch> {
    for (place, column) in batch.columns().iter().enumerate() {
        if column.to_data().validate_full().is_err() {
            let message = format!("column {} of the table is not what its Arrow type says", place + 1);
            return Err(Error::input(message).hint("make the table anew with the library that it comes from"));
        }
    }
    Ok(batch)
}

fn broken() -> Error {
    Error::input("the table cannot be read: its library stopped in the middle")
        .hint("write it to a file with that library to see why, or hand over the file")
}

/// Batches as a stream in a capsule.
pub(crate) fn capsule<'py>(py: Python<'py>, batches: &[RecordBatch]) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = batches.first().map_or_else(|| Arc::new(arrow_schema::Schema::empty()), RecordBatch::schema);
    let batches: Vec<_> = batches.iter().cloned().map(Ok).collect();
    let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(batches, schema)));
    PyCapsule::new_with_value(py, stream, STREAM)
}
