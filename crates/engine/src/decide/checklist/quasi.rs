//! Values and ladders of the quasi-identifiers, and sensitive variables that follow from them.

use std::collections::BTreeSet;

use equanym_core::checklist::{Advice, Check, ChecklistLine};
use equanym_core::frequency::Table;
use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::hierarchy::groups::Range;
use equanym_core::hierarchy::{Builder, doubts};
use hashbrown::{HashMap, HashSet};

use super::{about, counted, grouped};
use crate::count::canonical;
use crate::count::counted_table::Case;
use crate::count::eaten_zeros::EatenZeros;
use crate::count::spelling::folded;
use crate::decide::look_alike;
use crate::error::{Error, Result};
use crate::policy::{ValueKind, VariablePolicy};
use crate::read::missing::means_missing;

/// Refuses a quasi-identifier that tells every record apart and has neither a ladder nor levels: it names people by itself. Where a
/// method makes ranges of numbers they need no ladder. Levels above the collected one say that its owner knows, where a model guards it.
pub(in crate::decide) fn refuse_identifiers(case: &Case<'_>, may_be_ranges: bool) -> Result<()> {
    let records = case.records;
    let named = case.columns.quasi.iter().zip(&case.values.quasi).find(|(policy, values)| {
        let becomes_ranges = may_be_ranges && policy.kind == ValueKind::Number;
        let may_rise = policy.levels.is_some_and(|levels| levels.max.is_none_or(|max| max > 0));
        let is_meant = may_rise && !case.policy.privacy.is_empty();
        !policy.hierarchy_given && !is_meant && !becomes_ranges && values.len() as u64 == records && records > 1
    });
    let Some((policy, _)) = named else { return Ok(()) };
    let name = policy.name.escape_debug();
    Err(Error::input(format!(
        "column `{name}` has as many values as records ({}): it may be a direct identifier",
        grouped(records)
    ))
    .hint(format!("give `{name}` the role identifying; if it is none, give it a hierarchy")))
}

pub(super) fn lines(case: &Case<'_>, table: &Table) -> Vec<ChecklistLine> {
    let columns = &case.columns;
    let quasi = || columns.quasi.iter().zip(&case.values.quasi);
    let values = quasi().flat_map(|(variable, values)| about_values(variable, values, case.records));
    let mut lines: Vec<ChecklistLine> =
        values.chain(quasi().filter_map(|(variable, values)| about_ladder(variable, values))).collect();
    let guarded = columns.sensitive.iter().zip(&case.values.spread);
    lines.extend(guarded.filter_map(|(name, values)| about_spelling(name, values)));
    lines.extend(columns.sensitive.iter().enumerate().filter_map(|(spread, name)| dependence(table, spread, name)));
    let many = columns.quasi.len() as u64;
    let clean = [
        (Check::Spelling, "no value differs from another only in blanks, case or Unicode form"),
        (Check::MissingWords, "no value looks like a word for missing"),
        (Check::EatenZeros, "no column looks like codes that lost their zeros in front"),
        (Check::Constant, "each quasi-identifier tells some records apart"),
        (Check::Hierarchy, "no ladder gives rise to doubts"),
        (Check::Dependence, "no guarded sensitive column follows from a quasi-identifier"),
    ];
    for (check, message) in clean {
        if lines.iter().all(|line| line.check != check) {
            lines.push(ChecklistLine::ok(check, message).count("columns", many));
        }
    }
    lines
}

fn about_values(variable: &VariablePolicy, values: &[String], records: u64) -> Vec<ChecklistLine> {
    let present = || values.iter().filter(|value| !value.is_empty());
    let number = variable.kind == ValueKind::Number;
    let look = |check: Check, what: &str| about(check, Advice::Look, &variable.name, what);
    let mut lines = Vec::new();
    if present().next().is_none() {
        lines.push(look(Check::Constant, "every value is missing: it adds nothing"));
    } else if values.len() == 1 && records > 1 {
        let what = "every record has the same value: it tells nobody apart; is it the right column?";
        lines.push(look(Check::Constant, what));
    }
    if values.len() as u64 == records && records > 1 {
        let line = look(Check::NearUnique, "as many values as records: is it a direct identifier?");
        lines.push(line.count("records", records));
    }
    let alike = look_alike::found(present().map(String::as_str)).into_iter();
    lines.extend(alike.map(|(count, what)| look(Check::Spelling, &what).count("values", count as u64)));
    let spelt = if number { present().filter(|value| canonical(value, true) != **value).count() } else { 0 };
    if spelt > 0 {
        let spellings = counted(spelt as u64, "spelling of a number was", "spellings of numbers were");
        let what = format!("{spellings} brought into one form");
        lines.push(look(Check::Spelling, &what).count("values", spelt as u64));
    }
    let tokens = if number { 0 } else { present().filter(|value| means_missing(value)).count() };
    if tokens > 0 {
        let (one, many) = (
            "value looks like a word for missing and counts as a value",
            "values look like words for missing and count as values",
        );
        let what = format!("{}; name such words in `[data] missing`", counted(tokens as u64, one, many));
        lines.push(look(Check::MissingWords, &what).count("values", tokens as u64));
    }
    let codes = (variable.kind == ValueKind::Text).then(|| values.iter().map(String::as_str));
    if let Some(eaten) = codes.and_then(EatenZeros::among) {
        lines.push(look(Check::EatenZeros, &eaten.told()).count("values", eaten.shorter as u64));
    }
    lines
}

