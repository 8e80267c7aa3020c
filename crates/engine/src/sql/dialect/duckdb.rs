//! DuckDB.
//!
//! A backslash has no meaning between plain quotes. Control characters are written as `chr(…)`, so that no tool on the
//! way can change or act on them.
//!
//! Source: DuckDB documentation, Literal Types and Keywords and Identifiers. Spec: `specs/dialect/duckdb.md`.

use equanym_core::card::{Card, Promise};

use super::{Dialect, doubled, values};

pub(super) const DIALECT: Dialect = Dialect {
    card: Card {
        name: "duckdb",
        summary: "DuckDB 1 and later",
        about: "Inline tables are VALUES. DuckDB reads CSV and Parquet files itself: make a view of the file, and give \
                its name as --table.",
        promises: &[Promise::InWords("run for real in the tests where the Python package duckdb can be imported")],
        parameters: &[],
        source: "DuckDB documentation, SQL introduction",
    },
    text: "VARCHAR",
    double: "DOUBLE",
    longest_name: usize::MAX,
    replaced: None,
    name: |name| doubled(name, '"'),
    literal,
    decimal: |digits| format!("CAST('{digits}' AS DECIMAL(18, 17))"),
    rows: values,
};

fn literal(text: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in text.split_inclusive(char::is_control) {
        let plain = part.trim_end_matches(char::is_control);
        parts.extend((!plain.is_empty()).then(|| doubled(plain, '\'')));
        parts.extend(part.chars().next_back().filter(|last| last.is_control()).map(|last| {
            let number = u32::from(last);
            format!("chr({number})")
        }));
    }
    match parts.len() {
        0 => "''".to_owned(),
        1 => parts.concat(),
        _ => format!("({})", parts.join(" || ")),
    }
}
