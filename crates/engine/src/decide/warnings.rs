//! What an owner should look at before handing a release over.
//!
//! None of this makes a release unsafe by the models; each points to a column that may not mean what the policy says.
//! Warnings name columns and counts, never values.

use std::collections::BTreeSet;

use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::hierarchy::groups::Range;
use equanym_core::hierarchy::{Builder, doubts};
use equanym_core::mask::ColumnMask;
use equanym_core::privacy::Verdict;
use equanym_core::report::Report;
use equanym_core::treatment::Treatment;
use equanym_core::variable::Role;
use hashbrown::{HashMap, HashSet};

use super::columns::Columns;
use super::{Counted, look_alike};
use crate::count::eaten_zeros::EatenZeros;
use crate::count::spelling::folded;
use crate::count::{Keys, Sketch, canonical};
use crate::error::{Error, Result};
use crate::policy::{Order, Policy, ValueKind, VariablePolicy};
use crate::read::Source;
use crate::read::missing::means_missing;
use crate::write::mask_file::StoredMask;

/// Refuses a quasi-identifier that tells every record apart and has no ladder: it names people by itself. Where a method
/// makes ranges of numbers they need no ladder.
pub(super) fn refuse_identifiers(quasi: &[&VariablePolicy], keys: &Keys, may_be_ranges: bool) -> Result<()> {
    let records = keys.records();
    let tells_all_apart = |place: usize| keys.values[place].len() as u64 == records && records > 1;
    let named = quasi.iter().enumerate().find(|(place, policy)| {
        let becomes_ranges = may_be_ranges && policy.kind == ValueKind::Number;
        !policy.hierarchy_given && !becomes_ranges && tells_all_apart(*place)
    });
    let Some((_, policy)) = named else { return Ok(()) };
    let name = policy.name.escape_debug();
    Err(Error::input(format!(
        "column `{name}` has as many values as records ({records}): it may be a direct identifier"
    ))
    .hint(format!("give `{name}` the role identifying; if it is none, give it a hierarchy")))
}

/// All that is worth a look.
#[must_use]
pub(super) fn of(counted: &Counted<'_>, table: &Table) -> Vec<String> {
    let Counted { policy, source, columns, keys, .. } = counted;
    let mut warnings = Vec::new();
    for (place, variable) in columns.quasi.iter().enumerate() {
        let name = variable.name.escape_debug();
        warnings.extend(
            about_values(variable, &keys.values[place], keys.records()).map(|what| format!("column `{name}`: {what}")),
        );
        warnings.extend(about_ladder(variable, &keys.values[place]).map(|what| format!("column `{name}`: {what}")));
        let codes = (variable.kind == ValueKind::Text).then(|| keys.values[place].iter().map(String::as_str));
        let eaten = codes.and_then(EatenZeros::among);
        warnings.extend(eaten.map(|found| format!("column `{name}`: {}", found.told())));
    }
    for (spread, name) in columns.sensitive.iter().enumerate() {
        warnings.extend(about_spelling(name, &keys.values[columns.quasi.len() + spread]));
        if let Some(determines) = determined_by(table, spread) {
            warnings.push(format!(
                "column `{}` follows from `{}`: whoever knows one knows the other",
                name.escape_debug(),
                determines.escape_debug()
            ));
        }
    }
    warnings.extend(of_roles(counted));
    warnings.extend(of_output(source, policy));
    warnings
}

/// How many people are the only ones with their combination of released classes, where people are counted.
pub(crate) fn alone(set: &FrequencySet, verdict: &Verdict) -> Option<u64> {
    set.people_alone(|class| verdict.kept[class])
}

/// Tokens that show which records belong together: classes of one person, taken together, tell more than each does.
pub(crate) fn of_linked_records(stored: &StoredMask, alone: Option<u64>, persons: Option<u64>) -> Vec<String> {
    let linked = |column: &&ColumnMask| column.role == Role::Pseudonym;
    let warn = |column: &ColumnMask| {
        let is_person = stored.person.as_ref() == Some(&column.name);
        let found = alone.zip(persons).filter(|_| is_person).map(|(alone, persons)| {
            format!("; {alone} of {persons} people are the only ones with their combination of classes, whatever the class sizes")
        });
        format!(
            "column `{}`: its tokens show which records belong together, and whoever knows several records of a person may \
             find the person by that{}",
            column.name.escape_debug(),
            found.unwrap_or_default()
        )
    };
    stored.mask.columns.iter().filter(linked).map(warn).collect()
}

/// A release of recoded columns that promises nothing.
pub(super) fn of_no_guarantee(report: &Report) -> Option<String> {
    report.guarantee?;
    let alone =
        if report.classes.min == 1 { "there are records whose labels nobody shares" } else { "look at the classes" };
    Some(format!(
        "nothing is guaranteed: the levels were balanced one column at a time, and a combination of labels may point to a \
         person; {alone}"
    ))
}