/// Spellings that count as one value.
fn about_spelling(name: &str, values: &[String]) -> Option<ChecklistLine> {
    let spellings = look_alike::alike(values.iter().map(String::as_str), folded);
    (spellings > 0).then(|| {
        let what = format!(
            "{} from others only in blanks, Unicode form or case; they count as one for the privacy models",
            counted(spellings as u64, "value differs", "values differ")
        );
        about(Check::Spelling, Advice::Look, name, &what).count("values", spellings as u64)
    })
}

/// Whether its ladder is worth a look.
fn about_ladder(variable: &VariablePolicy, values: &[String]) -> Option<ChecklistLine> {
    let what = match &variable.hierarchy {
        Builder::File(rows) => about_file(rows),
        Builder::Groups { levels } => about_groups(levels.first()?, values),
        _ => None,
    };
    what.map(|(findings, what)| {
        about(Check::Hierarchy, Advice::Look, &variable.name, &what).count("findings", findings as u64)
    })
}

/// A label equals its parent, levels are not nested, bands have gaps. A top that is added is none of these.
fn about_file(file: &HierarchyFile) -> Option<(usize, String)> {
    let doubts = doubts(file).len();
    let findings = counted(doubts as u64, "finding", "findings");
    let what = || format!("its hierarchy file gives {findings}; `equanym hierarchy lint` lists them");
    (doubts > 0).then(|| (doubts, what()))
}

/// A value in no group stays as it is, so a misspelt member goes unnoticed otherwise.
fn about_groups(groups: &[(String, Vec<String>)], values: &[String]) -> Option<(usize, String)> {
    let known: HashSet<&str> = values.iter().map(String::as_str).collect();
    let members = groups.iter().flat_map(|(_, members)| members);
    let is_absent = |member: &&String| match Range::parse(member) {
        Some(range) => !values.iter().any(|value| range.holds(value)),
        None => !known.contains(member.as_str()),
    };
    let absent = members.filter(is_absent).count();
    let what = || {
        format!(
            "{} in the data; are they spelt alike?",
            counted(absent as u64, "member of its groups does not occur", "members of its groups do not occur")
        )
    };
    (absent > 0).then(|| (absent, what()))
}

fn dependence(table: &Table, spread: usize, name: &str) -> Option<ChecklistLine> {
    let determines = determined_by(table, spread)?;
    let message = format!(
        "column `{}` follows from `{}`: whoever knows one knows the other",
        name.escape_debug(),
        determines.escape_debug()
    );
    Some(ChecklistLine::look(Check::Dependence, message).in_column(name))
}

/// A quasi-identifier whose value always tells that of a sensitive variable, if the latter varies at all.
fn determined_by(table: &Table, spread: usize) -> Option<&str> {
    let set = table.keys();
    let values: BTreeSet<u32> =
        (0..set.len()).flat_map(|class| set.contents.sensitive[spread].in_class(class)).map(|one| one.0).collect();
    if values.len() < 2 {
        return None;
    }
    let follows = |variable: &usize| {
        let mut known: HashMap<u32, u32> = HashMap::new();
        let told: HashSet<u32> = (0..set.len()).map(|class| table.value(set, class, *variable)).collect();
        let consistent = (0..set.len()).all(|class| {
            let told = table.value(set, class, *variable);
            set.contents.sensitive[spread]
                .in_class(class)
                .iter()
                .all(|&(value, _)| *known.entry(told).or_insert(value) == value)
        });
        consistent && (told.len() as u64) < table.records
    };
    (0..table.variables.len()).find(follows).map(|variable| table.variables[variable].name.as_str())
}
