//! Rules, roles and parameters in words.
//!
//! A rule in words says how labels come about and shows none: the words are the same whatever the table holds.

use equanym_core::card::{Parameters, Value};
use equanym_core::hierarchy::{Ends, Grain, Rule, library};
use equanym_core::mask::Change;
use equanym_core::variable::Role;

use super::figure;

/// How labels come about.
pub(crate) fn rule(rule: &Rule) -> String {
    match rule {
        Rule::AsCollected => "as collected".to_owned(),
        Rule::Listed => "groups of values, from a list".to_owned(),
        Rule::Ends(ends) => format!("as collected{}", beyond(ends)),
        Rule::Interval { width, ends } => format!("bands of width {width}{}", beyond(ends)),
        Rule::Prefix { keep: 1 } => "the first character, and a * for the rest".to_owned(),
        Rule::Prefix { keep } => format!("the first {keep} characters, and a * for the rest"),
        Rule::Date { grain, .. } => format!("the {} of the date", grain_name(*grain)),
        Rule::Library { library, step } => {
            let found = library::find(library);
            let name = found.and_then(|found| found.steps.get(step.checked_sub(1)?).copied()).unwrap_or("a step");
            format!("{name} of {library}")
        }
        Rule::Top => "* for every value".to_owned(),
    }
}

/// What becomes of numbers beyond the ends.
fn beyond(ends: &Ends) -> String {
    let top = ends.top.as_ref().map(|top| format!(", {top} and more as {top}+"));
    let bottom = ends.bottom.as_ref().map(|bottom| format!(", less than {bottom} as under {bottom}"));
    top.into_iter().chain(bottom).collect()
}

/// What stands in a column that was changed otherwise than value by value.
pub(super) fn change(change: Change) -> &'static str {
    match change {
        Change::Range => "a number or range, of its own in each class",
        Change::AnyLevel => "a label of any level, of its own in each class",
        Change::NewValue => "a new value in each record",
    }
}

fn grain_name(grain: Grain) -> &'static str {
    match grain {
        Grain::Day => "day",
        Grain::Week => "ISO week",
        Grain::Month => "month",
        Grain::Quarter => "quarter",
        Grain::Year => "year",
        Grain::FiveYears => "five years",
        Grain::Decade => "decade",
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
    use equanym_core::hierarchy::DateFormat;

    #[test]
    fn rules_have_words() {
        let month = Rule::Date { grain: Grain::Month, format: DateFormat::default() };
        let ends = Ends { top: Some("90".into()), bottom: Some("15".into()) };
        let block = Rule::Library { library: "icd-10".into(), step: 3 };
        let rules = [
            Rule::Interval { width: "2.5".into(), ends: Ends::default() },
            Rule::Ends(ends),
            Rule::Prefix { keep: 3 },
            block,
            month,
            Rule::Top,
        ];
        let expected = [
            "bands of width 2.5",
            "as collected, 90 and more as 90+, less than 15 as under 15",
            "the first 3 characters, and a * for the rest",
            "block of icd-10",
            "the month of the date",
            "* for every value",
        ];
        assert_eq!(rules.each_ref().map(rule), expected);
    }

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
