//! Batches of typed columns to batches of text; shared by Parquet and Arrow IPC.
//!
//! A column whose type has no text is refused here, when it is asked for, and not earlier: columns that a policy drops
//! are not read.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::cells::is_same;
use super::clean::Cleaner;
use super::compress::GivenTexts;
use super::{ReadRequest, columns, failure, text, text_batch, text_schema, weight};
use crate::error::{Error, Result};

/// Writes the columns asked for as text, and counts records for messages.
pub(super) struct AsText {
    name: String,
    columns: Vec<String>,
    uuids: Vec<bool>,
    projection: Vec<usize>,
    schema: SchemaRef,
    /// Of each column of the file.
    cleaners: Vec<Cleaner>,
    limit: usize,
    records: u64,
    /// Whether dictionaries stay such.
    may_be_dictionary: bool,
    /// For each column the dictionary met last, as it was and as it was written.
    dictionaries: Vec<Option<WrittenDictionary>>,
    given: GivenTexts,
}

/// A dictionary, as it was and as it was written, and its longest text.
struct WrittenDictionary {
    met: ArrayRef,
    written: ArrayRef,
    longest: u64,
}

impl AsText {
    /// Refuses columns whose type has no text; so many records of the file come before the first.
    pub(super) fn new(request: &ReadRequest<'_>, before: u64) -> Result<Self> {
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
            cleaners: head.columns.iter().map(|name| Cleaner::for_column(request.reading, name)).collect(),
            limit: request.reading.field_limit,
            records: before,
            may_be_dictionary: request.may_be_dictionary,
            dictionaries: head.columns.iter().map(|_| None).collect(),
            given: GivenTexts::new(request.file.size()?),
        })
    }

    /// The columns asked for, each once, in the order of the file.
    pub(super) fn sorted_columns(&self) -> Vec<usize> {
        let mut sorted = self.projection.clone();
        sorted.sort_unstable();
        sorted.dedup();
        sorted
    }

    /// How many records were written so far.
    pub(super) fn records(&self) -> u64 {
        self.records
    }

    /// The text of a batch whose columns `array` yields by their number in the file.
    pub(super) fn text(&mut self, records: usize, array: impl Fn(usize) -> Option<ArrayRef>) -> Result<RecordBatch> {
        let mut written: Vec<ArrayRef> = Vec::with_capacity(self.projection.len());
        for column in &self.projection {
            let array = array(*column).ok_or_else(|| failure::damaged(&self.name))?;
            let cleaner = self.cleaners.get(*column).ok_or_else(Error::internal)?;
            let uuid = self.uuids.get(*column).copied().unwrap_or(false);
            let memory = self.dictionaries.get_mut(*column).filter(|_| self.may_be_dictionary);
            let text = match (array.data_type(), memory) {
                (DataType::Dictionary(..), Some(memory)) => may_be_dictionary(&array, memory, self.limit, cleaner),
                _ => text::write(&array, uuid, self.limit, cleaner).map(|text| {
                    let bytes = weight::of_texts(&text);
                    (Arc::new(text) as ArrayRef, bytes)
                }),
            };
            let (text, bytes) = text.map_err(|unwritable| {
                let record = self.records + unwritable.record as u64 + 1;
                let place = columns::show(*column, &self.columns);
                let error = Error::input(format!("{}: row {record}, {place}: {}", self.name, unwritable.why));
                if let Some(hint) = unwritable.hint { error.hint(hint) } else { error }
            })?;
            self.given.give(&self.name, records as u64, bytes)?;
            written.push(text);
        }
        self.records += records as u64;
        if !self.may_be_dictionary {
            return text_batch(&self.schema, written, records);
        }
        let fields = self.schema.fields().iter().zip(&written);
        let fields = fields.map(|(field, array)| Field::new(field.name(), array.data_type().clone(), true));
        text_batch(&Arc::new(Schema::new(fields.collect::<Vec<_>>())), written, records)
    }
}

/// A dictionary whose texts are written as any other, and how many bytes its records have; one that was met last time is not
/// written again.
fn may_be_dictionary(
    array: &ArrayRef,
    memory: &mut Option<WrittenDictionary>,
    limit: usize,
    cleaner: &Cleaner,
) -> std::result::Result<(ArrayRef, u64), text::TextRefusal> {
    let Some(dictionary) = array.as_dictionary_opt::<Int32Type>() else {
        let text = text::write(array, false, limit, cleaner)?;
        let bytes = weight::of_texts(&text);
        return Ok((Arc::new(text), bytes));
    };
    let values = dictionary.values();
    if !memory.as_ref().is_some_and(|known| is_same(&known.met, values)) {
        let written = text::write(values, false, limit, cleaner)?;
        let longest = weight::longest(&written);
        *memory = Some(WrittenDictionary { met: Arc::clone(values), written: Arc::new(written), longest });
    }
    let lost = || text::TextRefusal::new(0, "a key outside its dictionary");
    let known = memory.as_ref().ok_or_else(lost)?;
    let may_be_dictionary = DictionaryArray::try_new(dictionary.keys().clone(), Arc::clone(&known.written));
    let may_be_dictionary: ArrayRef = Arc::new(may_be_dictionary.map_err(|_| lost())?);
    let bytes = weight::of_dictionary(&may_be_dictionary, known.longest);
    Ok((may_be_dictionary, bytes))
}
