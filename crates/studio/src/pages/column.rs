//! One column: its ladder, drawn and edited.

use equanym_core::hierarchy::{Builder, DateFormat, DateGrain, library};
use equanym_core::variable::Role;
use equanym_engine::policy::VariablePolicy;
use equanym_engine::run::live::{ColumnLook, LadderLook};
use maud::{Markup, html};

use super::new_values::{self, ChangedAnswer};
use crate::desk::{Answer, Ladders, Moment, SafeRelease};
use crate::number::{count, percent};
use crate::parts::answer::{failed, strip};
use crate::parts::text::{name, shown, value};

/// The most values that are sorted into groups by hand.
const MOST_GROUPED: usize = 150;

/// The page.
pub(crate) fn page(
    now: &Moment,
    place: usize,
    answer: &Answer<SafeRelease>,
    ladders: &Answer<std::sync::Arc<Ladders>>,
    changed: &ChangedAnswer,
) -> Markup {
    let Some(column) = now.table.look.columns.get(place) else {
        return html! { p { "The table has no such column." } };
    };
    let Some(variable) = now.version.policy.variables.iter().find(|one| one.name == column.name) else {
        return html! {};
    };
    let look = match ladders {
        Answer::Here(ladders) => ladders.iter().find(|(one, _)| *one == column.name).map(|(_, look)| look),
        _ => None,
    };
    html! {
        p class="trail" { a href="/columns" { "All columns" } }
        h2 class="column-title" { (name(&column.name)) }
        (strip(answer))
        @if variable.role != Role::QuasiIdentifying {
            p class="lead" { "Only quasi-identifying columns climb a ladder. This one is " (variable.role.name()) "." }
        } @else if variable.marked.is_none() {
            @match look {
                Some(Ok(look)) => { (climb(look)) (bounds(place, look)) }
                Some(Err(error)) => (failed(error)),
                None => {},
            }
            (editor(place, column, variable))
        }
        (new_values::section(now, place, variable, changed))
    }
}

/// What each level makes of the most frequent values.
fn climb(look: &LadderLook) -> Markup {
    let rungs = (0..).zip(&look.rungs).collect::<Vec<(u8, _)>>();
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="The ladder" {
            table class="climb" {
                thead { tr { th scope="col" { "level" } th scope="col" { "labels" } th scope="col" { "detail kept" } th scope="col" colspan="3" { "what becomes of the most frequent values" } } }
                tbody {
                    @for (level, rung) in rungs.iter().rev() {
                        tr class=[(*level < look.min || *level > look.max).then_some("is-out")] {
                            th scope="row" { (level) " " span class="facts" { (rung.words) } }
                            td { (count(rung.labels as u64)) }
                            td { (percent(rung.told)) }
                            @for example in &rung.examples { td { (value(example)) } }
                        }
                    }
                }
            }
        }
    }
}

fn bounds(place: usize, look: &LadderLook) -> Markup {
    let top = look.rungs.len().saturating_sub(1);
    html! {
        form method="post" action="/edit" class="controls" data-live-form {
            input type="hidden" name="what" value="levels"; input type="hidden" name="column" value=(place);
            input type="hidden" name="back" value={ "/columns/" (place) };
            div class="control" {
                label for="min" { "Never finer than level" }
                select id="min" name="min" data-live-input { @for level in 0..=top { option value=(level) selected[level == usize::from(look.min)] { (level) } } }
            }
            div class="control" {
                label for="max" { "Never coarser than level" }
                select id="max" name="max" data-live-input { @for level in 0..=top { option value=(level) selected[level == usize::from(look.max)] { (level) @if level == top { " (the top)" } } } }
            }
            noscript { button type="submit" { "Set" } }
        }
    }
}

/// How a ladder is made, as the controls show it.
struct LadderMaking {
    kind: &'static str,
    /// Numbers or words, one for each level.
    steps: String,
    format: String,
}

