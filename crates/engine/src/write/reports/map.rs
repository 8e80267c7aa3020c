//! The page of a risk–utility map: the picture, and all that it says as tables.

use maud::{Markup, html};

use super::page::{Frame, document, section, table};
use super::pictures::map::{MapPicture, MapPoint};
use crate::words::figure::{count, percent, share};
use crate::write::pen::PLOT;
use crate::write::pen::markup::paragraph;

/// The page.
pub(crate) fn html(map: &MapPicture<'_>) -> String {
    let (title, reader) = ("Risk–utility map", "For the owner of the data");
    let frame = Frame { title, reader, class: "private", style: PLOT };
    document(&frame, &body(map), &format!("Written by equanym {}.", env!("CARGO_PKG_VERSION")))
}

const WORDS: &str = "Every point is a release: what it would risk and lose is computed from the table, exactly. A point is on the \
                     front if no other has less of one without more of the other. The numbers depend on records that a release \
                     withholds: keep them.";

/// The columns of the tables of safe points.
const HEADINGS: [&str; 5] = ["point", "release", "risk", "loss", "withheld"];

fn body(map: &MapPicture<'_>) -> Markup {
    let unsafe_points = map.points.iter().filter(|point| point.why_not.is_some()).count();
    let front = map.front().map(|(point, others)| row(point, map, Some(others)));
    let front_caption = "From the least risk on. `equanym release` with the policy of a point makes its release.";
    let dominated: Vec<_> = map.points.iter().filter(|point| !point.on_front && point.costs.is_some()).collect();
    let unplotted: Vec<_> = map.points.iter().filter(|point| point.why_unplotted.is_some()).collect();
    let dominated_caption = "For each of them another point has less risk or less loss, and no more of the other.";
    html! {
        p class="lead" { (lead(map, unsafe_points)) }
        // A narrow window shows a part of it, and a keyboard reaches the rest.
        figure style="margin: 0; overflow-x: auto" tabindex="0" role="group" aria-label="The map" {
            (map.picture().markup())
        }
        (paragraph(WORDS))
        (section("The front", &table("points", front_caption, &HEADINGS, front)))
        @if !dominated.is_empty() {
            @let rows = dominated.iter().map(|point| row(point, map, None));
            (section("Dominated points", &table("points", dominated_caption, &HEADINGS, rows)))
        }
        @if !unplotted.is_empty() {
            @let rows = unplotted.iter().filter_map(|point| Some(reason(point, map, point.why_unplotted?)));
            (section("Without such a loss", &table("points", "", &["point", "release", "why"], rows)))
        }
        @if unsafe_points > 0 {
            @let rows = map.points.iter().filter_map(|point| refusal(point, map));
            (section("No safe release", &table("points", "", &["point", "release", "why"], rows)))
        }
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
fn row(point: &MapPoint<'_>, map: &MapPicture<'_>, others: Option<&[usize]>) -> Markup {
    let (risk, loss) = point.costs.map(|(risk, loss)| (percent(risk), percent(loss))).unwrap_or_default();
    let withheld = point.suppressed.map(|records| percent(share(records, map.records)));
    html! {
        tr { (first_cells(point, map, others)) td { (risk) } td { (loss) } td { (withheld.unwrap_or_default()) } }
    }
}

/// The levels of a point, and who else stands at its place.
fn beside(point: &MapPoint<'_>, others: &[usize]) -> String {
    let levels = point.levels.iter().map(|(name, level)| format!("{name} {level}")).collect::<Vec<_>>().join(", ");
    let others = others.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let others = if others.is_empty() { others } else { format!(" (the same risk and loss: {others})") };
    format!(" {levels}{others}")
}

fn first_cells(point: &MapPoint<'_>, map: &MapPicture<'_>, others: Option<&[usize]>) -> Markup {
    let method = map.methods.get(point.method).copied().unwrap_or_default();
    html! {
        th scope="row" { (point.place) }
        td {
            (method) @if !point.parameters.is_empty() { ", " (point.parameters) }
            @if let Some(linked) = &point.linked { " (found again by " (linked) ")" }
            @if let Some(others) = others {
                p class="parameters" { code { (point.policy) } small { (beside(point, others)) } }
            }
        }
    }
}

fn refusal(point: &MapPoint<'_>, map: &MapPicture<'_>) -> Option<Markup> {
    Some(reason(point, map, point.why_not?))
}

/// A point that has no place, and why.
fn reason(point: &MapPoint<'_>, map: &MapPicture<'_>, why: &str) -> Markup {
    html! { tr { (first_cells(point, map, None)) td { (why) } } }
}
