//! `[data]`: how the table is read, and `[output]`: how the release is written.

use serde::{Deserialize, Serialize};

use super::person::PERSON;
use super::table::{Item, PolicyTable};
use crate::error::Result;
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

/// Reads `[data]`, but for the person.
pub(super) fn data(table: &PolicyTable<'_>) -> Result<Reading> {
    table.allow(&["delimiter", "encoding", "ragged", "missing", "trim", "normalise", "sheet", PERSON])?;
    let normal_forms = [("none", false), ("NFC", true)];
    Ok(Reading {
        delimiter: table.get("delimiter").map(|item| delimiter(&item)).transpose()?,
        encoding: table.get("encoding").map(|item| encoding(&item)).transpose()?.unwrap_or_default(),
        ragged: word(table, "ragged", &[("refuse", Ragged::Refuse), ("null", Ragged::Null)])?,
        missing: table.get("missing").map(|item| missing(&item)).transpose()?.unwrap_or_default(),
        trim: table.get("trim").map(|item| item.flag()).transpose()?.unwrap_or_default(),
        normalise: word(table, "normalise", &normal_forms)?,
        sheet: table.get("sheet").map(|item| item.text().map(str::to_owned)).transpose()?,
        ..Reading::default()
    })
}

fn encoding(item: &Item<'_>) -> Result<Encoding> {
    Encoding::named(item.text()?).ok_or_else(|| item.fail("is no known encoding").hint(format!("write {LABELS}")))
}

/// Reads `[output]`.
pub(super) fn output(table: &PolicyTable<'_>) -> Result<Output> {
    table.allow(&["format", "order"])?;
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