impl LadderMaking {
    fn from_builder(builder: &Builder) -> Self {
        let joined = |steps: Vec<String>| steps.join(", ");
        let (kind, steps, format) = match builder {
            Builder::Intervals { widths, .. } => ("intervals", joined(widths.clone()), String::new()),
            Builder::Prefix { keep } => {
                ("prefix", joined(keep.iter().map(ToString::to_string).collect()), String::new())
            }
            Builder::Date { grains, format } => {
                ("date", joined(grains.iter().map(|grain| grain.name().to_owned()).collect()), format.name().to_owned())
            }
            Builder::Rare { below, .. } => {
                ("rare", joined(below.iter().map(ToString::to_string).collect()), String::new())
            }
            Builder::Library(library) => ("library", library.card.name.to_owned(), String::new()),
            Builder::None => ("none", String::new(), String::new()),
            Builder::File(_) => ("file", String::new(), String::new()),
            _ => ("groups", String::new(), String::new()),
        };
        Self { kind, steps, format }
    }
}

fn editor(place: usize, column: &ColumnLook, variable: &VariablePolicy) -> Markup {
    let making = LadderMaking::from_builder(&variable.hierarchy);
    html! {
        section aria-labelledby="editor-title" {
            h2 id="editor-title" { "How the ladder is made" }
            div class="makings" {
                (steps(place, &making, &Kind { kind: "intervals", title: "Bands of numbers", label: "Widths, from fine to coarse", example: "5, 10, 20" }))
                (steps(place, &making, &Kind { kind: "prefix", title: "First characters", label: "How many stay at each level", example: "4, 3, 2" }))
                (dates(place, &making))
                (steps(place, &making, &Kind { kind: "rare", title: "Rare values", label: "Values in fewer records than this become “other”", example: "5, 20, 80" }))
                (libraries(place, &making))
                (plain(place, &making, column))
                (file(place, &making))
            }
        }
        (groups(place, column, variable))
    }
}

/// A ladder that is made of numbers.
#[allow(clippy::struct_field_names)] // it is the word of the policy
struct Kind {
    kind: &'static str,
    title: &'static str,
    label: &'static str,
    example: &'static str,
}

fn steps(place: usize, making: &LadderMaking, one: &Kind) -> Markup {
    let is_this = making.kind == one.kind;
    let id = format!("ladder-{}", one.kind);
    html! {
        form method="post" action="/edit" class={ "making" @if is_this { " is-this" } } data-live-form {
            (hidden(place, one.kind))
            h3 { (one.title) }
            label for=(id) { (one.label) }
            div class="row" {
                input type="text" id=(id) name="steps" value=(if is_this { making.steps.as_str() } else { "" }) placeholder=(one.example) autocomplete="off" inputmode="decimal";
                button type="submit" class="quiet" { "Use" }
            }
        }
    }
}

fn hidden(place: usize, kind: &str) -> Markup {
    html! {
        input type="hidden" name="what" value="ladder"; input type="hidden" name="column" value=(place);
        input type="hidden" name="kind" value=(kind); input type="hidden" name="back" value={ "/columns/" (place) };
    }
}

fn dates(place: usize, making: &LadderMaking) -> Markup {
    let is_this = making.kind == "date";
    html! {
        form method="post" action="/edit" class={ "making" @if is_this { " is-this" } } data-live-form {
            (hidden(place, "date"))
            h3 { "Dates" }
            fieldset {
                legend { "What stays at each level" }
                @for grain in DateGrain::ALL.map(DateGrain::name) {
                    label class="tick" { input type="checkbox" name="grain" value=(grain) checked[is_this && making.steps.split(", ").any(|one| one == grain)]; " " (grain) }
                }
            }
            label for="format" { "How dates are written" }
            div class="row" {
                select id="format" name="format" { @for format in DateFormat::ALL.map(DateFormat::name) { option value=(format) selected[format == making.format] { (format) } } }
                button type="submit" class="quiet" { "Use" }
            }
        }
    }
}

fn libraries(place: usize, making: &LadderMaking) -> Markup {
    html! {
        form method="post" action="/edit" class={ "making" @if making.kind == "library" { " is-this" } } data-live-form {
            (hidden(place, "library"))
            h3 { "A classification" }
            label for="library" { "One that everybody shares" }
            div class="row" {
                select id="library" name="steps" { @for one in library::ALL { option value=(one.card.name) selected[one.card.name == making.steps] { (one.card.name) } } }
                button type="submit" class="quiet" { "Use" }
            }
        }
    }
}

