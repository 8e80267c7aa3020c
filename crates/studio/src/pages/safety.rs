//! Safety: what a release must promise, as forms that the cards of the models make.

use equanym_core::card::{Card, Kind, Parameter};
use equanym_core::variable::Role;
use equanym_core::{loss, method, privacy, search};
use equanym_engine::policy::PrivacyPolicy;
use maud::{Markup, html};

use crate::desk::{Answer, Moment, SafeRelease};
use crate::number::percent;
use crate::parts::answer::strip;
use crate::parts::forms::{Control, Slider};
use crate::parts::text::prose;

/// The page.
pub(crate) fn page(now: &Moment, answer: &Answer<SafeRelease>) -> Markup {
    let policy = &now.version.policy;
    html! {
        (strip(answer))
        p class="lead" { "A release must keep every promise below. Records that share the labels of all quasi-identifying columns form a class: by these labels nobody in it can be told from the others. What coarser labels cannot keep is kept by withholding records." }
        div class="models" {
            @for (place, model) in policy.privacy.iter().enumerate() {
                @if !is_preset(now, model) { (promised(now, place, model)) }
            }
        }
        (presets(now))
        (adding(now))
        (limit(now, "/safety"))
        (means(now))
    }
}

/// Whether a preset asks for a model: its numbers are not to be moved.
fn is_preset(now: &Moment, model: &PrivacyPolicy) -> bool {
    now.version.policy.presets.iter().any(|preset| preset.line == model.line)
}

/// The card of a model.
fn card_of(model: &PrivacyPolicy) -> Option<&'static Card> {
    privacy::find(&model.model).map(|member| &member.card)
}

/// Parameters that are in effect: some go with a word of another.
fn in_effect<'c>(card: &'c Card, model: &PrivacyPolicy) -> Vec<&'c Parameter> {
    card.parameters.iter().filter(|one| model.parameters.contains_key(one.name)).collect()
}

fn promised(now: &Moment, place: usize, model: &PrivacyPolicy) -> Markup {
    let Some(card) = card_of(model) else { return html! {} };
    let title = format!("model-{place}");
    html! {
        article class="model" aria-labelledby=(title) {
            header {
                h2 id=(title) { (card.name) }
                form method="post" action="/edit" data-live-form {
                    input type="hidden" name="what" value="remove-model"; input type="hidden" name="back" value="/safety";
                    button type="submit" class="quiet" name="model" value=(place) aria-label={ "remove " (card.name) } { "Remove" }
                }
            }
            p class="promise" { (sentence(card.summary)) }
            (controls(now, place, model, "/safety"))
            details { summary { "What it does not promise" } p { (prose(card.about)) } p class="source" { (card.source) } }
        }
    }
}

/// The parameters of a model.
fn controls(now: &Moment, place: usize, model: &PrivacyPolicy, back: &str) -> Markup {
    let Some(card) = card_of(model) else { return html! {} };
    html! {
        form method="post" action="/edit" class="controls" id={ "form-model-" (place) } data-live-form {
            input type="hidden" name="what" value="model"; input type="hidden" name="model" value=(place);
            input type="hidden" name="back" value=(back);
            @for parameter in in_effect(card, model) {
                (Control { id: format!("model-{place}-{}", parameter.name), parameter, value: model.parameters.get(parameter.name), policy: &now.version.policy }.draw())
            }
            noscript { button type="submit" { "Set" } }
        }
    }
}

/// What can be made stronger or weaker, in short; for the page on which one watches.
pub(crate) fn strengths(now: &Moment, back: &str) -> Markup {
    let is_numeric = |kind: Kind| {
        matches!(
            kind,
            Kind::Integer { .. } | Kind::Share | Kind::PositiveShare | Kind::UpTo(_) | Kind::Above(_) | Kind::Number
        )
    };
    html! {
        section class="strengths" aria-label="How strong" {
            @for (place, model) in now.version.policy.privacy.iter().enumerate() {
                @if let Some(card) = card_of(model).filter(|_| !is_preset(now, model)) {
                    form method="post" action="/edit" class="strength" data-live-form {
                        input type="hidden" name="what" value="model"; input type="hidden" name="model" value=(place);
                        input type="hidden" name="back" value=(back);
                        @for parameter in in_effect(card, model).into_iter().filter(|one| is_numeric(inner(one.kind))) {
                            (strength(now, place, model, card, parameter))
                        }
                    }
                }
            }
            (limit(now, back))
        }
    }
}

fn strength(now: &Moment, place: usize, model: &PrivacyPolicy, card: &Card, parameter: &Parameter) -> Markup {
    let control = Control {
        id: format!("strength-{place}-{}", parameter.name),
        parameter,
        value: model.parameters.get(parameter.name),
        policy: &now.version.policy,
    };
    html! {
        div class="control" {
            label for=(control.id) { (card.name) " " code { (parameter.name) } }
            (control.input_alone())
        }
    }
}

