//! Small drawings beside numbers.
//!
//! Each repeats what the text beside it says, so it is hidden from screen readers. Colours come from the style sheet.

use super::html::Html;

/// The widest ladder that is drawn rung by rung.
const MOST_RUNGS: u8 = 16;

/// The width of a ladder, and the margin its dots need.
const LADDER: (f64, f64) = (96.0, 6.0);

/// A share of a whole as a bar, perhaps with a mark at another share; `class` gives its colour.
pub(super) fn bar(html: &mut Html, share: f64, class: &str, mark: Option<f64>) {
    let class = format!("bar {class}");
    let frame = [("class", class.as_str()), ("viewBox", "0 0 100 6"), ("preserveAspectRatio", "none"), HIDDEN];
    html.element("svg", &frame, |svg| {
        rectangle(svg, "track", 0.0, 100.0, 1.0);
        rectangle(svg, "fill", 0.0, bar_width(share), 1.0);
        if let Some(mark) = mark {
            rectangle(svg, "mark", mark * 100.0, 0.5, 0.0);
        }
    });
}

/// A level's place on its ladder: as collected on the left, the top on the right.
pub(super) fn ladder(html: &mut Html, level: u8, levels: u8) {
    let frame = [("class", "ladder"), ("viewBox", "0 0 96 12"), ("width", "96"), ("height", "12"), HIDDEN];
    let here = rung(level, levels);
    html.element("svg", &frame, |svg| {
        line(svg, "track", LADDER.1, LADDER.0 - LADDER.1);
        line(svg, "fill", LADDER.1, here);
        for other in rungs(levels) {
            dot(svg, if other <= level { "fill" } else { "track" }, rung(other, levels), "2");
        }
        dot(svg, "here", here, "4.5");
    });
}

const HIDDEN: (&str, &str) = ("aria-hidden", "true");

/// What is more than nothing shows.
fn bar_width(share: f64) -> f64 {
    if share > 0.0 { (share * 100.0).clamp(0.6, 100.0) } else { 0.0 }
}

/// The rungs that are drawn: all of them, or the two ends of a long ladder.
fn rungs(levels: u8) -> Vec<u8> {
    let last = levels.saturating_sub(1);
    if levels > MOST_RUNGS { vec![0, last] } else { (0..=last).collect() }
}

fn rung(level: u8, levels: u8) -> f64 {
    let (width, margin) = LADDER;
    let steps = f64::from(levels.saturating_sub(1)).max(1.0);
    margin + (width - 2.0 * margin) * (f64::from(level) / steps).min(1.0)
}

fn rectangle(html: &mut Html, class: &str, x: f64, width: f64, y: f64) {
    let (x, width, height, y) = (format!("{x:.1}"), format!("{width:.1}"), (6.0 - 2.0 * y).to_string(), y.to_string());
    let place = [("class", class), ("x", &x), ("y", &y), ("width", &width), ("height", &height)];
    html.element("rect", &place, |_| ());
}

fn line(html: &mut Html, class: &str, from: f64, to: f64) {
    let (from, to) = (format!("{from:.1}"), format!("{to:.1}"));
    html.element("line", &[("class", class), ("x1", &from), ("y1", "6"), ("x2", &to), ("y2", "6")], |_| ());
}

fn dot(html: &mut Html, class: &str, x: f64, radius: &str) {
    html.element("circle", &[("class", class), ("cx", &format!("{x:.1}")), ("cy", "6"), ("r", radius)], |_| ());
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
