//! Arrow IPC, file or stream.
//!
//! A stream is read message by message. A file has the same messages, and a footer that says where they are: they are
//! read in its order, dictionaries first, because Polars writes dictionaries last. Lengths are checked against the file
//! before memory is reserved for them, and sizes of compressed buffers against the cap for bombs and against memory. Buffers
//! share no bytes: each may be copied. A slice of a batch has fewer records where one text stands for many of them.
//!
//! Limits: a batch is held in memory as it was written; in a stream, a dictionary must come before its first use; files
//! of Arrow before 0.15 are refused. Source: Arrow columnar format, "Serialization and IPC".

use std::collections::{HashMap, VecDeque};
use std::io::{BufReader, Read, Seek, SeekFrom};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{Block, Message, root_as_footer, root_as_message_with_opts};
use flatbuffers::VerifierOptions;

use super::as_text::AsText;
use super::clean::Cleaner;
use super::compress;
use super::handle::Handle;
use super::{Batches, File, FileHead, ReadRequest, Reading, columns, failure, one_by_one, weight};
use crate::error::{Error, Result};
use crate::machine::memory;

const MAGIC: &[u8; 8] = b"ARROW1\0\0";
const CONTINUES: [u8; 4] = [0xFF; 4];
const END: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];
/// The most that the mark at the start is padded to.
const PADDED: u64 = 64;
/// Records that take no bytes at all are fine up to this number.
const FREE_ROWS: u64 = 1 << 16;
/// A slice of a batch has fewer records when its texts have more bytes than this.
const SLICE_BYTES: u64 = 32 << 20;
/// Tables of a message refer to each other; all together they are no larger than this, and beyond it than so many times its bytes.
const APPARENT: (usize, usize) = (1 << 20, 16);

/// Reads the columns and their types.
pub(super) fn head(file: &File, reading: &Reading) -> Result<FileHead> {
    let mut messages = Messages::open(file)?;
    let name = file.name();
    failure::guarded(&name, || {
        messages.next_batch()?;
        head_of(&messages, reading)
    })
}

/// The batches of the columns asked for.
pub(super) fn read(request: &ReadRequest<'_>) -> Result<Batches> {
    let name = request.file.name();
    let mut messages = Messages::open(request.file)?;
    let first = failure::guarded(&name, || messages.next_batch())?;
    if failure::guarded(&name, || head_of(&messages, request.reading))? != *request.head {
        return Err(Error::input(format!("{name}: the schema changed while the file was in use")));
    }
    let typed = AsText::new(request, 0)?;
    let mut batches = IpcBatches {
        columns: typed.sorted_columns(),
        typed,
        messages,
        batch: first,
        given: 0,
        batch_size: request.reading.batch_records.max(1),
    };
    Ok(one_by_one(move || failure::guarded(&name, || batches.next_batch())))
}

fn head_of(messages: &Messages, reading: &Reading) -> Result<FileHead> {
    let schema = messages.decoder.schema().ok_or_else(|| failure::damaged(&messages.name))?;
    let names = Cleaner::new(reading).names(schema.fields().iter().map(|field| field.name().as_str()));
    columns::check(&messages.name, &names)?;
    let uuid = |field: &arrow_schema::Field| field.extension_type_name() == Some("arrow.uuid");
    let types = schema.fields().iter().map(|field| (field.data_type().clone(), uuid(field))).collect();
    Ok(FileHead { columns: names, types, delimiter: None, timed: Vec::new() })
}

struct IpcBatches {
    typed: AsText,
    /// Those that are read.
    columns: Vec<usize>,
    messages: Messages,
    batch: Option<RecordBatch>,
    /// Records of `batch` handed out already.
    given: usize,
    batch_size: usize,
}

impl IpcBatches {
    /// A large batch is handed out in slices.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        while let Some(batch) = &self.batch {
            let count = self.batch_size.min(batch.num_rows() - self.given);
            if count > 0 {
                let slice = self.light_slice(batch, count)?;
                let count = slice.num_rows();
                self.given += count;
                return self.typed.text(count, |column| slice.columns().get(column).cloned()).map(Some);
            }
            self.given = 0;
            self.batch = self.messages.next_batch()?;
        }
        Ok(None)
    }
}

