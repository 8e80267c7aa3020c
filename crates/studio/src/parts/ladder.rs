//! A column's ladder, the way people choose a level: the value as collected at the foot, the single label for all at the head.
//!
//! Each rung is a button that holds the column there, or lets it go again. Beside it stands what it would cost: the price is that
//! of the best safe release with the column on this rung, so it is exact; a rung that is not permitted has one, too.

use equanym_engine::run::alternatives::{LevelPrice, VariablePrices};
use equanym_engine::run::live::{LadderLook, RungLook};
use maud::{Markup, html};

use super::text::{name, value};
use crate::number::{count, percent};

/// A ladder with what is known about its rungs.
pub(crate) struct ColumnLadder<'a> {
    pub(crate) name: &'a str,
    /// The place of the column in the table.
    pub(crate) column: usize,
    pub(crate) look: &'a LadderLook,
    /// The rung of the best release.
    pub(crate) here: Option<u8>,
    /// The rung of the release beside it.
    pub(crate) beside: Option<u8>,
    /// What each rung costs, where that is known by now.
    pub(crate) prices: Option<&'a VariablePrices>,
    /// Where the change leads back to.
    pub(crate) back: &'a str,
}

impl ColumnLadder<'_> {
    /// The ladder.
    pub(crate) fn draw(&self) -> Markup {
        let title = format!("ladder-{}", self.column);
        let rungs = (0_u8..).zip(&self.look.rungs).collect::<Vec<_>>();
        html! {
            article class="ladder" aria-labelledby=(title) {
                header {
                    h3 id=(title) { a href={ "/columns/" (self.column) } { (name(self.name)) } }
                    p { (self.told()) }
                }
                form method="post" action="/edit" data-live-form {
                    input type="hidden" name="what" value="hold";
                    input type="hidden" name="column" value=(self.column);
                    input type="hidden" name="back" value=(self.back);
                    ol class="rungs" { @for (level, rung) in rungs.iter().rev() { (self.rung(*level, rung)) } }
                }
            }
        }
    }

    /// How much detail is left, in words.
    fn told(&self) -> String {
        let rung = self.here.and_then(|level| self.look.rungs.get(usize::from(level)));
        rung.map_or_else(String::new, |rung| format!("{} of its detail kept", percent(rung.told)))
    }

    fn is_held_anywhere(&self) -> bool {
        self.look.min == self.look.max && self.look.rungs.len() > 1
    }

    fn is_held(&self, level: u8) -> bool {
        self.is_held_anywhere() && self.look.min == level
    }

    fn rung(&self, level: u8, rung: &RungLook) -> Markup {
        let is_here = self.here == Some(level);
        let is_held = self.is_held(level);
        let is_out = level < self.look.min || level > self.look.max;
        let price = self.prices.and_then(|prices| prices.levels.iter().find(|one| one.level == level));
        let is_unsafe = price.is_some_and(|price| price.best.is_none());
        let class = [
            (is_here, "is-here"),
            (self.beside == Some(level), "is-beside"),
            (is_held, "is-held"),
            (is_out, "is-out"),
            (is_unsafe && !is_here, "is-unsafe"),
        ];
        let class: Vec<&str> = class.iter().filter(|(is_so, _)| *is_so).map(|(_, class)| *class).collect();
        let title = if is_held { "let the column go" } else { "hold the column here" };
        html! {
            li class={ "rung " (class.join(" ")) } {
                button type="submit" name="level" value=(level) id={ "rung-" (self.column) "-" (level) }
                    aria-pressed=(is_held) aria-current=[is_here.then_some("true")] title=(title) {
                    span class="dot" aria-hidden="true" {}
                    span class="example" { @if let Some(example) = rung.examples.first() { (value(example)) } @else { "–" } }
                    span class="words" { (rung.words) " · " (count(rung.labels as u64)) @if rung.labels == 1 { " label" } @else { " labels" } }
                    (self.price(price, is_here, is_held, is_out))
                }
            }
        }
    }

    fn price(&self, price: Option<&LevelPrice>, is_here: bool, is_held: bool, is_out: bool) -> Markup {
        html! {
            span class="price" {
                @if is_held { strong { "held here" } }
                @else if is_here { strong { "best" } }
                @else if let Some(price) = price { @if is_out && !self.is_held_anywhere() { "not permitted: " } (cost(price)) }
                @else if is_out { "not permitted" }
                @else if self.prices.is_none() { span class="pending" { "…" } }
            }
        }
    }
}

/// What a rung costs.
fn cost(price: &LevelPrice) -> Markup {
    html! {
        @if let Some(best) = &price.best {
            @match best.of_best {
                Some(share) if share > 1.0 => { "+" (percent(share - 1.0)) " loss" }
                Some(share) if share < 1.0 => { "−" (percent(1.0 - share)) " loss" }
                _ => "same loss",
            }
            @if best.suppressed > 0 { ", " (count(best.suppressed)) " withheld" }
        } @else {
            span class="unsafe" { "not safe" span class="why" { ": " (price.why_not.clone().unwrap_or_default()) } }
        }
    }
}
