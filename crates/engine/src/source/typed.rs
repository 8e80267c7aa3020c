//! Batches of typed columns to batches of text; shared by Parquet and Arrow IPC.
//!
//! A column whose type has no text is refused here, when it is asked for, and not earlier: columns that a policy drops
//! are not read.

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;

use super::clean::Cleaner;
use super::{Request, columns, fault, text, text_batch, text_schema};
use crate::error::{Error, Result};

/// Writes the columns asked for as text, and counts rows for messages.
pub(super) struct Typed {
    name: String,
    columns: Vec<String>,
    uuids: Vec<bool>,
    projection: Vec<usize>,
    schema: SchemaRef,
    cleaner: Cleaner,
    limit: usize,
    rows: u64,
}

impl Typed {
    /// Refuses columns whose type has no text.
    pub(super) fn new(request: &Request<'_>) -> Result<Self> {
        let (name, head) = (request.file.name(), request.head);
        for column in request.projection {
            if let Some(kind) = head.types.get(*column).and_then(|(kind, uuid)| text::refused(kind, *uuid)) {
                let place = columns::show(*column, &head.columns);
                let message = format!("{name}: {place}: its type ({kind}) cannot be read");
                return Err(Error::input(message).hint("convert the column to text or numbers, or leave it out"));
            }
        }
        Ok(Self {
            name,
            columns: head.columns.clone(),
            uuids: head.types.iter().map(|(_, uuid)| *uuid).collect(),
            projection: request.projection.to_vec(),
            schema: text_schema(&head.columns, request.projection),
            cleaner: Cleaner::new(request.reading),
            limit: request.reading.field_limit,
            rows: 0,
        })
    }

    /// The columns asked for, each once, in the order of the file.
    pub(super) fn sorted_columns(&self) -> Vec<usize> {
        let mut sorted = self.projection.clone();
        sorted.sort_unstable();
        sorted.dedup();
        sorted
    }

    /// How many rows were written so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// The text of a batch whose columns `array` yields by their number in the file.
    pub(super) fn text(&mut self, rows: usize, array: impl Fn(usize) -> Option<ArrayRef>) -> Result<RecordBatch> {
        let mut written: Vec<ArrayRef> = Vec::with_capacity(self.projection.len());
        for column in &self.projection {
            let array = array(*column).ok_or_else(|| fault::damaged(&self.name))?;
            let uuid = self.uuids.get(*column).copied().unwrap_or(false);
            let text = text::write(&array, uuid, self.limit, &self.cleaner).map_err(|unwritable| {
                let row = self.rows + unwritable.row as u64 + 1;
                let place = columns::show(*column, &self.columns);
                Error::input(format!("{}: row {row}, {place}: {}", self.name, unwritable.why))
            })?;
            written.push(std::sync::Arc::new(text));
        }
        self.rows += rows as u64;
        text_batch(&self.schema, written, rows)
    }
}
