//! Apache Spark SQL.
//!
//! What a backslash and a doubled quote mean inside a text depends on settings, and `${…}` is replaced by the value of a
//! variable wherever it stands (`spark.sql.variable.substitute`). So a text that holds one of these, or a control
//! character, is written as the hexadecimal digits of its bytes. A name cannot be: `${` in a name is refused.
//!
//! Source: Spark SQL reference, Literals and Identifiers. Spec: `specs/dialect/spark.md`.

use equanym_core::card::Card;

use super::{Dialect, doubled, values};

pub(super) const DIALECT: Dialect = Dialect {
    card: Card {
        name: "spark",
        summary: "Apache Spark SQL 3 and later, Databricks",
        about: "Inline tables are VALUES, names stand in backticks. Texts with a quote, a backslash or a dollar sign \
                are written in hexadecimal digits.",
        promises: &[],
        parameters: &[],
        source: "Spark SQL reference",
    },
    text: "STRING",
    double: "DOUBLE",
    longest_name: usize::MAX,
    replaced: Some("${"),
    name: |name| doubled(name, '`'),
    literal,
    decimal: |digits| format!("CAST('{digits}' AS DECIMAL(18, 17))"),
    rows: values,
};

fn literal(text: &str) -> String {
    if !text.contains(|character: char| matches!(character, '\'' | '\\' | '$') || character.is_control()) {
        return format!("'{text}'");
    }
    let digits = text.bytes().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits: String = digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect();
    format!("CAST(X'{}' AS STRING)", digits.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_for_spark_to_replace() {
        for text in ["${env:HOME}", "a ${x}", "$", "it's", "a\\b", "line\n"] {
            let written = literal(text);
            assert!(written.starts_with("CAST(X'") && !written.contains('$'), "{written}");
        }
        assert_eq!(literal("$"), "CAST(X'24' AS STRING)");
        assert_eq!(literal("plain {text}"), "'plain {text}'");
    }
}
