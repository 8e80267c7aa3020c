//! What treatments of single cells leave open: tokens that link records, and dates that stay beside others that move.

use equanym_core::checklist::{Advice, Check, ChecklistLine};
use equanym_core::frequency::FrequencySet;
use equanym_core::hierarchy::Builder;
use equanym_core::mask::ColumnMask;
use equanym_core::privacy::Verdict;
use equanym_core::treatment::Treatment;
use equanym_core::variable::Role;

use super::{about, grouped};
use crate::mask::StoredMask;
use crate::policy::{Policy, VariablePolicy};

/// How many people are the only ones with their combination of released classes, where people are counted.
pub(crate) fn alone(set: &FrequencySet, verdict: &Verdict) -> Option<u64> {
    set.people_alone(|class| verdict.kept[class])
}

/// Tokens that show which records belong together: classes of one person, taken together, tell more than each does.
pub(crate) fn linked_records(stored: &StoredMask, alone: Option<u64>, persons: Option<u64>) -> Vec<ChecklistLine> {
    let linked = |column: &&ColumnMask| column.role == Role::Pseudonym;
    let line = |column: &ColumnMask| {
        let is_person = stored.person.as_ref() == Some(&column.name);
        let found = alone.zip(persons).filter(|_| is_person);
        let told = found.map(|(alone, persons)| {
            let (alone, persons) = (grouped(alone), grouped(persons));
            format!("; {alone} of {persons} people are the only ones with their combination of classes, whatever the class sizes")
        });
        let what = format!(
            "its tokens show which records belong together, and whoever knows several records of a person may find the \
             person by that{}",
            told.unwrap_or_default()
        );
        let line = about(Check::LinkedRecords, Advice::Look, &column.name, &what);
        match found {
            Some((alone, persons)) => line.count("alone", alone).count("people", persons),
            None => line,
        }
    };
    stored.mask.columns.iter().filter(linked).map(line).collect()
}

/// Dates that stay where they are beside others that move: the difference gives the offset away.
pub(super) fn still_dates(policy: &Policy) -> Vec<ChecklistLine> {
    let moves = |one: &VariablePolicy| one.treatments.iter().any(|treatment| matches!(treatment, Treatment::Shift(_)));
    if !policy.variables.iter().any(moves) {
        return Vec::new();
    }
    let is_still = |one: &&VariablePolicy| matches!(one.hierarchy, Builder::Date { .. }) && one.treatments.is_empty();
    let line = |one: &VariablePolicy| {
        let name = one.name.escape_debug();
        let message = format!(
            "column `{name}` holds dates that do not move, and others do: a record with both may tell how far they moved"
        );
        ChecklistLine::look(Check::Treatments, message).in_column(&one.name)
    };
    policy.variables.iter().filter(is_still).map(line).collect()
}