fn plain(place: usize, making: &LadderMaking, column: &ColumnLook) -> Markup {
    html! {
        form method="post" action="/edit" class={ "making" @if making.kind == "none" { " is-this" } } data-live-form {
            (hidden(place, "none"))
            h3 { "All or nothing" }
            p { "The value as collected, or " code { "*" } "." }
            div class="row" {
                button type="submit" class="quiet" { "Use" }
                @if let Some(ladder) = &column.ladder {
                    button type="submit" class="quiet" name="kind" value="draft" title=(shown(ladder)) { "Use the drafted one" }
                }
            }
        }
    }
}

fn file(place: usize, making: &LadderMaking) -> Markup {
    html! {
        div class={ "making drop" @if making.kind == "file" { " is-this" } } data-drop={ "/ladder?column=" (place) } {
            h3 { "A file" }
            p { "One line for each value: the value, then its labels from fine to coarse, as ARX writes it. Drop it here." }
            p { label class="button quiet" for="ladder-file" { "Choose a file" } input type="file" id="ladder-file" class="file" accept=".csv,.txt" data-upload={ "/ladder?column=" (place) }; }
            p class="waiting" data-uploading hidden role="status" {}
        }
    }
}

/// The groups of the first level, if the ladder is made of groups.
pub(crate) fn grouped(variable: &VariablePolicy) -> Vec<(String, Vec<String>)> {
    match &variable.hierarchy {
        Builder::Groups { levels } => levels.first().cloned().unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Values, each in its group; by hand, by keyboard, or by dragging.
fn groups(place: usize, column: &ColumnLook, variable: &VariablePolicy) -> Markup {
    let groups = grouped(variable);
    if column.more || column.values.len() > MOST_GROUPED {
        return html! {};
    }
    let group_of = |text: &str| {
        groups.iter().find(|(_, values)| values.iter().any(|one| one == text)).map(|(label, _)| label.as_str())
    };
    html! {
        section class="groups" aria-labelledby="groups-title" {
            h2 id="groups-title" { "Groups" }
            p class="facts" { "Drag a value into a group, or choose its group. A group of one value is the value itself." }
            form method="post" action="/edit" class="row new-group" data-live-form {
                input type="hidden" name="what" value="new-group"; input type="hidden" name="column" value=(place); input type="hidden" name="back" value={ "/columns/" (place) };
                label for="group-name" { "A new group" }
                select name="value" aria-label="Its first value" { @for (number, (text, _)) in column.values.iter().enumerate() { option value=(number) { (shown(text)) } } }
                input type="text" id="group-name" name="label" required maxlength="100" autocomplete="off";
                button type="submit" class="quiet" { "Make" }
            }
            div class="group-boxes" {
                @for (label, _) in std::iter::once((String::new(), Vec::new())).chain(groups.iter().cloned()) {
                    @let members: Vec<(usize, &(String, u64))> = column.values.iter().enumerate().filter(|(_, (text, _))| group_of(text).unwrap_or_default() == label).collect();
                    div class="group-box" data-group=(label) data-column=(place) {
                        h3 { @if label.is_empty() { "in no group" } @else { (name(&label)) } }
                        ul {
                            @for (number, (text, records)) in members {
                                li draggable="true" data-value=(number) {
                                    (value(text)) " " span class="facts" { (count(*records)) }
                                    form method="post" action="/edit" data-live-form {
                                        input type="hidden" name="what" value="group"; input type="hidden" name="column" value=(place);
                                        input type="hidden" name="value" value=(number); input type="hidden" name="back" value={ "/columns/" (place) };
                                        select name="label" data-live-input aria-label={ "group of " (shown(text)) } id={ "group-" (number) } {
                                            option value="" selected[label.is_empty()] { "no group" }
                                            @for (other, _) in &groups { option value=(other) selected[*other == label] { (shown(other)) } }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
