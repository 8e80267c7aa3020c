//! Map: every strength a point, risk against loss; a point's policy can be taken over.

use std::sync::Arc;

use equanym_engine::run::frontier::{Frontier, Outcome, Point};
use maud::{Markup, html};

use crate::desk::Answer;
use crate::number::{count, measure, percent};
use crate::parts::answer::{failed, waiting};
use crate::parts::figures::shown_picture;

/// The page.
pub(crate) fn page(map: &Answer<Arc<Frontier>>) -> Markup {
    html! {
        p class="lead" { "Every point is a release, computed exactly: what it would risk, and what it would lose. Points on the line are worth a look; for each grey one another is better. Press a point to take its policy over." }
        section id="answer" data-live aria-label="The map" {
            @match map {
                Answer::Here(map) => (found(map)),
                Answer::Failed(error) => (failed(error)),
                Answer::Waiting(heard) => (waiting(&heard.told())),
            }
        }
    }
}

/// The picture of the reports, and its points as tables.
fn found(map: &Frontier) -> Markup {
    let others = (0..map.points.len()).filter(|place| !map.front.contains(place)).collect::<Vec<_>>();
    html! {
        div class="map-drawing" data-map tabindex="0" role="region" aria-label="The map" { (shown_picture(&map.picture())) }
        h2 { "The front" }
        (table(map, &map.front, "The front"))
        @if !others.is_empty() { details { summary { "All others" } (table(map, &others, "All others")) } }
    }
}

fn table(map: &Frontier, places: &[usize], title: &str) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label=(title) {
            table class="order" {
                thead { tr { th scope="col" { "point" } th scope="col" { "method" } th scope="col" { "parameters" } th scope="col" { "risk" } th scope="col" { "loss" } th scope="col" { "withheld" } th scope="col" { "smallest class" } th scope="col" { span class="unseen" { "take it" } } } }
                tbody { @for place in places { @if let Some(point) = map.points.get(*place) { (row(*place, point)) } } }
            }
        }
    }
}

fn row(place: usize, point: &Point) -> Markup {
    let found = match &point.outcome {
        Outcome::Safe(found) => Some(found),
        Outcome::Unsafe(_) => None,
    };
    html! {
        tr {
            th scope="row" { (place) }
            td { (point.method()) @if let Some(linked) = point.linked() { " (found again by " (linked) ")" } } td { (point.in_words()) }
            td { @if let Some(place) = point.plotted { (percent(place.risk)) } @else { (point.why_unplotted.unwrap_or("not safe")) } }
            td { @if let Some(place) = point.plotted { (measure(place.loss)) } }
            td { @if let Some(found) = found { (count(found.suppressed)) } }
            td { @if let Some(found) = found { (count(found.classes.min)) } }
            td {
                @if found.is_some() {
                    form method="post" action="/edit" data-live-form {
                        input type="hidden" name="what" value="point"; input type="hidden" name="back" value="/best";
                        button type="submit" class="link" name="point" value=(place) id={ "point-" (place) } aria-label={ "take point " (place) } { "take" }
                    }
                }
            }
        }
    }
}