impl IpcBatches {
    /// The next so many records of a batch, or fewer.
    fn light_slice(&self, batch: &RecordBatch, mut count: usize) -> Result<RecordBatch> {
        loop {
            let slice = batch.slice(self.given, count);
            let columns = self.columns.iter().filter_map(|column| slice.columns().get(*column));
            let bytes = columns.map(weight::of).fold(0, u64::saturating_add);
            match count {
                _ if bytes <= SLICE_BYTES => return Ok(slice),
                1 if bytes > self.messages.room => return Err(failure::no_room(&self.messages.name, "a row")),
                1 => return Ok(slice),
                _ => count /= 2,
            }
        }
    }
}

/// The messages of a stream, decoded one by one.
struct Messages {
    name: String,
    input: BufReader<Handle>,
    /// Where the messages of a file are; a stream has them one after the other.
    places: Option<MessagePlaces>,
    /// Bytes before the end of the stream.
    left: u64,
    decoder: StreamDecoder,
    /// Bytes that the decoder has not taken yet.
    pending: Buffer,
    ended: bool,
    /// How much may be held.
    room: u64,
    /// What each dictionary holds.
    dictionaries: HashMap<i64, u64>,
}

impl Messages {
    fn open(file: &File) -> Result<Self> {
        let name = file.name();
        let failed = |error: std::io::Error| failure::reading(&name, &error);
        let mut input = BufReader::with_capacity(1 << 16, file.open()?);
        let size = input.seek(SeekFrom::End(0)).map_err(failed)?;
        if size == 0 {
            return Err(Error::input(format!("{name}: empty input: the file has 0 bytes")));
        }
        let mut start = Vec::new();
        input.seek(SeekFrom::Start(0)).map_err(failed)?;
        input.by_ref().take(8).read_to_end(&mut start).map_err(failed)?;
        let (from, end, places) = if start == MAGIC {
            let footer = footer_size(&mut input, size).map_err(failed)?.ok_or_else(|| cut_short(&name))?;
            let (from, end) = (stream_start(&mut input).map_err(failed)?, size - footer);
            let footer = footer_bytes(&mut input, end, footer).map_err(failed)?;
            (from, end, Some(MessagePlaces::read(&footer, from, end).ok_or_else(|| failure::damaged(&name))?))
        } else if start.starts_with(&CONTINUES) {
            (0, size, None)
        } else {
            return Err(failure::damaged(&name));
        };
        input.seek(SeekFrom::Start(from)).map_err(failed)?;
        Ok(Self {
            name,
            input,
            places,
            left: end.saturating_sub(from),
            decoder: StreamDecoder::new(),
            pending: Buffer::from_vec(Vec::<u8>::new()),
            ended: false,
            room: memory::room(),
            dictionaries: HashMap::new(),
        })
    }

