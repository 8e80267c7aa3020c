//! Numbers, rules and findings as people read them, for every room.
//!
//! Nothing here knows a table, so that messages and reports say the same in the same words.

pub(crate) mod figure;
mod rule;

use serde::Serialize;

use crate::error::{Error, Result};

pub use figure::{count as grouped, counted, percent};
pub(crate) use rule::rule_in_words;

/// Anything as JSON that people may read.
pub fn json(value: &impl Serialize) -> Result<String> {
    let text =
        serde_json::to_string_pretty(value).map_err(|_| Error::environment("a report cannot be written as JSON"))?;
    Ok(text + "\n")
}

/// Bytes in hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
