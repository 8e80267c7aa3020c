//! Plain CSV: writing the records again gives the same bytes.
//!
//! A reader forgives a byte order mark, blank lines, needless quotes or other line ends, and each is a place where
//! something can hide. The claimed encoding and delimiter, `\n`, and quotes only where needed leave one way to write a table.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use csv::{Writer, WriterBuilder};
use encoding_rs::{Encoding, UTF_8};
use sha2::{Digest, Sha256};

use crate::Check;
use crate::folder::hex;
use crate::observer::{Observer, Record};
use crate::table::{Signs, Table};

/// Writes every record into a hash.
pub(crate) struct RewriteObserver<'a> {
    writer: Writer<Line>,
    line: Line,
    encoding: &'static Encoding,
    hash: Sha256,
    sha256: &'a str,
    failed: bool,
}

/// What the writer wrote last. It keeps its own end of it for itself.
#[derive(Clone, Default)]
struct Line(Rc<RefCell<Vec<u8>>>);

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> RewriteObserver<'a> {
    pub fn new(table: &Table, sha256: &'a str) -> Self {
        let line = Line::default();
        let Signs { delimiter, encoding, .. } = table.signs();
        let writer = WriterBuilder::new().delimiter(*delimiter).from_writer(line.clone());
        let mut new = Self { writer, line, encoding, hash: Sha256::new(), sha256, failed: false };
        new.write(table.columns().iter().map(String::as_str), 1);
        new
    }

    fn write<'c>(&mut self, cells: impl Iterator<Item = &'c str>, times: u64) {
        self.failed |= self.writer.write_record(cells).is_err() || self.writer.flush().is_err();
        let mut line = self.line.0.borrow_mut();
        let bytes = encoded(&line, self.encoding);
        self.failed |= bytes.is_none();
        let bytes = bytes.unwrap_or_default();
        (0..times).for_each(|_| self.hash.update(&bytes));
        drop(bytes);
        line.clear();
    }
}

/// A line in an encoding, if that has all its characters.
fn encoded<'l>(line: &'l [u8], encoding: &'static Encoding) -> Option<Cow<'l, [u8]>> {
    if encoding == UTF_8 {
        return Some(Cow::Borrowed(line));
    }
    let (bytes, _, is_lossy) = encoding.encode(std::str::from_utf8(line).ok()?);
    (!is_lossy).then_some(bytes)
}

impl Observer for RewriteObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        self.write(record.written.iter(), record.times);
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        let same = !self.failed && hex(self.hash) == self.sha256;
        let found = if same { "the same bytes" } else { "other bytes" };
        vec![Check::new("plain-csv", same, "the records, written plainly, are the whole file", found)]
    }
}
