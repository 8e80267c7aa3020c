//! The page of a risk–utility map: the picture, and all that it says as tables.

use super::page::{self, Frame, section, table};
use super::pictures::map::{MapPicture, MapPoint};
use crate::words::figure::{count, percent, share};
use crate::write::pen::PLOT;
use crate::write::pen::markup::Html;

/// The page.
pub(crate) fn html(map: &MapPicture<'_>) -> String {
    let frame = Frame { title: "Risk–utility map", reader: "For the owner of the data", class: "private" };
    let mut html = Html::default();
    html.own("<!doctype html>\n");
    html.element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| {
            page::head(html, &frame);
            html.element("style", &[], |html| html.own(PLOT));
        });
        html.element("body", &[("class", frame.class)], |html| {
            html.element("header", &[], |html| {
                html.leaf("p", &[("class", "reader")], frame.reader);
                html.leaf("h1", &[], frame.title);
            });
            html.element("main", &[], |html| body(html, map));
            html.element("footer", &[], |html| {
                html.paragraph(&format!("Written by equanym {}.", env!("CARGO_PKG_VERSION")));
            });
        });
    });
    html.finish()
}

fn body(html: &mut Html, map: &MapPicture<'_>) {
    let unsafe_points = map.points.iter().filter(|point| point.why_not.is_some()).count();
    html.leaf("p", &[("class", "lead")], &lead(map, unsafe_points));
    // A narrow window shows a part of it, and a keyboard reaches the rest.
    let figure =
        [("style", "margin: 0; overflow-x: auto"), ("tabindex", "0"), ("role", "group"), ("aria-label", "The map")];
    html.element("figure", &figure, |html| html.put(&map.picture().markup()));
    html.paragraph(
        "Every point is a release: what it would risk and lose is computed from the table, exactly. A point is on the front if \
         no other has less of one without more of the other. The numbers depend on records that a release withholds: keep them.",
    );
    section(html, "The front", |html| {
        let caption = "From the least risk on. `equanym release` with the policy of a point makes its release.";
        let headings = ["point", "release", "risk", "loss", "withheld"];
        table(html, "points", caption, &headings, |html| {
            map.front().for_each(|(point, others)| row(html, point, map, Some(others)));
        });
    });
    let others: Vec<_> = map.points.iter().filter(|point| !point.on_front && point.why_not.is_none()).collect();
    if !others.is_empty() {
        section(html, "Dominated points", |html| {
            let headings = ["point", "release", "risk", "loss", "withheld"];
            let caption = "For each of them another point has less risk or less loss, and no more of the other.";
            table(html, "points", caption, &headings, |html| {
                for point in others {
                    row(html, point, map, None);
                }
            });
        });
    }
    if unsafe_points > 0 {
        section(html, "No safe release", |html| {
            table(html, "points", "", &["point", "release", "why"], |html| {
                map.points.iter().for_each(|point| refusal(html, point, map));
            });
        });
    }
}

fn lead(map: &MapPicture<'_>, unsafe_points: usize) -> String {
    let points = count(map.points.len() as u64);
    let without = match unsafe_points {
        0 => String::new(),
        1 => "; one has no safe release".to_owned(),
        many => format!("; {} have no safe release", count(many as u64)),
    };
    format!(
        "Of {points} releases of {} records, {} are worth a look: no other has less risk without more loss{without}.",
        count(map.records),
        count(map.on_front() as u64)
    )
}

/// A point; on the front with its policy and the others that stand there.
fn row(html: &mut Html, point: &MapPoint<'_>, map: &MapPicture<'_>, others: Option<&[usize]>) {
    html.element("tr", &[], |html| {
        first_cells(html, point, map, others);
        let (risk, loss) = point.costs.map(|(risk, loss)| (percent(risk), percent(loss))).unwrap_or_default();
        html.leaf("td", &[], &risk);
        html.leaf("td", &[], &loss);
        let withheld = point.suppressed.map(|records| percent(share(records, map.records)));
        html.leaf("td", &[], &withheld.unwrap_or_default());
    });
}

/// The levels of a point, and who else stands at its place.
fn beside(point: &MapPoint<'_>, others: &[usize]) -> String {
    let levels = point.levels.iter().map(|(name, level)| format!("{name} {level}")).collect::<Vec<_>>().join(", ");
    let others = others.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let others = if others.is_empty() { others } else { format!(" (the same risk and loss: {others})") };
    format!(" {levels}{others}")
}

fn first_cells(html: &mut Html, point: &MapPoint<'_>, map: &MapPicture<'_>, others: Option<&[usize]>) {
    html.leaf("th", &[("scope", "row")], &point.place.to_string());
    html.element("td", &[], |html| {
        let method = map.methods.get(point.method).copied().unwrap_or_default();
        html.text(&format!("{method}, {}", point.parameters));
        if let Some(others) = others {
            html.element("p", &[("class", "parameters")], |html| {
                html.leaf("code", &[], &point.policy);
                html.leaf("small", &[], &beside(point, others));
            });
        }
    });
}

fn refusal(html: &mut Html, point: &MapPoint<'_>, map: &MapPicture<'_>) {
    if let Some(why_not) = point.why_not {
        html.element("tr", &[], |html| {
            first_cells(html, point, map, None);
            html.leaf("td", &[], why_not);
        });
    }
}
