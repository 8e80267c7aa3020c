//! Heat maps: the level of a variable for every pair of its user points and its intruder points, at several ratios of α to β.
//!
//! A cell is as dark as the share of the entropy that its level shows, and the number of the level stands in it.

use super::super::sweeps::{Cell, over_points};
use super::legend::{Sign, legend};
use super::{Grid, MOST_AT_RATIOS, RATIOS, Solved, at_ratio, rung};
use crate::write::svg::{Anchor, Canvas, Mark, Panel};

/// Eleven cells of 18 in each direction.
const SIDE: f64 = 18.0;
const GRID: Grid = Grid { columns: RATIOS.len(), width: 11.0 * SIDE, height: 11.0 * SIDE, between: 62.0 };

/// A row of maps for each of these variables.
pub(super) fn draw(solved: &Solved, variables: &[usize]) -> String {
    let mut canvas = Canvas::default();
    let title = "The chosen level over the points of a variable";
    canvas.text(20.0, 20.0, Anchor::Start, "font-weight=\"bold\" font-size=\"14\"", title);
    let alone = solved.balance.market().offers().len() < 2;
    let note = if alone {
        "With a single variable there is nothing to share: it has all points."
    } else {
        "Darker cells show more of the entropy; the numbers are levels, which stand in words under each row."
    };
    canvas.text(20.0, 37.0, Anchor::Start, "fill=\"#56626a\"", note);
    if !alone {
        legend(&mut canvas, &LEGEND);
    }
    let variables = if alone { &[][..] } else { &variables[..variables.len().min(MOST_AT_RATIOS)] };
    for (row, &variable) in variables.iter().enumerate() {
        for (column, ratio) in RATIOS.into_iter().enumerate() {
            map(&mut canvas, solved, variable, ratio, row * RATIOS.len() + column);
        }
        rungs(&mut canvas, solved, variable, &GRID.panel(row * RATIOS.len(), 1.0, 1.0));
    }
    let (width, height) = GRID.size(RATIOS.len() * variables.len(), 640.0);
    canvas.finish(width, if alone { 60.0 } else { height }, title)
}

/// What the signs mean.
const LEGEND: [(Sign, &str); 2] =
    [(Sign::Outline(Mark::Ring), "the points of the policy"), (Sign::Words("–"), "rations that cannot be met")];

/// Characters of the line that names the levels, and of each.
const LINE: usize = 190;
const LONGEST: usize = 28;

/// The levels of a variable in words, under its row.
fn rungs(canvas: &mut Canvas, solved: &Solved, variable: usize, panel: &Panel) {
    let levels = solved.balance.market().offers()[variable].entropies.len();
    let mut words = String::new();
    for level in 0..levels {
        let one = rung(solved, variable, level, LONGEST);
        let rest = levels - level;
        if words.chars().count() + one.chars().count() > LINE {
            words = format!("{words} · {rest} more");
            break;
        }
        words = if words.is_empty() { one } else { format!("{words} · {one}") };
    }
    canvas.text(panel.left, panel.top + panel.height + 45.0, Anchor::Start, "fill=\"#56626a\"", &words);
}

fn map(canvas: &mut Canvas, solved: &Solved, variable: usize, (alpha, beta): (f64, f64), place: usize) {
    let market = solved.balance.market();
    let Ok(weighed) = market.with_weights(alpha / 10.0, beta / 10.0) else { return };
    let panel = GRID.panel(place, 1.0, 1.0);
    let offer = &market.offers()[variable];
    let title = at_ratio(&offer.name, (alpha, beta));
    canvas.text(panel.left, panel.top - 13.0, Anchor::Start, "font-weight=\"bold\" font-size=\"12\"", &title);
    for one in over_points(&weighed, solved.sought, variable) {
        cell(canvas, &panel, &one);
    }
    axes(canvas, &panel);
    let (x, y) = middle(&panel, offer.points.user, offer.points.intruder);
    canvas.path(&ring(x, y), "fill=\"none\" stroke=\"#a4502b\" stroke-width=\"2\"");
}

fn ring(x: f64, y: f64) -> String {
    Mark::Ring.path(x, y, 8.0)
}

/// The middle of the cell of these points.
fn middle(panel: &Panel, user: f64, intruder: f64) -> (f64, f64) {
    let (column, row) = (user / 10.0, intruder / 10.0);
    (panel.left + SIDE * (column + 0.5), panel.top + panel.height - SIDE * (row + 0.5))
}

fn cell(canvas: &mut Canvas, panel: &Panel, one: &Cell) {
    let (x, y) = middle(panel, one.user, one.intruder);
    let share = one.shown.unwrap_or(0.0).clamp(0.0, 1.0);
    let square = format!("M{:.1} {:.1}h{SIDE}v{SIDE}h-{SIDE}z", x - SIDE / 2.0, y - SIDE / 2.0);
    canvas.path(&square, &format!("fill=\"{}\" stroke=\"#fcfbf8\" stroke-width=\"0.8\"", shade(share)));
    // Cells are the same in the dark, and so is what stands in them.
    let ink = if share > 0.55 { "#ffffff" } else { "#101416" };
    let words = one.level.map_or_else(|| "–".to_owned(), |level| level.to_string());
    canvas.text(x, y + 3.6, Anchor::Middle, &format!("font-size=\"10\" fill=\"{ink}\""), &words);
}

/// From nearly white to the colour of what is chosen.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between two colours
fn shade(share: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * share).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(233.0, 28.0), mix(238.0, 93.0), mix(236.0, 104.0))
}

fn axes(canvas: &mut Canvas, panel: &Panel) {
    let bottom = panel.top + panel.height;
    let small = "font-size=\"10\" fill=\"#56626a\"";
    for points in [0.0, 20.0, 40.0, 60.0, 80.0, 100.0_f64] {
        let (x, y) = middle(panel, points, points);
        canvas.text(x, bottom + 13.0, Anchor::Middle, small, &points.to_string());
        canvas.text(panel.left - 5.0, y + 3.6, Anchor::End, small, &points.to_string());
    }
    canvas.text(panel.left + panel.width / 2.0, bottom + 27.0, Anchor::Middle, "", "user points of it");
    let (x, y) = (panel.left - 30.0, panel.top + panel.height / 2.0);
    canvas.text(x, y, Anchor::Middle, &format!("transform=\"rotate(-90 {x:.1} {y:.1})\""), "intruder points of it");
}