    /// The next batch that has records, if any is left; reads the schema on its way.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        while self.fill()? {
            let size = self.pending.len() as u64;
            let batch = self.decoder.decode(&mut self.pending).map_err(|_| failure::damaged(&self.name))?;
            match batch.map(|batch| (batch.num_rows() as u64, batch)) {
                Some((records, _)) if records > FREE_ROWS + size * 8 * compress::RATIO => {
                    return Err(failure::damaged(&self.name));
                }
                Some((1.., batch)) => return Ok(Some(batch)),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Makes sure that bytes are pending; false when all were decoded.
    ///
    /// The decoder acts on a message without a body only when more bytes come, so a mark of the end is fed as the last.
    fn fill(&mut self) -> Result<bool> {
        if self.pending.is_empty() && !self.ended {
            let message = self.next_message()?;
            self.ended = message.is_none();
            self.pending = Buffer::from_vec(message.unwrap_or_else(|| END.to_vec()));
        }
        Ok(!self.pending.is_empty())
    }

    /// The bytes of the next message with its frame and body; `None` at the end of the stream.
    fn next_message(&mut self) -> Result<Option<Vec<u8>>> {
        let mut message = Vec::new();
        let schema_size = self.places.as_mut().and_then(|places| places.schema_size.take());
        if (schema_size.is_none() && !self.go_to_next()?) || self.left == 0 {
            return Ok(None);
        }
        self.take(8, &mut message)?;
        let frame: Option<&[u8; 8]> = message.first_chunk();
        let [a, b, c, d, size @ ..] = *frame.ok_or_else(|| cut_short(&self.name))?;
        if [a, b, c, d] != CONTINUES {
            let size = schema_size.ok_or_else(|| failure::damaged(&self.name))?;
            return self.frame_schema(message, size).map(Some);
        }
        let size = u32::from_le_bytes(size);
        if size == 0 {
            return Ok(None);
        }
        self.take(u64::from(size), &mut message)?;
        let body = self.body_size(message.get(8..).unwrap_or_default())?;
        let start = message.len();
        self.take(body, &mut message)?;
        self.check_buffers(&message, start)?;
        Ok(Some(message))
    }

    /// Goes to the next message that the footer of a file names; false when there is none. A stream is where it should be.
    fn go_to_next(&mut self) -> Result<bool> {
        let Some(places) = &mut self.places else { return Ok(true) };
        let Some(next) = places.messages.pop_front() else { return Ok(false) };
        self.left = places.end.saturating_sub(next);
        self.input.seek(SeekFrom::Start(next)).map_err(|error| failure::reading(&self.name, &error))?;
        Ok(true)
    }

    /// Polars writes the schema of a file without its frame: it reaches to the first message that the footer names.
    fn frame_schema(&mut self, mut schema: Vec<u8>, size: u64) -> Result<Vec<u8>> {
        let rest = size.checked_sub(schema.len() as u64).ok_or_else(|| failure::damaged(&self.name))?;
        self.take(rest, &mut schema)?;
        message(&schema).ok_or_else(|| failure::damaged(&self.name))?;
        let size = u32::try_from(schema.len()).map_err(|_| failure::damaged(&self.name))?;
        Ok([&CONTINUES, size.to_le_bytes().as_slice(), &schema].concat())
    }

    fn body_size(&self, header: &[u8]) -> Result<u64> {
        let message = message(header).ok_or_else(|| failure::damaged(&self.name))?;
        u64::try_from(message.bodyLength()).map_err(|_| failure::damaged(&self.name))
    }

    /// Compressed buffers say how large they unpack; they must be in the body, below the cap, and fit in memory.
    fn check_buffers(&mut self, bytes: &[u8], start: usize) -> Result<()> {
        let (header, body) = bytes.split_at_checked(start).unwrap_or_default();
        let message = message(header.get(8..).unwrap_or_default());
        let unpacked = message.as_ref().and_then(|message| unpacked_size(message, body));
        let (Some(message), Some(size)) = (message, unpacked) else { return Err(failure::damaged(&self.name)) };
        if compress::is_bomb(bytes.len() as u64, size) {
            return Err(compress::bomb(&self.name));
        }
        let held = self.held_dictionaries(&message, size.saturating_add(bytes.len() as u64));
        if size.saturating_add(held) > self.room {
            return Err(failure::no_room(&self.name, "a message"));
        }
        Ok(())
    }

    /// What all dictionaries hold with this message, if it is one of so many bytes: one follows another, or goes on with it.
    fn held_dictionaries(&mut self, message: &Message<'_>, bytes: u64) -> u64 {
        if let Some(dictionary) = message.header_as_dictionary_batch() {
            let held = self.dictionaries.entry(dictionary.id()).or_default();
            *held = bytes.saturating_add(if dictionary.isDelta() { *held } else { 0 });
        }
        self.dictionaries.values().fold(0, |sum, held| sum.saturating_add(*held))
    }

    /// Appends the next bytes of the stream, all of them.
    fn take(&mut self, count: u64, message: &mut Vec<u8>) -> Result<()> {
        self.left = self.left.checked_sub(count).ok_or_else(|| cut_short(&self.name))?;
        let read = self.input.by_ref().take(count).read_to_end(message);
        match read.map_err(|error| failure::reading(&self.name, &error))? {
            read if read as u64 == count => Ok(()),
            _ => Err(cut_short(&self.name)),
        }
    }
}

/// Where the messages of a file are.
struct MessagePlaces {
    /// The bytes from the start to the first message behind the schema, until the schema is read.
    schema_size: Option<u64>,
    /// Where dictionaries and then batches start.
    messages: VecDeque<u64>,
    /// Where the footer starts.
    end: u64,
}

impl MessagePlaces {
    /// What the footer says; `None` when it lies. Messages that overlap would make a large table of a small file.
    fn read(footer: &[u8], from: u64, end: u64) -> Option<Self> {
        let footer = root_as_footer(footer).ok()?;
        let blocks = footer.dictionaries().into_iter().flatten().chain(footer.recordBatches().into_iter().flatten());
        let reaches: Vec<(u64, u64)> = blocks.map(reach).collect::<Option<_>>()?;
        let mut sorted = reaches.clone();
        sorted.sort_unstable();
        sorted.push((end, end));
        let first = sorted.first().map_or(end, |(start, _)| *start);
        let are_apart = sorted.windows(2).all(|pair| matches!(pair, [(_, stop), (next, _)] if stop <= next));
        let messages = reaches.into_iter().map(|(start, _)| start).collect();
        let schema_size = first.checked_sub(from).filter(|_| are_apart)?;
        Some(Self { schema_size: Some(schema_size), messages, end })
    }
}

/// Where a message starts and stops.
fn reach(block: &Block) -> Option<(u64, u64)> {
    let start = u64::try_from(block.offset()).ok()?;
    let size = u64::try_from(block.metaDataLength()).ok()?.checked_add(u64::try_from(block.bodyLength()).ok()?)?;
    Some((start, start.checked_add(size)?))
}

/// A message whose tables do not refer to each other without end.
fn message(bytes: &[u8]) -> Option<Message<'_>> {
    let (least, times) = APPARENT;
    let options = VerifierOptions {
        max_apparent_size: bytes.len().saturating_mul(times).max(least),
        ..VerifierOptions::default()
    };
    root_as_message_with_opts(&options, bytes).ok()
}

