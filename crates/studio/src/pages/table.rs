//! Table: what is looked at before anything is decided.

use equanym_engine::error::Error;
use equanym_engine::run::draft::ColumnKind;
use equanym_engine::run::live::ColumnLook;
use maud::{Markup, html};

use crate::desk::Moment;
use crate::number::{count, percent, with_noun};
use crate::parts::answer::{failed, waiting};
use crate::parts::figures::{frequent, histogram, shown_picture};
use crate::parts::text::{name, prose, value};

/// The most columns whose first records are shown.
const MOST_COLUMNS: usize = 40;

/// The page.
pub(crate) fn page(now: Option<&Moment>, opening: Option<&str>, failure: Option<&Error>, tables: &[String]) -> Markup {
    html! {
        @if let Some(told) = opening { section class="opening" { h2 { "Opening the table" } (waiting(told)) } }
        @if let Some(error) = failure { (failed(error)) }
        @match now {
            Some(now) => {
                @if let Some(error) = &now.table.refused {
                    p { "The policy that was named is not used; this is a draft." }
                    (failed(error))
                }
                (looked(now))
                details class="again" { summary { "Open another table" } (choices(tables)) }
            }
            None => {
                p class="lead" { "Open a table of people. It is read on this machine and stays here; you decide what may leave, and see what that costs." }
                (choices(tables))
            }
        }
    }
}

fn choices(tables: &[String]) -> Markup {
    html! {
        div class="choices" {
            section class="choice drop" data-drop="/upload" {
                h2 { "Hand over a file" }
                p { "Drop a table here, or choose one: CSV, Parquet, NDJSON, Arrow, Excel. It goes to a private folder that is removed when the studio ends." }
                p { label class="button" for="upload" { "Choose a file" } input type="file" id="upload" class="file" data-upload="/upload"; }
                p class="waiting" data-uploading hidden role="status" {}
            }
            section class="choice" {
                h2 { "Open by path" }
                form method="post" action="/open" {
                    label for="path" { "A table below the folder in which the studio was started" }
                    div class="row" { input type="text" id="path" name="path" list="tables" autocomplete="off" spellcheck="false" required; button type="submit" id="open" { "Open" } }
                    datalist id="tables" { @for table in tables { option value=(table) {} } }
                }
                @if !tables.is_empty() {
                    ul class="tables" {
                        @for table in tables.iter().take(8) {
                            li { form method="post" action="/open" { button type="submit" class="link" name="path" value=(table) { (name(table)) } } }
                        }
                    }
                }
            }
            section class="choice" {
                h2 { "Try it" }
                p { "A hospital that nobody was ever in: 2,000 admissions, drawn by a program, with a policy to begin with." }
                form method="post" action="/open" { button type="submit" id="hospital" name="hospital" value="yes" { "Open the made-up hospital" } }
            }
        }
    }
}

fn looked(now: &Moment) -> Markup {
    let look = &now.table.look;
    html! {
        p class="lead" {
            (with_noun(look.draft.records, "record", "records")) ", " (with_noun(look.columns.len() as u64, "column", "columns")) "."
            @for note in &look.draft.notes { " " (prose(note)) }
        }
        section aria-labelledby="columns-title" {
            h2 id="columns-title" { "What the columns hold" }
            div class="cards" { @for column in &look.columns { (card(column, look.draft.records)) } }
        }
        section aria-labelledby="first-title" {
            h2 id="first-title" { "The first records" }
            div class="scroll" tabindex="0" role="region" aria-labelledby="first-title" {
                table class="records" {
                    thead { tr { @for column in look.columns.iter().take(MOST_COLUMNS) { th scope="col" { (name(&column.name)) } } } }
                    tbody { @for record in &look.first { tr { @for cell in record.iter().take(MOST_COLUMNS) { td { (value(cell)) } } } } }
                }
            }
        }
    }
}

fn card(column: &ColumnLook, records: u64) -> Markup {
    let kind = match column.kind {
        ColumnKind::Number => "numbers",
        ColumnKind::Date => "dates",
        ColumnKind::Code => "codes",
        ColumnKind::Text => "text",
    };
    html! {
        article class="card" {
            h3 { (name(&column.name)) }
            p class="facts" {
                span { (kind) } " · "
                span { @if column.more { "more than " } (count(column.distinct)) " distinct" }
                @if column.missing > 0 { " · " span class="warm" { (percent(column.missing as f64 / records.max(1) as f64)) " missing" } }
            }
            @if !column.bins.is_empty() {
                (shown_picture(&histogram(&column.bins)))
                @if let (Some(first), Some(last)) = (column.values.first(), column.values.last()) {
                    p class="ends" { span { (ends(column, first).0) } span { (ends(column, last).1) } }
                }
            } @else if column.more || column.frequent.first().is_none_or(|(_, count)| *count <= 1) {
                p class="facts" { "Nearly every record has a value of its own." }
            } @else {
                (shown_picture(&frequent(&column.name, column.frequent.get(..5.min(column.frequent.len())).unwrap_or_default(), records)))
            }
        }
    }
}

/// The smallest and the largest of a column; values in their order are not numbers in theirs.
fn ends(column: &ColumnLook, otherwise: &(String, u64)) -> (Markup, Markup) {
    let number = |text: &String| text.parse::<f64>().ok();
    if column.kind == ColumnKind::Number {
        let by = |one: &&(String, u64), other: &&(String, u64)| {
            number(&one.0).unwrap_or(0.0).total_cmp(&number(&other.0).unwrap_or(0.0))
        };
        let least = column.values.iter().min_by(by).unwrap_or(otherwise);
        let most = column.values.iter().max_by(by).unwrap_or(otherwise);
        return (value(&least.0), value(&most.0));
    }
    let first = column.bins.first().map(|bin| bin.label.as_str()).unwrap_or_default();
    let last = column.bins.last().map(|bin| bin.label.as_str()).unwrap_or_default();
    (value(first), value(last))
}
