//! Google BigQuery.
//!
//! There is no VALUES; an inline table is an array of structures. Names and texts know backslash escapes. A bare
//! `0.05` would be a float, so decimals are cast from text.
//!
//! Source: GoogleSQL reference, Lexical structure. Spec: `specs/dialect/bigquery.md`.

use equanym_core::card::Card;

use super::{Dialect, escaped};

pub(super) const DIALECT: Dialect = Dialect {
    card: Card {
        name: "bigquery",
        summary: "Google BigQuery (GoogleSQL)",
        about: "Inline tables are arrays of structures, names stand in backticks. BigQuery itself allows fewer names for \
                columns than a file does.",
        promises: &[],
        parameters: &[],
        source: "GoogleSQL reference for BigQuery",
    },
    text: "STRING",
    double: "FLOAT64",
    longest_name: 300,
    replaced: None,
    name: |name| escaped(name, '`'),
    literal: |text| escaped(text, '\''),
    decimal: |digits| format!("CAST('{digits}' AS BIGNUMERIC)"),
    rows,
};

fn rows(rows: &[Vec<String>], alias: &str, columns: &[String]) -> String {
    let row = |row: &Vec<String>| {
        let fields: Vec<String> =
            row.iter().zip(columns).map(|(value, column)| format!("{value} AS {column}")).collect();
        format!("    STRUCT({})", fields.join(", "))
    };
    format!("UNNEST([\n{}\n  ]) AS {alias}", rows.iter().map(row).collect::<Vec<_>>().join(",\n"))
}
