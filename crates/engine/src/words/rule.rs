//! A rule in words says how labels come about and shows none: the words are the same whatever the table holds.

use equanym_core::hierarchy::{DateGrain, LabelRule, NumberEnds, library};

/// How labels come about.
pub(crate) fn rule_in_words(rule: &LabelRule) -> String {
    match rule {
        LabelRule::AsCollected => "as collected".to_owned(),
        LabelRule::Listed => "groups of values, from a list".to_owned(),
        LabelRule::Ends(ends) => format!("as collected{}", beyond(ends)),
        LabelRule::Interval { width, ends } => format!("bands of width {width}{}", beyond(ends)),
        LabelRule::Prefix { keep: 1 } => "the first character, and a * for the rest".to_owned(),
        LabelRule::Prefix { keep } => format!("the first {keep} characters, and a * for the rest"),
        LabelRule::Date { grain, .. } => format!("the {} of the date", grain_name(*grain)),
        LabelRule::Library { library, step } => {
            let found = library::find(library);
            let name = found.and_then(|found| found.steps.get(step.checked_sub(1)?).copied()).unwrap_or("a step");
            format!("{name} of {library}")
        }
        LabelRule::Top => "* for every value".to_owned(),
    }
}

/// What becomes of numbers beyond the ends.
fn beyond(ends: &NumberEnds) -> String {
    let top = ends.top.as_ref().map(|top| format!(", {top} and more as {top}+"));
    let bottom = ends.bottom.as_ref().map(|bottom| format!(", less than {bottom} as under {bottom}"));
    top.into_iter().chain(bottom).collect()
}

fn grain_name(grain: DateGrain) -> &'static str {
    match grain {
        DateGrain::Day => "day",
        DateGrain::Week => "ISO week",
        DateGrain::Month => "month",
        DateGrain::Quarter => "quarter",
        DateGrain::Year => "year",
        DateGrain::FiveYears => "five years",
        DateGrain::Decade => "decade",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use equanym_core::hierarchy::DateFormat;

    #[test]
    fn rules_have_words() {
        let month = LabelRule::Date { grain: DateGrain::Month, format: DateFormat::default() };
        let ends = NumberEnds { top: Some("90".into()), bottom: Some("15".into()) };
        let block = LabelRule::Library { library: "icd-10".into(), step: 3 };
        let rules = [
            LabelRule::Interval { width: "2.5".into(), ends: NumberEnds::default() },
            LabelRule::Ends(ends),
            LabelRule::Prefix { keep: 3 },
            block,
            month,
            LabelRule::Top,
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
