//! How firm a balance is: how optimum and levels move with preferences and points, as the plots of `balance --plot` show it.

use equanym_engine::run::balance::BalanceSolution;
use equanym_engine::run::balance::plots::pictures;
use maud::{Markup, html};

use crate::parts::figures::shown_picture;

/// The plots, where they were asked for; they take longer than a slider may.
pub(super) fn firmness(solved: &BalanceSolution, is_asked: bool) -> Markup {
    html! {
        h2 id="firm-title" { "How firm is it?" }
        @if is_asked {
            p class="facts" { "Before anybody argues about a point: how much does it matter? " a href="/balance" { "Hide the plots" } }
            @for (name, picture) in pictures(solved) {
                div class="scroll plot-drawing" id={ "plot-" (name.trim_end_matches(".svg")) } tabindex="0" role="region" aria-label=(picture.title()) { (shown_picture(&picture)) }
            }
        } @else {
            p { a id="firm" href="/balance?plots=true#firm-title" { "Show how levels and optimum move with the preferences and with the points" } }
        }
    }
}
