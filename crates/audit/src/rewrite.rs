//! Plain CSV: writing the records again gives the same bytes.
//!
//! A reader forgives a byte order mark, blank lines, needless quotes or other line ends, and each is a place where
//! something can hide. UTF-8, commas, `\n`, and quotes only where needed leave one way to write a table.

use std::io::{self, Write};

use csv::Writer;
use sha2::{Digest, Sha256};

use crate::Check;
use crate::folder::hex;
use crate::observer::{Observer, Record};

/// Writes every record into a hash.
pub(crate) struct RewriteObserver<'a> {
    writer: Writer<Fingerprint>,
    sha256: &'a str,
    failed: bool,
}

struct Fingerprint(Sha256);

impl Write for Fingerprint {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> RewriteObserver<'a> {
    pub fn new(header: &[String], sha256: &'a str) -> Self {
        let mut writer = Writer::from_writer(Fingerprint(Sha256::new()));
        let failed = writer.write_record(header).is_err();
        Self { writer, sha256, failed }
    }
}

impl Observer for RewriteObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        self.failed |= self.writer.write_record(record.cells).is_err();
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        let rewritten = self.writer.into_inner().ok().map(|fingerprint| hex(fingerprint.0));
        let same = !self.failed && rewritten.as_deref() == Some(self.sha256);
        let found = if same { "the same bytes" } else { "other bytes" };
        vec![Check::new("plain-csv", same, "the records, written plainly, are the whole file", found)]
    }
}
