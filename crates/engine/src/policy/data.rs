//! `[data]`: how the table is read, and `[output]`: how the release is written.

use serde::{Deserialize, Serialize};

use super::keys::KeyShape::{Flag, List, Text, Words};
use super::keys::{Section, Word, key, word_of};
use super::person::PERSON;
use super::table::{Item, PolicyTable};
use crate::error::Result;
use crate::read::notation::Notation;
use crate::read::{Encoding, LABELS, RaggedRecords, Reading, Source};

/// How the release is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Output {
    /// The format of the released table.
    pub format: Format,
    /// The order of its records.
    pub order: RecordOrder,
    /// What separates the cells of text; that of the input unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// How text is encoded; as the input unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// Whether columns of Parquet that are released as collected keep their type.
    #[serde(default, skip_serializing_if = "Types::is_usual")]
    pub types: Types,
    /// The decimal sign of numbers in text; that of the input unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
}

impl Output {
    /// The same, with what follows the input filled in. What goes without saying is absent: commas, UTF-8 and decimal points; and
    /// types, which columns have one by one.
    #[must_use]
    pub(crate) fn following(self, source: &Source) -> Self {
        let is_text = self.format == Format::Csv;
        let found = source.text_form();
        Self {
            delimiter: self.delimiter.or(found.delimiter).filter(|sign| is_text && *sign != ','),
            encoding: self.encoding.or(found.encoding).filter(|encoding| is_text && *encoding != Encoding::Utf8),
            decimal: self.decimal.or(found.decimal).filter(|sign| is_text && *sign != '.'),
            types: Types::Text,
            ..self
        }
    }
}

/// The format of the released table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Comma-separated text.
    #[default]
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// The types of the columns of a Parquet release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Types {
    /// All are text, so that the same table gives the same bytes from every format.
    #[default]
    Text,
    /// Columns that are released as collected have the type that they had.
    Kept,
}

impl Types {
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde hands a reference
    fn is_usual(&self) -> bool {
        *self == Self::Text
    }
}

/// The order of the released records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordOrder {
    /// Sorted by all columns, so that the order tells nothing.
    #[default]
    Canonical,
    /// As in the input, which may tell who is who.
    Input,
}

impl Word for Format {
    const WORDS: &'static [(&'static str, Self)] = &[("csv", Self::Csv), ("parquet", Self::Parquet)];
}

impl Word for RecordOrder {
    const WORDS: &'static [(&'static str, Self)] = &[("canonical", Self::Canonical), ("input", Self::Input)];
}

impl Word for Types {
    const WORDS: &'static [(&'static str, Self)] = &[("text", Self::Text), ("kept", Self::Kept)];
}

impl Word for RaggedRecords {
    const WORDS: &'static [(&'static str, Self)] = &[("refuse", Self::Refuse), ("null", Self::Null)];
}

/// The Unicode forms that cells can be brought to.
const NORMAL_FORMS: [&str; 2] = ["none", "NFC"];

pub(super) const DATA: Section = Section::new(
    "[data]",
    "How the table is read.",
    &[
        key("delimiter", Text, "the character between cells of text files").usually("found in the file"),
        key("encoding", Text, "a label of the Encoding Standard: `\"windows-1252\"`")
            .usually("UTF-8, or UTF-16 by its mark"),
        key("decimal", Words(|| vec![".", ","]), "the decimal sign of columns that hold numbers").usually("."),
        key(
            "thousands",
            Words(|| vec![".", ",", " ", "'", "_"]),
            "what groups the digits of such numbers; not the decimal sign",
        )
        .usually("nothing"),
        key("ragged", word_of::<RaggedRecords>(), "what happens to lines with too few cells").usually("refuse"),
        key("missing", List(&Text), "words that stand for a missing value, besides empty cells"),
        key("trim", Flag, "whether blanks around cells are taken away").usually("false"),
        key("normalise", Words(|| NORMAL_FORMS.to_vec()), "the Unicode form that cells are brought to").usually("none"),
        key("sheet", Text, "the sheet of a workbook").usually("the first"),
        key(PERSON, Text, "the column that tells people apart: then people are counted, not records"),
    ],
);

