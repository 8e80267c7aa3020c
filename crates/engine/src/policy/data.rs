//! `[data]`: how the table is read, and `[output]`: how the release is written.

use serde::{Deserialize, Serialize};

use super::keys::{Section, Takes, key};
use super::person::PERSON;
use super::table::{Item, PolicyTable};
use crate::error::Result;
use crate::read::notation::Notation;
use crate::read::{Encoding, LABELS, Ragged, Reading, Source};

/// How the release is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Output {
    /// The format of the released table.
    pub format: Format,
    /// The order of its records.
    pub order: Order,
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
pub enum Order {
    /// Sorted by all columns, so that the order tells nothing.
    #[default]
    Canonical,
    /// As in the input, which may tell who is who.
    Input,
}

pub(super) const DATA: Section = Section::of(
    "[data]",
    "How the table is read.",
    &[
        key("delimiter", Takes::Text, "found in the file", "the character between cells of text files"),
        key(
            "encoding",
            Takes::Text,
            "UTF-8, or UTF-16 by its mark",
            "a label of the Encoding Standard: `\"windows-1252\"`",
        ),
        key("decimal", Takes::Words(|| vec![".", ","]), ".", "the decimal sign of columns that hold numbers"),
        key(
            "thousands",
            Takes::Words(|| vec![".", ",", " ", "'", "_"]),
            "nothing",
            "what groups the digits of such numbers; not the decimal sign",
        ),
        key("ragged", Takes::Words(|| vec!["refuse", "null"]), "refuse", "what happens to lines with too few cells"),
        key("missing", Takes::List(&Takes::Text), "", "words that stand for a missing value, besides empty cells"),
        key("trim", Takes::Flag, "false", "whether blanks around cells are taken away"),
        key("normalise", Takes::Words(|| vec!["none", "NFC"]), "none", "the Unicode form that cells are brought to"),
        key("sheet", Takes::Text, "the first", "the sheet of a workbook"),
        key(PERSON, Takes::Text, "", "the column that tells people apart: then people are counted, not records"),
    ],
);

pub(super) const OUTPUT: Section = Section::of(
    "[output]",
    "How the release is written.",
    &[
        key("format", Takes::Words(|| vec!["csv", "parquet"]), "csv", "the format of the released table"),
        key(
            "order",
            Takes::Words(|| vec!["canonical", "input"]),
            "canonical",
            "the order of its records; that of the input may tell who is who",
        ),
        key(
            "types",
            Takes::Words(|| vec!["text", "kept"]),
            "text",
            "whether columns of Parquet that are released as collected keep their type",
        ),
        key("delimiter", Takes::Text, "that of the input, or `,`", "the character between cells of text"),
        key("encoding", Takes::Text, "that of the input, or UTF-8", "a label of the Encoding Standard"),
        key(
            "decimal",
            Takes::Words(|| vec![".", ","]),
            "that of the input, or `.`",
            "the decimal sign of numbers in text",
        ),
    ],
);

/// Reads `[data]`, but for the person.
pub(super) fn data(table: &PolicyTable<'_>) -> Result<Reading> {
    table.allow(&DATA.names())?;
    let normal_forms = [("none", false), ("NFC", true)];
    Ok(Reading {
        delimiter: table.get("delimiter").map(|item| delimiter(&item)).transpose()?,
        encoding: table.get("encoding").map(|item| encoding(&item)).transpose()?.unwrap_or_default(),
        ragged: word(table, "ragged", &[("refuse", Ragged::Refuse), ("null", Ragged::Null)])?,
        missing: table.get("missing").map(|item| missing(&item)).transpose()?.unwrap_or_default(),
        notation: notation(table)?,
        trim: table.get("trim").map(|item| item.flag()).transpose()?.unwrap_or_default(),
        normalise: word(table, "normalise", &normal_forms)?,
        sheet: table.get("sheet").map(|item| item.text().map(str::to_owned)).transpose()?,
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
    let decimal = table.get("decimal").map(|item| decimal(&item)).transpose()?;
    let notation = Notation {
        decimal: decimal.unwrap_or(Notation::default().decimal),
        thousands: table.get("thousands").map(|item| thousands(&item)).transpose()?,
    };
    match table.get("thousands").filter(|_| notation.is_contradictory()) {
        Some(item) => Err(item
            .fail("is the decimal sign, too")
            .hint("one sign cannot mean both; with thousands = \".\" goes decimal = \",\"")),
        None => Ok(notation),
    }
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
    let format = word(table, "format", &[("csv", Format::Csv), ("parquet", Format::Parquet)])?;
    let signs = ["delimiter", "encoding", "decimal"];
    if let Some(item) = signs.into_iter().find_map(|key| table.get(key)).filter(|_| format != Format::Csv) {
        return Err(item.fail("has no effect: only text has it").hint("remove it, or write format = \"csv\""));
    }
    Ok(Output {
        format,
        order: word(table, "order", &[("canonical", Order::Canonical), ("input", Order::Input)])?,
        delimiter: table.get("delimiter").map(|item| delimiter(&item).map(char::from)).transpose()?,
        encoding: table.get("encoding").map(|item| written_encoding(&item)).transpose()?,
        types: word(table, "types", &[("text", Types::Text), ("kept", Types::Kept)])?,
        decimal: table.get("decimal").map(|item| decimal(&item)).transpose()?,
    })
}

/// The meaning of a word, or the default when the key is absent.
pub(super) fn word<T: Copy + Default>(table: &PolicyTable<'_>, key: &str, meanings: &[(&'static str, T)]) -> Result<T> {
    let Some(item) = table.get(key) else { return Ok(T::default()) };
    let word = item.choice(meanings.iter().map(|(word, _)| *word))?;
    Ok(meanings.iter().find(|(known, _)| *known == word).map_or_else(T::default, |(_, meaning)| *meaning))
}

fn delimiter(item: &Item<'_>) -> Result<u8> {
    let unfit = || item.fail("must be one character of ASCII that is no quote, letter, digit or line end");
    let [byte] = item.text()?.as_bytes() else { return Err(unfit().hint("a tab is written \"\\t\"")) };
    let fits = byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"\"\r\n\0".contains(byte);
    if fits { Ok(*byte) } else { Err(unfit()) }
}

fn missing(item: &Item<'_>) -> Result<Vec<String>> {
    item.list()?.iter().map(|token| token.text().map(str::to_owned)).collect()
}
