//! What surrounds every page: where one is, what lies on the desk, and the command that does the same.

use maud::{DOCTYPE, Markup, html};

use crate::desk::{Moment, Note, command};
use crate::number::with_noun;
use crate::parts::answer::failed;
use crate::parts::text::{prose, shown};

/// The pages, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    Table,
    Columns,
    Safety,
    Best,
    Balance,
    Map,
    Release,
}

impl Page {
    const ALL: [Self; 7] =
        [Self::Table, Self::Columns, Self::Safety, Self::Best, Self::Balance, Self::Map, Self::Release];

    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Table => "/table",
            Self::Columns => "/columns",
            Self::Safety => "/safety",
            Self::Best => "/best",
            Self::Balance => "/balance",
            Self::Map => "/map",
            Self::Release => "/release",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Table => "Table",
            Self::Columns => "Columns",
            Self::Safety => "Safety",
            Self::Best => "Best release",
            Self::Balance => "Balance",
            Self::Map => "Map",
            Self::Release => "Release",
        }
    }

    fn next(self) -> Option<Self> {
        let place = Self::ALL.iter().position(|page| *page == self)?;
        Self::ALL.get(place + 1).copied()
    }
}

/// A page and what it is told.
pub(crate) struct Sheet<'a> {
    pub(crate) page: Page,
    pub(crate) now: Option<&'a Moment>,
    pub(crate) note: Option<Note>,
    /// Where a release would go.
    pub(crate) out: std::path::PathBuf,
    /// Whether the page shows something that will change by itself.
    pub(crate) is_waiting: bool,
}

impl Sheet<'_> {
    /// The whole page around its content.
    pub(crate) fn around(&self, content: &Markup) -> Markup {
        let title = self.page.title();
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) " · equanym studio" }
                    link rel="stylesheet" href="/assets/studio.css";
                    link rel="icon" href="/assets/sign.svg" type="image/svg+xml";
                    script src="/assets/studio.js" defer {}
                }
                body data-page=(self.page.path()) data-waiting[self.is_waiting] {
                    a class="skip" href="#page" { "Skip to the page" }
                    p id="said" class="unseen" role="status" {}
                    (self.head())
                    (self.ways())
                    main id="page" tabindex="-1" {
                        h1 { (title) }
                        (self.told())
                        (content)
                        (self.onward())
                    }
                    (self.bar())
                }
            }
        }
    }

    fn head(&self) -> Markup {
        html! {
            header class="top" {
                a class="brand" href="/table" { img src="/assets/sign.svg" alt="" width="26" height="26"; span { "equanym " em { "studio" } } }
                @if let Some(now) = self.now {
                    p class="what" { bdi { (shown(&now.table.name())) } " · " (with_noun(now.table.look.draft.records, "record", "records")) }
                    div class="steps" id="steps" data-live {
                        (step("/undo", "Undo", now.can_undo, self.page))
                        (step("/redo", "Redo", now.can_redo, self.page))
                    }
                }
            }
        }
    }

    fn ways(&self) -> Markup {
        html! {
            nav aria-label="Pages" {
                ol {
                    @for (place, page) in (1..).zip(Page::ALL) {
                        li {
                            a href=(page.path()) aria-current=[(page == self.page).then_some("page")] {
                                span class="place" aria-hidden="true" { (place) } (page.title())
                            }
                        }
                    }
                }
            }
        }
    }

    fn told(&self) -> Markup {
        html! {
            div id="note" data-live {
                @match &self.note {
                    Some(Note::Done(words)) => p class="done" role="status" { (words) },
                    Some(Note::Failed(error)) => (failed(error)),
                    None => "",
                }
            }
        }
    }

    fn onward(&self) -> Markup {
        html! {
            @if let (Some(next), Some(_)) = (self.page.next(), self.now) {
                p class="onward" { a class="button" id="next" href=(next.path()) { "Next: " (next.title()) } }
            }
        }
    }

    /// The command that does the same.
    fn bar(&self) -> Markup {
        html! {
            footer id="bar" class="bar" data-live {
                @if let Some(now) = self.now {
                    p class="same" { "The same on the command line" }
                    div class="command" {
                        code id="command" tabindex="0" { (command(now, &self.out)) }
                        button type="button" class="quiet" data-copy="command" { "Copy" }
                    }
                    @if let Some(caution) = now.table.caution() { p class="caution" { (prose(&caution)) } }
                    form method="post" action="/keep" data-live-form {
                        input type="hidden" name="back" value=(self.page.path());
                        @let path = now.policy.to_string_lossy();
                        @if now.is_kept { span class="kept" { "Policy kept in " code { (shown(&path)) } } }
                        @else { button type="submit" class="quiet" id="keep" { "Keep the policy in " code { (shown(&path)) } } }
                    }
                } @else {
                    p class="same" { "Nothing leaves this machine: the studio is served to this browser only." }
                }
            }
        }
    }
}

fn step(path: &str, words: &str, is_possible: bool, page: Page) -> Markup {
    html! {
        form method="post" action=(path) data-live-form {
            input type="hidden" name="back" value=(page.path());
            button type="submit" class="quiet" id=(words.to_lowercase()) aria-disabled=[(!is_possible).then_some("true")] { (words) }
        }
    }
}
