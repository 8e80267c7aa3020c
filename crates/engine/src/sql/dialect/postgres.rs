//! PostgreSQL.
//!
//! A text with a backslash is written `E'…'`: in plain quotes its meaning hangs on a setting of the server
//! (`standard_conforming_strings`), and with it whether a quote after it ends the text. Names of more than 63 bytes are
//! cut by the server, so two of them could become one: they are refused.
//!
//! Source: PostgreSQL manual, 4.1 Lexical Structure. Spec: `specs/dialect/postgres.md`.

use equanym_core::card::{Card, Promise};

use super::{Dialect, doubled, push_number, values};

pub(super) const DIALECT: Dialect = Dialect {
    card: Card {
        name: "postgres",
        summary: "PostgreSQL 12 and later",
        about: "Inline tables are VALUES. Texts with a backslash are escape strings, so they mean the same under every \
                setting of the server.",
        promises: &[Promise::InWords("run for real in the tests where a server can be started")],
        parameters: &[],
        source: "PostgreSQL manual, chapter 4.1",
    },
    text: "TEXT",
    double: "DOUBLE PRECISION",
    longest_name: 63,
    replaced: None,
    name: |name| doubled(name, '"'),
    literal,
    decimal: |digits| format!("CAST('{digits}' AS NUMERIC)"),
    rows: values,
};

fn literal(text: &str) -> String {
    if !text.contains(|character: char| character == '\\' || character.is_control()) {
        return doubled(text, '\'');
    }
    let mut quoted = "E'".to_owned();
    for character in text.chars() {
        match character {
            '\\' => quoted.push_str("\\\\"),
            '\'' => quoted.push_str("''"),
            _ if character.is_control() => push_number(&mut quoted, character),
            _ => quoted.push(character),
        }
    }
    quoted.push('\'');
    quoted
}
