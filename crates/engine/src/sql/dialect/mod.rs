//! How each engine writes SQL: the family of dialects.
//!
//! A dialect knows how names and texts are quoted so that nothing in them is taken for SQL, how a table is written
//! inline, and what types are called. Names and values are hostile; whatever a dialect cannot quote is refused before
//! it is asked. Each member is one file.

mod bigquery;
mod duckdb;
mod postgres;
mod snowflake;
mod spark;

use std::fmt::Write;

use equanym_core::card::Card;

/// How an engine writes SQL.
pub struct Dialect {
    /// How it introduces itself.
    pub card: Card,
    /// The type of text.
    pub text: &'static str,
    /// The type of numbers that need not be exact.
    pub double: &'static str,
    /// The most bytes of a name; longer ones the engine refuses or cuts, which is worse.
    pub longest_name: usize,
    /// What the engine replaces wherever it stands, also between quotes; no name may hold it.
    pub replaced: Option<&'static str>,
    /// A name in its quotes.
    pub name: fn(&str) -> String,
    /// A text in its quotes.
    pub literal: fn(&str) -> String,
    /// An exact decimal number, given as digits.
    pub decimal: fn(&str) -> String,
    /// Rows of texts, quoted already, as a table with an alias and names for its columns.
    pub rows: fn(&[Vec<String>], &str, &[String]) -> String,
}

impl std::fmt::Debug for Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.card.name)
    }
}

/// Every dialect.
pub const ALL: &[&Dialect] =
    &[&postgres::DIALECT, &duckdb::DIALECT, &spark::DIALECT, &bigquery::DIALECT, &snowflake::DIALECT];

/// The dialect of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Dialect> {
    ALL.iter().copied().find(|dialect| dialect.card.name == name)
}

/// A text between quotes that are doubled inside, as the standard has it.
fn doubled(text: &str, quote: char) -> String {
    let mut quoted = String::from(quote);
    for character in text.chars() {
        quoted.extend((character == quote).then_some(quote));
        quoted.push(character);
    }
    quoted.push(quote);
    quoted
}

/// A text between quotes where a backslash takes the meaning from what follows; control characters go by number.
fn escaped(text: &str, quote: char) -> String {
    let mut quoted = String::from(quote);
    for character in text.chars() {
        match character {
            '\\' => quoted.push_str("\\\\"),
            _ if character == quote => quoted.extend(['\\', quote]),
            _ if character.is_control() => push_number(&mut quoted, character),
            _ => quoted.push(character),
        }
    }
    quoted.push(quote);
    quoted
}

/// A character by its number, as most escapes have it.
fn push_number(text: &mut String, character: char) {
    // Writing to a text cannot fail.
    let _ = write!(text, "\\u{:04x}", u32::from(character));
}

/// `(VALUES (…), (…)) AS alias (column, …)`, as most engines have it.
fn values(rows: &[Vec<String>], alias: &str, columns: &[String]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| format!("    ({})", row.join(", "))).collect();
    format!("(VALUES\n{}\n  ) AS {alias} ({})", rows.join(",\n"), columns.join(", "))
}
