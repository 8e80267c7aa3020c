//! Apache Parquet.
//!
//! The footer is looked at before the library decodes it ([`thrift`]), and so are the [`pages`]. Every call into the library is
//! guarded against its panics, and its messages are replaced by ours. The schema is taken from Parquet's own types; a copy of an Arrow
//! schema in the file's metadata is not trusted, and page indexes, which the walk does not see, are not decoded. Which
//! types are read, and as what: see [`text`](super::text).
//! A file that claims other numbers of rows than it holds is refused: a count that nobody checks would be released.
//! A batch whose texts would take too much memory is read again with fewer records.
//! Limit: a page is unpacked as a whole; it may take 64 MiB, and beyond that 400 times its bytes, as far as memory goes.

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, RowSelection, RowSelector,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};
use parquet::schema::types::Type;

use super::as_text::AsText;
use super::clean::Cleaner;
use super::handle::Handle;
use super::pages::FencedGroups;
use super::pages::meter::{Meter, PageRefusal};
use super::{Batches, File, FileHead, ReadRequest, Reading, columns, compress, failure, one_by_one, thrift};
use crate::error::{Error, Result};
use crate::machine::memory;

const MAGIC: &[u8; 4] = b"PAR1";
const ENCRYPTED: &[u8; 4] = b"PARE";

/// Reads the columns and their types.
pub(super) fn head(file: &File, reading: &Reading) -> Result<FileHead> {
    let (_, metadata) = load(file)?;
    head_of(file, &metadata, reading)
}

/// The records of each row group.
pub(super) fn group_sizes(file: &File) -> Result<Vec<u64>> {
    let (_, metadata) = load(file)?;
    claims(metadata.metadata()).ok_or_else(|| wrong_rows(&file.name()))
}

/// The rows of each row group, when they add up to what the file claims.
fn claims(metadata: &ParquetMetaData) -> Option<Vec<u64>> {
    let groups = metadata.row_groups().iter().map(|group| u64::try_from(group.num_rows()).ok());
    let groups = groups.collect::<Option<Vec<u64>>>()?;
    let sum = groups.iter().try_fold(0u64, |sum, rows| sum.checked_add(*rows))?;
    (u64::try_from(metadata.file_metadata().num_rows()) == Ok(sum)).then_some(groups)
}

fn wrong_rows(name: &str) -> Error {
    Error::input(format!("{name}: damaged: the file holds another number of rows than it claims"))
        .hint("write or download the file again")
}

/// The batches of the columns asked for.
pub(super) fn read(request: &ReadRequest<'_>) -> Result<Batches> {
    let name = request.file.name();
    let (file, mut metadata) = load(request.file)?;
    if head_of(request.file, &metadata, request.reading)? != *request.head {
        return Err(Error::input(format!("{name}: the schema changed while the file was in use")));
    }
    if request.may_be_dictionary {
        metadata = with_dictionaries(&name, &metadata)?;
    }
    let groups = claims(metadata.metadata()).ok_or_else(|| wrong_rows(&name))?;
    let wanted = request.groups.clone().unwrap_or(0..groups.len());
    let before = groups.iter().take(wanted.start).sum();
    let claimed: u64 = groups.iter().take(wanted.end).skip(wanted.start).sum();
    let typed = AsText::new(request, before)?;
    let roots = typed.sorted_columns();
    let cells = groups.iter().sum::<u64>().saturating_mul(roots.len().max(1) as u64);
    if compress::is_hollow(request.file.size()?, cells) {
        return Err(compress::hollow(&name));
    }
    let batch_records = request.reading.batch_records.max(1);
    let rows = ParquetRows { file: Arc::new(file), metadata, roots, groups: wanted, claimed, room: memory::room() };
    let reader = failure::guarded(&name, || rows.reader(0, batch_records).ok_or_else(|| failure::damaged(&name)))?;
    let mut batches = ParquetBatches { name, typed, rows, reader, batch_records, left: claimed };
    Ok(one_by_one(move || {
        let name = batches.name.clone();
        failure::guarded(&name, || batches.next_batch())
    }))
}

