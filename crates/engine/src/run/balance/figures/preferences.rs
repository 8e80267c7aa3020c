//! The optimum over preferences: from privacy alone (α = 0) to utility alone (α = 1).

use std::collections::BTreeMap;

use equanym_core::balance::{AlphaPiece, Balance, sweep};

use super::legend::{HERE, Sign, legend};
use super::{Grid, Solved, rung, share};
use crate::write::svg::{Anchor, COLOURS, Canvas, Mark, Panel, apart};

/// Between panels there is room for the names of levels.
const GRID: Grid = Grid { columns: 3, width: 200.0, height: 130.0, between: 190.0 };
const STEPS: u8 = 100;

/// One panel for each of these variables.
pub(super) fn draw(solved: &Solved, variables: &[usize]) -> String {
    let mut canvas = Canvas::default();
    let title = "The optimum and the choice as utility is worth more (α) and privacy less (β = 1 − α)";
    canvas.text(20.0, 20.0, Anchor::Start, "font-weight=\"bold\" font-size=\"14\"", title);
    let note = "Shares of the most that a variable can give. Each step is named at the right, at its height, by the level that is chosen there.";
    canvas.text(20.0, 37.0, Anchor::Start, "fill=\"#56626a\"", note);
    legend(&mut canvas, &LEGEND);
    let swept = sweep(solved.balance.market(), solved.sought).unwrap_or_default();
    let optima: Vec<(f64, Balance)> = (0..=STEPS)
        .map(|step| f64::from(step) / f64::from(STEPS))
        .filter_map(|alpha| Some((alpha, at(solved, alpha)?)))
        .collect();
    for (place, &variable) in variables.iter().enumerate() {
        let panel = GRID.panel(place, 1.0, 1.0);
        let name = &solved.balance.market().offers()[variable].name;
        panel.frame(&mut canvas, name, "α", "share");
        now(&mut canvas, &panel, solved);
        steps(&mut canvas, &panel, solved, variable, &swept);
        curves(&mut canvas, &panel, variable, &optima);
    }
    let (width, height) = GRID.size(variables.len(), 760.0);
    canvas.finish(width, height, title)
}

/// What the marks mean.
const LEGEND: [(Sign, &str); 4] = [
    (Sign::Line("stroke=\"#1c5d69\" stroke-width=\"3\" stroke-opacity=\"0.85\""), "what the chosen level shows"),
    (Sign::Curve(1, Mark::Triangle), "utility x at the optimum"),
    (Sign::Curve(2, Mark::Dot), "protection y at the optimum"),
    (Sign::Line(HERE), "the preferences of the policy"),
];

/// Characters of a level's words, and how far two of them are apart.
const LONGEST: usize = 18;
const LINE: f64 = 13.0;

fn at(solved: &Solved, alpha: f64) -> Option<Balance> {
    let market = solved.balance.market().with_weights(alpha, 1.0 - alpha).ok()?;
    Balance::solve(market, solved.sought).ok()
}

/// The preferences of the policy.
fn now(canvas: &mut Canvas, panel: &Panel, solved: &Solved) {
    let market = solved.balance.market();
    let alpha = market.alpha() / (market.alpha() + market.beta());
    let (x, bottom) = panel.place(alpha, 0.0);
    canvas.line(&[(x, panel.top), (x, bottom)], HERE);
}

/// What the chosen level shows, as steps.
fn steps(canvas: &mut Canvas, panel: &Panel, solved: &Solved, variable: usize, swept: &[AlphaPiece]) {
    let offer = &solved.balance.market().offers()[variable];
    let shown = |piece: &AlphaPiece| share(offer.entropies[piece.node[variable]], 1.0, offer);
    let ends = |piece: &AlphaPiece| [panel.place(piece.from, shown(piece)), panel.place(piece.to, shown(piece))];
    let points: Vec<(f64, f64)> = swept.iter().flat_map(ends).collect();
    canvas.line(&points, &format!("stroke=\"{}\" stroke-width=\"3\" stroke-opacity=\"0.85\"", COLOURS[0]));
    let chosen: BTreeMap<usize, f64> = swept.iter().map(|piece| (piece.node[variable], ends(piece)[0].1)).collect();
    names(canvas, panel, solved, variable, chosen.into_iter().collect());
}

/// The levels that are chosen somewhere, right of the panel, each at the height of its step or as near as there is room.
fn names(canvas: &mut Canvas, panel: &Panel, solved: &Solved, variable: usize, mut chosen: Vec<(usize, f64)>) {
    chosen.sort_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)));
    let heights: Vec<f64> = chosen.iter().map(|(_, y)| *y).collect();
    let edge = panel.left + panel.width;
    for ((level, y), moved) in chosen.iter().zip(apart(&heights, LINE, panel.top + panel.height)) {
        canvas.line(&[(edge + 3.0, *y), (edge + 12.0, moved)], &format!("stroke=\"{}\"", COLOURS[0]));
        let style = format!("fill=\"{}\" font-weight=\"bold\"", COLOURS[0]);
        let words = rung(solved, variable, *level, LONGEST);
        canvas.text(edge + 15.0, moved + 4.0, Anchor::Start, &style, &words);
    }
}

fn curves(canvas: &mut Canvas, panel: &Panel, variable: usize, optima: &[(f64, Balance)]) {
    let goods = |(alpha, balance): &(f64, Balance)| {
        let (offer, optimum) = (&balance.market().offers()[variable], balance.optimum()[variable]);
        let utility = share(optimum.utility, offer.points.user, offer);
        (*alpha, utility, share(optimum.protection, offer.points.intruder, offer))
    };
    let goods: Vec<(f64, f64, f64)> = optima.iter().map(goods).collect();
    let utility: Vec<(f64, f64)> = goods.iter().map(|&(alpha, utility, _)| (alpha, utility)).collect();
    let protection: Vec<(f64, f64)> = goods.iter().map(|&(alpha, _, protection)| (alpha, protection)).collect();
    super::points::curve(canvas, panel, &utility, 1, Mark::Triangle);
    super::points::curve(canvas, panel, &protection, 2, Mark::Dot);
}
