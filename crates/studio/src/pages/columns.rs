//! Columns: what each column is for, with the reason the draft had.

use equanym_core::variable::Role;
use maud::{Markup, html};

use crate::desk::{Answer, Ladders, Moment, SafeRelease};
use crate::number::{count, percent};
use crate::parts::answer::strip;
use crate::parts::text::{name, value};

/// Roles that are chosen here, each with what it means.
pub(crate) const ROLES: [(Role, &str, &str); 4] = [
    (Role::Identifying, "Identifying", "says by itself who somebody is; never released"),
    (Role::QuasiIdentifying, "Quasi-identifying", "others may know it about a person; released as coarse as it takes"),
    (Role::Sensitive, "Sensitive", "nobody may learn it about a known person; released as it is, guarded by a model"),
    (Role::Insensitive, "Insensitive", "neither known to others nor worth learning; released as it is"),
];

/// The page.
pub(crate) fn page(now: &Moment, answer: &Answer<SafeRelease>, ladders: &Answer<std::sync::Arc<Ladders>>) -> Markup {
    let policy = &now.version.policy;
    html! {
        (strip(answer))
        p class="lead" { "A wrong role releases what should stay: read each of them. The reasons are guesses about people the program knows nothing of." }
        dl class="roles" { @for (_, title, means) in ROLES { div { dt { (title) } dd { (means) } } } }
        (person(now))
        div class="columns" {
            @for (place, column) in now.table.look.columns.iter().enumerate() {
                @let proposal = now.table.look.draft.columns.get(place);
                @let role = policy.variables.iter().find(|one| one.name == column.name).map(|one| one.role);
                article class="column" id={ "column-" (place) } aria-labelledby={ "column-name-" (place) } {
                    div {
                        h2 id={ "column-name-" (place) } { (name(&column.name)) }
                        p class="facts" { @if let Some(proposal) = proposal { (first_upper(&proposal.reason)) "." } }
                        p class="facts examples" { @for (text, _) in column.frequent.iter().take(3) { (value(text)) " " } }
                    }
                    form method="post" action="/edit" data-live-form {
                        input type="hidden" name="what" value="role"; input type="hidden" name="column" value=(place);
                        input type="hidden" name="back" value="/columns";
                        label class="unseen" for={ "role-" (place) } { "Role of " (name(&column.name)) }
                        select id={ "role-" (place) } name="role" data-live-input class={ "role role-" (role.map(Role::name).unwrap_or_default()) } {
                            @for (one, title, _) in ROLES { option value=(one.name()) selected[role == Some(one)] { (title) } }
                            @if let Some(other) = role.filter(|role| ROLES.iter().all(|(one, ..)| one != role)) {
                                option value=(other.name()) selected { (other.name()) }
                            }
                        }
                        noscript { button type="submit" { "Set" } }
                    }
                    div class="rungs-short" { (short(place, &column.name, role, ladders)) }
                }
            }
        }
    }
}

/// A ladder in one line.
fn short(place: usize, column: &str, role: Option<Role>, ladders: &Answer<std::sync::Arc<Ladders>>) -> Markup {
    if role != Some(Role::QuasiIdentifying) {
        return html! {};
    }
    let look = match ladders {
        Answer::Here(ladders) => ladders.iter().find(|(one, _)| one == column).map(|(_, look)| look),
        _ => None,
    };
    html! {
        @match look {
            Some(Ok(look)) => a class="short-ladder" id={ "ladder-of-" (place) } href={ "/columns/" (place) } {
                span class="steps-up" {
                    @for rung in &look.rungs { span class="step-up" { @if let Some(example) = rung.examples.first() { (value(example)) } } }
                }
                span class="facts" {
                    (count(look.rungs.len() as u64)) " levels"
                    @if look.min > 0 || usize::from(look.max) + 1 < look.rungs.len() { ", " (look.min) " to " (look.max) " permitted" }
                    @if let Some(rung) = look.rungs.get(1) { "; level 1 keeps " (percent(rung.told)) " of the detail" }
                }
            },
            Some(Err(error)) => a href={ "/columns/" (place) } class="unsafe" { (error.message) },
            None => a href={ "/columns/" (place) } { "Its ladder" },
        }
    }
}

fn person(now: &Moment) -> Markup {
    let person = now.version.policy.person.as_deref();
    html! {
        form method="post" action="/edit" class="person" data-live-form {
            input type="hidden" name="what" value="person"; input type="hidden" name="back" value="/columns";
            div class="control" {
                label for="person" { "Who is one person " span { "where one may have several records" } }
                select id="person" name="column" data-live-input {
                    option value="" selected[person.is_none()] { "each record is one person" }
                    @for (place, column) in now.table.look.columns.iter().enumerate() {
                        option value=(place) selected[person == Some(column.name.as_str())] { (crate::parts::text::shown(&column.name)) }
                    }
                }
            }
            noscript { button type="submit" { "Set" } }
        }
    }
}

fn first_upper(text: &str) -> String {
    let mut characters = text.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}", characters.as_str())
}
