//! The optimum over preferences: from privacy alone (α = 0) to utility alone (α = 1).

use std::collections::BTreeMap;

use equanym_core::balance::{AlphaPiece, Balance, sweep};

use super::{BalanceSolution, PROTECTION, UTILITY, here, rung, share};
use crate::write::pen::{Anchor, Panel, Pen, Picture, Sheet, Sign, apart};

/// Between panels there is room for the names of levels.
const SHEET: Sheet = Sheet { columns: 3, width: 200.0, height: 130.0, between: 190.0 };
const STEPS: u8 = 100;

/// What the marks mean.
const LEGEND: [(Sign, &str); 4] = [
    (Sign::Line("step"), "what the chosen level shows"),
    UTILITY,
    PROTECTION,
    (Sign::Line("here"), "the preferences of the policy"),
];

/// One panel for each of these variables.
pub(super) fn plot(solved: &BalanceSolution, variables: &[usize]) -> Picture {
    let title = "The optimum and the choice as utility is worth more (α) and privacy less (β = 1 − α)";
    let note = "Shares of the most that a variable can give. Each step is named at the right, at its height, by the level that is chosen there.";
    let market = solved.balance.market();
    let swept = sweep(market, solved.sought).unwrap_or_default();
    let optima: Vec<(f64, Balance)> = (0..=STEPS)
        .map(|step| f64::from(step) / f64::from(STEPS))
        .filter_map(|alpha| Some((alpha, at(solved, alpha)?)))
        .collect();
    SHEET.plot((title, note), LEGEND, variables.len(), |pen| {
        for (place, &variable) in variables.iter().enumerate() {
            let panel = SHEET.panel(place, (0.0, 1.0), (0.0, 1.0));
            panel.frame(pen, &market.offers()[variable].name, "α", "share");
            here(pen, &panel, market.alpha() / (market.alpha() + market.beta()));
            steps(pen, &panel, solved, variable, &swept);
            curves(pen, &panel, variable, &optima);
        }
    })
}

/// Characters of a level's words, and how far two of them are apart.
const LONGEST: usize = 18;
const LINE: f64 = 13.0;

fn at(solved: &BalanceSolution, alpha: f64) -> Option<Balance> {
    let market = solved.balance.market().with_weights(alpha, 1.0 - alpha).ok()?;
    Balance::solve(market, solved.sought).ok()
}

/// What the chosen level shows, as steps.
fn steps(pen: &mut Pen, panel: &Panel, solved: &BalanceSolution, variable: usize, swept: &[AlphaPiece]) {
    let offer = &solved.balance.market().offers()[variable];
    let shown = |piece: &AlphaPiece| share(offer.entropies[piece.node[variable]], 1.0, offer);
    let ends = |piece: &AlphaPiece| [panel.place((piece.from, shown(piece))), panel.place((piece.to, shown(piece)))];
    let points: Vec<(f64, f64)> = swept.iter().flat_map(ends).collect();
    pen.path("step", &points);
    let chosen: BTreeMap<usize, f64> = swept.iter().map(|piece| (piece.node[variable], ends(piece)[0].1)).collect();
    names(pen, panel, solved, variable, chosen.into_iter().collect());
}

/// The levels that are chosen somewhere, right of the panel, each at the height of its step or as near as there is room.
fn names(pen: &mut Pen, panel: &Panel, solved: &BalanceSolution, variable: usize, mut chosen: Vec<(usize, f64)>) {
    chosen.sort_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)));
    let heights: Vec<f64> = chosen.iter().map(|(_, y)| *y).collect();
    let edge = panel.x.to;
    for ((level, y), moved) in chosen.iter().zip(apart(&heights, LINE, panel.y.from)) {
        pen.line("s0", (edge + 3.0, *y), (edge + 12.0, moved));
        let words = rung(solved, variable, *level, LONGEST);
        pen.text("strong s0", (edge + 15.0, moved + 4.0), Anchor::Start, &words);
    }
}

fn curves(pen: &mut Pen, panel: &Panel, variable: usize, optima: &[(f64, Balance)]) {
    let goods = |(alpha, balance): &(f64, Balance)| {
        let (offer, optimum) = (&balance.market().offers()[variable], balance.optimum()[variable]);
        let utility = share(optimum.utility, offer.points.user, offer);
        (*alpha, utility, share(optimum.protection, offer.points.intruder, offer))
    };
    let goods: Vec<(f64, f64, f64)> = optima.iter().map(goods).collect();
    let utility: Vec<(f64, f64)> = goods.iter().map(|&(alpha, utility, _)| (alpha, utility)).collect();
    let protection: Vec<(f64, f64)> = goods.iter().map(|&(alpha, _, protection)| (alpha, protection)).collect();
    panel.curve(pen, 1, &utility);
    panel.curve(pen, 2, &protection);
}
