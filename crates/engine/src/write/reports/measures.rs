//! Classes and risk as a table: of the release alone, or beside the original.

use equanym_core::risk::THRESHOLD;

use maud::{Markup, html};

use super::small::{ShownClasses, ShownRisk};
use super::{figure, in_words, page};
use crate::write::pen::beside;
use crate::write::pen::markup::short;

/// A table whose classes and risk were measured.
pub(super) struct MeasuredClasses<'a> {
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
type NumberOf = fn(&MeasuredClasses<'_>) -> String;

/// What risk means here.
pub(super) fn risk_in_words(unit: &str) -> String {
    format!(
        "Suppose an intruder knows that a person is in the table, knows all their quasi-identifying values, and picks one \
         of the {unit} that fit. In a class of five {unit}, one guess in five is right. This is the prosecutor risk."
    )
}

/// Classes and risk, counted in `unit`: one column for each measured table.
pub(super) fn table(caption: &str, measured: &[MeasuredClasses<'_>], unit: &str) -> Markup {
    let caption = format!(
        "{caption} The mark on the bars is at {}, the highest risk that is commonly accepted.",
        figure::percent(THRESHOLD)
    );
    let headings: Vec<&str> = std::iter::once("Measure").chain(measured.iter().map(|one| one.heading)).collect();
    let class = if measured.len() == 1 { "measures one" } else { "measures" };
    let one = if unit == "people" { "person" } else { "record" };
    let above = format!("{} with a risk above {}", in_words::capital(unit), figure::percent(THRESHOLD));
    let risks = [
        shares(measured, &format!("Highest risk of a {one}"), Some(THRESHOLD), |risk| risk.prosecutor_max),
        shares(measured, &format!("Risk of a {one} on average"), Some(THRESHOLD), |risk| risk.prosecutor_mean),
        shares(measured, &above, None, |risk| risk.records_at_risk),
    ];
    page::table(class, &caption, &headings, counts(measured, unit).into_iter().chain(risks))
}

/// A row under its heading.
pub(super) fn row(heading: &str, cells: &Markup) -> Markup {
    html! { tr { th scope="row" { bdi { (short(heading)) } } (cells) } }
}

/// A row whose cells are words.
pub(super) fn text_row<C: AsRef<str>>(heading: &str, cells: impl IntoIterator<Item = C>) -> Markup {
    row(heading, &html! { @for cell in cells { td { (cell.as_ref()) } } })
}

/// A share with its bar.
pub(super) fn share(share: f64, class: &str, mark: Option<f64>) -> Markup {
    html! { td { (figure::percent(share)) (beside::share_bar(share, class, mark)) } }
}

fn counts(measured: &[MeasuredClasses<'_>], unit: &str) -> Vec<Markup> {
    let unit = in_words::capital(unit);
    let rows: [(String, NumberOf); 4] = [
        ("Classes".to_owned(), |one| figure::count(one.classes.count)),
        (format!("{unit} in the smallest class"), |one| figure::shown(one.classes.min, one.shown_from)),
        (format!("{unit} in a class on average"), |one| figure::shown_as(one.classes.mean, figure::decimal)),
        (format!("{unit} in the largest class"), |one| figure::shown(one.classes.max, one.shown_from)),
    ];
    rows.iter().map(|(heading, number)| text_row(heading, measured.iter().map(number))).collect()
}

fn shares(
    measured: &[MeasuredClasses<'_>],
    heading: &str,
    mark: Option<f64>,
    risk_of: fn(&ShownRisk) -> Option<f64>,
) -> Markup {
    let cell = |one: &MeasuredClasses<'_>| {
        risk_of(one.risk).map_or_else(|| html! { td { "not shown" } }, |risk| share(risk, one.class, mark))
    };
    row(heading, &html! { @for one in measured { (cell(one)) } })
}
