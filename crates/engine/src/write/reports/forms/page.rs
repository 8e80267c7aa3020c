//! A form as a page to print.

use maud::{Markup, html};

use super::ReportForm;
use super::document::{FormCell, FormPart, FormTable};
use crate::write::pen::markup::{name, paragraph, prose};
use crate::write::reports::findings::ReleaseFindings;
use crate::write::reports::page::{self, Frame};
use crate::write::reports::provenance;

/// The whole form.
pub(super) fn written(form: &ReportForm, lead: &str, findings: &ReleaseFindings<'_>, parts: &[FormPart]) -> String {
    let reader = "Private form · for the owner to complete";
    let frame = Frame { title: form.title, reader, class: "private form", style: "" };
    let inside = html! {
        p { (lead) }
        (paragraph(&format!("Structure: {}.", form.card.source)))
        @for section in parts.chunk_by(|_, next| !matches!(next, FormPart::Heading(_))) {
            section { @for part in section { (piece(part)) } }
        }
    };
    page::page(&frame, findings, &inside)
}

fn piece(part: &FormPart) -> Markup {
    match part {
        FormPart::Heading(words) => html! { h2 { (words) } },
        FormPart::Text(words) => paragraph(words),
        FormPart::List(lines) => html! { ul { (page::items(lines)) } },
        FormPart::Facts(facts) => {
            provenance::facts(facts.iter().map(|(term, fact)| (*term, fact.as_ref().map(words_of))))
        }
        FormPart::Table(table) => of_table(table),
        // A question, and room for its answer.
        FormPart::Open(question) => html! { div class="question" { p { strong { "Open: " } (question) } } },
        FormPart::Picture { caption, note, picture } => page::figure(caption, note, picture),
        FormPart::Signatures => provenance::signatures(),
    }
}

fn words_of(cell: &FormCell) -> &str {
    match cell {
        FormCell::Words(text) | FormCell::Name(text) | FormCell::Said(text) => text,
        FormCell::Open => "open",
    }
}

fn of_table(table: &FormTable) -> Markup {
    let rows = table.rows.iter().filter_map(|row| row.split_first()).map(|(heading, cells)| {
        html! { tr { th scope="row" { (markup_of(heading)) } @for cell in cells { td { (markup_of(cell)) } } } }
    });
    page::table("of-form", table.caption, &table.headings, rows)
}

fn markup_of(cell: &FormCell) -> Markup {
    match cell {
        FormCell::Words(words) => prose(words),
        FormCell::Name(column) => name(column),
        FormCell::Said(text) => html! { bdi { (prose(text)) } },
        FormCell::Open => html! { strong class="open-line" { "open" } },
    }
}
