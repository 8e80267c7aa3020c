//! Parquet as a release writes it: flat columns of text or of their claimed [type](super::typed), null for missing.
//!
//! The file is hostile: its [`footer`](super::footer) is walked first, and the library that reads it stands behind a guard
//! that turns its errors and panics into "not readable". A null and an empty text would be one value here and two for
//! whoever reads the file, so an empty text is refused. Every batch is [written again](super::again).
//!
//! A dictionary may say one long text for each record. Texts are therefore read as views, which take no bytes, and written out once
//! it is known how long they are together.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray, StringViewArray};
use arrow_schema::{DataType, Field, Schema};
use csv::StringRecord;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::PageIndexPolicy;
use parquet::file::reader::Length;
use parquet::schema::types::Type;

use super::ReadFailure;
use super::again::{BATCH, HashedFile};
use super::footer::{self, Footer};
use super::guard::guarded;
use super::room::room;
use super::typed::ColumnType;
use crate::Check;
use crate::folder::{Content, OpenFile};

/// So many bytes of each text may be said elsewhere.
const FREE_TEXT: u64 = 256;
/// All texts may have so many bytes beyond those, and times the bytes of the file.
const GIVEN: (u64, u64) = (64 << 20, 400);

/// The records of a Parquet file.
pub(crate) struct ParquetRecords {
    pub columns: Vec<String>,
    kinds: Vec<ColumnType>,
    /// How many columns have another type than claimed; none of them is read.
    other: usize,
    reader: ParquetRecordBatchReader,
    batch: Vec<StringArray>,
    /// The next record of the batch, and how many it has.
    at: usize,
    filled: usize,
    read: u64,
    claimed: u64,
    again: Option<HashedFile>,
    /// The most bytes that texts may have: those of a batch, and those of all that say more than they may for nothing.
    most: (u64, u64),
    given: u64,
}

impl ParquetRecords {
    pub fn open(data: &Content, kinds: &[ColumnType]) -> Result<Self, ReadFailure> {
        let mut file = data.open().map_err(|error| ReadFailure::Io(error.kind()))?;
        let footer = footer::read(&mut file)?;
        guarded("not Parquet", || Self::read(file, &footer, kinds))
    }