pub(super) const OUTPUT: Section = Section::new(
    "[output]",
    "How the release is written.",
    &[
        key("format", word_of::<Format>(), "the format of the released table").usually("csv"),
        key("order", word_of::<RecordOrder>(), "the order of its records; that of the input may tell who is who")
            .usually("canonical"),
        key("types", word_of::<Types>(), "whether columns of Parquet that are released as collected keep their type")
            .usually("text"),
        key("delimiter", Text, "the character between cells of text").usually("that of the input, or `,`"),
        key("encoding", Text, "a label of the Encoding Standard").usually("that of the input, or UTF-8"),
        key("decimal", Words(|| vec![".", ","]), "the decimal sign of numbers in text")
            .usually("that of the input, or `.`"),
    ],
);

/// Reads `[data]`, but for the person.
pub(super) fn data(table: &PolicyTable<'_>) -> Result<Reading> {
    table.allow(&DATA.names())?;
    Ok(Reading {
        delimiter: table.read("delimiter", delimiter)?,
        encoding: table.read("encoding", encoding)?.unwrap_or_default(),
        ragged: table.word("ragged")?,
        missing: table.read("missing", |item| item.each(Item::string))?.unwrap_or_default(),
        notation: notation(table)?,
        trim: table.read("trim", Item::flag)?.unwrap_or_default(),
        normalise: table.read("normalise", |item| Ok(item.choice(NORMAL_FORMS)? == "NFC"))?.unwrap_or_default(),
        sheet: table.read("sheet", Item::string)?,
        ..Reading::default()
    })
}

fn encoding(item: &Item<'_>) -> Result<Encoding> {
    Encoding::named(item.text()?).ok_or_else(|| item.fail("is no known encoding").hint(format!("write {LABELS}")))
}

/// An encoding that a release can be written in.
fn written_encoding(item: &Item<'_>) -> Result<Encoding> {
    let encoding = encoding(item)?;
    if encoding.is_written() {
        return Ok(encoding);
    }
    Err(item.fail("is read, but not written").hint("write utf-8, or a label such as windows-1252"))
}

fn notation(table: &PolicyTable<'_>) -> Result<Notation> {
    let notation = Notation {
        decimal: table.read("decimal", decimal)?.unwrap_or(Notation::default().decimal),
        thousands: table.read("thousands", thousands)?,
    };
    table.refuse("thousands", notation.is_contradictory(), |item| {
        item.fail("is the decimal sign, too")
            .hint("one sign cannot mean both; with thousands = \".\" goes decimal = \",\"")
    })?;
    Ok(notation)
}

/// A decimal sign.
fn decimal(item: &Item<'_>) -> Result<char> {
    Notation::decimal_sign(item.text()?)
        .ok_or_else(|| item.fail("is no decimal sign").hint("write decimal = \",\" or decimal = \".\""))
}

fn thousands(item: &Item<'_>) -> Result<char> {
    Notation::thousands_sign(item.text()?).ok_or_else(|| {
        item.fail("is nothing that groups thousands")
            .hint("write one of \".\" \",\" \" \" \"'\" \"_\", or leave it out")
    })
}

/// Reads `[output]`.
pub(super) fn output(table: &PolicyTable<'_>) -> Result<Output> {
    table.allow(&OUTPUT.names())?;
    let format = table.word::<Format>("format")?;
    for sign in ["delimiter", "encoding", "decimal"] {
        table.refuse(sign, format != Format::Csv, |item| {
            item.fail("has no effect: only text has it").hint("remove it, or write format = \"csv\"")
        })?;
    }
    Ok(Output {
        format,
        order: table.word("order")?,
        delimiter: table.read("delimiter", delimiter)?.map(char::from),
        encoding: table.read("encoding", written_encoding)?,
        types: table.word("types")?,
        decimal: table.read("decimal", decimal)?,
    })
}

fn delimiter(item: &Item<'_>) -> Result<u8> {
    let unfit = || item.fail("must be one character of ASCII that is no quote, letter, digit or line end");
    let [byte] = item.text()?.as_bytes() else { return Err(unfit().hint("a tab is written \"\\t\"")) };
    let fits = byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"\"\r\n\0".contains(byte);
    if fits { Ok(*byte) } else { Err(unfit()) }
}
