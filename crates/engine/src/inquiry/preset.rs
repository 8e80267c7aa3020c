//! Whether released columns keep what a preset asks of them.
//!
//! What a column holds is told by its name, by its ladder and by what its cells look like where they are released as collected. It is
//! judged by the finest labels that the policy lets out, whatever a search finds: so a policy keeps a preset for every table.
//! All columns that break one are named, with what would help, and nothing is written.
//!
//! Limit: a name that says nothing, and cells that look like nothing known, are not recognised.

use equanym_core::frequency::Table;
use equanym_core::hierarchy::LabelRule;
use equanym_core::privacy::preset::{ColumnContent, ColumnRules, ReleasedColumn};

use crate::count::Sketch;
use crate::count::content::Content;
use crate::count::counted_table::Case;
use crate::error::{Error, Result};
use crate::mask::StoredMask;
use crate::policy::VariablePolicy;
use crate::read::column_name::{self, Group, Person};

/// So much of a column makes it one of what its cells look like.
const MUCH: f64 = 0.05;

/// How quasi-identifiers may be released.
#[derive(Clone, Copy)]
pub(super) enum ReleasedForm<'a> {
    /// No column is recoded.
    AsCollected,
    /// At the levels that the policy permits.
    ByLadders(&'a Table),
    /// As a mask recodes them.
    ByMask(&'a StoredMask),
}

/// Refuses a policy, or data for a mask, that break a preset.
pub(super) fn check(case: &Case<'_>, released: ReleasedForm<'_>) -> Result<()> {
    for named in &case.policy.presets {
        if let Some(rules) = &named.preset.columns {
            // Whoever counted looked; what nobody saw is not judged.
            if case.watched.len() < case.columns.collected.len() {
                return Err(Error::internal());
            }
            let variables = case.policy.variables.iter();
            let columns: Vec<ReleasedColumn<'_>> = variables.map(|variable| column(case, released, variable)).collect();
            let place = match released {
                ReleasedForm::ByMask(_) => "the mask".to_owned(),
                _ => format!("policy line {}", named.line),
            };
            refuse_breaches(&place, named.preset.card.name, rules, &columns)?;
        }
    }
    Ok(())
}

/// Refuses columns that break a preset, which this place names.
fn refuse_breaches(place: &str, name: &str, rules: &ColumnRules, columns: &[ReleasedColumn<'_>]) -> Result<()> {
    if columns.iter().all(|column| column.holds.is_empty()) {
        let message = format!("{place}: `{name}` speaks of no column of this table, and so says nothing");
        let hint = "it is for columns with dates, ages, ZIP codes, places, names and numbers of people; remove it, or give such \
                    columns names that say what they hold";
        return Err(Error::input(message).hint(hint));
    }
    let breach = |column: &ReleasedColumn<'_>| {
        let breach = (rules.breach)(column)?;
        Some(format!("column `{}`: {}; {}", column.name.escape_debug(), breach.why, breach.remedy))
    };
    let breaches: Vec<String> = columns.iter().filter_map(breach).collect();
    if breaches.is_empty() {
        return Ok(());
    }
    let columns =
        if breaches.len() == 1 { "1 column breaks".to_owned() } else { format!("{} columns break", breaches.len()) };
    Err(Error::input(format!("{place}: {columns} `{name}`: {}", breaches.join("; ")))
        .hint(format!("nothing was written; `equanym explain {name}` shows the rules")))
}

/// A column of the policy, as far as a preset must know it.
fn column<'a>(case: &'a Case<'_>, released: ReleasedForm<'a>, variable: &'a VariablePolicy) -> ReleasedColumn<'a> {
    let (levels, rules) = released.rules(&variable.name);
    let collected = case.columns.collected.iter().position(|one| one.name == variable.name);
    let guarded = case.columns.sensitive.iter().position(|name| *name == variable.name);
    let sketch = collected
        .and_then(|place| case.watched.get(place))
        .or_else(|| guarded.and_then(|place| case.guarded.get(place)));
    let holds = holds(&variable.name, rules.into_iter(), sketch);
    ReleasedColumn { name: &variable.name, role: variable.role, holds, levels, treatments: &variable.treatments }
}

impl<'a> ReleasedForm<'a> {
    /// The rules of the levels at which a column may be released, and those of its whole ladder.
    fn rules(self, name: &str) -> (Vec<(u8, &'a LabelRule)>, Vec<&'a LabelRule>) {
        match self {
            Self::AsCollected => (Vec::new(), Vec::new()),
            Self::ByLadders(table) => {
                let Some(one) = table.variables.iter().find(|one| one.name == name) else { return Default::default() };
                let rules: Vec<&LabelRule> = one.hierarchy.levels().iter().map(|level| &level.rule).collect();
                let levels = (0..).zip(rules.iter().copied());
                let permitted = levels.filter(|(level, _)| (one.min_level..=one.max_level).contains(level));
                (permitted.collect(), rules)
            }
            Self::ByMask(stored) => {
                let recoding =
                    stored.mask.columns.iter().filter(|one| one.name == name).find_map(|one| one.recoding.as_ref());
                let ladder = stored.ladders.iter().filter(|ladder| ladder.variable == name);
                let ladder = ladder.flat_map(|ladder| &ladder.levels).map(|level| &level.rule);
                let levels = recoding.iter().map(|recoding| (recoding.level, &recoding.rule)).collect();
                (levels, recoding.iter().map(|recoding| &recoding.rule).chain(ladder).collect())
            }
        }
    }
}

/// What a column holds, by its name, by the rules of its ladder and by its cells, as far as they were looked at.
fn holds<'a>(name: &str, rules: impl Iterator<Item = &'a LabelRule>, cells: Option<&Sketch>) -> Vec<ColumnContent> {
    let mut holds = named(name);
    holds.extend(rules.filter_map(by_rule));
    holds.extend(cells.into_iter().flat_map(by_cells));
    holds.sort_unstable();
    holds.dedup();
    holds
}

/// What a name tells.
fn named(name: &str) -> Vec<ColumnContent> {
    let hints = column_name::hints(name);
    let of_group = match column_name::group(name) {
        Some(Group::Age) => Some(ColumnContent::Age),
        Some(Group::Birth) => Some(ColumnContent::Birth),
        Some(Group::Sex) | None => None,
    };
    let is_person = hints.person == Person::Yes || column_name::is_number_of_person(name);
    [
        (is_person, ColumnContent::Identity),
        (column_name::is_postal(name), ColumnContent::PostalCode),
        (column_name::is_place(name), ColumnContent::Place),
        // A date of birth is one of its own kind.
        (of_group.is_none() && column_name::is_date(name), ColumnContent::Date),
    ]
    .into_iter()
    .filter_map(|(is_so, holds)| is_so.then_some(holds))
    .chain(of_group)
    .collect()
}

/// What a ladder tells.
fn by_rule(rule: &LabelRule) -> Option<ColumnContent> {
    match rule {
        LabelRule::Date { .. } => Some(ColumnContent::Date),
        _ => None,
    }
}

/// What the cells of a column look like that is released as collected.
fn by_cells(sketch: &Sketch) -> impl Iterator<Item = ColumnContent> {
    let share = |content| sketch.holding(content) as f64 / sketch.present.max(1) as f64;
    let found = [
        (sketch.holding(Content::EMail) > 0 || share(Content::Phone) >= MUCH, ColumnContent::Contact),
        (share(Content::FreeText) >= MUCH, ColumnContent::FreeText),
        (share(Content::Date) >= MUCH, ColumnContent::Date),
        (share(Content::Name) >= MUCH, ColumnContent::Identity),
    ];
    found.into_iter().filter_map(|(is_so, holds)| is_so.then_some(holds))
}
