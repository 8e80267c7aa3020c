//! Apache Spark SQL.
//!
//! What a backslash and a doubled quote mean inside a text depends on settings, so a text that holds either, or a
//! control character, is written as the hexadecimal digits of its bytes.
//!
//! Source: Spark SQL reference, Literals and Identifiers. Spec: `specs/dialect/spark.md`.

use equanym_core::card::Card;

use super::{Dialect, doubled, values};

pub(super) const DIALECT: Dialect = Dialect {
    card: Card {
        name: "spark",
        summary: "Apache Spark SQL 3 and later, Databricks",
        about: "Inline tables are VALUES, names stand in backticks. Texts with a quote or a backslash are written in \
                hexadecimal digits.",
        promises: &[],
        parameters: &[],
        source: "Spark SQL reference",
    },
    text: "STRING",
    double: "DOUBLE",
    longest_name: usize::MAX,
    name: |name| doubled(name, '`'),
    literal,
    decimal: |digits| format!("CAST('{digits}' AS DECIMAL(18, 17))"),
    rows: values,
};

fn literal(text: &str) -> String {
    if !text.contains(|character: char| matches!(character, '\'' | '\\') || character.is_control()) {
        return format!("'{text}'");
    }
    let digits = text.bytes().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits: String = digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect();
    format!("CAST(X'{}' AS STRING)", digits.to_uppercase())
}