/// A column with at least this share of values that occur more than once repeats.
const REPEATING: f64 = 0.01;

/// Fewer distinct values than this are categories, not people.
const FEWEST_PEOPLE: f64 = 20.0;

/// So many distinct values are people, and so are fewer if they are this share of the records.
const MANY_PEOPLE: f64 = 1000.0;
const SHARE_OF_PEOPLE: f64 = 0.05;

/// A column with this share of distinct values, or more, tells nearly every record apart.
const NEARLY_UNIQUE: f64 = 0.9;

/// Roles that look wrong.
pub(super) fn of_roles(counted: &Counted<'_>) -> Vec<String> {
    let Counted { policy, columns, keys, .. } = counted;
    let is_unguarded = |one: &&VariablePolicy| one.role == Role::Sensitive && !columns.sensitive.contains(&one.name);
    let unguarded = policy.variables.iter().filter(is_unguarded).map(|one| {
        let name = one.name.escape_debug();
        format!(
            "column `{name}` is sensitive and no privacy model looks at it: everybody in a class may share one value"
        )
    });
    let told_apart = columns.ids(keys).is_some_and(|ids| (ids.len() as u64) < keys.records());
    let looked_at = columns.watched.iter().zip(&keys.watched);
    let looked_at = looked_at.filter_map(|(one, sketch)| about_role(one, sketch, told_apart));
    unguarded.chain(of_people(columns, keys)).chain(of_still_dates(policy)).chain(looked_at).collect()
}

/// Dates that stay where they are beside others that move: the difference gives the offset away.
fn of_still_dates(policy: &Policy) -> Vec<String> {
    let moves = |one: &VariablePolicy| one.treatments.iter().any(|treatment| matches!(treatment, Treatment::Shift(_)));
    if !policy.variables.iter().any(moves) {
        return Vec::new();
    }
    let is_still = |one: &&VariablePolicy| matches!(one.hierarchy, Builder::Date { .. }) && one.treatments.is_empty();
    let warn = |one: &VariablePolicy| {
        let name = one.name.escape_debug();
        format!(
            "column `{name}` holds dates that do not move, and others do: a record with both may tell how far they moved"
        )
    };
    policy.variables.iter().filter(is_still).map(warn).collect()
}

/// Ids that may not mean what the policy says.
fn of_people(columns: &Columns<'_>, keys: &Keys) -> Vec<String> {
    let (Some(name), Some(ids)) = (columns.person, columns.ids(keys)) else { return Vec::new() };
    let texts = || ids.iter().map(String::as_str);
    let alone = ids.len() as u64 == keys.records() && ids.len() > 1;
    let alone = alone.then(|| "each record has its own id: nobody has two records; is it the right column?".to_owned());
    let words = texts().filter(|id| means_missing(id)).count();
    let words = (words > 0).then(|| {
        format!("{words} ids look like words for missing and count as one person each; name them in `[data] missing`")
    });
    let spellings = if texts().all(look_alike::is_plain) { 0 } else { look_alike::alike(texts(), folded) };
    let spellings = (spellings > 0).then(|| {
        format!(
            "{spellings} ids differ from others only in blanks, Unicode form or case; they count as different people"
        )
    });
    let told = [alone, words, spellings].into_iter().flatten();
    told.map(|what| format!("column `{}` names the person: {what}", name.escape_debug())).collect()
}

/// `told_apart`: whether a person is named, and has several records.
fn about_role(variable: &VariablePolicy, sketch: &Sketch, told_apart: bool) -> Option<String> {
    let name = variable.name.escape_debug();
    let distinct = sketch.distinct() / (sketch.present.max(1) as f64);
    let values = sketch.distinct();
    let are_people = values >= FEWEST_PEOPLE && (distinct >= SHARE_OF_PEOPLE || values >= MANY_PEOPLE);
    match variable.role {
        Role::Identifying if are_people && sketch.repeating() >= REPEATING && !told_apart => Some(format!(
            "column `{name}` is identifying and {:.0} % of its values occur more than once: one person may have several \
             records, and the privacy models count records, not people; if it tells people apart, say so: \
             `[data] person = \"{name}\"`",
            sketch.repeating() * 100.0
        )),
        Role::Insensitive if distinct >= NEARLY_UNIQUE && sketch.present > 1 => Some(format!(
            "column `{name}` is insensitive and tells nearly every record apart: whoever knows its values elsewhere \
             recognises people; is it identifying or quasi-identifying?"
        )),
        _ => None,
    }
}

/// What is worth a look about how the table was read and is written.
#[must_use]
pub(super) fn of_output(source: &Source, policy: &Policy) -> Vec<String> {
    let mut warnings = Vec::new();
    if policy.output.order == Order::Input {
        warnings.push("the rows keep the order of the input, which may tell who is who".to_owned());
    }
    let notes = source.notes();
    if notes.filled_records > 0 {
        warnings.push(format!("{} rows had too few cells; the absent ones count as missing", notes.filled_records));
    }
    if notes.mixed_line_ends > 0 {
        let files = if notes.mixed_line_ends == 1 { "file" } else { "files" };
        warnings.push(format!(
            "the lines of {} {files} end in more than one way (LF, CRLF, CR): is one of them part of a cell?",
            notes.mixed_line_ends
        ));
    }
    warnings
}

