//! A rule in words says how labels come about and shows none: the words are the same whatever the table holds.

use equanym_core::hierarchy::{Ends, Grain, Rule, library};

/// How labels come about.
pub(crate) fn rule_in_words(rule: &Rule) -> String {
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
        assert_eq!(rules.each_ref().map(rule_in_words), expected);
    }
}
