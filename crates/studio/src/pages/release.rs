//! Release: the folder is written, and the audit is shown check by check.

use std::path::Path;
use std::sync::Arc;

use equanym_engine::error::Error;
use maud::{Markup, html};

use crate::ask::QuestionProgress;
use crate::desk::{Answer, DeskRelease, Moment, SafeRelease};
use crate::parts::answer::{failed, numbers, strip, waiting};
use crate::parts::text::{prose, shown};

/// What became of the release that was asked for last.
pub(crate) enum LastRelease {
    Nothing,
    Working(Arc<QuestionProgress>),
    Failed(Error),
    Done(Arc<DeskRelease>),
}

/// The page.
pub(crate) fn page(now: &Moment, answer: &Answer<SafeRelease>, last: &LastRelease, out: &Path) -> Markup {
    html! {
        @match last {
            LastRelease::Working(heard) => section class="opening" {
                h2 { "Releasing" }
                (waiting(&heard.told()))
                form method="post" action="/stop" { button type="submit" class="quiet" id="stop" { "Stop" } }
            },
            LastRelease::Failed(error) => (failed(error)),
            LastRelease::Done(done) => (released(done)),
            LastRelease::Nothing => {},
        }
        // Right after a release its own numbers stand above.
        @if !matches!(last, LastRelease::Done(done) if done.text == now.version.text) { (strip(answer)) }
        section aria-labelledby="write-title" {
            h2 id="write-title" { "Write the release" }
            p { "The table is read again, the release is written beside it and audited by code that shares none with the search. It appears only if every check holds." }
            form method="post" action="/write" class="row" id="write-form" {
                label for="out" { "Folder" }
                input type="text" id="out" name="out" value=(out.to_string_lossy()) required autocomplete="off" spellcheck="false";
                button type="submit" id="write" { "Write and audit" }
            }
        }
        (text(now))
    }
}

fn released(done: &DeskRelease) -> Markup {
    html! {
        section class="released" id="released" aria-labelledby="released-title" {
            h2 id="released-title" { "Released and audited" }
            p { "In " code { (shown(&done.out.to_string_lossy())) } ": hand over " code { "public" } ", keep " code { "private" } "." }
            (numbers(&done.report, "done"))
            ul class="reports" {
                li { a class="button" href="/report/private" target="_blank" rel="noopener" { "Your report" } }
                li { a class="button quiet" href="/report/public" target="_blank" rel="noopener" { "The report to hand over" } }
                li { a class="button quiet" href="/report/manifest" target="_blank" rel="noopener" { "The manifest" } }
            }
            h3 { "What the audit checked" }
            ol class="checks" {
                @for check in &done.checks {
                    li class=(if check.passed { "passed" } else { "not-passed" }) {
                        span class="mark" aria-hidden="true" { @if check.passed { "✓" } @else { "✗" } }
                        span { strong { (check.name) } @if check.passed { span class="unseen" { ": holds" } } @else { span class="unseen" { ": does not hold" } }
                            span class="facts" { (prose(&check.claim)) } }
                    }
                }
            }
            @let warnings = done.report.checklist.warnings();
            @if !warnings.is_empty() {
                h3 { "Before you hand it over" }
                ul class="checklist" { @for warning in warnings { li { (prose(warning)) } } }
            }
            h3 { "The same again" }
            div class="command" { code id="released-command" tabindex="0" { (done.command) } button type="button" class="quiet" data-copy="released-command" { "Copy" } }
            p class="facts" { "The policy is kept in " code { (shown(&done.policy.to_string_lossy())) } "." }
        }
    }
}

/// The policy's text, which is the truth.
fn text(now: &Moment) -> Markup {
    let lines = now.version.text.lines().count().clamp(10, 40);
    html! {
        details class="text" {
            summary { "The policy as it stands" }
            form method="post" action="/edit" data-live-form {
                input type="hidden" name="what" value="text"; input type="hidden" name="back" value="/release";
                label for="text" { "Every page changes this text; you may, too" }
                textarea id="text" name="text" rows=(lines) spellcheck="false" { (now.version.text) }
                div class="row" { button type="submit" class="quiet" { "Use this text" } a href="/policy.toml" download="policy.toml" { "Download" } }
            }
        }
    }
}
