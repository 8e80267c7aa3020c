//! Classes and risk as a table: of the release alone, or beside the original.

use equanym_core::risk::THRESHOLD;

use super::small::{ShownClasses, ShownRisk};
use super::{figure, in_words, page};
use crate::write::pen::beside;
use crate::write::pen::markup::{Html, short};

/// A table whose classes and risk were measured.
pub(super) struct Measured<'a> {
    /// The heading of its column.
    pub heading: &'static str,
    /// The class that colours its bars.
    pub class: &'static str,
    /// Counts of its classes below this are not shown.
    pub shown_from: Option<u64>,
    /// Its classes.
    pub classes: &'a ShownClasses,
    /// Its risk.
    pub risk: &'a ShownRisk,
}

/// A number of the classes, for people.
type NumberOf = fn(&Measured<'_>) -> String;

/// What risk means here.
pub(super) fn risk_in_words(unit: &str) -> String {
    format!(
        "Suppose an intruder knows that a person is in the table, knows all their quasi-identifying values, and picks one \
         of the {unit} that fit. In a class of five {unit}, one guess in five is right. This is the prosecutor risk."
    )
}

/// Classes and risk, counted in `unit`: one column for each measured table.
pub(super) fn table(html: &mut Html, caption: &str, measured: &[Measured<'_>], unit: &str) {
    let caption = format!(
        "{caption} The mark on the bars is at {}, the highest risk that is commonly accepted.",
        figure::percent(THRESHOLD)
    );
    let headings: Vec<&str> = std::iter::once("Measure").chain(measured.iter().map(|one| one.heading)).collect();
    let class = if measured.len() == 1 { "measures one" } else { "measures" };
    page::table(html, class, &caption, &headings, |html| {
        counts(html, measured, unit);
        let one = if unit == "people" { "person" } else { "record" };
        let above = format!("{} with a risk above {}", in_words::capital(unit), figure::percent(THRESHOLD));
        shares(html, measured, &format!("Highest risk of a {one}"), Some(THRESHOLD), |risk| risk.prosecutor_max);
        shares(html, measured, &format!("Risk of a {one} on average"), Some(THRESHOLD), |risk| risk.prosecutor_mean);
        shares(html, measured, &above, None, |risk| risk.records_at_risk);
    });
}

/// A row under its heading.
pub(super) fn row(html: &mut Html, heading: &str, cells: impl FnOnce(&mut Html)) {
    html.element("tr", &[], |html| {
        html.element("th", &[("scope", "row")], |html| html.leaf("bdi", &[], &short(heading)));
        cells(html);
    });
}

/// A share with its bar.
pub(super) fn share(html: &mut Html, share: f64, class: &str, mark: Option<f64>) {
    html.element("td", &[], |html| {
        html.text(&figure::percent(share));
        html.put(&beside::share_bar(share, class, mark));
    });
}

fn counts(html: &mut Html, measured: &[Measured<'_>], unit: &str) {
    let unit = in_words::capital(unit);
    let rows: [(String, NumberOf); 4] = [
        ("Classes".to_owned(), |one| figure::count(one.classes.count)),
        (format!("{unit} in the smallest class"), |one| figure::shown(one.classes.min, one.shown_from)),
        (format!("{unit} in a class on average"), |one| figure::shown_as(one.classes.mean, figure::decimal)),
        (format!("{unit} in the largest class"), |one| figure::shown(one.classes.max, one.shown_from)),
    ];
    for (heading, number) in rows {
        row(html, &heading, |html| measured.iter().for_each(|one| html.leaf("td", &[], &number(one))));
    }
}

fn shares(
    html: &mut Html,
    measured: &[Measured<'_>],
    heading: &str,
    mark: Option<f64>,
    of: fn(&ShownRisk) -> Option<f64>,
) {
    row(html, heading, |html| {
        for one in measured {
            match of(one.risk) {
                Some(risk) => share(html, risk, one.class, mark),
                None => html.leaf("td", &[], "not shown"),
            }
        }
    });
}