/// Opens the file and decodes its footer, checked first.
fn load(file: &File) -> Result<(Handle, ArrowReaderMetadata)> {
    let name = file.name();
    let mut opened = file.open()?;
    let weight = thrift::footer(&footer(&name, &mut opened)?).ok_or_else(|| failure::damaged(&name))?;
    if weight > memory::room() {
        return Err(failure::no_room(&name, "its footer"));
    }
    let metadata = failure::guarded(&name, || {
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let options = options.with_page_index_policy(PageIndexPolicy::Skip);
        let plain = ArrowReaderMetadata::load(&opened, options.clone()).map_err(|_| failure::damaged(&name))?;
        let schema = readable(plain.schema(), plain.parquet_schema().root_schema().get_fields());
        ArrowReaderMetadata::try_new(plain.metadata().clone(), options.with_schema(schema))
            .map_err(|_| failure::damaged(&name))
    })?;
    Ok((opened, metadata))
}

/// The bytes of the footer, when its length fits in the file.
fn footer(name: &str, file: &mut Handle) -> Result<Vec<u8>> {
    let cut = || Error::input(format!("{name}: no complete Parquet file: its footer is cut short or damaged"));
    let failed = |error: std::io::Error| failure::reading(name, &error);
    let size = file.seek(SeekFrom::End(0)).map_err(failed)?;
    if size == 0 {
        return Err(Error::input(format!("{name}: empty input: the file has 0 bytes")));
    }
    let (mut first, mut length, mut last) = ([0; 4], [0; 4], [0; 4]);
    if size < 12 {
        return Err(cut());
    }
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_exact(&mut first)).map_err(failed)?;
    file.seek(SeekFrom::End(-8)).and_then(|_| file.read_exact(&mut length)).map_err(failed)?;
    file.read_exact(&mut last).map_err(failed)?;
    if &last == ENCRYPTED {
        return Err(Error::input(format!("{name}: encrypted Parquet cannot be read")).hint("decrypt it first"));
    }
    let length = u64::from(u32::from_le_bytes(length));
    if &first != MAGIC || &last != MAGIC || length > size - 12 {
        return Err(cut());
    }
    file.seek(SeekFrom::Start(size - 8 - length)).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The schema as we want it read: INT96 in microseconds, which do not wrap, and enumerations as text.
