//! Roles, changes and parameters in words.

use equanym_core::card::{Parameters, Value};
use equanym_core::mask::ColumnChange;
use equanym_core::variable::Role;

use super::figure;

/// What stands in a column that was changed otherwise than value by value.
pub(super) fn change(change: ColumnChange) -> &'static str {
    match change {
        ColumnChange::Range => "a number or range, of its own in each class",
        ColumnChange::AnyLevel => "a label of any level, of its own in each class",
        ColumnChange::NewValue => "a new value in each record",
    }
}

/// What a role means for the release.
pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::Identifying => "names a person by itself; not released",
        Role::Pseudonym => "names a person by itself; a keyed token is released in its place",
        Role::QuasiIdentifying => "may be known elsewhere and tells people apart in combination; generalised",
        Role::Sensitive => "what nobody may learn about a known person; released as collected",
        Role::Insensitive => "neither known to an intruder nor worth learning; released as collected",
    }
}

/// A line of a card with its numbers filled in: "at least k records" becomes "at least 5 records".
pub(super) fn with_numbers(line: &str, parameters: &Parameters) -> String {
    let fill = |word: &str| match parameters.get(word) {
        Some(number @ (Value::Integer(_) | Value::Number(_))) => value(number),
        _ => word.to_owned(),
    };
    line.split(' ').map(fill).collect::<Vec<_>>().join(" ")
}

/// The value of a parameter.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        // What a policy says is told to its last digit, however small.
        Value::Number(number) if *number > 0.0 && *number < 0.01 => number.to_string(),
        Value::Number(number) => figure::decimal(*number),
        Value::Text(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
    }
}

/// A line of a card as a sentence.
pub(super) fn sentence(line: &str) -> String {
    let stop = if line.is_empty() || line.ends_with('.') { "" } else { "." };
    format!("{}{stop}", capital(line))
}

/// A text that begins with a large letter.
pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}", characters.as_str())
}

/// What counting people means, and what it leaves open.
pub(super) const PEOPLE: &str = "People are counted, not records: however many records a person has in a class, they count \
                                 once. Whoever knows several records of one person knows more than one class, and may find \
                                 the person where they meet.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_whole_words_only() {
        let parameters = Parameters::from([
            ("k".into(), Value::Integer(5)),
            ("a".into(), Value::Text("x".into())),
            ("t".into(), Value::Number(0.2)),
        ]);
        assert_eq!(with_numbers("k and a k-th of keks up to t", &parameters), "5 and a k-th of keks up to 0.2");
    }

    #[test]
    fn a_line_becomes_a_sentence() {
        assert_eq!([sentence("each class"), sentence("Done."), sentence("")], ["Each class.", "Done.", ""]);
    }
}
