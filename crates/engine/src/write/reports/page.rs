//! The frame of a report for people, and the elements that recur in it.
//!
//! One file, readable on paper, on a phone, in the dark and by ear. The security policy forbids the browser to fetch or
//! run anything, so a name from the data could do no harm even if it got past the escaping.

use maud::{Markup, html};

use super::findings::ReleaseFindings;
use crate::write::pen::markup::{name, paragraph, prose, short, written};
use crate::write::pen::{COLOURS, Picture, STYLE};

/// Nothing is fetched, nothing runs; the style sheet within the page is allowed.
const SECURITY: &str = "<meta http-equiv=\"Content-Security-Policy\" \
                        content=\"default-src 'none'; style-src 'unsafe-inline'\">\n";

/// A report's title and its reader.
pub(super) struct Frame {
    /// The title of the page.
    pub title: &'static str,
    /// Who may read it.
    pub reader: &'static str,
    /// The class that sets the tone.
    pub class: &'static str,
    /// Style beyond that of every page.
    pub style: &'static str,
}

/// A figure that a reader looks for first.
pub(super) struct HeadFigure {
    /// What it counts.
    pub term: &'static str,
    /// The number.
    pub number: String,
    /// What to compare it with.
    pub note: String,
}

/// The page of a report.
pub(super) fn page(frame: &Frame, findings: &ReleaseFindings<'_>, body: &Markup) -> String {
    let foot = format!("Written by {}. The same findings for programs: `report.json`.", findings.program);
    document(frame, body, &foot)
}

/// A whole page with a line at its foot.
pub(super) fn document(frame: &Frame, inside: &Markup, foot: &str) -> String {
    let head = html! {
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        meta name="referrer" content="no-referrer";
        title { (frame.title) }
    };
    let body = html! {
        body class=(frame.class) {
            header {
                p class="reader" { (frame.reader) }
                h1 { (frame.title) }
            }
            main { (inside) }
            footer { (paragraph(foot)) }
        }
    };
    let style = [COLOURS, include_str!("style.css"), STYLE, frame.style].concat();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n{SECURITY}{}<style>{style}</style>\n</head>\n{}</html>\n",
        written(&head),
        written(&body)
    )
}

/// A section of the page under its heading.
pub(super) fn section(heading: &str, inside: &Markup) -> Markup {
    html! { section { h2 { (heading) } (inside) } }
}

/// A heading within a section, and what is below it.
pub(super) fn part(heading: &str, inside: &Markup) -> Markup {
    html! { h3 { (heading) } (inside) }
}

/// The first figures.
pub(super) fn figures(figures: &[HeadFigure]) -> Markup {
    html! {
        dl class="figures" {
            @for figure in figures {
                div {
                    dt { (figure.term) }
                    dd { strong { (figure.number) } " " small { (figure.note) } }
                }
            }
        }
    }
}

/// A table with a caption and a heading for each column; the first column holds the headings of the rows.
pub(super) fn table(class: &str, caption: &str, headings: &[&str], rows: impl IntoIterator<Item = Markup>) -> Markup {
    let table = html! {
        table class=(class) {
            @if !caption.is_empty() { caption { (prose(caption)) } }
            thead { tr { @for heading in headings { th scope="col" { (short(heading)) } } } }
            tbody { @for row in rows { (row) } }
        }
    };
    if headings.len() <= MOST_COLUMNS {
        return table;
    }
    // A table that may be wider than the page is moved by itself, by keys as well.
    let name = if caption.is_empty() { "A wide table".to_owned() } else { caption.replace('`', "") };
    html! { div class="wide" role="region" aria-label=(name) tabindex="0" { (table) } }
}

/// The most columns of a table that fit a narrow page.
const MOST_COLUMNS: usize = 3;

/// A row of a table: its heading, and what stands in its cells.
pub(super) fn row<C: AsRef<str>>(heading: &str, cells: impl IntoIterator<Item = C>) -> Markup {
    html! { tr { th scope="row" { (heading) } @for cell in cells { td { (cell.as_ref()) } } } }
}

/// A picture under its caption.
pub(super) fn figure(caption: &str, note: &str, picture: &Picture) -> Markup {
    captioned(&html! { strong { (caption) } }, note, picture)
}

/// A picture under the name of what it shows, which comes from the data.
pub(super) fn named_figure(of: &str, note: &str, picture: &Picture) -> Markup {
    captioned(&name(of), note, picture)
}

fn captioned(caption: &Markup, note: &str, picture: &Picture) -> Markup {
    html! { figure { figcaption { (caption) small { (note) } } (picture.markup()) } }
}

/// Pictures side by side, where there is room.
pub(super) fn gallery(pictures: impl IntoIterator<Item = Markup>) -> Markup {
    html! { div class="gallery" { @for picture in pictures { (picture) } } }
}

/// A part of the page that folds, for whoever wants to know more; on paper it is open.
pub(super) fn appendix(heading: &str, inside: &Markup) -> Markup {
    html! { section { details class="appendix" { summary { h2 { (heading) } } (inside) } } }
}

/// Lines of a list.
pub(super) fn items<T: AsRef<str>>(lines: &[T]) -> Markup {
    html! { @for line in lines { li { (prose(line.as_ref())) } } }
}
