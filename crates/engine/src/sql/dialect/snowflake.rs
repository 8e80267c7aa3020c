//! Snowflake.
//!
//! Names in quotes keep their case: a table that was made without quotes has a name in capitals, and wants it so.
//! A backslash is an escape inside a text, not inside a name.
//!
//! Source: Snowflake SQL reference, String constants and Identifiers. Spec: `specs/dialect/snowflake.md`.

use equanym_core::card::Card;

use super::{Dialect, doubled, escaped, values};

pub(super) const DIALECT: Dialect = Dialect {
    card: Card {
        name: "snowflake",
        summary: "Snowflake",
        about: "Inline tables are VALUES. Names are quoted and keep their case: give --table in capitals when the table \
                was made without quotes.",
        promises: &[],
        parameters: &[],
        source: "Snowflake SQL reference",
    },
    text: "VARCHAR",
    double: "DOUBLE",
    longest_name: 255,
    replaced: None,
    name: |name| doubled(name, '"'),
    literal: |text| escaped(text, '\''),
    decimal: |digits| format!("CAST('{digits}' AS NUMBER(38, 17))"),
    rows: values,
};