/// What the compressed buffers of a message unpack to; `None` when they lie, or share bytes.
fn unpacked_size(message: &Message<'_>, body: &[u8]) -> Option<u64> {
    let batch = match message.header_as_dictionary_batch() {
        Some(dictionary) => dictionary.data(),
        None => message.header_as_record_batch(),
    };
    let Some(batch) = batch else { return Some(0) };
    let (mut packed, mut unpacked) = (0_u64, 0_u64);
    for buffer in batch.buffers().into_iter().flatten() {
        let start = usize::try_from(buffer.offset()).ok()?;
        let bytes = body.get(start..start.checked_add(usize::try_from(buffer.length()).ok()?)?)?;
        packed += bytes.len() as u64;
        if batch.compression().is_some() {
            let size = bytes.first_chunk().map_or(0, |prefix| i64::from_le_bytes(*prefix));
            unpacked = unpacked.checked_add(u64::try_from(size.max(0)).ok()?)?;
        }
    }
    (packed <= body.len() as u64).then_some(unpacked)
}

/// Where the stream of an IPC file starts: after the mark and zeros, which some writers pad to 64 bytes.
fn stream_start(input: &mut BufReader<Handle>) -> std::io::Result<u64> {
    let mut head = Vec::new();
    input.seek(SeekFrom::Start(0))?;
    input.by_ref().take(PADDED).read_to_end(&mut head)?;
    let zeros = head.chunks_exact(8).skip(1).take_while(|word| word.iter().all(|byte| *byte == 0)).count();
    Ok(8 * (zeros as u64 + 1))
}

/// The bytes after the stream of an IPC file: footer, its length, and the mark.
fn footer_size(input: &mut BufReader<Handle>, size: u64) -> std::io::Result<Option<u64>> {
    let mut tail = [0; 10];
    if size < 18 {
        return Ok(None);
    }
    input.seek(SeekFrom::End(-10))?;
    input.read_exact(&mut tail)?;
    let [a, b, c, d, mark @ ..] = tail;
    let footer = u64::from(u32::from_le_bytes([a, b, c, d])) + 10;
    Ok((mark == *b"ARROW1" && footer <= size - 8).then_some(footer))
}

/// The footer without its length and mark.
fn footer_bytes(input: &mut BufReader<Handle>, start: u64, size: u64) -> std::io::Result<Vec<u8>> {
    let mut footer = Vec::new();
    input.seek(SeekFrom::Start(start))?;
    input.by_ref().take(size - 10).read_to_end(&mut footer)?;
    Ok(footer)
}

fn cut_short(name: &str) -> Error {
    Error::input(format!("{name}: cut short: the end is missing")).hint("write or download the file again")
}
