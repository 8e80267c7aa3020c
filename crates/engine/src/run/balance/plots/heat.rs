//! Heat maps: the level of a variable for every pair of its user points and its intruder points, at several ratios of α to β.
//!
//! A cell is as dark as the share of the entropy that its level shows, and the number of the level stands in it.

use super::{ALONE, BalanceSolution, MOST_AT_RATIOS, RATIOS, at_ratio, is_alone, rung};
use crate::decide::balance::{PointsCell, over_points};
use crate::write::pen::{Anchor, Mark, Panel, Pen, Picture, Sheet, Sign};

/// Eleven cells of 18 in each direction.
const SIDE: f64 = 18.0;
const SHEET: Sheet = Sheet { columns: RATIOS.len(), width: 11.0 * SIDE, height: 11.0 * SIDE, between: 62.0 };

/// Points from the lower edge of the first cell to the upper edge of the last.
const POINTS_OF_CELLS: (f64, f64) = (-5.0, 105.0);

/// What the signs mean.
const LEGEND: [(Sign, &str); 2] =
    [(Sign::Mark("optimum", Mark::Dot), "the points of the policy"), (Sign::Words("–"), "rations that cannot be met")];

/// A row of maps for each of these variables.
pub(super) fn plot(solved: &BalanceSolution, variables: &[usize]) -> Picture {
    let title = "The chosen level over the points of a variable";
    if is_alone(solved) {
        return SHEET.plot((title, ALONE), [], 0, |_| ());
    }
    let note = "Darker cells show more of the entropy; the numbers are levels, which stand in words under each row.";
    let variables = &variables[..variables.len().min(MOST_AT_RATIOS)];
    SHEET.plot((title, note), LEGEND, RATIOS.len() * variables.len(), |pen| {
        for (row, &variable) in variables.iter().enumerate() {
            let panel = |column: usize| SHEET.panel(row * RATIOS.len() + column, POINTS_OF_CELLS, POINTS_OF_CELLS);
            for (column, ratio) in RATIOS.into_iter().enumerate() {
                map(pen, solved, variable, ratio, &panel(column));
            }
            rungs(pen, solved, variable, &panel(0));
        }
    })
}

/// Characters of the line that names the levels, and of each.
const LINE: usize = 190;
const LONGEST: usize = 28;

/// The levels of a variable in words, under its row.
fn rungs(pen: &mut Pen, solved: &BalanceSolution, variable: usize, panel: &Panel) {
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
    pen.text("quiet", (panel.x.from, panel.y.from + 46.0), Anchor::Start, &words);
}

fn map(pen: &mut Pen, solved: &BalanceSolution, variable: usize, (alpha, beta): (f64, f64), panel: &Panel) {
    let market = solved.balance.market();
    let Ok(weighed) = market.with_weights(alpha / 10.0, beta / 10.0) else { return };
    let offer = &market.offers()[variable];
    let ticks = [0.0, 20.0, 40.0, 60.0, 80.0, 100.0_f64].map(|points| (points, points.to_string()));
    panel.grid(pen, &ticks, &ticks);
    panel.name(pen, &at_ratio(&offer.name, (alpha, beta)), "user points of it", "intruder points of it");
    for one in over_points(&weighed, solved.sought, variable) {
        cell(pen, panel, &one);
    }
    pen.mark("optimum", Mark::Dot, panel.place((offer.points.user, offer.points.intruder)), 8.0);
}

fn cell(pen: &mut Pen, panel: &Panel, one: &PointsCell) {
    let (x, y) = panel.place((one.user, one.intruder));
    let share = one.shown.unwrap_or(0.0).clamp(0.0, 1.0);
    pen.tile((x - SIDE / 2.0, y - SIDE / 2.0), SIDE, &shade(share));
    // Cells are the same in the dark, and so is what stands in them.
    let ink = if share > 0.55 { "small light" } else { "small dark" };
    let words = one.level.map_or_else(|| "–".to_owned(), |level| level.to_string());
    pen.text(ink, (x, y + 3.6), Anchor::Middle, &words);
}

/// From nearly white to the colour of what is chosen.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between two colours
fn shade(share: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * share).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(233.0, 28.0), mix(238.0, 93.0), mix(236.0, 104.0))
}
