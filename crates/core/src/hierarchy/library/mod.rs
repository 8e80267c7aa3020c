//! Ladders of the library: classifications that everybody shares.
//!
//! Each is a member of a family with a card: what it reads, its steps, and where the facts come from. A step is a
//! function of the value alone, so it labels values that no table had before, and whoever knows the classification can
//! check a label. The words and the layout of the tables are ours, the facts are public.
//!
//! A value that a ladder cannot read is refused, not guessed. Each step joins labels of the one below; the tests go
//! through all of them.

mod country_region;
mod hipaa_zip3;
mod icd_10;
mod isco_08;
mod nace_2;

use super::{Hierarchy, HierarchyError, LabelRule, NumberEnds, UnreadableValue, interval};
use crate::card::{Card, Promise};

/// A ladder of the library.
#[derive(Debug)]
pub struct Library {
    /// How it introduces itself.
    pub card: Card,
    /// A value that it reads, to show what its steps make of it.
    pub example: &'static str,
    /// The names of its steps, from fine to coarse; the top is added.
    pub steps: &'static [&'static str],
    ladder: StepLabels,
}

/// How the labels of a step come about.
#[derive(Debug)]
enum StepLabels {
    /// By a function of a value and the number of the step, counted from 1.
    Codes {
        label: fn(&str, usize) -> Option<String>,
        /// What is read, in words.
        wanted: &'static str,
    },
    /// Bands of ages of these widths, under a top.
    Ages { widths: &'static [&'static str], top: &'static str },
}

/// What a ladder that is not in the library would need.
pub(super) const KNOWN: &str = "a value of a ladder that this library holds";

/// Every ladder.
pub const ALL: &[&Library] = &[
    &icd_10::LIBRARY,
    &hipaa_zip3::LIBRARY,
    &AGE_HIPAA,
    &country_region::LIBRARY,
    &isco_08::LIBRARY,
    &nace_2::LIBRARY,
];

/// The ladder whose labels tell no small area of the United States.
pub const SAFE_AREAS: &str = hipaa_zip3::LIBRARY.card.name;

/// The ladder whose labels tell no age over 89.
pub const SAFE_AGES: &str = AGE_HIPAA.card.name;

/// The ladder of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Library> {
    ALL.iter().copied().find(|library| library.card.name == name)
}

impl PartialEq for Library {
    fn eq(&self, other: &Self) -> bool {
        self.card.name == other.card.name
    }
}

impl Eq for Library {}

impl Library {
    /// Whether its values are numbers.
    #[must_use]
    pub fn reads_numbers(&self) -> bool {
        matches!(self.ladder, StepLabels::Ages { .. })
    }

    /// Whether values of level 0 may differ from those that were collected.
    pub(super) fn codes_ends(&self) -> bool {
        matches!(self.ladder, StepLabels::Ages { .. })
    }

    /// The ladder for these values.
    pub(super) fn fit(&self, values: &[String]) -> Result<Hierarchy, HierarchyError> {
        match &self.ladder {
            StepLabels::Codes { .. } => {
                let library = self.card.name.to_owned();
                let rule = |step| LabelRule::Library { library: library.clone(), step };
                Hierarchy::by_rules(values, (1..=self.steps.len()).map(rule).collect())
            }
            StepLabels::Ages { widths, top } => {
                let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
                interval::fit(values, &widths, &NumberEnds { top: Some((*top).to_owned()), bottom: None })
            }
        }
    }

    /// The label of a value at a step, counted from 1.
    pub(super) fn label(&self, value: &str, step: usize) -> Result<String, UnreadableValue> {
        match &self.ladder {
            StepLabels::Codes { label, wanted } if (1..=self.steps.len()).contains(&step) => {
                label(value, step).ok_or(UnreadableValue { wanted })
            }
            _ => Err(UnreadableValue { wanted: KNOWN }),
        }
    }
}

const AGE_HIPAA: Library = Library {
    card: Card {
        name: "age-hipaa",
        summary: "ages in bands, and `90+` from level 0 on",
        about: "The Safe Harbor rule takes ages of 90 and more as one group, and the birth dates that would tell them \
                apart. So no level tells an age above 89: level 0 is the age or `90+`, then bands of 5, 10 and 20 years. \
                It is the same as intervals = [5, 10, 20] with top = 90.",
        promises: &[Promise::InWords("no label tells an age of 90 or more")],
        parameters: &[],
        source: "45 CFR 164.514(b)(2)(i)(C)",
    },
    example: "37",
    steps: &["5 years", "10 years", "20 years"],
    ladder: StepLabels::Ages { widths: &["5", "10", "20"], top: "90" },
};

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Whether values that share a label at a step share one at the next, and each is read at all steps or at none.
    pub(super) fn check_nested(library: &Library, values: &[String]) {
        let mut parents: Vec<HashMap<String, String>> = vec![HashMap::new(); library.steps.len()];
        for value in values {
            let labels: Vec<_> = (1..=library.steps.len()).map(|step| library.label(value, step).ok()).collect();
            assert!(labels.iter().all(|label| label.is_some() == labels[0].is_some()), "{value}");
            for (step, pair) in labels.windows(2).enumerate() {
                let [Some(label), Some(parent)] = pair else { continue };
                assert_eq!(parents[step].entry(label.clone()).or_insert_with(|| parent.clone()), parent, "{value}");
            }
        }
        assert!(parents[0].len() + usize::from(library.steps.len() == 1) > 0, "nothing was read");
    }

    /// The labels of a value, from fine to coarse.
    pub(super) fn labels(library: &Library, value: &str) -> Vec<String> {
        (1..=library.steps.len()).filter_map(|step| library.label(value, step).ok()).collect()
    }

    #[test]
    fn names_are_found() {
        for library in ALL {
            assert_eq!(find(library.card.name), Some(*library));
            let ladder = library.fit(&[String::new()]).unwrap();
            assert_eq!(usize::from(ladder.height()), library.steps.len() + 1, "{}", library.card.name);
            assert!(ladder.is_nested() && !library.card.source.is_empty());
        }
        assert_eq!(find("icd-9"), None);
    }

    #[test]
    fn ages_end_at_ninety() {
        let ladder = find("age-hipaa").unwrap().fit(&["89", "90", "104"].map(String::from)).unwrap();
        assert_eq!(ladder.to_csv(), "89;[85, 90[;[80, 90[;[80, 90[;*\n90+;90+;90+;90+;*\n");
    }
}
