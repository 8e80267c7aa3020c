//! What the marks of a plot mean: once for all its panels, in a line under the title.

use crate::write::svg::{Anchor, COLOURS, Canvas, DASHES, Mark};

/// How something is drawn.
#[derive(Clone, Copy)]
pub(super) enum Sign {
    /// A mark of a colour.
    Mark(Mark, &'static str),
    /// The outline of a mark.
    Outline(Mark),
    /// A line with these words of style.
    Line(&'static str),
    /// A curve with its colour, dashes and marks.
    Curve(usize, Mark),
    /// A sign within cells.
    Words(&'static str),
}

/// How the optimum is outlined.
pub(super) const OPTIMUM: &str = "fill=\"none\" stroke=\"#a4502b\" stroke-width=\"2\"";

/// Where the policy is.
pub(super) const HERE: &str = "stroke=\"#8a9297\" stroke-dasharray=\"1 3\" stroke-width=\"1.5\"";

/// The line of signs with their words.
pub(super) fn legend(canvas: &mut Canvas, signs: &[(Sign, &str)]) {
    let (mut x, y) = (20.0, 57.0);
    for (sign, words) in signs {
        let width = draw(canvas, *sign, x, y - 4.0);
        canvas.text(x + width + 6.0, y, Anchor::Start, "", words);
        x += width + 26.0 + 5.9 * words.chars().count() as f64;
    }
}

/// Draws a sign; returns how wide it is.
fn draw(canvas: &mut Canvas, sign: Sign, x: f64, y: f64) -> f64 {
    match sign {
        Sign::Mark(mark, colour) => canvas.mark(mark, x + 5.0, y, 4.0, colour),
        Sign::Outline(mark) => canvas.path(&mark.path(x + 5.0, y, 5.0), OPTIMUM),
        Sign::Line(style) => {
            canvas.line(&[(x, y), (x + 20.0, y)], style);
            return 20.0;
        }
        Sign::Curve(series, mark) => {
            let (colour, dashes) = (COLOURS[series % COLOURS.len()], DASHES[series % DASHES.len()]);
            let style = format!("stroke=\"{colour}\" stroke-width=\"1.8\" stroke-dasharray=\"{dashes}\"");
            canvas.line(&[(x, y), (x + 26.0, y)], &style);
            canvas.mark(mark, x + 13.0, y, 3.2, colour);
            return 26.0;
        }
        Sign::Words(words) => canvas.text(x + 5.0, y + 4.0, Anchor::Middle, "", words),
    }
    10.0
}
