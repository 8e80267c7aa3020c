//! Delimited text to records, in bounded memory.
//!
//! `csv-core` splits and unquotes; the buffers are ours, so that one endless field stops at the field limit instead of
//! eating the machine. A record may be [`RECORD_FIELDS`] times the field limit long. Line ends are `\n`, `\r\n` or
//! `\r`; which of them occur is noted. Empty lines are no records, except where the table has one column: there an
//! empty line is a record whose value is missing. Row 1 is the first record after the header.

use std::io::Read;

use csv_core::ReadRecordResult as Step;

use super::compress::{Bytes, FLOOR};
use super::encoding::Text;
use super::failure;
use crate::error::{Error, Kind, Result};

/// How many full fields a record may hold.
const RECORD_FIELDS: usize = 4;
/// Fields of more than this size would overflow the offsets of a batch.
const FIELD_CEILING: usize = 256 << 20;
/// More columns than any table has; a binary file may "have" more.
const COLUMN_CEILING: usize = 100_000;
/// Bytes read at once.
const CHUNK: usize = 1 << 20;

/// One record after the other.
pub(super) struct Records {
    name: String,
    encoding: &'static str,
    input: Bytes,
    limit: usize,
    columns: Option<usize>,
    parser: csv_core::Reader,
    chunk: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    /// Offset in the text of `chunk[0]`.
    offset: u64,
    /// Offset of the first NUL byte met.
    nul: Option<u64>,
    fields: Vec<u8>,
    used: usize,
    ends: Vec<usize>,
    count: usize,
    /// Fields counted beyond the expected ones; their text is dropped.
    beyond: usize,
    row: u64,
    skipped_lines: u64,
    line: u64,
    line_ends: LineEnds,
}

/// What comes next in the text.
enum LineKind {
    /// Nothing.
    None,
    /// A record of one empty field.
    Empty,
    /// A record.
    Text,
}

/// The kinds of line ends that were met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LineEnds {
    feed: bool,
    both: bool,
    only_return: bool,
}

impl LineEnds {
    /// Whether there is more than one kind.
    pub(super) fn are_mixed(self) -> bool {
        [self.feed, self.both, self.only_return].into_iter().filter(|met| *met).count() > 1
    }
}

/// The fields of one record.
pub(super) struct Fields<'a> {
    text: &'a str,
    ends: &'a [usize],
}

impl<'a> Fields<'a> {
    /// How many fields there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text of a field; empty where there is none.
    #[inline]
    pub(super) fn get(&self, index: usize) -> &'a str {
        let start = if index == 0 { Some(&0) } else { self.ends.get(index - 1) };
        match (start, self.ends.get(index)) {
            (Some(&start), Some(&end)) => self.text.get(start..end).unwrap_or_default(),
            _ => "",
        }
    }
}

impl Records {
    /// Records of a text, split at a delimiter, with fields of at most `limit` bytes.
    pub(super) fn new(name: &str, text: Text, delimiter: u8, limit: usize) -> Self {
        let mut parser = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        // The parser looks for a byte order mark at its first call; ours is gone already, a second one is text.
        parser.read_record(b"x", &mut [], &mut []);
        Self {
            name: name.to_owned(),
            encoding: text.encoding,
            input: text.bytes,
            limit: limit.clamp(1, FIELD_CEILING),
            columns: None,
            parser,
            chunk: vec![0; CHUNK],
            start: 0,
            end: 0,
            ended: false,
            offset: text.skipped,
            nul: None,
            fields: vec![0; 4096],
            used: 0,
            ends: vec![0; 64],
            count: 0,
            beyond: 0,
            row: 0,
            skipped_lines: 0,
            line: 1,
            line_ends: LineEnds::default(),
        }
    }

    /// From now on records have this many fields; more are counted, not kept.
    pub(super) fn require_fields(&mut self, columns: usize) {
        self.columns = Some(columns);
        self.ends = vec![0; columns + 1];
    }

    /// Whether the text had no byte at all.
    pub(super) fn is_empty(&self) -> bool {
        self.ended && self.offset == 0 && self.end == 0
    }

