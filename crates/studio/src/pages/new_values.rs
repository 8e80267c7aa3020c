//! New values instead of labels: the mark of a column, what goes with it, and what becomes of its values.

use equanym_core::method::{self, MethodMember};
use equanym_core::report::NewValuesReport;
use equanym_core::variable::Role;
use equanym_engine::policy::VariablePolicy;
use equanym_engine::run::live::NewValuesLook;
use maud::{Markup, html};

use crate::desk::{Answer, Moment};
use crate::number::{measure, percent};
use crate::parts::answer::{failed, waiting};
use crate::parts::figures::{changed, figure};
use crate::parts::forms::Control;
use crate::parts::text::{name, prose, sentence};

/// What a page shows of new values; nothing is asked where no column gets any.
pub(crate) type ChangedAnswer = Option<Answer<std::sync::Arc<NewValuesLook>>>;

/// The methods that give new values.
fn methods() -> impl Iterator<Item = &'static MethodMember> {
    method::ALL.iter().filter(|member| member.values().is_some())
}

/// Marking a column, and what follows from it.
pub(super) fn section(now: &Moment, place: usize, variable: &VariablePolicy, answer: &ChangedAnswer) -> Markup {
    if matches!(variable.role, Role::Identifying | Role::Pseudonym) {
        return html! {};
    }
    let marked = variable.marked.as_ref().map(|marked| marked.mark);
    html! {
        section aria-labelledby="values-title" {
            h2 id="values-title" { "New values instead of labels" }
            p class="facts" { "Every cell keeps a value, and it is another one. No guarantee covers such a column: what an intruder finds again is measured." }
            (mark(place, variable, marked))
            @if marked.is_some() {
                (domain(now, place, variable))
                (settings(now, place))
                section id="changed" data-live aria-label="What becomes of the values" { (outcome(&variable.name, answer)) }
            }
        }
    }
}

fn mark(place: usize, variable: &VariablePolicy, marked: Option<&str>) -> Markup {
    let kept = if variable.role == Role::QuasiIdentifying { "labels of its ladder" } else { "its values as collected" };
    html! {
        form method="post" action="/edit" class="controls" data-live-form {
            (hidden(place, "mark"))
            div class="control" {
                label for="mark" { "What is released" }
                select id="mark" name="mark" data-live-input {
                    option value="" selected[marked.is_none()] { (kept) }
                    @for (mark, card) in methods().filter_map(|member| Some((member.values()?.mark, &member.card))) {
                        option value=(mark) selected[marked == Some(mark)] { "new values by " (card.name) }
                    }
                }
            }
            noscript { button type="submit" { "Set" } }
        }
    }
}

fn hidden(place: usize, what: &str) -> Markup {
    html! {
        input type="hidden" name="what" value=(what); input type="hidden" name="column" value=(place);
        input type="hidden" name="back" value={ "/columns/" (place) };
    }
}

/// The lowest and the highest new value.
fn domain(now: &Moment, place: usize, variable: &VariablePolicy) -> Markup {
    let [low, high] = crate::desk::edit::domain(&now.version.text, &variable.name).unwrap_or_default();
    html! {
        form method="post" action="/edit" class="controls" data-live-form {
            (hidden(place, "domain"))
            div class="control" { label for="low" { "The lowest value that makes sense" } input type="text" id="low" name="low" value=(low) autocomplete="off"; }
            div class="control" { label for="high" { "The highest" } input type="text" id="high" name="high" value=(high) autocomplete="off"; }
            button type="submit" class="quiet" { "Set" }
        }
    }
}

/// The parameters of the method, for all its columns.
fn settings(now: &Moment, place: usize) -> Markup {
    let policy = &now.version.policy;
    let Some(member) = method::find(&policy.method.name) else { return html! {} };
    html! {
        details {
            summary { "How they are drawn, in all columns" }
            p class="facts" { (prose(&sentence(member.card.summary))) "." }
            form method="post" action="/edit" class="controls" data-live-form {
                (hidden(place, "method-parameters"))
                @for parameter in member.card.parameters {
                    (Control { id: format!("method-{}", parameter.name), parameter, value: policy.method.parameters.get(parameter.name), policy }.draw())
                }
                noscript { button type="submit" { "Set" } }
            }
        }
    }
}

fn outcome(column: &str, answer: &ChangedAnswer) -> Markup {
    match answer {
        Some(Answer::Here(look)) => found(column, look),
        Some(Answer::Failed(error)) => failed(error),
        Some(Answer::Waiting(heard)) => waiting(&heard.told()),
        None => html! {},
    }
}

fn found(column: &str, look: &NewValuesLook) -> Markup {
    html! {
        div class="gallery" {
            @if let Some(spread) = look.columns.iter().find(|one| one.name == column) {
                (figure(&html! { (name(column)) small { "how the values spread, before and after" } }, &changed(spread)))
            }
            (table("What an intruder finds again", &risks(column, &look.found)))
            (table("What is kept, and what changed", &kept(column, &look.found)))
        }
        @for line in &look.told { p class="facts" { (prose(&sentence(line.message.trim_end_matches('.')))) "." } }
    }
}

/// A number in words.
type Fact = (String, String);

fn table(caption: &str, facts: &[Fact]) -> Markup {
    html! {
        table class="new-values" {
            caption { (caption) }
            tbody { @for (words, number) in facts { tr { th scope="row" { (words) } td { (number) } } } }
        }
    }
}

/// What somebody who knows the original finds again in a column.
fn risks(column: &str, found: &NewValuesReport) -> Vec<Fact> {
    let linkage = found.linkage.columns.iter().find(|one| one.name == column);
    let of_column = linkage.into_iter().flat_map(|one| {
        let within = one.rank_within_segments.map(|share| ("linked by rank within segments", share));
        let others = [("within a twentieth of a deviation", one.interval), ("as collected", one.unchanged)];
        [("linked by rank", one.rank)].into_iter().chain(within).chain(others)
    });
    let distance = ("records linked by distance, all columns", found.linkage.distance.share);
    of_column.chain([distance]).map(|(words, share)| (words.to_owned(), percent(share))).collect()
}

/// What the method tells of a column, and how far its values moved.
fn kept(column: &str, found: &NewValuesReport) -> Vec<Fact> {
    let is_here = |of: &Option<String>| of.as_deref().is_none_or(|of| of == column);
    let facts = found.facts.iter().filter(|fact| is_here(&fact.of)).map(|fact| (fact.name.to_owned(), fact.value));
    let figures = found.utility.iter().flat_map(|one| one.figures.iter().map(|figure| (one.metric, figure)));
    let figures = figures.filter(|(_, one)| one.of.as_deref() == Some(column));
    let figures = figures.map(|(metric, one)| (format!("{metric}: {}", one.name), one.value));
    facts.chain(figures).map(|(words, value)| (words, measure(value))).collect()
}