    fn read(file: OpenFile, footer: &Footer, kinds: &[ColumnType]) -> Result<Self, ParquetError> {
        let (least, times) = GIVEN;
        let most = (room() / 4, least.max(file.len().saturating_mul(times)));
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let options = options.with_page_index_policy(PageIndexPolicy::Skip);
        let builder = ArrowReaderMetadata::load(&file, options.clone())?;
        let fields = builder.parquet_schema().root_schema().get_fields();
        let columns: Vec<String> = fields.iter().map(|field| field.name().to_owned()).collect();
        let kind = |place: usize| kinds.get(place).copied().unwrap_or(ColumnType::Text);
        let is_other = |(place, field): (usize, &Arc<Type>)| match kind(place) {
            ColumnType::Text => !is_text(field),
            kind => !is_single(field) || builder.schema().field(place).data_type() != &kind.data_type(),
        };
        let other = fields.iter().enumerate().filter(|one| is_other(*one)).count();
        let kinds: Vec<ColumnType> = (0..columns.len()).map(kind).collect();
        let again = HashedFile::begin(&footer.created_by, &columns, &kinds)?;
        let viewed = ArrowReaderMetadata::try_new(builder.metadata().clone(), options.with_schema(viewed(&builder)))?;
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, viewed).with_batch_size(BATCH).build()?;
        let (batch, claimed) = (Vec::new(), footer.records);
        Ok(Self { columns, kinds, other, reader, batch, at: 0, filled: 0, read: 0, claimed, again, most, given: 0 })
    }

    pub fn opening_check(&self) -> Check {
        let found = format!("{} columns of another type", self.other);
        let is_text = self.kinds.iter().all(|kind| *kind == ColumnType::Text);
        let claim = if is_text { "flat text columns only" } else { "flat columns, text or of their claimed type" };
        Check::new("parquet-types", self.other == 0, claim, found)
    }

    /// Whether the records are all that the file holds, whose hash is `sha256`.
    pub fn closing_check(self, sha256: &str) -> Check {
        let again = self.again.map(|again| guarded("not written", || again.finish()));
        let (same, found) = match again {
            None => (false, "not checked: its maker is not known to this audit, and values may hide in it"),
            Some(Ok(hash)) if hash == sha256 => (true, "the same bytes"),
            Some(_) => (false, "other bytes, in which values may hide"),
        };
        Check::new("plain-parquet", same, "the records, written again, are the whole file", found)
    }

    pub fn next(&mut self, cells: &mut StringRecord) -> Result<bool, ReadFailure> {
        let number = self.read + 1;
        let content = |what| ReadFailure::Content { what, record: Some(number) };
        if self.at == self.filled {
            let more = guarded("broken Parquet", || self.fill()).map_err(|error| match error {
                ReadFailure::Content { what, .. } => content(what),
                io @ ReadFailure::Io(_) => io,
            })?;
            if !more {
                let whole = self.read == self.claimed;
                return if whole { Ok(false) } else { Err(content("fewer records than the footer claims")) };
            }
        }
        cells.clear();
        for column in &self.batch {
            let cell = if column.is_null(self.at) { None } else { Some(column.value(self.at)) };
            if cell == Some("") {
                return Err(content("an empty text, where a missing value is a null"));
            }
            cells.push_field(cell.unwrap_or_default());
        }
        self.at += 1;
        self.read += 1;
        Ok(true)
    }

    /// Reads the next batch and writes it again.
    fn fill(&mut self) -> Result<bool, ParquetError> {
        let Some(batch) = self.reader.next().transpose()? else { return Ok(false) };
        self.weigh(batch.columns())?;
        let columns: Vec<ArrayRef> = batch.columns().iter().map(written_out).collect();
        self.batch = texts(&columns, &self.kinds).ok_or_else(|| unread("no such column"))?;
        (self.at, self.filled) = (0, batch.num_rows());
        self.again.as_mut().map_or(Ok(()), |again| again.write(&columns))?;
        Ok(self.filled > 0)
    }

    /// Refuses texts that have more bytes than they may.
    fn weigh(&mut self, columns: &[ArrayRef]) -> Result<(), ParquetError> {
        let mut bytes = 0;
        for texts in columns.iter().filter_map(|column| column.as_string_view_opt()) {
            let length = length(texts);
            bytes += length;
            self.given += length.saturating_sub(FREE_TEXT * texts.len() as u64);
        }
        let (of_batch, of_all) = self.most;
        if bytes > of_batch || self.given > of_all { Err(unread("texts without end")) } else { Ok(()) }
    }
}

fn unread(why: &str) -> ParquetError {
    ParquetError::General(why.to_owned())
}

/// The schema of a file with views for texts.
fn viewed(metadata: &ArrowReaderMetadata) -> Arc<Schema> {
    let fields = metadata.schema().fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Arc::new(Field::new(field.name(), DataType::Utf8View, field.is_nullable())),
        _ => Arc::clone(field),
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// How many bytes the texts have together.
fn length(texts: &StringViewArray) -> u64 {
    let lengths = texts.lengths().enumerate().filter(|(record, _)| texts.is_valid(*record));
    lengths.map(|(_, length)| u64::from(length)).sum()
}

/// A column, its texts no views.
fn written_out(column: &ArrayRef) -> ArrayRef {
    let Some(views) = column.as_string_view_opt() else { return Arc::clone(column) };
    let mut texts = StringBuilder::with_capacity(views.len(), usize::try_from(length(views)).unwrap_or(0));
    texts.extend(views);
    Arc::new(texts.finish())
}

fn texts(columns: &[ArrayRef], kinds: &[ColumnType]) -> Option<Vec<StringArray>> {
    columns.iter().zip(kinds).map(|(column, kind)| kind.texts(column)).collect()
}

/// One cell in each record.
fn is_single(field: &Type) -> bool {
    let info = field.get_basic_info();
    field.is_primitive() && !(info.has_repetition() && info.repetition() == Repetition::REPEATED)
}

fn is_text(field: &Type) -> bool {
    let info = field.get_basic_info();
    let text = is_single(field) && field.get_physical_type() == Physical::BYTE_ARRAY;
    text && info.converted_type() == ConvertedType::UTF8
}
