//! The columns of a release: what each went through, and how to read it.

use std::collections::BTreeSet;

use equanym_core::hierarchy::LabelRule;
use equanym_core::mask::ColumnChange;
use equanym_core::variable::Role;

use maud::{Markup, html};

use super::findings::{ColumnRecoding, ReleaseFindings};
use super::{figure, in_words, page};
use crate::write::pen::beside;
use crate::write::pen::markup::name;

/// What happened to each column; `dropped` are the names of those that were not released, where the reader may know.
pub(super) fn table(findings: &ReleaseFindings<'_>, dropped: &[&str]) -> Markup {
    let caption = "Level 0 is the value as collected; the last level is a single label for all values.";
    let released =
        findings.columns.iter().map(|column| row(column.name, column.role, column.recoded.as_ref(), &column.words()));
    let dropped = dropped.iter().map(|name| row(name, Role::Identifying, None, "not released"));
    page::table("columns", caption, &["Column", "Level", "In the data"], released.chain(dropped))
}

/// What the roles mean, for those that occur.
pub(super) fn roles(roles: &BTreeSet<&'static str>) -> Markup {
    html! {
        dl class="roles" {
            @for role in Role::ALL.into_iter().filter(|role| roles.contains(role.name())) {
                dt { (role.name()) }
                dd { (in_words::role(role)) }
            }
        }
    }
}

/// How to read the cells.
pub(super) fn reading(findings: &ReleaseFindings<'_>) -> Vec<String> {
    let has = |wanted: fn(&LabelRule) -> bool| rules(findings).any(wanted);
    let changes = || findings.columns.iter().filter_map(|column| column.change.as_ref()).map(|one| one.change);
    let has_change = |wanted: ColumnChange| changes().any(|change| change == wanted);
    let is_local = has_change(ColumnChange::Range) || has_change(ColumnChange::AnyLevel);
    let has_role = |role: Role| findings.columns_of(role).next().is_some();
    let can_lose = findings.columns.iter().any(|column| !column.treatments.is_empty());
    let lines = [
        (!can_lose, "An empty cell is a missing value: it was missing in the original."),
        (can_lose, "An empty cell is a missing value: it was missing in the original, or could not be told from it."),
        (has_role(Role::Pseudonym), TOKENS),
        (has(|rule| matches!(rule, LabelRule::Interval { .. })), BANDS),
        (
            has(|rule| matches!(rule, LabelRule::Prefix { .. })),
            "A `*` at the end of a shortened text stands for the rest of it, if there was any.",
        ),
        (has(|rule| *rule == LabelRule::Top), "A `*` that stands alone stands for any value, missing ones included."),
        (has(|rule| *rule == LabelRule::Listed), "The labels of groups from a list are named in `manifest.json`."),
        (has_change(ColumnChange::Range), "A range `[low, high]` holds both its ends."),
        (has_change(ColumnChange::Range), "A `*` among ranges stands for numbers and missing values of one class."),
        (
            has_change(ColumnChange::AnyLevel),
            "Labels of different levels stand in one column; they are named in `manifest.json`.",
        ),
        (has_change(ColumnChange::NewValue), "Columns with new values hold nobody's true value, except by chance."),
        (!is_local, "The same value became the same label in every record."),
        (is_local, "The same value may have different labels in different classes: do not add up tables by label."),
    ];
    let mut lines: Vec<String> = lines.into_iter().filter(|(fits, _)| *fits).map(|(_, line)| line.to_owned()).collect();
    lines.push(guarded(findings));
    lines.extend(findings.suppressed.zip(findings.records).filter(|(some, _)| *some > 0).map(withheld));
    lines.extend(findings.records.is_none().then(|| SAMPLED.to_owned()));
    lines
}

const TOKENS: &str =
    "The same token stands for the same value of its column, and nobody can tell which without the key.";

const BANDS: &str = "A band `[low, high[` holds its low end and not its high end.";

fn guarded(findings: &ReleaseFindings<'_>) -> String {
    format!(
        "In a CSV file, an apostrophe before `=`, `+`, `-`, `@`, a tab or a line break keeps spreadsheets from running the \
         cell as a formula. It is not part of the value; here it stands before {}.",
        guarded_cells(findings)
    )
}

fn guarded_cells(findings: &ReleaseFindings<'_>) -> String {
    let hidden = || format!("{} cells", figure::hidden(findings.shown_from));
    findings.neutralised_cells.map_or_else(hidden, |cells| figure::counted(cells, "cell", "cells"))
}

const SAMPLED: &str = "The records are a random sample without small groups: shares of what is here estimate those of the table, except \
                       that labels which few people share are missing.";

fn withheld((suppressed, records): (u64, u64)) -> String {
    format!(
        "{} of the records are withheld. They are no random sample: their combinations of values were rare or not diverse \
         enough, so small groups are thinner here than in the original.",
        figure::percent(figure::share(suppressed, records))
    )
}

fn rules<'a>(findings: &'a ReleaseFindings<'_>) -> impl Iterator<Item = &'a LabelRule> {
    findings.columns.iter().filter_map(|column| column.recoded.as_ref()).map(|recoded| recoded.labels.rule)
}

fn row(column: &str, role: Role, recoded: Option<&ColumnRecoding<'_>>, words: &str) -> Markup {
    html! {
        tr {
            th scope="row" { (name(column)) " " small { (role.name()) } }
            td class="level" {
                @match recoded {
                    Some(ColumnRecoding { level, levels, .. }) => {
                        (beside::ladder(*level, *levels)) " " span { (level) " of " (levels.saturating_sub(1)) }
                    }
                    None => span class="none" { "–" },
                }
            }
            td { (words) }
        }
    }
}
