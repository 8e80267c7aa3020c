//! The optimum over preferences: from privacy alone (α = 0) to utility alone (α = 1).

use equanym_core::balance::{Balance, Piece, sweep};

use super::legend::{HERE, Sign, legend};
use super::{Grid, Solved, rung, share};
use crate::write::svg::{Anchor, COLOURS, Canvas, HALO, Mark, Panel};

const GRID: Grid = Grid { columns: 3, width: 200.0, height: 130.0, between: 76.0 };
const STEPS: u8 = 100;

/// One panel for each of these variables.
pub(super) fn draw(solved: &Solved, variables: &[usize]) -> String {
    let mut canvas = Canvas::default();
    let title = "The optimum and the choice as utility is worth more (α) and privacy less (β = 1 − α)";
    canvas.text(20.0, 20.0, Anchor::Start, "font-weight=\"bold\" font-size=\"14\"", title);
    let note = "Shares of the most that a variable can give. Steps are named by the level that is chosen there.";
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

/// Characters of a level's words.
const LONGEST: usize = 18;

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

/// What the chosen level shows, as steps with its number.
fn steps(canvas: &mut Canvas, panel: &Panel, solved: &Solved, variable: usize, swept: &[Piece]) {
    let offer = &solved.balance.market().offers()[variable];
    let shown = |piece: &Piece| share(offer.entropies[piece.node[variable]], 1.0, offer);
    let ends = |piece: &Piece| [panel.place(piece.from, shown(piece)), panel.place(piece.to, shown(piece))];
    let points: Vec<(f64, f64)> = swept.iter().flat_map(ends).collect();
    canvas.line(&points, &format!("stroke=\"{}\" stroke-width=\"3\" stroke-opacity=\"0.85\"", COLOURS[0]));
    let mut last = None;
    for piece in swept {
        let (level, [from, to]) = (piece.node[variable], ends(piece));
        if last != Some(level) {
            let style = format!("fill=\"{}\" font-weight=\"bold\" font-size=\"11\" {HALO}", COLOURS[0]);
            let x = if to.0 - from.0 < 10.0 { from.0 } else { from.0 + 4.0 };
            let y = if from.1 < panel.top + 14.0 { from.1 + 13.0 } else { from.1 - 4.0 };
            canvas.text(x, y, Anchor::Start, &style, &rung(solved, variable, level, LONGEST));
        }
        last = Some(level);
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
