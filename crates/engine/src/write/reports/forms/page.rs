//! A form as a page to print.

use super::Form;
use super::document::{Cell, Part, Table};
use crate::write::pen::markup::Html;
use crate::write::reports::findings::Findings;
use crate::write::reports::page::{self, Frame};
use crate::write::reports::provenance;

/// The whole form.
pub(super) fn written(form: &Form, lead: &str, findings: &Findings<'_>, parts: &[Part]) -> String {
    let frame = Frame { title: form.title, reader: "Private form · for the owner to complete", class: "private form" };
    page::page(&frame, findings, |html| {
        html.element("p", &[], |html| html.text(lead));
        html.paragraph(&format!("Structure: {}.", form.card.source));
        for section in parts.chunk_by(|_, next| !matches!(next, Part::Heading(_))) {
            html.element("section", &[], |html| section.iter().for_each(|part| push(html, part)));
        }
    })
}

fn push(html: &mut Html, part: &Part) {
    match part {
        Part::Heading(words) => html.leaf("h2", &[], words),
        Part::Text(words) => html.paragraph(words),
        Part::List(lines) => page::list(html, "ul", lines),
        Part::Facts(facts) => {
            provenance::facts(html, facts.iter().map(|(term, fact)| (*term, fact.as_ref().map(of_cell))));
        }
        Part::Table(table) => of_table(html, table),
        Part::Open(question) => open(html, question),
        Part::Picture { caption, note, picture } => page::figure(html, caption, note, picture),
        Part::Signatures => provenance::signatures(html),
    }
}

fn of_cell(cell: &Cell) -> &str {
    match cell {
        Cell::Words(text) | Cell::Name(text) | Cell::Said(text) => text,
        Cell::Open => "open",
    }
}

fn of_table(html: &mut Html, table: &Table) {
    page::table(html, "of-form", table.caption, &table.headings, |html| {
        for row in &table.rows {
            html.element("tr", &[], |html| {
                for (place, cell) in row.iter().enumerate() {
                    let (tag, attributes): (_, &[_]) =
                        if place == 0 { ("th", &[("scope", "row")]) } else { ("td", &[]) };
                    html.element(tag, attributes, |html| match cell {
                        Cell::Words(words) => html.prose(words),
                        Cell::Name(name) => html.name(name),
                        Cell::Said(text) => html.element("bdi", &[], |html| html.prose(text)),
                        Cell::Open => html.leaf("strong", &[("class", "open-line")], "open"),
                    });
                }
            });
        }
    });
}

/// A question, and room for its answer.
fn open(html: &mut Html, question: &str) {
    html.element("div", &[("class", "question")], |html| {
        html.element("p", &[], |html| {
            html.leaf("strong", &[], "Open: ");
            html.text(question);
        });
    });
}
