//! A form as a page to print.

use maud::{Markup, html};

use super::Form;
use super::document::{Cell, Part, Table};
use crate::write::pen::markup::{name, paragraph, prose};
use crate::write::reports::findings::Findings;
use crate::write::reports::page::{self, Frame};
use crate::write::reports::provenance;

/// The whole form.
pub(super) fn written(form: &Form, lead: &str, findings: &Findings<'_>, parts: &[Part]) -> String {
    let reader = "Private form · for the owner to complete";
    let frame = Frame { title: form.title, reader, class: "private form", style: "" };
    let inside = html! {
        p { (lead) }
        (paragraph(&format!("Structure: {}.", form.card.source)))
        @for section in parts.chunk_by(|_, next| !matches!(next, Part::Heading(_))) {
            section { @for part in section { (piece(part)) } }
        }
    };
    page::page(&frame, findings, &inside)
}

fn piece(part: &Part) -> Markup {
    match part {
        Part::Heading(words) => html! { h2 { (words) } },
        Part::Text(words) => paragraph(words),
        Part::List(lines) => html! { ul { (page::items(lines)) } },
        Part::Facts(facts) => provenance::facts(facts.iter().map(|(term, fact)| (*term, fact.as_ref().map(words_of)))),
        Part::Table(table) => of_table(table),
        // A question, and room for its answer.
        Part::Open(question) => html! { div class="question" { p { strong { "Open: " } (question) } } },
        Part::Picture { caption, note, picture } => page::figure(caption, note, picture),
        Part::Signatures => provenance::signatures(),
    }
}

fn words_of(cell: &Cell) -> &str {
    match cell {
        Cell::Words(text) | Cell::Name(text) | Cell::Said(text) => text,
        Cell::Open => "open",
    }
}

fn of_table(table: &Table) -> Markup {
    let rows = table.rows.iter().filter_map(|row| row.split_first()).map(|(heading, cells)| {
        html! { tr { th scope="row" { (markup_of(heading)) } @for cell in cells { td { (markup_of(cell)) } } } }
    });
    page::table("of-form", table.caption, &table.headings, rows)
}

fn markup_of(cell: &Cell) -> Markup {
    match cell {
        Cell::Words(words) => prose(words),
        Cell::Name(column) => name(column),
        Cell::Said(text) => html! { bdi { (prose(text)) } },
        Cell::Open => html! { strong class="open-line" { "open" } },
    }
}
