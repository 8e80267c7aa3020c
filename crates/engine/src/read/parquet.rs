//! Apache Parquet.
//!
//! The footer and each page's header are looked at before the library decodes them ([`thrift`]), every call into the library is guarded against
//! its panics, and its messages are replaced by ours. The schema is taken from Parquet's own types; a copy of an Arrow
//! schema in the file's metadata is not trusted, and page indexes, which the walk does not see, are not decoded. Which
//! types are read, and as what: see [`text`](super::text).
//! A file that claims other numbers of rows than it holds is refused: a count that nobody checks would be released.
//! Limit: a page is unpacked as a whole; it may take 64 MiB, and beyond that 400 times its bytes.

use std::io::{Chain, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::schema::types::Type;

use super::as_text::AsText;
use super::clean::Cleaner;
use super::handle::Handle;
use super::{Batches, File, FileHead, ReadRequest, Reading, columns, failure, one_by_one, thrift};
use crate::error::{Error, Result};

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
    let claimed = groups.iter().take(wanted.end).skip(wanted.start).sum();
    let typed = AsText::new(request, before)?;
    let roots = typed.sorted_columns();
    let batch_records = request.reading.batch_records.max(1);
    let mut reader = failure::guarded(&name, || build(&name, file, metadata, &roots, wanted, batch_records))?;
    let mut batches = ParquetBatches { typed, roots, left: claimed };
    Ok(one_by_one(move || failure::guarded(&name, || batches.next_batch(&name, &mut reader))))
}

/// Opens the file and decodes its footer, checked first.
fn load(file: &File) -> Result<(Handle, ArrowReaderMetadata)> {
    let name = file.name();
    let mut opened = file.open()?;
    if !thrift::is_sound(&footer(&name, &mut opened)?) {
        return Err(failure::damaged(&name));
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

/// The pages of a file, each looked at before the library decodes it.
struct Pages(Handle);

/// How much of a page is looked at: more than most headers.
const HEADER: u64 = 4096;

impl Length for Pages {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Pages {
    type T = Chain<Cursor<Vec<u8>>, <Handle as ChunkReader>::T>;

    /// The library asks so for the header of a page.
    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        let mut rest = self.0.get_read(start)?;
        let mut header = Vec::new();
        rest.by_ref().take(HEADER).read_to_end(&mut header)?;
        if !thrift::is_sound_page(&header) {
            return Err(ParquetError::General(String::new()));
        }
        Ok(Cursor::new(header).chain(rest))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<bytes::Bytes> {
        self.0.get_bytes(start, length)
    }
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

fn build(
    name: &str,
    file: Handle,
    metadata: ArrowReaderMetadata,
    roots: &[usize],
    groups: Range<usize>,
    batch_records: usize,
) -> Result<ParquetRecordBatchReader> {
    let mask = ProjectionMask::roots(metadata.parquet_schema(), roots.iter().copied());
    ParquetRecordBatchReaderBuilder::new_with_metadata(Pages(file), metadata)
        .with_batch_size(batch_records)
        .with_projection(mask)
        .with_row_groups(groups.collect())
        .build()
        .map_err(|_| failure::damaged(name))
}

struct ParquetBatches {
    typed: AsText,
    /// The columns that the reader yields, in their order in the file.
    roots: Vec<usize>,
    /// Rows that are claimed and not read yet.
    left: u64,
}

impl ParquetBatches {
    fn next_batch(&mut self, name: &str, reader: &mut ParquetRecordBatchReader) -> Result<Option<RecordBatch>> {
        let Some(batch) = reader.next() else {
            return if self.left == 0 { Ok(None) } else { Err(wrong_rows(name)) };
        };
        let records = self.typed.records();
        let batch = batch.map_err(|_| {
            Error::input(format!("{name}: damaged data after row {records}")).hint("write or download the file again")
        })?;
        self.left = self.left.checked_sub(batch.num_rows() as u64).ok_or_else(|| wrong_rows(name))?;
        let array = |column: usize| {
            self.roots.binary_search(&column).ok().and_then(|index| batch.columns().get(index)).cloned()
        };
        self.typed.text(batch.num_rows(), array).map(Some)
    }
}
