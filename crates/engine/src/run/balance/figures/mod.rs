//! Plots of a balance: levels and optimum, and how the optimum moves with preferences and points.
//!
//! Five files appear together in a folder of their own, or not at all. `levels.svg` shows each variable's levels on its
//! budget line, the optimum and the choice; `preferences.svg` goes over α, `points.svg` over the points of each variable,
//! `ratios.svg` over both kinds of points at several ratios of α to β, and `heat.svg` has the chosen level for every pair of
//! points. Large markets show the variables of most entropy only.
//!
//! Each plot has one legend, under its title (`legend`), and names levels by what they do to a value (`rung`).

mod heat;
mod legend;
mod levels;
mod points;
mod preferences;
mod ratios;

use std::path::Path;

use equanym_core::balance::{Balance, Offer};

use super::Solved;
use crate::error::Result;
use crate::write::sink::staging::{Staging, write_file};
use crate::write::svg::{Panel, cut};

/// The most variables that are drawn.
const MOST: usize = 24;

/// Draws all plots of a balance, each with its file name.
#[must_use]
pub fn draw(solved: &Solved) -> Vec<(&'static str, String)> {
    let drawn = shown(&solved.balance);
    vec![
        ("levels.svg", levels::draw(solved, &drawn)),
        ("preferences.svg", preferences::draw(solved, &drawn)),
        ("points.svg", points::draw(solved, &drawn)),
        ("ratios.svg", ratios::draw(solved, &drawn)),
        ("heat.svg", heat::draw(solved, &drawn)),
    ]
}

/// Writes the plots into a new folder, which must not lie in the folder that is read.
pub fn write(solved: &Solved, folder: &Path, data: &Path) -> Result<()> {
    let staging = Staging::plain(folder, data)?;
    for (name, text) in draw(solved) {
        write_file(&staging.folder().join(name), text.as_bytes())?;
    }
    staging.commit()
}

/// The variables that are drawn, in their order: those of most entropy.
fn shown(balance: &Balance) -> Vec<usize> {
    let offers = balance.market().offers();
    let mut places: Vec<usize> = (0..offers.len()).collect();
    places.sort_by(|&one, &other| offers[other].entropy().total_cmp(&offers[one].entropy()));
    places.truncate(MOST);
    places.sort_unstable();
    places
}

/// The ratios of α to β that are drawn side by side, in tenths.
const RATIOS: [(f64, f64); 5] = [(9.0, 1.0), (7.0, 3.0), (5.0, 5.0), (3.0, 7.0), (1.0, 9.0)];

/// The most variables that are drawn at each ratio.
const MOST_AT_RATIOS: usize = 6;

/// A title of a panel at a ratio; of a long name the end is cut.
fn at_ratio(name: &str, (alpha, beta): (f64, f64)) -> String {
    cut(&format!("α : β {alpha} : {beta}, {name}"))
}

/// A level by its number and what it does to a value, in so many characters.
fn rung(solved: &Solved, variable: usize, level: usize, most: usize) -> String {
    // What follows a comma explains; here there is room for a name.
    let words =
        solved.rungs.get(variable).and_then(|rungs| rungs.get(level)).and_then(|words| words.split(", ").next());
    match words {
        Some(words) if words.chars().count() > most => {
            format!("{level} {}…", words.chars().take(most.saturating_sub(1)).collect::<String>())
        }
        Some(words) => format!("{level} {words}"),
        None => level.to_string(),
    }
}

/// A panel for each variable, so many in a row.
struct Grid {
    columns: usize,
    width: f64,
    height: f64,
    /// Between two panels of a row, and to the right of the last one.
    between: f64,
}

const LEFT: f64 = 56.0;
const TOP: f64 = 92.0;
const BELOW: f64 = 84.0;

impl Grid {
    fn panel(&self, place: usize, most_x: f64, most_y: f64) -> Panel {
        let (column, row) = (place % self.columns, place / self.columns);
        Panel {
            left: LEFT + column as f64 * (self.width + self.between),
            top: TOP + row as f64 * (self.height + BELOW),
            width: self.width,
            height: self.height,
            most_x,
            most_y,
        }
    }

    /// Width and height of a drawing of so many panels that has room for a title of so many pixels.
    fn size(&self, panels: usize, title: f64) -> (f64, f64) {
        let (columns, rows) = (self.columns.min(panels).max(1), panels.div_ceil(self.columns).max(1));
        let width = LEFT + columns as f64 * (self.width + self.between);
        (width.max(title), TOP + rows as f64 * (self.height + BELOW) - BELOW + 58.0)
    }
}

/// Goods as a share of the most that the variable can give.
fn share(amount: f64, points: f64, offer: &Offer) -> f64 {
    let most = points * offer.entropy();
    if most > 0.0 { amount / most } else { 0.0 }
}