    /// The kinds of line ends met so far.
    pub(super) fn line_ends(&self) -> LineEnds {
        self.line_ends
    }

    /// Moves to the next record; false at the end of the text.
    pub(super) fn advance(&mut self) -> Result<bool> {
        (self.used, self.count, self.beyond) = (0, 0, 0);
        let next = self.next_line()?;
        self.line = self.parser.line() + self.skipped_lines;
        match next {
            LineKind::None => Ok(false),
            LineKind::Empty => {
                self.count = 1;
                self.ends.fill(0);
                Ok(true)
            }
            LineKind::Text => self.split(),
        }
    }

    /// Splits the record that starts here.
    fn split(&mut self) -> Result<bool> {
        loop {
            match self.step(None) {
                Step::Record => {
                    self.end_line(self.chunk.get(..self.start).and_then(<[u8]>::last).copied())?;
                    break;
                }
                Step::End => return Ok(false),
                Step::OutputFull => self.make_room()?,
                Step::OutputEndsFull => self.make_ends()?,
                Step::InputEmpty if self.refill()? => {}
                Step::InputEmpty => {
                    self.finish()?;
                    break;
                }
            }
        }
        self.check()?;
        Ok(true)
    }

    /// The record's fields; or the column whose bytes are not text.
    pub(super) fn fields(&self) -> std::result::Result<Fields<'_>, usize> {
        let bytes = self.fields.get(..self.used).unwrap_or_default();
        let ends = self.ends.get(..self.count).unwrap_or_default();
        match std::str::from_utf8(bytes) {
            Ok(text) if ends.iter().all(|end| text.is_char_boundary(*end)) => Ok(Fields { text, ends }),
            _ => Err(self.first_bad_field(|field| std::str::from_utf8(field).is_err())),
        }
    }

    /// The offset and the column of a NUL byte in the record, if it has one.
    pub(super) fn nul(&self) -> Option<(u64, usize)> {
        let offset = self.nul.filter(|nul| *nul < self.offset + self.start as u64)?;
        Some((offset, self.first_bad_field(|field| field.contains(&0))))
    }

    /// Ends the record: the next one is the next row.
    pub(super) fn count_row(&mut self) {
        self.row += 1;
    }

    /// How many fields the record has, kept or not.
    pub(super) fn found(&self) -> usize {
        self.beyond + self.count
    }

    /// Where the record is, for messages.
    pub(super) fn place(&self) -> String {
        match self.row {
            0 => format!("{}: header", self.name),
            row => format!("{}: row {row} (line {})", self.name, self.line),
        }
    }

    /// What the text is encoded in, for messages.
    pub(super) fn encoding(&self) -> &'static str {
        self.encoding
    }

    fn step(&mut self, input: Option<&[u8]>) -> Step {
        let own = self.chunk.get(self.start..self.end).unwrap_or_default();
        let fields = self.fields.get_mut(self.used..).unwrap_or_default();
        let ends = self.ends.get_mut(self.count..).unwrap_or_default();
        let (step, read, written, ended) = self.parser.read_record(input.unwrap_or(own), fields, ends);
        if input.is_none() {
            self.start += read;
        }
        self.used += written;
        self.count += ended;
        step
    }

    /// At the end of the text one more line end is fed: a record that does not end at it has an open quote.
    fn finish(&mut self) -> Result<()> {
        loop {
            match self.step(Some(b"\n")) {
                Step::Record => return Ok(()),
                Step::OutputFull => self.make_room()?,
                Step::OutputEndsFull => self.make_ends()?,
                Step::InputEmpty | Step::End => {
                    let message = format!("{}: a quote opens here and is never closed", self.place());
                    return Err(Error::input(message).hint("close it, or double it when it is part of the text"));
                }
            }
        }
    }

    /// Goes to the start of the next record. Empty lines before it are skipped, unless they are records themselves.
    fn next_line(&mut self) -> Result<LineKind> {
        loop {
            match self.peek()? {
                None => return Ok(LineKind::None),
                end @ Some(b'\n' | b'\r') => {
                    self.start += 1;
                    self.skipped_lines += u64::from(end == Some(b'\n'));
                    self.end_line(end)?;
                    if self.columns == Some(1) {
                        return Ok(LineKind::Empty);
                    }
                }
                Some(_) => return Ok(LineKind::Text),
            }
        }
    }

    /// A line ended in this byte, which was taken; a `\n` after `\r` belongs to it.
    fn end_line(&mut self, end: Option<u8>) -> Result<()> {
        match end {
            Some(b'\r') if self.peek()? == Some(b'\n') => {
                self.start += 1;
                self.skipped_lines += 1;
                self.line_ends.both = true;
            }
            Some(b'\r') => self.line_ends.only_return = true,
            _ => self.line_ends.feed = true,
        }
        Ok(())
    }

    /// The next byte, if there is one.
    fn peek(&mut self) -> Result<Option<u8>> {
        if self.start == self.end && !self.refill()? {
            return Ok(None);
        }
        Ok(self.chunk.get(self.start..self.end).and_then(<[u8]>::first).copied())
    }

    /// Reads the next chunk; false at the end of the text.
    fn refill(&mut self) -> Result<bool> {
        self.offset += self.end as u64;
        (self.start, self.end) = (0, 0);
        while let Some(room) = self.chunk.get_mut(self.end..).filter(|room| !room.is_empty() && !self.ended) {
            match self.input.read(room) {
                Ok(0) => self.ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failure::reading(&self.name, &error)),
            }
        }
        let fresh = self.chunk.get(..self.end).unwrap_or_default();
        if self.nul.is_none() && fresh.contains(&0) {
            self.nul = fresh.iter().position(|byte| *byte == 0).map(|position| self.offset + position as u64);
        }
        Ok(self.end > 0)
    }

    fn make_room(&mut self) -> Result<()> {
        if self.beyond > 0 {
            self.used = 0;
            return Ok(());
        }
        let start = self.count.checked_sub(1).and_then(|last| self.ends.get(last)).copied().unwrap_or(0);
        let ceiling = self.limit * RECORD_FIELDS;
        if self.used - start > self.limit || self.used >= ceiling {
            return Err(self.too_long(self.count));
        }
        self.fields.resize((self.fields.len() * 2).min(ceiling.max(self.fields.len() + 1)), 0);
        Ok(())
    }

    fn make_ends(&mut self) -> Result<()> {
        if self.columns.is_some() {
            self.beyond += self.count;
            (self.count, self.used) = (0, 0);
            return Ok(());
        }
        if self.ends.len() >= COLUMN_CEILING {
            let message = format!("{}: more than {COLUMN_CEILING} columns", self.place());
            return Err(Error::input(message).hint("check the delimiter and that the file is delimited text"));
        }
        self.ends.resize(self.ends.len() * 2, 0);
        Ok(())
    }

    /// Fields may be longer than the limit without having filled the buffer.
    fn check(&mut self) -> Result<()> {
        if self.used <= self.limit || self.beyond > 0 {
            return Ok(());
        }
        let mut start = 0;
        for (column, end) in self.ends.iter().take(self.count).enumerate() {
            if end - start > self.limit {
                return Err(self.too_long(column));
            }
            start = *end;
        }
        Ok(())
    }

    /// The message for an endless field; or that of a bomb, when the field is endless because the file is one.
    fn too_long(&mut self, column: usize) -> Error {
        let message =
            format!("{}, column {}: longer than the field limit of {} bytes", self.place(), column + 1, self.limit);
        let mut rest = self.input.by_ref().take(FLOOR + 1);
        match std::io::copy(&mut rest, &mut std::io::sink()).map_err(|error| failure::reading(&self.name, &error)) {
            Err(error) if error.kind == Kind::Environment => error,
            _ => Error::input(message)
                .hint("look for a quote that is not closed, and check that the file is delimited text"),
        }
    }

    fn first_bad_field(&self, bad: impl Fn(&[u8]) -> bool) -> usize {
        let mut start = 0;
        for (index, end) in self.ends.iter().take(self.count).enumerate() {
            if self.fields.get(start..*end).is_some_and(&bad) {
                return index;
            }
            start = *end;
        }
        0
    }
}
