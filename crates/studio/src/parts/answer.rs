//! The answer of this moment: what the best release is, in few numbers. It stands on every page on which something can be changed.

use equanym_core::report::Report;
use equanym_engine::error::Error;
use maud::{Markup, html};

use super::text::{name, prose, sentence};
use crate::desk::{Answer, SafeRelease};
use crate::number::{count, percent};

/// The answer in a sentence, for those who hear the page.
pub(crate) fn said(answer: &Answer<SafeRelease>) -> String {
    match answer {
        Answer::Here(found) => {
            let report = &found.best;
            let (withheld, risk) = (count(report.suppressed), percent(report.risk.prosecutor_max));
            format!(
                "Best release: {} of {} records, {withheld} withheld, highest risk {risk}",
                count(report.released),
                count(report.records)
            )
        }
        Answer::Failed(error) => error.message.clone(),
        Answer::Waiting(heard) => heard.told(),
    }
}

/// The answer, or how far it is, or why there is none.
pub(crate) fn strip(answer: &Answer<SafeRelease>) -> Markup {
    html! {
        section id="answer" class="answer" data-live data-said=(said(answer)) aria-label="The best release now" {
            (short(answer))
        }
    }
}

fn short(answer: &Answer<SafeRelease>) -> Markup {
    match answer {
        Answer::Here(found) => html! {
            (numbers(&found.best, "number"))
            (levels(&found.best))
            (going_on(found))
        },
        Answer::Failed(error) => failed(error),
        Answer::Waiting(heard) => waiting(&heard.told()),
    }
}

/// The numbers that people look at first; the prefix tells those of one place from others.
pub(crate) fn numbers(report: &Report, prefix: &str) -> Markup {
    let share = report.released as f64 / report.records.max(1) as f64;
    let before = report.original.as_ref();
    html! {
        dl class="numbers" {
            div { dt { "released" } dd id={ (prefix) "-released" } { (percent(share)) }
                dd class="more" { (count(report.released)) " of " (count(report.records)) " records" } }
            div { dt { "withheld" } dd id={ (prefix) "-withheld" } { (count(report.suppressed)) }
                dd class="more" { (percent(1.0 - share)) " of the records" } }
            div { dt { "smallest class" } dd id={ (prefix) "-smallest" } { (count(report.classes.min)) }
                @if let Some(before) = before { dd class="more" { "was " (count(before.classes.min)) } } }
            div { dt { "highest risk" } dd id={ (prefix) "-risk" } { (percent(report.risk.prosecutor_max)) }
                @if let Some(before) = before { dd class="more" { "was " (percent(before.risk.prosecutor_max)) } } }
            @if let Some(choice) = &report.choice {
                div { dt { "detail kept" } dd id={ (prefix) "-detail" } { (percent((1.0 - choice.loss.share).max(0.0))) }
                    dd class="more" { "by " (choice.loss.name) } }
            }
        }
    }
}

/// The level of each column, in one line.
fn levels(report: &Report) -> Markup {
    html! {
        @if !report.node.0.is_empty() {
            p class="levels" {
                @for (column, level) in &report.node.0 { span class="level" { (name(column)) " " b { (level) } } " " }
            }
        }
    }
}

/// What is still searched for.
pub(crate) fn going_on(found: &SafeRelease) -> Markup {
    let gap = found.best.choice.as_ref().filter(|choice| !choice.optimal).and_then(|choice| choice.gap);
    html! {
        @if let Some(heard) = &found.goes_on {
            p class="waiting" role="status" {
                span class="spinner" aria-hidden="true" {}
                "Best so far"
                @if let Some(gap) = gap { ", at most " (percent(gap)) " off the best" }
                ". The search goes on: " span data-progress { (heard.told()) } "."
            }
        } @else if let Some(gap) = gap.filter(|gap| *gap > 0.0) {
            p class="waiting" { "At most " (percent(gap)) " off the best." }
        }
    }
}

/// How far something is.
pub(crate) fn waiting(told: &str) -> Markup {
    html! { p class="waiting" role="status" data-waiting { span class="spinner" aria-hidden="true" {} span data-progress { (told) } } }
}

/// Why there is nothing.
pub(crate) fn failed(error: &Error) -> Markup {
    html! {
        div class="failed" role="alert" {
            p { strong { (prose(&sentence(&error.message))) } }
            @if let Some(hint) = &error.hint { p class="hint" { (prose(&sentence(hint))) } }
        }
    }
}

/// Words, and what a release has to say.
type Row = (&'static str, fn(&Report) -> String);

/// Two releases beside each other.
pub(crate) fn beside(best: &Report, other: &Report, place: usize) -> Markup {
    let rows: [Row; 5] = [
        ("records withheld", |report| count(report.suppressed)),
        ("classes", |report| count(report.classes.count)),
        ("smallest class", |report| count(report.classes.min)),
        ("highest risk", |report| percent(report.risk.prosecutor_max)),
        ("mean risk", |report| percent(report.risk.prosecutor_mean)),
    ];
    let loss = |report: &Report| report.choice.as_ref().map(|choice| percent(choice.loss.share)).unwrap_or_default();
    html! {
        table id="beside" class="beside" {
            caption { "The best release and the one in place " (place) }
            thead { tr { td {} th scope="col" { "best" } th scope="col" { "place " (place) } } }
            tbody {
                tr { th scope="row" { "detail lost" } td { (loss(best)) } td { (loss(other)) } }
                @for (words, told) in rows {
                    tr { th scope="row" { (words) } td { (told(best)) } td { (told(other)) } }
                }
                @for ((column, level), (_, there)) in best.node.0.iter().zip(&other.node.0) {
                    tr class=[(level != there).then_some("differs")] {
                        th scope="row" { "level of " (name(column)) } td { (level) } td { (there) }
                    }
                }
            }
        }
    }
}