fn readable(schema: &SchemaRef, roots: &[Arc<Type>]) -> SchemaRef {
    let fields = schema.fields().iter().zip(roots).map(|(field, root)| match wanted(root) {
        Some(kind) => Arc::new(Field::new(field.name(), kind, field.is_nullable())),
        None => field.clone(),
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The same file with columns of text as dictionaries, as most writers store them.
fn with_dictionaries(name: &str, metadata: &ArrowReaderMetadata) -> Result<ArrowReaderMetadata> {
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let fields = metadata.schema().fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Arc::new(Field::new(field.name(), dictionary.clone(), field.is_nullable())),
        _ => field.clone(),
    });
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let options = options.with_schema(Arc::new(Schema::new(fields.collect::<Vec<_>>())));
    failure::guarded(name, || {
        ArrowReaderMetadata::try_new(metadata.metadata().clone(), options).map_err(|_| failure::damaged(name))
    })
}

fn wanted(root: &Type) -> Option<DataType> {
    if !is_flat(root) {
        return None;
    }
    let info = root.get_basic_info();
    match root.get_physical_type() {
        Physical::INT96 => Some(DataType::Timestamp(TimeUnit::Microsecond, None)),
        Physical::BYTE_ARRAY
            if matches!(info.logical_type_ref(), Some(LogicalType::Enum))
                || info.converted_type() == ConvertedType::ENUM =>
        {
            Some(DataType::Utf8)
        }
        _ => None,
    }
}

fn is_flat(root: &Type) -> bool {
    let info = root.get_basic_info();
    root.is_primitive() && !(info.has_repetition() && info.repetition() == parquet::basic::Repetition::REPEATED)
}

fn is_uuid(root: &Type) -> bool {
    root.is_primitive() && matches!(root.get_basic_info().logical_type_ref(), Some(LogicalType::Uuid))
}

fn head_of(file: &File, metadata: &ArrowReaderMetadata, reading: &Reading) -> Result<FileHead> {
    let fields = metadata.schema().fields();
    let roots = metadata.parquet_schema().root_schema().get_fields();
    let names = Cleaner::new(reading).names(fields.iter().map(|field| field.name().as_str()));
    columns::check(&file.name(), &names)?;
    let types = fields.iter().zip(roots).map(|(field, root)| (field.data_type().clone(), is_uuid(root))).collect();
    Ok(FileHead { columns: names, types, delimiter: None, timed: Vec::new() })
}

/// Columns of some row groups.
struct ParquetRows {
    file: Arc<Handle>,
    metadata: ArrowReaderMetadata,
    /// The columns to read, in their order in the file.
    roots: Vec<usize>,
    groups: Range<usize>,
    /// How many rows are claimed.
    claimed: u64,
    /// How much the reader may hold.
    room: u64,
}

/// A reader, and the meter of its pages.
struct MeteredReader {
    batches: ParquetRecordBatchReader,
    meter: Arc<Meter>,
}

impl ParquetRows {
    /// Reads the rows that follow so many, in batches of so many records.
    fn reader(&self, after: u64, batch_records: usize) -> Option<MeteredReader> {
        let schema = self.metadata.parquet_schema();
        let mask = ProjectionMask::roots(schema, self.roots.iter().copied());
        let levels = parquet_to_arrow_field_levels(schema, mask, Some(self.metadata.schema().fields())).ok()?;
        let meter = Arc::new(Meter::new(self.room, batch_records));
        let groups = FencedGroups {
            file: Arc::clone(&self.file),
            metadata: Arc::clone(self.metadata.metadata()),
            groups: self.groups.clone(),
            meter: Arc::clone(&meter),
            batch_records,
        };
        let batch_records = batch_records.min(usize::try_from(self.claimed).ok()?);
        let rest = usize::try_from(self.claimed.checked_sub(after)?).ok()?;
        let from = |after| vec![RowSelector::skip(after), RowSelector::select(rest)];
        let selection = usize::try_from(after).ok().filter(|after| *after > 0).map(from).map(RowSelection::from);
        let batches = ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, batch_records, selection);
        Some(MeteredReader { batches: batches.ok()?, meter })
    }
}

struct ParquetBatches {
    name: String,
    typed: AsText,
    rows: ParquetRows,
    reader: MeteredReader,
    batch_records: usize,
    /// Rows that are claimed and not read yet.
    left: u64,
}

impl ParquetBatches {
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let Some(batch) = self.next_typed()? else {
            return if self.left == 0 { Ok(None) } else { Err(wrong_rows(&self.name)) };
        };
        self.left = self.left.checked_sub(batch.num_rows() as u64).ok_or_else(|| wrong_rows(&self.name))?;
        let roots = &self.rows.roots;
        let array =
            |column: usize| roots.binary_search(&column).ok().and_then(|index| batch.columns().get(index)).cloned();
        self.typed.text(batch.num_rows(), array).map(Some)
    }

    /// The next batch as it is in the file, with fewer records where their texts would be too many.
    fn next_typed(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            self.reader.meter.begin();
            match (self.reader.batches.next().transpose(), self.reader.meter.refusal()) {
                (Ok(batch), _) => return Ok(batch),
                (Err(_), Some(PageRefusal::Batch)) => self.read_again()?,
                (Err(_), Some(PageRefusal::Room)) => return Err(failure::no_room(&self.name, "a row with its pages")),
                (Err(_), None) => {
                    let (name, records) = (&self.name, self.typed.records());
                    return Err(Error::input(format!("{name}: damaged data after row {records}"))
                        .hint("write or download the file again"));
                }
            }
        }
    }

    /// Goes back to the last row that was read, for smaller batches.
    fn read_again(&mut self) -> Result<()> {
        self.batch_records = (self.batch_records / 8).max(1);
        let read = self.rows.claimed.saturating_sub(self.left);
        let reader = self.rows.reader(read, self.batch_records);
        self.reader = reader.ok_or_else(|| failure::damaged(&self.name))?;
        Ok(())
    }
}
