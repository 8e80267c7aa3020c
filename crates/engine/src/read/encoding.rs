//! Bytes to UTF-8 text: byte order marks, UTF-16, and the encodings of older systems.
//!
//! A UTF-8 mark is dropped; a UTF-16 mark switches the decoder on. Other encodings are read where they are named, by any label
//! of the Encoding Standard: no byte of a text in `windows-1252` says that it is one. Nothing is ever replaced by a stand-in
//! character, because two names that fail alike would become one value. What an encoding does not allow is passed on as a
//! byte that no UTF-8 text holds ([`BROKEN`]), so that the reader of records meets it in its row and can say where.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};

use encoding_rs::{Decoder, DecoderResult, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, X_USER_DEFINED};
use serde::{Deserialize, Serialize};

use super::compress::Bytes;
use super::{failure, format};
use crate::error::{Error, Result};

/// How text is encoded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Encoding {
    /// UTF-8, or UTF-16 where a byte order mark says so.
    #[default]
    Auto,
    /// UTF-8 only.
    Utf8,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// Another encoding of the Encoding Standard.
    Other(&'static encoding_rs::Encoding),
}

/// The word for [`Encoding::Auto`].
const AUTO: &str = "auto";

/// What to write where an encoding is asked for.
pub const LABELS: &str = "auto, utf-8, utf-16le, utf-16be, or a label of the Encoding Standard such as windows-1252, \
                          iso-8859-2, ibm866 or shift_jis";

impl Encoding {
    /// The encoding of that label.
    #[must_use]
    pub fn named(label: &str) -> Option<Self> {
        if label == AUTO {
            return Some(Self::Auto);
        }
        let found = encoding_rs::Encoding::for_label(label.as_bytes())?;
        // Neither stands for text.
        let is_text = found != REPLACEMENT && found != X_USER_DEFINED;
        is_text.then(|| Self::from_known(found))
    }

    /// What most texts of western Europe are in that are no UTF-8.
    #[must_use]
    pub(crate) fn western() -> Self {
        Self::Other(encoding_rs::WINDOWS_1252)
    }

    fn from_known(found: &'static encoding_rs::Encoding) -> Self {
        match found {
            found if found == UTF_8 => Self::Utf8,
            found if found == UTF_16LE => Self::Utf16Le,
            found if found == UTF_16BE => Self::Utf16Be,
            found => Self::Other(found),
        }
    }

    /// Whether text can be written in it: not where a mark decides, and not in UTF-16, which nobody asks for.
    #[must_use]
    pub fn is_written(self) -> bool {
        matches!(self, Self::Utf8 | Self::Other(_))
    }

    /// The bytes of a text, or nothing where the encoding lacks one of its characters. Each text stands for itself: one that
    /// leaves the first letters of an encoding with shifts comes back to them.
    pub(crate) fn bytes(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let standard = self.standard();
        if standard == UTF_8 {
            return Some(Cow::Borrowed(text.as_bytes()));
        }
        let (bytes, _, is_lossy) = standard.encode(text);
        let is_itself = || {
            let back = standard.decode_without_bom_handling_and_without_replacement(&bytes);
            back.is_some_and(|back| back == text)
        };
        // Some encodings write two characters alike; those of one byte do not.
        let is_sound = !is_lossy && (standard.is_single_byte() || is_itself());
        is_sound.then_some(bytes)
    }

    /// Its name, as a policy has it.
    #[must_use]
    pub fn label(self) -> String {
        if self == Self::Auto { AUTO.to_owned() } else { self.standard().name().to_ascii_lowercase() }
    }

    /// What a text is read as that has no mark.
    fn standard(self) -> &'static encoding_rs::Encoding {
        match self {
            Self::Auto | Self::Utf8 => UTF_8,
            Self::Utf16Le => UTF_16LE,
            Self::Utf16Be => UTF_16BE,
            Self::Other(found) => found,
        }
    }
}

impl From<Encoding> for String {
    fn from(encoding: Encoding) -> Self {
        encoding.label()
    }
}

impl TryFrom<String> for Encoding {
    type Error = String;

    fn try_from(label: String) -> std::result::Result<Self, String> {
        Self::named(&label).ok_or_else(|| "unknown encoding".to_owned())
    }
}

/// What to do about text that is not in its encoding.
pub(super) const HINT: &str = "name its encoding, in the policy or with --encoding: files of older systems and of Excel in \
                               western Europe are mostly windows-1252; or convert the file to UTF-8";

/// Whether this is why a text was refused.
pub(crate) fn is_other_encoding(error: &Error) -> bool {
    error.hint.as_deref() == Some(HINT)
}