/// What is known against local recoding.
#[must_use]
pub(super) fn of_local_recoding() -> [String; 2] {
    [
        "labels differ from class to class: whoever knows the method can draw conclusions from where it stopped dividing \
         (minimality attack), and tables of the release do not add up as after global recoding"
            .to_owned(),
        "the privacy models say nothing about how skewed or how similar the sensitive values of a class are (skewness and \
         similarity attacks), nor about a second release of the same records (intersection attack)"
            .to_owned(),
    ]
}

fn about_values(variable: &VariablePolicy, values: &[String], records: u64) -> impl Iterator<Item = String> {
    let present = || values.iter().filter(|value| !value.is_empty());
    let number = variable.kind == ValueKind::Number;
    let all_missing = present().next().is_none().then(|| "every value is missing: it adds nothing".to_owned());
    let constant = (values.len() == 1 && all_missing.is_none() && records > 1)
        .then(|| "every record has the same value: it tells nobody apart; is it the right column?".to_owned());
    let unique = (values.len() as u64 == records && records > 1)
        .then(|| "as many values as records: is it a direct identifier?".to_owned());
    let look_alikes = look_alike::warnings(present().map(String::as_str));
    let spelt = if number { present().filter(|value| canonical(value, true) != **value).count() } else { 0 };
    let tokens = if number { 0 } else { present().filter(|value| means_missing(value)).count() };
    let spelt = (spelt > 0).then(|| format!("{spelt} spellings of numbers were brought into one form"));
    let tokens = (tokens > 0).then(|| {
        format!("{tokens} values look like words for missing and count as values; name them in `[data] missing`")
    });
    [all_missing, constant, unique]
        .into_iter()
        .flatten()
        .chain(look_alikes)
        .chain([spelt, tokens].into_iter().flatten())
}

/// Spellings that count as one value.
fn about_spelling(name: &str, values: &[String]) -> Option<String> {
    let spellings = look_alike::alike(values.iter().map(String::as_str), folded);
    (spellings > 0).then(|| {
        format!(
            "column `{}`: {spellings} values differ from others only in blanks, Unicode form or case; they count as one \
             for the privacy models",
            name.escape_debug()
        )
    })
}

/// Whether its ladder is worth a look.
fn about_ladder(variable: &VariablePolicy, values: &[String]) -> Option<String> {
    match &variable.hierarchy {
        Builder::File(rows) => about_file(rows),
        Builder::Groups { levels } => about_groups(levels.first()?, values),
        _ => None,
    }
}

/// A label equals its parent, levels are not nested, bands have gaps. A top that is added is none of these.
fn about_file(file: &HierarchyFile) -> Option<String> {
    let doubts = doubts(file).len();
    let findings = if doubts == 1 { "finding" } else { "findings" };
    (doubts > 0).then(|| format!("its hierarchy file gives {doubts} {findings}; `equanym hierarchy lint` lists them"))
}

/// A value in no group stays as it is, so a misspelt member goes unnoticed otherwise.
fn about_groups(groups: &[(String, Vec<String>)], values: &[String]) -> Option<String> {
    let known: HashSet<&str> = values.iter().map(String::as_str).collect();
    let members = groups.iter().flat_map(|(_, members)| members);
    let is_absent = |member: &&String| match Range::parse(member) {
        Some(range) => !values.iter().any(|value| range.holds(value)),
        None => !known.contains(member.as_str()),
    };
    let absent = members.filter(is_absent).count();
    (absent > 0).then(|| format!("{absent} members of its groups do not occur in the data; are they spelt alike?"))
}

/// A quasi-identifier whose value always tells that of a sensitive variable, if the latter varies at all.
fn determined_by(table: &Table, spread: usize) -> Option<&str> {
    let set = table.keys();
    let values: BTreeSet<u32> =
        (0..set.len()).flat_map(|class| set.contents.sensitive[spread].of(class)).map(|one| one.0).collect();
    if values.len() < 2 {
        return None;
    }
    let follows = |variable: &usize| {
        let mut known: HashMap<u32, u32> = HashMap::new();
        let told: HashSet<u32> = (0..set.len()).map(|class| table.value(set, class, *variable)).collect();
        let consistent = (0..set.len()).all(|class| {
            let told = table.value(set, class, *variable);
            set.contents.sensitive[spread]
                .of(class)
                .iter()
                .all(|&(value, _)| *known.entry(told).or_insert(value) == value)
        });
        consistent && (told.len() as u64) < table.records
    };
    (0..table.variables.len()).find(follows).map(|variable| table.variables[variable].name.as_str())
}
