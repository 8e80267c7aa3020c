//! A share or a level as a small picture in a line of text.
//!
//! Each repeats what the text beside it says, so it is hidden from screen readers.

use maud::{Markup, html};

/// The widest ladder that is shown rung by rung.
const MOST_RUNGS: u8 = 16;

/// The width of a ladder, and the margin its dots need.
const LADDER: (f64, f64) = (96.0, 6.0);

/// A share of a whole as a bar, perhaps with a mark at another share; `class` gives its colour.
pub(crate) fn share_bar(share: f64, class: &str, mark: Option<f64>) -> Markup {
    html! {
        svg class={ "bar " (class) } viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" {
            rect class="track" x="0.0" y="1" width="100.0" height="4" {}
            rect class="fill" x="0.0" y="1" width=(format!("{:.1}", bar_width(share))) height="4" {}
            @if let Some(mark) = mark { rect class="mark" x=(format!("{:.1}", mark * 100.0)) y="0" width="0.5" height="6" {} }
        }
    }
}

/// A level's place on its ladder: as collected on the left, the top on the right.
pub(crate) fn ladder(level: u8, levels: u8) -> Markup {
    let here = rung(level, levels);
    html! {
        svg class="ladder" viewBox="0 0 96 12" width="96" height="12" aria-hidden="true" {
            (line("track", LADDER.0 - LADDER.1))
            (line("fill", here))
            @for other in rungs(levels) { (dot(if other <= level { "fill" } else { "track" }, rung(other, levels), "2")) }
            (dot("here", here, "4.5"))
        }
    }
}

/// What is more than nothing shows.
fn bar_width(share: f64) -> f64 {
    if share > 0.0 { (share * 100.0).clamp(0.6, 100.0) } else { 0.0 }
}

/// The rungs that are shown: all of them, or the two ends of a long ladder.
fn rungs(levels: u8) -> Vec<u8> {
    let last = levels.saturating_sub(1);
    if levels > MOST_RUNGS { vec![0, last] } else { (0..=last).collect() }
}

fn rung(level: u8, levels: u8) -> f64 {
    let (width, margin) = LADDER;
    let steps = f64::from(levels.saturating_sub(1)).max(1.0);
    margin + (width - 2.0 * margin) * (f64::from(level) / steps).min(1.0)
}

fn line(class: &str, to: f64) -> Markup {
    html! { line class=(class) x1=(format!("{:.1}", LADDER.1)) y1="6" x2=(format!("{to:.1}")) y2="6" {} }
}

fn dot(class: &str, x: f64, radius: &str) -> Markup {
    html! { circle class=(class) cx=(format!("{x:.1}")) cy="6" r=(radius) {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_spread_over_the_ladder() {
        let places = [rung(0, 5), rung(2, 5), rung(4, 5), rung(0, 1), rung(9, 5), rung(0, 0)];
        assert_eq!(places.map(|place| format!("{place}")), ["6", "48", "90", "6", "90", "6"]);
        assert_eq!([rungs(3), rungs(200), rungs(0)], [vec![0, 1, 2], vec![0, 199], vec![0]]);
    }

    #[test]
    fn bars_stay_in_their_frame() {
        assert_eq!(
            [0.0, 1e-9, 0.5, 7.0, f64::NAN].map(|share| format!("{}", bar_width(share))),
            ["0", "0.6", "50", "100", "0"]
        );
    }
}
