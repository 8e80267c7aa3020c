//! One line of NDJSON: a flat object, its values as text.
//!
//! The JSON library finds keys and values and hands them over as written: its number type would round
//! `12345678901234567890.5`. A nested value is refused where it opens, before the library reads it.
//!
//! Source: RFC 8259.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

/// Why a line is refused, and at which byte of it (from 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineRefusal {
    /// The byte of the line, counted from 1.
    pub(super) byte: usize,
    /// In our words.
    pub(super) why: &'static str,
}

/// A value, and whether it is a text or a number or truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonCell<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) is_text: bool,
}

/// Is given a key and its text (`None` for null); what it answers refuses the line.
pub(super) type FieldTaker<'t, 'a> = &'t mut dyn FnMut(Cow<'a, str>, Option<JsonCell<'a>>) -> Result<(), &'static str>;

const NOT_JSON: &str = "not valid JSON";

/// Hands over each key and its text.
pub(super) fn scan<'a>(line: &'a str, take: FieldTaker<'_, 'a>) -> Result<(), LineRefusal> {
    let mut refusal = None;
    let mut library = serde_json::Deserializer::from_str(line);
    let object = library.deserialize_map(Pairs { line, take, refusal: &mut refusal });
    let refused = |error: &serde_json::Error, why| LineRefusal { byte: error.column().max(1), why };
    if let Err(error) = object {
        let is_other = error.classify() == Category::Data;
        return Err(refusal.unwrap_or_else(|| refused(&error, if is_other { "an object expected" } else { NOT_JSON })));
    }
    library.end().map_err(|error| refused(&error, "more than one value"))
}

/// Walks through an object.
struct Pairs<'t, 'a> {
    line: &'a str,
    take: FieldTaker<'t, 'a>,
    /// What we have to say; the library's error says only that there is one.
    refusal: &'t mut Option<LineRefusal>,
}

impl<'a> Visitor<'a> for Pairs<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut pairs: M) -> Result<(), M::Error> {
        while let Some(key) = pairs.next_key::<&RawValue>()? {
            let (start, end) = self.place(key.get());
            let mut refuse = |at: usize, why| {
                *self.refusal = Some(LineRefusal { byte: at + 1, why });
                M::Error::custom(why)
            };
            let blanks = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b':');
            let value = end + self.line.bytes().skip(end).take_while(blanks).count();
            if matches!(self.line.as_bytes().get(value), Some(b'{' | b'[')) {
                return Err(refuse(value, "a nested value (object or list)"));
            }
            let text = pairs.next_value::<&RawValue>()?;
            let key = string(key.get()).map_err(|why| refuse(start, why))?;
            let text = cell(text.get()).map_err(|why| refuse(value, why))?;
            (self.take)(key, text).map_err(|why| refuse(start, why))?;
        }
        Ok(())
    }
}

impl Pairs<'_, '_> {
    /// Where a piece of the line starts and ends.
    fn place(&self, piece: &str) -> (usize, usize) {
        let start = piece.as_ptr().addr().saturating_sub(self.line.as_ptr().addr());
        (start, start + piece.len())
    }
}

/// A value as text, none for null; only `-0` becomes `0`.
fn cell(written: &str) -> Result<Option<JsonCell<'_>>, &'static str> {
    let typed = |text| Some(JsonCell { text, is_text: false });
    match written {
        "null" => Ok(None),
        "-0" => Ok(typed(Cow::Borrowed("0"))),
        _ if written.starts_with('"') => string(written).map(|text| Some(JsonCell { text, is_text: true })),
        _ => Ok(typed(Cow::Borrowed(written))),
    }
}

/// The text between quotes: borrowed without escapes, decoded with them. Halves of characters are no text.
fn string(quoted: &str) -> Result<Cow<'_, str>, &'static str> {
    if quoted.contains('\\') {
        return serde_json::from_str(quoted).map(Cow::Owned).map_err(|_| NOT_JSON);
    }
    let text = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    text.map(Cow::Borrowed).ok_or(NOT_JSON)
}
