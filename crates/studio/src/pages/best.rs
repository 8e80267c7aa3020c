//! Best release: the answer in full, with what every other level would cost.

use std::collections::BTreeMap;
use std::sync::Arc;

use equanym_core::report::Report;
use equanym_engine::run::alternatives::{Alternatives, VariablePrices};
use maud::{Markup, html};

use super::safety::strengths;
use crate::desk::{Answer, Ladders, Moment, SafeRelease};
use crate::number::{count, measure, percent, with_noun};
use crate::parts::answer::{beside, failed, going_on, numbers, said, waiting};
use crate::parts::figures::{before_and_after, class_sizes, detail_lost, figure, risks};
use crate::parts::ladder;
use crate::parts::text::{name, prose};

/// What the page shows.
pub(crate) struct BestAnswers {
    pub(crate) best: Answer<SafeRelease>,
    pub(crate) ladders: Answer<Arc<Ladders>>,
    pub(crate) prices: Answer<Arc<Alternatives>>,
    /// Another release beside the best, by its place.
    pub(crate) beside: Option<(usize, Answer<Arc<Report>>)>,
}

/// The page.
pub(crate) fn page(now: &Moment, shown: &BestAnswers) -> Markup {
    html! {
        (strengths(now, "/best"))
        section id="answer" class="best" data-live data-said=(said(&shown.best)) aria-label="The best release now" {
            @match &shown.best {
                Answer::Here(found) => (found_page(now, found, shown)),
                Answer::Failed(error) => { (failed(error)) (only_ladders(now, shown)) }
                Answer::Waiting(heard) => (waiting(&heard.told())),
            }
        }
    }
}

fn found_page(now: &Moment, found: &SafeRelease, shown: &BestAnswers) -> Markup {
    let report = &found.best;
    html! {
        (numbers(report, "number"))
        (going_on(found))
        @if let Some(choice) = &report.choice {
            p class="proof" {
                @if choice.optimal { "No safe release is better: " (count(choice.evaluated)) " of " (count(choice.lattice)) " combinations of levels were counted, the others cannot win." }
                @else if choice.place.is_some() { "Another than the best was chosen." }
            }
        }
        @if let Some(worth) = &report.worth { p class="lead" { (prose(&worth.sentence)) "." } }
        h2 { "Levels" }
        p class="facts" { "Press a rung to hold a column there; press it again to let it go." }
        (ladders(now, shown, Some(&found.best)))
        (order(now, shown, &found.best))
        (pictures(now, &found.best))
    }
}

fn only_ladders(now: &Moment, shown: &BestAnswers) -> Markup {
    html! { h2 { "Levels" } (ladders(now, shown, None)) }
}

fn ladders(now: &Moment, shown: &BestAnswers, best: Option<&Report>) -> Markup {
    let looks = match &shown.ladders {
        Answer::Here(looks) => looks,
        Answer::Failed(error) => return failed(error),
        Answer::Waiting(heard) => return waiting(&heard.told()),
    };
    let levels = |best: &Report| best.node.0.iter().cloned().collect::<BTreeMap<String, u8>>();
    let here = best.map(levels).unwrap_or_default();
    let there = match &shown.beside {
        Some((_, Answer::Here(other))) => levels(other),
        _ => BTreeMap::new(),
    };
    let prices = match &shown.prices {
        Answer::Here(prices) => Some(prices),
        _ => None,
    };
    let price = |one: &str| prices.and_then(|all| all.variables.iter().find(|variable| variable.name == *one));
    let nothing = VariablePrices { name: String::new(), levels: Vec::new() };
    // What cannot be priced is not waited for.
    let otherwise = if matches!(shown.prices, Answer::Failed(_)) { Some(&nothing) } else { None };
    html! {
        div class="ladders" {
            @for (column, look) in looks.iter() {
                @let place = now.table.look.columns.iter().position(|one| one.name == *column).unwrap_or_default();
                @match look {
                    Ok(look) => (ladder::ColumnLadder {
                        name: column,
                        column: place,
                        look,
                        here: here.get(column).copied(),
                        beside: there.get(column).copied(),
                        prices: price(column).or(otherwise),
                        back: "/best",
                    }.draw()),
                    Err(error) => article class="ladder" { header { h3 { a href={ "/columns/" (place) } { (name(column)) } } } (failed(error)) },
                }
            }
        }
    }
}

