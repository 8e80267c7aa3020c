//! Bytes to UTF-8 text: byte order marks, and UTF-16.
//!
//! A UTF-8 mark is dropped; a UTF-16 mark switches the decoder on. Nothing is ever replaced by a stand-in character,
//! because two names that fail alike would become one value. What is no UTF-16 is passed on as a byte that no UTF-8
//! text holds ([`BROKEN`]), so that the reader of records meets it in its row and can say where.

use std::io::{self, Cursor, Read};

use serde::{Deserialize, Serialize};

use super::compress::Bytes;
use super::{failure, format};
use crate::error::{Error, Result};

/// How text is encoded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Encoding {
    /// UTF-8, or UTF-16 where a byte order mark says so.
    #[default]
    #[serde(rename = "auto")]
    Auto,
    /// UTF-8 only.
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16, low byte first.
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16, high byte first.
    #[serde(rename = "utf-16be")]
    Utf16Be,
}

/// Stands for what the encoding does not allow; never part of UTF-8.
const BROKEN: u8 = 0xFF;

/// Text as UTF-8 bytes, not yet validated.
pub(super) struct Text {
    /// The bytes after the mark.
    pub(super) bytes: Bytes,
    /// What the file is encoded in, for messages.
    pub(super) encoding: &'static str,
    /// The bytes of the mark that were dropped and count for offsets.
    pub(super) skipped: u64,
}

/// Looks at the first bytes, drops the mark and sets up the decoder.
pub(super) fn decode(name: &str, mut bytes: Bytes, wanted: Encoding) -> Result<Text> {
    let mut head = Vec::with_capacity(8);
    bytes.by_ref().take(8).read_to_end(&mut head).map_err(|error| failure::reading(name, &error))?;
    if let Some(what) = format::by_magic(&head) {
        return Err(
            Error::input(format!("{name}: named as text, but holds {what}")).hint("give the file its right name")
        );
    }
    let (found, mark) = by_mark(&head);
    let encoding = settle(name, wanted, found)?;
    let skipped = if found == Some(encoding) { mark } else { 0 };
    let rest = Cursor::new(head.split_off(skipped)).chain(bytes);
    let (bytes, encoding): (Bytes, _) = match encoding {
        Encoding::Utf16Le => (Box::new(Utf16::new(rest, u16::from_le_bytes)), "UTF-16LE"),
        Encoding::Utf16Be => (Box::new(Utf16::new(rest, u16::from_be_bytes)), "UTF-16BE"),
        _ => (Box::new(rest), "UTF-8"),
    };
    Ok(Text { bytes, encoding, skipped: if encoding == "UTF-8" { skipped as u64 } else { 0 } })
}

fn by_mark(head: &[u8]) -> (Option<Encoding>, usize) {
    match head {
        [0xEF, 0xBB, 0xBF, ..] => (Some(Encoding::Utf8), 3),
        [0xFF, 0xFE, ..] => (Some(Encoding::Utf16Le), 2),
        [0xFE, 0xFF, ..] => (Some(Encoding::Utf16Be), 2),
        _ => (None, 0),
    }
}

fn settle(name: &str, wanted: Encoding, found: Option<Encoding>) -> Result<Encoding> {
    match (wanted, found) {
        (Encoding::Auto, found) => Ok(found.unwrap_or(Encoding::Utf8)),
        (wanted, None) => Ok(wanted),
        (wanted, Some(found)) if wanted == found => Ok(wanted),
        (wanted, Some(found)) => {
            let message = format!("{name}: encoded in {}, read as {}", title(found), title(wanted));
            Err(Error::input(message).hint("use --encoding auto, or encoding = \"auto\" in the policy"))
        }
    }
}

fn title(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Auto => "auto",
        Encoding::Utf8 => "UTF-8",
        Encoding::Utf16Le => "UTF-16LE",
        Encoding::Utf16Be => "UTF-16BE",
    }
}

/// A UTF-16 stream read as UTF-8.
struct Utf16<R> {
    inner: R,
    unit: fn([u8; 2]) -> u16,
    raw: Vec<u8>,
    high: Option<u16>,
    ready: Vec<u8>,
    given: usize,
    ended: bool,
}

impl<R: Read> Utf16<R> {
    fn new(inner: R, unit: fn([u8; 2]) -> u16) -> Self {
        Self { inner, unit, raw: Vec::new(), high: None, ready: Vec::new(), given: 0, ended: false }
    }

    /// Decodes the next stretch into `ready`.
    fn refill(&mut self) -> io::Result<()> {
        (self.given, self.ended) = (0, false);
        self.ready.clear();
        let before = self.raw.len();
        self.inner.by_ref().take(64 << 10).read_to_end(&mut self.raw)?;
        self.ended = self.raw.len() == before;
        let raw = std::mem::take(&mut self.raw);
        let (pairs, rest) = raw.as_chunks::<2>();
        for pair in pairs {
            self.push((self.unit)(*pair));
        }
        self.raw = rest.to_vec();
        if self.ended {
            self.close();
        }
        Ok(())
    }

    /// Takes one unit; a high surrogate waits for its low one.
    fn push(&mut self, unit: u16) {
        let high = self.high.take();
        match (high, unit) {
            (None, 0xD800..=0xDBFF) => self.high = Some(unit),
            (None, _) => self.emit(&[unit]),
            (Some(high), 0xDC00..=0xDFFF) => self.emit(&[high, unit]),
            (Some(_), _) => {
                self.ready.push(BROKEN);
                self.push(unit);
            }
        }
    }

    fn emit(&mut self, units: &[u16]) {
        for decoded in char::decode_utf16(units.iter().copied()) {
            match decoded {
                Ok(character) => self.ready.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                Err(_) => self.ready.push(BROKEN),
            }
        }
    }

    /// At the end nothing may be left over: half a pair or half a unit.
    fn close(&mut self) {
        if self.high.take().is_some() || !self.raw.is_empty() {
            self.raw.clear();
            self.ready.push(BROKEN);
        }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() && !self.ended {
            self.refill()?;
        }
        let count = self.ready.get(self.given..).unwrap_or_default().read(buffer)?;
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], wanted: Encoding) -> Vec<u8> {
        let mut out = Vec::new();
        let text = decode("x", Box::new(Cursor::new(bytes.to_vec())), wanted).unwrap();
        text.bytes.take(1 << 20).read_to_end(&mut out).unwrap();
        out
    }

    fn utf16(text: &str, mark: bool) -> Vec<u8> {
        let units = mark.then_some(0xFEFF).into_iter().chain(text.encode_utf16());
        units.flat_map(u16::to_be_bytes).collect()
    }

    #[test]
    fn every_plane_survives() {
        let text = "a,é,€,😀\n".repeat(20_000);
        assert_eq!(read(&utf16(&text, true), Encoding::Auto), text.as_bytes());
        assert_eq!(read(&utf16(&text, false), Encoding::Utf16Be), text.as_bytes());
    }

    #[test]
    fn halves_are_broken_not_replaced() {
        assert_eq!(read(&[0xFE, 0xFF, 0xD8, 0x3D, 0, b'x'], Encoding::Auto), [BROKEN, b'x']);
        assert_eq!(read(&[0xFE, 0xFF, 0xDE, 0x00], Encoding::Auto), [BROKEN]);
        assert_eq!(read(&[0xFE, 0xFF, 0xD8, 0x3D], Encoding::Auto), [BROKEN]);
        assert_eq!(read(&[0xFF, 0xFE, b'x', 0, b'y'], Encoding::Auto), [b'x', BROKEN]);
    }
}