fn inner(kind: Kind) -> Kind {
    match kind {
        Kind::WithChoice { kind, .. } => inner(*kind),
        kind => kind,
    }
}

/// The share of records that may be withheld.
fn limit(now: &Moment, back: &str) -> Markup {
    let limit = now.version.policy.method.suppression_limit;
    html! {
        form method="post" action="/edit" class="strength" data-live-form {
            input type="hidden" name="what" value="limit"; input type="hidden" name="back" value=(back);
            div class="control" {
                label for="limit" { "At most this share may be withheld" }
                (Slider { id: "limit", name: "limit", bounds: (0.0, 0.3, 0.005), value: limit, told: percent(limit) }.draw())
            }
            noscript { button type="submit" { "Set" } }
        }
    }
}

/// What rules and guidance ask for: those that the policy names, and those that it could.
fn presets(now: &Moment) -> Markup {
    let named = &now.version.policy.presets;
    html! {
        section class="adding" {
            h2 { "Presets" }
            p class="facts" { "What rules and guidance ask for. A preset is no legal advice." }
            @for (place, one) in named.iter().enumerate() {
                article class="model" {
                    header {
                        h3 { (one.preset.card.name) }
                        form method="post" action="/edit" data-live-form {
                            input type="hidden" name="what" value="remove-preset"; input type="hidden" name="back" value="/safety";
                            button type="submit" class="quiet" name="preset" value=(place) aria-label={ "remove " (one.preset.card.name) } { "Remove" }
                        }
                    }
                    p class="promise" { (sentence(one.preset.card.summary)) }
                    ul class="facts" { @for line in one.preset.lines() { li { (prose(&line)) } } }
                    p class="source" { (one.preset.card.source) }
                }
            }
            ul class="offers" {
                @for preset in privacy::preset::ALL {
                    @if named.iter().all(|one| one.preset.card.name != preset.card.name) {
                        li {
                            form method="post" action="/edit" data-live-form {
                                input type="hidden" name="what" value="add-preset"; input type="hidden" name="back" value="/safety";
                                button type="submit" class="offer" name="preset" value=(preset.card.name) {
                                    strong { (preset.card.name) } span { (sentence(preset.card.summary)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn adding(now: &Moment) -> Markup {
    let has_sensitive = now.version.policy.of_role(Role::Sensitive).next().is_some();
    let needs_sensitive = |card: &Card| {
        card.parameters.iter().any(|one| one.default.is_none() && matches!(one.kind, Kind::SensitiveVariable))
    };
    html! {
        section class="adding" {
            h2 { "Ask for more" }
            ul class="offers" {
                @for member in privacy::ALL {
                    @if has_sensitive || !needs_sensitive(&member.card) {
                        li {
                            form method="post" action="/edit" data-live-form {
                                input type="hidden" name="what" value="add-model"; input type="hidden" name="back" value="/safety";
                                button type="submit" class="offer" name="model" value=(member.card.name) {
                                    strong { (member.card.name) } span { (sentence(member.card.summary)) }
                                }
                            }
                        }
                    }
                }
            }
            @if !has_sensitive { p class="facts" { "More models guard sensitive columns; none is sensitive." } }
        }
    }
}

/// How the best is found.
fn means(now: &Moment) -> Markup {
    let method = &now.version.policy.method;
    let select = |label: &str, key: &str, chosen: &str, cards: Vec<&'static Card>| {
        html! {
            div class="control" {
                label for={ "method-" (key) } { (label) }
                select id={ "method-" (key) } name=(key) data-live-input {
                    @for card in &cards { option value=(card.name) selected[card.name == chosen] { (card.name) } }
                }
                @if let Some(card) = cards.iter().find(|card| card.name == chosen) { p class="facts" { (sentence(card.summary)) } }
            }
        }
    };
    html! {
        details class="means" {
            summary { "How the best release is found" }
            form method="post" action="/edit" class="controls" data-live-form {
                input type="hidden" name="what" value="method"; input type="hidden" name="back" value="/safety";
                (select("What is lost, and shall be little", "loss", &method.loss, loss::ALL.iter().map(|member| &member.card).collect()))
                (select("Who searches", "search", &method.search, search::ALL.iter().map(|member| &member.card).collect()))
                (select("What happens to the columns", "name", &method.name, method::ALL.iter().map(|member| &member.card).collect()))
                noscript { button type="submit" { "Set" } }
            }
        }
    }
}

/// A line of a card as a sentence.
fn sentence(line: &str) -> String {
    let mut characters = line.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if line.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", characters.as_str())
}