/// The safe releases in their order; one of them may be looked at beside the best, or taken.
fn order(now: &Moment, shown: &BestAnswers, best: &Report) -> Markup {
    let prices = match &shown.prices {
        Answer::Here(prices) => prices,
        Answer::Failed(_) => return html! {},
        Answer::Waiting(heard) => return html! { section { h2 { "Other safe releases" } (waiting(&heard.told())) } },
    };
    let chosen = now.version.policy.method.choose.unwrap_or(1);
    let other = shown.beside.as_ref().map(|(place, _)| *place);
    html! {
        section aria-labelledby="order-title" {
            h2 id="order-title" { "Other safe releases" }
            p class="facts" { "In exact order, the best first, by " (prices.minimised) "." }
            div class="scroll" tabindex="0" role="region" aria-labelledby="order-title" {
                table class="order" {
                    thead { tr {
                        th scope="col" { "place" } th scope="col" { "loss" } th scope="col" { "withheld" } th scope="col" { "smallest" }
                        @for variable in &prices.variables { th scope="col" { (name(&variable.name)) } }
                        th scope="col" { span class="unseen" { "look at it" } }
                    } }
                    tbody {
                        @for (place, node) in (1..).zip(&prices.alternatives) {
                            tr class=[(place == chosen).then_some("chosen")] {
                                th scope="row" { (place) }
                                td { (measure(node.loss)) @if let Some(share) = node.of_best.filter(|share| *share > 1.0) { " (+" (percent(share - 1.0)) ")" } }
                                td { (count(node.suppressed)) }
                                td { @if let Some(found) = node.found { (count(found.classes.min)) } }
                                @for (_, level) in &node.node.0 { td { (level) } }
                                td class="acts" {
                                    @if place != chosen {
                                        a href={ "/best?beside=" (place) "#beside" } aria-current=[(other == Some(place)).then_some("true")] { "beside" }
                                        form method="post" action="/edit" data-live-form {
                                            input type="hidden" name="what" value="choose"; input type="hidden" name="back" value="/best";
                                            button type="submit" class="link" name="place" value=(place) aria-label={ "take place " (place) } { "take" }
                                        }
                                    } @else { "taken" }
                                }
                            }
                        }
                    }
                }
            }
            @match &shown.beside {
                Some((place, Answer::Here(other))) => (beside(best, other, *place)),
                Some((_, Answer::Failed(error))) => (failed(error)),
                Some((_, Answer::Waiting(heard))) => (waiting(&heard.told())),
                None => "",
            }
        }
    }
}

fn pictures(now: &Moment, report: &Report) -> Markup {
    let unit = if report.persons.is_some() { "people" } else { "records" };
    html! {
        section aria-labelledby="before-title" {
            h2 id="before-title" { "Before and after" }
            div class="gallery" {
                (figure(&html! { "Risk of being recognised" }, &risks(report)))
                                    (figure(&html! { "Classes by their size " small { "who shares all recoded columns, in " (unit) } }, &class_sizes(report, &now.version.policy)))
                @if !report.pictured.kept.is_empty() { (figure(&html! { "Detail lost " small { "of what each column told" } }, &detail_lost(report))) }
            }
        }
        section aria-labelledby="values-title" {
            h2 id="values-title" { "Each column" }
            p class="facts" { "What " (with_noun(report.records, "record", "records")) " show now, and what the release would. For your eyes: it shows values." }
            div class="gallery" {
                @for column in &report.frequencies {
                    (figure(&html! { (name(&column.column)) small { (with_noun(column.values as u64, "value", "values")) ", " (with_noun(column.labels as u64, "label", "labels")) } }, &before_and_after(column)))
                }
            }
        }
    }
}
