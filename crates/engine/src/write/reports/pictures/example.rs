//! What a ladder makes of a value that nobody has: made up from the rules alone.
//!
//! The value is the same whatever a table holds, so an example tells nothing about it. A list has no rule, and no example.

use equanym_core::hierarchy::{Date, LabelRule, library};

/// The value that stands for all numbers, and for all texts.
const NUMBER: &str = "37";
const TEXT: &str = "12345678";

/// The made-up day that stands for all dates.
const DAY: (u16, u16, u16) = (2024, 5, 17);

/// A value that the rules of a ladder can read; none where no rule says what it reads.
#[must_use]
pub fn value(rules: &[&LabelRule]) -> Option<String> {
    rules.iter().find_map(|rule| match rule {
        LabelRule::AsCollected | LabelRule::Listed | LabelRule::Top => None,
        LabelRule::Ends(_) | LabelRule::Interval { .. } => Some(NUMBER.to_owned()),
        LabelRule::Prefix { keep } => Some(text(*keep)),
        LabelRule::Date { format, .. } => Date::new(DAY.0, DAY.1, DAY.2).map(|day| format.write(day)),
        LabelRule::Library { library, .. } => library::find(library).map(|found| found.example.to_owned()),
    })
}

/// What a rule makes of a value.
#[must_use]
pub fn label(rule: &LabelRule, value: &str) -> Option<String> {
    rule.label(value)?.ok()
}

/// A text that is longer than what is kept of it.
fn text(keep: usize) -> String {
    if keep < TEXT.len() {
        TEXT.get(..5.max(keep + 1).min(TEXT.len())).unwrap_or(TEXT).to_owned()
    } else {
        TEXT.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use equanym_core::hierarchy::{DateFormat, DateGrain, NumberEnds};

    #[test]
    fn each_rule_has_an_example_and_a_list_has_none() {
        let month = LabelRule::Date { grain: DateGrain::Month, format: DateFormat::default() };
        let rules = [
            LabelRule::Interval { width: "10".into(), ends: NumberEnds::default() },
            LabelRule::Prefix { keep: 3 },
            month,
            LabelRule::Ends(NumberEnds { top: Some("30".into()), bottom: None }),
        ];
        let labels = rules.each_ref().map(|rule| label(rule, &value(&[rule]).unwrap()).unwrap());
        assert_eq!(labels, ["[30, 40[", "123*", "2024-05", "30+"]);
        for library in library::ALL {
            let name = library.card.name.to_owned();
            let rule = LabelRule::Library { library: name, step: 1 };
            let found = value(&[&rule]).unwrap();
            assert!(library.reads_numbers() || label(&rule, &found).is_some(), "{}", library.card.name);
        }
        assert_eq!(value(&[&LabelRule::Listed, &LabelRule::Top, &LabelRule::AsCollected]), None);
    }

    #[test]
    fn what_cannot_be_read_has_no_example() {
        let odd = LabelRule::Interval { width: "<b>".into(), ends: NumberEnds::default() };
        assert_eq!(label(&odd, "37"), None);
        assert_eq!(label(&LabelRule::Prefix { keep: usize::MAX }, "1").as_deref(), Some("1"));
    }
}