/// How many bytes tell a format.
const HEAD: usize = 16;

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
    let mut head = Vec::with_capacity(HEAD);
    bytes.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(|error| failure::reading(name, &error))?;
    if let Some(what) = format::by_magic(&head) {
        let hint = if what.starts_with("a table of") { format::EXPORT } else { "give the file its right name" };
        return Err(Error::input(format!("{name}: named as text, but holds {what}")).hint(hint));
    }
    let (found, mark) = by_mark(&head);
    let encoding = settle(name, wanted, found)?;
    let skipped = if found == Some(encoding) { mark } else { 0 };
    let rest = Cursor::new(head.split_off(skipped)).chain(bytes);
    let standard = encoding.standard();
    if standard == UTF_8 {
        return Ok(Text { bytes: Box::new(rest), encoding: standard.name(), skipped: skipped as u64 });
    }
    let bytes = Box::new(DecodingReader::new(rest, standard.new_decoder_without_bom_handling()));
    Ok(Text { bytes, encoding: standard.name(), skipped: 0 })
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
            let message =
                format!("{name}: encoded in {}, read as {}", found.standard().name(), wanted.standard().name());
            Err(Error::input(message).hint("use --encoding auto, or encoding = \"auto\" in the policy"))
        }
    }
}

/// A stream in another encoding, read as UTF-8.
struct DecodingReader<R> {
    inner: R,
    decoder: Decoder,
    raw: Vec<u8>,
    /// Room for what is decoded; it is never given back, so it is made ready once.
    room: Vec<u8>,
    /// What of the room is text, and what of that was handed on.
    filled: usize,
    given: usize,
    ended: bool,
}

/// Bytes that are decoded at a time.
const STRETCH: usize = 64 << 10;

impl<R: Read> DecodingReader<R> {
    fn new(inner: R, decoder: Decoder) -> Self {
        // No encoding needs more than three bytes for one of its own, and what waits is a character at most.
        let room = vec![0; 4 * STRETCH];
        Self { inner, decoder, raw: Vec::new(), room, filled: 0, given: 0, ended: false }
    }

    /// Decodes the next stretch.
    fn refill(&mut self) -> io::Result<()> {
        self.raw.clear();
        self.inner.by_ref().take(STRETCH as u64).read_to_end(&mut self.raw)?;
        self.ended = self.raw.is_empty();
        (self.given, self.filled) = (0, 0);
        let mut read = 0;
        loop {
            let (result, took, gave) = self.decoder.decode_to_utf8_without_replacement(
                self.raw.get(read..).unwrap_or_default(),
                self.room.get_mut(self.filled..).unwrap_or_default(),
                self.ended,
            );
            (read, self.filled) = (read + took, self.filled + gave);
            match result {
                DecoderResult::InputEmpty => return Ok(()),
                DecoderResult::OutputFull => self.room.resize(2 * self.room.len(), 0),
                DecoderResult::Malformed(..) => {
                    if self.filled == self.room.len() {
                        self.room.resize(2 * self.room.len(), 0);
                    }
                    self.room[self.filled] = BROKEN;
                    self.filled += 1;
                }
            }
        }
    }
}

impl<R: Read> Read for DecodingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.filled && !self.ended {
            self.refill()?;
        }
        let count = self.room.get(self.given..self.filled).unwrap_or_default().read(buffer)?;
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

    #[test]
    fn older_encodings_are_read_where_they_are_named() {
        let read_as =
            |label: &str, bytes: &[u8]| String::from_utf8(read(bytes, Encoding::named(label).unwrap())).unwrap();
        assert_eq!(read_as("windows-1252", b"Zo\xEB \x80\n"), "Zoë €\n");
        assert_eq!(read_as("latin1", b"M\xFCller"), "Müller");
        assert_eq!(read_as("iso-8859-2", b"\xB3\xF3d\xBC"), "łódź");
        assert_eq!(read_as("shift_jis", b"\x93\xFA\x96{"), "日本");
        // A character that two stretches share.
        let long = [vec![b'x'; STRETCH - 1], b"\x93\xFA".to_vec()].concat();
        assert!(read_as("shift_jis", &long).ends_with("x日"));
        assert_eq!(read(b"a\x81 b", Encoding::named("shift_jis").unwrap()), [b'a', BROKEN, b' ', b'b']);
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (label, text) in
            [("windows-1252", "Zoë €;1,5\n"), ("shift_jis", "日本\\|"), ("iso-2022-jp", "日本a"), ("utf-8", "😀")]
        {
            let encoding = Encoding::named(label).unwrap();
            assert_eq!(read(&encoding.bytes(text).unwrap(), encoding), text.as_bytes(), "{label}");
        }
        let bytes = |label: &str, text: &str| Encoding::named(label).unwrap().bytes(text).map(Cow::into_owned);
        assert_eq!(bytes("windows-1252", "≥ 60"), None);
        assert_eq!(bytes("shift_jis", "¥"), None, "it would come back as another character");
        assert!(!Encoding::Auto.is_written() && !Encoding::Utf16Le.is_written());
    }

    #[test]
    fn labels_find_their_way_back() {
        for label in ["auto", "utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-15", "gbk"] {
            assert_eq!(Encoding::named(label).unwrap().label(), label);
        }
        assert_eq!(Encoding::named("latin-1"), None);
        assert_eq!(Encoding::named("iso-2022-cn"), None, "stands for no text");
    }
}
