//! Bars in rows: a label, a bar for each series, a number.

use super::{Anchor, Pen, WIDTH, cut, wrapped};

/// Where the bars begin, how long the longest is, and where numbers end.
pub(crate) const LEFT: f64 = 136.0;
pub(crate) const LONGEST: f64 = 150.0;
pub(crate) const RIGHT: f64 = WIDTH;

/// Characters of a label that fit before the bars.
pub(crate) const LABEL: usize = 18;

/// How high a bar is, and how far the next one is below it: numbers must not touch.
const BAR: f64 = 8.0;
const PITCH: f64 = 15.0;

/// A bar of a row: its class and its share of the longest.
pub(crate) type Bar<'a> = (&'a str, f64);

/// How high a row of so many bars is.
pub(crate) fn height(bars: usize) -> f64 {
    bars as f64 * PITCH + 8.0
}

/// A row from its upper edge: the number of each bar stands beside it, and a long label has two lines where there is room.
pub(crate) fn row(pen: &mut Pen, top: f64, label: &str, bars: &[(Bar<'_>, String)]) {
    let middle = top + height(bars.len()) / 2.0;
    let lines = if bars.len() > 1 { wrapped(label, LABEL, 2) } else { vec![cut(label, LABEL)] };
    let first = middle + 4.0 - (lines.len() as f64 - 1.0) * 6.5;
    for (place, line) in lines.iter().enumerate() {
        pen.text("name", (0.0, first + place as f64 * 13.0), Anchor::Start, line);
    }
    let start = middle - (bars.len() as f64 * PITCH) / 2.0;
    for (place, ((class, share), number)) in bars.iter().enumerate() {
        let y = start + place as f64 * PITCH + (PITCH - BAR) / 2.0;
        pen.bar("track", (LEFT, y), (LONGEST, BAR));
        pen.bar(class, (LEFT, y), (LONGEST * clamped(*share), BAR));
        let class = if bars.len() > 1 { format!("small {class}") } else { "small".to_owned() };
        pen.text(&class, (RIGHT, y + BAR / 2.0 + 4.0), Anchor::End, number);
    }
}

/// Which colour stands for which series, in a line.
pub(crate) fn legend(pen: &mut Pen, top: f64, series: &[(&str, &str)]) {
    let mut x = LEFT;
    for (class, words) in series {
        pen.bar(class, (x, top), (12.0, BAR));
        pen.text("small quiet", (x + 17.0, top + 8.0), Anchor::Start, words);
        x += 34.0 + 6.0 * words.chars().count() as f64;
    }
}

/// A share that stays on the page.
pub(crate) fn clamped(share: f64) -> f64 {
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}
