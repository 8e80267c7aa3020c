//! Plots of a balance: levels and optimum, and how the optimum moves with preferences and points.
//!
//! Five files appear together in a folder of their own, or not at all. `levels.svg` shows each variable's levels on its
//! budget line, the optimum and the choice; `preferences.svg` goes over α, `points.svg` over the points of each variable,
//! `ratios.svg` over both kinds of points at several ratios of α to β, and `heat.svg` has the chosen level for every pair of
//! points. Large markets show the variables of most entropy only.
//!
//! Levels are named by what they do to a value (`rung`).

mod heat;
mod levels;
mod points;
mod preferences;
mod ratios;

use std::path::Path;

use equanym_core::balance::{Balance, Offer};

use super::BalanceSolution;
use crate::error::Result;
use crate::write::pen::{Panel, Pen, Picture, Sign};
use crate::write::sink::staging::{Staging, write_file};

/// The most variables that are shown.
const MOST: usize = 24;

/// All plots of a balance, each with its file name.
#[must_use]
pub fn plot(solved: &BalanceSolution) -> Vec<(&'static str, String)> {
    pictures(solved).into_iter().map(|(name, picture)| (name, picture.file())).collect()
}

/// The same as pictures of a page.
#[must_use]
pub fn pictures(solved: &BalanceSolution) -> Vec<(&'static str, Picture)> {
    let most = shown(&solved.balance);
    let plots: [(&'static str, PlotOf); 5] = [
        ("levels.svg", levels::plot),
        ("preferences.svg", preferences::plot),
        ("points.svg", points::plot),
        ("ratios.svg", ratios::plot),
        ("heat.svg", heat::plot),
    ];
    plots.into_iter().map(|(name, plot)| (name, plot(solved, &most))).collect()
}

/// Plots these variables.
type PlotOf = fn(&BalanceSolution, &[usize]) -> Picture;

/// Writes the plots into a new folder, which must not lie in the folder that is read.
pub fn write(solved: &BalanceSolution, folder: &Path, data: &Path) -> Result<()> {
    let staging = Staging::plain(folder, data)?;
    for (name, text) in plot(solved) {
        write_file(&staging.folder().join(name), text.as_bytes())?;
    }
    staging.commit()
}

/// The variables that are shown, in their order: those of most entropy.
fn shown(balance: &Balance) -> Vec<usize> {
    let offers = balance.market().offers();
    let mut places: Vec<usize> = (0..offers.len()).collect();
    places.sort_by(|&one, &other| offers[other].entropy().total_cmp(&offers[one].entropy()));
    places.truncate(MOST);
    places.sort_unstable();
    places
}

/// The ratios of α to β that stand side by side, in tenths.
const RATIOS: [(f64, f64); 5] = [(9.0, 1.0), (7.0, 3.0), (5.0, 5.0), (3.0, 7.0), (1.0, 9.0)];

/// The most variables that are shown at each ratio.
const MOST_AT_RATIOS: usize = 6;

/// The title of a panel at a ratio.
fn at_ratio(name: &str, (alpha, beta): (f64, f64)) -> String {
    format!("α : β {alpha} : {beta}, {name}")
}

/// A level by its number and what it does to a value, in so many characters.
fn rung(solved: &BalanceSolution, variable: usize, level: usize, most: usize) -> String {
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

/// The curves of utility and of protection, where a plot has no others.
const UTILITY: (Sign, &str) = (Sign::Curve(1), "utility x at the optimum");
const PROTECTION: (Sign, &str) = (Sign::Curve(2), "protection y at the optimum");

/// What is told where there is one variable only.
const ALONE: &str = "With a single variable there is nothing to share: it has all points.";

/// A line from top to bottom of a panel, where the policy is.
fn here(pen: &mut Pen, panel: &Panel, x: f64) {
    let (x, bottom) = panel.place((x, 0.0));
    pen.line("here", (x, panel.y.to), (x, bottom));
}

/// A market of one variable has no points to share.
fn is_alone(solved: &BalanceSolution) -> bool {
    solved.balance.market().offers().len() < 2
}

/// Goods as a share of the most that the variable can give.
fn share(amount: f64, points: f64, offer: &Offer) -> f64 {
    let most = points * offer.entropy();
    if most > 0.0 { amount / most } else { 0.0 }
}
