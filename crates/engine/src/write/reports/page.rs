//! The frame of a report for people, and the elements that recur in it.
//!
//! One file, readable on paper, on a phone, in the dark and by ear. The security policy forbids the browser to fetch or
//! run anything, so a name from the data could do no harm even if it got past the escaping.

use super::findings::Findings;
use crate::write::pen::markup::{Html, short};
use crate::write::pen::{self, Picture};

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

/// A whole page.
pub(super) fn page(frame: &Frame, findings: &Findings<'_>, body: impl FnOnce(&mut Html)) -> String {
    let mut html = Html::default();
    html.own("<!doctype html>\n");
    html.element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| head(html, frame));
        html.element("body", &[("class", frame.class)], |html| {
            html.element("header", &[], |html| {
                html.leaf("p", &[("class", "reader")], frame.reader);
                html.leaf("h1", &[], frame.title);
            });
            html.element("main", &[], body);
            html.element("footer", &[], |html| foot(html, findings));
        });
    });
    html.finish()
}

/// A section of the page under its heading.
pub(super) fn section(html: &mut Html, heading: &str, inside: impl FnOnce(&mut Html)) {
    html.element("section", &[], |html| {
        html.leaf("h2", &[], heading);
        inside(html);
    });
}

/// The first figures.
pub(super) fn figures(html: &mut Html, figures: &[HeadFigure]) {
    html.element("dl", &[("class", "figures")], |html| {
        for figure in figures {
            html.element("div", &[], |html| {
                html.leaf("dt", &[], figure.term);
                html.element("dd", &[], |html| {
                    html.leaf("strong", &[], &figure.number);
                    html.text(" ");
                    html.leaf("small", &[], &figure.note);
                });
            });
        }
    });
}

/// A table with a caption and a heading for each column; the first column holds the headings of the rows.
pub(super) fn table(html: &mut Html, class: &str, caption: &str, headings: &[&str], body: impl FnOnce(&mut Html)) {
    if headings.len() <= MOST_COLUMNS {
        return narrow_table(html, class, caption, headings, body);
    }
    // A table that may be wider than the page is moved by itself, by keys as well.
    let name = if caption.is_empty() { "A wide table".to_owned() } else { caption.replace('`', "") };
    let frame = [("class", "wide"), ("role", "region"), ("aria-label", name.as_str()), ("tabindex", "0")];
    html.element("div", &frame, |html| narrow_table(html, class, caption, headings, body));
}

/// The most columns of a table that fit a narrow page.
const MOST_COLUMNS: usize = 3;

fn narrow_table(html: &mut Html, class: &str, caption: &str, headings: &[&str], body: impl FnOnce(&mut Html)) {
    html.element("table", &[("class", class)], |html| {
        if !caption.is_empty() {
            html.element("caption", &[], |html| html.prose(caption));
        }
        html.element("thead", &[], |html| {
            html.element("tr", &[], |html| {
                for heading in headings {
                    html.leaf("th", &[("scope", "col")], &short(heading));
                }
            });
        });
        html.element("tbody", &[], body);
    });
}

/// A picture under its caption.
pub(super) fn figure(html: &mut Html, caption: &str, note: &str, picture: &Picture) {
    captioned(html, |html| html.leaf("strong", &[], caption), note, picture);
}

/// A picture under the name of what it shows, which comes from the data.
pub(super) fn named_figure(html: &mut Html, name: &str, note: &str, picture: &Picture) {
    captioned(html, |html| html.name(name), note, picture);
}

fn captioned(html: &mut Html, caption: impl FnOnce(&mut Html), note: &str, picture: &Picture) {
    html.element("figure", &[], |html| {
        html.element("figcaption", &[], |html| {
            caption(html);
            html.leaf("small", &[], note);
        });
        html.put(&picture.markup());
    });
}

/// Pictures side by side, where there is room.
pub(super) fn gallery(html: &mut Html, inside: impl FnOnce(&mut Html)) {
    html.element("div", &[("class", "gallery")], inside);
}

/// A part of the page that folds, for whoever wants to know more; on paper it is open.
pub(super) fn appendix(html: &mut Html, heading: &str, inside: impl FnOnce(&mut Html)) {
    html.element("section", &[], |html| {
        html.element("details", &[("class", "appendix")], |html| {
            html.element("summary", &[], |html| html.leaf("h2", &[], heading));
            inside(html);
        });
    });
}

/// A list of lines.
pub(super) fn list<T: AsRef<str>>(html: &mut Html, tag: &'static str, lines: &[T]) {
    html.element(tag, &[], |html| {
        for line in lines {
            html.element("li", &[], |html| html.prose(line.as_ref()));
        }
    });
}

pub(super) fn head(html: &mut Html, frame: &Frame) {
    html.void("meta", &[("charset", "utf-8")]);
    html.own(SECURITY);
    html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    html.void("meta", &[("name", "referrer"), ("content", "no-referrer")]);
    html.leaf("title", &[], frame.title);
    html.element("style", &[], |html| {
        for sheet in [pen::COLOURS, include_str!("style.css"), pen::STYLE] {
            html.own(sheet);
        }
    });
}

fn foot(html: &mut Html, findings: &Findings<'_>) {
    let program = findings.program;
    html.paragraph(&format!("Written by {program}. The same findings for programs: `report.json`."));
}
