//! `[data]`: how the table is read, and `[output]`: how the release is written.

use serde::{Deserialize, Serialize};

use super::keys::{Section, Takes, key};
use super::person::PERSON;
use super::table::{Item, PolicyTable};
use crate::error::Result;
use crate::read::notation::Notation;
use crate::read::{Encoding, LABELS, Ragged, Reading};

/// How the release is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Output {
    /// The format of the released table.
    pub format: Format,
    /// The order of its records.
    pub order: Order,
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
    Ok(Output {
        format: word(table, "format", &[("csv", Format::Csv), ("parquet", Format::Parquet)])?,
        order: word(table, "order", &[("canonical", Order::Canonical), ("input", Order::Input)])?,
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
