//! How far a class gives its people away: the greatest share that one sensitive value has of a released class.
//!
//! Whoever knows that somebody is in that class is right so often when they guess the value. Shares are compared in whole
//! numbers; where people are counted, each counts once with each value.

use equanym_core::checklist::{Advice, Check, ChecklistLine};
use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::privacy::{ClassView, Verdict};

use super::{about, grouped, or_ok, percent};

/// From this share on a class is worth a look.
const SKEWED: f64 = 0.8;

/// A part of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClassShare {
    pub count: u64,
    pub of: u64,
}

impl ClassShare {
    /// The greater share; of equal ones that of the larger class.
    pub(crate) fn greater(self, other: Self) -> Self {
        let [mine, theirs] = [(self, other), (other, self)].map(|(one, by)| u128::from(one.count) * u128::from(by.of));
        if (mine, self.of) >= (theirs, other.of) { self } else { other }
    }
}

/// The lines about the first so many variables whose spread is counted, given which classes are kept.
pub(crate) fn of_classes(table: &Table, set: &FrequencySet, verdict: &Verdict, guarded: usize) -> Vec<ChecklistLine> {
    let names = table.sensitive.iter().take(guarded).enumerate();
    let shares = names.map(|(place, name)| (name.as_str(), greatest_share(set, place, &verdict.kept)));
    skew(shares, table.persons().is_some())
}

/// The greatest share of a value of a sensitive variable in a class that is kept.
fn greatest_share(set: &FrequencySet, sensitive: usize, kept: &[bool]) -> Option<ClassShare> {
    let of_class = |class: usize| {
        let view = ClassView::new(set, class);
        let count = view.sensitive_counts(sensitive).iter().map(|&(_, count)| count).max()?;
        Some(ClassShare { count, of: view.whole(sensitive) })
    };
    (0..set.len()).filter(|&class| kept[class]).filter_map(of_class).reduce(ClassShare::greater)
}

/// The lines about the sensitive variables that a model looks at, each with its greatest share.
pub(crate) fn skew<'a>(
    shares: impl Iterator<Item = (&'a str, Option<ClassShare>)>,
    counts_people: bool,
) -> Vec<ChecklistLine> {
    let lines = shares.filter_map(|(name, part)| Some(line(name, part?, counts_people))).collect();
    or_ok(lines, || ChecklistLine::ok(Check::Skew, "no sensitive column is guarded, so there are no shares to look at"))
}

fn line(name: &str, part: ClassShare, counts_people: bool) -> ChecklistLine {
    let ClassShare { count, of } = part;
    let share = count as f64 / of.max(1) as f64;
    let noun = if counts_people { "people" } else { "records" };
    let (part, whole) = (grouped(count), grouped(of));
    let what =
        format!("the most frequent value of a class has at most {} of it ({part} of {whole} {noun})", percent(share));
    let (advice, what) = if share >= SKEWED {
        (Advice::Look, what + "; whoever knows the class guesses well: ask for entropy l-diversity or t-closeness")
    } else {
        (Advice::Ok, what)
    };
    about(Check::Skew, advice, name, &what).share("share", share).count("count", count).count("of", of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_compared_in_whole_numbers() {
        let part = |count, of| ClassShare { count, of };
        assert_eq!(part(1, 3).greater(part(333_333, 1_000_000)), part(1, 3));
        assert_eq!(part(1, 2).greater(part(5, 10)), part(5, 10));
        assert_eq!(part(u64::MAX, u64::MAX).greater(part(1, 2)), part(u64::MAX, u64::MAX));
    }
}
